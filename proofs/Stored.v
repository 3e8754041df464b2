(** Products in a narrow format whose operations round twice: in a wider format, then on the store.

    So do emulated scalars, and machines that compute in fp32 and store bf16 or fp16
    (FloatUnit in algorithms/theory/units.cpp). Sums of numbers of the narrow format round as once
    if the wide one has at least 2p + 1 bits; products are exact in the wide one, but where they
    underflow there.

    Theorems to cite: stored_sum_error, stored_product_error, bf16_in_fp32, fp16_in_fp32. *)

From Coq Require Import ZArith Reals Lra Lia.
From Flocq Require Import Core Double_rounding.
From Coquelicot Require Import Complex.
From Fftprec Require Import Rounding Products.

Local Open Scope R_scope.

Section Stored.

(** The narrow format, and the wide one: its normal numbers begin no later. *)
Variables emin p wide_emin wide_p : Z.
Hypothesis two_bits : (2 <= p)%Z.
Hypothesis enough_bits : (2 * p + 1 <= wide_p)%Z.
Hypothesis enough_exponents : (wide_emin + wide_p <= emin + p)%Z.
Variables choice wide_choice : Z -> bool.

Local Instance narrow : Prec_gt_0 p.
Proof. unfold Prec_gt_0. lia. Qed.
Local Instance wide : Prec_gt_0 wide_p.
Proof. unfold Prec_gt_0. lia. Qed.

Notation format := (generic_format radix2 (FLT_exp emin p)).

Definition stored (x : R) : R := flt emin p choice (flt wide_emin wide_p wide_choice x).

Lemma stored_format x : format (stored x).
Proof. apply generic_format_round; typeclasses eauto. Qed.

(** Sums round as once. Source: Figueroa, SIGNUM 30 (1995); Flocq, round_round_plus_FLT. *)
Lemma stored_plus x y : format x -> format y -> stored (x + y) = flt emin p choice (x + y).
Proof.
  intros Fx Fy. unfold stored, flt.
  apply round_round_plus_FLT; try typeclasses eauto; try lia;
    apply FLT_format_generic; assumption || exact narrow.
Qed.

Lemma stored_minus x y : format x -> format y -> stored (x - y) = flt emin p choice (x - y).
Proof. intros Fx Fy. apply stored_plus; [exact Fx | now apply generic_format_opp]. Qed.

(** Products err as once, or by half the smallest numbers of both formats. *)
Lemma stored_product x y : format x -> format y ->
  close (FLX_exp p) ((eta emin + eta wide_emin) / 2) (x * y) (stored (x * y)).
Proof.
  intros Fx Fy. pose proof (eta_pos emin) as H. pose proof (eta_pos wide_emin) as H'.
  pose proof (flt_nearest wide_emin wide_p wide_choice (x * y)) as N.
  destruct (Rle_or_lt (bpow radix2 (wide_emin + wide_p - 1)) (Rabs (x * y))) as [L|L].
  - assert (F : generic_format radix2 (FLT_exp wide_emin wide_p) (x * y)).
    { apply generic_format_FLT_FLX; [exact L |].
      apply (product_fits p); try lia; apply (flt_format_flx emin p); assumption. }
    unfold stored. rewrite (nearest_exact _ _ _ N F).
    destruct (flt_close emin p (x * y) _ (flt_nearest emin p choice (x * y))) as [C|[C1 [C2 C3]]].
    + now left.
    + right. split; [exact C1 |]. split; [lra | exact C3].
  - right. unfold stored. set (w := flt wide_emin wide_p wide_choice (x * y)) in *.
    pose proof (flt_nearest emin p choice w) as N2.
    assert (W : Rabs w <= bpow radix2 (wide_emin + wide_p - 1)).
    { assert (B : generic_format radix2 (FLT_exp wide_emin wide_p)
                    (bpow radix2 (wide_emin + wide_p - 1))).
      { apply generic_format_FLT_bpow; [exact wide | lia]. }
      apply Rabs_lt_inv in L.
      apply Rabs_le. split.
      - apply (nearest_ge _ _ _ _ N); [now apply generic_format_opp | lra].
      - apply (nearest_le _ _ _ _ N); [exact B | lra]. }
    split; [| split; [| split]].
    + apply (flt_format_flx emin p), (nearest_format _ _ _ N2).
    + as_sum ((flt emin p choice w - w) + (w - x * y)).
      assert (A : Rabs (w - x * y) <= eta wide_emin / 2).
      { apply (flt_error_below_normal wide_emin wide_p); [exact N |].
        eapply Rlt_le_trans; [exact L |]. apply bpow_le. lia. }
      assert (B : Rabs (flt emin p choice w - w) <= eta emin / 2).
      { apply (flt_error_below_normal emin p); [exact N2 |].
        eapply Rle_lt_trans; [exact W |]. apply bpow_lt. lia. }
      lra.
    + intros S. apply (nearest_nonneg _ _ _ N2), (nearest_nonneg _ _ _ N), S.
    + intros S. apply (nearest_le _ _ _ _ N2); [apply generic_format_0 |].
      apply (nearest_le _ _ _ _ N); [apply generic_format_0 | exact S].
Qed.

(** |fl(x + y) - (x + y)| <= u |x + y|, u = 2^-p of the narrow format. *)
Theorem stored_sum_error x y : cformat (FLT_exp emin p) x -> cformat (FLT_exp emin p) y ->
  Cmod (Cminus (cadd stored x y) (Cplus x y)) <= u p * Cmod (Cplus x y).
Proof.
  intros Fx Fy. replace (cadd stored x y) with (cadd (flt emin p choice) x y).
  - apply complex_sum_error_flt; try assumption. exact narrow.
  - destruct Fx as [Fxr Fxi], Fy as [Fyr Fyi].
    unfold cadd, cround, Cplus. simpl fst. simpl snd. now rewrite !stored_plus.
Qed.

(** |fl(x y) - x y| <= sqrt(5) u |x y| + sqrt(2) (1 + 2u) (eta + eta'), eta and eta' the smallest
    positive numbers of the narrow and the wide format. *)
Theorem stored_product_error x y : cformat (FLT_exp emin p) x -> cformat (FLT_exp emin p) y ->
  Cmod (Cminus (cmul stored x y) (Cmult x y)) <=
  sqrt 5 * u p * Cmod (Cmult x y) + sqrt 2 * (1 + 2 * u p) * (eta emin + eta wide_emin).
Proof.
  intros [Fa Fb] [Fc Fd]. pose proof (eta_pos emin) as H. pose proof (eta_pos wide_emin) as H'.
  eapply Rle_trans;
    [apply (cmul_error_close p (FLX_exp p) two_bits ((eta emin + eta wide_emin) / 2) 0) | lra];
    try lra; try (now apply stored_product); left.
  - rewrite stored_minus by apply stored_format.
    apply (flt_difference_is_flx emin p); try apply stored_format.
    apply flt_nearest. exact narrow.
  - rewrite stored_plus by apply stored_format.
    apply (flt_sum_is_flx emin p); try apply stored_format.
    apply flt_nearest. exact narrow.
Qed.

End Stored.

(** Stored from fp32, with sqrt(2) (1 + 2u) (1 + eta'/eta) <= c. *)
Lemma stored_in_fp32 emin p c choice wide_choice x y : (2 <= p <= 11)%Z -> (-125 <= emin + p)%Z ->
  sqrt 2 * (1 + 2 * bpow radix2 (- p)) * (1 + bpow radix2 (-149 - emin)) <= c ->
  cformat (FLT_exp emin p) x -> cformat (FLT_exp emin p) y ->
  Cmod (Cminus (cmul (stored emin p (-149) 24 choice wide_choice) x y) (Cmult x y)) <=
  sqrt 5 * bpow radix2 (- p) * Cmod (Cmult x y) + c * bpow radix2 emin.
Proof.
  intros P E C Fx Fy.
  eapply Rle_trans; [apply stored_product_error; try assumption; lia |].
  rewrite (u_bpow p). apply Rplus_le_compat_l. unfold eta.
  replace (bpow radix2 (-149)) with (bpow radix2 (-149 - emin) * bpow radix2 emin)
    by (rewrite <- bpow_plus; f_equal; ring).
  pose proof (Rmult_le_compat_r _ _ _ (bpow_ge_0 radix2 emin) C). lra.
Qed.

(** bf16: |fl(x y) - x y| <= sqrt(5) 2^-8 |x y| + 1.43 2^-133. *)
Theorem bf16_in_fp32 choice wide_choice x y :
  cformat (FLT_exp (-133) 8) x -> cformat (FLT_exp (-133) 8) y ->
  Cmod (Cminus (cmul (stored (-133) 8 (-149) 24 choice wide_choice) x y) (Cmult x y)) <=
  sqrt 5 * bpow radix2 (-8) * Cmod (Cmult x y) + 143/100 * bpow radix2 (-133).
Proof.
  apply stored_in_fp32; try lia. pose proof sqrt_2_le. pose proof sqrt_2_pos. simpl bpow. lra.
Qed.

(** fp16: |fl(x y) - x y| <= sqrt(5) 2^-11 |x y| + 1.42 2^-24. *)
Theorem fp16_in_fp32 choice wide_choice x y :
  cformat (FLT_exp (-24) 11) x -> cformat (FLT_exp (-24) 11) y ->
  Cmod (Cminus (cmul (stored (-24) 11 (-149) 24 choice wide_choice) x y) (Cmult x y)) <=
  sqrt 5 * bpow radix2 (-11) * Cmod (Cmult x y) + 142/100 * bpow radix2 (-24).
Proof.
  apply stored_in_fp32; try lia. pose proof sqrt_2_le. pose proof sqrt_2_pos.
  assert (T : bpow radix2 (-149 - -24) <= bpow radix2 (-20)) by (apply bpow_le; lia).
  pose proof (bpow_ge_0 radix2 (-149 - -24)).
  set (t := bpow radix2 (-149 - -24)) in *. simpl bpow in *. nra.
Qed.
