(** Radix 2 with gradual underflow: products err by an absolute part, too, sums do not. *)

From Coq Require Import Reals Lia Lra Psatz.
From Coquelicot Require Import Coquelicot.
From Fftprec Require Import Stages Fft.

Open Scope R_scope.

(** ** Stages with absolute errors

    y is off from t by at most b ||t|| and, in the root mean square of its n elements, h. *)
Definition close (n : nat) (b h : R) (y t : vector) : Prop :=
  norm n (vminus y t) <= b * norm n t + sqrt (INR n) * h.

Lemma close_ext n b h (y y' t t' : vector) :
  (forall j, (j < n)%nat -> y j = y' j) -> (forall j, (j < n)%nat -> t j = t' j) ->
  close n b h y t -> close n b h y' t'.
Proof.
  intros same_y same_t; unfold close.
  rewrite (norm_ext n (vminus y t) (vminus y' t')), (norm_ext n t t'); auto.
  intros j lt; unfold vminus; now rewrite same_y, same_t.
Qed.

Lemma close_of_errs n b y t : errs n b y t -> close n b 0 y t.
Proof. unfold errs, close; lra. Qed.

(** Stages in series: the second carries the absolute error of the first as it carries the data. *)
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

Lemma norm_cat m a b : norm (m + m) (cat m a b) = sqrt (norm m a ^ 2 + norm m b ^ 2).
Proof. unfold norm at 1; now rewrite energy_cat, !norm_square. Qed.

Lemma root_of_twice m : sqrt (INR (m + m)) = sqrt 2 * sqrt (INR m).
Proof.
  rewrite <- sqrt_mult by (lra || apply pos_INR); f_equal; rewrite plus_INR; ring.
Qed.

(** Both halves. *)
Lemma close_halves m b h y1 t1 y2 t2 : 0 <= b -> 0 <= h ->
  close m b h y1 t1 -> close m b h y2 t2 -> close (m + m) b h (cat m y1 y2) (cat m t1 t2).
Proof.
  intros b_pos h_pos err1 err2; unfold close in *.
  pose proof (sqrt_pos (INR m)) as root_pos.
  rewrite (norm_ext (m + m) _ (cat m (vminus y1 t1) (vminus y2 t2))).
  - rewrite !norm_cat, root_of_twice.
    eapply Rle_trans with (sqrt ((b * norm m t1 + sqrt (INR m) * h) ^ 2 +
                                 (b * norm m t2 + sqrt (INR m) * h) ^ 2)).
    + apply sqrt_le_1_alt, Rplus_le_compat; apply pow_incr; split; auto using norm_nonneg.
    + eapply Rle_trans; [apply minkowski_2; apply Rmult_le_pos; auto using norm_nonneg|].
      apply Rplus_le_compat; right.
      * replace ((b * norm m t1) ^ 2 + (b * norm m t2) ^ 2)
          with (b ^ 2 * (norm m t1 ^ 2 + norm m t2 ^ 2)) by ring.
        rewrite sqrt_mult, sqrt_pow2 by (try apply pow2_ge_0; try easy;
          apply Rplus_le_le_0_compat; apply pow2_ge_0); easy.
      * replace ((sqrt (INR m) * h) ^ 2 + (sqrt (INR m) * h) ^ 2)
          with (2 * (sqrt (INR m) * h) ^ 2) by ring.
        rewrite sqrt_mult, sqrt_pow2 by (lra || apply pow2_ge_0 || now apply Rmult_le_pos); ring.
  - apply forall_halves; intros; unfold vminus.
    + now rewrite !cat_first.
    + now rewrite !cat_second.
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
  - right; unfold norm, energy.
    rewrite (rsum_ext m _ (fun _ => h ^ 2)) by (intros; now rewrite Cmod_R, Rabs_pos_eq).
    rewrite rsum_const, sqrt_mult by (apply pos_INR || apply pow2_ge_0); now rewrite sqrt_pow2.
Qed.

(** The same in the second half alone; there is no error in the first. *)
Lemma close_second_half m b h (y1 y2 t2 : vector) : 0 <= b -> 0 <= h ->
  (forall j, (j < m)%nat -> Cmod (y2 j - t2 j)%C <= b * Cmod (t2 j) + h) ->
  close (m + m) b (h / sqrt 2) (cat m y1 y2) (cat m y1 t2).
Proof.
  intros b_pos h_pos le; pose proof (close_elements m b h y2 t2 b_pos h_pos le) as second.
  unfold close in *.
  assert (root_2 : 0 < sqrt 2) by (apply sqrt_lt_R0; lra).
  rewrite root_of_twice; replace (sqrt 2 * sqrt (INR m) * (h / sqrt 2)) with (sqrt (INR m) * h)
    by (field; lra).
  rewrite (norm_ext (m + m) _ (cat m (fun _ => RtoC 0) (vminus y2 t2))).
  - rewrite !norm_cat.
    replace (norm m (fun _ => RtoC 0)) with 0.
    + replace (0 ^ 2 + norm m (vminus y2 t2) ^ 2) with (norm m (vminus y2 t2) ^ 2) by ring.
      rewrite sqrt_pow2 by apply norm_nonneg.
      eapply Rle_trans; [exact second|]; apply Rplus_le_compat_r, Rmult_le_compat_l; [easy|].
      rewrite <- (sqrt_pow2 (norm m t2)) at 1 by apply norm_nonneg.
      apply sqrt_le_1_alt; pose proof (pow2_ge_0 (norm m y1)); lra.
    + unfold norm, energy; rewrite (rsum_ext m _ (fun _ => 0)).
      * rewrite rsum_const, Rmult_0_r, sqrt_0; easy.
      * intros; rewrite Cmod_0; ring.
  - apply forall_halves; intros j lt; unfold vminus.
    + rewrite !cat_first by easy; ring.
    + now rewrite !cat_second.
Qed.

(** ** Radix 2 *)

(** As [arithmetic] in Fft.v, with an absolute part eta in products. *)
Record arithmetic_below := {
  stored : C -> Prop;
  add : C -> C -> C;
  sub : C -> C -> C;
  mul : C -> C -> C;
  u : R;
  rho : R;
  eta : R;
  u_pos : 0 <= u;
  rho_pos : 0 <= rho;
  eta_pos : 0 <= eta;
  add_stored : forall x y, stored x -> stored y -> stored (add x y);
  sub_stored : forall x y, stored x -> stored y -> stored (sub x y);
  mul_stored : forall w x, stored w -> stored x -> stored (mul w x);
  add_error : forall x y, stored x -> stored y ->
    Cmod (add x y - (x + y))%C <= u * Cmod (x + y)%C;
  sub_error : forall x y, stored x -> stored y ->
    Cmod (sub x y - (x - y))%C <= u * Cmod (x - y)%C;
  mul_error : forall w x, stored w -> stored x ->
    Cmod (mul w x - w * x)%C <= rho * Cmod (w * x)%C + eta;
  mul_one : forall x, stored x -> mul (RtoC 1) x = x;
  mul_minus_i : forall x, stored x -> mul (0, -1) x = ((0, -1) * x)%C
}.

Section Errors.

Variables (a : arithmetic_below) (mu : R) (entry : nat -> nat -> C).
Hypothesis mu_pos : 0 <= mu.
Hypothesis entry_stored : forall t j, (j < len t)%nat -> stored a (entry t j).
Hypothesis entry_error : forall t j, (j < len t)%nat -> Cmod (entry t j - factor t j)%C <= mu.
Hypothesis entry_trivial : forall t j, (t < 2)%nat -> (j < len t)%nat -> entry t j = factor t j.

Definition computed_dit := dit (add a) (sub a) (mul a) entry.
Definition computed_dif := dif (add a) (sub a) (mul a) entry.

Notation B := (radix2_bound mu (rho a) (u a)).
Notation g := (product_bound mu (rho a)).

(** Absolute errors of the products of a stage. *)
Definition small (t : nat) : R := if Nat.ltb t 2 then 0 else eta a.

(** In time, as ErrorModel::compose forms `absolute_bound`: RMS errors of the elements. *)
Fixpoint absolute_in_time (t : nat) : R :=
  match t with
  | O => 0
  | S t => (absolute_in_time t * 1 * (1 + g t) + small t / sqrt 2) * sqrt 2 * (1 + u a) + 0
  end.

(** In frequency the first products, of the longest table, grow in all later stages. *)
Fixpoint absolute_in_frequency (t : nat) : R :=
  match t with
  | O => 0
  | S t => (0 * 1 * (1 + g t) + small t / sqrt 2) * sqrt (INR (len t)) * (1 + B t) +
           absolute_in_frequency t
  end.

Lemma small_pos t : 0 <= small t.
Proof. unfold small; destruct (t <? 2)%nat; [lra | apply eta_pos]. Qed.

Lemma g_pos t : 0 <= g t.
Proof. apply product_bound_nonneg; [exact mu_pos | apply rho_pos]. Qed.

Lemma B_pos t : 0 <= B t.
Proof. apply radix2_bound_nonneg; [exact mu_pos | apply rho_pos | apply u_pos]. Qed.

Lemma root_2_pos : 0 < sqrt 2.
Proof. apply sqrt_lt_R0; lra. Qed.

Lemma small_share_pos t : 0 <= small t / sqrt 2.
Proof.
  pose proof root_2_pos; apply Rmult_le_pos; [apply small_pos|]; left; now apply Rinv_0_lt_compat.
Qed.

Lemma in_time_pos t : 0 <= absolute_in_time t.
Proof.
  induction t as [|t IH]; simpl; [lra|].
  pose proof (g_pos t); pose proof (small_share_pos t); pose proof (u_pos a); pose proof root_2_pos.
  rewrite Rplus_0_r; repeat apply Rmult_le_pos; try lra.
  apply Rplus_le_le_0_compat; [apply Rmult_le_pos; lra | easy].
Qed.

Lemma in_frequency_pos t : 0 <= absolute_in_frequency t.
Proof.
  induction t as [|t IH]; cbn [absolute_in_frequency]; [lra|].
  pose proof (small_share_pos t); pose proof (B_pos t).
  apply Rplus_le_le_0_compat; [|easy]; repeat apply Rmult_le_pos; try lra; apply sqrt_pos.
Qed.

Lemma product_error t j x : (j < len t)%nat -> stored a x ->
  Cmod (mul a (entry t j) x - factor t j * x)%C <= g t * Cmod (factor t j * x)%C + small t.
Proof.
  intros lt is_stored; unfold product_bound, small; destruct (Nat.ltb_spec t 2) as [trivial|_].
  - rewrite entry_trivial by easy.
    assert (exact : mul a (factor t j) x = (factor t j * x)%C).
    { destruct t as [|[|t]]; [| | lia].
      - rewrite factor_0 by easy; rewrite mul_one by easy; ring.
      - destruct (factor_1 j lt) as [-> | ->]; [rewrite mul_one by easy; ring|].
        now apply mul_minus_i. }
    rewrite exact; replace (_ - _)%C with (RtoC 0) by ring; rewrite Cmod_0; lra.
  - pose proof (entry_error t j lt) as table_error.
    pose proof (mul_error a _ x (entry_stored t j lt) is_stored) as rounding.
    assert (unit : Cmod (factor t j) = 1) by apply root_Cmod.
    pose proof (Cmod_ge_0 x) as x_pos; pose proof (rho_pos a) as pos.
    replace (mul a (entry t j) x - factor t j * x)%C
      with ((mul a (entry t j) x - entry t j * x) + (entry t j - factor t j) * x)%C by ring.
    eapply Rle_trans; [apply Cmod_triangle|].
    rewrite !Cmod_mult in *; rewrite unit, Rmult_1_l.
    assert (size : Cmod (entry t j) <= 1 + mu).
    { replace (entry t j) with ((entry t j - factor t j) + factor t j)%C by ring.
      eapply Rle_trans; [apply Cmod_triangle | lra]. }
    unfold compose.
    assert (Cmod (entry t j - factor t j)%C * Cmod x <= mu * Cmod x)
      by now apply Rmult_le_compat_r.
    assert (rho a * (Cmod (entry t j) * Cmod x) <= rho a * ((1 + mu) * Cmod x))
      by (apply Rmult_le_compat_l; [easy | now apply Rmult_le_compat_r]).
    lra.
Qed.

Lemma dit_stored t x : (forall j, (j < len t)%nat -> stored a (x j)) ->
  forall k, (k < len t)%nat -> stored a (computed_dit t x k).
Proof.
  unfold computed_dit; revert x; induction t as [|t IH]; intros x input k lt; [now apply input|].
  cbn [dit len] in *; unfold join.
  assert (even : forall j, (j < len t)%nat -> stored a (x (2 * j)%nat)) by (intros; apply input; lia).
  assert (odd : forall j, (j < len t)%nat -> stored a (x (2 * j + 1)%nat))
    by (intros; apply input; lia).
  destruct (Nat.ltb_spec k (len t)) as [low|high].
  - apply add_stored; [now apply IH | apply mul_stored; [now apply entry_stored | now apply IH]].
  - assert (k - len t < len t)%nat by lia.
    apply sub_stored; [now apply IH | apply mul_stored; [now apply entry_stored | now apply IH]].
Qed.

Lemma of_one_element (y x : vector) : y O = x O -> close (len 0) (B 0) 0 y (dft (len 0) x).
Proof.
  intro same; apply close_of_errs.
  apply (errs_ext 1 _ x y x (dft 1 x)); [| | apply errs_same]; intros j lt;
    replace j with O by lia; [easy | now rewrite dft_1].
Qed.

Theorem dit_close t x : (forall j, (j < len t)%nat -> stored a (x j)) ->
  close (len t) (B t) (absolute_in_time t) (computed_dit t x) (dft (len t) x).
Proof.
  revert x; induction t as [|t IH]; intros x input; [now apply of_one_element|].
  cbn [radix2_bound len absolute_in_time]; pose proof (len_pos t) as pos.
  set (m := len t) in *.
  set (even := fun j => x (2 * j)%nat); set (odd := fun j => x (2 * j + 1)%nat).
  assert (even_stored : forall j, (j < m)%nat -> stored a (even j))
    by (intros; apply input; cbn [len]; fold m; lia).
  assert (odd_stored : forall j, (j < m)%nat -> stored a (odd j))
    by (intros; apply input; cbn [len]; fold m; lia).
  set (e := computed_dit t even); set (o := computed_dit t odd).
  set (p := fun j => mul a (entry t j) (o j)).
  assert (halves : close (m + m) (B t) (absolute_in_time t) (cat m e o)
                     (cat m (dft m even) (dft m odd)))
    by (apply close_halves; [apply B_pos | apply in_time_pos | now apply IH | now apply IH]).
  assert (products : close (m + m) (g t) (small t / sqrt 2) (cat m e p)
                       (twist m (factor t) (cat m e o))).
  { apply (close_ext _ _ _ (cat m e p) _ (cat m e (fun j => factor t j * o j)%C)); [easy | |].
    - apply forall_halves; intros j lt; unfold twist.
      + now rewrite !cat_first.
      + now rewrite !cat_second.
    - apply close_second_half; [apply g_pos | apply small_pos|]; intros j lt.
      apply product_error; [easy|]; now apply dit_stored. }
  assert (sums : close (m + m) (u a) 0 (computed_dit (S t) x) (butterflies m (cat m e p))).
  { apply close_of_errs, errs_elements; [apply u_pos|]; apply forall_halves; intros j lt;
      unfold butterflies, computed_dit; cbn [dit]; fold m; change (join C) with cat.
    - rewrite !(cat_first _ _ _ j) by easy; rewrite cat_second.
      apply add_error; [now apply dit_stored | apply mul_stored; [now apply entry_stored|]].
      now apply dit_stored.
    - rewrite !cat_second; rewrite (cat_first _ _ _ j) by easy.
      apply sub_error; [now apply dit_stored | apply mul_stored; [now apply entry_stored|]].
      now apply dit_stored. }
  assert (unit : forall j, (j < m)%nat -> Cmod (factor t j) = 1) by (intros; apply root_Cmod).
  pose proof (close_compose _ _ _ _ _ _ _ _ _ _ (stage_twist m (factor t) unit) (g_pos t) halves
                products) as so_far.
  pose proof (close_compose _ _ _ _ _ _ _ _ _ _ (stage_butterflies m) (u_pos a) so_far sums)
    as whole.
  refine (close_ext _ _ _ _ _ _ _ (fun j _ => eq_refl) _ whole).
  apply forall_halves; intros j lt; unfold butterflies, twist.
  - rewrite !(cat_first _ _ _ j) by easy; rewrite !cat_second, dft_in_time by easy; easy.
  - rewrite !cat_second, !(cat_first _ _ _ j) by easy; now rewrite dft_in_time_second by easy.
Qed.

Lemma close_interleave m b h y1 t1 y2 t2 :
  close (m + m) b h (cat m y1 y2) (cat m t1 t2) ->
  close (m + m) b h (interleave C y1 y2) (interleave C t1 t2).
Proof.
  assert (size : forall x1 x2, norm (m + m) (interleave C x1 x2) = norm (m + m) (cat m x1 x2)).
  { intros x1 x2; unfold norm; f_equal; rewrite energy_parity, energy_cat; f_equal;
      apply energy_ext; intros; [apply interleave_even | apply interleave_odd]. }
  unfold close; rewrite <- size; intro err.
  rewrite (norm_ext _ _ (interleave C (vminus y1 t1) (vminus y2 t2))).
  - rewrite size; rewrite (norm_ext _ _ (vminus (cat m y1 y2) (cat m t1 t2))); [easy|].
    apply forall_halves; intros; unfold vminus; [now rewrite !cat_first | now rewrite !cat_second].
  - intros j _; unfold vminus, interleave; now destruct (Nat.even j).
Qed.

Theorem dif_close t x : (forall j, (j < len t)%nat -> stored a (x j)) ->
  close (len t) (B t) (absolute_in_frequency t) (computed_dif t x) (dft (len t) x).
Proof.
  revert x; induction t as [|t IH]; intros x input; [now apply of_one_element|].
  cbn [radix2_bound len absolute_in_frequency]; pose proof (len_pos t) as pos; set (m := len t) in *.
  replace (compose (compose (B t) (g t)) (u a)) with (compose (compose (u a) (g t)) (B t))
    by (unfold compose; ring).
  assert (first : forall j, (j < m)%nat -> stored a (x j))
    by (intros; apply input; cbn [len]; fold m; lia).
  assert (second : forall j, (j < m)%nat -> stored a (x (m + j)%nat))
    by (intros; apply input; cbn [len]; fold m; lia).
  set (s := fun j => add a (x j) (x (m + j)%nat)); set (d := fun j => sub a (x j) (x (m + j)%nat)).
  set (p := fun j => mul a (entry t j) (d j)).
  assert (sums : close (m + m) (u a) 0 (cat m s d) (butterflies m x)).
  { apply close_of_errs, errs_elements; [apply u_pos|]; apply forall_halves; intros j lt;
      unfold butterflies.
    - rewrite !cat_first by easy; apply add_error; auto.
    - rewrite !cat_second; apply sub_error; auto. }
  assert (products : close (m + m) (g t) (small t / sqrt 2) (cat m s p)
                       (twist m (factor t) (cat m s d))).
  { apply (close_ext _ _ _ (cat m s p) _ (cat m s (fun j => factor t j * d j)%C)); [easy | |].
    - apply forall_halves; intros j lt; unfold twist.
      + now rewrite !cat_first.
      + now rewrite !cat_second.
    - apply close_second_half; [apply g_pos | apply small_pos|]; intros j lt.
      apply product_error; [easy|]; apply sub_stored; auto. }
  assert (unit : forall j, (j < m)%nat -> Cmod (factor t j) = 1) by (intros; apply root_Cmod).
  pose proof (close_compose _ _ _ _ _ _ _ _ _ _ (stage_twist m (factor t) unit) (g_pos t) sums
                products) as so_far.
  assert (halves : close (m + m) (B t) (absolute_in_frequency t)
                     (cat m (computed_dif t s) (computed_dif t p)) (on_halves m (dft m) (cat m s p))).
  { apply (close_ext _ _ _ (cat m (computed_dif t s) (computed_dif t p)) _
             (cat m (dft m s) (dft m p))); [easy | |].
    - apply forall_halves; intros j lt; unfold on_halves;
        [rewrite !cat_first by easy | rewrite !cat_second]; apply dft_ext; intros;
        [now rewrite cat_first | now rewrite cat_second].
    - apply close_halves; [apply B_pos | apply in_frequency_pos | |]; apply IH; intros.
      + apply add_stored; auto.
      + apply mul_stored; [now apply entry_stored | apply sub_stored; auto]. }
  pose proof (close_compose _ _ _ _ _ _ _ _ _ _
                (stage_on_halves m _ (dft m) (stage_dft t)) (B_pos t) so_far halves) as whole.
  set (v := twist m (factor t) (butterflies m x)) in *.
  apply close_interleave in whole.
  refine (close_ext _ _ _ _ _ _ _ (fun j _ => eq_refl) _ whole).
  intros k lt; destruct (Nat.Even_or_Odd k) as [[h is_k] | [h is_k]]; subst k.
  - rewrite interleave_even, dft_in_frequency_even by easy; apply dft_ext; intros j low.
    unfold v, twist, butterflies; now rewrite !cat_first.
  - rewrite interleave_odd, dft_in_frequency_odd by easy; apply dft_ext; intros j low.
    unfold v, twist, butterflies; now rewrite !cat_second.
Qed.

(** The order of stages counts: of 8 points radix2-dif has sqrt 2 times the absolute error of
    radix2-dit, but for factors near 1. *)
Theorem orders_differ :
  absolute_in_time 3 = eta a * (1 + u a) /\
  absolute_in_frequency 3 = sqrt 2 * (eta a * (1 + B 2)).
Proof.
  pose proof root_2_pos as pos.
  assert (four : sqrt (INR 4) = sqrt 2 * sqrt 2)
    by (rewrite <- sqrt_mult by lra; f_equal; simpl; ring).
  assert (half : forall x, x / sqrt 2 * sqrt 2 = x) by (intro; field; lra).
  split.
  - cbn [absolute_in_time]; unfold small.
    change (0 <? 2)%nat with true; change (1 <? 2)%nat with true.
    change (2 <? 2)%nat with false; cbv iota.
    replace (0 / sqrt 2) with 0 by (unfold Rdiv; ring).
    transitivity (eta a / sqrt 2 * sqrt 2 * (1 + u a)); [ring | now rewrite half].
  - cbn [absolute_in_frequency]; unfold small.
    change (0 <? 2)%nat with true; change (1 <? 2)%nat with true.
    change (2 <? 2)%nat with false; cbv iota.
    replace (0 / sqrt 2) with 0 by (unfold Rdiv; ring).
    replace (len 2) with 4%nat by easy; rewrite four.
    transitivity (sqrt 2 * (eta a / sqrt 2 * sqrt 2 * (1 + B 2))); [ring | now rewrite half].
Qed.

End Errors.
