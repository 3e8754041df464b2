(** Binary formats: the theorems of Fft.v for rounding to nearest with p bits, and the printed bounds
    as bounds of errors. Exponents have no limits: nothing overflows or underflows. *)

From Coq Require Import ZArith Reals Lia Lra Psatz List Permutation.
From Flocq Require Import Core.
From Coquelicot Require Import Coquelicot.
From Fftprec Require Import Rounding Products Stages Fourier Fft Sums Blocks Gemm Bounds.

Open Scope R_scope.

(** ** Arithmetics of a format, to nearest; ties go as [choice] says *)

Section Rounded.

Variables (fexp : Z -> Z) (choice : Z -> bool).
Context {valid : Valid_exp fexp}.
Hypothesis holds_one : generic_format radix2 fexp 1.

Notation format := (generic_format radix2 fexp).
Let rd := round radix2 fexp (Znearest choice).

Lemma rd_same x : format x -> rd x = x.
Proof. intro is_in; apply round_generic; [typeclasses eauto | easy]. Qed.

Lemma rounded_in_format z : cformat fexp (cround rd z).
Proof. split; apply generic_format_round; typeclasses eauto. Qed.

(** A complex product; [first] rounds the first real product of each part, and is the identity if it
    is fused with the sum. *)
Variable first : R -> R.
Hypothesis first_same : forall x, format x -> first x = x.

Definition product (x y : C) : C :=
  (rd (first (fst x * fst y) - rd (snd x * snd y)), rd (first (fst x * snd y) + rd (snd x * fst y))).

Lemma product_one z : cformat fexp z -> product (RtoC 1) z = z.
Proof.
  intros [re im]; destruct z as [a b]; unfold product; cbn [fst snd RtoC] in *.
  rewrite !Rmult_1_l, !Rmult_0_l, !first_same, (rd_same 0) by (easy || apply generic_format_0).
  now rewrite Rminus_0_r, Rplus_0_r, !rd_same.
Qed.

Lemma product_minus_i z : cformat fexp z -> product (0, -1) z = ((0, -1) * z)%C.
Proof.
  intros [re im]; destruct z as [a b]; unfold product, Cmult; cbn [fst snd] in *.
  replace (-1 * a) with (- a) by ring; replace (-1 * b) with (- b) by ring.
  rewrite !Rmult_0_l, first_same by apply generic_format_0.
  rewrite (rd_same (- b)), (rd_same (- a)) by now apply generic_format_opp.
  replace (0 - - b) with b by ring; rewrite !Rplus_0_l, !rd_same; easy || now apply generic_format_opp.
Qed.

Variables u rho eta : R.
Hypotheses (u_pos : 0 <= u) (rho_pos : 0 <= rho) (eta_pos : 0 <= eta).
Hypothesis sum_error : forall x y, cformat fexp x -> cformat fexp y ->
  Cmod (cadd rd x y - (x + y))%C <= u * Cmod (x + y)%C.
Hypothesis difference_error : forall x y, cformat fexp x -> cformat fexp y ->
  Cmod (csub rd x y - (x - y))%C <= u * Cmod (x - y)%C.
Hypothesis product_errs : forall w x,
  Cmod (product w x - w * x)%C <= rho * Cmod (w * x)%C + eta.

Definition rounded : arithmetic.
Proof.
  refine {| stored := cformat fexp; Fft.add := cadd rd; Fft.sub := csub rd; Fft.mul := product;
            Fft.u := u; Fft.rho := rho; Fft.eta := eta |}; try easy.
  - intros; apply rounded_in_format.
  - intros; apply rounded_in_format.
  - intros; split; apply generic_format_round; typeclasses eauto.
  - apply product_one.
  - apply product_minus_i.
Defined.

(** The table, each part of an entry to nearest. *)
Variable mu : R.
Hypothesis mu_pos : 0 <= mu.
Hypothesis entry_errs : forall w, Cmod w = 1 -> Cmod (cround rd w - w)%C <= mu.

Definition rounded_table : table (cformat fexp) mu.
Proof.
  refine {| entry := (fun t j => cround rd (factor t j)) : nat -> nat -> C |}; [easy | | |].
  - intros; apply rounded_in_format.
  - intros; apply entry_errs, root_Cmod.
  - intros t j trivial lt; unfold cround.
    assert (values : factor t j = RtoC 1 \/ factor t j = (0, -1)).
    { destruct t as [|[|t]]; [left; now apply factor_0 | now apply factor_1 | lia]. }
    destruct values as [-> | ->]; cbn [fst snd RtoC]; rewrite !rd_same;
      easy || apply generic_format_0 || now apply generic_format_opp.
Defined.

End Rounded.

(** ** p bits *)

Section Format.

Variables (p : positive) (choice : Z -> bool).
Hypothesis two_bits : (2 <= Zpos p)%Z.

Let rd := flx (Zpos p) choice.

Local Instance bits_pos : Prec_gt_0 (Zpos p).
Proof. easy. Qed.

Lemma roundoff_same : Rounding.u (Zpos p) = u_of p.
Proof.
  rewrite u_bpow, bpow_opp, bpow_powerRZ; unfold u_of; f_equal.
Qed.

Definition in_format (z : C) : Prop := cformat (FLX_exp (Zpos p)) z.
Definition in_formats (n : nat) (x : vector) : Prop := forall j, (j < n)%nat -> in_format (x j).

Lemma format_1 : generic_format radix2 (FLX_exp (Zpos p)) 1.
Proof.
  change 1 with (bpow radix2 0); apply generic_format_bpow; unfold FLX_exp; lia.
Qed.

Lemma u_of_nonneg : 0 <= u_of p.
Proof. left; apply Rinv_0_lt_compat, pow_lt; lra. Qed.

Lemma rho_of_nonneg : 0 <= rho_of p.
Proof. apply Rmult_le_pos; [apply sqrt_pos | apply u_of_nonneg]. Qed.

Lemma mu_of_nonneg : 0 <= mu_of p.
Proof.
  apply Rmult_le_pos; [apply u_of_nonneg|]; left; apply Rinv_0_lt_compat, sqrt_lt_R0; lra.
Qed.

Lemma entry_of_p_bits w : Cmod w = 1 -> Cmod (cround rd w - w)%C <= mu_of p.
Proof. intro; unfold mu_of; rewrite <- roundoff_same; now apply (table_entry_error (Zpos p)). Qed.

(** Products that round their first real products by [first] and err by rho. *)
Definition of_p_bits (first : R -> R)
  (first_same : forall x, generic_format radix2 (FLX_exp (Zpos p)) x -> first x = x)
  (rho : R) (rho_pos : 0 <= rho)
  (product_errs : forall w x, Cmod (product (FLX_exp (Zpos p)) choice first w x - w * x)%C <=
                              rho * Cmod (w * x)%C + 0) : arithmetic.
Proof.
  refine (rounded (FLX_exp (Zpos p)) choice first first_same (u_of p) rho 0 u_of_nonneg rho_pos
            (Rle_refl 0) _ _ product_errs); intros x y _ _; rewrite <- roundoff_same.
  - apply (complex_sum_error (Zpos p)).
  - apply (complex_difference_error (Zpos p)).
Defined.

Definition plain : arithmetic.
Proof.
  refine (of_p_bits rd (rd_same _ _) (rho_of p) rho_of_nonneg _); intros w x.
  unfold rho_of; rewrite Rplus_0_r, <- roundoff_same; now apply complex_product_error.
Defined.

(** Each part by one product and one fused multiply and add: rho = 2u. *)
Definition fused : arithmetic.
Proof.
  refine (of_p_bits (fun x => x) (fun x _ => eq_refl) (2 * u_of p) _ _);
    [pose proof u_of_nonneg; lra | intros w x].
  rewrite Rplus_0_r, <- roundoff_same; apply (fused_product_error (Zpos p)).
Defined.

Definition table_of_p_bits : table in_format (mu_of p) :=
  rounded_table (FLX_exp (Zpos p)) choice format_1 (mu_of p) mu_of_nonneg entry_of_p_bits.

(** ** Theorems *)

Definition rounded_factor (t j : nat) : C := cround rd (factor t j).
Definition fl_dit : nat -> vector -> vector := dit (cadd rd) (csub rd) (cmul rd) rounded_factor.
Definition fl_dif : nat -> vector -> vector := dif (cadd rd) (csub rd) (cmul rd) rounded_factor.
Definition fused_dit : nat -> vector -> vector := dit (cadd rd) (csub rd) (cmul_fused rd) rounded_factor.
Definition fused_dif : nat -> vector -> vector := dif (cadd rd) (csub rd) (cmul_fused rd) rounded_factor.

(** Radix-2 of 2^t points with p bits. *)
Theorem radix2_dit_error t x : in_formats (len t) x ->
  norm (len t) (vminus (fl_dit t x) (dft (len t) x)) <=
  radix2_bound (mu_of p) (rho_of p) (u_of p) t * norm (len t) (dft (len t) x).
Proof. now apply (dit_error plain (mu_of p) table_of_p_bits). Qed.

Theorem radix2_dif_error t x : in_formats (len t) x ->
  norm (len t) (vminus (fl_dif t x) (dft (len t) x)) <=
  radix2_bound (mu_of p) (rho_of p) (u_of p) t * norm (len t) (dft (len t) x).
Proof. now apply (dif_error plain (mu_of p) table_of_p_bits). Qed.

Theorem fused_dit_error t x : in_formats (len t) x ->
  norm (len t) (vminus (fused_dit t x) (dft (len t) x)) <=
  radix2_bound (mu_of p) (2 * u_of p) (u_of p) t * norm (len t) (dft (len t) x).
Proof. now apply (dit_error fused (mu_of p) table_of_p_bits). Qed.

Theorem fused_dif_error t x : in_formats (len t) x ->
  norm (len t) (vminus (fused_dif t x) (dft (len t) x)) <=
  radix2_bound (mu_of p) (2 * u_of p) (u_of p) t * norm (len t) (dft (len t) x).
Proof. now apply (dif_error fused (mu_of p) table_of_p_bits). Qed.

End Format.

(** ** dft-gemm *)

Section Gemm.

(** Operands of p bits; products and sums rounded to q bits. [order k] and [order' k] are the orders in
    which the 2n products of the parts of result k are summed. *)
Variables (p q : positive) (choice choice' : Z -> bool) (n : nat).
Variables (order order' : nat -> list nat).
Hypothesis all_products : forall k, Permutation (order k) (List.seq 0 (n + n)).
Hypothesis all_products' : forall k, Permutation (order' k) (List.seq 0 (n + n)).

Let rp := flx (Zpos p) choice.
Let rq := flx (Zpos q) choice'.

(** fl(fl(q_i) + fl(q_j)), then + fl(q_k), ... *)
Definition fl_sum (f : nat -> R) (l : list nat) : R :=
  match l with
  | nil => 0
  | i :: rest => fold_left (fun s j => rq (s + rq (f j))) rest (rq (f i))
  end.

Definition matrix (k j : nat) : C := cround rp (root n (j * k)).

Definition fl_gemm (x : vector) : vector := fun k =>
  (fl_sum (products_re x (matrix k)) (order k), fl_sum (products_im x (matrix k)) (order' k)).

Lemma rq_error x : Rabs (rq x - x) <= u_of q * Rabs x.
Proof.
  assert (Prec_gt_0 (Zpos q)) by easy.
  rewrite <- roundoff_same; apply (flx_errs_by (Zpos q)).
Qed.

Lemma fold_computed f l c s :
  computed (u_of q) (fun i => rq (f i)) c s ->
  computed (u_of q) (fun i => rq (f i)) (ordered_early c l)
    (fold_left (fun s j => rq (s + rq (f j))) l s).
Proof.
  revert c s; induction l as [|j l IH]; intros c s is_computed; [easy|].
  cbn [ordered_early fold_left]; apply IH.
  eapply computed_round; [apply computed_plus; [exact is_computed | apply computed_term]|].
  apply rq_error.
Qed.

Lemma fold_rounds l c : every_addition_rounds c -> every_addition_rounds (ordered_early c l).
Proof.
  revert c; induction l as [|j l IH]; intros c rounds; [easy|].
  cbn [ordered_early fold_left]; apply IH; repeat constructor; easy.
Qed.

Lemma fl_sum_sums f l e_p : (0 < n)%nat -> Permutation l (List.seq 0 (n + n)) ->
  (forall i, Rabs (rq (f i) - f i) <= e_p * Rabs (f i)) ->
  sums_products e_p (u_of q) n f (fl_sum f l).
Proof.
  intros n_pos all products.
  destruct l as [|i l].
  { apply Permutation_length in all; rewrite List.seq_length in all; simpl in all; lia. }
  exists (fun i => rq (f i)), (ordered_early (Term i) l); repeat split.
  - exact products.
  - apply fold_rounds; constructor.
  - eapply Permutation_trans; [apply ordered_terms | exact all].
  - apply fold_computed; constructor.
Qed.

(** Products that err by e_p when they are rounded to q bits. *)
Lemma gemm_of_products e_p x : (0 < n)%nat -> 0 <= e_p ->
  (forall k i, Rabs (rq (products_re x (matrix k) i) - products_re x (matrix k) i) <=
               e_p * Rabs (products_re x (matrix k) i)) ->
  (forall k i, Rabs (rq (products_im x (matrix k) i) - products_im x (matrix k) i) <=
               e_p * Rabs (products_im x (matrix k) i)) ->
  norm n (vminus (fl_gemm x) (dft n x)) <=
  gemm_bound n (mu_of p) (one_sum_gamma e_p (u_of q) n) * norm n (dft n x).
Proof.
  intros n_pos p_pos re im; assert (Prec_gt_0 (Zpos p)) by easy.
  apply (dft_gemm_error n (mu_of p) e_p (u_of q) matrix x (fl_gemm x));
    try (intros k _; now apply fl_sum_sums); [apply mu_of_nonneg | easy | apply u_of_nonneg |].
  intros k j _ _; apply entry_of_p_bits, root_Cmod.
Qed.

(** dft-gemm, every product rounded to q bits. *)
Theorem gemm_in_order_error x : (0 < n)%nat ->
  norm n (vminus (fl_gemm x) (dft n x)) <=
  gemm_bound n (mu_of p) (one_sum_gamma (u_of q) (u_of q) n) * norm n (dft n x).
Proof.
  intro n_pos; apply gemm_of_products; try easy; intros; try apply rq_error; apply u_of_nonneg.
Qed.

(** The same where q bits hold all products. *)
Theorem gemm_exact_products_error x : (0 < n)%nat -> (2 * Zpos p <= Zpos q)%Z ->
  (forall j, in_format p (x j)) ->
  norm n (vminus (fl_gemm x) (dft n x)) <=
  gemm_bound n (mu_of p) (one_sum_gamma 0 (u_of q) n) * norm n (dft n x).
Proof.
  intros n_pos fits input; assert (Prec_gt_0 (Zpos p)) by easy; assert (Prec_gt_0 (Zpos q)) by easy.
  assert (matrix_in : forall k j, in_format p (matrix k j))
    by (intros; split; apply generic_format_round; typeclasses eauto).
  assert (exact : forall y, generic_format radix2 (FLX_exp (Zpos q)) y -> Rabs (rq y - y) <= 0 * Rabs y).
  { intros y fit; replace (rq y) with y by (symmetry; now apply rd_same).
    rewrite Rminus_eq_0, Rabs_R0; lra. }
  apply gemm_of_products; [easy | lra | |]; intros k i; apply exact;
    unfold products_re, products_im; destruct (Nat.even i); try apply generic_format_opp;
    apply (product_fits (Zpos p) (Zpos q)); easy || apply input || apply matrix_in.
Qed.

End Gemm.
