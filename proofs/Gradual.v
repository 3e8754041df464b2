(** Binary formats with gradual underflow: radix 2 with p bits and least number 2^emin, to nearest.
    Nothing overflows. *)

From Coq Require Import ZArith Reals Lia Lra Psatz.
From Flocq Require Import Core.
From Coquelicot Require Import Coquelicot.
From Fftprec Require Import Rounding Products Stages Fft Bounds Formats Underflow.

Open Scope R_scope.

Section Gradual.

Variables (p : positive) (emin : Z) (choice : Z -> bool).
Hypothesis two_bits : (2 <= Zpos p)%Z.
(** 1 is a normal number, and the least number at most u. *)
Hypothesis holds_one : (emin <= - Zpos p)%Z.

Let rd := flt emin (Zpos p) choice.
Notation exponents := (FLT_exp emin (Zpos p)).

Local Instance precision_pos : Prec_gt_0 (Zpos p).
Proof. easy. Qed.

Definition in_gradual (z : C) : Prop := cformat exponents z.

Lemma gradual_rounded z : in_gradual (cround rd z).
Proof. split; apply generic_format_round; typeclasses eauto. Qed.

Lemma gradual_same x : generic_format radix2 exponents x -> rd x = x.
Proof. intro is_in; apply round_generic; [typeclasses eauto | easy]. Qed.

Lemma gradual_0 : generic_format radix2 exponents 0.
Proof. apply generic_format_0. Qed.

Lemma gradual_1 : generic_format radix2 exponents 1.
Proof.
  change 1 with (bpow radix2 0); apply generic_format_bpow; unfold FLT_exp; lia.
Qed.

Lemma gradual_mul_one z : in_gradual z -> cmul rd (RtoC 1) z = z.
Proof.
  intros [re im]; destruct z as [a b]; unfold cmul, cmul_with in *; cbn [fst snd RtoC] in *.
  rewrite !Rmult_1_l, !Rmult_0_l, !(gradual_same _ gradual_0), (gradual_same a re), (gradual_same b im).
  rewrite Rminus_0_r, Rplus_0_r, (gradual_same a re), (gradual_same b im); easy.
Qed.

Lemma gradual_mul_minus_i z : in_gradual z -> cmul rd (0, -1) z = ((0, -1) * z)%C.
Proof.
  intros [re im]; destruct z as [a b]; unfold cmul, cmul_with, Cmult in *; cbn [fst snd] in *.
  replace (-1 * a) with (- a) by ring; replace (-1 * b) with (- b) by ring.
  rewrite !Rmult_0_l, !(gradual_same _ gradual_0).
  assert (minus_a : generic_format radix2 exponents (- a)) by now apply generic_format_opp.
  assert (minus_b : generic_format radix2 exponents (- b)) by now apply generic_format_opp.
  rewrite (gradual_same _ minus_a), (gradual_same _ minus_b).
  replace (0 - - b) with b by ring; rewrite !Rplus_0_l, (gradual_same _ minus_a), (gradual_same _ im).
  easy.
Qed.

(** The absolute part of a product: sqrt 2 (1 + 2u) 2^emin. *)
Definition product_eta : R := sqrt 2 * (1 + 2 * u_of p) * bpow radix2 emin.

Lemma product_eta_pos : 0 <= product_eta.
Proof.
  pose proof (u_of_nonneg p); repeat apply Rmult_le_pos; [apply sqrt_pos | lra | apply bpow_ge_0].
Qed.

Definition gradual : arithmetic_below.
Proof.
  refine {|
    Underflow.stored := in_gradual;
    Underflow.add := cadd rd;
    Underflow.sub := csub rd;
    Underflow.mul := cmul rd;
    Underflow.u := u_of p;
    Underflow.rho := rho_of p;
    Underflow.eta := product_eta
  |}.
  - apply u_of_nonneg.
  - apply rho_of_nonneg.
  - apply product_eta_pos.
  - intros x y _ _; apply gradual_rounded.
  - intros x y _ _; apply gradual_rounded.
  - intros w x _ _; split; apply generic_format_round; typeclasses eauto.
  - intros x y in_x in_y; rewrite <- roundoff_same.
    now apply (complex_sum_error_flt emin (Zpos p)).
  - intros x y in_x in_y; rewrite <- roundoff_same.
    now apply (complex_difference_error_flt emin (Zpos p)).
  - intros w x _ _; unfold rho_of, product_eta; rewrite <- roundoff_same.
    now apply (complex_product_error_flt emin (Zpos p)).
  - apply gradual_mul_one.
  - apply gradual_mul_minus_i.
Defined.

(** An entry of a table errs by u/sqrt 2, small ones as well. *)
Lemma gradual_part_error x : Rabs x <= 1 -> Rabs (rd x - x) <= u_of p / 2.
Proof.
  intro le; pose proof (flt_nearest emin (Zpos p) choice x) as near; fold rd in near.
  destruct (Rle_or_lt (bpow radix2 (emin + Zpos p - 1)) (Rabs x)) as [normal|small].
  - pose proof (flt_normal_is_flx emin (Zpos p) x (rd x) near normal) as near_flx.
    rewrite <- roundoff_same, <- (Rmult_1_r (Rounding.u (Zpos p) / 2)).
    now apply (nearest_error_below (Zpos p) (FLX_exp (Zpos p)) x (rd x) 0).
  - assert (eta_le : bpow radix2 emin <= u_of p)
      by (rewrite <- roundoff_same, u_bpow; now apply bpow_le).
    eapply Rle_trans with (bpow radix2 emin / 2); [|lra].
    apply (flt_error_below_normal emin (Zpos p) x (rd x) near).
    eapply Rlt_trans; [exact small | apply bpow_lt; lia].
Qed.

Definition gradual_entry (t j : nat) : C := cround rd (factor t j).

Lemma gradual_entry_error t j : Cmod (gradual_entry t j - factor t j)%C <= mu_of p.
Proof.
  pose proof (root_Cmod (len t + len t) j) as unit; fold (factor t j) in unit.
  replace (mu_of p) with (sqrt 2 * (u_of p / 2)).
  - pose proof (Rabs_fst_le_Cmod (factor t j)) as re; pose proof (Rabs_snd_le_Cmod (factor t j)) as im.
    rewrite unit in re, im; unfold gradual_entry; destruct (factor t j) as [c s].
    apply Cmod_le_square; [pose proof (u_of_nonneg p); lra | |]; simpl; now apply gradual_part_error.
  - unfold mu_of; assert (0 < sqrt 2) by (apply sqrt_lt_R0; lra).
    rewrite <- (sqrt_sqrt 2) at 2 by lra; field; lra.
Qed.

Lemma gradual_entry_trivial t j : (t < 2)%nat -> (j < len t)%nat -> gradual_entry t j = factor t j.
Proof.
  intros trivial lt; unfold gradual_entry, cround.
  assert (minus_1 : generic_format radix2 exponents (-1))
    by (replace (-1) with (- (1)) by ring; apply generic_format_opp, gradual_1).
  assert (values : factor t j = RtoC 1 \/ factor t j = (0, -1)).
  { destruct t as [|[|t]]; [left; now apply factor_0 | now apply factor_1 | lia]. }
  destruct values as [-> | ->]; cbn [fst snd RtoC];
    rewrite ?(gradual_same _ gradual_1), ?(gradual_same _ gradual_0), ?(gradual_same _ minus_1); easy.
Qed.

Definition gradual_dit : nat -> vector -> vector :=
  dit (cadd rd) (csub rd) (cmul rd) (fun t j => cround rd (factor t j)).
Definition gradual_dif : nat -> vector -> vector :=
  dif (cadd rd) (csub rd) (cmul rd) (fun t j => cround rd (factor t j)).

Definition in_graduals (n : nat) (x : vector) : Prop := forall j, (j < n)%nat -> in_gradual (x j).

Theorem gradual_dit_error t x : in_graduals (len t) x ->
  norm (len t) (vminus (gradual_dit t x) (dft (len t) x)) <=
  radix2_bound (mu_of p) (rho_of p) (u_of p) t * norm (len t) (dft (len t) x) +
  sqrt (INR (len t)) * absolute_in_time gradual (mu_of p) t.
Proof.
  apply (dit_close gradual (mu_of p) gradual_entry).
  - apply mu_of_nonneg.
  - intros; apply gradual_rounded.
  - intros; apply gradual_entry_error.
  - apply gradual_entry_trivial.
Qed.

Theorem gradual_dif_error t x : in_graduals (len t) x ->
  norm (len t) (vminus (gradual_dif t x) (dft (len t) x)) <=
  radix2_bound (mu_of p) (rho_of p) (u_of p) t * norm (len t) (dft (len t) x) +
  sqrt (INR (len t)) * absolute_in_frequency gradual (mu_of p) t.
Proof.
  apply (dif_close gradual (mu_of p) gradual_entry).
  - apply mu_of_nonneg.
  - intros; apply gradual_rounded.
  - intros; apply gradual_entry_error.
  - apply gradual_entry_trivial.
Qed.

End Gradual.
