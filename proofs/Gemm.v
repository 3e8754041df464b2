(** dft-gemm: the DFT of n points, any n, as one product with a matrix. *)

From Coq Require Import Reals Lia Lra Psatz List Permutation.
From Coquelicot Require Import Coquelicot.
From Fftprec Require Import Stages Fourier Sums Blocks.

Open Scope R_scope.

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
