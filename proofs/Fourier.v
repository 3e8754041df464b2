(** The DFT of any n points, its roots of unity, and Parseval's equation. *)

From Coq Require Import Reals Lia Lra Psatz.
From Coquelicot Require Import Coquelicot.
From Fftprec Require Import Stages.

Open Scope R_scope.

(** exp(-2 pi i k/n). *)
Definition root (n k : nat) : C :=
  (cos (2 * PI * INR k / INR n), - sin (2 * PI * INR k / INR n)).

Definition dft (n : nat) (x : vector) : vector :=
  fun k => csum n (fun j => x j * root n (j * k))%C.

(** ** Roots of unity *)

Lemma root_0 n : root n 0 = 1%C.
Proof.
  unfold root; simpl INR.
  replace (2 * PI * 0 / INR n) with 0 by (unfold Rdiv; ring).
  rewrite cos_0, sin_0, Ropp_0; easy.
Qed.

Lemma root_add n j k : root n (j + k) = (root n j * root n k)%C.
Proof.
  unfold root, Cmult; simpl fst; simpl snd; rewrite plus_INR.
  replace (2 * PI * (INR j + INR k) / INR n)
    with (2 * PI * INR j / INR n + 2 * PI * INR k / INR n) by (unfold Rdiv; ring).
  rewrite cos_plus, sin_plus; f_equal; ring.
Qed.

Lemma root_Cmod n k : Cmod (root n k) = 1.
Proof.
  unfold Cmod, root; simpl fst; simpl snd.
  replace (_ + _) with 1; [apply sqrt_1|].
  set (angle := 2 * PI * INR k / INR n); pose proof (sin2_cos2 angle) as one.
  unfold Rsqr in one; simpl; lra.
Qed.

Lemma root_double m k : (0 < m)%nat -> root (m + m) (2 * k) = root m k.
Proof.
  intro pos; assert (INR m <> 0) by (apply not_0_INR; lia).
  unfold root; rewrite plus_INR, mult_INR.
  replace (2 * PI * (INR 2 * INR k) / (INR m + INR m)) with (2 * PI * INR k / INR m)
    by (simpl; field; lra); easy.
Qed.

Lemma root_half m : (0 < m)%nat -> root (m + m) m = Copp (RtoC 1).
Proof.
  intro pos; assert (INR m <> 0) by (apply not_0_INR; lia).
  unfold root; rewrite plus_INR.
  replace (2 * PI * INR m / (INR m + INR m)) with PI by (field; lra).
  rewrite cos_PI, sin_PI; apply injective_projections; simpl; ring.
Qed.

Lemma root_whole n : (0 < n)%nat -> root n n = 1%C.
Proof.
  intro pos; assert (INR n <> 0) by (apply not_0_INR; lia).
  unfold root; replace (2 * PI * INR n / INR n) with (2 * PI) by (field; lra).
  rewrite cos_2PI, sin_2PI, Ropp_0; easy.
Qed.

Lemma root_turns n j : (0 < n)%nat -> root n (j * n) = 1%C.
Proof.
  intro pos; induction j as [|j IH]; simpl; [apply root_0|].
  rewrite root_add, IH, root_whole by easy; ring.
Qed.

Lemma dft_1 x : dft 1 x O = x O.
Proof. unfold dft; simpl; rewrite root_0; ring. Qed.

Lemma dft_ext n x y k : (forall j, (j < n)%nat -> x j = y j) -> dft n x k = dft n y k.
Proof. intro same; apply csum_ext; intros j lt; now rewrite same. Qed.

Lemma dft_minus n x y k : dft n (vminus x y) k = vminus (dft n x) (dft n y) k.
Proof.
  unfold dft, vminus; rewrite <- csum_minus; apply csum_ext; intros; ring.
Qed.

(** ** Parseval *)

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

(** The DFT is a unitary map times sqrt(n). *)
Lemma stage_dft n : stage n (sqrt (INR n)) (dft n).
Proof. split; [apply sqrt_pos | intros; apply dft_minus | apply norm_dft]. Qed.
