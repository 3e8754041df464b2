(** Complex products whose real products are pairs of numbers: 2Prod and Dot2.

    The order of operations is that of [split], [two_prod] and [two_sum] in arith/formats/eft.hpp,
    of [multiply_two_prod] in arith/formats/complex.hpp and of [Dot2Product] in
    arith/kernels/products.hpp. The format has p >= 5 bits and gradual underflow; every operation
    rounds to nearest, ties symmetric, and nothing overflows.

    Theorems to cite: two_prod_exact, two_prod_limit, two_prod_error, two_sum_exact,
    two_prod_product_error, dot2_error, dot2_product_error. *)

From Coq Require Import ZArith Reals Lra Lia Psatz.
From Flocq Require Import Core Pff2Flocq.
From Coquelicot Require Import Complex.
From Fftprec Require Import Rounding Products.

Local Open Scope R_scope.

(** * Order of operations *)

Section Order.

Variable rd : R -> R.
Variable factor : R.

(** high = fl(s - fl(s - x)), s = fl(factor x), and low = fl(x - high). *)
Definition split_high (x : R) : R := rd (rd (factor * x) - rd (rd (factor * x) - x)).
Definition split_low (x : R) : R := rd (x - split_high x).

Definition prod_high (a b : R) : R := rd (a * b).
Definition prod_low (a b : R) : R :=
  rd (rd (rd (rd (rd (split_high a * split_high b) - prod_high a b) +
                  rd (split_high a * split_low b)) +
              rd (split_low a * split_high b)) +
          rd (split_low a * split_low b)).

Definition sum_high (a b : R) : R := rd (a + b).
Definition sum_low (a b : R) : R :=
  let b_seen := rd (sum_high a b - a) in
  let a_seen := rd (sum_high a b - b_seen) in
  rd (rd (a - a_seen) + rd (b - b_seen)).

Definition two_prod_multiply (w x : C) : C :=
  let rr := (fst w, fst x) in let ii := (snd w, snd x) in
  let ri := (fst w, snd x) in let ir := (snd w, fst x) in
  let high q := prod_high (fst q) (snd q) in
  let low q := prod_low (fst q) (snd q) in
  (rd (rd (high rr - high ii) + rd (low rr - low ii)),
   rd (rd (high ri + high ir) + rd (low ri + low ir))).

(** a b + c d: the pair of a b, then a step of Dot2, then the sum of the pair. *)
Definition dot2 (a b c d : R) : R :=
  rd (sum_high (prod_high a b) (prod_high c d) +
      rd (prod_low a b + rd (sum_low (prod_high a b) (prod_high c d) + prod_low c d))).

Definition dot2_multiply (w x : C) : C :=
  (dot2 (fst w) (fst x) (- snd w) (snd x), dot2 (fst w) (snd x) (snd w) (fst x)).

End Order.

Section Pairs.

Variables emin p : Z.
Hypothesis five_bits : (5 <= p)%Z.
Hypothesis below_one : (emin < 0)%Z.
Variable choice : Z -> bool.
Hypothesis symmetric : forall x, choice x = negb (choice (- (x + 1))).

Local Instance precision : Prec_gt_0 p.
Proof. unfold Prec_gt_0. lia. Qed.

Notation format := (generic_format radix2 (FLT_exp emin p)).
Notation rd := (flt emin p choice).
Notation eta := (eta emin).

(** veltkamp_factor: 2^ceil(p/2) + 1. *)
Definition veltkamp : R := bpow radix2 (p - Z.div2 p) + 1.

Lemma u_le_32th : u p <= / 32.
Proof. apply (u_le p 5). lia. Qed.

Notation prod_high := (prod_high rd).
Notation prod_low := (prod_low rd veltkamp).
Notation sum_high := (sum_high rd).
Notation sum_low := (sum_low rd).

Lemma rd_format x : format (rd x).
Proof. apply generic_format_round; typeclasses eauto. Qed.

Lemma rd_opp x : rd (- x) = - rd x.
Proof.
  unfold flt. rewrite round_N_opp. f_equal. unfold round. f_equal. f_equal.
  unfold Znearest. now rewrite <- symmetric.
Qed.

Lemma rd_error x : Rabs (rd x - x) <= u p * Rabs x + eta / 2.
Proof. apply flt_errs_by. exact precision. Qed.

Lemma rd_sum_error x y : format x -> format y -> Rabs (rd (x + y) - (x + y)) <= u p * Rabs (x + y).
Proof.
  intros Fx Fy. apply (nearest_error p (FLX_exp p)).
  apply (flt_sum_is_flx emin p); try assumption. apply flt_nearest. exact precision.
Qed.

(** * Pairs *)

Lemma split_high_as_flocq x :
  split_high rd veltkamp x = rd (rd (x - rd (x * veltkamp)) + rd (x * veltkamp)).
Proof.
  unfold split_high. rewrite (Rmult_comm veltkamp x).
  replace (rd (x * veltkamp) - x) with (- (x - rd (x * veltkamp))) by ring.
  rewrite rd_opp. f_equal. ring.
Qed.

(** high + low = a b for a b = 0 and from 2^(emin + 2p - 1) on, 2^emin the smallest positive number
    (in fp32 from 2^-102 on). Else high + low is off by at most 7/2 eta.
    Source: Dekker, Numer. Math. 18 (1971), 224-242; Boldo, IJCAR 2006; Flocq, Dekker. *)
Lemma dekker a b : format a -> format b ->
  (a * b = 0 \/ bpow radix2 (emin + 2 * p - 1) <= Rabs (a * b) ->
   a * b = prod_high a b + prod_low a b) /\
  Rabs (a * b - (prod_high a b + prod_low a b)) <= 7/2 * eta.
Proof.
  intros Fa Fb.
  assert (P4 : (4 <= p)%Z) by lia.
  pose proof (Dekker radix2 emin p choice P4 below_one a b Fa Fb (or_introl eq_refl)) as D.
  unfold Schemes.prod_low, split_low. rewrite !split_high_as_flocq.
  unfold Schemes.prod_high, veltkamp, flt in *.
  rewrite !(Rplus_comm (- _)) in D. exact D.
Qed.

Theorem two_prod_exact a b : format a -> format b ->
  a * b = 0 \/ bpow radix2 (emin + 2 * p - 1) <= Rabs (a * b) ->
  prod_high a b + prod_low a b = a * b.
Proof. intros Fa Fb H. symmetry. now apply dekker. Qed.

(** Half of this limit is too low: from 2^(emin + 2p - 2) on there is a product, namely
    (2^p - 1)^2 2^(emin - 1), that is the sum of no two numbers of the format. In fp32 it is just
    below 2^-102. *)
Theorem two_prod_limit : exists a b, format a /\ format b /\
  bpow radix2 (emin + 2 * p - 2) <= Rabs (a * b) /\
  forall h l, format h -> format l -> h + l <> a * b.
Proof.
  set (n := (2 ^ p - 1)%Z).
  assert (P : IZR (2 ^ p) = bpow radix2 p) by (apply (IZR_Zpower radix2); lia).
  assert (Big : (16 <= 2 ^ p)%Z).
  { change 16%Z with (2 ^ 4)%Z. apply Z.pow_le_mono_r; lia. }
  assert (Fn : forall e, (emin <= e)%Z -> format (IZR n * bpow radix2 e)).
  { intros e E. apply generic_format_FLT. exists (Float radix2 n e).
    - reflexivity.
    - simpl. unfold n. rewrite Z.abs_eq; [| lia]. lia.
    - exact E. }
  exists (IZR n * bpow radix2 (-1)), (IZR n * bpow radix2 emin).
  assert (V : IZR n * bpow radix2 (-1) * (IZR n * bpow radix2 emin) =
              IZR (n * n) * bpow radix2 (emin - 1)).
  { rewrite mult_IZR. unfold Zminus. rewrite bpow_plus. simpl bpow. ring. }
  split; [apply Fn; lia |]. split; [apply Fn; lia |]. split.
  - rewrite V. assert (B : 0 < bpow radix2 (emin - 1)) by apply bpow_gt_0.
    rewrite Rabs_pos_eq.
    + replace (emin + 2 * p - 2)%Z with (2 * p - 1 + (emin - 1))%Z by ring.
      rewrite bpow_plus. apply Rmult_le_compat_r; [lra |].
      rewrite <- (IZR_Zpower radix2) by lia. apply IZR_le. simpl radix_val.
      replace (2 * p - 1)%Z with (p + (p - 1))%Z by ring. rewrite Z.pow_add_r by lia.
      assert (H : (2 ^ p = 2 * 2 ^ (p - 1))%Z).
      { rewrite <- Z.pow_succ_r by lia. f_equal. lia. }
      unfold n. nia.
    + apply Rmult_le_pos; [| lra]. apply IZR_le. nia.
  - intros h l Fh Fl. rewrite V. intros E.
    assert (Grid : forall x, format x -> exists k, x = IZR k * bpow radix2 emin).
    { intros x F. apply generic_format_FIX_FLT, FIX_format_generic in F.
      destruct F as [[k e] -> H]. simpl in H. subst e. now exists k. }
    destruct (Grid h Fh) as [k ->]. destruct (Grid l Fl) as [j ->].
    assert (D : IZR (2 * (k + j)) = IZR (n * n)).
    { apply Rmult_eq_reg_r with (bpow radix2 (emin - 1)); [| apply Rgt_not_eq, bpow_gt_0].
      rewrite <- E, mult_IZR, plus_IZR.
      replace (bpow radix2 emin) with (2 * bpow radix2 (emin - 1)); [ring |].
      replace emin with (1 + (emin - 1))%Z at 2 by ring. now rewrite bpow_plus. }
    apply eq_IZR in D.
    assert (H : (2 ^ p = 2 * 2 ^ (p - 1))%Z).
    { rewrite <- Z.pow_succ_r by lia. f_equal. lia. }
    unfold n in D. rewrite H in D. lia.
Qed.

(** |high + low - a b| <= 7/2 eta. *)
Theorem two_prod_error a b : format a -> format b ->
  Rabs (prod_high a b + prod_low a b - a * b) <= 7/2 * eta.
Proof. intros Fa Fb. rewrite Rabs_minus_sym. now apply dekker. Qed.

(** |low| <= u |a b| + 4 eta. *)
Lemma prod_low_le a b : format a -> format b -> Rabs (prod_low a b) <= u p * Rabs (a * b) + 4 * eta.
Proof.
  intros Fa Fb. pose proof (two_prod_error a b Fa Fb) as E. pose proof (rd_error (a * b)) as H.
  fold (prod_high a b) in H.
  as_sum ((prod_high a b + prod_low a b - a * b) + - (prod_high a b - a * b)). rewrite Rabs_Ropp. lra.
Qed.

(** high + low = a + b. Source: Knuth, TAOCP 2, 4.2.2, theorem B; Flocq, TwoSum_correct. *)
Theorem two_sum_exact a b : format a -> format b -> sum_high a b + sum_low a b = a + b.
Proof.
  intros Fa Fb. unfold Schemes.sum_low, Schemes.sum_high, flt. cbv zeta.
  apply TwoSum_correct; try assumption; lia.
Qed.

(** * 2Prod *)

Lemma two_prod_absolute w : 0 <= w <= / 32 -> 7 * (w * (2 + w)) + 16 * (w * (1 + w)) + 7 <= 8.
Proof. intros W. nra. Qed.

(** Two numbers P and Q, each the sum of a pair up to 7/2 eta, whose low word is at most u times
    the number and 4 eta: heads and tails summed separately, then their sum. *)
Lemma sum_of_pairs_error P Q h1 l1 h2 l2 : format h1 -> format l1 -> format h2 -> format l2 ->
  Rabs (h1 + l1 - P) <= 7/2 * eta -> Rabs (h2 + l2 - Q) <= 7/2 * eta ->
  Rabs l1 <= u p * Rabs P + 4 * eta -> Rabs l2 <= u p * Rabs Q + 4 * eta ->
  Rabs (rd (rd (h1 + h2) + rd (l1 + l2)) - (P + Q)) <=
  (2 * u p + u p ^ 2) * Rabs (P + Q) +
  (2 * u p ^ 2 * (1 + u p) * (Rabs P + Rabs Q) + 8 * eta).
Proof.
  intros F1 F2 F3 F4 E1 E2 L1 L2.
  pose proof (u_pos p) as U. pose proof (eta_pos emin) as Eta.
  pose proof u_le_32th as U5.
  pose proof (rd_sum_error h1 h2 F1 F3) as H. pose proof (rd_sum_error l1 l2 F2 F4) as L.
  pose proof (rd_sum_error _ _ (rd_format (h1 + h2)) (rd_format (l1 + l2))) as T.
  set (a := rd (h1 + h2)) in *. set (b := rd (l1 + l2)) in *. set (r := rd (a + b)) in *.
  set (w := u p) in *. set (s := Rabs P + Rabs Q).
  (* the exact sum of both pairs *)
  set (d := h1 + h2 + (l1 + l2) - (P + Q)).
  assert (D : Rabs d <= 7 * eta).
  { unfold d. as_sum ((h1 + l1 - P) + (h2 + l2 - Q)). lra. }
  assert (Low : Rabs (l1 + l2) <= w * s + 8 * eta).
  { eapply Rle_trans; [apply Rabs_triang |]. unfold s. lra. }
  assert (High : Rabs (h1 + h2) <= Rabs (P + Q) + Rabs d + Rabs (l1 + l2)).
  { as_sum ((P + Q + d) + - (l1 + l2)) by (unfold d; ring). rewrite Rabs_Ropp.
    pose proof (Rabs_triang (P + Q) d). lra. }
  set (q := a + b - (h1 + h2 + (l1 + l2))).
  assert (Q1 : Rabs q <= w * Rabs (h1 + h2) + w * Rabs (l1 + l2)).
  { unfold q. as_sum ((a - (h1 + h2)) + (b - (l1 + l2))). lra. }
  assert (Sum : Rabs (a + b) <= Rabs (P + Q) + Rabs d + Rabs q).
  { as_sum ((P + Q + d) + q) by (unfold q, d; ring). pose proof (Rabs_triang (P + Q) d). lra. }
  as_sum ((r - (a + b)) + (q + d)) by (unfold q, d; ring).
  pose proof (Rabs_triang q d) as QD.
  set (z := Rabs (P + Q)) in *. set (x := Rabs (l1 + l2)) in *. set (g := Rabs d) in *.
  set (v := Rabs (h1 + h2)) in *. set (k := Rabs q) in *.
  assert (Z0 : 0 <= z) by apply Rabs_pos. assert (S0 : 0 <= s).
  { pose proof (Rabs_pos P). pose proof (Rabs_pos Q). unfold s. lra. }
  assert (K : k <= w * (z + g + 2 * x)) by nra.
  assert (K2 : w * k <= w * (w * (z + g + 2 * x))) by (apply Rmult_le_compat_l; lra).
  assert (B1 : Rabs (r - (a + b)) <= w * (z + g + k)) by nra.
  assert (C1 : 0 <= w * (1 + w)) by (apply Rmult_le_pos; lra).
  assert (C2 : 0 <= w * (2 + w)) by (apply Rmult_le_pos; lra).
  pose proof (Rmult_le_compat_l _ _ _ C1 Low) as X1.
  pose proof (Rmult_le_compat_l _ _ _ C2 D) as G1.
  assert (E3 : (7 * (w * (2 + w)) + 16 * (w * (1 + w)) + 7) * eta <= 8 * eta).
  { apply Rmult_le_compat_r; [lra | apply two_prod_absolute; lra]. }
  lra.
Qed.

Lemma pair_opp a b : format a -> format b -> format (- prod_high a b) /\ format (- prod_low a b) /\
  Rabs (- prod_high a b + - prod_low a b - - (a * b)) <= 7/2 * eta /\
  Rabs (- prod_low a b) <= u p * Rabs (- (a * b)) + 4 * eta.
Proof.
  intros Fa Fb. split; [| split; [| split]].
  - apply generic_format_opp, rd_format.
  - apply generic_format_opp, rd_format.
  - replace (_ - _) with (- (prod_high a b + prod_low a b - a * b)) by ring.
    rewrite Rabs_Ropp. now apply two_prod_error.
  - rewrite !Rabs_Ropp. now apply prod_low_le.
Qed.

(** |fl(w x) - w x| <= (2u + 4u^2) |w x| + sqrt(2) 8 eta. It is the bound of TwoProd. *)
Theorem two_prod_product_error w x :
  cformat (FLT_exp emin p) w -> cformat (FLT_exp emin p) x ->
  Cmod (Cminus (two_prod_multiply rd veltkamp w x) (Cmult w x)) <=
  (2 * u p + 4 * u p ^ 2) * Cmod (Cmult w x) + sqrt 2 * (8 * eta).
Proof.
  destruct w as [a b], x as [c d]. intros [Fa Fb] [Fc Fd]. simpl in Fa, Fb, Fc, Fd.
  pose proof (u_pos p) as U. pose proof (eta_pos emin) as Eta. pose proof u_le_32th as U5.
  destruct (pair_opp b d Fb Fd) as [O1 [O2 [O3 O4]]].
  pose proof (sum_of_pairs_error (a * c) (- (b * d)) _ _ _ _ (rd_format (a * c)) (rd_format _) O1 O2
    (two_prod_error a c Fa Fc) O3 (prod_low_le a c Fa Fc) O4) as Re. rewrite (Rabs_Ropp (b * d)) in Re.
  pose proof (sum_of_pairs_error (a * d) (b * c) _ _ _ _ (rd_format (a * d)) (rd_format _)
    (rd_format (b * c)) (rd_format _)
    (two_prod_error a d Fa Fd) (two_prod_error b c Fb Fc) (prod_low_le a d Fa Fd)
    (prod_low_le b c Fb Fc)) as Im.
  eapply Rle_trans; [apply (product_of_parts_error (2 * u p + u p ^ 2) (2 * u p ^ 2 * (1 + u p)));
                     [nra | nra | | exact Re | exact Im]; lra |].
  apply Rplus_le_compat_r, Rmult_le_compat_r; [apply Cmod_ge_0 |].
  pose proof sqrt_2_le as S. pose proof sqrt_2_pos.
  assert (sqrt 2 * (2 * (1 + u p)) <= 3) by nra.
  assert (u p ^ 2 * (sqrt 2 * (2 * (1 + u p))) <= u p ^ 2 * 3)
    by (apply Rmult_le_compat_l; [apply pow2_ge_0 | assumption]).
  lra.
Qed.

(** * Dot2 *)

(** gamma_2 = 2u/(1 - 2u). *)
Definition gamma2 : R := 2 * u p / (1 - 2 * u p).

(** (1 + u)(2 + u)^2 u^2 <= gamma_2^2. *)
Lemma dot2_le_gamma : u p ^ 2 * ((1 + u p) * (2 + u p) ^ 2) <= gamma2 ^ 2.
Proof.
  pose proof (u_pos p) as U.
  pose proof u_le_32th as U5.
  unfold gamma2. set (w := u p) in *.
  apply Rmult_le_reg_r with ((1 - 2 * w) ^ 2); [nra |].
  replace ((2 * w / (1 - 2 * w)) ^ 2 * (1 - 2 * w) ^ 2) with (w ^ 2 * 4) by (field; lra).
  rewrite Rmult_assoc. apply Rmult_le_compat_l; [apply pow2_ge_0 |].
  assert (A : (1 + w) * (1 - 2 * w) <= 1 - w) by nra.
  assert (B : (2 + w) ^ 2 * (1 - 2 * w) <= 4) by nra.
  assert (C : 0 <= (2 + w) ^ 2 * (1 - 2 * w)) by nra.
  replace ((1 + w) * (2 + w) ^ 2 * (1 - 2 * w) ^ 2)
    with ((1 + w) * (1 - 2 * w) * ((2 + w) ^ 2 * (1 - 2 * w))) by ring.
  nra.
Qed.

Lemma dot2_absolute w : 0 <= w <= / 32 -> (1 + w) * (7 + w * (2 + w) * (8 + w)) <= 8.
Proof.
  intros W. assert (A : w * (2 + w) <= 7/100) by nra. assert (B : 0 <= w * (2 + w)) by nra. nra.
Qed.

(** |dot2 - (a b + c d)| <= u |a b + c d| + gamma_2^2 (|a b| + |c d|) + 8 eta.
    Source: Ogita, Rump, Oishi, SIAM J. Sci. Comput. 26 (2005), proposition 5.5; eta is new. *)
Theorem dot2_error a b c d : format a -> format b -> format c -> format d ->
  Rabs (dot2 rd veltkamp a b c d - (a * b + c * d)) <=
  u p * Rabs (a * b + c * d) + (gamma2 ^ 2 * (Rabs (a * b) + Rabs (c * d)) + 8 * eta).
Proof.
  intros Fa Fb Fc Fd.
  pose proof (u_pos p) as U. pose proof (eta_pos emin) as Eta.
  pose proof u_le_32th as U5.
  pose proof dot2_le_gamma as Gamma.
  pose proof (two_prod_error a b Fa Fb) as E1. pose proof (two_prod_error c d Fc Fd) as E2.
  pose proof (prod_low_le a b Fa Fb) as L1. pose proof (prod_low_le c d Fc Fd) as L2.
  pose proof (rd_error (a * b)) as R1. pose proof (rd_error (c * d)) as R2.
  fold (prod_high a b) in R1. fold (prod_high c d) in R2.
  pose proof (two_sum_exact _ _ (rd_format (a * b)) (rd_format (c * d))) as S.
  fold (prod_high a b) in S. fold (prod_high c d) in S.
  unfold dot2.
  set (h1 := prod_high a b) in *. set (l1 := prod_low a b) in *.
  set (h2 := prod_high c d) in *. set (l2 := prod_low c d) in *.
  pose proof (rd_sum_error h1 h2 (rd_format _) (rd_format _)) as H.
  fold (sum_high h1 h2) in H.
  set (s := sum_high h1 h2) in *. set (e := sum_low h1 h2) in *.
  assert (Fe : format e) by apply rd_format. assert (Fl1 : format l1) by apply rd_format.
  assert (Fl2 : format l2) by apply rd_format. assert (Fs : format s) by apply rd_format.
  pose proof (rd_sum_error e l2 Fe Fl2) as G. set (g := rd (e + l2)) in *.
  pose proof (rd_sum_error l1 g Fl1 (rd_format _)) as T. set (t := rd (l1 + g)) in *.
  pose proof (rd_sum_error s t Fs (rd_format _)) as Last. set (r := rd (s + t)) in *.
  set (P := a * b) in *. set (Q := c * d) in *. set (w := u p) in *.
  set (M := Rabs P + Rabs Q).
  assert (M0 : 0 <= M) by (pose proof (Rabs_pos P); pose proof (Rabs_pos Q); unfold M; lra).
  (* high words *)
  assert (H1 : Rabs h1 <= (1 + w) * Rabs P + eta / 2).
  { as_sum ((h1 - P) + P). lra. }
  assert (H2 : Rabs h2 <= (1 + w) * Rabs Q + eta / 2).
  { as_sum ((h2 - Q) + Q). lra. }
  assert (Ee : Rabs e <= w * ((1 + w) * M + eta)).
  { replace e with (- (s - (h1 + h2))) by lra. rewrite Rabs_Ropp.
    eapply Rle_trans; [exact H |]. apply Rmult_le_compat_l; [lra |].
    eapply Rle_trans; [apply Rabs_triang |]. unfold M. lra. }
  (* low words *)
  assert (X : Rabs e + Rabs l1 + Rabs l2 <= w * (2 + w) * M + (8 + w) * eta).
  { unfold M in *. lra. }
  set (x := Rabs e + Rabs l1 + Rabs l2) in *.
  assert (G1 : Rabs (e + l2) <= Rabs e + Rabs l2) by apply Rabs_triang.
  assert (G2 : Rabs g <= (1 + w) * (Rabs e + Rabs l2)).
  { as_sum ((g - (e + l2)) + (e + l2)).
    pose proof (Rmult_le_compat_l w _ _ (Rlt_le _ _ U) G1). lra. }
  assert (T1 : Rabs (l1 + g) <= (1 + w) * x).
  { eapply Rle_trans; [apply Rabs_triang |].
    pose proof (Rmult_le_pos w _ (Rlt_le _ _ U) (Rabs_pos l1)). unfold x. lra. }
  set (q := t - (e + l1 + l2)).
  assert (Q1 : Rabs q <= w * (2 + w) * x).
  { unfold q. as_sum ((t - (l1 + g)) + (g - (e + l2))).
    assert (Rabs (g - (e + l2)) <= w * x).
    { eapply Rle_trans; [exact G |]. apply Rmult_le_compat_l; [lra |].
      pose proof (Rabs_pos l1). unfold x. lra. }
    pose proof (Rmult_le_compat_l w _ _ (Rlt_le _ _ U) T1). lra. }
  set (f := h1 + l1 + (h2 + l2) - (P + Q)).
  assert (F : Rabs f <= 7 * eta).
  { unfold f. as_sum ((h1 + l1 - P) + (h2 + l2 - Q)). lra. }
  assert (St : s + t = P + Q + (f + q)) by (unfold f, q; lra).
  assert (Fq : Rabs (f + q) <= 7 * eta + w * (2 + w) * x).
  { eapply Rle_trans; [apply Rabs_triang |]. lra. }
  replace (r - (P + Q)) with ((r - (s + t)) + (f + q)) by (rewrite St; ring).
  eapply Rle_trans; [apply Rabs_triang |].
  assert (Y : Rabs (s + t) <= Rabs (P + Q) + Rabs (f + q)) by (rewrite St; apply Rabs_triang).
  assert (Z1 : w * Rabs (s + t) <= w * (Rabs (P + Q) + Rabs (f + q)))
    by (apply Rmult_le_compat_l; lra).
  assert (Z2 : (1 + w) * Rabs (f + q) <= (1 + w) * (7 * eta + w * (2 + w) * x))
    by (apply Rmult_le_compat_l; lra).
  assert (C0 : 0 <= (1 + w) * (w * (2 + w))).
  { apply Rmult_le_pos; [lra | apply Rmult_le_pos; lra]. }
  pose proof (Rmult_le_compat_l _ _ _ C0 X) as Z3.
  pose proof (Rmult_le_compat_r _ _ _ M0 Gamma) as Z4.
  assert (Z5 : ((1 + w) * (7 + w * (2 + w) * (8 + w))) * eta <= 8 * eta).
  { apply Rmult_le_compat_r; [lra | apply dot2_absolute; lra]. }
  lra.
Qed.

(** |fl(w x) - w x| <= (u + sqrt(2) gamma_2^2) |w x| + sqrt(2) 8 eta. It is the bound of Dot2. *)
Theorem dot2_product_error w x :
  cformat (FLT_exp emin p) w -> cformat (FLT_exp emin p) x ->
  Cmod (Cminus (dot2_multiply rd veltkamp w x) (Cmult w x)) <=
  (u p + sqrt 2 * gamma2 ^ 2) * Cmod (Cmult w x) + sqrt 2 * (8 * eta).
Proof.
  destruct w as [a b], x as [c d]. intros [Fa Fb] [Fc Fd]. simpl in Fa, Fb, Fc, Fd.
  pose proof (u_pos p) as U. pose proof (eta_pos emin) as Eta.
  pose proof (dot2_error a c (- b) d Fa Fc (generic_format_opp _ _ _ Fb) Fd) as Re.
  rewrite <- (Ropp_mult_distr_l b d), (Rabs_Ropp (b * d)) in Re.
  apply product_of_parts_error; [lra | apply pow2_ge_0 | lra | exact Re |].
  now apply dot2_error.
Qed.

End Pairs.
