(** Binary formats: the theorems of Fft.v for rounding to nearest with p bits, and the printed bounds
    as bounds of errors. Exponents have no limits: nothing overflows or underflows. *)

From Coq Require Import ZArith Reals Lia Lra Psatz List Permutation.
From Flocq Require Import Core.
From Coquelicot Require Import Coquelicot.
From Fftprec Require Import Rounding Products Stages Fft Sums Blocks Gemm Bounds.

Open Scope R_scope.

(** ** Arithmetics of p bits, to nearest; ties go as [choice] says *)

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

Lemma rounded_in_format z : in_format (cround rd z).
Proof. split; apply generic_format_round; typeclasses eauto. Qed.

Lemma rd_same x : generic_format radix2 (FLX_exp (Zpos p)) x -> rd x = x.
Proof. intro is_in; apply round_generic; [typeclasses eauto | easy]. Qed.

Lemma format_0 : generic_format radix2 (FLX_exp (Zpos p)) 0.
Proof. apply generic_format_0. Qed.

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

(** Four products and two sums, each rounded. *)
Lemma cmul_one z : in_format z -> cmul rd (RtoC 1) z = z.
Proof.
  intros [re im]; destruct z as [a b]; unfold cmul, cmul_with in *; cbn [fst snd RtoC] in *.
  rewrite !Rmult_1_l, !Rmult_0_l, !(rd_same _ format_0), (rd_same a re), (rd_same b im).
  rewrite Rminus_0_r, Rplus_0_r, (rd_same a re), (rd_same b im); easy.
Qed.

Lemma cmul_minus_i z : in_format z -> cmul rd (0, -1) z = ((0, -1) * z)%C.
Proof.
  intros [re im]; destruct z as [a b]; unfold cmul, cmul_with, Cmult in *; cbn [fst snd] in *.
  replace (-1 * a) with (- a) by ring; replace (-1 * b) with (- b) by ring.
  rewrite !Rmult_0_l, !(rd_same _ format_0).
  assert (minus_a : generic_format radix2 (FLX_exp (Zpos p)) (- a)) by now apply generic_format_opp.
  assert (minus_b : generic_format radix2 (FLX_exp (Zpos p)) (- b)) by now apply generic_format_opp.
  rewrite (rd_same _ minus_a), (rd_same _ minus_b).
  replace (0 - - b) with b by ring; rewrite !Rplus_0_l, (rd_same _ minus_a), (rd_same _ im); easy.
Qed.

Definition plain : arithmetic.
Proof.
  refine {|
    stored := in_format;
    Fft.add := cadd rd;
    Fft.sub := csub rd;
    Fft.mul := cmul rd;
    Fft.u := u_of p;
    Fft.rho := rho_of p
  |}.
  - apply u_of_nonneg.
  - apply rho_of_nonneg.
  - intros x y _ _; apply rounded_in_format.
  - intros x y _ _; apply rounded_in_format.
  - intros w x _ _; split; apply generic_format_round; typeclasses eauto.
  - intros x y _ _; rewrite <- roundoff_same; apply (complex_sum_error (Zpos p)).
  - intros x y _ _; rewrite <- roundoff_same; apply (complex_difference_error (Zpos p)).
  - intros w x _ _; unfold rho_of; rewrite <- roundoff_same; now apply complex_product_error.
  - apply cmul_one.
  - apply cmul_minus_i.
Defined.

(** Each part by one product and one fused multiply and add: rho = 2u. *)
Lemma cmul_fused_one z : in_format z -> cmul_fused rd (RtoC 1) z = z.
Proof.
  intros [re im]; destruct z as [a b]; unfold cmul_fused, cmul_fused_with in *.
  cbn [fst snd RtoC] in *.
  rewrite !Rmult_1_l, !Rmult_0_l, !(rd_same _ format_0).
  rewrite Rminus_0_r, Rplus_0_r, (rd_same a re), (rd_same b im); easy.
Qed.

Lemma cmul_fused_minus_i z : in_format z -> cmul_fused rd (0, -1) z = ((0, -1) * z)%C.
Proof.
  intros [re im]; destruct z as [a b]; unfold cmul_fused, cmul_fused_with, Cmult in *.
  cbn [fst snd] in *.
  replace (-1 * a) with (- a) by ring; replace (-1 * b) with (- b) by ring.
  assert (minus_a : generic_format radix2 (FLX_exp (Zpos p)) (- a)) by now apply generic_format_opp.
  assert (minus_b : generic_format radix2 (FLX_exp (Zpos p)) (- b)) by now apply generic_format_opp.
  rewrite !Rmult_0_l, (rd_same _ minus_a), (rd_same _ minus_b).
  replace (0 - - b) with b by ring; rewrite !Rplus_0_l, (rd_same _ minus_a), (rd_same _ im); easy.
Qed.

Definition fused : arithmetic.
Proof.
  refine {|
    stored := in_format;
    Fft.add := cadd rd;
    Fft.sub := csub rd;
    Fft.mul := cmul_fused rd;
    Fft.u := u_of p;
    Fft.rho := 2 * u_of p
  |}.
  - apply u_of_nonneg.
  - pose proof u_of_nonneg; lra.
  - intros x y _ _; apply rounded_in_format.
  - intros x y _ _; apply rounded_in_format.
  - intros w x _ _; split; apply generic_format_round; typeclasses eauto.
  - intros x y _ _; rewrite <- roundoff_same; apply (complex_sum_error (Zpos p)).
  - intros x y _ _; rewrite <- roundoff_same; apply (complex_difference_error (Zpos p)).
  - intros w x _ _; rewrite <- roundoff_same; apply (fused_product_error (Zpos p)).
  - apply cmul_fused_one.
  - apply cmul_fused_minus_i.
Defined.

(** ** Tables, each part of an entry to nearest *)

Definition rounded_entry (t j : nat) : C := cround rd (factor t j).

Lemma rounded_entry_error t j : Cmod (rounded_entry t j - factor t j)%C <= mu_of p.
Proof. unfold mu_of; rewrite <- roundoff_same; apply (table_entry_error (Zpos p)), root_Cmod. Qed.

Lemma rounded_entry_trivial t j : (t < 2)%nat -> (j < len t)%nat -> rounded_entry t j = factor t j.
Proof.
  intros trivial lt; unfold rounded_entry, cround.
  assert (minus_1 : generic_format radix2 (FLX_exp (Zpos p)) (-1))
    by (replace (-1) with (- (1)) by ring; apply generic_format_opp, format_1).
  assert (values : factor t j = RtoC 1 \/ factor t j = (0, -1)).
  { destruct t as [|[|t]]; [left; now apply factor_0 | now apply factor_1 | lia]. }
  destruct values as [-> | ->]; cbn [fst snd RtoC];
    rewrite ?(rd_same _ format_1), ?(rd_same _ format_0), ?(rd_same _ minus_1); easy.
Qed.

Definition plain_table : table plain (mu_of p).
Proof.
  refine {| entry := rounded_entry : nat -> nat -> C |}.
  - apply mu_of_nonneg.
  - intros; apply rounded_in_format.
  - intros; apply rounded_entry_error.
  - apply rounded_entry_trivial.
Defined.

Definition fused_table : table fused (mu_of p).
Proof.
  refine {| entry := rounded_entry : nat -> nat -> C |}.
  - apply mu_of_nonneg.
  - intros; apply rounded_in_format.
  - intros; apply rounded_entry_error.
  - apply rounded_entry_trivial.
Defined.

(** ** Theorems *)

Definition fl_dit : nat -> vector -> vector :=
  dit (cadd rd) (csub rd) (cmul rd) (fun t j => cround rd (factor t j)).
Definition fl_dif : nat -> vector -> vector :=
  dif (cadd rd) (csub rd) (cmul rd) (fun t j => cround rd (factor t j)).
Definition fused_dit : nat -> vector -> vector :=
  dit (cadd rd) (csub rd) (cmul_fused rd) (fun t j => cround rd (factor t j)).
Definition fused_dif : nat -> vector -> vector :=
  dif (cadd rd) (csub rd) (cmul_fused rd) (fun t j => cround rd (factor t j)).

Definition in_formats (n : nat) (x : vector) : Prop := forall j, (j < n)%nat -> in_format (x j).

(** Radix-2 of 2^t points with p bits. *)
Theorem radix2_dit_error t x : in_formats (len t) x ->
  norm (len t) (vminus (fl_dit t x) (dft (len t) x)) <=
  radix2_bound (mu_of p) (rho_of p) (u_of p) t * norm (len t) (dft (len t) x).
Proof. apply (dit_error plain (mu_of p) plain_table). Qed.

Theorem radix2_dif_error t x : in_formats (len t) x ->
  norm (len t) (vminus (fl_dif t x) (dft (len t) x)) <=
  radix2_bound (mu_of p) (rho_of p) (u_of p) t * norm (len t) (dft (len t) x).
Proof. apply (dif_error plain (mu_of p) plain_table). Qed.

Theorem fused_dit_error t x : in_formats (len t) x ->
  norm (len t) (vminus (fused_dit t x) (dft (len t) x)) <=
  radix2_bound (mu_of p) (2 * u_of p) (u_of p) t * norm (len t) (dft (len t) x).
Proof. apply (dit_error fused (mu_of p) fused_table). Qed.

Theorem fused_dif_error t x : in_formats (len t) x ->
  norm (len t) (vminus (fused_dif t x) (dft (len t) x)) <=
  radix2_bound (mu_of p) (2 * u_of p) (u_of p) t * norm (len t) (dft (len t) x).
Proof. apply (dif_error fused (mu_of p) fused_table). Qed.

End Format.

(** ** dft-gemm *)

(** Products of p-bit numbers fit into q >= 2p bits. *)
Lemma product_fits p q a b : (2 * Zpos p <= Zpos q)%Z ->
  generic_format radix2 (FLX_exp (Zpos p)) a -> generic_format radix2 (FLX_exp (Zpos p)) b ->
  generic_format radix2 (FLX_exp (Zpos q)) (a * b).
Proof.
  intros fits in_a in_b.
  assert (p_pos : Prec_gt_0 (Zpos p)) by easy; assert (q_pos : Prec_gt_0 (Zpos q)) by easy.
  destruct (FLX_format_generic radix2 (Zpos p) a in_a) as [f is_a size_a].
  destruct (FLX_format_generic radix2 (Zpos p) b in_b) as [g is_b size_b].
  apply generic_format_FLX; exists (Float radix2 (Fnum f * Fnum g) (Fexp f + Fexp g)).
  - rewrite is_a, is_b; unfold F2R; cbn [Fnum Fexp].
    rewrite mult_IZR, bpow_plus; ring.
  - cbn [Fnum]; rewrite Z.abs_mul.
    apply Z.lt_le_trans with (radix2 ^ Zpos p * radix2 ^ Zpos p)%Z.
    + apply Z.mul_lt_mono_nonneg; easy || apply Z.abs_nonneg.
    + rewrite <- Z.pow_add_r by easy; apply Z.pow_le_mono_r; [easy | lia].
Qed.

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

(** dft-gemm, every product rounded to q bits. *)
Theorem gemm_in_order_error x : (0 < n)%nat ->
  norm n (vminus (fl_gemm x) (dft n x)) <=
  gemm_bound n (mu_of p) (one_sum_gamma (u_of q) (u_of q) n) * norm n (dft n x).
Proof.
  intro n_pos; assert (Prec_gt_0 (Zpos p)) by easy.
  apply (dft_gemm_error n (mu_of p) (u_of q) (u_of q) matrix x (fl_gemm x)).
  - apply mu_of_nonneg.
  - apply u_of_nonneg.
  - apply u_of_nonneg.
  - intros k j _ _; unfold matrix, mu_of; rewrite <- roundoff_same.
    apply (table_entry_error (Zpos p)), root_Cmod.
  - intros k _; apply fl_sum_sums; [easy | apply all_products | intro; apply rq_error].
  - intros k _; apply fl_sum_sums; [easy | apply all_products' | intro; apply rq_error].
Qed.

(** The same where q bits hold all products. *)
Theorem gemm_exact_products_error x : (0 < n)%nat -> (2 * Zpos p <= Zpos q)%Z ->
  (forall j, in_format p (x j)) ->
  norm n (vminus (fl_gemm x) (dft n x)) <=
  gemm_bound n (mu_of p) (one_sum_gamma 0 (u_of q) n) * norm n (dft n x).
Proof.
  intros n_pos fits input; assert (Prec_gt_0 (Zpos p)) by easy.
  assert (matrix_in : forall k j, in_format p (matrix k j))
    by (intros; split; apply generic_format_round; typeclasses eauto).
  assert (exact : forall y, generic_format radix2 (FLX_exp (Zpos q)) y -> rq y = y)
    by (intros; apply round_generic; [typeclasses eauto | easy]).
  apply (dft_gemm_error n (mu_of p) 0 (u_of q) matrix x (fl_gemm x)).
  - apply mu_of_nonneg.
  - lra.
  - apply u_of_nonneg.
  - intros k j _ _; unfold matrix, mu_of; rewrite <- roundoff_same.
    apply (table_entry_error (Zpos p)), root_Cmod.
  - intros k _; apply fl_sum_sums; [easy | apply all_products |]; intro i.
    rewrite exact; [right; unfold Rminus; rewrite Rplus_opp_r, Rabs_R0; ring|].
    unfold products_re; destruct (Nat.even i); [|apply generic_format_opp];
      apply (product_fits p q _ _ fits); apply input || apply matrix_in.
  - intros k _; apply fl_sum_sums; [easy | apply all_products' |]; intro i.
    rewrite exact; [right; unfold Rminus; rewrite Rplus_opp_r, Rabs_R0; ring|].
    unfold products_im; destruct (Nat.even i);
      apply (product_fits p q _ _ fits); apply input || apply matrix_in.
Qed.

End Gemm.
