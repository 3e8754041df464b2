(** The numbers of bounds.csv bound the errors of the algorithms, for inputs in the mode's format and
    for those that are rounded to it first. *)

From Coq Require Import ZArith Reals Lia Lra List Permutation.
From Flocq Require Import Core.
From Coquelicot Require Import Coquelicot.
From Fftprec Require Import Rounding Products Stages Fourier Fft Gemm Bounds Formats.

Open Scope R_scope.

Section Printed.

Variables (m : mode) (t : nat) (choice choice' choice_of_input : Z -> bool).
Hypothesis t_pos : (0 < t)%nat.

Notation n := (2 ^ t)%nat.
Notation p := (precision m).

Lemma two_bits_of_mode : (2 <= Zpos p)%Z.
Proof. destruct m; easy. Qed.

(** What the algorithm gets of x. *)
Definition entered (i : input) (x : vector) : vector :=
  match i with
  | Stored => x
  | Rounded => fun j => cround (flx (Zpos p) choice_of_input) (x j)
  end.

(** An input of kind i: in the format, unless it is rounded. *)
Definition is_input (i : input) (x : vector) : Prop :=
  match i with Stored => forall j, in_format p (x j) | Rounded => True end.

Lemma entered_in_format i x : is_input i x -> forall j, in_format p (entered i x j).
Proof. destruct i; [easy | intros _ j; apply rounded_in_format, FLX_exp_valid; easy]. Qed.

(** To round an input is a stage that errs by u. *)
Lemma entered_error i x : errs n (match i with Stored => 0 | Rounded => u_of p end) (entered i x) x.
Proof.
  destruct i; [apply errs_same|].
  apply norm_le_elements; [apply u_of_nonneg|]; intros j _.
  rewrite <- roundoff_same; apply complex_rounding_error; [apply u_nonneg | apply flx_errs_by; easy].
Qed.

Lemma below_printed i a x y :
  norm n (vminus y (dft n (entered i x))) <= proven_bound a m t * norm n (dft n (entered i x)) ->
  norm n (vminus y (dft n x)) <= decimal_value (printed i a m t) * norm n (dft n x).
Proof.
  intro err; pose proof (proven_nonneg a m t t_pos) as pos.
  apply (errs_weaken n (with_input i m (proven_bound a m t))); [now apply printed_above|].
  assert (of_dft : stage n (sqrt (INR n)) (dft n)) by (rewrite <- len_power; apply stage_dft).
  pose proof (stages_compose n _ _ _ _ _ _ _ of_dft pos (entered_error i x) err) as whole.
  destruct i; [now rewrite compose_0_l in whole | exact whole].
Qed.

(** Radix 2 of what entered, by its theorem for p bits. *)
Ltac by_radix2 error :=
  intro is_in; apply below_printed; rewrite <- len_power; apply error;
  [apply two_bits_of_mode | intros j _; now apply entered_in_format].

Theorem printed_dit i x : is_input i x ->
  norm n (vminus (fl_dit p choice t (entered i x)) (dft n x)) <=
  decimal_value (printed i Radix2_dit m t) * norm n (dft n x).
Proof. by_radix2 radix2_dit_error. Qed.

Theorem printed_dif i x : is_input i x ->
  norm n (vminus (fl_dif p choice t (entered i x)) (dft n x)) <=
  decimal_value (printed i Radix2_dif m t) * norm n (dft n x).
Proof. by_radix2 radix2_dif_error. Qed.

(** In any order of the terms of each part. *)
Theorem printed_gemm i order order' x :
  (forall k, Permutation (order k) (List.seq 0 (n + n))) ->
  (forall k, Permutation (order' k) (List.seq 0 (n + n))) -> is_input i x ->
  norm n (vminus (fl_gemm p (sum_precision m) choice choice' n order order' (entered i x)) (dft n x))
  <= decimal_value (printed i Dft_gemm m t) * norm n (dft n x).
Proof.
  intros all all' input; assert (n_pos : (0 < n)%nat) by (rewrite <- len_power; apply len_pos).
  apply below_printed; unfold proven_bound.
  pose proof (entered_in_format i x input) as in_p.
  destruct (exact_products m) eqn:exact.
  - apply gemm_exact_products_error; try easy.
    unfold exact_products in exact; apply Pos.leb_le in exact; lia.
  - now apply gemm_in_order_error.
Qed.

End Printed.
