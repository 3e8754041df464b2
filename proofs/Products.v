(** Complex products in floating point: how far they are from the exact product.

    The order of operations is that of [multiply] in arith/formats/complex.hpp and of [FusedProduct]
    in arith/kernels/products.hpp. Every operation rounds to nearest; ties may go either way, in
    every operation another one. Nothing overflows.

    Theorems to cite: complex_product_error (sqrt 5 u), fused_product_error (2 u),
    product_error_by_parts (any engine), butterfly_error; with gradual underflow
    complex_product_error_flt, fused_product_error_flt. *)

From Coq Require Import ZArith Reals Lra Lia Psatz.
From Flocq Require Import Core.
From Coquelicot Require Import Complex.
From Fftprec Require Import Rounding.

Local Open Scope R_scope.

(** * Order of operations *)

(** re = fl(fl(xr yr) - fl(xi yi)), im = fl(fl(xr yi) + fl(xi yr)), products rounded by [rp] and
    sums by [rs]. *)
Definition cmul_with (rp rs : R -> R) (x y : C) : C :=
  (rs (rp (fst x * fst y) - rp (snd x * snd y)), rs (rp (fst x * snd y) + rp (snd x * fst y))).

Definition cmul (rd : R -> R) : C -> C -> C := cmul_with rd rd.

(** re = fl(xr yr - fl(xi yi)), im = fl(xr yi + fl(xi yr)). *)
Definition cmul_fused_with (rp rs : R -> R) (x y : C) : C :=
  (rs (fst x * fst y - rp (snd x * snd y)), rs (fst x * snd y + rp (snd x * fst y))).

Definition cmul_fused (rd : R -> R) : C -> C -> C := cmul_fused_with rd rd.

(** * Sums of two products *)

(** Polynomial inequalities in units of s, the largest power of two below P. *)

(** 5 (P - Q)^2 + 4 P Q >= 3.2 P^2. *)
Lemma form_ge_one s P Q : 0 < s -> s <= P ->
  (7/4 * s) ^ 2 <= 5 * (P - Q) ^ 2 + 4 * P * Q.
Proof.
  intros S L.
  replace (5 * (P - Q) ^ 2 + 4 * P * Q) with (16/5 * P ^ 2 + 5 * (Q - 3/5 * P) ^ 2) by field.
  assert (s ^ 2 <= P ^ 2) by (apply pow_incr; lra).
  pose proof (pow2_ge_0 (Q - 3/5 * P)). pose proof (pow2_ge_0 s). lra.
Qed.

(** If P >= Q and both are at least s. *)
Lemma form_ge_two s P Q : 0 < s -> s <= P -> s <= Q ->
  (2 * s) ^ 2 <= 5 * (P - Q) ^ 2 + 4 * P * Q.
Proof.
  intros S L M. pose proof (pow2_ge_0 (P - Q)).
  assert (s * s <= P * Q) by (apply Rmult_le_compat; lra). lra.
Qed.

(** Where the difference of the rounded products exceeds s: its rounding errs by E, at most u s,
    and the products by a u s together, of which c s is a lower bound of Q. *)
Lemma form_far s w P Q a c E : 0 < s -> 0 < w <= / 4 -> 0 <= E <= w * s ->
  s + E - a * w * s <= P - Q -> c * s <= Q -> 0 <= c -> 1 <= a <= 3/2 ->
  (forall t, 0 <= t <= 1 ->
    (a + t) ^ 2 <= 5 * (1 - (a - t) / 4) ^ 2 + 4 * c * (c + 1 - (a - t) / 4)) ->
  (a * w * s + E) ^ 2 <= w ^ 2 * (5 * (P - Q) ^ 2 + 4 * P * Q).
Proof.
  intros S W HE D HQ Hc Ha Poly.
  set (t := E / (w * s)).
  assert (WS : 0 < w * s) by (apply Rmult_lt_0_compat; lra).
  assert (Et : E = t * (w * s)) by (unfold t; field; lra).
  assert (T : 0 <= t <= 1).
  { split; apply Rmult_le_reg_r with (w * s); rewrite <- ?Et; lra. }
  specialize (Poly t T).
  set (m := 1 - (a - t) / 4) in *.
  assert (M : 0 <= m) by (unfold m; lra).
  assert (MD : m * s <= P - Q).
  { eapply Rle_trans; [| exact D]. rewrite Et. unfold m.
    assert (K : 0 <= (a - t) * (/ 4 - w)) by (apply Rmult_le_pos; lra).
    nra. }
  assert (F : s ^ 2 * (5 * m ^ 2 + 4 * c * (c + m)) <= 5 * (P - Q) ^ 2 + 4 * P * Q).
  { assert (A : (m * s) ^ 2 <= (P - Q) ^ 2) by (apply pow_incr; split; [nra | exact MD]).
    assert (B : (c * s + m * s) * (c * s) <= P * Q).
    { apply Rmult_le_compat; nra. }
    nra. }
  replace (a * w * s + E) with (w * s * (a + t)) by (rewrite Et; ring).
  rewrite Rpow_mult_distr. rewrite (Rpow_mult_distr w s 2).
  rewrite Rmult_assoc. apply Rmult_le_compat_l; [apply pow2_ge_0 |].
  eapply Rle_trans; [| exact F]. apply Rmult_le_compat_l; [apply pow2_ge_0 |].
  unfold m in *. lra.
Qed.

(** With v = u/(1 + u), 2 v + v^2 <= 2 u: two roundings in a row cost at most 2u. *)
Lemma two_sharp_errors p : 2 * (u p / (1 + u p)) + (u p / (1 + u p)) ^ 2 <= 2 * u p.
Proof.
  pose proof (u_pos p) as U. set (w := u p) in *.
  apply Rmult_le_reg_r with ((1 + w) ^ 2); [nra |].
  replace ((2 * (w / (1 + w)) + (w / (1 + w)) ^ 2) * (1 + w) ^ 2)
    with (w * (2 + 3 * w)) by (field; lra).
  nra.
Qed.

Section SumsOfTwoProducts.

Variable p : Z.
Variable fexp : Z -> Z.
Context {bits : Bits p fexp}.
Hypothesis two_bits : (2 <= p)%Z.

Notation near := (nearest fexp).
Notation close := (close fexp).

(** P >= Q >= 0, products and their difference to nearest:
    (fl(fl(P) - fl(Q)) - (P - Q))^2 <= u^2 (5 (P - Q)^2 + 4 P Q).

    Let s <= P < 2s, s a power of two, so that fl(P) errs by at most u s. If Q >= s, the difference
    is exact, and the error is at most 2 u s. If the rounded difference D is at most s, the error is
    at most 7/4 u s: with Q >= s/2, D is exact. Else the rounding of D errs by at most u s and by
    at most D - s, s being a number of the format, so that P - Q is large ([form_far]). *)
Lemma ordered_difference_error P Q P' Q' r : 0 <= Q <= P ->
  near P P' -> near Q Q' -> near (P' - Q') r ->
  (r - (P - Q)) ^ 2 <= u p ^ 2 * (5 * (P - Q) ^ 2 + 4 * P * Q).
Proof.
  intros O NP NQ Nr.
  pose proof (u_pos p) as U. pose proof (u_le_quarter p two_bits) as U4.
  destruct (Req_dec P 0) as [Z|N].
  { assert (Q = 0) by lra. subst.
    rewrite (nearest_0 _ _ NP), (nearest_0 _ _ NQ), Rminus_0_r in Nr.
    rewrite (nearest_0 _ _ Nr). lra. }
  pose proof (bpow_mag_le radix2 P N) as L. pose proof (bpow_mag_gt radix2 P) as G.
  set (e := mag radix2 P : Z) in *.
  rewrite (Rabs_pos_eq P) in L, G by lra.
  assert (S : 0 < bpow radix2 (e - 1)) by apply bpow_gt_0.
  assert (D2 : bpow radix2 e = 2 * bpow radix2 (e - 1)).
  { replace e with (1 + (e - 1))%Z at 1 by ring. now rewrite bpow_plus. }
  assert (H2 : bpow radix2 (e - 2) = / 2 * bpow radix2 (e - 1)).
  { replace (e - 2)%Z with (-1 + (e - 1))%Z by ring. now rewrite bpow_plus. }
  assert (H4 : bpow radix2 (e - 3) = / 4 * bpow radix2 (e - 1)).
  { replace (e - 3)%Z with (-2 + (e - 1))%Z by ring. now rewrite bpow_plus. }
  set (s := bpow radix2 (e - 1)) in *.
  assert (Fs : generic_format radix2 fexp s) by apply (format_bpow p fexp).
  assert (EP : Rabs (P' - P) <= u p * s).
  { pose proof (nearest_error_below p fexp P P' e NP) as B.
    rewrite (Rabs_pos_eq P), D2 in B by lra. lra. }
  assert (LP : s <= P') by (apply (nearest_ge _ _ _ _ NP); [exact Fs | lra]).
  assert (GP : P' <= 2 * s).
  { rewrite <- D2. apply (nearest_le _ _ _ _ NP); [apply (format_bpow p fexp) | lra]. }
  assert (LQ : 0 <= Q') by (apply (nearest_nonneg _ _ _ NQ); lra).
  pose proof (nearest_format _ _ _ NP) as FP. pose proof (nearest_format _ _ _ NQ) as FQ.
  assert (Split : Rabs (r - (P - Q)) <=
                  Rabs (P' - P) + Rabs (Q' - Q) + Rabs (r - (P' - Q'))).
  { as_sum ((P' - P) + - (Q' - Q) + (r - (P' - Q'))). apply Rplus_le_compat_r.
    eapply Rle_trans; [apply Rabs_triang |]. rewrite Rabs_Ropp. lra. }
  (* Q below s, off by b u s, and at least c s; what is left of 7/4 u s where the difference is
     small *)
  assert (Below : forall b c, Q' <= s -> Rabs (Q' - Q) <= b * (u p * s) -> c * s <= Q -> 0 <= c ->
    0 <= b <= / 2 -> (P' - Q' <= s -> Rabs (r - (P' - Q')) <= (3/4 - b) * (u p * s)) ->
    (forall t, 0 <= t <= 1 ->
      (1 + b + t) ^ 2 <=
      5 * (1 - (1 + b - t) / 4) ^ 2 + 4 * c * (c + 1 - (1 + b - t) / 4)) ->
    (r - (P - Q)) ^ 2 <= u p ^ 2 * (5 * (P - Q) ^ 2 + 4 * P * Q)).
  { intros b c GQ EQ CQ C B Small Poly.
    assert (US : 0 < u p * s) by (apply Rmult_lt_0_compat; lra).
    destruct (Rle_or_lt (P' - Q') s) as [M|M].
    - specialize (Small M).
      eapply Rle_trans; [apply (square_le_of_abs _ (7/4 * (u p * s))); lra |].
      replace ((7/4 * (u p * s)) ^ 2) with (u p ^ 2 * (7/4 * s) ^ 2) by ring.
      apply Rmult_le_compat_l; [apply pow2_ge_0 | apply form_ge_one; lra].
    - set (E := Rabs (r - (P' - Q'))) in *.
      assert (E0 : 0 <= E) by apply Rabs_pos.
      assert (E1 : E <= u p * s).
      { pose proof (nearest_error_below p fexp _ _ e Nr) as K.
        rewrite (Rabs_pos_eq (P' - Q')), D2 in K by lra.
        unfold E. lra. }
      assert (E2 : E <= P' - Q' - s).
      { pose proof (nearest_best _ _ _ s Nr Fs) as K.
        rewrite (Rabs_left1 (s - _)) in K by lra. unfold E. lra. }
      apply Rle_trans with (((1 + b) * u p * s + E) ^ 2).
      + apply square_le_of_abs; [nra |]; fold E in Split; lra.
      + apply form_far with (c := c); try lra; [| exact Poly].
        apply Rabs_le_inv in EP. apply Rabs_le_inv in EQ. lra. }
  destruct (Rle_or_lt s Q) as [C1|C1]; [| destruct (Rle_or_lt (/ 2 * s) Q) as [C2|C2];
    [| destruct (Rle_or_lt (/ 4 * s) Q) as [C3|C3]]].
  - assert (LQ1 : s <= Q') by (apply (nearest_ge _ _ _ _ NQ); [exact Fs | lra]).
    assert (GQ1 : Q' <= 2 * s).
    { rewrite <- D2. apply (nearest_le _ _ _ _ NQ); [apply (format_bpow p fexp) | lra]. }
    assert (EQ : Rabs (Q' - Q) <= u p * s).
    { pose proof (nearest_error_below p fexp Q Q' e NQ) as B.
      rewrite (Rabs_pos_eq Q), D2 in B by lra. lra. }
    assert (X : r = P' - Q').
    { apply (nearest_exact _ _ _ Nr). apply (exact_difference p fexp _ _ e); try assumption.
      - rewrite Rabs_pos_eq; assumption || lra.
      - rewrite Rabs_pos_eq; assumption || lra.
      - rewrite D2. apply Rabs_le. lra. }
    rewrite (Rminus_diag_eq r _ X), Rabs_R0 in Split.
    eapply Rle_trans; [apply (square_le_of_abs _ (2 * (u p * s))); nra |].
    replace ((2 * (u p * s)) ^ 2) with (u p ^ 2 * (2 * s) ^ 2) by ring.
    apply Rmult_le_compat_l; [apply pow2_ge_0 | apply form_ge_two; lra].
  - assert (GQ : Q' <= s) by (apply (nearest_le _ _ _ _ NQ); [exact Fs | lra]).
    assert (LQ2 : / 2 * s <= Q').
    { rewrite <- H2. apply (nearest_ge _ _ _ _ NQ); [apply (format_bpow p fexp) | lra]. }
    apply (Below (/ 2) (/ 2)); try lra.
    + pose proof (nearest_error_below p fexp Q Q' (e - 1) NQ) as B.
      fold s in B. rewrite (Rabs_pos_eq Q) in B by lra. lra.
    + intros M. assert (X : r = P' - Q').
      { apply (nearest_exact _ _ _ Nr). apply (exact_difference p fexp _ _ (e - 1)); try assumption.
        - replace (e - 1 - 1)%Z with (e - 2)%Z by ring. rewrite Rabs_pos_eq; lra.
        - replace (e - 1 - 1)%Z with (e - 2)%Z by ring. rewrite Rabs_pos_eq; lra.
        - fold s. apply Rabs_le. lra. }
      rewrite (Rminus_diag_eq r _ X), Rabs_R0. nra.
    + intros t T. nra.
  - assert (GQ : Q' <= / 2 * s).
    { rewrite <- H2. apply (nearest_le _ _ _ _ NQ); [apply (format_bpow p fexp) | lra]. }
    apply (Below (/ 4) (/ 4)); try lra.
    + pose proof (nearest_error_below p fexp Q Q' (e - 2) NQ) as B.
      rewrite (Rabs_pos_eq Q), H2 in B by lra. lra.
    + intros M. pose proof (nearest_error_below p fexp _ _ (e - 1) Nr) as B.
      fold s in B. rewrite (Rabs_pos_eq (P' - Q')) in B by lra. lra.
    + intros t T. nra.
  - assert (GQ : Q' <= / 4 * s).
    { rewrite <- H4. apply (nearest_le _ _ _ _ NQ); [apply (format_bpow p fexp) | lra]. }
    apply (Below (/ 8) 0); try lra.
    + pose proof (nearest_error_below p fexp Q Q' (e - 3) NQ) as B.
      rewrite (Rabs_pos_eq Q), H4 in B by lra. lra.
    + intros M. pose proof (nearest_error_below p fexp _ _ (e - 1) Nr) as B.
      fold s in B. rewrite (Rabs_pos_eq (P' - Q')) in B by lra. nra.
    + intros t T. nra.
Qed.

(** The same for P + Q with P Q <= 0, in any order:
    (fl(fl(P) + fl(Q)) - (P + Q))^2 <= u^2 (4 (P + Q)^2 + (P - Q)^2). *)
Lemma opposite_sum_error P Q P' Q' r : P * Q <= 0 ->
  near P P' -> near Q Q' -> near (P' + Q') r ->
  (r - (P + Q)) ^ 2 <= u p ^ 2 * (4 * (P + Q) ^ 2 + (P - Q) ^ 2).
Proof.
  intros O NP NQ Nr.
  assert (Signs : forall A B A' B', 0 <= A -> B <= 0 -> near A A' -> near B B' -> near (A' + B') r ->
            (r - (A + B)) ^ 2 <= u p ^ 2 * (4 * (A + B) ^ 2 + (A - B) ^ 2)).
  { intros A B A' B' HA HB NA NB N. pose proof (nearest_opp _ _ _ NB) as MB.
    destruct (Rle_or_lt (- B) A) as [D|D].
    - replace (A' + B') with (A' - - B') in N by ring.
      pose proof (ordered_difference_error A (- B) A' (- B') r ltac:(lra) NA MB N). nra.
    - apply nearest_opp in N. replace (- (A' + B')) with (- B' - A') in N by ring.
      pose proof (ordered_difference_error (- B) A (- B') A' (- r) ltac:(lra) MB NA N). nra. }
  destruct (Rle_or_lt 0 P), (Rle_or_lt Q 0); [now apply (Signs P Q P' Q') | | |];
    rewrite (Rplus_comm P' Q') in Nr;
    pose proof (Signs Q P Q' P' ltac:(nra) ltac:(nra) NQ NP Nr); lra.
Qed.

(** P Q >= 0: |fl(fl(P) + fl(Q)) - (P + Q)| <= 2 u |P + Q|, since |P| + |Q| = |P + Q|. *)
Lemma same_sign_sum_error P Q P' Q' r : 0 <= P * Q ->
  near P P' -> near Q Q' -> near (P' + Q') r ->
  Rabs (r - (P + Q)) <= 2 * u p * Rabs (P + Q).
Proof.
  intros O NP NQ Nr.
  pose proof (nearest_error_sharp p fexp _ _ NP) as EP.
  pose proof (nearest_error_sharp p fexp _ _ NQ) as EQ.
  pose proof (nearest_error_sharp p fexp _ _ Nr) as Er.
  pose proof (two_sharp_errors p) as W. pose proof (u_over_nonneg p) as V.
  set (v := u p / (1 + u p)) in *.
  assert (A : Rabs P + Rabs Q = Rabs (P + Q)).
  { destruct (Rle_or_lt 0 P), (Rle_or_lt 0 Q).
    - now rewrite !Rabs_pos_eq by lra.
    - destruct (Req_dec P 0); [subst; now rewrite Rabs_R0, !Rplus_0_l |]. exfalso. nra.
    - destruct (Req_dec Q 0); [subst; now rewrite Rabs_R0, !Rplus_0_r |]. exfalso. nra.
    - rewrite !Rabs_left1 by lra. ring. }
  assert (B : Rabs (P' + Q' - (P + Q)) <= v * Rabs (P + Q)).
  { as_sum ((P' - P) + (Q' - Q)). rewrite <- A. lra. }
  assert (D : Rabs (P' + Q') <= (1 + v) * Rabs (P + Q)).
  { as_sum ((P' + Q' - (P + Q)) + (P + Q)). lra. }
  as_sum ((r - (P' + Q')) + (P' + Q' - (P + Q))).
  pose proof (Rabs_pos (P + Q)). nra.
Qed.

(** Of two sums of products, one of products with opposite signs and one of products with the same
    sign, as the parts of a complex product are. *)
Lemma two_sums_error X1 X2 Y1 Y2 X1' X2' Y1' Y2' x y : X1 * X2 <= 0 -> 0 <= Y1 * Y2 ->
  near X1 X1' -> near X2 X2' -> near (X1' + X2') x ->
  near Y1 Y1' -> near Y2 Y2' -> near (Y1' + Y2') y ->
  (x - (X1 + X2)) ^ 2 + (y - (Y1 + Y2)) ^ 2 <=
  u p ^ 2 * (4 * (X1 + X2) ^ 2 + (X1 - X2) ^ 2 + 4 * (Y1 + Y2) ^ 2).
Proof.
  intros OX OY N1 N2 N3 N4 N5 N6.
  pose proof (opposite_sum_error _ _ _ _ _ OX N1 N2 N3).
  pose proof (same_sign_sum_error _ _ _ _ _ OY N4 N5 N6) as E.
  assert (F : (y - (Y1 + Y2)) ^ 2 <= (2 * u p * Rabs (Y1 + Y2)) ^ 2).
  { apply square_le_of_abs; [| exact E].
    pose proof (u_pos p). pose proof (Rabs_pos (Y1 + Y2)). nra. }
  rewrite Rpow_mult_distr, pow2_abs in F. nra.
Qed.

(** With X1 X2 = - Y1 Y2 the form is at most 5 (X1 + X2)^2 + 5 (Y1 + Y2)^2. *)
Lemma form_le_five X1 X2 Y1 Y2 : X1 * X2 = - (Y1 * Y2) ->
  4 * (X1 + X2) ^ 2 + (X1 - X2) ^ 2 + 4 * (Y1 + Y2) ^ 2 <=
  5 * ((X1 + X2) ^ 2 + (Y1 + Y2) ^ 2).
Proof. intros E. pose proof (pow2_ge_0 (Y1 - Y2)). nra. Qed.

(** * Complex products without underflow *)

(** Any nearest numbers: P, Q, S, T of the products, re and im of P - Q and S + T. *)
Theorem complex_product_error_nearest a b c d P Q S T re im :
  near (a * c) P -> near (b * d) Q -> near (P - Q) re ->
  near (a * d) S -> near (b * c) T -> near (S + T) im ->
  Cmod (Cminus (re, im) (Cmult (a, b) (c, d))) <=
  sqrt 5 * u p * Cmod (Cmult (a, b) (c, d)).
Proof.
  intros N1 N2 N3 N4 N5 N6. pose proof (u_pos p) as U. pose proof (sqrt_pos 5) as S5.
  pose proof (Cmod_ge_0 (Cmult (a, b) (c, d))) as G.
  apply Cmod_le; [apply Rmult_le_pos; nra |].
  rewrite !Rpow_mult_distr, pow2_sqrt by lra. rewrite Cmod_sqr.
  unfold Cminus, Cplus, Copp, Cmult. simpl fst. simpl snd.
  pose proof (nearest_opp _ _ _ N2) as M2.
  destruct (Rle_or_lt 0 (a * c * (b * d))) as [O|O].
  - assert (O1 : a * c * - (b * d) <= 0) by lra.
    assert (O2 : 0 <= a * d * (b * c)) by lra.
    pose proof (two_sums_error _ _ _ _ _ _ _ _ _ _ O1 O2 N1 M2 N3 N4 N5 N6) as E.
    pose proof (form_le_five (a * c) (- (b * d)) (a * d) (b * c) ltac:(ring)) as F.
    pose proof (pow2_ge_0 (u p)). nra.
  - assert (O1 : a * d * (b * c) <= 0) by lra.
    assert (O2 : 0 <= a * c * - (b * d)) by lra.
    pose proof (two_sums_error _ _ _ _ _ _ _ _ _ _ O1 O2 N4 N5 N6 N1 M2 N3) as E.
    pose proof (form_le_five (a * d) (b * c) (a * c) (- (b * d)) ltac:(ring)) as F.
    pose proof (pow2_ge_0 (u p)). nra.
Qed.

(** * Complex products that may underflow *)

Lemma triple_triangle a b c a' b' c' :
  sqrt ((a + a') ^ 2 + (b + b') ^ 2 + (c + c') ^ 2) <=
  sqrt (a ^ 2 + b ^ 2 + c ^ 2) + sqrt (a' ^ 2 + b' ^ 2 + c' ^ 2).
Proof.
  assert (E : forall x y z, sqrt (x ^ 2 + y ^ 2 + z ^ 2) = Cmod (Cmod (x, y), z)).
  { intros x y z. unfold Cmod at 1. simpl fst. simpl snd. now rewrite Cmod_sqr. }
  rewrite !E. eapply Rle_trans; [| apply Cmod_triangle].
  rewrite <- (Rmult_1_l (Cmod (Cplus _ (Cmod (a', b'), c')))).
  apply Cmod_le_parts; [lra | |]; simpl fst; simpl snd; rewrite Rmult_1_l; [| lra].
  rewrite !Rabs_pos_eq; [exact (Cmod_triangle (a, b) (a', b')) | | apply Cmod_ge_0].
  pose proof (Cmod_ge_0 (a, b)). pose proof (Cmod_ge_0 (a', b')). lra.
Qed.

Lemma keeps_signs X1 X2 A1 A2 : X1 * X2 <= 0 ->
  (0 <= X1 -> 0 <= A1) -> (X1 <= 0 -> A1 <= 0) -> (0 <= X2 -> 0 <= A2) -> (X2 <= 0 -> A2 <= 0) ->
  A1 * A2 <= 0.
Proof.
  intros O P1 M1 P2 M2.
  assert (C : (0 <= A1 /\ A2 <= 0) \/ (A1 <= 0 /\ 0 <= A2)).
  { destruct (Rle_or_lt X2 0) as [S|S], (Rle_or_lt X1 0) as [T|T].
    - destruct T as [T|T]; [| left; split; [apply P1 | apply M2]; lra].
      destruct S as [S|S]; [| right; split; [apply M1 | apply P2]; lra].
      exfalso. pose proof (Rmult_lt_0_compat (- X1) (- X2) ltac:(lra) ltac:(lra)). lra.
    - left. split; [apply P1 | apply M2]; lra.
    - right. split; [apply M1 | apply P2]; lra.
    - exfalso. pose proof (Rmult_lt_0_compat X1 X2 T S). lra. }
  clear - C. nra.
Qed.

Lemma form_of_small h a b c d : - h <= a <= h -> - h <= b <= h -> - h <= c <= h -> - h <= d <= h ->
  (2 * (a + b)) ^ 2 + (a - b) ^ 2 + (2 * (c + d)) ^ 2 <= 16 * h ^ 2 * 2.
Proof.
  assert (K : forall t, - h <= t <= h -> t ^ 2 <= h ^ 2).
  { intros t T. apply square_le_of_abs; [lra | now apply Rabs_le]. }
  intros A B C D. pose proof (K _ A). pose proof (K _ B). pose proof (K _ C). pose proof (K _ D).
  pose proof (pow2_ge_0 (a - b)). pose proof (pow2_ge_0 (c - d)). lra.
Qed.

(** Products off by an absolute h as well, sums without: the error of both parts together is at
    most u sqrt(5 |z|^2) + (sqrt(2) + sqrt(8) u) 2 h. The rounded numbers are nearest to products
    next to the exact ones; the square root of the form of [two_sums_error] is a norm, and of the
    differences, each at most h, it is at most sqrt(32) h. *)
Lemma two_sums_error_below h X1 X2 Y1 Y2 X1' X2' Y1' Y2' x y : 0 <= h ->
  X1 * X2 = - (Y1 * Y2) -> X1 * X2 <= 0 ->
  close h X1 X1' -> close h X2 X2' -> near (X1' + X2') x ->
  close h Y1 Y1' -> close h Y2 Y2' -> near (Y1' + Y2') y ->
  Cmod (x - (X1 + X2), y - (Y1 + Y2)) <=
  sqrt 5 * u p * Cmod (X1 + X2, Y1 + Y2) + 2 * sqrt 2 * (1 + 2 * u p) * h.
Proof.
  intros H E O C1 C2 N3 C4 C5 N6. pose proof (u_pos p) as U. pose proof (sqrt_pos 2) as S2.
  destruct (close_nearby fexp h X1 X1' H C1) as [A1 [N1 [D1 [P1 M1]]]].
  destruct (close_nearby fexp h X2 X2' H C2) as [A2 [N2 [D2 [P2 M2]]]].
  destruct (close_nearby fexp h Y1 Y1' H C4) as [B1 [N4 [D4 [P4 M4]]]].
  destruct (close_nearby fexp h Y2 Y2' H C5) as [B2 [N5 [D5 [P5 M5]]]].
  assert (OA : A1 * A2 <= 0) by (apply (keeps_signs X1 X2); assumption).
  assert (OB : 0 <= B1 * B2).
  { assert (B1 * - B2 <= 0); [| lra]. apply (keeps_signs Y1 (- Y2)); try assumption; [lra | |];
      intros; [assert (B2 <= 0) by (apply M5; lra) | assert (0 <= B2) by (apply P5; lra)]; lra. }
  pose proof (two_sums_error _ _ _ _ _ _ _ _ _ _ OA OB N1 N2 N3 N4 N5 N6) as T.
  pose proof (form_le_five _ _ _ _ E) as F.
  apply Rabs_le_inv in D1. apply Rabs_le_inv in D2.
  apply Rabs_le_inv in D4. apply Rabs_le_inv in D5.
  assert (N8 : sqrt ((2 * (A1 + A2)) ^ 2 + (A1 - A2) ^ 2 + (2 * (B1 + B2)) ^ 2) <=
               sqrt 5 * Cmod (X1 + X2, Y1 + Y2) + 4 * sqrt 2 * h).
  { replace (2 * (A1 + A2)) with (2 * (X1 + X2) + 2 * (A1 - X1 + (A2 - X2))) by ring.
    replace (A1 - A2) with (X1 - X2 + (A1 - X1 - (A2 - X2))) by ring.
    replace (2 * (B1 + B2)) with (2 * (Y1 + Y2) + 2 * (B1 - Y1 + (B2 - Y2))) by ring.
    eapply Rle_trans; [apply triple_triangle |]. apply Rplus_le_compat.
    - unfold Cmod. rewrite <- sqrt_mult_alt by lra. apply sqrt_le_1_alt. simpl fst. simpl snd. lra.
    - rewrite <- (sqrt_pow2 (4 * sqrt 2 * h)) by (apply Rmult_le_pos; lra).
      apply sqrt_le_1_alt.
      replace ((4 * sqrt 2 * h) ^ 2) with (16 * h ^ 2 * (sqrt 2 * sqrt 2)) by ring.
      rewrite sqrt_sqrt by lra. apply form_of_small; assumption. }
  as_sum (Cplus (x - (A1 + A2), y - (B1 + B2)) (A1 + A2 - (X1 + X2), B1 + B2 - (Y1 + Y2)))
    by (unfold Cplus; simpl; f_equal; ring).
  assert (R1 : Cmod (x - (A1 + A2), y - (B1 + B2)) <=
               u p * sqrt ((2 * (A1 + A2)) ^ 2 + (A1 - A2) ^ 2 + (2 * (B1 + B2)) ^ 2)).
  { apply Cmod_le; [apply Rmult_le_pos; [lra | apply sqrt_pos] |]. simpl fst. simpl snd.
    rewrite (Rpow_mult_distr (u p)), pow2_sqrt
      by (repeat apply Rplus_le_le_0_compat; apply pow2_ge_0).
    replace ((2 * (A1 + A2)) ^ 2 + (A1 - A2) ^ 2 + (2 * (B1 + B2)) ^ 2)
      with (4 * (A1 + A2) ^ 2 + (A1 - A2) ^ 2 + 4 * (B1 + B2) ^ 2) by ring.
    exact T. }
  assert (R2 : Cmod (A1 + A2 - (X1 + X2), B1 + B2 - (Y1 + Y2)) <= sqrt 2 * (2 * h)).
  { apply Cmod_le_square; [lra | |]; simpl; apply Rabs_le; lra. }
  assert (R3 : u p * sqrt ((2 * (A1 + A2)) ^ 2 + (A1 - A2) ^ 2 + (2 * (B1 + B2)) ^ 2) <=
               u p * (sqrt 5 * Cmod (X1 + X2, Y1 + Y2) + 4 * sqrt 2 * h)).
  { apply Rmult_le_compat_l; [lra | exact N8]. }
  lra.
Qed.

(** Products off by an absolute hp as well and sums by hs: the sum is next to one without. *)
Theorem complex_product_error_close hp hs a b c d P Q S T re im : 0 <= hp -> 0 <= hs ->
  close hp (a * c) P -> close hp (b * d) Q -> close hs (P - Q) re ->
  close hp (a * d) S -> close hp (b * c) T -> close hs (S + T) im ->
  Cmod (Cminus (re, im) (Cmult (a, b) (c, d))) <=
  sqrt 5 * u p * Cmod (Cmult (a, b) (c, d)) + 2 * sqrt 2 * ((1 + 2 * u p) * hp + hs).
Proof.
  intros Hp Hs C1 C2 C3 C4 C5 C6. pose proof (sqrt_pos 2) as S2.
  assert (Next : forall x r, close hs x r -> exists n, near x n /\ Rabs (r - n) <= 2 * hs).
  { intros x r [N|[Fr [E _]]].
    - exists r. split; [exact N |]. rewrite Rminus_diag_eq, Rabs_R0 by reflexivity. lra.
    - set (n := round radix2 fexp (Znearest (fun _ => true)) x).
      assert (N : near x n) by (apply nearest_round; typeclasses eauto).
      exists n. split; [exact N |].
      pose proof (nearest_best _ _ _ _ N Fr).
      as_sum ((r - x) + - (n - x)). rewrite Rabs_Ropp. lra. }
  destruct (Next _ _ C3) as [re' [N3 E3]]. destruct (Next _ _ C6) as [im' [N6 E6]].
  assert (C2' : close hp (- (b * d)) (- Q)).
  { destruct C2 as [N|[F [E [Sp Sm]]]]; [left; now apply nearest_opp | right].
    split; [now apply generic_format_opp |]. split.
    - replace (- Q - - (b * d)) with (- (Q - b * d)) by ring. now rewrite Rabs_Ropp.
    - split; intros; [assert (Q <= 0) by (apply Sm; lra) | assert (0 <= Q) by (apply Sp; lra)];
        lra. }
  assert (Main : Cmod (re' - (a * c - b * d), im' - (a * d + b * c)) <=
    sqrt 5 * u p * Cmod (a * c - b * d, a * d + b * c) + 2 * sqrt 2 * (1 + 2 * u p) * hp).
  { destruct (Rle_or_lt 0 (a * c * (b * d))) as [O|O].
    - apply (two_sums_error_below hp _ _ _ _ P (- Q) S T); try assumption; [ring | lra].
    - rewrite Cmod_swap, (Cmod_swap (a * c - b * d)).
      apply (two_sums_error_below hp _ _ _ _ S T P (- Q)); try assumption; [ring | lra]. }
  as_sum (Cplus (re - re', im - im') (re' - (a * c - b * d), im' - (a * d + b * c)))
    by (unfold Cminus, Cplus, Copp, Cmult; simpl; f_equal; ring).
  assert (R : Cmod (re - re', im - im') <= sqrt 2 * (2 * hs)).
  { apply Cmod_le_square; [lra | exact E3 | exact E6]. }
  change (Cmult (a, b) (c, d)) with (a * c - b * d, a * d + b * c). lra.
Qed.

(** The same for all roundings of a product x y. *)
Lemma cmul_error_close hp hs rd x y : 0 <= hp -> 0 <= hs ->
  close hp (fst x * fst y) (rd (fst x * fst y)) -> close hp (snd x * snd y) (rd (snd x * snd y)) ->
  close hp (fst x * snd y) (rd (fst x * snd y)) -> close hp (snd x * fst y) (rd (snd x * fst y)) ->
  (let re := rd (fst x * fst y) - rd (snd x * snd y) in close hs re (rd re)) ->
  (let im := rd (fst x * snd y) + rd (snd x * fst y) in close hs im (rd im)) ->
  Cmod (Cminus (cmul rd x y) (Cmult x y)) <=
  sqrt 5 * u p * Cmod (Cmult x y) + sqrt 2 * (2 * (1 + 2 * u p) * hp + 2 * hs).
Proof.
  destruct x as [a b], y as [c d]. simpl fst. simpl snd. intros Hp Hs C1 C2 C3 C4 C5 C6.
  pose proof (complex_product_error_close hp hs a b c d _ _ _ _ _ _ Hp Hs C1 C2 C5 C3 C4 C6).
  unfold cmul, cmul_with. simpl fst. simpl snd. lra.
Qed.

End SumsOfTwoProducts.

(** 4 products and 2 sums to nearest: |fl(x y) - x y| <= sqrt(5) u |x y|, for every p >= 2.
    Source: Brent, Percival, Zimmermann, Math. Comp. 76 (2007), 1469-1481, theorem 1, which asks for
    u <= 2^-5. *)
Theorem complex_product_error p choice x y : (2 <= p)%Z ->
  Cmod (Cminus (cmul (flx p choice) x y) (Cmult x y)) <= sqrt 5 * u p * Cmod (Cmult x y).
Proof.
  intros Hp. assert (precision : Prec_gt_0 p) by (unfold Prec_gt_0; lia).
  destruct x as [a b], y as [c d].
  eapply (complex_product_error_nearest p (FLX_exp p)); [exact Hp | ..]; apply flx_nearest;
    exact precision.
Qed.

(** With gradual underflow |fl(x y) - x y| <= sqrt(5) u |x y| + sqrt(2) (1 + 2u) eta: a product is
    off by eta/2 as well, a sum is not. The operands need not be numbers of the format. *)
Theorem complex_product_error_flt emin p choice x y : (2 <= p)%Z ->
  Cmod (Cminus (cmul (flt emin p choice) x y) (Cmult x y)) <=
  sqrt 5 * u p * Cmod (Cmult x y) + sqrt 2 * (1 + 2 * u p) * eta emin.
Proof.
  intros Hp. assert (precision : Prec_gt_0 p) by (unfold Prec_gt_0; lia).
  pose proof (eta_pos emin) as H. set (rd := flt emin p choice).
  assert (Fmt : forall x, generic_format radix2 (FLT_exp emin p) (rd x)).
  { intros t. apply generic_format_round; typeclasses eauto. }
  assert (Close : forall x, close (FLX_exp p) (eta emin / 2) x (rd x)).
  { intros t. apply flt_close; [exact precision | apply flt_nearest; exact precision]. }
  eapply Rle_trans; [apply (cmul_error_close p (FLX_exp p) Hp (eta emin / 2) 0) | lra];
    try apply Close; try lra; left.
  - apply (flt_difference_is_flx emin p); try apply Fmt. apply flt_nearest. exact precision.
  - apply (flt_sum_is_flx emin p); try apply Fmt. apply flt_nearest. exact precision.
Qed.

(** Where results below 2^low become zero,
    |fl(x y) - x y| <= sqrt(5) u |x y| + sqrt(2) (4 + 4u) 2^low. *)
Theorem complex_product_error_flush low p choice x y : (2 <= p)%Z ->
  Cmod (Cminus (cmul (flush low p choice) x y) (Cmult x y)) <=
  sqrt 5 * u p * Cmod (Cmult x y) + sqrt 2 * (4 + 4 * u p) * bpow radix2 low.
Proof.
  intros Hp. assert (precision : Prec_gt_0 p) by (unfold Prec_gt_0; lia).
  pose proof (bpow_ge_0 radix2 low) as H.
  eapply Rle_trans;
    [apply (cmul_error_close p (FLX_exp p) Hp (bpow radix2 low) (bpow radix2 low)) | lra];
    try exact H; apply flush_close; exact precision.
Qed.

(** * Complex products on any engine *)

(** z is off from w by at most e, and then its parts are rounded. *)
Lemma rounded_next_error s hs rs e z w : 0 <= s -> 0 <= hs -> errs_by_or s hs rs ->
  Cmod (Cminus z w) <= e ->
  Cmod (Cminus (cround rs z) w) <= s * Cmod w + (1 + s) * e + sqrt 2 * hs.
Proof.
  intros S0 Hs S E. as_sum (Cplus (Cminus (cround rs z) z) (Cminus z w)).
  pose proof (complex_rounding_error_or s hs rs z S0 Hs S).
  assert (D : Cmod z <= e + Cmod w) by (as_sum (Cplus (Cminus z w) w); lra).
  pose proof (Rmult_le_compat_l s _ _ S0 D). lra.
Qed.

(** 4 products that err by k each and 2 sums that err by s, relative to their results, and by hp and
    hs besides:
    |fl(x y) - x y| <= (sqrt(2) k (1 + s) + s) |x| |y| + sqrt(2) (2 hp (1 + s) + hs).
    It is SchemeTheory::product_error. *)
Theorem product_error_by_parts k s hp hs rp rs x y : 0 <= k -> 0 <= s -> 0 <= hp -> 0 <= hs ->
  errs_by_or k hp rp -> errs_by_or s hs rs ->
  Cmod (Cminus (cmul_with rp rs x y) (Cmult x y)) <=
  (sqrt 2 * k * (1 + s) + s) * Cmod (Cmult x y) + sqrt 2 * (2 * hp * (1 + s) + hs).
Proof.
  intros K0 S0 Hp Hs K S. destruct x as [a b], y as [c d].
  set (z := (rp (a * c) - rp (b * d), rp (a * d) + rp (b * c))).
  pose proof (Cmod_ge_0 (Cmult (a, b) (c, d))) as G. pose proof (sqrt_pos 2) as S2.
  assert (M : Cmod (Cmult (a, b) (c, d)) = Cmod (a, b) * Cmod (c, d)) by apply Cmod_mult.
  assert (A : Cmod (Cminus z (Cmult (a, b) (c, d))) <=
              sqrt 2 * (k * Cmod (Cmult (a, b) (c, d)) + 2 * hp)).
  { apply Cmod_le_square; [nra | |]; unfold z; simpl; rewrite M.
    - as_sum ((rp (a * c) - a * c) + - (rp (b * d) - b * d)). rewrite Rabs_Ropp.
      pose proof (K (a * c)). pose proof (K (b * d)).
      pose proof (Rmult_le_compat_l k _ _ K0 (products_le a b c d)). lra.
    - as_sum ((rp (a * d) - a * d) + (rp (b * c) - b * c)).
      pose proof (K (a * d)). pose proof (K (b * c)).
      pose proof (Rmult_le_compat_l k _ _ K0 (products_le a b d c)) as B.
      rewrite (Cmod_swap d) in B. lra. }
  pose proof (rounded_next_error s hs rs _ z _ S0 Hs S A).
  change (cmul_with rp rs (a, b) (c, d)) with (cround rs z). lra.
Qed.

(** One of the products of each part rounded with an error of at most k, and sums with the exact
    other product that err by s; hp and hs besides:
    |fl(x y) - x y| <= (k (1 + s) + s) |x| |y| + sqrt(2) (hp (1 + s) + hs), as the two rounded
    products are the parts of i xi y. *)
Theorem fused_product_error_by_parts k s hp hs rp rs x y : 0 <= k -> 0 <= s -> 0 <= hp -> 0 <= hs ->
  errs_by_or k hp rp -> errs_by_or s hs rs ->
  Cmod (Cminus (cmul_fused_with rp rs x y) (Cmult x y)) <=
  (k * (1 + s) + s) * Cmod (Cmult x y) + sqrt 2 * (hp * (1 + s) + hs).
Proof.
  intros K0 S0 Hp Hs K S. destruct x as [a b], y as [c d].
  set (z := (a * c - rp (b * d), a * d + rp (b * c))).
  pose proof (Cmod_ge_0 (Cmult (a, b) (c, d))) as G.
  assert (A : Cmod (Cminus z (Cmult (a, b) (c, d))) <=
              k * Cmod (Cmult (a, b) (c, d)) + sqrt 2 * hp).
  { replace (Cminus z (Cmult (a, b) (c, d)))
      with (Cmult (-1, 0) (Cconj (Cminus (cround rp (b * d, b * c)) (b * d, b * c)))).
    - rewrite Cmod_mult.
      assert (E1 : Cmod (-1, 0) = 1).
      { unfold Cmod. simpl fst. simpl snd. replace ((-1) ^ 2 + 0 ^ 2) with 1 by ring.
        apply sqrt_1. }
      assert (E2 : forall t, Cmod (Cconj t) = Cmod t).
      { intros t. unfold Cmod, Cconj. simpl fst. simpl snd. f_equal. ring. }
      rewrite E1, E2, Rmult_1_l.
      eapply Rle_trans; [apply (complex_rounding_error_or k hp); assumption |].
      apply Rplus_le_compat_r, Rmult_le_compat_l; [exact K0 |]. apply Cmod_le; [exact G |].
      rewrite Cmod_mult, Rpow_mult_distr, !Cmod_sqr. simpl fst. simpl snd.
      pose proof (pow2_ge_0 (a * c)). pose proof (pow2_ge_0 (a * d)). nra.
    - unfold z, cround, Cminus, Cplus, Copp, Cmult, Cconj. simpl fst. simpl snd.
      f_equal; ring. }
  pose proof (rounded_next_error s hs rs _ z _ S0 Hs S A).
  change (cmul_fused_with rp rs (a, b) (c, d)) with (cround rs z). lra.
Qed.

(** Fused, to nearest: |fl(x y) - x y| <= 2 u |x y|, for every p >= 1.
    Source: Jeannerod, Kornerup, Louvet, Muller, Math. Comp. 86 (2017), 881-898. *)
Theorem fused_product_error p {precision : Prec_gt_0 p} choice x y :
  Cmod (Cminus (cmul_fused (flx p choice) x y) (Cmult x y)) <= 2 * u p * Cmod (Cmult x y).
Proof.
  pose proof (u_over_nonneg p) as V. pose proof (Cmod_ge_0 (Cmult x y)) as G.
  assert (E : errs_by_or (u p / (1 + u p)) 0 (flx p choice)).
  { apply errs_by_0, flx_errs_by_sharp; exact precision. }
  pose proof (fused_product_error_by_parts _ _ 0 0 _ _ x y V V (Rle_refl 0) (Rle_refl 0) E E) as B.
  pose proof (Rmult_le_compat_r _ _ _ G (two_sharp_errors p)).
  unfold cmul_fused. lra.
Qed.

(** Fused, with gradual underflow: |fl(x y) - x y| <= 2 u |x y| + sqrt(2) (1 + u/2) eta. *)
Theorem fused_product_error_flt emin p {precision : Prec_gt_0 p} choice x y :
  Cmod (Cminus (cmul_fused (flt emin p choice) x y) (Cmult x y)) <=
  2 * u p * Cmod (Cmult x y) + sqrt 2 * (1 + u p / 2) * eta emin.
Proof.
  pose proof (u_over_nonneg p) as V. pose proof (Cmod_ge_0 (Cmult x y)) as G.
  pose proof (eta_pos emin) as H. pose proof (u_over_le p) as L. pose proof (sqrt_pos 2) as S2.
  assert (H2 : 0 <= eta emin / 2) by lra.
  pose proof (flt_errs_by_sharp emin p choice) as E.
  pose proof (fused_product_error_by_parts _ _ _ _ _ _ x y V V H2 H2 E E) as B.
  pose proof (Rmult_le_compat_r _ _ _ G (two_sharp_errors p)).
  assert (sqrt 2 * (eta emin / 2 * (u p / (1 + u p))) <= sqrt 2 * (eta emin / 2 * u p)).
  { apply Rmult_le_compat_l; [exact S2 |]. apply Rmult_le_compat_l; assumption. }
  unfold cmul_fused. lra.
Qed.

(** Each part of the exact product rounded once: |fl(x y) - x y| <= u |x y|. *)
Theorem rounded_once_product_error p {precision : Prec_gt_0 p} choice x y :
  Cmod (Cminus (cround (flx p choice) (Cmult x y)) (Cmult x y)) <= u p * Cmod (Cmult x y).
Proof.
  apply complex_rounding_error; [apply u_nonneg | apply flx_errs_by; exact precision].
Qed.

(** Parts that err by k of themselves, by g of the sizes of their two products, and by h. *)
Lemma product_of_parts_error k g h a b c d z : 0 <= k -> 0 <= g -> 0 <= h ->
  Rabs (fst z - (a * c + - (b * d))) <=
    k * Rabs (a * c + - (b * d)) + (g * (Rabs (a * c) + Rabs (b * d)) + h) ->
  Rabs (snd z - (a * d + b * c)) <= k * Rabs (a * d + b * c) + (g * (Rabs (a * d) + Rabs (b * c)) + h) ->
  Cmod (Cminus z (Cmult (a, b) (c, d))) <=
  (k + sqrt 2 * g) * Cmod (Cmult (a, b) (c, d)) + sqrt 2 * h.
Proof.
  intros K G H Re Im. set (m := Cmod (Cmult (a, b) (c, d))).
  assert (M : m = Cmod (a, b) * Cmod (c, d)) by apply Cmod_mult.
  pose proof (products_le a b c d) as M1. pose proof (products_le a b d c) as M2.
  rewrite (Cmod_swap d) in M2. rewrite <- M in M1, M2.
  pose proof (Rmult_le_compat_l _ _ _ G M1). pose proof (Rmult_le_compat_l _ _ _ G M2).
  assert (0 <= m) by apply Cmod_ge_0.
  apply Rle_trans with (k * m + sqrt 2 * (g * m + h)); [|lra].
  apply Cmod_le_parts_or; [exact K | nra | |]; simpl; unfold Rminus in *; lra.
Qed.

(** * Butterflies *)

(** The 2-norm of a pair of complex numbers. *)
Definition pair_norm (x y : C) : R := sqrt (Cmod x ^ 2 + Cmod y ^ 2).

Lemma pair_norm_nonneg x y : 0 <= pair_norm x y.
Proof. apply sqrt_pos. Qed.

Lemma pair_norm_Cmod x y : pair_norm x y = Cmod (Cmod x, Cmod y).
Proof. reflexivity. Qed.

Lemma pair_norm_sqr x y : pair_norm x y ^ 2 = Cmod x ^ 2 + Cmod y ^ 2.
Proof.
  unfold pair_norm. rewrite pow2_sqrt; [reflexivity |].
  pose proof (pow2_ge_0 (Cmod x)). pose proof (pow2_ge_0 (Cmod y)). lra.
Qed.

Lemma pair_norm_le x y b : 0 <= b -> Cmod x ^ 2 + Cmod y ^ 2 <= b ^ 2 -> pair_norm x y <= b.
Proof. intros B H. unfold pair_norm. rewrite <- (sqrt_pow2 b B). now apply sqrt_le_1_alt. Qed.

Lemma pair_norm_monotone x y x' y' : Cmod x <= Cmod x' -> Cmod y <= Cmod y' ->
  pair_norm x y <= pair_norm x' y'.
Proof.
  intros A B. apply sqrt_le_1_alt.
  pose proof (pow_incr _ _ 2 (conj (Cmod_ge_0 x) A)).
  pose proof (pow_incr _ _ 2 (conj (Cmod_ge_0 y) B)). lra.
Qed.

Lemma pair_norm_triangle x y x' y' :
  pair_norm (Cplus x x') (Cplus y y') <= pair_norm x y + pair_norm x' y'.
Proof.
  rewrite !pair_norm_Cmod.
  eapply Rle_trans; [| apply Cmod_triangle].
  rewrite <- (Rmult_1_l (Cmod (Cplus (Cmod x, Cmod y) _))).
  apply Cmod_le_parts; [lra | |]; simpl; rewrite Rmult_1_l.
  - rewrite !Rabs_pos_eq; [apply Cmod_triangle | | apply Cmod_ge_0].
    pose proof (Cmod_ge_0 x). pose proof (Cmod_ge_0 x'). lra.
  - rewrite !Rabs_pos_eq; [apply Cmod_triangle | | apply Cmod_ge_0].
    pose proof (Cmod_ge_0 y). pose proof (Cmod_ge_0 y'). lra.
Qed.

Lemma pair_norm_scale k x y x' y' : 0 <= k -> Cmod x <= k * Cmod x' -> Cmod y <= k * Cmod y' ->
  pair_norm x y <= k * pair_norm x' y'.
Proof.
  intros K A B. pose proof (pair_norm_nonneg x' y').
  apply pair_norm_le; [nra |]. rewrite Rpow_mult_distr, pair_norm_sqr.
  pose proof (pow_incr _ _ 2 (conj (Cmod_ge_0 x) A)) as A2.
  pose proof (pow_incr _ _ 2 (conj (Cmod_ge_0 y) B)) as B2.
  rewrite Rpow_mult_distr in A2, B2. lra.
Qed.

(** Sum and difference together are sqrt(2) times as long as the pair. *)
Lemma sum_difference_norm x y : pair_norm (Cplus x y) (Cminus x y) = sqrt 2 * pair_norm x y.
Proof.
  unfold pair_norm. rewrite <- sqrt_mult; [| lra |].
  - f_equal. rewrite !Cmod_sqr. unfold Cminus, Cplus, Copp. simpl fst. simpl snd. ring.
  - pose proof (pow2_ge_0 (Cmod x)). pose proof (pow2_ge_0 (Cmod y)). lra.
Qed.

(** A butterfly (a + w b, a - w b), |w| = 1: the product t is off by at most e |b| + h and the sums
    err by k. In the 2-norm of pairs the error is at most ((1 + e)(1 + k) - 1) times the exact
    result, plus sqrt(2) (1 + k) h. *)
Theorem butterfly_error e k h w a b t s d : Cmod w = 1 -> 0 <= e -> 0 <= k -> 0 <= h ->
  Cmod (Cminus t (Cmult w b)) <= e * Cmod (Cmult w b) + h ->
  Cmod (Cminus s (Cplus a t)) <= k * Cmod (Cplus a t) ->
  Cmod (Cminus d (Cminus a t)) <= k * Cmod (Cminus a t) ->
  pair_norm (Cminus s (Cplus a (Cmult w b))) (Cminus d (Cminus a (Cmult w b))) <=
  ((1 + e) * (1 + k) - 1) * pair_norm (Cplus a (Cmult w b)) (Cminus a (Cmult w b)) +
  sqrt 2 * (1 + k) * h.
Proof.
  intros W E K H T S D. set (v := Cmult w b) in *.
  set (q := Cminus t v) in *.
  pose proof (sqrt_pos 2) as S2. pose proof (pair_norm_nonneg a v) as N0.
  assert (V : Cmod v <= pair_norm a v).
  { rewrite <- (sqrt_pow2 (Cmod v)) by apply Cmod_ge_0. apply sqrt_le_1_alt.
    pose proof (pow2_ge_0 (Cmod a)). lra. }
  assert (Q : Cmod q <= e * pair_norm a v + h) by nra.
  (* what the sums add *)
  assert (A : pair_norm (Cminus s (Cplus a t)) (Cminus d (Cminus a t)) <=
              k * (sqrt 2 * pair_norm a t)).
  { rewrite <- sum_difference_norm. now apply pair_norm_scale. }
  assert (At : pair_norm a t <= pair_norm a v + Cmod q).
  { replace t with (Cplus v q) by (unfold q; ring).
    replace a with (Cplus a (RtoC 0)) at 1 by ring.
    eapply Rle_trans; [apply pair_norm_triangle |]. apply Rplus_le_compat_l.
    apply pair_norm_le; [apply Cmod_ge_0 |]. rewrite Cmod_0. lra. }
  (* what the product does *)
  assert (B : pair_norm q (Copp q) = sqrt 2 * Cmod q).
  { unfold pair_norm. rewrite Cmod_opp.
    replace (Cmod q ^ 2 + Cmod q ^ 2) with (2 * Cmod q ^ 2) by ring.
    rewrite sqrt_mult_alt, sqrt_pow2 by (lra || apply Cmod_ge_0). reflexivity. }
  rewrite sum_difference_norm.
  replace (Cminus s (Cplus a v)) with (Cplus (Cminus s (Cplus a t)) q) by (unfold q; ring).
  replace (Cminus d (Cminus a v)) with (Cplus (Cminus d (Cminus a t)) (Copp q))
    by (unfold q; ring).
  eapply Rle_trans; [apply pair_norm_triangle |]. rewrite B.
  assert (C1 : k * (sqrt 2 * pair_norm a t) <= k * (sqrt 2 * (pair_norm a v + Cmod q))).
  { apply Rmult_le_compat_l; [exact K |]. apply Rmult_le_compat_l; assumption. }
  assert (C2 : sqrt 2 * (1 + k) * Cmod q <= sqrt 2 * (1 + k) * (e * pair_norm a v + h)).
  { apply Rmult_le_compat_l; [nra | exact Q]. }
  lra.
Qed.

(** A butterfly (a + b, w (a - b)), |w| = 1: the sums err by k, the product by e and h. *)
Theorem frequency_butterfly_error e k h w a b s d z : Cmod w = 1 -> 0 <= e -> 0 <= k -> 0 <= h ->
  Cmod (Cminus s (Cplus a b)) <= k * Cmod (Cplus a b) ->
  Cmod (Cminus d (Cminus a b)) <= k * Cmod (Cminus a b) ->
  Cmod (Cminus z (Cmult w d)) <= e * Cmod (Cmult w d) + h ->
  pair_norm (Cminus s (Cplus a b)) (Cminus z (Cmult w (Cminus a b))) <=
  ((1 + e) * (1 + k) - 1) * pair_norm (Cplus a b) (Cmult w (Cminus a b)) + h.
Proof.
  intros W E K H S D Z. set (f := Cminus a b) in *.
  rewrite Cmod_mult, W, Rmult_1_l in Z.
  assert (Cd : Cmod d <= (1 + k) * Cmod f).
  { as_sum (Cplus (Cminus d f) f). lra. }
  assert (Zf : Cmod (Cminus z (Cmult w f)) <= ((1 + e) * (1 + k) - 1) * Cmod (Cmult w f) + h).
  { rewrite Cmod_mult, W, Rmult_1_l.
    as_sum (Cplus (Cminus z (Cmult w d)) (Cmult w (Cminus d f))). rewrite Cmod_mult, W, Rmult_1_l.
    assert (e * Cmod d <= e * ((1 + k) * Cmod f)) by (apply Rmult_le_compat_l; assumption).
    lra. }
  set (c := (1 + e) * (1 + k) - 1) in *.
  assert (C0 : 0 <= c) by (unfold c; nra).
  assert (Sf : Cmod (Cminus s (Cplus a b)) <= c * Cmod (Cplus a b)).
  { eapply Rle_trans; [exact S |]. apply Rmult_le_compat_r; [apply Cmod_ge_0 |].
    unfold c. nra. }
  pose proof (Cmod_ge_0 (Cplus a b)) as G1. pose proof (Cmod_ge_0 (Cmult w f)) as G2.
  (* (c x)^2 + (c y + h)^2 <= (c |(x, y)| + h)^2 *)
  apply pair_norm_le; [pose proof (pair_norm_nonneg (Cplus a b) (Cmult w f)); nra |].
  assert (Y : Cmod (Cmult w f) <= pair_norm (Cplus a b) (Cmult w f)).
  { rewrite <- (sqrt_pow2 (Cmod (Cmult w f))) at 1 by exact G2. apply sqrt_le_1_alt.
    pose proof (pow2_ge_0 (Cmod (Cplus a b))). lra. }
  pose proof (pair_norm_sqr (Cplus a b) (Cmult w f)) as N.
  set (n := pair_norm (Cplus a b) (Cmult w f)) in *.
  pose proof (pow_incr _ _ 2 (conj (Cmod_ge_0 _) Sf)) as A2.
  pose proof (pow_incr _ _ 2 (conj (Cmod_ge_0 _) Zf)) as B2.
  rewrite Rpow_mult_distr in A2.
  assert (X : c * h * Cmod (Cmult w f) <= c * h * n) by (apply Rmult_le_compat_l; [nra | exact Y]).
  replace ((c * n + h) ^ 2) with (c ^ 2 * n ^ 2 + 2 * (c * h * n) + h ^ 2) by ring.
  rewrite N. nra.
Qed.

(** With a factor w' of a table, off by mu, and a product that errs by rho and by h. *)
Lemma table_butterfly_error mu rho k h w w' a b t s d : Cmod w = 1 -> 0 <= rho -> 0 <= k -> 0 <= h ->
  Cmod (Cminus w' w) <= mu -> Cmod (Cminus t (Cmult w' b)) <= rho * Cmod (Cmult w' b) + h ->
  Cmod (Cminus s (Cplus a t)) <= k * Cmod (Cplus a t) ->
  Cmod (Cminus d (Cminus a t)) <= k * Cmod (Cminus a t) ->
  pair_norm (Cminus s (Cplus a (Cmult w b))) (Cminus d (Cminus a (Cmult w b))) <=
  ((1 + (mu + rho * (1 + mu))) * (1 + k) - 1) *
    pair_norm (Cplus a (Cmult w b)) (Cminus a (Cmult w b)) + sqrt 2 * (1 + k) * h.
Proof.
  intros W R K H M T. assert (0 <= mu) by (eapply Rle_trans; [apply Cmod_ge_0 | exact M]).
  apply butterfly_error; try assumption; [nra |]. now apply (table_product_error mu rho h w w').
Qed.

(** The butterfly of a plain FFT: table entries, products and sums to nearest in one format of
    p >= 2 bits. With mu = u/sqrt(2) and g = mu + sqrt(5) u (1 + mu) its error is at most
    ((1 + g)(1 + u) - 1) times the exact result. *)
Theorem plain_butterfly_error p choice w a b : (2 <= p)%Z -> Cmod w = 1 ->
  let mu := u p / sqrt 2 in
  let g := mu + sqrt 5 * u p * (1 + mu) in
  let t := cmul (flx p choice) (cround (flx p choice) w) b in
  pair_norm (Cminus (cadd (flx p choice) a t) (Cplus a (Cmult w b)))
            (Cminus (csub (flx p choice) a t) (Cminus a (Cmult w b))) <=
  ((1 + g) * (1 + u p) - 1) * pair_norm (Cplus a (Cmult w b)) (Cminus a (Cmult w b)).
Proof.
  intros Hp W mu g t. pose proof (u_pos p) as U. pose proof (sqrt_pos 5).
  assert (P : Prec_gt_0 p) by (unfold Prec_gt_0; lia).
  pose proof (complex_product_error p choice (cround (flx p choice) w) b Hp) as T. fold t in T.
  rewrite <- (Rplus_0_r (_ * Cmod _)) in T.
  pose proof (table_butterfly_error mu (sqrt 5 * u p) (u p) 0 w _ a b t _ _ W ltac:(nra) (Rlt_le _ _ U)
    (Rle_refl 0) (table_entry_error p choice w W) T (complex_sum_error p choice a t)
    (complex_difference_error p choice a t)).
  unfold g. lra.
Qed.

(** The same with gradual underflow, a of numbers of the format:
    mu = max(u, eta)/sqrt(2), and 2 (1 + u)(1 + 2u) eta besides. *)
Theorem plain_butterfly_error_flt emin p choice w a b : (2 <= p)%Z -> Cmod w = 1 ->
  cformat (FLT_exp emin p) a ->
  let rd := flt emin p choice in
  let mu := Rmax (u p) (eta emin) / sqrt 2 in
  let g := mu + sqrt 5 * u p * (1 + mu) in
  let t := cmul rd (cround rd w) b in
  pair_norm (Cminus (cadd rd a t) (Cplus a (Cmult w b)))
            (Cminus (csub rd a t) (Cminus a (Cmult w b))) <=
  ((1 + g) * (1 + u p) - 1) * pair_norm (Cplus a (Cmult w b)) (Cminus a (Cmult w b)) +
  2 * (1 + u p) * (1 + 2 * u p) * eta emin.
Proof.
  intros Hp W Fa rd mu g t. pose proof (u_pos p) as U. pose proof (eta_pos emin) as H.
  assert (P : Prec_gt_0 p) by (unfold Prec_gt_0; lia).
  pose proof sqrt_2_pos as S2. pose proof (sqrt_pos 5) as S5.
  assert (H0 : 0 <= sqrt 2 * (1 + 2 * u p) * eta emin) by (apply Rmult_le_pos; nra).
  assert (Ft : cformat (FLT_exp emin p) t) by (split; apply generic_format_round; typeclasses eauto).
  pose proof (table_butterfly_error mu (sqrt 5 * u p) (u p) _ w _ a b t _ _ W ltac:(nra) (Rlt_le _ _ U) H0
    (table_entry_error_flt emin p choice w W) (complex_product_error_flt emin p choice _ b Hp)
    (complex_sum_error_flt emin p choice a t Fa Ft)
    (complex_difference_error_flt emin p choice a t Fa Ft)) as B.
  replace (2 * (1 + u p) * (1 + 2 * u p) * eta emin)
    with (sqrt 2 * sqrt 2 * ((1 + u p) * (1 + 2 * u p) * eta emin)) by (rewrite sqrt_sqrt; lra).
  fold rd in B. unfold g. lra.
Qed.
