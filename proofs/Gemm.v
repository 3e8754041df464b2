(** dft-gemm: the DFT of n points, any n, as one product with a matrix. *)

From Coq Require Import Reals Lia Lra Psatz List Permutation.
From Coquelicot Require Import Coquelicot.
From Fftprec Require Import Stages Fft Sums Blocks.

Open Scope R_scope.

(** ** Parseval for any n *)

Lemma csum_zero n : csum n (fun _ => RtoC 0) = RtoC 0.
Proof. induction n as [|n IH]; simpl; [easy | rewrite IH; ring]. Qed.

Lemma csum_scale_r n f (a : C) : csum n (fun j => f j * a)%C = (csum n f * a)%C.
Proof. by_terms n. Qed.

Lemma csum_swap m n (f : nat -> nat -> C) :
  csum m (fun j => csum n (fun k => f j k)) = csum n (fun k => csum m (fun j => f j k)).
Proof.
  induction m as [|m IH]; simpl; [now rewrite csum_zero | now rewrite IH, <- csum_plus].
Qed.

Lemma csum_conj n f : Cconj (csum n f) = csum n (fun j => Cconj (f j)).
Proof.
  induction n as [|n IH]; simpl; [apply injective_projections; simpl; ring|].
  rewrite <- IH; apply injective_projections; simpl; ring.
Qed.

Lemma csum_one n (f : nat -> C) j :
  (j < n)%nat -> (forall l, (l < n)%nat -> l <> j -> f l = RtoC 0) -> csum n f = f j.
Proof.
  intros lt zero; induction n as [|n IH]; [lia|]; simpl.
  destruct (Nat.eq_dec j n) as [->|other].
  - rewrite (csum_ext n f (fun _ => RtoC 0)) by (intros; apply zero; lia).
    rewrite csum_zero; ring.
  - rewrite IH, (zero n) by (lia || intros; apply zero; lia); ring.
Qed.

Lemma csum_RtoC n f : csum n (fun j => RtoC (f j)) = RtoC (rsum n f).
Proof. induction n as [|n IH]; simpl; [easy | now rewrite IH, RtoC_plus]. Qed.

Lemma csum_const n (a : C) : csum n (fun _ => a) = (RtoC (INR n) * a)%C.
Proof.
  induction n as [|n IH]; [simpl; ring|].
  rewrite S_INR, RtoC_plus; simpl; rewrite IH; ring.
Qed.

Lemma Cmod_square_conj z : RtoC (Cmod z ^ 2) = (z * Cconj z)%C.
Proof.
  rewrite Cmod_sqr; apply injective_projections; simpl; ring.
Qed.

Lemma root_conj n k : (root n k * Cconj (root n k))%C = RtoC 1.
Proof. now rewrite <- Cmod_square_conj, root_Cmod, pow1. Qed.

Lemma root_not_1 n d : (0 < d < n)%nat -> root n d <> RtoC 1.
Proof.
  intros [pos lt] one.
  assert (n_pos : 0 < INR n) by (apply lt_0_INR; lia).
  assert (d_pos : 0 < INR d) by (apply lt_0_INR; lia).
  assert (d_lt : INR d < INR n) by now apply lt_INR.
  apply (f_equal fst) in one; simpl in one.
  set (half := PI * INR d / INR n).
  assert (angle : 2 * PI * INR d / INR n = 2 * half) by (unfold half; field; lra).
  rewrite angle, cos_2a_sin in one.
  assert (0 < sin half); [|nra].
  pose proof PI_RGT_0.
  assert (0 < INR d / INR n < 1).
  { split; [now apply Rdiv_lt_0_compat|].
    apply Rmult_lt_reg_r with (INR n); [easy|]; unfold Rdiv; rewrite Rmult_assoc, Rinv_l; lra. }
  assert (half = PI * (INR d / INR n)) by (unfold half, Rdiv; ring).
  apply sin_gt_0; nra.
Qed.

(** A geometric sum. *)
Lemma root_power n d k : root n (d * S k) = (root n (d * k) * root n d)%C.
Proof. rewrite <- root_add; f_equal; lia. Qed.

Lemma geometric n d m :
  ((root n d - 1) * csum m (fun k => root n (d * k)))%C = (root n (d * m) - 1)%C.
Proof.
  induction m as [|m IH]; simpl csum; [rewrite Nat.mul_0_r, root_0; ring|].
  rewrite Cmult_plus_distr_l, IH, root_power; ring.
Qed.

Lemma roots_cancel n d : (0 < d < n)%nat -> csum n (fun k => root n (d * k)) = RtoC 0.
Proof.
  intro range; pose proof (root_not_1 n d range) as not_one.
  pose proof (geometric n d n) as sum; rewrite root_turns in sum by lia.
  assert (nonzero : (root n d - 1)%C <> RtoC 0).
  { intro zero; apply not_one; replace (root n d) with ((root n d - 1) + 1)%C by ring.
    rewrite zero; ring. }
  replace (1 - 1)%C with (RtoC 0) in sum by ring.
  apply (f_equal (fun z => / (root n d - 1) * z)%C) in sum.
  rewrite Cmult_assoc, Cinv_l, Cmult_1_l, Cmult_0_r in sum; easy.
Qed.

Lemma root_difference n j l k : (l <= j)%nat ->
  (root n (j * k) * Cconj (root n (l * k)))%C = root n ((j - l) * k).
Proof.
  intro le; replace (j * k)%nat with ((j - l) * k + l * k)%nat by nia.
  rewrite root_add, <- Cmult_assoc, root_conj; ring.
Qed.

Lemma Cconj_mult a b : Cconj (a * b)%C = (Cconj a * Cconj b)%C.
Proof. apply injective_projections; simpl; ring. Qed.

Lemma Cconj_twice a : Cconj (Cconj a) = a.
Proof. apply injective_projections; simpl; ring. Qed.

Lemma roots_orthogonal n j l : (j < n)%nat -> (l < n)%nat -> l <> j ->
  csum n (fun k => root n (j * k) * Cconj (root n (l * k)))%C = RtoC 0.
Proof.
  intros j_lt l_lt other; destruct (Nat.lt_ge_cases l j) as [lt|ge].
  - rewrite (csum_ext n _ (fun k => root n ((j - l) * k)))
      by (intros; apply root_difference; lia).
    apply roots_cancel; lia.
  - rewrite (csum_ext n _ (fun k => Cconj (root n ((l - j) * k)))).
    + rewrite <- csum_conj, roots_cancel by lia; apply injective_projections; simpl; ring.
    + intros k _; rewrite <- (root_difference n l j k) by lia.
      rewrite Cconj_mult, Cconj_twice; ring.
Qed.

(** ||DFT x||^2 = n ||x||^2. *)
Theorem parseval_any n x : energy n (dft n x) = INR n * energy n x.
Proof.
  apply RtoC_inj; rewrite RtoC_mult; unfold energy; rewrite <- !csum_RtoC.
  rewrite (csum_ext n _ (fun k =>
    csum n (fun j => csum n (fun l =>
      x j * Cconj (x l) * (root n (j * k) * Cconj (root n (l * k)))))%C)).
  - rewrite csum_swap.
    rewrite <- csum_scale; apply csum_ext; intros j lt.
    rewrite csum_swap.
    rewrite (csum_ext n _ (fun l => x j * Cconj (x l) *
               csum n (fun k => root n (j * k) * Cconj (root n (l * k))))%C)
      by (intros; apply csum_scale).
    rewrite (csum_one n _ j lt).
    + rewrite (csum_ext n _ (fun _ => RtoC 1)) by (intros; apply root_conj).
      rewrite csum_const, Cmod_square_conj; ring.
    + intros l l_lt other; rewrite roots_orthogonal by easy; ring.
  - intros k _; rewrite Cmod_square_conj; unfold dft; rewrite csum_conj.
    rewrite <- csum_scale_r; apply csum_ext; intros j _.
    rewrite <- csum_scale; apply csum_ext; intros l _; rewrite Cconj_mult; ring.
Qed.

Lemma norm_dft n x : norm n (dft n x) = sqrt (INR n) * norm n x.
Proof.
  unfold norm; rewrite parseval_any, sqrt_mult; [easy | apply pos_INR | apply energy_nonneg].
Qed.

(** ** The computed product *)

(** Term i of the sum for one part of one result: products of the real parts at even places, of the
    imaginary parts at odd ones. *)
Definition products_re (x w : vector) (i : nat) : R :=
  if Nat.even i then fst (x (Nat.div2 i)) * fst (w (Nat.div2 i))
  else - (snd (x (Nat.div2 i)) * snd (w (Nat.div2 i))).

Definition products_im (x w : vector) (i : nat) : R :=
  if Nat.even i then fst (x (Nat.div2 i)) * snd (w (Nat.div2 i))
  else snd (x (Nat.div2 i)) * fst (w (Nat.div2 i)).

(** y errs in each part by at most gamma of the sum of the products' sizes, as any rounded sum of the
    2n products does ([sum_error]). *)
Definition part_errs (n : nat) (gamma : R) (q : nat -> R) (y : R) : Prop :=
  Rabs (y - rsum (n + n) q) <= gamma * rsum (n + n) (fun i => Rabs (q i)).

Lemma at_even i : Nat.even (2 * i) = true /\ Nat.div2 (2 * i) = i.
Proof. split; [apply Nat.even_spec; now exists i | apply Nat.div2_double]. Qed.

Lemma at_odd i : Nat.even (2 * i + 1) = false /\ Nat.div2 (2 * i + 1) = i.
Proof.
  split; [|now rewrite Nat.add_1_r, Nat.div2_succ_double].
  rewrite <- Nat.negb_odd; replace (Nat.odd (2 * i + 1)) with true; [easy|].
  symmetry; apply Nat.odd_spec; now exists i.
Qed.

Lemma csum_parts n f :
  csum n f = (rsum n (fun j => fst (f j)), rsum n (fun j => snd (f j))).
Proof. induction n as [|n IH]; simpl; [easy | now rewrite IH]. Qed.

(** Looks at both products of a pair. *)
Ltac by_pairs_of_products :=
  intros k _; unfold products_re, products_im; destruct (at_even k) as [-> ->], (at_odd k) as [-> ->];
  rewrite ?Rabs_Ropp.

Lemma sum_re n x w : rsum (n + n) (products_re x w) = fst (csum n (fun k => x k * w k)%C).
Proof.
  rewrite rsum_parity, <- rsum_plus, csum_parts; apply rsum_ext; by_pairs_of_products; simpl; ring.
Qed.

Lemma sum_im n x w : rsum (n + n) (products_im x w) = snd (csum n (fun k => x k * w k)%C).
Proof.
  rewrite rsum_parity, <- rsum_plus, csum_parts; apply rsum_ext; by_pairs_of_products; simpl; ring.
Qed.

Lemma sizes_re n x w :
  rsum (n + n) (fun i => Rabs (products_re x w i)) <= rsum n (fun k => Cmod (x k) * Cmod (w k)).
Proof.
  rewrite rsum_parity, <- rsum_plus; apply rsum_le; by_pairs_of_products.
  destruct (x k) as [a b], (w k) as [c d]; apply products_le.
Qed.

Lemma sizes_im n x w :
  rsum (n + n) (fun i => Rabs (products_im x w i)) <= rsum n (fun k => Cmod (x k) * Cmod (w k)).
Proof.
  rewrite rsum_parity, <- rsum_plus; apply rsum_le; by_pairs_of_products.
  destruct (x k) as [a b], (w k) as [c d]; rewrite (Cmod_swap c d); apply products_le.
Qed.

(** As EngineTheory::bound forms it: sqrt(n) mu + (1 + mu) sqrt(2n) gamma. *)
Definition gemm_bound (n : nat) (mu gamma : R) : R :=
  sqrt (INR n) * mu + (1 + mu) * (sqrt (2 * INR n) * gamma).

(** A computed product with a matrix whose entries err by at most mu and whose sums err by gamma. *)
Theorem gemm_error n mu gamma (w : nat -> vector) (x y : vector) :
  0 <= mu -> 0 <= gamma ->
  (forall k j, (k < n)%nat -> (j < n)%nat -> Cmod (w k j - root n (j * k))%C <= mu) ->
  (forall k, (k < n)%nat -> part_errs n gamma (products_re x (w k)) (fst (y k))) ->
  (forall k, (k < n)%nat -> part_errs n gamma (products_im x (w k)) (snd (y k))) ->
  errs n (gemm_bound n mu gamma) y (dft n x).
Proof.
  intros mu_pos gamma_pos tables re im; unfold errs.
  set (s := rsum n (fun j => Cmod (x j))).
  assert (s_pos : 0 <= s) by (apply rsum_nonneg; intros; apply Cmod_ge_0).
  set (exact := fun k => csum n (fun j => x j * w k j)%C).
  assert (sums : norm n (vminus y exact) <= sqrt (INR n) * (sqrt 2 * (gamma * ((1 + mu) * s)))).
  { apply norm_le_const; [repeat apply Rmult_le_pos; try easy; [apply sqrt_pos | lra]|].
    intros k lt.
    assert (sizes : rsum n (fun j => Cmod (x j) * Cmod (w k j)) <= (1 + mu) * s).
    { unfold s; rewrite <- rsum_scale; apply rsum_le; intros j j_lt.
      rewrite Rmult_comm; apply Rmult_le_compat_r; [apply Cmod_ge_0|].
      replace (w k j) with ((w k j - root n (j * k)) + root n (j * k))%C by ring.
      eapply Rle_trans; [apply Cmod_triangle|]; rewrite root_Cmod.
      pose proof (tables k j lt j_lt); lra. }
    apply Cmod_le_square; [apply Rmult_le_pos; [easy|]; apply Rmult_le_pos; lra | |];
      unfold vminus, exact.
    - pose proof (re k lt) as part; unfold part_errs in part; rewrite sum_re in part.
      eapply Rle_trans; [exact part|]; apply Rmult_le_compat_l; [easy|].
      eapply Rle_trans; [apply sizes_re | exact sizes].
    - pose proof (im k lt) as part; unfold part_errs in part; rewrite sum_im in part.
      eapply Rle_trans; [exact part|]; apply Rmult_le_compat_l; [easy|].
      eapply Rle_trans; [apply sizes_im | exact sizes]. }
  assert (of_tables : norm n (vminus exact (dft n x)) <= sqrt (INR n) * (mu * s)).
  { apply norm_le_const; [now apply Rmult_le_pos|]; intros k lt.
    unfold vminus, exact, dft; rewrite <- csum_minus.
    eapply Rle_trans; [apply csum_Cmod|]; unfold s; rewrite <- rsum_scale; apply rsum_le.
    intros j j_lt; replace (x j * w k j - x j * root n (j * k))%C
      with ((w k j - root n (j * k)) * x j)%C by ring.
    rewrite Cmod_mult; apply Rmult_le_compat_r; [apply Cmod_ge_0 | auto]. }
  rewrite (norm_ext n _ (vplus (vminus y exact) (vminus exact (dft n x))))
    by (intros; unfold vplus, vminus; ring).
  eapply Rle_trans; [apply norm_triangle|].
  pose proof (sum_le_norm n x : s <= sqrt (INR n) * norm n x) as cauchy.
  rewrite <- norm_dft in cauchy.
  unfold gemm_bound; rewrite sqrt_mult by (lra || apply pos_INR).
  pose proof (sqrt_pos (INR n)) as root_pos; pose proof (sqrt_pos 2) as root_2_pos.
  set (size := norm n (dft n x)) in *.
  assert (sqrt (INR n) * (mu * s) <= sqrt (INR n) * (mu * size))
    by (apply Rmult_le_compat_l; [easy|]; now apply Rmult_le_compat_l).
  assert (sqrt (INR n) * (sqrt 2 * (gamma * ((1 + mu) * s))) <=
          sqrt (INR n) * (sqrt 2 * (gamma * ((1 + mu) * size)))).
  { apply Rmult_le_compat_l; [easy|]; apply Rmult_le_compat_l; [easy|].
    apply Rmult_le_compat_l; [easy|]; apply Rmult_le_compat_l; lra. }
  lra.
Qed.

(** Gamma of one sum of all 2n products, in any order, each addition rounded: products err by e_p,
    additions by e. *)
Definition one_sum_gamma (e_p e : R) (n : nat) : R := compose e_p (repeated e (2 * n - 1)).

(** A part of a result, computed in some order of additions, perhaps another for each part. *)
Definition sums_products (e_p e : R) (n : nat) (q : nat -> R) (y : R) : Prop :=
  exists p t, (forall i, Rabs (p i - q i) <= e_p * Rabs (q i)) /\ every_addition_rounds t /\
    Permutation (terms t) (List.seq 0 (n + n)) /\ computed e p t y.

Theorem dft_gemm_error n mu e_p e (w : nat -> vector) (x y : vector) :
  0 <= mu -> 0 <= e_p -> 0 <= e ->
  (forall k j, (k < n)%nat -> (j < n)%nat -> Cmod (w k j - root n (j * k))%C <= mu) ->
  (forall k, (k < n)%nat -> sums_products e_p e n (products_re x (w k)) (fst (y k))) ->
  (forall k, (k < n)%nat -> sums_products e_p e n (products_im x (w k)) (snd (y k))) ->
  errs n (gemm_bound n mu (one_sum_gamma e_p e n)) y (dft n x).
Proof.
  intros mu_pos p_pos e_pos tables re im.
  assert (part : forall q y, sums_products e_p e n q y -> part_errs n (one_sum_gamma e_p e n) q y).
  { intros q part (p & t & products & rounds & order & is_computed).
    unfold part_errs, one_sum_gamma; replace (2 * n)%nat with (n + n)%nat by lia.
    now apply (any_order_error e e_p p q t). }
  apply (gemm_error n mu (one_sum_gamma e_p e n) w x y mu_pos); auto.
  apply compose_nonneg; [easy | now apply repeated_nonneg].
Qed.

(** The same on an accumulator that sums blocks: gamma as chain_error has it. [block_lists] cuts the 2n
    products, in their order, into blocks. *)
Definition accumulates (e_p e : R) (n : nat) (sum : block_sum) (early holds : bool)
    (block_lists : list (list nat)) (q : nat -> R) (y : R) : Prop :=
  exists p, (forall i, Rabs (p i - q i) <= e_p * Rabs (q i)) /\
    computed e p (accumulate sum early holds block_lists) y.

Theorem dft_gemm_in_blocks_error n mu e_p e sum early holds block_lists
    (w : nat -> vector) (x y : vector) :
  0 <= mu -> 0 <= e_p -> 0 <= e -> valid sum -> List.Forall (fun l => l <> nil) block_lists ->
  Permutation (concat block_lists) (List.seq 0 (n + n)) ->
  (forall k j, (k < n)%nat -> (j < n)%nat -> Cmod (w k j - root n (j * k))%C <= mu) ->
  (forall k, (k < n)%nat ->
    accumulates e_p e n sum early holds block_lists (products_re x (w k)) (fst (y k))) ->
  (forall k, (k < n)%nat ->
    accumulates e_p e n sum early holds block_lists (products_im x (w k)) (snd (y k))) ->
  errs n (gemm_bound n mu (compose e_p (repeated e (block_chain sum early holds block_lists))))
    y (dft n x).
Proof.
  intros mu_pos p_pos e_pos is_valid nonempty order tables re im.
  set (gamma := compose e_p (repeated e (block_chain sum early holds block_lists))).
  assert (part : forall q y, accumulates e_p e n sum early holds block_lists q y ->
            part_errs n gamma q y).
  { intros q part (p & products & is_computed).
    now apply (accumulate_error e e_p p q sum early holds block_lists (n + n)). }
  apply (gemm_error n mu gamma w x y mu_pos); auto.
  apply compose_nonneg; [easy | now apply repeated_nonneg].
Qed.
