(** Complex products in the binary formats of IEEE 754: what the machine computes.

    Numbers are Flocq's [binary_float prec emax], with infinities, NaN and signed zeros; fp32 is
    [binary_float 24 128], fp64 [binary_float 53 1024], fp16 [binary_float 11 16], bf16
    [binary_float 8 128]. Operations round to nearest, ties to even or away from zero. The only
    hypothesis is that both parts of the result are finite: then nothing overflowed.

    Theorems to cite: ieee_product_error, ieee_fused_product_error, ieee_sum_error,
    ieee_difference_error, fp32_product_error, fp64_product_error.

    Check: coqc -R proofs Fftprec proofs/Ieee.v, after Rounding.v and Products.v *)

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

(** A finite result is the rounded exact one, of finite operands. *)
Lemma finite_mult (x y : float) : is_finite (mult x y) = true ->
  B2R (mult x y) = rnd (B2R x * B2R y) /\ is_finite x = true /\ is_finite y = true.
Proof.
  intros F. pose proof (Bmult_correct prec emax _ _ m x y) as H. revert H.
  case Rlt_bool.
  - intros [E [Fin _]]. rewrite F in Fin. symmetry in Fin. apply andb_prop in Fin.
    split; [exact E | exact Fin].
  - rewrite overflow_is_infinite. intros I. apply infinite_is_not_finite in I. congruence.
Qed.

Lemma finite_plus (x y : float) : is_finite (plus x y) = true ->
  B2R (plus x y) = rnd (B2R x + B2R y) /\ is_finite x = true /\ is_finite y = true.
Proof.
  intros F.
  assert (O : is_finite x = true /\ is_finite y = true).
  { destruct x as [sx|sx| |sx mx ex Hx], y as [sy|sy| |sy my ey Hy];
      try (split; reflexivity); try discriminate F.
    revert F. simpl. case Bool.eqb; discriminate. }
  destruct O as [Fx Fy]. split; [| tauto].
  pose proof (Bplus_correct prec emax _ _ m x y Fx Fy) as H. revert H.
  case Rlt_bool.
  - intros [E _]. exact E.
  - rewrite overflow_is_infinite. intros [I _]. apply infinite_is_not_finite in I. congruence.
Qed.

Lemma finite_minus (x y : float) : is_finite (minus x y) = true ->
  B2R (minus x y) = rnd (B2R x - B2R y) /\ is_finite x = true /\ is_finite y = true.
Proof.
  intros F.
  assert (O : is_finite x = true /\ is_finite y = true).
  { destruct x as [sx|sx| |sx mx ex Hx], y as [sy|sy| |sy my ey Hy];
      try (split; reflexivity); try discriminate F.
    revert F. simpl. case Bool.eqb; discriminate. }
  destruct O as [Fx Fy]. split; [| tauto].
  pose proof (Bminus_correct prec emax _ _ m x y Fx Fy) as H. revert H.
  case Rlt_bool.
  - intros [E _]. exact E.
  - rewrite overflow_is_infinite. intros [I _]. apply infinite_is_not_finite in I. congruence.
Qed.

Lemma finite_fma (x y z : float) : is_finite (fma x y z) = true ->
  B2R (fma x y z) = rnd (B2R x * B2R y + B2R z) /\
  is_finite x = true /\ is_finite y = true /\ is_finite z = true.
Proof.
  intros F.
  assert (O : is_finite x = true /\ is_finite y = true /\ is_finite z = true).
  { destruct x as [sx|sx| |sx mx ex Hx], y as [sy|sy| |sy my ey Hy], z as [sz|sz| |sz mz ez Hz];
      try (repeat split; reflexivity); try discriminate F;
      revert F; simpl; case Bool.eqb; discriminate. }
  destruct O as [Fx [Fy Fz]]. split; [| tauto].
  pose proof (Bfma_correct prec emax _ _ m x y z Fx Fy Fz) as H.
  cbv zeta in H. revert H. case (Rlt_bool (Rabs _)).
  - intros [E _]. exact E.
  - rewrite overflow_is_infinite. intros I. apply infinite_is_not_finite in I. congruence.
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

(** |fl(x + y) - (x + y)| <= u |x + y|, if the result is finite. *)
Theorem ieee_sum_error x y : finite (ieee_sum x y) ->
  Cmod (Cminus (exact (ieee_sum x y)) (Cplus (exact x) (exact y))) <=
  u prec * Cmod (Cplus (exact x) (exact y)).
Proof.
  intros [Fr Fi]. destruct (to_nearest_choice m nearest_mode) as [choice Hm].
  replace (exact (ieee_sum x y)) with (cadd (flt emin prec choice) (exact x) (exact y)).
  - apply complex_sum_error_flt; try apply exact_format. exact prec_gt_0_.
  - unfold exact, ieee_sum in *. simpl in Fr, Fi. simpl fst. simpl snd.
    rewrite (proj1 (finite_plus _ _ Fr)), (proj1 (finite_plus _ _ Fi)).
    unfold rnd. rewrite Hm. reflexivity.
Qed.

Theorem ieee_difference_error x y : finite (ieee_difference x y) ->
  Cmod (Cminus (exact (ieee_difference x y)) (Cminus (exact x) (exact y))) <=
  u prec * Cmod (Cminus (exact x) (exact y)).
Proof.
  intros [Fr Fi]. destruct (to_nearest_choice m nearest_mode) as [choice Hm].
  replace (exact (ieee_difference x y)) with (csub (flt emin prec choice) (exact x) (exact y)).
  - apply complex_difference_error_flt; try apply exact_format. exact prec_gt_0_.
  - unfold exact, ieee_difference in *. simpl in Fr, Fi. simpl fst. simpl snd.
    rewrite (proj1 (finite_minus _ _ Fr)), (proj1 (finite_minus _ _ Fi)).
    unfold rnd. rewrite Hm. reflexivity.
Qed.

(** 4 products and 2 sums, if the result is finite:
    |fl(x y) - x y| <= sqrt(5) u |x y| + sqrt(2) (1 + 2u) eta. *)
Theorem ieee_product_error x y : finite (ieee_product x y) ->
  Cmod (Cminus (exact (ieee_product x y)) (Cmult (exact x) (exact y))) <=
  sqrt 5 * u prec * Cmod (Cmult (exact x) (exact y)) +
  sqrt 2 * (1 + 2 * u prec) * eta emin.
Proof.
  intros [Fr Fi]. destruct (to_nearest_choice m nearest_mode) as [choice Hm].
  replace (exact (ieee_product x y)) with (cmul (flt emin prec choice) (exact x) (exact y)).
  - now apply complex_product_error_flt.
  - unfold exact, ieee_product in *. simpl in Fr, Fi. simpl fst. simpl snd.
    destruct (finite_minus _ _ Fr) as [Er [F1 F2]]. destruct (finite_plus _ _ Fi) as [Ei [F3 F4]].
    rewrite Er, Ei, (proj1 (finite_mult _ _ F1)), (proj1 (finite_mult _ _ F2)),
      (proj1 (finite_mult _ _ F3)), (proj1 (finite_mult _ _ F4)).
    unfold rnd. rewrite Hm. reflexivity.
Qed.

(** Fused, if the result is finite: |fl(x y) - x y| <= 2u |x y| + sqrt(2) (1 + u/2) eta. *)
Theorem ieee_fused_product_error x y : finite (ieee_fused_product x y) ->
  Cmod (Cminus (exact (ieee_fused_product x y)) (Cmult (exact x) (exact y))) <=
  2 * u prec * Cmod (Cmult (exact x) (exact y)) +
  sqrt 2 * (1 + u prec / 2) * eta emin.
Proof.
  intros [Fr Fi]. destruct (to_nearest_choice m nearest_mode) as [choice Hm].
  replace (exact (ieee_fused_product x y))
    with (cmul_fused (flt emin prec choice) (exact x) (exact y)).
  - now apply fused_product_error_flt.
  - unfold exact, ieee_fused_product in *. simpl in Fr, Fi. simpl fst. simpl snd.
    destruct (finite_fma _ _ _ Fr) as [Er [_ [_ F1]]].
    destruct (finite_fma _ _ _ Fi) as [Ei [_ [_ F2]]].
    rewrite is_finite_Bopp in F1.
    rewrite Er, Ei, B2R_Bopp, (proj1 (finite_mult _ _ F1)), (proj1 (finite_mult _ _ F2)).
    unfold rnd. rewrite Hm. reflexivity.
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
Proof.
  intros z F.
  eapply Rle_trans; [apply (ieee_product_error 24 128 H H'); [lia | now left | exact F] |].
  change (eta _) with (bpow radix2 (-149)). rewrite (u_bpow 24).
  apply Rplus_le_compat_l, Rmult_le_compat_r; [apply bpow_ge_0 |].
  assert (S : sqrt 2 <= 1415/1000).
  { rewrite <- (sqrt_pow2 (1415/1000)) by lra. apply sqrt_le_1_alt. lra. }
  assert (U : bpow radix2 (- (24)) <= / 1000000).
  { simpl. lra. }
  assert (0 <= bpow radix2 (- (24))) by apply bpow_ge_0. pose proof (sqrt_pos 2). nra.
Qed.

(** In fp64, ties to even: |fl(x y) - x y| <= sqrt(5) 2^-53 |x y| + 1.42 2^-1074. *)
Theorem fp64_product_error (H : Prec_gt_0 53) (H' : Prec_lt_emax 53 1024)
    (x y : binary_float 53 1024 * binary_float 53 1024) :
  let z := ieee_product 53 1024 H H' mode_NE x y in
  finite 53 1024 z ->
  Cmod (Cminus (exact 53 1024 z) (Cmult (exact 53 1024 x) (exact 53 1024 y))) <=
  sqrt 5 * bpow radix2 (-53) * Cmod (Cmult (exact 53 1024 x) (exact 53 1024 y)) +
  142/100 * bpow radix2 (-1074).
Proof.
  intros z F.
  eapply Rle_trans; [apply (ieee_product_error 53 1024 H H'); [lia | now left | exact F] |].
  change (eta _) with (bpow radix2 (-1074)). rewrite (u_bpow 53).
  apply Rplus_le_compat_l, Rmult_le_compat_r; [apply bpow_ge_0 |].
  assert (S : sqrt 2 <= 1415/1000).
  { rewrite <- (sqrt_pow2 (1415/1000)) by lra. apply sqrt_le_1_alt. lra. }
  assert (U : bpow radix2 (- (53)) <= / 1000000).
  { simpl. lra. }
  assert (0 <= bpow radix2 (- (53))) by apply bpow_ge_0. pose proof (sqrt_pos 2). nra.
Qed.
