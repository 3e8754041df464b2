(** Binary formats with gradual underflow: radix 2 with p bits and least number 2^emin, to nearest.
    Nothing overflows. *)

From Coq Require Import ZArith Reals Lia Lra Psatz.
From Flocq Require Import Core.
From Coquelicot Require Import Coquelicot.
From Fftprec Require Import Rounding Products Stages Fourier Fft Bounds Formats.

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

Definition in_graduals (n : nat) (x : vector) : Prop :=
  forall j, (j < n)%nat -> cformat exponents (x j).

Lemma gradual_1 : generic_format radix2 exponents 1.
Proof.
  change 1 with (bpow radix2 0); apply generic_format_bpow; unfold FLT_exp; lia.
Qed.

(** The absolute part of a product: sqrt 2 (1 + 2u) 2^emin. *)
Definition product_eta : R := sqrt 2 * (1 + 2 * u_of p) * bpow radix2 emin.

Lemma product_eta_pos : 0 <= product_eta.
Proof.
  pose proof (u_of_nonneg p); repeat apply Rmult_le_pos; [apply sqrt_pos | lra | apply bpow_ge_0].
Qed.

Definition gradual : arithmetic.
Proof.
  refine (rounded exponents choice rd (rd_same _ _) (u_of p) (rho_of p) product_eta (u_of_nonneg p)
            (rho_of_nonneg p) product_eta_pos _ _ _).
  - intros x y; rewrite <- roundoff_same; apply (complex_sum_error_flt emin (Zpos p)).
  - intros x y; rewrite <- roundoff_same; apply (complex_difference_error_flt emin (Zpos p)).
  - intros w x; unfold rho_of, product_eta; rewrite <- roundoff_same.
    now apply (complex_product_error_flt emin (Zpos p)).
Defined.

(** An entry of a table errs by u/sqrt 2, small parts as well. *)
Lemma gradual_entry_error w : Cmod w = 1 -> Cmod (cround rd w - w)%C <= mu_of p.
Proof.
  intro unit; pose proof (table_entry_error_flt emin (Zpos p) choice w unit) as error.
  rewrite Rmax_left, roundoff_same in error; [exact error|].
  rewrite u_bpow; now apply bpow_le.
Qed.

Definition gradual_table : table (cformat exponents) (mu_of p) :=
  rounded_table exponents choice gradual_1 (mu_of p) (mu_of_nonneg p) gradual_entry_error.

Definition gradual_dit : nat -> vector -> vector :=
  dit (cadd rd) (csub rd) (cmul rd) (fun t j => cround rd (factor t j)).
Definition gradual_dif : nat -> vector -> vector :=
  dif (cadd rd) (csub rd) (cmul rd) (fun t j => cround rd (factor t j)).

Theorem gradual_dit_error t x : in_graduals (len t) x ->
  norm (len t) (vminus (gradual_dit t x) (dft (len t) x)) <=
  radix2_bound (mu_of p) (rho_of p) (u_of p) t * norm (len t) (dft (len t) x) +
  sqrt (INR (len t)) * absolute_in_time gradual (mu_of p) t.
Proof. apply (dit_close gradual (mu_of p) gradual_table). Qed.

Theorem gradual_dif_error t x : in_graduals (len t) x ->
  norm (len t) (vminus (gradual_dif t x) (dft (len t) x)) <=
  radix2_bound (mu_of p) (rho_of p) (u_of p) t * norm (len t) (dft (len t) x) +
  sqrt (INR (len t)) * absolute_in_frequency gradual (mu_of p) t.
Proof. apply (dif_close gradual (mu_of p) gradual_table). Qed.

End Gradual.
