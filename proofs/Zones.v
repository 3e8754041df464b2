(** Posits, takums and other number systems whose precision tapers.

    In a range of binades [m, M) around 1, their golden zone, they have at least p bits, and the
    distance of neighbours does not shrink from one binade to the next larger one. Below m a
    rounding errs by at most u m. Then the bounds of a binary format of p bits hold for values of at
    most M, plus an absolute part. It is the theorem of docs/numerics.md, "Bounds in the golden
    zone".

    Theorems to cite: zone_rounding_error, zone_sum_error, zone_product_error. *)

From Coq Require Import ZArith Reals Lra Lia.
From Flocq Require Import Core.
From Coquelicot Require Import Complex.
From Fftprec Require Import Rounding Products.

Local Open Scope R_scope.

Section Zone.

Variable p : Z.
Variable fexp : Z -> Z.
Context {valid : Valid_exp fexp} {monotone : Monotone_exp fexp}.
Hypothesis two_bits : (2 <= p)%Z.

(** The zone is [2^low, 2^high). *)
Variables low high : Z.
Hypothesis zone_bits : forall e, (low < e <= high)%Z -> (fexp e <= e - p)%Z.
Hypothesis zone_not_empty : (low < high)%Z.

Notation m := (bpow radix2 low).
Notation M := (bpow radix2 high).

(** To nearest in the zone; below it off by at most u m, without a change of sign, and to a number
    of at most p bits. Outside the zone fexp is free. *)
Record zone_rounding (rd : R -> R) : Prop := {
  in_zone : forall x, m <= Rabs x <= M -> nearest fexp x (rd x);
  below_zone : forall x, Rabs x < m ->
    generic_format radix2 (FLX_exp p) (rd x) /\ Rabs (rd x - x) <= u p * m /\
    (0 <= x -> 0 <= rd x) /\ (x <= 0 -> rd x <= 0)
}.

(** The numbers of the system, and those of p bits outside its zone. *)
Definition zone_exp (e : Z) : Z := Z.min (fexp e) (e - p).

Global Instance zone_exp_bits : Bits p zone_exp.
Proof.
  split.
  - intros k. unfold zone_exp. split; [| split]; intros; lia.
  - intros a b H. unfold zone_exp. pose proof (monotone a b H). lia.
  - lia.
  - intros e. unfold zone_exp. lia.
Qed.

Lemma bits_in_zone_exp x : generic_format radix2 (FLX_exp p) x -> generic_format radix2 zone_exp x.
Proof.
  intros F. destruct (Req_dec x 0) as [->|N]; [apply generic_format_0 |].
  apply generic_inclusion_mag with (2 := F). intros _. unfold zone_exp, FLX_exp. lia.
Qed.

Lemma system_in_zone_exp x : generic_format radix2 fexp x -> generic_format radix2 zone_exp x.
Proof.
  intros F. destruct (Req_dec x 0) as [->|N]; [apply generic_format_0 |].
  apply generic_inclusion_mag with (2 := F). intros _. unfold zone_exp. lia.
Qed.

Lemma zone_top_in_system : generic_format radix2 fexp M.
Proof.
  apply generic_format_bpow.
  pose proof (zone_bits high ltac:(lia)) as B. destruct (valid high) as [V _]. apply V. lia.
Qed.

Lemma zone_nearest rd x : zone_rounding rd -> m <= Rabs x <= M -> nearest zone_exp x (rd x).
Proof.
  intros [Z _] [G L]. specialize (Z x (conj G L)).
  destruct (Rle_lt_or_eq_dec _ _ L) as [L'|E].
  - split; [apply system_in_zone_exp, (nearest_format _ _ _ Z) |].
    intros g Fg.
    set (rne := fun f => round radix2 f (Znearest (fun _ => true)) x).
    assert (Same : rne fexp = rne zone_exp).
    { assert (N : x <> 0).
      { intros ->. rewrite Rabs_R0 in G. pose proof (bpow_gt_0 radix2 low). lra. }
      assert (A : (low < mag radix2 x <= high)%Z).
      { split.
        - pose proof (mag_ge_bpow radix2 x (low + 1)) as H.
          replace (low + 1 - 1)%Z with low in H by ring. specialize (H G). lia.
        - apply mag_le_bpow; assumption. }
      unfold rne, round, scaled_mantissa, cexp, zone_exp. rewrite Z.min_l; [reflexivity |].
      now apply zone_bits. }
    eapply Rle_trans; [apply (nearest_best _ _ _ (rne fexp) Z) |].
    { apply (nearest_format fexp x), nearest_round. exact valid. }
    rewrite Same. apply (nearest_best zone_exp); [| exact Fg].
    apply nearest_round. typeclasses eauto.
  - assert (F : generic_format radix2 fexp x).
    { revert E. unfold Rabs. destruct (Rcase_abs x); intros E.
      - rewrite <- (Ropp_involutive x), E. apply generic_format_opp, zone_top_in_system.
      - rewrite E. apply zone_top_in_system. }
    rewrite (nearest_exact _ _ _ Z F). now apply nearest_of_format, system_in_zone_exp.
Qed.

Lemma zone_close rd x : zone_rounding rd -> Rabs x <= M -> close zone_exp (u p * m) x (rd x).
Proof.
  intros Z L. destruct (Rle_or_lt m (Rabs x)) as [G|G].
  - left. now apply zone_nearest.
  - right. destruct (below_zone rd Z x G) as [F [E S]].
    split; [now apply bits_in_zone_exp |]. now split.
Qed.

(** |x| <= M: |fl(x) - x| <= u max(|x|, m). *)
Theorem zone_rounding_error rd x : zone_rounding rd -> Rabs x <= M ->
  Rabs (rd x - x) <= u p * Rmax (Rabs x) m.
Proof.
  intros Z L. destruct (Rle_or_lt m (Rabs x)) as [G|G].
  - rewrite Rmax_left by exact G. apply (nearest_error p zone_exp). now apply zone_nearest.
  - rewrite Rmax_right by lra. now apply (below_zone rd Z).
Qed.

(** Parts of at most M: |fl(x + y) - (x + y)| <= u |x + y| + sqrt(2) u m. *)
Theorem zone_sum_error rd x y : zone_rounding rd ->
  Rabs (fst x + fst y) <= M -> Rabs (snd x + snd y) <= M ->
  Cmod (Cminus (cadd rd x y) (Cplus x y)) <= u p * Cmod (Cplus x y) + sqrt 2 * (u p * m).
Proof.
  intros Z Lr Li. pose proof (u_pos p) as U. pose proof (bpow_gt_0 radix2 low) as B.
  assert (H : 0 <= u p * m) by (apply Rmult_le_pos; lra).
  apply Cmod_le_parts_or; [lra | exact H | |]; apply (close_error p zone_exp);
    try exact H; now apply zone_close.
Qed.

(** Products of parts and their sums of at most M:
    |fl(x y) - x y| <= sqrt(5) u |x y| + sqrt(2) (4 + 4u) u m. *)
Theorem zone_product_error rd x y : zone_rounding rd ->
  Rabs (fst x * fst y) <= M -> Rabs (snd x * snd y) <= M ->
  Rabs (fst x * snd y) <= M -> Rabs (snd x * fst y) <= M ->
  Rabs (rd (fst x * fst y) - rd (snd x * snd y)) <= M ->
  Rabs (rd (fst x * snd y) + rd (snd x * fst y)) <= M ->
  Cmod (Cminus (cmul rd x y) (Cmult x y)) <=
  sqrt 5 * u p * Cmod (Cmult x y) + sqrt 2 * (4 + 4 * u p) * (u p * m).
Proof.
  intros Z L1 L2 L3 L4 L5 L6. pose proof (u_pos p) as U. pose proof (bpow_gt_0 radix2 low) as B.
  assert (H : 0 <= u p * m) by (apply Rmult_le_pos; lra).
  eapply Rle_trans; [apply (cmul_error_close p zone_exp two_bits (u p * m) (u p * m)) | lra];
    try exact H; now apply zone_close.
Qed.

End Zone.
