(** Complex products in the binary formats of IEEE 754: what the machine computes.

    Numbers are Flocq's [binary_float prec emax], with infinities, NaN and signed zeros; fp32 is
    [binary_float 24 128], fp64 [binary_float 53 1024], fp16 [binary_float 11 16], bf16
    [binary_float 8 128]. Operations round to nearest, ties to even or away from zero. The only
    hypothesis is that both parts of the result are finite: then nothing overflowed.

    Theorems to cite: ieee_product_error, ieee_fused_product_error, ieee_sum_error,
    ieee_difference_error, fp32_product_error, fp64_product_error. *)

From Coq Require Import ZArith Reals Lra Lia SpecFloat.
From Flocq Require Import Core BinarySingleNaN.
From Coquelicot Require Import Complex.
From Fftprec Require Import Rounding Products.

Local Open Scope R_scope.

Definition to_nearest (m : mode) : Prop := m = mode_NE \/ m = mode_NA.

Lemma to_nearest_choice m : to_nearest m -> exists choice, round_mode m = Znearest choice.
Proof. intros [->| ->]; eexists; reflexivity. Qed.

Section Ieee.

Variables prec emax : Z.
Context (prec_gt_0_ : Prec_gt_0 prec).
Context (prec_lt_emax_ : Prec_lt_emax prec emax).
Hypothesis two_bits : (2 <= prec)%Z.
Variable m : mode.
Hypothesis nearest_mode : to_nearest m.

(** The smallest positive number is 2^emin. *)
Let emin := (3 - emax - prec)%Z.

Notation float := (binary_float prec emax).
Notation mult := (Bmult m).
Notation plus := (Bplus m).
Notation minus := (Bminus m).
Notation fma := (Bfma m).
Let rnd x := round radix2 (FLT_exp emin prec) (round_mode m) x.

Lemma overflow_is_infinite s : binary_overflow prec emax m s = S754_infinity s.
Proof. destruct nearest_mode as [->| ->]; reflexivity. Qed.

Lemma infinite_is_not_finite (x : float) s : B2SF x = S754_infinity s -> is_finite x = false.
Proof. rewrite <- is_finite_SF_B2SF. now intros ->. Qed.

(** Operands that are infinite or NaN give no finite result. *)
Ltac finite_operands F :=
  repeat match goal with x : binary_float _ _ |- _ => destruct x end;
  try (repeat split; reflexivity); try discriminate F; revert F; simpl; case Bool.eqb; discriminate.

(** A finite result is the rounded exact one, of finite operands. *)
Ltac finite_result F correct :=
  pose proof correct as H; cbv zeta in H; revert H; case (Rlt_bool (Rabs _));
  [intros [E _]; exact E |];
  rewrite overflow_is_infinite; intros I;
  try apply proj1 in I; apply infinite_is_not_finite in I; congruence.

Lemma finite_mult (x y : float) : is_finite (mult x y) = true ->
  B2R (mult x y) = rnd (B2R x * B2R y) /\ is_finite x = true /\ is_finite y = true.
Proof.
  intros F. split; [finite_result F (Bmult_correct prec emax _ _ m x y) | finite_operands F].
Qed.

Lemma finite_plus (x y : float) : is_finite (plus x y) = true ->
  B2R (plus x y) = rnd (B2R x + B2R y) /\ is_finite x = true /\ is_finite y = true.
Proof.
  intros F. assert (O : is_finite x = true /\ is_finite y = true) by finite_operands F.
  split; [| exact O]. destruct O as [Fx Fy].
  finite_result F (Bplus_correct prec emax _ _ m x y Fx Fy).
Qed.

Lemma finite_minus (x y : float) : is_finite (minus x y) = true ->
  B2R (minus x y) = rnd (B2R x - B2R y) /\ is_finite x = true /\ is_finite y = true.
Proof.
  replace (minus x y) with (plus x (Bopp y)) by (destruct x, y; reflexivity).
  intros F. apply finite_plus in F. now rewrite B2R_Bopp, is_finite_Bopp in F.
Qed.

Lemma finite_fma (x y z : float) : is_finite (fma x y z) = true ->
  B2R (fma x y z) = rnd (B2R x * B2R y + B2R z) /\
  is_finite x = true /\ is_finite y = true /\ is_finite z = true.
Proof.
  intros F.
  assert (O : is_finite x = true /\ is_finite y = true /\ is_finite z = true) by finite_operands F.
  split; [| exact O]. destruct O as [Fx [Fy Fz]].
  finite_result F (Bfma_correct prec emax _ _ m x y z Fx Fy Fz).
Qed.

(** Complex numbers of floats, and the exact complex number that one stands for. *)
Definition exact (z : float * float) : C := (B2R (fst z), B2R (snd z)).
Definition finite (z : float * float) : Prop :=
  is_finite (fst z) = true /\ is_finite (snd z) = true.

Definition ieee_sum (x y : float * float) : float * float :=
  (plus (fst x) (fst y), plus (snd x) (snd y)).
Definition ieee_difference (x y : float * float) : float * float :=
  (minus (fst x) (fst y), minus (snd x) (snd y)).
Definition ieee_product (x y : float * float) : float * float :=
  (minus (mult (fst x) (fst y)) (mult (snd x) (snd y)),
   plus (mult (fst x) (snd y)) (mult (snd x) (fst y))).
Definition ieee_fused_product (x y : float * float) : float * float :=
  (fma (fst x) (fst y) (Bopp (mult (snd x) (snd y))),
   fma (fst x) (snd y) (mult (snd x) (fst y))).

Lemma exact_format z : cformat (FLT_exp emin prec) (exact z).
Proof. split; apply generic_format_B2R. Qed.

(** A finite result is the rounded exact one, of finite operands; both parts in the same steps. *)
Section Parts.

Variable choice : Z -> bool.
Hypothesis same_choice : round_mode m = Znearest choice.
Notation rd := (flt emin prec choice).

Lemma finite_sum x y : finite (ieee_sum x y) ->
  exact (ieee_sum x y) = cadd rd (exact x) (exact y) /\ finite x /\ finite y.
Proof.
  intros [(re & re_x & re_y)%finite_plus (im & im_x & im_y)%finite_plus].
  repeat split; try assumption. unfold exact, ieee_sum. cbn [fst snd].
  rewrite re, im. unfold rnd. now rewrite same_choice.
Qed.

Lemma finite_difference x y : finite (ieee_difference x y) ->
  exact (ieee_difference x y) = csub rd (exact x) (exact y) /\ finite x /\ finite y.
Proof.
  intros [(re & re_x & re_y)%finite_minus (im & im_x & im_y)%finite_minus].
  repeat split; try assumption. unfold exact, ieee_difference. cbn [fst snd].
  rewrite re, im. unfold rnd. now rewrite same_choice.
Qed.

Lemma finite_product x y : finite (ieee_product x y) ->
  exact (ieee_product x y) = cmul rd (exact x) (exact y) /\ finite y.
Proof.
  intros [(re & re_1 & re_2)%finite_minus (im & im_1 & im_2)%finite_plus].
  apply finite_mult in re_1 as (is_1 & _ & y_re), re_2 as (is_2 & _ & y_im),
    im_1 as (is_3 & _), im_2 as (is_4 & _).
  repeat split; try assumption. unfold exact, ieee_product. cbn [fst snd].
  rewrite re, im, is_1, is_2, is_3, is_4. unfold rnd. now rewrite same_choice.
Qed.

Lemma finite_fused_product x y : finite (ieee_fused_product x y) ->
  exact (ieee_fused_product x y) = cmul_fused rd (exact x) (exact y).
Proof.
  intros [(re & _ & _ & re_1)%finite_fma (im & _ & _ & im_1)%finite_fma].
  rewrite is_finite_Bopp in re_1. apply finite_mult in re_1 as (is_1 & _), im_1 as (is_2 & _).
  unfold exact, ieee_fused_product. cbn [fst snd].
  rewrite re, im, B2R_Bopp, is_1, is_2. unfold rnd. now rewrite same_choice.
Qed.

End Parts.

(** |fl(x + y) - (x + y)| <= u |x + y|, if the result is finite. *)
Theorem ieee_sum_error x y : finite (ieee_sum x y) ->
  Cmod (Cminus (exact (ieee_sum x y)) (Cplus (exact x) (exact y))) <=
  u prec * Cmod (Cplus (exact x) (exact y)).
Proof.
  intros F. destruct (to_nearest_choice m nearest_mode) as [choice Hm].
  rewrite (proj1 (finite_sum choice Hm x y F)).
  apply complex_sum_error_flt; try apply exact_format. exact prec_gt_0_.
Qed.

Theorem ieee_difference_error x y : finite (ieee_difference x y) ->
  Cmod (Cminus (exact (ieee_difference x y)) (Cminus (exact x) (exact y))) <=
  u prec * Cmod (Cminus (exact x) (exact y)).
Proof.
  intros F. destruct (to_nearest_choice m nearest_mode) as [choice Hm].
  rewrite (proj1 (finite_difference choice Hm x y F)).
  apply complex_difference_error_flt; try apply exact_format. exact prec_gt_0_.
Qed.

(** 4 products and 2 sums, if the result is finite:
    |fl(x y) - x y| <= sqrt(5) u |x y| + sqrt(2) (1 + 2u) eta. *)
Theorem ieee_product_error x y : finite (ieee_product x y) ->
  Cmod (Cminus (exact (ieee_product x y)) (Cmult (exact x) (exact y))) <=
  sqrt 5 * u prec * Cmod (Cmult (exact x) (exact y)) +
  sqrt 2 * (1 + 2 * u prec) * eta emin.
Proof.
  intros F. destruct (to_nearest_choice m nearest_mode) as [choice Hm].
  rewrite (proj1 (finite_product choice Hm x y F)). now apply complex_product_error_flt.
Qed.

(** Fused, if the result is finite: |fl(x y) - x y| <= 2u |x y| + sqrt(2) (1 + u/2) eta. *)
Theorem ieee_fused_product_error x y : finite (ieee_fused_product x y) ->
  Cmod (Cminus (exact (ieee_fused_product x y)) (Cmult (exact x) (exact y))) <=
  2 * u prec * Cmod (Cmult (exact x) (exact y)) +
  sqrt 2 * (1 + u prec / 2) * eta emin.
Proof.
  intros F. destruct (to_nearest_choice m nearest_mode) as [choice Hm].
  rewrite (finite_fused_product choice Hm x y F). now apply fused_product_error_flt.
Qed.

(** From 20 bits on sqrt(2) (1 + 2u) <= 1.42. *)
Lemma product_error_of_many_bits x y : (20 <= prec)%Z -> finite (ieee_product x y) ->
  Cmod (Cminus (exact (ieee_product x y)) (Cmult (exact x) (exact y))) <=
  sqrt 5 * bpow radix2 (- prec) * Cmod (Cmult (exact x) (exact y)) + 142/100 * bpow radix2 emin.
Proof.
  intros many F. eapply Rle_trans; [apply (ieee_product_error x y F) |].
  rewrite u_bpow. apply Rplus_le_compat_l, Rmult_le_compat_r; [apply bpow_ge_0 |].
  assert (U : bpow radix2 (- prec) <= / 1000000).
  { apply Rle_trans with (bpow radix2 (-20)); [apply bpow_le; lia | simpl; lra]. }
  pose proof (bpow_ge_0 radix2 (- prec)). pose proof sqrt_2_pos. pose proof sqrt_2_le. nra.
Qed.

End Ieee.

(** In fp32, ties to even: |fl(x y) - x y| <= sqrt(5) 2^-24 |x y| + 1.42 2^-149. *)
Theorem fp32_product_error (H : Prec_gt_0 24) (H' : Prec_lt_emax 24 128)
    (x y : binary_float 24 128 * binary_float 24 128) :
  let z := ieee_product 24 128 H H' mode_NE x y in
  finite 24 128 z ->
  Cmod (Cminus (exact 24 128 z) (Cmult (exact 24 128 x) (exact 24 128 y))) <=
  sqrt 5 * bpow radix2 (-24) * Cmod (Cmult (exact 24 128 x) (exact 24 128 y)) +
  142/100 * bpow radix2 (-149).
Proof. apply product_error_of_many_bits; [lia | now left | lia]. Qed.

(** In fp64, ties to even: |fl(x y) - x y| <= sqrt(5) 2^-53 |x y| + 1.42 2^-1074. *)
Theorem fp64_product_error (H : Prec_gt_0 53) (H' : Prec_lt_emax 53 1024)
    (x y : binary_float 53 1024 * binary_float 53 1024) :
  let z := ieee_product 53 1024 H H' mode_NE x y in
  finite 53 1024 z ->
  Cmod (Cminus (exact 53 1024 z) (Cmult (exact 53 1024 x) (exact 53 1024 y))) <=
  sqrt 5 * bpow radix2 (-53) * Cmod (Cmult (exact 53 1024 x) (exact 53 1024 y)) +
  142/100 * bpow radix2 (-1074).
Proof. apply product_error_of_many_bits; [lia | now left | lia]. Qed.
