(** Compensated sums: Kahan's and Neumaier's.

    The order of operations is that of [KahanSum] and [NeumaierSum] in arith/kernels/products.hpp.
    Terms and sums are numbers of a format of p >= 4 bits with gradual underflow, of which no sum
    underflows; every operation rounds to nearest.

    Theorems to cite: kahan_error, neumaier_error, and of complex terms kahan_complex_error,
    neumaier_complex_error. *)

From Coq Require Import ZArith Reals Lra Lia Psatz List.
From Flocq Require Import Core Pff2Flocq.
From Coquelicot Require Import Complex.
From Fftprec Require Import Rounding.

Import ListNotations.
Local Open Scope R_scope.

(** Sum of the terms, and of their magnitudes. *)
Definition total (l : list R) : R := fold_right Rplus 0 l.
Definition total_abs (l : list R) : R := total (map Rabs l).

Lemma total_abs_nonneg l : 0 <= total_abs l.
Proof.
  induction l as [|t l I]; [apply Rle_refl |].
  unfold total_abs in *. simpl. pose proof (Rabs_pos t). lra.
Qed.

(** Of complex terms. *)
Definition complex_total (l : list C) : C := fold_right Cplus (RtoC 0) l.
Definition complex_total_abs (l : list C) : R := total (map Cmod l).

Lemma complex_total_parts l : complex_total l = (total (map fst l), total (map snd l)).
Proof. induction l as [|z l I]; [reflexivity |]. simpl. now rewrite I. Qed.

(** The parts' sums of magnitudes are together at most that of the terms. *)
Lemma parts_total_abs l :
  Cmod (total_abs (map fst l), total_abs (map snd l)) <= complex_total_abs l.
Proof.
  induction l as [|z l I].
  - change (Cmod (RtoC 0) <= 0). rewrite Cmod_0. apply Rle_refl.
  - change (Cmod (Cplus (Rabs (fst z), Rabs (snd z))
                        (total_abs (map fst l), total_abs (map snd l))) <=
            Cmod z + complex_total_abs l).
    eapply Rle_trans; [apply Cmod_triangle |]. apply Rplus_le_compat; [| exact I].
    unfold Cmod. simpl fst. simpl snd. rewrite !pow2_abs. apply Rle_refl.
Qed.

(** Errors of both parts of a sum, taken together. *)
Lemma complex_sum_of_parts a b l re im : 0 <= a -> 0 <= b ->
  Rabs (re - total (map fst l)) <= a * total_abs (map fst l) + b * Rabs (total (map fst l)) ->
  Rabs (im - total (map snd l)) <= a * total_abs (map snd l) + b * Rabs (total (map snd l)) ->
  Cmod (Cminus (re, im) (complex_total l)) <=
  a * complex_total_abs l + b * Cmod (complex_total l).
Proof.
  intros A B Re Im. rewrite complex_total_parts.
  pose proof (parts_total_abs l) as P.
  set (x := total_abs (map fst l)) in *. set (y := total_abs (map snd l)) in *.
  set (s := total (map fst l)) in *. set (t := total (map snd l)) in *.
  assert (X : 0 <= x) by apply total_abs_nonneg. assert (Y : 0 <= y) by apply total_abs_nonneg.
  assert (Scale : forall k v w, 0 <= k -> Cmod (k * v, k * w) = k * Cmod (v, w)).
  { intros k v w K. unfold Cmod. simpl fst. simpl snd.
    replace ((k * v) ^ 2 + (k * w) ^ 2) with (k ^ 2 * (v ^ 2 + w ^ 2)) by ring.
    rewrite sqrt_mult_alt, sqrt_pow2; [reflexivity | exact K | apply pow2_ge_0]. }
  apply Rle_trans with (1 * Cmod (Cplus (a * x, a * y) (b * Rabs s, b * Rabs t))).
  - pose proof (Rmult_le_pos _ _ A X). pose proof (Rmult_le_pos _ _ A Y).
    pose proof (Rmult_le_pos _ _ B (Rabs_pos s)). pose proof (Rmult_le_pos _ _ B (Rabs_pos t)).
    apply Cmod_le_parts; [lra | |]; simpl; rewrite Rmult_1_l;
      rewrite (Rabs_pos_eq (a * _ + _)) by lra; assumption.
  - rewrite Rmult_1_l. eapply Rle_trans; [apply Cmod_triangle |].
    rewrite !Scale by assumption. apply Rplus_le_compat.
    + now apply Rmult_le_compat_l.
    + apply Rmult_le_compat_l; [exact B |]. unfold Cmod. simpl fst. simpl snd.
      rewrite !pow2_abs. apply Rle_refl.
Qed.

Lemma parts_of_format {fexp} l : Forall (cformat fexp) l ->
  Forall (generic_format radix2 fexp) (map fst l) /\ Forall (generic_format radix2 fexp) (map snd l).
Proof. intros F. split; apply Forall_map; refine (Forall_impl _ _ F); now intros z [Re Im]. Qed.

(** * Kahan's sum *)

(** y = fl(t - c), s' = fl(s + y), c' = fl(fl(s' - s) - y). *)
Definition kahan_step (rd : R -> R) (sc : R * R) (t : R) : R * R :=
  let y := rd (t - snd sc) in
  let s := rd (fst sc + y) in
  (s, rd (rd (s - fst sc) - y)).

Definition kahan (rd : R -> R) (l : list R) : R := fst (fold_left (kahan_step rd) l (0, 0)).

(** One step, in real numbers. T bounds the sum of all magnitudes, A is that of the terms before,
    S their sum, and X what is left for errors of second order. *)
Lemma kahan_step_real w T A S X s c t y s1 d1 c1 :
  0 < w <= / 16 -> 0 <= A -> A + Rabs t <= T -> Rabs S <= A -> 0 <= X <= 5/4 * w * T ->
  Rabs c <= 3 * w * T -> Rabs (s - c - S) <= (2 * w + 4 * w ^ 2) * A + X ->
  Rabs (y - (t - c)) <= w * Rabs (t - c) ->
  Rabs (s1 - (s + y)) <= w * Rabs (s + y) -> Rabs (s1 - (s + y)) <= w * Rabs s1 ->
  Rabs (d1 - (s1 - s)) <= w * Rabs (s1 - s) ->
  Rabs (c1 - (d1 - y)) <= w * Rabs (d1 - y) ->
  Rabs c1 <= 3 * w * T /\
  Rabs (s1 - c1 - (S + t)) <= (2 * w + 4 * w ^ 2) * (A + Rabs t) + (X + 10 * w ^ 2 * T) /\
  (1 - w) * Rabs (s1 - (S + t)) <=
    (2 * w + 4 * w ^ 2) * (A + Rabs t) + (X + 10 * w ^ 2 * T) + 3 * w ^ 2 * T + w * Rabs (S + t).
Proof.
  intros W A0 AT SA HX Hc He Hy Hs Hs' Hd Hc1.
  pose proof (Rabs_pos t) as T0. assert (T1 : 0 <= T) by lra.
  assert (W2 : 0 <= w ^ 2) by apply pow2_ge_0.
  assert (Wt : forall a b, a <= b -> w * a <= w * b) by (intros; apply Rmult_le_compat_l; lra).
  (* y *)
  assert (Tc : Rabs (t - c) <= Rabs t + Rabs c).
  { unfold Rminus. eapply Rle_trans; [apply Rabs_triang |]. rewrite Rabs_Ropp. lra. }
  assert (Y1 : Rabs (y - (t - c)) <= w * (Rabs t + Rabs c)).
  { eapply Rle_trans; [exact Hy | apply Wt; exact Tc]. }
  assert (Y : Rabs y <= (1 + w) * (Rabs t + Rabs c)).
  { as_sum ((y - (t - c)) + (t - c)). lra. }
  (* s + y *)
  assert (St : Rabs (S + t) <= A + Rabs t) by (eapply Rle_trans; [apply Rabs_triang | lra]).
  assert (Sy : Rabs (s + y) <= 13/10 * T).
  { as_sum ((S + t) + (s - c - S) + (y - (t - c))).
    assert (B1 : Rabs (S + t + (s - c - S)) <= T + ((2 * w + 4 * w ^ 2) * T + 5/4 * w * T)).
    { eapply Rle_trans; [apply Rabs_triang |].
      assert ((2 * w + 4 * w ^ 2) * A <= (2 * w + 4 * w ^ 2) * T)
        by (apply Rmult_le_compat_l; lra).
      lra. }
    assert (B2 : w * (Rabs t + Rabs c) <= w * (T + 3 * w * T)) by (apply Wt; lra).
    assert (B3 : (17/4 * w + 7 * w ^ 2) * T <= 3/10 * T)
      by (apply Rmult_le_compat_r; [exact T1 |]; clear - W; nra).
    lra. }
  set (d := s1 - (s + y)) in *.
  assert (D : Rabs d <= 13/10 * w * T).
  { eapply Rle_trans; [exact Hs |]. pose proof (Wt _ _ Sy). lra. }
  assert (Yd : Rabs (s1 - s) <= Rabs y + Rabs d).
  { replace (s1 - s) with (y + d) by (unfold d; ring). apply Rabs_triang. }
  set (g := d1 - (s1 - s)) in *.
  assert (G : Rabs g <= w * (Rabs y + Rabs d)).
  { eapply Rle_trans; [exact Hd | apply Wt; exact Yd]. }
  assert (Dy : Rabs (d1 - y) <= Rabs d + Rabs g).
  { replace (d1 - y) with (d + g) by (unfold d, g; ring). apply Rabs_triang. }
  set (h := c1 - (d1 - y)) in *.
  assert (H : Rabs h <= w * (Rabs d + Rabs g)).
  { eapply Rle_trans; [exact Hc1 | apply Wt; exact Dy]. }
  (* all in terms of |t| and T *)
  assert (C1 : Rabs c <= 3 * w * T) by exact Hc.
  assert (WY : w * Rabs y <= w * ((1 + w) * (Rabs t + Rabs c))) by (apply Wt; exact Y).
  assert (WG : w * Rabs g <= w * (w * (Rabs y + Rabs d))) by (apply Wt; exact G).
  assert (WWY : w * (w * Rabs y) <= w * (w * ((1 + w) * (Rabs t + Rabs c))))
    by (apply Wt; exact WY).
  assert (WD : w * Rabs d <= w * (13/10 * w * T)) by (apply Wt; exact D).
  assert (WWD : w * (w * Rabs d) <= w * (w * (13/10 * w * T))) by (apply Wt; exact WD).
  assert (K0 : 0 <= w * (1 + (1 + w) ^ 2)) by (clear - W; nra).
  assert (K1 : w * (1 + (1 + w) ^ 2) * Rabs c <= w * (1 + (1 + w) ^ 2) * (3 * w * T))
    by (apply Rmult_le_compat_l; [exact K0 | exact C1]).
  assert (K2 : (2 * w + 2 * w ^ 2 + w ^ 3) * Rabs t <= (2 * w + 4 * w ^ 2) * Rabs t).
  { apply Rmult_le_compat_r; [exact T0 |]. clear - W. nra. }
  assert (K3 : w ^ 2 * (86/10 + 73/10 * w + 3 * w ^ 2) * T <= 10 * w ^ 2 * T).
  { apply Rmult_le_compat_r; [exact T1 |]. rewrite (Rmult_comm 10).
    apply Rmult_le_compat_l; [exact W2 |]. clear - W. nra. }
  split; [| split].
  - as_sum (d + g + h) by (unfold d, g, h; ring).
    pose proof (Rabs_triang d g) as DG.
    assert (K4 : w * (1 + w) ^ 2 * (Rabs t + Rabs c) <= w * (1 + w) ^ 2 * (T + 3 * w * T)).
    { apply Rmult_le_compat_l; [clear - W; nra | lra]. }
    assert (K5 : (1 + w) ^ 2 * Rabs d <= (1 + w) ^ 2 * (13/10 * w * T)).
    { apply Rmult_le_compat_l; [apply pow2_ge_0 | exact D]. }
    assert (K6 : w * ((1 + w) ^ 2 * (23/10 + 3 * w)) * T <= w * 3 * T).
    { apply Rmult_le_compat_r; [exact T1 |]. apply Rmult_le_compat_l; [lra |]. clear - W. nra. }
    lra.
  - as_sum ((s - c - S) + (y - (t - c)) + (- g + - h)) by (unfold d, g, h; ring).
    pose proof (Rabs_triang (s - c - S) (y - (t - c))) as Q1.
    pose proof (Rabs_triang (- g) (- h)) as Q2. rewrite !Rabs_Ropp in Q2.
    lra.
  - assert (E : Rabs (s1 - (S + t)) <=
                (2 * w + 4 * w ^ 2) * A + X + w * (Rabs t + Rabs c) + w * Rabs s1).
    { as_sum ((s - c - S) + (y - (t - c)) + d) by (unfold d; ring).
      pose proof (Rabs_triang (s - c - S) (y - (t - c))). lra. }
    assert (S1 : w * Rabs s1 <= w * (Rabs (S + t) + Rabs (s1 - (S + t)))).
    { apply Wt. replace s1 with ((S + t) + (s1 - (S + t))) at 1 by ring. apply Rabs_triang. }
    pose proof (Wt _ _ C1). assert (0 <= (w + 4 * w ^ 2) * Rabs t) by (apply Rmult_le_pos; lra).
    assert (0 <= 10 * w ^ 2 * T) by (apply Rmult_le_pos; lra).
    lra.
Qed.

Section Sums.

Variables emin p : Z.
Hypothesis four_bits : (4 <= p)%Z.

Local Instance precision : Prec_gt_0 p.
Proof. unfold Prec_gt_0. lia. Qed.

Notation format := (generic_format radix2 (FLT_exp emin p)).
Variable choice : Z -> bool.
Notation rd := (flt emin p choice).

Lemma rd_format x : format (rd x).
Proof. apply generic_format_round; typeclasses eauto. Qed.

Lemma u_le_sixteenth : u p <= / 16.
Proof. apply (u_le p 4). lia. Qed.

Lemma sum_error x y : format x -> format y -> Rabs (rd (x + y) - (x + y)) <= u p * Rabs (x + y).
Proof.
  intros Fx Fy. apply (nearest_error p (FLX_exp p)).
  apply (flt_sum_is_flx emin p); try assumption. apply flt_nearest. exact precision.
Qed.

Lemma difference_error x y : format x -> format y ->
  Rabs (rd (x - y) - (x - y)) <= u p * Rabs (x - y).
Proof. intros Fx Fy. apply sum_error; [exact Fx | now apply generic_format_opp]. Qed.

(** Relative to the rounded sum as well. *)
Lemma sum_error_of_result x y : format x -> format y ->
  Rabs (rd (x + y) - (x + y)) <= u p * Rabs (rd (x + y)).
Proof.
  intros Fx Fy.
  pose proof (flt_sum_is_flx emin p x y _ Fx Fy (flt_nearest emin p choice (x + y))) as N.
  (* |fl - z| <= u/(1 + u) |z|, so that |z| (1 - u/(1 + u)) <= |fl| *)
  pose proof (nearest_error_sharp p (FLX_exp p) _ _ N) as E. pose proof (u_pos p) as U.
  set (z := x + y) in *. set (r := rd z) in *.
  assert (B : Rabs z <= Rabs r + Rabs (r - z)).
  { as_sum (r + - (r - z)). rewrite Rabs_Ropp. lra. }
  assert (C : (1 + u p) * Rabs (r - z) <= u p * Rabs z).
  { replace (u p * Rabs z) with ((1 + u p) * (u p / (1 + u p) * Rabs z)) by (field; lra).
    apply Rmult_le_compat_l; lra. }
  pose proof (Rmult_le_compat_l (u p) _ _ (Rlt_le _ _ U) B). lra.
Qed.

Lemma kahan_invariant T : forall l k S A s c, Forall format l -> format s -> format c ->
  (INR k + INR (length l)) * u p <= / 8 -> 0 <= A -> A + total_abs l <= T -> Rabs S <= A ->
  Rabs c <= 3 * u p * T ->
  Rabs (s - c - S) <= (2 * u p + 4 * u p ^ 2) * A + 10 * INR k * u p ^ 2 * T ->
  (1 - u p) * Rabs (s - S) <= (2 * u p + 4 * u p ^ 2) * A + 10 * INR k * u p ^ 2 * T +
    3 * u p ^ 2 * T + u p * Rabs S ->
  (1 - u p) * Rabs (fst (fold_left (kahan_step rd) l (s, c)) - (S + total l)) <=
    (2 * u p + 4 * u p ^ 2) * (A + total_abs l) +
    10 * (INR k + INR (length l)) * u p ^ 2 * T + 3 * u p ^ 2 * T + u p * Rabs (S + total l).
Proof.
  pose proof (u_pos p) as U. pose proof u_le_sixteenth as U4.
  induction l as [|t l I]; intros k S A s c Fl Fs Fc K A0 AT SA Hc He Hr.
  - unfold total_abs. simpl. rewrite !Rplus_0_r. exact Hr.
  - apply Forall_cons_iff in Fl as [Ft Fl].
    assert (TA : total_abs (t :: l) = Rabs t + total_abs l) by reflexivity.
    assert (TT : total (t :: l) = t + total l) by reflexivity.
    pose proof (total_abs_nonneg l) as L0. pose proof (Rabs_pos t) as T0.
    assert (Len : INR (length (t :: l)) = INR (length l) + 1) by apply S_INR.
    pose proof (pos_INR k) as K0. pose proof (pos_INR (length l)) as N0.
    assert (T1 : 0 <= T) by lra.
    assert (X : 0 <= 10 * INR k * u p ^ 2 * T <= 5/4 * u p * T).
    { assert (Z : 0 <= u p * T) by (apply Rmult_le_pos; lra).
      replace (10 * INR k * u p ^ 2 * T) with (10 * (INR k * u p) * (u p * T)) by ring.
      assert (Ku : 0 <= INR k * u p <= / 8).
      { split; [apply Rmult_le_pos; lra |]. eapply Rle_trans; [| exact K].
        apply Rmult_le_compat_r; lra. }
      split; [apply Rmult_le_pos; lra |].
      replace (5/4 * u p * T) with (10 * / 8 * (u p * T)) by field.
      apply Rmult_le_compat_r; lra. }
    set (y := rd (t - c)). set (s1 := rd (s + y)). set (d1 := rd (s1 - s)). set (c1 := rd (d1 - y)).
    destruct (kahan_step_real (u p) T A S (10 * INR k * u p ^ 2 * T) s c t y s1 d1 c1)
      as [C1 [E1 R1]]; try assumption; try lra.
    + now apply difference_error.
    + apply sum_error; [exact Fs | apply rd_format].
    + apply sum_error_of_result; [exact Fs | apply rd_format].
    + apply difference_error; [apply rd_format | exact Fs].
    + apply difference_error; apply rd_format.
    + rewrite TA, TT, Len in *. simpl fold_left.
      change (kahan_step rd (s, c) t) with (s1, c1).
      replace (S + (t + total l)) with (S + t + total l) by ring.
      replace (A + (Rabs t + total_abs l)) with (A + Rabs t + total_abs l) by ring.
      replace (INR k + (INR (length l) + 1)) with (INR (Datatypes.S k) + INR (length l))
        by (rewrite S_INR; ring).
      apply I; try assumption; try apply rd_format; try lra.
      * rewrite S_INR. lra.
      * eapply Rle_trans; [apply Rabs_triang | lra].
      * rewrite S_INR. lra.
      * rewrite S_INR. lra.
Qed.

(** Kahan's sum of r terms, r u <= 1/8:
    |error| <= (2u + (16 r + 8) u^2) sum|t| + (u + 4u^2) |sum t|. It is KahanSum::sum_errors.
    Source: Kahan, CACM 8(1), 1965; Higham, ASNA 2nd ed., (4.8), with a term of second order that
    the proof needs not know. *)
Theorem kahan_error l : Forall format l -> INR (length l) * u p <= / 8 ->
  Rabs (kahan rd l - total l) <=
  (2 * u p + (16 * INR (length l) + 8) * u p ^ 2) * total_abs l +
  (u p + 4 * u p ^ 2) * Rabs (total l).
Proof.
  intros Fl K. pose proof (u_pos p) as U. pose proof u_le_sixteenth as U4.
  pose proof (total_abs_nonneg l) as T0.
  assert (W2 : 0 <= u p ^ 2) by apply pow2_ge_0.
  assert (W2T : 0 <= u p ^ 2 * total_abs l) by (apply Rmult_le_pos; assumption).
  destruct l as [|t l'].
  { unfold kahan, total_abs, total. simpl. rewrite Rminus_0_r, Rabs_R0. lra. }
  assert (N1 : 1 <= INR (length (t :: l'))).
  { change 1 with (INR 1). apply le_INR. simpl. lia. }
  set (l := t :: l') in *. set (n := INR (length l)) in *.
  assert (Fz : format 0) by apply generic_format_0.
  assert (H : (1 - u p) * Rabs (kahan rd l - (0 + total l)) <=
    (2 * u p + 4 * u p ^ 2) * (0 + total_abs l) +
    10 * (INR 0 + INR (length l)) * u p ^ 2 * total_abs l + 3 * u p ^ 2 * total_abs l +
    u p * Rabs (0 + total l)).
  { unfold kahan. apply kahan_invariant; try assumption; rewrite ?Rminus_0_r, ?Rabs_R0; simpl INR.
    - fold n. rewrite Rplus_0_l. exact K.
    - apply Rle_refl.
    - rewrite Rplus_0_l. apply Rle_refl.
    - apply Rle_refl.
    - apply Rmult_le_pos; [lra | exact T0].
    - lra.
    - lra. }
  rewrite !Rplus_0_l in H. fold n in H.
  set (T := total_abs l) in *. set (S := Rabs (total l)) in *.
  assert (S0 : 0 <= S) by apply Rabs_pos.
  set (w := u p) in *.
  apply Rmult_le_reg_l with (1 - w); [lra |].
  eapply Rle_trans; [exact H |]. simpl INR. rewrite ?Rplus_0_l.
  assert (P1 : w * S <= (1 - w) * (w + 4 * w ^ 2) * S).
  { apply Rmult_le_compat_r; [exact S0 |]. clear - U U4. nra. }
  assert (P2 : (2 * w + (10 * n + 7) * w ^ 2) * T <= (1 - w) * (2 * w + (16 * n + 8) * w ^ 2) * T).
  { apply Rmult_le_compat_r; [exact T0 |].
    assert (Q : 0 <= w ^ 2 * (6 * n - 1 - (16 * n + 8) * w)).
    { apply Rmult_le_pos; [exact W2 |].
      assert ((16 * n + 8) * w <= (16 * n + 8) * / 16) by (apply Rmult_le_compat_l; lra). lra. }
    lra. }
  lra.
Qed.

(** Of complex terms, in the norm of both parts. *)
Theorem kahan_complex_error l : Forall (cformat (FLT_exp emin p)) l ->
  INR (length l) * u p <= / 8 ->
  Cmod (Cminus (kahan rd (map fst l), kahan rd (map snd l)) (complex_total l)) <=
  (2 * u p + (16 * INR (length l) + 8) * u p ^ 2) * complex_total_abs l +
  (u p + 4 * u p ^ 2) * Cmod (complex_total l).
Proof.
  intros Fl K. pose proof (u_pos p) as U. pose proof (pow2_ge_0 (u p)) as U2.
  pose proof (pos_INR (length l)) as N. destruct (parts_of_format l Fl) as [Re Im].
  apply complex_sum_of_parts; [| lra | |].
  - apply Rplus_le_le_0_compat; [lra |]. apply Rmult_le_pos; lra.
  - pose proof (kahan_error (map fst l)) as E. rewrite map_length in E. now apply E.
  - pose proof (kahan_error (map snd l)) as E. rewrite map_length in E. now apply E.
Qed.

(** * Neumaier's sum *)

(** s' = fl(s + t), c' = fl(c + fl(fl(a - s') + b)), a the larger of s and t and b the other. *)
Definition neumaier_step (sc : R * R) (t : R) : R * R :=
  let s := rd (fst sc + t) in
  let '(a, b) := if Rle_bool (Rabs t) (Rabs (fst sc)) then (fst sc, t) else (t, fst sc) in
  (s, rd (snd sc + rd (rd (a - s) + b))).

(** The sum of the first term is exact. *)
Definition neumaier (l : list R) : R :=
  let '(s, c) := fold_left neumaier_step l (0, 0) in rd (s + c).

Section Symmetric.

Hypothesis at_most_one : (emin <= 0)%Z.
Hypothesis symmetric : forall x, choice x = negb (choice (- (x + 1))).

(** The error of a sum is found exactly. Source: Dekker 1971; Flocq, Fast2Sum_correct. *)
Lemma fast_two_sum_exact a b : format a -> format b -> Rabs b <= Rabs a ->
  rd (rd (a - rd (a + b)) + b) = a + b - rd (a + b).
Proof.
  intros Fa Fb L.
  assert (P1 : (1 < p)%Z) by lia.
  pose proof (Fast2Sum_correct emin p choice P1 at_most_one symmetric a b Fa Fb L) as E.
  unfold flt in *. rewrite (Rplus_comm b) in E. lra.
Qed.

Lemma neumaier_step_exact s c t : format s -> format t ->
  neumaier_step (s, c) t = (rd (s + t), rd (c + (s + t - rd (s + t)))).
Proof.
  intros Fs Ft. unfold neumaier_step. simpl fst. simpl snd.
  case Rle_bool_spec; intros L.
  - now rewrite fast_two_sum_exact.
  - f_equal. f_equal. f_equal. rewrite (Rplus_comm s t).
    apply fast_two_sum_exact; try assumption. lra.
Qed.

Notation q := (1 + u p).

Lemma neumaier_invariant : forall l k S A s c E B, Forall format l -> format s -> format c ->
  0 <= A -> s + E = S -> Rabs E <= B -> Rabs s <= q ^ k * A -> B <= (q ^ k - 1) * A ->
  Rabs (c - E) <= (q ^ k - 1) * B ->
  exists s' c' E' B', fold_left neumaier_step l (s, c) = (s', c') /\ format s' /\ format c' /\
    s' + E' = S + total l /\ B' <= (q ^ (k + length l) - 1) * (A + total_abs l) /\
    Rabs (c' - E') <= (q ^ (k + length l) - 1) * B'.
Proof.
  pose proof (u_pos p) as U.
  induction l as [|t l I]; intros k S A s c E B Fl Fs Fc A0 SE EB Sb Bb Cb.
  - exists s, c, E, B. unfold total_abs. simpl. rewrite Nat.add_0_r, !Rplus_0_r. tauto.
  - apply Forall_cons_iff in Fl as [Ft Fl]. simpl fold_left.
    rewrite neumaier_step_exact by assumption.
    pose proof (sum_error s t Fs Ft) as Er.
    set (s1 := rd (s + t)) in *. set (e := s + t - s1).
    assert (Fe : format e).
    { assert (X : exists z, e = rd z).
      { destruct (Rle_or_lt (Rabs t) (Rabs s)) as [L|L].
        - exists (rd (s - rd (s + t)) + t). now rewrite fast_two_sum_exact.
        - exists (rd (t - rd (t + s)) + s). rewrite fast_two_sum_exact; try assumption; [| lra].
          unfold e, s1. now rewrite (Rplus_comm t s). }
      destruct X as [z ->]. apply rd_format. }
    pose proof (sum_error c e Fc Fe) as Ec. set (c1 := rd (c + e)) in *.
    pose proof (Rabs_pos t) as T0. pose proof (Rabs_pos E) as E0.
    assert (Q1 : 1 <= q ^ k) by (apply pow_R1_Rle; lra).
    assert (Qk : q ^ Datatypes.S k = q ^ k * q) by (simpl; ring).
    assert (Ee : Rabs e <= u p * (q ^ k * (A + Rabs t))).
    { unfold e. rewrite Rabs_minus_sym. eapply Rle_trans; [exact Er |].
      apply Rmult_le_compat_l; [lra |]. eapply Rle_trans; [apply Rabs_triang |].
      pose proof (Rmult_le_compat_r _ _ _ T0 Q1). lra. }
    assert (Uq : 0 <= u p * q ^ k) by (apply Rmult_le_pos; lra).
    assert (Bt : 0 <= (q ^ k - 1) * Rabs t) by (apply Rmult_le_pos; lra).
    pose proof (Rabs_pos e) as e0.
    destruct (I (Datatypes.S k) (S + t) (A + Rabs t) s1 c1 (E + e) (B + Rabs e))
      as [s' [c' [E' [B' [F1 [F2 [F3 [F4 [F5 F6]]]]]]]]]; try assumption; try apply rd_format.
    + lra.
    + unfold e. lra.
    + eapply Rle_trans; [apply Rabs_triang | lra].
    + as_sum ((s1 - (s + t)) + (s + t)). rewrite Qk.
      assert (V : Rabs (s + t) <= q ^ k * (A + Rabs t)).
      { eapply Rle_trans; [apply Rabs_triang |].
        pose proof (Rmult_le_compat_r _ _ _ T0 Q1). lra. }
      pose proof (Rmult_le_compat_l (u p) _ _ (Rlt_le _ _ U) V). lra.
    + rewrite Qk. lra.
    + rewrite Qk.
      as_sum ((c1 - (c + e)) + (c - E)).
      assert (V : Rabs (c + e) <= q ^ k * (B + Rabs e)).
      { as_sum ((c - E) + E + e).
        pose proof (Rabs_triang (c - E) E). pose proof (Rmult_le_compat_r _ _ _ e0 Q1). lra. }
      pose proof (Rmult_le_compat_l (u p) _ _ (Rlt_le _ _ U) V).
      assert (0 <= (q ^ k - 1) * Rabs e) by (apply Rmult_le_pos; lra). lra.
    + exists s', c', E', B'. simpl length. rewrite <- Nat.add_succ_comm.
      unfold total_abs in *. simpl. fold (total l) in *.
      split; [exact F1 |]. split; [exact F2 |]. split; [exact F3 |].
      split; [simpl in F4; lra |]. split; [| exact F6].
      eapply Rle_trans; [exact F5 |]. apply Req_le. simpl. ring.
Qed.

(** gamma_k = k u/(1 - k u). *)
Definition gamma (k : nat) : R := INR k * u p / (1 - INR k * u p).

(** (1 + u)^k - 1 <= gamma_k. Source: Higham, ASNA 2nd ed., lemma 3.1. *)
Lemma power_le_gamma k : INR k * u p < 1 -> q ^ k - 1 <= gamma k.
Proof.
  intros K. pose proof (u_pos p) as U.
  assert (P : q ^ k * (1 - INR k * u p) <= 1).
  { clear K. induction k as [|k I]; [simpl; lra |].
    rewrite S_INR. simpl. assert (0 < q ^ k) by (apply pow_lt; lra).
    pose proof (pos_INR k).
    assert (0 <= q ^ k * ((INR k + 1) * u p ^ 2)).
    { apply Rmult_le_pos; [lra |]. apply Rmult_le_pos; [lra | apply pow2_ge_0]. }
    lra. }
  unfold gamma. apply Rmult_le_reg_r with (1 - INR k * u p); [lra |].
  replace (INR k * u p / (1 - INR k * u p) * (1 - INR k * u p)) with (INR k * u p) by (field; lra).
  lra.
Qed.

(** Neumaier's sum of r terms: |error| <= u |sum t| + (1 + u) gamma_(r-1)^2 sum|t|. It is
    NeumaierSum::sum_errors. Source: Ogita, Rump, Oishi, SIAM J. Sci. Comput. 26 (2005),
    proposition 4.5. *)
Theorem neumaier_error t l : Forall format (t :: l) -> INR (length l) * u p < 1 ->
  Rabs (neumaier (t :: l) - total (t :: l)) <=
  u p * Rabs (total (t :: l)) + (1 + u p) * gamma (length l) ^ 2 * total_abs (t :: l).
Proof.
  intros Fl K. apply Forall_cons_iff in Fl as [Ft Fl]. pose proof (u_pos p) as U.
  assert (F0 : format 0) by apply generic_format_0.
  assert (Rt : rd t = t) by (apply round_generic; [typeclasses eauto | exact Ft]).
  assert (R0 : rd 0 = 0) by (apply round_generic; [typeclasses eauto | exact F0]).
  unfold neumaier. simpl fold_left. rewrite neumaier_step_exact by assumption.
  rewrite !Rplus_0_l, Rt, (Rminus_diag_eq t t), R0 by reflexivity.
  destruct (neumaier_invariant l 0 t (Rabs t) t 0 0 0) as
    [s' [c' [E' [B' [F1 [F2 [F3 [F4 [F5 F6]]]]]]]]]; try assumption;
    rewrite ?Rminus_0_r, ?Rabs_R0; simpl pow; try lra.
  { apply Rabs_pos. }
  rewrite F1. change (total (t :: l)) with (t + total l).
  change (total_abs (t :: l)) with (Rabs t + total_abs l).
  rewrite <- F4. simpl Nat.add in *.
  pose proof (sum_error s' c' F2 F3) as Er.
  pose proof (power_le_gamma (length l) K) as G.
  set (n := length l) in *. set (T := Rabs t + total_abs l) in *.
  assert (T0 : 0 <= T).
  { pose proof (total_abs_nonneg l). pose proof (Rabs_pos t). unfold T. lra. }
  assert (Q0 : 0 <= q ^ n - 1) by (pose proof (pow_R1_Rle q n ltac:(lra)); lra).
  assert (C : Rabs (c' - E') <= gamma n ^ 2 * T).
  { eapply Rle_trans; [exact F6 |].
    apply Rle_trans with ((q ^ n - 1) * ((q ^ n - 1) * T)); [now apply Rmult_le_compat_l |].
    rewrite <- Rmult_assoc. apply Rmult_le_compat_r; [exact T0 |].
    replace (gamma n ^ 2) with (gamma n * gamma n) by ring. now apply Rmult_le_compat. }
  as_sum ((rd (s' + c') - (s' + c')) + (c' - E')).
  assert (V : Rabs (s' + c') <= Rabs (s' + E') + Rabs (c' - E')).
  { replace (s' + c') with ((s' + E') + (c' - E')) by ring. apply Rabs_triang. }
  pose proof (Rmult_le_compat_l (u p) _ _ (Rlt_le _ _ U) V).
  pose proof (Rmult_le_compat_l (u p) _ _ (Rlt_le _ _ U) C). lra.
Qed.

(** Of complex terms, in the norm of both parts. *)
Theorem neumaier_complex_error z l : Forall (cformat (FLT_exp emin p)) (z :: l) ->
  INR (length l) * u p < 1 ->
  Cmod (Cminus (neumaier (map fst (z :: l)), neumaier (map snd (z :: l)))
               (complex_total (z :: l))) <=
  (1 + u p) * gamma (length l) ^ 2 * complex_total_abs (z :: l) +
  u p * Cmod (complex_total (z :: l)).
Proof.
  intros Fl K. pose proof (u_pos p) as U. destruct (parts_of_format _ Fl) as [Re Im].
  apply complex_sum_of_parts; [| lra | |].
  - apply Rmult_le_pos; [lra | apply pow2_ge_0].
  - pose proof (neumaier_error (fst z) (map fst l)) as E. rewrite map_length in E. rewrite Rplus_comm.
    now apply E.
  - pose proof (neumaier_error (snd z) (map snd l)) as E. rewrite map_length in E. rewrite Rplus_comm.
    now apply E.
Qed.

End Symmetric.

End Sums.
