(** What a bound loses when the program evaluates it in fp64, and the factor that makes up for it.

    The program forms bounds by [compose] of error_bound.hpp, a + b + a * b from the left, each
    operation to nearest. Exponents have no limits here: the bounds of a format with u = 2^-p are above
    2^-p, and the products of two of them do not underflow in fp64.

    Theorems to cite: compose_evaluates, enlarged_above, dit_bound_above, dif_bound_above. *)

From Coq Require Import ZArith Reals Lia Lra Psatz.
From Flocq Require Import Core.
From Fftprec Require Import Rounding Stages Fft Bounds Formats.

Open Scope R_scope.

Section Evaluation.

(** Rounding to nearest: x and rd x are within a factor 1 + v of each other. *)
Variables (rd : R -> R) (v : R).
Hypothesis v_pos : 0 < v <= / 16.
Hypothesis rd_ratio : forall x, 0 <= x -> x <= (1 + v) * rd x /\ rd x <= (1 + v) * x.
Hypothesis rd_twice : forall x, rd (rd x) = rd x.

Definition fl_compose (a b : R) : R := rd (rd (a + b) + rd (a * b)).

(** (1 + v)^k - 1. *)
Notation after k := (repeated v k).

(** y is x, evaluated such that no part of it meets more than k roundings: it errs by at most
    ((1 + v)^k - 1)(1 + x) of x. *)
Definition evaluates (k : nat) (x y : R) : Prop :=
  0 <= x /\ 0 <= y /\ Rabs (y - x) <= after k * (x * (1 + x)).

Lemma after_pos k : 0 <= after k.
Proof. apply repeated_nonneg; lra. Qed.

Lemma evaluates_more k l x y : (k <= l)%nat -> evaluates k x y -> evaluates l x y.
Proof.
  intros le (x_pos & y_pos & near); repeat split; try easy.
  eapply Rle_trans; [exact near|]; apply Rmult_le_compat_r; [nra | apply repeated_le; lra || easy].
Qed.

(** Numbers within a factor (1 + v)^k of each other. *)
Lemma evaluates_of_ratio k x y : 0 <= x -> 0 <= y -> x <= (1 + v) ^ k * y -> y <= (1 + v) ^ k * x ->
  evaluates k x y.
Proof.
  intros x_pos y_pos below above; repeat split; try easy.
  pose proof (after_pos k) as pos; assert (power : (1 + v) ^ k = 1 + after k)
    by (rewrite repeated_power; ring).
  rewrite power in *; assert (0 <= after k * (x * x)) by (apply Rmult_le_pos; nra).
  apply Rabs_le; split; [|lra].
  destruct (Rle_or_lt x y); [nra|]; assert (after k * y <= after k * x) by nra; lra.
Qed.

Lemma rd_pos x : 0 <= x -> 0 <= rd x.
Proof. intro pos; destruct (rd_ratio x pos) as [below _]; nra. Qed.

Lemma rd_0 : rd 0 = 0.
Proof. pose proof (rd_pos 0 (Rle_refl 0)); destruct (rd_ratio 0 (Rle_refl 0)); lra. Qed.

(** Exact composition does not add to the errors: with 1 + x' = (1 + x)(1 +- after k x) and the like
    for y, 1 + compose x' y' = (1 + compose x y)(1 +- after k (compose x y)). *)
Lemma exact_compose_evaluates k x y x' y' : after k <= 1 ->
  evaluates k x x' -> evaluates k y y' -> evaluates k (compose x y) (compose x' y').
Proof.
  intros few (x_pos & x'_pos & x_near) (y_pos & y'_pos & y_near).
  pose proof (compose_nonneg x y x_pos y_pos) as c_pos.
  repeat split; [easy | now apply compose_nonneg|].
  pose proof (after_pos k) as pos; set (d := after k) in *.
  apply Rabs_le_inv in x_near, y_near.
  assert (P : 1 + compose x y = (1 + x) * (1 + y)) by apply compose_product.
  assert (P' : 1 + compose x' y' = (1 + x') * (1 + y')) by apply compose_product.
  set (c := compose x y) in *; set (c' := compose x' y') in *.
  assert (c_is : c = x + y + x * y) by easy.
  assert (xy : 0 <= x * y) by now apply Rmult_le_pos.
  assert (dxy : 0 <= d * (x * y)) by now apply Rmult_le_pos.
  assert (upper : (1 + x') * (1 + y') <= ((1 + x) * (1 + d * x)) * ((1 + y) * (1 + d * y)))
    by (apply Rmult_le_compat; lra).
  assert (factors : (1 + d * x) * (1 + d * y) <= 1 + d * c) by nra.
  assert (upper' : 1 + c' <= (1 + c) * (1 + d * c)).
  { rewrite P', P; eapply Rle_trans; [exact upper|].
    replace ((1 + x) * (1 + d * x) * ((1 + y) * (1 + d * y)))
      with ((1 + x) * (1 + y) * ((1 + d * x) * (1 + d * y))) by ring.
    apply Rmult_le_compat_l; [nra | exact factors]. }
  apply Rabs_le; split; [|lra].
  destruct (Rle_or_lt 1 (d * c)) as [much|little].
  - assert (0 <= c') by now apply compose_nonneg. nra.
  - assert (d * x <= d * c) by (apply Rmult_le_compat_l; lra).
    assert (d * y <= d * c) by (apply Rmult_le_compat_l; lra).
    assert (lower : ((1 + x) * (1 - d * x)) * ((1 + y) * (1 - d * y)) <= (1 + x') * (1 + y'))
      by (apply Rmult_le_compat; lra || (apply Rmult_le_pos; lra)).
    assert (factors' : 1 - d * c <= (1 - d * x) * (1 - d * y)).
    { assert (0 <= d * x * (d * y)) by (repeat apply Rmult_le_pos; lra). rewrite c_is; lra. }
    assert (lower' : (1 + c) * (1 - d * c) <= 1 + c').
    { rewrite P', P; eapply Rle_trans; [|exact lower].
      replace ((1 + x) * (1 - d * x) * ((1 + y) * (1 - d * y)))
        with ((1 + x) * (1 + y) * ((1 - d * x) * (1 - d * y))) by ring.
      apply Rmult_le_compat_l; [nra | exact factors']. }
    lra.
Qed.

(** One more rounding of all parts. *)
Lemma rounding_evaluates k x y z : evaluates k x y -> 0 <= z -> y <= (1 + v) * z -> z <= (1 + v) * y ->
  evaluates (S k) x z.
Proof.
  intros (x_pos & y_pos & near) z_pos below above; repeat split; try easy.
  cbn [repeated]; pose proof (after_pos k) as pos; set (d := after k) in *.
  apply Rabs_le_inv in near; set (s := x * (1 + x)) in *.
  assert (x_le : x <= s) by (unfold s; nra); assert (ds : 0 <= d * s) by nra.
  assert (z_low : (1 - v) * y <= z).
  { assert (0 <= v * v * y) by (repeat apply Rmult_le_pos; lra).
    apply Rmult_le_reg_l with (1 + v); lra. }
  unfold compose; apply Rabs_le; split; nra.
Qed.

(** A composition by three rounded operations: two roundings more. *)
Theorem compose_evaluates k x y x' y' : after k <= 1 ->
  evaluates k x x' -> evaluates k y y' -> evaluates (S (S k)) (compose x y) (fl_compose x' y').
Proof.
  intros few of_x of_y.
  pose proof (exact_compose_evaluates k x y x' y' few of_x of_y) as exact.
  destruct of_x as (_ & x'_pos & _), of_y as (_ & y'_pos & _).
  assert (sum_pos : 0 <= x' + y') by lra; assert (product_pos : 0 <= x' * y') by nra.
  destruct (rd_ratio _ sum_pos) as [sum_low sum_high].
  destruct (rd_ratio _ product_pos) as [product_low product_high].
  pose proof (rd_pos _ sum_pos); pose proof (rd_pos _ product_pos).
  assert (both_pos : 0 <= rd (x' + y') + rd (x' * y')) by lra.
  destruct (rd_ratio _ both_pos) as [low high].
  apply rounding_evaluates with (rd (x' + y') + rd (x' * y')); [|now apply rd_pos | easy | easy].
  apply rounding_evaluates with (compose x' y'); [exact exact | easy | |]; unfold compose; lra.
Qed.

(** Composition with 0 is exact. *)
Lemma fl_compose_0 x : rd x = x -> fl_compose x 0 = x.
Proof.
  intro same; unfold fl_compose; rewrite Rplus_0_r, Rmult_0_r, rd_0, Rplus_0_r, rd_twice; easy.
Qed.

(** (1 + v)^k - 1 <= k v + (k v)^2. *)
Lemma after_le k : INR k * v <= 1 -> after k <= INR k * v + (INR k * v) ^ 2.
Proof.
  rewrite repeated_power; induction k as [|k IH]; [simpl; lra|]; rewrite S_INR; intro few.
  pose proof (pos_INR k) as k_pos; set (c := INR k) in *.
  assert (c * v <= 1) by lra; specialize (IH H); cbn [pow].
  assert (c * v * (c * v * v) <= 1 * (c * v * v)) by (apply Rmult_le_compat_r; [nra | easy]).
  nra.
Qed.

(** A bound of at most 1 times 1 + e, evaluated, is not below the exact bound, if e is at least
    (k (1 + x) + 2) v, for e that is small itself. *)
Theorem enlarged_above k e x y : evaluates k x y -> x <= 1 -> 16 * e ^ 2 <= v ->
  (INR k * (1 + x) + 2) * v <= e -> x <= rd (y * (1 + e)).
Proof.
  intros (x_pos & y_pos & near) x_le small enough.
  pose proof (pos_INR k) as k_pos; set (c := INR k) in *.
  assert (kv_pos : 0 <= c * v) by nra; assert (kvx : 0 <= c * v * x) by nra.
  assert (kv_le : c * v <= e) by nra; assert (e_pos : 0 <= e) by lra.
  assert (e_le : e <= 1) by nra.
  pose proof (after_le k (Rle_trans _ _ _ kv_le e_le)) as d_le; fold c in d_le.
  pose proof (after_pos k) as d_pos; set (d := after k) in *.
  assert (square : (c * v) ^ 2 <= e ^ 2) by (apply pow_incr; lra).
  (* what the roundings take, and the last one *)
  set (l := d * (1 + x) + v).
  assert (l_le : l <= e - v + 2 * e ^ 2) by (unfold l; nra).
  assert (l_pos : 0 <= l) by (unfold l; nra).
  assert (made_up : 1 <= (1 - l) * (1 + e)) by nra.
  apply Rabs_le_inv in near.
  destruct (rd_ratio (y * (1 + e))) as [low _]; [nra|].
  assert (y_low : x * (1 - d * (1 + x)) <= y) by lra.
  assert (z_low : (1 - v) * (y * (1 + e)) <= rd (y * (1 + e))).
  { assert (0 <= v * v * (y * (1 + e))) by (apply Rmult_le_pos; nra).
    apply Rmult_le_reg_l with (1 + v); lra. }
  eapply Rle_trans; [|exact z_low].
  assert (x * (1 - l) <= (1 - v) * y).
  { assert ((1 - v) * (x * (1 - d * (1 + x))) <= (1 - v) * y) by (apply Rmult_le_compat_l; lra).
    assert (0 <= v * (d * (1 + x)) * x) by (repeat apply Rmult_le_pos; lra).
    unfold l; lra. }
  assert (x * 1 <= x * ((1 - l) * (1 + e))) by (apply Rmult_le_compat_l; lra).
  assert (x * (1 - l) * (1 + e) <= (1 - v) * y * (1 + e)) by (apply Rmult_le_compat_r; lra).
  lra.
Qed.

End Evaluation.

(** ** Radix 2 in fp64 *)

Section Radix2.

(** The bound of a format of p bits, evaluated with 53 bits. *)
Variables (p : positive) (choice : Z -> bool).

Let rd := flx 53 choice.
Notation v := (bpow radix2 (-53)).
Notation u := (u_of p).

Local Instance fp64_bits : Prec_gt_0 53.
Proof. easy. Qed.

Lemma fp64_v : 0 < v <= / 16.
Proof. split; [apply bpow_gt_0 | change (/ 16) with (bpow radix2 (-4)); apply bpow_le; lia]. Qed.

Lemma fp64_ratio x : 0 <= x -> x <= (1 + v) * rd x /\ rd x <= (1 + v) * x.
Proof.
  intro pos; pose proof fp64_v as v_pos; pose proof (flx_errs_by_sharp 53 choice x) as near.
  fold rd in near; rewrite u_bpow, (Rabs_pos_eq x pos) in near; change (- (53))%Z with (-53)%Z in near.
  apply Rabs_le_inv in near.
  assert (scaled : (1 + v) * (v / (1 + v) * x) = v * x) by (field; lra).
  assert (q_pos : 0 <= v / (1 + v) * x).
  { apply Rmult_le_pos; [|easy]; apply Rmult_le_pos; [lra|]; left; apply Rinv_0_lt_compat; lra. }
  set (q := v / (1 + v) * x) in *; assert (0 <= v * q) by (apply Rmult_le_pos; lra).
  assert (0 <= (1 + v) * (rd x - (x - q))) by (apply Rmult_le_pos; lra).
  split; lra.
Qed.

Lemma fp64_twice x : rd (rd x) = rd x.
Proof. apply round_generic; [typeclasses eauto | apply generic_format_round; typeclasses eauto]. Qed.

Notation evaluates := (evaluates v).
Notation fl_compose := (fl_compose rd).

(** rounded_table_error, SchemeTheory::product_error and Predictor::product. *)
Definition fl_mu : R := rd (u / rd (sqrt 2)).
Definition fl_rho : R := rd (rd (sqrt 5) * u).
Definition fl_product (t : nat) : R := if Nat.ltb t 2 then 0 else fl_compose fl_mu fl_rho.

(** predict_radix2, in time, and in frequency from the longest table to the shortest. *)
Fixpoint fl_in_time (t : nat) : R :=
  match t with O => 0 | S t => fl_compose (fl_compose (fl_in_time t) (fl_product t)) u end.

Fixpoint fl_in_frequency (n t : nat) : R :=
  match t with
  | O => 0
  | S t => fl_compose (fl_compose (fl_in_frequency n t) u) (fl_product (n - 1 - t))
  end.

(** What the second one evaluates. *)
Fixpoint in_frequency (n t : nat) : R :=
  match t with
  | O => 0
  | S t => compose (compose (in_frequency n t) u) (product_bound (mu_of p) (rho_of p) (n - 1 - t))
  end.

Lemma in_frequency_is_bound n : in_frequency n n = radix2_bound (mu_of p) (rho_of p) u n.
Proof.
  enough (closed : forall t, (t <= n)%nat -> in_frequency n t =
            (1 + u) ^ t * ((1 + mu_of p) * (1 + rho_of p)) ^ Nat.min t (n - 2) - 1).
  { rewrite radix2_bound_closed, closed by easy; now rewrite Nat.min_r by lia. }
  induction t as [|t IH]; intro le; cbn [in_frequency]; [simpl; ring|].
  rewrite IH by lia; unfold product_bound; destruct (Nat.ltb_spec (n - 1 - t) 2).
  - replace (Nat.min (S t) (n - 2)) with (Nat.min t (n - 2)) by lia; unfold compose; simpl; ring.
  - replace (Nat.min (S t) (n - 2)) with (S (Nat.min t (n - 2))) by lia; unfold compose; simpl; ring.
Qed.

Lemma few_roundings k : (k <= 1000)%nat -> repeated v k <= 1.
Proof.
  intro few; apply le_INR in few; rewrite (INR_IZR_INZ 1000) in few; simpl in few.
  assert (v <= / 10000)
    by (apply Rle_trans with (bpow radix2 (-20)); [apply bpow_le; lia | simpl; lra]).
  pose proof (pos_INR k); pose proof fp64_v.
  assert (0 <= INR k * v <= / 10) by nra.
  eapply Rle_trans; [apply after_le; [apply fp64_v | lra] | nra].
Qed.

Lemma fl_mu_evaluates : evaluates 2 (mu_of p) fl_mu.
Proof.
  pose proof fp64_v; pose proof (u_of_nonneg p) as u_nonneg; pose proof (mu_of_nonneg p) as mu_nonneg.
  pose proof sqrt_2_pos as root.
  destruct (fp64_ratio (sqrt 2)) as [root_low root_high]; [lra|].
  assert (root' : 0 < rd (sqrt 2)) by nra; set (r := rd (sqrt 2)) in *.
  assert (q_pos : 0 <= u / r) by (apply Rmult_le_pos; [easy|]; left; now apply Rinv_0_lt_compat).
  destruct (fp64_ratio (u / r) q_pos) as [low high]; fold fl_mu in low, high.
  assert (below : mu_of p <= (1 + v) * (u / r)).
  { unfold mu_of; apply Rmult_le_reg_r with (sqrt 2 * r); [now apply Rmult_lt_0_compat|].
    replace (u / sqrt 2 * (sqrt 2 * r)) with (u * r) by (field; lra).
    replace ((1 + v) * (u / r) * (sqrt 2 * r)) with (u * ((1 + v) * sqrt 2)) by (field; lra).
    now apply Rmult_le_compat_l. }
  assert (above : u / r <= (1 + v) * mu_of p).
  { unfold mu_of; apply Rmult_le_reg_r with (sqrt 2 * r); [now apply Rmult_lt_0_compat|].
    replace (u / r * (sqrt 2 * r)) with (u * sqrt 2) by (field; lra).
    replace ((1 + v) * (u / sqrt 2) * (sqrt 2 * r)) with (u * ((1 + v) * r)) by (field; lra).
    now apply Rmult_le_compat_l. }
  apply evaluates_of_ratio; [apply fp64_v | easy | now apply (rd_pos rd v fp64_v fp64_ratio) | |];
    unfold fl_mu in *; fold r; nra.
Qed.

Lemma fl_rho_evaluates : evaluates 2 (rho_of p) fl_rho.
Proof.
  pose proof fp64_v; pose proof (u_of_nonneg p) as u_nonneg; pose proof (rho_of_nonneg p) as rho_nonneg.
  destruct (fp64_ratio (sqrt 5)) as [root_low root_high]; [apply sqrt_pos|].
  pose proof (rd_pos rd v fp64_v fp64_ratio _ (sqrt_pos 5)) as root'; set (r := rd (sqrt 5)) in *.
  assert (q_pos : 0 <= r * u) by now apply Rmult_le_pos.
  destruct (fp64_ratio (r * u) q_pos) as [low high].
  assert (below : rho_of p <= (1 + v) * (r * u)) by (unfold rho_of; nra).
  assert (above : r * u <= (1 + v) * rho_of p) by (unfold rho_of; nra).
  apply evaluates_of_ratio; [apply fp64_v | easy | now apply (rd_pos rd v fp64_v fp64_ratio) | |];
    unfold fl_rho; fold r; nra.
Qed.

Lemma u_evaluates k : evaluates k u u.
Proof.
  apply (evaluates_more v fp64_v 0 k); [lia|].
  apply evaluates_of_ratio; [apply fp64_v | apply u_of_nonneg | apply u_of_nonneg | |]; simpl; lra.
Qed.

Lemma composed k l m x y x' y' : (m <= 1000)%nat -> (k <= m)%nat -> (l <= m)%nat ->
  evaluates k x x' -> evaluates l y y' -> evaluates (S (S m)) (compose x y) (fl_compose x' y').
Proof.
  intros few k_le l_le of_x of_y; apply (compose_evaluates rd v fp64_v fp64_ratio).
  - now apply few_roundings.
  - now apply (evaluates_more v fp64_v k).
  - now apply (evaluates_more v fp64_v l).
Qed.

Lemma fl_product_evaluates : evaluates 4 (compose (mu_of p) (rho_of p)) (fl_compose fl_mu fl_rho).
Proof. apply (composed 2 2 2); try lia; [apply fl_mu_evaluates | apply fl_rho_evaluates]. Qed.

Lemma zero_evaluates : evaluates 0 0 0.
Proof. apply evaluates_of_ratio; [apply fp64_v | lra | lra | lra | lra]. Qed.

Lemma with_0 x : rd x = x -> fl_compose x 0 = x.
Proof. apply (fl_compose_0 rd v fp64_v fp64_ratio fp64_twice). Qed.

(** Every composition but those with 0 adds two roundings. The first product's bound has 4 of its own and
    meets 2t - 4 compositions in time, 2t - 3 in frequency: 4t - 4 and 4t - 2 roundings. *)
Lemma fl_in_time_evaluates t : (t <= 200)%nat ->
  evaluates (2 * t + 2 * (t - 2)) (radix2_bound (mu_of p) (rho_of p) u t) (fl_in_time t).
Proof.
  induction t as [|t IH]; intro few; [apply zero_evaluates|]; cbn [radix2_bound fl_in_time].
  specialize (IH ltac:(lia)); unfold product_bound, fl_product.
  destruct (Nat.ltb_spec t 2).
  - rewrite compose_0_r, with_0.
    + replace (2 * S t + 2 * (S t - 2))%nat with (S (S (2 * t)))%nat by lia.
      apply (composed (2 * t + 2 * (t - 2)) 0); try lia; [exact IH | apply u_evaluates].
    + destruct t; [apply (rd_0 rd v fp64_v fp64_ratio) | apply fp64_twice].
  - replace (2 * S t + 2 * (S t - 2))%nat with (S (S (S (S (2 * t + 2 * (t - 2))))))%nat by lia.
    apply (composed (S (S (2 * t + 2 * (t - 2)))) 0); try lia; [|apply u_evaluates].
    apply (composed (2 * t + 2 * (t - 2)) 4); try lia; [exact IH | apply fl_product_evaluates].
Qed.

Lemma fl_in_frequency_evaluates n t : (t <= n <= 200)%nat ->
  evaluates (2 * t + 2 * Nat.min t (n - 2) + 2) (in_frequency n t) (fl_in_frequency n t).
Proof.
  induction t as [|t IH]; intro few; cbn [in_frequency fl_in_frequency].
  - apply (evaluates_more v fp64_v 0); [lia | apply zero_evaluates].
  - specialize (IH ltac:(lia)); set (k := (2 * t + 2 * Nat.min t (n - 2) + 2)%nat) in *.
    assert (sums : evaluates (S (S k)) (compose (in_frequency n t) u)
                     (fl_compose (fl_in_frequency n t) u))
      by (apply (composed k 0 k); try lia; [exact IH | apply u_evaluates]).
    unfold product_bound, fl_product; destruct (Nat.ltb_spec (n - 1 - t) 2).
    + rewrite compose_0_r, with_0 by apply fp64_twice.
      replace (2 * S t + 2 * Nat.min (S t) (n - 2) + 2)%nat with (S (S k)) by lia; exact sums.
    + replace (2 * S t + 2 * Nat.min (S t) (n - 2) + 2)%nat with (S (S (S (S k)))) by lia.
      apply (composed (S (S k)) 4); try lia; [exact sums | apply fl_product_evaluates].
Qed.

(** Factors that make up for the evaluation of 78 and of 126 roundings. *)
Lemma enlarged_bound k x y : evaluates k x y ->
  ((k <= 78)%nat -> x <= 3/5 -> x <= rd (y * (1 + bpow radix2 (-46)))) /\
  ((k <= 126)%nat -> x <= 1 -> x <= rd (y * (1 + bpow radix2 (-45)))).
Proof.
  intro of_x; pose proof (proj1 of_x) as x_pos; pose proof fp64_v as v_pos.
  assert (is_46 : bpow radix2 (-46) = 128 * v)
    by (change (-46)%Z with (7 + -53)%Z; rewrite bpow_plus; f_equal).
  assert (is_45 : bpow radix2 (-45) = 256 * v)
    by (change (-45)%Z with (8 + -53)%Z; rewrite bpow_plus; f_equal).
  assert (v_le : v <= / 100000000)
    by (apply Rle_trans with (bpow radix2 (-40)); [apply bpow_le; lia | simpl; lra]).
  pose proof (pos_INR k).
  split; intros few x_le; apply le_INR in few; rewrite INR_IZR_INZ in few at 1;
    (rewrite (INR_IZR_INZ 78) in few || rewrite (INR_IZR_INZ 126) in few); rewrite <- INR_IZR_INZ in few;
    simpl in few;
    apply (enlarged_above rd v fp64_v fp64_ratio k _ x y of_x); try lra; rewrite ?is_46, ?is_45; try nra;
    apply Rmult_le_compat_r; nra.
Qed.

(** The evaluated bound of up to 2^20 points times 1 + 2^-46 is not below the exact one if that is at
    most 3/5, and of up to 2^32 points times 1 + 2^-45 if it is at most 1. *)
Theorem dit_bound_above t : let x := radix2_bound (mu_of p) (rho_of p) u t in
  ((t <= 20)%nat -> x <= 3/5 -> x <= rd (fl_in_time t * (1 + bpow radix2 (-46)))) /\
  ((t <= 32)%nat -> x <= 1 -> x <= rd (fl_in_time t * (1 + bpow radix2 (-45)))).
Proof.
  split; intros le; apply (enlarged_bound _ _ _ (fl_in_time_evaluates t ltac:(lia))); lia.
Qed.

Theorem dif_bound_above t : let x := radix2_bound (mu_of p) (rho_of p) u t in
  ((t <= 20)%nat -> x <= 3/5 -> x <= rd (fl_in_frequency t t * (1 + bpow radix2 (-46)))) /\
  ((t <= 32)%nat -> x <= 1 -> x <= rd (fl_in_frequency t t * (1 + bpow radix2 (-45)))).
Proof.
  cbv zeta; rewrite <- in_frequency_is_bound.
  split; intros le; apply (enlarged_bound _ _ _ (fl_in_frequency_evaluates t t ltac:(lia))); lia.
Qed.

End Radix2.
