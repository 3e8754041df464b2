(** Stages: linear maps that scale the 2-norm, and how the errors of computed stages add up.

    A vector is a function of an index of which the first n values count. [errs n b y t] says that y,
    computed, is off by at most b ||t|| from t; [close] has an absolute error as well. The rules are
    those of algorithms/theory: [compose] for stages in series, the larger for parts side by side,
    [repeated] for equal stages. *)

From Coq Require Import Reals Lia Lra Psatz.
From Coquelicot Require Import Coquelicot.
From Fftprec Require Export Moduli.

Open Scope R_scope.

(** ** Errors *)

(** (1 + a)(1 + b) - 1, as error_bound.hpp forms it. *)
Definition compose (a b : R) : R := a + b + a * b.

Lemma compose_product a b : 1 + compose a b = (1 + a) * (1 + b).
Proof. unfold compose; ring. Qed.

Lemma compose_comm a b : compose a b = compose b a.
Proof. unfold compose; ring. Qed.

Lemma compose_assoc a b c : compose a (compose b c) = compose (compose a b) c.
Proof. unfold compose; ring. Qed.

Lemma compose_0_l a : compose 0 a = a.
Proof. unfold compose; ring. Qed.

Lemma compose_0_r a : compose a 0 = a.
Proof. unfold compose; ring. Qed.

Lemma compose_nonneg a b : 0 <= a -> 0 <= b -> 0 <= compose a b.
Proof. unfold compose; nra. Qed.

Lemma compose_le a b c d : 0 <= a <= b -> 0 <= c <= d -> compose a c <= compose b d.
Proof. unfold compose; intros [? ?] [? ?]; nra. Qed.

(** [repeated e k] is the error of k stages in series that err by e. *)
Fixpoint repeated (e : R) (k : nat) : R :=
  match k with O => 0 | S k => compose (repeated e k) e end.

Lemma repeated_power e k : repeated e k = (1 + e) ^ k - 1.
Proof. induction k as [|k IH]; simpl; [ring | rewrite IH; unfold compose; ring]. Qed.

Lemma repeated_nonneg e k : 0 <= e -> 0 <= repeated e k.
Proof. intro; induction k; simpl; [lra | now apply compose_nonneg]. Qed.

Lemma repeated_add e j k : repeated e (j + k) = compose (repeated e j) (repeated e k).
Proof. rewrite !repeated_power; unfold compose; rewrite pow_add; ring. Qed.

Lemma repeated_le e j k : 0 <= e -> (j <= k)%nat -> repeated e j <= repeated e k.
Proof.
  intros e_pos le; replace k with (j + (k - j))%nat by lia; rewrite repeated_add; unfold compose.
  pose proof (repeated_nonneg e j e_pos); pose proof (repeated_nonneg e (k - j) e_pos); nra.
Qed.

(** ** Finite sums *)

Fixpoint rsum (n : nat) (f : nat -> R) : R :=
  match n with O => 0 | S m => rsum m f + f m end.

Fixpoint csum (n : nat) (f : nat -> C) : C :=
  match n with O => 0%C | S m => (csum m f + f m)%C end.

(** By induction on the number of terms; the same steps for real and for complex terms. *)
Ltac by_terms n := induction n as [|n IH]; simpl; [try ring | rewrite ?IH; ring].
Ltac by_equal_terms n := induction n as [|n IH]; intro; simpl; [easy | f_equal; auto with arith].
Ltac by_parts_of_sum n :=
  induction n as [|n IH]; simpl;
  [rewrite Nat.add_0_r; ring | rewrite <- plus_n_Sm; simpl; rewrite IH; ring].
Ltac by_pairs_of_terms m :=
  induction m as [|m IH]; [simpl; ring|];
  replace (S m + S m)%nat with (S (S (m + m))) by lia; cbn [rsum csum]; rewrite IH;
  replace (2 * m)%nat with (m + m)%nat by lia; replace (m + m + 1)%nat with (S (m + m)) by lia; ring.

Lemma rsum_ext n f g : (forall j, (j < n)%nat -> f j = g j) -> rsum n f = rsum n g.
Proof. by_equal_terms n. Qed.

Lemma rsum_le n f g : (forall j, (j < n)%nat -> f j <= g j) -> rsum n f <= rsum n g.
Proof. intro le; induction n as [|n IH]; simpl; [lra | apply Rplus_le_compat; auto with arith]. Qed.

Lemma rsum_const n a : rsum n (fun _ => a) = INR n * a.
Proof. induction n as [|n IH]; [simpl; ring | rewrite S_INR; simpl; rewrite IH; ring]. Qed.

Lemma rsum_nonneg n f : (forall j, (j < n)%nat -> 0 <= f j) -> 0 <= rsum n f.
Proof. intro pos; rewrite <- (Rmult_0_r (INR n)), <- rsum_const; now apply rsum_le. Qed.

Lemma rsum_scale n a f : rsum n (fun j => a * f j) = a * rsum n f.
Proof. by_terms n. Qed.

Lemma rsum_plus n f g : rsum n (fun j => f j + g j) = rsum n f + rsum n g.
Proof. by_terms n. Qed.

Lemma rsum_minus n f g : rsum n (fun j => f j - g j) = rsum n f - rsum n g.
Proof. by_terms n. Qed.

Lemma rsum_Rabs n f : Rabs (rsum n f) <= rsum n (fun j => Rabs (f j)).
Proof.
  induction n as [|n IH]; simpl; [rewrite Rabs_R0; lra|].
  eapply Rle_trans; [apply Rabs_triang | lra].
Qed.

Lemma rsum_app m n f : rsum (m + n) f = rsum m f + rsum n (fun j => f (m + j)%nat).
Proof. by_parts_of_sum n. Qed.

(** Places are even or odd. *)
Lemma at_even i : Nat.even (2 * i) = true /\ Nat.div2 (2 * i) = i.
Proof. split; [apply Nat.even_spec; now exists i | apply Nat.div2_double]. Qed.

Lemma at_odd i : Nat.even (2 * i + 1) = false /\ Nat.div2 (2 * i + 1) = i.
Proof.
  split; [|now rewrite Nat.add_1_r, Nat.div2_succ_double].
  rewrite <- Nat.negb_odd; replace (Nat.odd (2 * i + 1)) with true; [easy|].
  symmetry; apply Nat.odd_spec; now exists i.
Qed.

(** Even places, then odd ones. *)
Lemma rsum_parity m f :
  rsum (m + m) f = rsum m (fun j => f (2 * j)%nat) + rsum m (fun j => f (2 * j + 1)%nat).
Proof. by_pairs_of_terms m. Qed.

Lemma csum_ext n f g : (forall j, (j < n)%nat -> f j = g j) -> csum n f = csum n g.
Proof. by_equal_terms n. Qed.

Lemma csum_plus n f g : csum n (fun j => f j + g j)%C = (csum n f + csum n g)%C.
Proof. by_terms n. Qed.

Lemma csum_minus n f g : csum n (fun j => f j - g j)%C = (csum n f - csum n g)%C.
Proof. by_terms n. Qed.

Lemma csum_scale n (a : C) f : csum n (fun j => a * f j)%C = (a * csum n f)%C.
Proof. by_terms n. Qed.

Lemma csum_app m n f : csum (m + n) f = (csum m f + csum n (fun j => f (m + j)%nat))%C.
Proof. by_parts_of_sum n. Qed.

Lemma csum_parity m f :
  csum (m + m) f = (csum m (fun j => f (2 * j)%nat) + csum m (fun j => f (2 * j + 1)%nat))%C.
Proof. by_pairs_of_terms m. Qed.

Lemma csum_Cmod n f : Cmod (csum n f) <= rsum n (fun j => Cmod (f j)).
Proof.
  induction n as [|n IH]; simpl; [rewrite Cmod_0; lra|].
  eapply Rle_trans; [apply Cmod_triangle | lra].
Qed.

(** ** The 2-norm *)

Definition vector := nat -> C.

Definition vminus (x y : vector) : vector := fun j => (x j - y j)%C.
Definition vplus (x y : vector) : vector := fun j => (x j + y j)%C.

Definition energy (n : nat) (x : vector) : R := rsum n (fun j => Cmod (x j) ^ 2).
Definition norm (n : nat) (x : vector) : R := sqrt (energy n x).

Lemma energy_nonneg n x : 0 <= energy n x.
Proof. apply rsum_nonneg; intros; apply pow2_ge_0. Qed.

Lemma norm_nonneg n x : 0 <= norm n x.
Proof. apply sqrt_pos. Qed.

Lemma norm_square n x : norm n x ^ 2 = energy n x.
Proof. unfold norm; simpl; rewrite Rmult_1_r; apply sqrt_sqrt, energy_nonneg. Qed.

Lemma energy_ext n x y : (forall j, (j < n)%nat -> x j = y j) -> energy n x = energy n y.
Proof. intro same; apply rsum_ext; intros; now rewrite same. Qed.

Lemma norm_ext n x y : (forall j, (j < n)%nat -> x j = y j) -> norm n x = norm n y.
Proof. intro same; unfold norm; now rewrite (energy_ext n x y). Qed.

(** A norm is at most b times another one if its square is at most b^2 times the other's. *)
Lemma norm_le_of_energy n m b x y :
  0 <= b -> energy n x <= b ^ 2 * energy m y -> norm n x <= b * norm m y.
Proof.
  intros b_pos le; apply Rsqr_incr_0_var.
  - rewrite !Rsqr_pow2, Rpow_mult_distr, !norm_square; exact le.
  - apply Rmult_le_pos; [easy | apply norm_nonneg].
Qed.

Lemma energy_le_of_norm n m b x y :
  0 <= b -> norm n x <= b * norm m y -> energy n x <= b ^ 2 * energy m y.
Proof.
  intros b_pos le; rewrite <- !norm_square, <- Rpow_mult_distr.
  apply pow_incr; split; [apply norm_nonneg | easy].
Qed.

(** Elements that are off by a share of their own modulus. *)
Lemma norm_le_elements n b (x y : vector) :
  0 <= b -> (forall j, (j < n)%nat -> Cmod (x j) <= b * Cmod (y j)) -> norm n x <= b * norm n y.
Proof.
  intros b_pos le; apply norm_le_of_energy; [easy|].
  unfold energy; rewrite <- rsum_scale; apply rsum_le; intros j lt.
  rewrite <- Rpow_mult_distr; apply pow_incr; split; [apply Cmod_ge_0 | auto].
Qed.

Lemma minkowski_2 a b c d : 0 <= a -> 0 <= b -> 0 <= c -> 0 <= d ->
  sqrt ((a + c) ^ 2 + (b + d) ^ 2) <= sqrt (a ^ 2 + b ^ 2) + sqrt (c ^ 2 + d ^ 2).
Proof.
  intros; apply Rsqr_incr_0_var; [| apply Rplus_le_le_0_compat; apply sqrt_pos].
  assert (0 <= a ^ 2 + b ^ 2) by nra; assert (0 <= c ^ 2 + d ^ 2) by nra.
  rewrite Rsqr_sqrt by (apply Rplus_le_le_0_compat; apply pow2_ge_0).
  rewrite Rsqr_plus, !Rsqr_sqrt by easy.
  assert (a * c + b * d <= sqrt (a ^ 2 + b ^ 2) * sqrt (c ^ 2 + d ^ 2)); [|nra].
  rewrite <- sqrt_mult by easy; apply Rsqr_incr_0_var; [|apply sqrt_pos].
  rewrite Rsqr_sqrt by (apply Rmult_le_pos; easy); unfold Rsqr.
  pose proof (pow2_ge_0 (a * d - b * c)); nra.
Qed.

Lemma norm_S n x : norm (S n) x = sqrt (norm n x ^ 2 + Cmod (x n) ^ 2).
Proof. now rewrite norm_square. Qed.

Theorem norm_triangle n x y : norm n (vplus x y) <= norm n x + norm n y.
Proof.
  induction n as [|n IH]; [unfold norm, energy; simpl; rewrite sqrt_0; lra|].
  rewrite !norm_S; eapply Rle_trans; [|apply minkowski_2; auto using norm_nonneg, Cmod_ge_0].
  apply sqrt_le_1_alt, Rplus_le_compat; apply pow_incr; split; auto using norm_nonneg, Cmod_ge_0.
  apply Cmod_triangle.
Qed.

Lemma norm_triangle_minus n x y : norm n x <= norm n (vminus x y) + norm n y.
Proof.
  eapply Rle_trans; [|apply norm_triangle].
  right; apply norm_ext; intros; unfold vplus, vminus; ring.
Qed.

(** Cauchy's inequality, with one of the vectors all ones: sum |x_j| <= sqrt(n) ||x||. *)
Lemma sum_le_norm n x : rsum n (fun j => Cmod (x j)) <= sqrt (INR n) * norm n x.
Proof.
  unfold norm; rewrite <- sqrt_mult by (apply pos_INR || apply energy_nonneg).
  apply Rsqr_incr_0_var; [|apply sqrt_pos].
  rewrite Rsqr_sqrt by (apply Rmult_le_pos; [apply pos_INR | apply energy_nonneg]).
  unfold energy; induction n as [|n IH]; [simpl; unfold Rsqr; lra|].
  rewrite S_INR; cbn [rsum]; set (s := rsum n (fun j => Cmod (x j))) in *.
  set (e := rsum n (fun j => Cmod (x j) ^ 2)) in *.
  set (a := Cmod (x n)).
  assert (s_le : Rsqr s <= INR n * e) by exact IH.
  assert (e_pos : 0 <= e) by (apply energy_nonneg).
  pose proof (pos_INR n) as n_pos.
  rewrite Rsqr_plus.
  enough (2 * s * a <= e + INR n * a ^ 2) by (unfold Rsqr in *; nra).
  destruct (Req_dec (INR n) 0) as [zero|nonzero].
  - assert (s = 0) by (rewrite zero in s_le; unfold Rsqr in s_le; nra). nra.
  - assert (0 < INR n) by lra.
    assert (0 <= INR n * (e + INR n * a ^ 2 - 2 * s * a)); [|nra].
    unfold Rsqr in s_le.
    replace (INR n * (e + INR n * a ^ 2 - 2 * s * a))
      with ((INR n * e - s * s) + (s - INR n * a) ^ 2) by ring.
    pose proof (pow2_ge_0 (s - INR n * a)); lra.
Qed.

Lemma norm_le_const n x c : 0 <= c -> (forall k, (k < n)%nat -> Cmod (x k) <= c) ->
  norm n x <= sqrt (INR n) * c.
Proof.
  intros pos le; unfold norm.
  replace (sqrt (INR n) * c) with (sqrt (INR n * c ^ 2)).
  - apply sqrt_le_1_alt; rewrite <- rsum_const; apply rsum_le; intros k lt.
    apply pow_incr; split; [apply Cmod_ge_0 | auto].
  - rewrite sqrt_mult by (apply pos_INR || apply pow2_ge_0); now rewrite sqrt_pow2.
Qed.

(** ** Stages *)

(** y, computed, is off from t by at most a share b of it. *)
Definition errs (n : nat) (b : R) (y t : vector) : Prop := norm n (vminus y t) <= b * norm n t.

(** y is off from t by at most b ||t|| and, in the root mean square of its n elements, h. *)
Definition close (n : nat) (b h : R) (y t : vector) : Prop :=
  norm n (vminus y t) <= b * norm n t + sqrt (INR n) * h.

Lemma errs_close n b y t : errs n b y t <-> close n b 0 y t.
Proof. unfold errs, close; rewrite Rmult_0_r, Rplus_0_r; easy. Qed.

(** A linear map that multiplies the norm by s. *)
Record stage (n : nat) (s : R) (A : vector -> vector) : Prop := {
  stage_scale : 0 <= s;
  stage_minus : forall x y j, (j < n)%nat -> A (vminus x y) j = vminus (A x) (A y) j;
  stage_norm : forall x, norm n (A x) = s * norm n x
}.

Arguments stage_scale {n s A}.
Arguments stage_minus {n s A}.
Arguments stage_norm {n s A}.

Lemma close_ext n b h (y y' t t' : vector) :
  (forall j, (j < n)%nat -> y j = y' j) -> (forall j, (j < n)%nat -> t j = t' j) ->
  close n b h y t -> close n b h y' t'.
Proof.
  intros same_y same_t; unfold close.
  rewrite (norm_ext n (vminus y t) (vminus y' t')), (norm_ext n t t'); auto.
  intros j lt; unfold vminus; now rewrite same_y, same_t.
Qed.

(** Elements that err by b of themselves and by h. *)
Lemma close_elements m b h (y t : vector) : 0 <= b -> 0 <= h ->
  (forall j, (j < m)%nat -> Cmod (y j - t j)%C <= b * Cmod (t j) + h) -> close m b h y t.
Proof.
  intros b_pos h_pos le; unfold close.
  set (bound := vplus (fun j => RtoC (b * Cmod (t j))) (fun _ => RtoC h)).
  assert (pos : forall j, 0 <= b * Cmod (t j)) by (intro; apply Rmult_le_pos; [easy | apply Cmod_ge_0]).
  assert (first : norm m (vminus y t) <= 1 * norm m bound).
  { apply norm_le_elements; [lra|]; intros j lt; rewrite Rmult_1_l; unfold bound, vplus, vminus.
    rewrite <- RtoC_plus, Cmod_R, Rabs_pos_eq; [auto | pose proof (pos j); lra]. }
  eapply Rle_trans; [exact first|]; rewrite Rmult_1_l.
  eapply Rle_trans; [apply norm_triangle|]; apply Rplus_le_compat.
  - apply norm_le_elements; [easy|]; intros j _; rewrite Cmod_R, Rabs_pos_eq; [lra | apply pos].
  - apply norm_le_const; [easy|]; intros; rewrite Cmod_R, Rabs_pos_eq; [lra | easy].
Qed.

Lemma errs_weaken n b c y t : b <= c -> errs n b y t -> errs n c y t.
Proof.
  unfold errs; intros le err; eapply Rle_trans; [exact err|].
  apply Rmult_le_compat_r; [apply norm_nonneg | easy].
Qed.

Lemma errs_same n (t : vector) : errs n 0 t t.
Proof.
  apply norm_le_elements; [lra|]; intros j _; unfold vminus.
  replace (t j - t j)%C with (RtoC 0) by ring; rewrite Cmod_0; lra.
Qed.

Lemma stage_id n : stage n 1 (fun x => x).
Proof. split; [lra | easy | intros; ring]. Qed.

Lemma stage_of_energy n s A :
  0 <= s ->
  (forall x y j, (j < n)%nat -> A (vminus x y) j = vminus (A x) (A y) j) ->
  (forall x, energy n (A x) = s ^ 2 * energy n x) -> stage n s A.
Proof.
  intros pos minus size; split; [easy | easy |]; intro x.
  unfold norm; rewrite size, sqrt_mult by (apply pow2_ge_0 || apply energy_nonneg).
  now rewrite sqrt_pow2.
Qed.

Lemma stage_energy {n s A} : stage n s A -> forall x, energy n (A x) = s ^ 2 * energy n x.
Proof. intros is_stage x; rewrite <- !norm_square, (stage_norm is_stage); ring. Qed.

(** Stages in series: the second one carries both errors of the first as it carries the data. *)
Theorem close_compose n s B b1 h1 b2 h2 y1 t1 y2 :
  stage n s B -> 0 <= b2 ->
  close n b1 h1 y1 t1 -> close n b2 h2 y2 (B y1) ->
  close n (compose b1 b2) (h1 * s * (1 + b2) + h2) y2 (B t1).
Proof.
  intros of_B b2_pos err1 err2; unfold close in *.
  set (root := sqrt (INR n)) in *; pose proof (sqrt_pos (INR n) : 0 <= root) as root_pos.
  pose proof (stage_scale of_B) as s_pos.
  assert (carried : norm n (vminus (B y1) (B t1)) <= b1 * norm n (B t1) + root * (h1 * s)).
  { rewrite (norm_ext n _ (B (vminus y1 t1))) by (intros; symmetry; now apply (stage_minus of_B)).
    rewrite !(stage_norm of_B).
    assert (s * norm n (vminus y1 t1) <= s * (b1 * norm n t1 + root * h1))
      by now apply Rmult_le_compat_l.
    lra. }
  assert (size : norm n (B y1) <= (1 + b1) * norm n (B t1) + root * (h1 * s)).
  { eapply Rle_trans; [apply (norm_triangle_minus n (B y1) (B t1)) | lra]. }
  rewrite (norm_ext n _ (vplus (vminus y2 (B y1)) (vminus (B y1) (B t1))))
    by (intros; unfold vplus, vminus; ring).
  eapply Rle_trans; [apply norm_triangle|].
  assert (b2 * norm n (B y1) <= b2 * ((1 + b1) * norm n (B t1) + root * (h1 * s)))
    by now apply Rmult_le_compat_l.
  unfold compose; lra.
Qed.

Theorem stages_compose n s B b1 b2 y1 t1 y2 :
  stage n s B -> 0 <= b2 ->
  errs n b1 y1 t1 -> errs n b2 y2 (B y1) -> errs n (compose b1 b2) y2 (B t1).
Proof.
  rewrite !errs_close; intros of_B b2_pos err1 err2.
  replace 0 with (0 * s * (1 + b2) + 0) by ring; now apply (close_compose n s B b1 0 b2 0 y1).
Qed.

(** Vectors end to end: the first m elements of a, then b. *)
Definition cat (m : nat) (a b : vector) : vector :=
  fun k => if Nat.ltb k m then a k else b (k - m)%nat.

Lemma cat_first m a b j : (j < m)%nat -> cat m a b j = a j.
Proof. intro lt; unfold cat; now rewrite (proj2 (Nat.ltb_lt j m) lt). Qed.

Lemma cat_second m a b j : cat m a b (m + j)%nat = b j.
Proof.
  unfold cat; rewrite (proj2 (Nat.ltb_ge (m + j) m)) by lia; f_equal; lia.
Qed.

Lemma energy_app m n x : energy (m + n) x = energy m x + energy n (fun j => x (m + j)%nat).
Proof. apply rsum_app. Qed.

Lemma energy_parity m x :
  energy (m + m) x = energy m (fun j => x (2 * j)%nat) + energy m (fun j => x (2 * j + 1)%nat).
Proof. apply (rsum_parity m (fun j => Cmod (x j) ^ 2)). Qed.

Lemma energy_cat m n a b : energy (m + n) (cat m a b) = energy m a + energy n b.
Proof.
  rewrite energy_app; f_equal; apply energy_ext; intros.
  - now apply cat_first.
  - apply cat_second.
Qed.

Lemma forall_halves (m n : nat) (P : nat -> Prop) :
  (forall j, (j < m)%nat -> P j) -> (forall j, (j < n)%nat -> P (m + j)%nat) ->
  forall j, (j < m + n)%nat -> P j.
Proof.
  intros first second j lt; destruct (Nat.lt_ge_cases j m) as [?|ge]; [auto|].
  replace j with (m + (j - m))%nat by lia; apply second; lia.
Qed.

(** Looks at the elements of the first half, and of the second. *)
Ltac by_halves :=
  apply forall_halves; intros ? ?;
  repeat (rewrite cat_second || rewrite cat_first by assumption).

Lemma vminus_cat m n y1 y2 t1 t2 j : (j < m + n)%nat ->
  vminus (cat m y1 y2) (cat m t1 t2) j = cat m (vminus y1 t1) (vminus y2 t2) j.
Proof. revert j; by_halves; unfold vminus; [now rewrite !cat_first | now rewrite !cat_second]. Qed.

Lemma norm_cat m n a b : norm (m + n) (cat m a b) = sqrt (norm m a ^ 2 + norm n b ^ 2).
Proof. unfold norm at 1; now rewrite energy_cat, !norm_square. Qed.

(** Parts side by side that err by b and h: so do they together. *)
Lemma close_parts m n b h y1 t1 y2 t2 : 0 <= b -> 0 <= h ->
  close m b h y1 t1 -> close n b h y2 t2 -> close (m + n) b h (cat m y1 y2) (cat m t1 t2).
Proof.
  intros b_pos h_pos err1 err2; unfold close in *.
  pose proof (sqrt_pos (INR m)); pose proof (sqrt_pos (INR n)).
  rewrite (norm_ext (m + n) _ _ (vminus_cat m n y1 y2 t1 t2)), !norm_cat.
  eapply Rle_trans with (sqrt ((b * norm m t1 + sqrt (INR m) * h) ^ 2 +
                               (b * norm n t2 + sqrt (INR n) * h) ^ 2)).
  { apply sqrt_le_1_alt, Rplus_le_compat; apply pow_incr; split; auto using norm_nonneg. }
  assert (scaled : forall k x y, 0 <= k -> sqrt ((k * x) ^ 2 + (k * y) ^ 2) = k * sqrt (x ^ 2 + y ^ 2)).
  { intros k x y pos; replace ((k * x) ^ 2 + (k * y) ^ 2) with (k ^ 2 * (x ^ 2 + y ^ 2)) by ring.
    now rewrite sqrt_mult_alt, sqrt_pow2 by (easy || apply pow2_ge_0). }
  eapply Rle_trans; [apply minkowski_2; apply Rmult_le_pos; auto using norm_nonneg|].
  rewrite (Rmult_comm (sqrt (INR m))), (Rmult_comm (sqrt (INR n))), !scaled by easy.
  rewrite !pow2_sqrt by apply pos_INR; rewrite <- plus_INR; lra.
Qed.

(** Parts side by side: the larger error counts. *)
Theorem parts_mix m n b1 b2 y1 t1 y2 t2 :
  0 <= b1 -> 0 <= b2 -> errs m b1 y1 t1 -> errs n b2 y2 t2 ->
  errs (m + n) (Rmax b1 b2) (cat m y1 y2) (cat m t1 t2).
Proof.
  intros b1_pos b2_pos err1 err2; pose proof (Rmax_l b1 b2) as le1; pose proof (Rmax_r b1 b2) as le2.
  apply (errs_weaken _ _ _ _ _ le1) in err1; apply (errs_weaken _ _ _ _ _ le2) in err2.
  rewrite errs_close in *; apply close_parts; lra || easy.
Qed.

(** Many stages in series, of errors e_0, e_1, ...: prod (1 + e_i) - 1. *)
Fixpoint in_series (e : nat -> R) (k : nat) : R :=
  match k with O => 0 | S k => compose (in_series e k) (e k) end.

Theorem stages_in_series n s (A : nat -> vector -> vector) (e : nat -> R) (y : nat -> vector) k :
  (forall i, (i < k)%nat -> stage n (s i) (A i)) ->
  (forall i, (i < k)%nat -> 0 <= e i) ->
  (forall i, (i < k)%nat -> errs n (e i) (y (S i)) (A i (y i))) ->
  errs n (in_series e k) (y k) (nat_rect (fun _ => vector) (y O) A k).
Proof.
  induction k as [|k IH]; intros stages pos errors; simpl; [apply errs_same|].
  apply (stages_compose n (s k) (A k) (in_series e k) (e k) (y k)); auto with arith.
Qed.

(** Equal ones: (1 + e)^k - 1. *)
Theorem stages_repeated n s (A : nat -> vector -> vector) e (y : nat -> vector) k :
  (forall i, (i < k)%nat -> stage n (s i) (A i)) -> 0 <= e ->
  (forall i, (i < k)%nat -> errs n e (y (S i)) (A i (y i))) ->
  errs n ((1 + e) ^ k - 1) (y k) (nat_rect (fun _ => vector) (y O) A k).
Proof.
  intros stages pos errors.
  replace ((1 + e) ^ k - 1) with (in_series (fun _ => e) k).
  - now apply (stages_in_series n s).
  - rewrite <- repeated_power; induction k as [|k IH]; simpl; [easy|].
    rewrite IH; auto with arith.
Qed.
