(** Radix 2 in the binary formats of IEEE 754, with infinities, NaN and signed zeros. If no result is
    infinite or NaN, nothing overflowed on the way, and the bound holds. *)

From Coq Require Import ZArith Reals Lia Lra.
From Flocq Require Import Core BinarySingleNaN.
From Coquelicot Require Import Coquelicot.
From Fftprec Require Import Rounding Products Ieee Stages Fourier Fft Bounds Formats Gradual.

Open Scope R_scope.

Section IeeeFft.

Variables (p : positive) (emax : Z).
Context (prec_gt_0_ : Prec_gt_0 (Zpos p)) (prec_lt_emax_ : Prec_lt_emax (Zpos p) emax).
Hypothesis two_bits : (2 <= Zpos p)%Z.
Variables (m : BinarySingleNaN.mode) (choice : Z -> bool).
Hypothesis nearest_mode : to_nearest m.
Hypothesis same_choice : round_mode m = Znearest choice.

Notation number := (binary_float (Zpos p) emax * binary_float (Zpos p) emax)%type.
Notation emin := (3 - emax - Zpos p)%Z.
Notation rd := (flt emin (Zpos p) choice).
Notation exact := (exact (Zpos p) emax).
Notation finite := (finite (Zpos p) emax).
Notation sum := (ieee_sum (Zpos p) emax prec_gt_0_ prec_lt_emax_ m).
Notation difference := (ieee_difference (Zpos p) emax prec_gt_0_ prec_lt_emax_ m).
Notation product := (ieee_product (Zpos p) emax prec_gt_0_ prec_lt_emax_ m).

(** The table: each part of an entry to nearest. *)
Variable w : nat -> nat -> number.
Hypothesis w_rounded : forall t j, (j < len t)%nat -> exact (w t j) = cround rd (factor t j).

Definition ieee_dit : nat -> (nat -> number) -> nat -> number := dit sum difference product w.
Definition ieee_dif : nat -> (nat -> number) -> nat -> number := dif sum difference product w.

Let finite_sum := finite_sum (Zpos p) emax _ _ m nearest_mode choice same_choice.
Let finite_difference := finite_difference (Zpos p) emax _ _ m nearest_mode choice same_choice.
Let finite_product := finite_product (Zpos p) emax _ _ m nearest_mode choice same_choice.

Definition all_finite (t : nat) (y : nat -> number) : Prop := forall k, (k < len t)%nat -> finite (y k).
Definition values (x : nat -> number) : vector := fun j => exact (x j).

Lemma dit_values t x : all_finite t (ieee_dit t x) ->
  forall k, (k < len t)%nat ->
  exact (ieee_dit t x k) = gradual_dit p emin choice t (values x) k.
Proof.
  unfold ieee_dit, gradual_dit; revert x; induction t as [|t IH]; intros x is_finite k lt; [easy|].
  cbn [dit len] in *; set (e := dit _ _ _ _ t (fun j => x (2 * j)%nat)) in *.
  set (o := dit _ _ _ _ t (fun j => x (2 * j + 1)%nat)) in *.
  assert (parts : forall j, (j < len t)%nat -> finite (e j) /\ finite (o j)).
  { intros j j_lt; pose proof (is_finite j) as of_j; unfold join in of_j.
    replace (j <? len t)%nat with true in of_j by (symmetry; now apply Nat.ltb_lt).
    cbn [len] in of_j; assert (j < len t + len t)%nat as in_range by lia.
    destruct (finite_sum _ _ (of_j in_range)) as (_ & e_finite & p_finite).
    destruct (finite_product _ _ p_finite) as [_ o_finite]; easy. }
  assert (of_e := IH (fun j => x (2 * j)%nat) (fun j j_lt => proj1 (parts j j_lt))).
  assert (of_o := IH (fun j => x (2 * j + 1)%nat) (fun j j_lt => proj2 (parts j j_lt))).
  fold e in of_e; fold o in of_o.
  pose proof (is_finite k lt) as of_k; unfold join in *.
  destruct (Nat.ltb_spec k (len t)) as [low|high].
  - destruct (finite_sum _ _ of_k) as (-> & _ & p_finite).
    destruct (finite_product _ _ p_finite) as [-> _].
    rewrite (of_e k low), (of_o k low), (w_rounded t k low); easy.
  - assert (low : (k - len t < len t)%nat) by lia.
    destruct (finite_difference _ _ of_k) as (-> & _ & p_finite).
    destruct (finite_product _ _ p_finite) as [-> _].
    rewrite (of_e _ low), (of_o _ low), (w_rounded t _ low); easy.
Qed.

Lemma dif_local {T W} add sub mul (f : nat -> nat -> W) t :
  forall x y : nat -> T, (forall j, (j < len t)%nat -> x j = y j) ->
  forall k, (k < len t)%nat -> dif add sub mul f t x k = dif add sub mul f t y k.
Proof.
  induction t as [|t IH]; intros x y same k lt; [now apply same|]; cbn [dif len] in *.
  destruct (Nat.Even_or_Odd k) as [[h is_k] | [h is_k]]; subst k.
  - rewrite !interleave_even; apply IH; [|lia]; intros; now rewrite !same by lia.
  - rewrite !interleave_odd; apply IH; [|lia]; intros; now rewrite !same by lia.
Qed.

Lemma dif_inputs t x : all_finite t (ieee_dif t x) -> all_finite t x.
Proof.
  unfold ieee_dif; revert x; induction t as [|t IH]; intros x is_finite k lt; [now apply is_finite|].
  cbn [dif len] in *.
  assert (sums : all_finite t (fun j => sum (x j) (x (len t + j)%nat))).
  { apply IH; intros j j_lt; pose proof (is_finite (2 * j)%nat) as of_j.
    rewrite interleave_even in of_j; cbn [len] in of_j; apply of_j; lia. }
  destruct (Nat.lt_ge_cases k (len t)) as [low|high].
  - now destruct (finite_sum _ _ (sums k low)) as (_ & x_finite & _).
  - assert (low : (k - len t < len t)%nat) by lia.
    destruct (finite_sum _ _ (sums _ low)) as (_ & _ & x_finite).
    now replace (len t + (k - len t))%nat with k in x_finite by lia.
Qed.

Lemma dif_values t x : all_finite t (ieee_dif t x) ->
  forall k, (k < len t)%nat ->
  exact (ieee_dif t x k) = gradual_dif p emin choice t (values x) k.
Proof.
  unfold ieee_dif, gradual_dif; revert x; induction t as [|t IH]; intros x is_finite k lt; [easy|].
  cbn [dif len] in *.
  set (s := fun j => sum (x j) (x (len t + j)%nat)) in *.
  set (d := fun j => product (w t j) (difference (x j) (x (len t + j)%nat))) in *.
  assert (s_out : all_finite t (ieee_dif t s)).
  { intros j j_lt; pose proof (is_finite (2 * j)%nat) as of_j.
    rewrite interleave_even in of_j; cbn [len] in of_j; apply of_j; lia. }
  assert (d_out : all_finite t (ieee_dif t d)).
  { intros j j_lt; pose proof (is_finite (2 * j + 1)%nat) as of_j.
    rewrite interleave_odd in of_j; cbn [len] in of_j; apply of_j; lia. }
  pose proof (dif_inputs t s s_out) as s_finite; pose proof (dif_inputs t d d_out) as d_finite.
  destruct (Nat.Even_or_Odd k) as [[h is_k] | [h is_k]]; subst k.
  - rewrite !interleave_even, (IH s s_out) by lia; apply dif_local; [|lia]; intros j j_lt.
    unfold values; exact (proj1 (finite_sum _ _ (s_finite j j_lt))).
  - rewrite !interleave_odd, (IH d d_out) by lia; apply dif_local; [|lia]; intros j j_lt.
    unfold values; pose proof (d_finite j j_lt) as of_j; unfold d in of_j |- *.
    destruct (finite_product _ _ of_j) as [-> of_difference].
    destruct (finite_difference _ _ of_difference) as [-> _]; now rewrite w_rounded.
Qed.

Lemma values_in_gradual n x : in_graduals p emin n (values x).
Proof. intros j _; apply exact_format. Qed.

Lemma error_of_values n (y z t : vector) e : (forall k, (k < n)%nat -> y k = z k) ->
  norm n (vminus z t) <= e -> norm n (vminus y t) <= e.
Proof.
  intro same; now rewrite (norm_ext n (vminus y t) (vminus z t))
    by (intros k lt; unfold vminus; now rewrite same).
Qed.

Hypothesis holds_one : (3 <= emax)%Z.

(** What a program computes that adds, subtracts and multiplies as IEEE 754 says. *)
Theorem ieee_dit_error t x : all_finite t (ieee_dit t x) ->
  norm (len t) (vminus (values (ieee_dit t x)) (dft (len t) (values x))) <=
  radix2_bound (mu_of p) (rho_of p) (u_of p) t * norm (len t) (dft (len t) (values x)) +
  sqrt (INR (len t)) * absolute_in_time (gradual p emin choice two_bits) (mu_of p) t.
Proof.
  intro is_finite; apply (error_of_values _ _ _ _ _ (dit_values t x is_finite)).
  apply gradual_dit_error; [lia | apply values_in_gradual].
Qed.

Theorem ieee_dif_error t x : all_finite t (ieee_dif t x) ->
  norm (len t) (vminus (values (ieee_dif t x)) (dft (len t) (values x))) <=
  radix2_bound (mu_of p) (rho_of p) (u_of p) t * norm (len t) (dft (len t) (values x)) +
  sqrt (INR (len t)) * absolute_in_frequency (gradual p emin choice two_bits) (mu_of p) t.
Proof.
  intro is_finite; apply (error_of_values _ _ _ _ _ (dif_values t x is_finite)).
  apply gradual_dif_error; [lia | apply values_in_gradual].
Qed.

End IeeeFft.
