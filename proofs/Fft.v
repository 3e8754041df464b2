(** The radix-2 FFTs: one template over any arithmetic, in exact arithmetic the DFT, in rounded
    arithmetic within the bound of radix2-dit and radix2-dif. With gradual underflow products err by
    an absolute part, too; sums do not. *)

From Coq Require Import Reals Lia Lra Psatz.
From Coquelicot Require Import Coquelicot.
From Fftprec Require Import Stages Fourier.

Open Scope R_scope.

(** ** The transform *)

(** 2^t. *)
Fixpoint len (t : nat) : nat := match t with O => 1 | S t => len t + len t end.

Lemma len_power t : len t = (2 ^ t)%nat.
Proof. induction t as [|t IH]; simpl; [easy | rewrite IH; lia]. Qed.

Lemma len_pos t : (0 < len t)%nat.
Proof. induction t; simpl; lia. Qed.

(** ** The algorithms

    [w t j] is entry j of the table of the stage that combines elements at distance 2^t. *)
Section Template.

Variables (T W : Type) (add sub : T -> T -> T) (mul : W -> T -> T) (w : nat -> nat -> W).

Definition join (m : nat) (a b : nat -> T) : nat -> T :=
  fun k => if Nat.ltb k m then a k else b (k - m)%nat.

Definition interleave (a b : nat -> T) : nat -> T :=
  fun k => if Nat.even k then a (Nat.div2 k) else b (Nat.div2 k).

(** In time: the transforms of the even and of the odd elements, then butterflies (a + w b, a - w b). *)
Fixpoint dit (t : nat) (x : nat -> T) : nat -> T :=
  match t with
  | O => x
  | S t =>
    let a := dit t (fun j => x (2 * j)%nat) in
    let b := dit t (fun j => x (2 * j + 1)%nat) in
    let p := fun j => mul (w t j) (b j) in
    join (len t) (fun j => add (a j) (p j)) (fun j => sub (a j) (p j))
  end.

(** In frequency: butterflies (a + b, w (a - b)), then the transforms of both halves. *)
Fixpoint dif (t : nat) (x : nat -> T) : nat -> T :=
  match t with
  | O => x
  | S t =>
    let a := fun j => add (x j) (x (len t + j)%nat) in
    let b := fun j => mul (w t j) (sub (x j) (x (len t + j)%nat)) in
    interleave (dif t a) (dif t b)
  end.

End Template.

Arguments dit {T W}.
Arguments dif {T W}.

(** The factors of the stage at distance 2^t: exp(-2 pi i j/(2 2^t)). *)
Definition factor (t j : nat) : C := root (len t + len t) j.

Definition exact_dit := dit Cplus Cminus Cmult factor.
Definition exact_dif := dif Cplus Cminus Cmult factor.

(** 1, and 1 and -i, are the entries of the tables at distances 1 and 2. *)
Lemma factor_0 j : (j < 1)%nat -> factor 0 j = 1%C.
Proof. intro; replace j with O by lia; apply root_0. Qed.

Lemma factor_1 j : (j < 2)%nat -> factor 1 j = 1%C \/ factor 1 j = (0, -1).
Proof.
  intro lt; destruct j as [|j]; [left; apply root_0|]; right.
  replace j with O by lia; unfold factor, root; simpl len; simpl Nat.add.
  replace (2 * PI * INR 1 / INR 4) with (PI / 2) by (simpl; field).
  now rewrite cos_PI2, sin_PI2.
Qed.

(** ** Exact arithmetic computes the DFT *)

Lemma even_half (x : vector) m k : (0 < m)%nat ->
  csum m (fun j => x (2 * j)%nat * root (m + m) (2 * j * k))%C = dft m (fun j => x (2 * j)%nat) k.
Proof.
  intro pos; apply csum_ext; intros j _.
  now rewrite <- (root_double m (j * k)), Nat.mul_assoc by easy.
Qed.

Lemma odd_half (x : vector) m k : (0 < m)%nat ->
  csum m (fun j => x (2 * j + 1)%nat * root (m + m) ((2 * j + 1) * k))%C =
  (root (m + m) k * dft m (fun j => x (2 * j + 1)%nat) k)%C.
Proof.
  intro pos; unfold dft; rewrite <- csum_scale; apply csum_ext; intros j _.
  replace ((2 * j + 1) * k)%nat with (2 * (j * k) + k)%nat by lia.
  rewrite root_add, root_double by easy; ring.
Qed.

(** Decimation in time. *)
Lemma dft_in_time m (x : vector) k : (0 < m)%nat ->
  dft (m + m) x k = (dft m (fun j => x (2 * j)%nat) k +
                     root (m + m) k * dft m (fun j => x (2 * j + 1)%nat) k)%C.
Proof.
  intro pos; rewrite <- even_half, <- odd_half by easy; unfold dft.
  apply (csum_parity m (fun j => x j * root (m + m) (j * k))%C).
Qed.

Lemma dft_periodic m (x : vector) k : (0 < m)%nat -> dft m x (m + k)%nat = dft m x k.
Proof.
  intro pos; apply csum_ext; intros j _.
  rewrite Nat.mul_add_distr_l, root_add, root_turns by easy; ring.
Qed.

Lemma dft_in_time_second m (x : vector) k : (0 < m)%nat ->
  dft (m + m) x (m + k)%nat = (dft m (fun j => x (2 * j)%nat) k -
                               root (m + m) k * dft m (fun j => x (2 * j + 1)%nat) k)%C.
Proof.
  intro pos; rewrite dft_in_time, !dft_periodic, root_add, root_half by easy.
  ring.
Qed.

(** Radix2-dit computes the DFT. *)
Theorem dit_is_dft t x k : (k < len t)%nat -> exact_dit t x k = dft (len t) x k.
Proof.
  unfold exact_dit; revert x k; induction t as [|t IH]; intros x k lt.
  - simpl in lt; replace k with O by lia; simpl; now rewrite dft_1.
  - cbn [dit len] in *; pose proof (len_pos t) as pos; unfold join.
    destruct (Nat.ltb_spec k (len t)) as [low|high].
    + rewrite !IH, dft_in_time by easy; easy.
    + assert (is_k : k = (len t + (k - len t))%nat) by lia.
      assert (h_lt : (k - len t < len t)%nat) by lia.
      revert is_k h_lt; generalize (k - len t)%nat; intros h is_k h_lt; rewrite is_k.
      rewrite !IH, dft_in_time_second by lia; easy.
Qed.

(** Decimation in frequency. *)
Lemma dft_in_frequency_even m (x : vector) k : (0 < m)%nat ->
  dft (m + m) x (2 * k)%nat = dft m (fun j => x j + x (m + j)%nat)%C k.
Proof.
  intro pos; unfold dft; rewrite csum_app, <- csum_plus; apply csum_ext; intros j _.
  replace (j * (2 * k))%nat with (2 * (j * k))%nat by lia.
  replace ((m + j) * (2 * k))%nat with (2 * (k * m + j * k))%nat by lia.
  rewrite !root_double, root_add, root_turns by easy; ring.
Qed.

Lemma dft_in_frequency_odd m (x : vector) k : (0 < m)%nat ->
  dft (m + m) x (2 * k + 1)%nat =
  dft m (fun j => root (m + m) j * (x j - x (m + j)%nat))%C k.
Proof.
  intro pos; unfold dft; rewrite csum_app, <- csum_plus; apply csum_ext; intros j _.
  replace (j * (2 * k + 1))%nat with (2 * (j * k) + j)%nat by lia.
  replace ((m + j) * (2 * k + 1))%nat with (2 * (k * m + j * k) + (m + j))%nat by lia.
  rewrite !root_add, !root_double, root_add, root_turns, root_half by easy; ring.
Qed.

Lemma interleave_even {T} (a b : nat -> T) k : interleave T a b (2 * k) = a k.
Proof. unfold interleave; now destruct (at_even k) as [-> ->]. Qed.

Lemma interleave_odd {T} (a b : nat -> T) k : interleave T a b (2 * k + 1) = b k.
Proof. unfold interleave; now destruct (at_odd k) as [-> ->]. Qed.

(** Radix2-dif computes the DFT. *)
Theorem dif_is_dft t x k : (k < len t)%nat -> exact_dif t x k = dft (len t) x k.
Proof.
  unfold exact_dif; revert x k; induction t as [|t IH]; intros x k lt.
  - simpl in lt; replace k with O by lia; simpl; now rewrite dft_1.
  - cbn [dif len] in *; pose proof (len_pos t) as pos.
    destruct (Nat.Even_or_Odd k) as [[h is_k] | [h is_k]]; subst k.
    + rewrite interleave_even, IH, dft_in_frequency_even by lia; easy.
    + rewrite interleave_odd, IH, dft_in_frequency_odd by lia; easy.
Qed.

(** ** Norms: the exact stages are unitary maps times scales *)

(** (a + b, a - b) of both halves a, b. *)
Definition butterflies (m : nat) (v : vector) : vector :=
  cat m (fun j => v j + v (m + j)%nat)%C (fun j => v j - v (m + j)%nat)%C.

(** The second half times factors. *)
Definition twist (m : nat) (w : nat -> C) (v : vector) : vector :=
  cat m v (fun j => w j * v (m + j)%nat)%C.

(** A map of m values on both halves. *)
Definition on_halves (m : nat) (A : vector -> vector) (v : vector) : vector :=
  cat m (A v) (A (fun j => v (m + j)%nat)).

Lemma parallelogram (a b : C) :
  Cmod (a + b)%C ^ 2 + Cmod (a - b)%C ^ 2 = 2 * (Cmod a ^ 2 + Cmod b ^ 2).
Proof. rewrite !Cmod_sqr; simpl; ring. Qed.

Lemma stage_butterflies m : stage (m + m) (sqrt 2) (butterflies m).
Proof.
  apply stage_of_energy; [apply sqrt_pos | |].
  - intros x y; unfold butterflies, vminus; by_halves; ring.
  - intro x; rewrite pow2_sqrt by lra; unfold butterflies; rewrite energy_cat, energy_app.
    unfold energy; rewrite <- !rsum_plus, <- rsum_scale; apply rsum_ext; intros j _.
    apply parallelogram.
Qed.

Lemma stage_twist m w :
  (forall j, (j < m)%nat -> Cmod (w j) = 1) -> stage (m + m) 1 (twist m w).
Proof.
  intro unit; apply stage_of_energy; [lra | |].
  - intros x y; unfold twist, vminus; by_halves; ring.
  - intro x; rewrite pow1, Rmult_1_l; unfold twist; rewrite energy_cat, energy_app; f_equal.
    apply rsum_ext; intros j lt; now rewrite Cmod_mult, unit, Rmult_1_l.
Qed.

Lemma stage_on_halves m s A : stage m s A -> stage (m + m) s (on_halves m A).
Proof.
  intro is_stage; apply stage_of_energy; [apply is_stage | |].
  - intros x y; unfold on_halves, vminus; by_halves.
    + now apply (stage_minus is_stage).
    + now apply (stage_minus is_stage (fun j => x (m + j)%nat) (fun j => y (m + j)%nat)).
  - intro x; unfold on_halves; rewrite energy_cat, !(stage_energy is_stage), energy_app; ring.
Qed.

(** Parseval for n = 2^t. *)
Corollary parseval t x : energy (len t) (dft (len t) x) = INR (len t) * energy (len t) x.
Proof. apply parseval_any. Qed.

(** Errors in the second half alone, by b of an element and by h. *)
Lemma close_second_half m b h (y1 y2 t2 : vector) : 0 <= b -> 0 <= h ->
  (forall j, (j < m)%nat -> Cmod (y2 j - t2 j)%C <= b * Cmod (t2 j) + h) ->
  close (m + m) b (h / sqrt 2) (cat m y1 y2) (cat m y1 t2).
Proof.
  intros b_pos h_pos le; pose proof (close_elements m b h y2 t2 b_pos h_pos le) as second.
  unfold close in *; rewrite (norm_ext _ _ _ (vminus_cat m m y1 y2 y1 t2)), !norm_cat.
  pose proof sqrt_2_pos as root_2.
  replace (sqrt (INR (m + m)) * (h / sqrt 2)) with (sqrt (INR m) * h).
  - replace (norm m (vminus y1 y1)) with 0.
    + rewrite pow_i, Rplus_0_l, sqrt_pow2 by (lia || apply norm_nonneg).
      eapply Rle_trans; [exact second|]; apply Rplus_le_compat_r, Rmult_le_compat_l; [easy|].
      rewrite <- (sqrt_pow2 (norm m t2)) at 1 by apply norm_nonneg.
      apply sqrt_le_1_alt; pose proof (pow2_ge_0 (norm m y1)); lra.
    + pose proof (errs_same m y1) as none; unfold errs in none.
      pose proof (norm_nonneg m (vminus y1 y1)); lra.
  - rewrite plus_INR; replace (INR m + INR m) with (2 * INR m) by ring.
    rewrite sqrt_mult by (lra || apply pos_INR); field; lra.
Qed.

(** ** Rounded arithmetic *)

(** What the proof needs of an arithmetic: complex sums err by at most u, products with an entry
    of a table by at most rho and by an absolute eta, and products with 1 and -i not at all.
    [stored] says which numbers data can be. *)
Record arithmetic := {
  stored : C -> Prop;
  add : C -> C -> C;
  sub : C -> C -> C;
  mul : C -> C -> C;
  u : R;
  rho : R;
  eta : R;
  u_pos : 0 <= u;
  rho_pos : 0 <= rho;
  eta_pos : 0 <= eta;
  add_stored : forall x y, stored x -> stored y -> stored (add x y);
  sub_stored : forall x y, stored x -> stored y -> stored (sub x y);
  mul_stored : forall w x, stored w -> stored x -> stored (mul w x);
  add_error : forall x y, stored x -> stored y ->
    Cmod (add x y - (x + y))%C <= u * Cmod (x + y)%C;
  sub_error : forall x y, stored x -> stored y ->
    Cmod (sub x y - (x - y))%C <= u * Cmod (x - y)%C;
  mul_error : forall w x, stored w -> stored x ->
    Cmod (mul w x - w * x)%C <= rho * Cmod (w * x)%C + eta;
  mul_one : forall x, stored x -> mul (RtoC 1) x = x;
  mul_minus_i : forall x, stored x -> mul (0, -1) x = ((0, -1) * x)%C
}.

(** Tables of stored entries that err by at most mu; 1 and -i are exact. *)
Record table (stored : C -> Prop) (mu : R) := {
  entry : nat -> nat -> C;
  mu_pos : 0 <= mu;
  entry_stored : forall t j, (j < len t)%nat -> stored (entry t j);
  entry_error : forall t j, (j < len t)%nat -> Cmod (entry t j - factor t j)%C <= mu;
  entry_trivial : forall t j, (t < 2)%nat -> (j < len t)%nat -> entry t j = factor t j
}.

Arguments entry {stored mu}.
Arguments mu_pos {stored mu}.
Arguments entry_stored {stored mu}.
Arguments entry_error {stored mu}.
Arguments entry_trivial {stored mu}.

(** ** The bound

    As predict_radix2 forms it, stage by stage from distance 1 on: a product with the table of the
    stage, of no error where all entries are 1 or -i, then the sums. *)
Definition product_bound (mu rho : R) (t : nat) : R :=
  if Nat.ltb t 2 then 0 else compose mu rho.

Fixpoint radix2_bound (mu rho u : R) (t : nat) : R :=
  match t with
  | O => 0
  | S t => compose (compose (radix2_bound mu rho u t) (product_bound mu rho t)) u
  end.

Lemma product_bound_nonneg mu rho t : 0 <= mu -> 0 <= rho -> 0 <= product_bound mu rho t.
Proof. intros; unfold product_bound; destruct (t <? 2)%nat; [lra | now apply compose_nonneg]. Qed.

Lemma radix2_bound_nonneg mu rho u t :
  0 <= mu -> 0 <= rho -> 0 <= u -> 0 <= radix2_bound mu rho u t.
Proof.
  intros; induction t; simpl; [lra|].
  repeat apply compose_nonneg; auto using product_bound_nonneg.
Qed.

(** In closed form: (1 + u)^t ((1 + mu)(1 + rho))^(t - 2) - 1. *)
Theorem radix2_bound_closed mu rho u t :
  radix2_bound mu rho u t = (1 + u) ^ t * ((1 + mu) * (1 + rho)) ^ (t - 2) - 1.
Proof.
  destruct t as [|[|t]]; [simpl; ring | simpl; unfold compose, product_bound; simpl; ring |].
  replace (S (S t) - 2)%nat with t by lia.
  induction t as [|t IH]; [simpl; unfold compose, product_bound; simpl; ring|].
  remember (S (S t)) as k; cbn [radix2_bound]; rewrite IH.
  unfold product_bound; replace (k <? 2)%nat with false.
  - unfold compose; rewrite Heqk; simpl; ring.
  - symmetry; apply Nat.ltb_ge; lia.
Qed.

Section Errors.

Variables (a : arithmetic) (mu : R) (w : table (stored a) mu).

Definition computed_dit := dit (add a) (sub a) (mul a) (entry w).
Definition computed_dif := dif (add a) (sub a) (mul a) (entry w).

Notation B := (radix2_bound mu (rho a) (u a)).
Notation g := (product_bound mu (rho a)).

(** Absolute errors of the products of a stage. *)
Definition small (t : nat) : R := if Nat.ltb t 2 then 0 else eta a.

(** In time, as ErrorModel::compose forms `absolute_bound`: RMS errors of the elements. *)
Fixpoint absolute_in_time (t : nat) : R :=
  match t with
  | O => 0
  | S t => (absolute_in_time t * 1 * (1 + g t) + small t / sqrt 2) * sqrt 2 * (1 + u a) + 0
  end.

(** In frequency the first products, of the longest table, grow in all later stages. *)
Fixpoint absolute_in_frequency (t : nat) : R :=
  match t with
  | O => 0
  | S t => (0 * 1 * (1 + g t) + small t / sqrt 2) * sqrt (INR (len t)) * (1 + B t) +
           absolute_in_frequency t
  end.

Lemma small_pos t : 0 <= small t.
Proof. unfold small; destruct (t <? 2)%nat; [lra | apply eta_pos]. Qed.

Lemma g_pos t : 0 <= g t.
Proof. apply product_bound_nonneg; [apply (mu_pos w) | apply rho_pos]. Qed.

Lemma B_pos t : 0 <= B t.
Proof. apply radix2_bound_nonneg; [apply (mu_pos w) | apply rho_pos | apply u_pos]. Qed.

Lemma small_share_pos t : 0 <= small t / sqrt 2.
Proof.
  pose proof sqrt_2_pos; apply Rmult_le_pos; [apply small_pos|]; left; now apply Rinv_0_lt_compat.
Qed.

Lemma in_time_pos t : 0 <= absolute_in_time t.
Proof.
  induction t as [|t IH]; simpl; [lra|].
  pose proof (g_pos t); pose proof (small_share_pos t); pose proof (u_pos a); pose proof sqrt_2_pos.
  rewrite Rplus_0_r; repeat apply Rmult_le_pos; try lra.
  apply Rplus_le_le_0_compat; [apply Rmult_le_pos; lra | easy].
Qed.

Lemma in_frequency_pos t : 0 <= absolute_in_frequency t.
Proof.
  induction t as [|t IH]; cbn [absolute_in_frequency]; [lra|].
  pose proof (small_share_pos t); pose proof (B_pos t).
  apply Rplus_le_le_0_compat; [|easy]; repeat apply Rmult_le_pos; try lra; apply sqrt_pos.
Qed.

(** One product with an entry of the table. *)
Lemma product_error t j x : (j < len t)%nat -> stored a x ->
  Cmod (mul a (entry w t j) x - factor t j * x)%C <= g t * Cmod (factor t j * x)%C + small t.
Proof.
  intros lt is_stored; unfold product_bound, small; destruct (Nat.ltb_spec t 2) as [trivial|_].
  - rewrite (entry_trivial w) by easy.
    assert (exact : mul a (factor t j) x = (factor t j * x)%C).
    { destruct t as [|[|t]]; [| | lia].
      - rewrite factor_0 by easy; rewrite mul_one by easy; ring.
      - destruct (factor_1 j lt) as [-> | ->]; [rewrite mul_one by easy; ring|].
        now apply mul_minus_i. }
    rewrite exact; replace (_ - _)%C with (RtoC 0) by ring; rewrite Cmod_0; lra.
  - replace (compose mu (rho a)) with (mu + rho a * (1 + mu)) by (unfold compose; ring).
    apply (table_product_error mu (rho a) (eta a) (factor t j) (entry w t j));
      [apply root_Cmod | apply rho_pos | now apply entry_error |].
    apply mul_error; [now apply entry_stored | easy].
Qed.

Definition all_stored (n : nat) (x : vector) : Prop := forall j, (j < n)%nat -> stored a (x j).

(** The products and the sums of a stage, of stored data: what dit and dif have in common. *)
Definition products (t : nat) (x : vector) : vector := fun j => mul a (entry w t j) (x j).
Definition sums (m : nat) (x : vector) : vector :=
  cat m (fun j => add a (x j) (x (m + j)%nat)) (fun j => sub a (x j) (x (m + j)%nat)).

Lemma products_stored t x : all_stored (len t) x -> all_stored (len t) (products t x).
Proof. intros input j lt; apply mul_stored; [now apply entry_stored | now apply input]. Qed.

Lemma cat_stored m x y : all_stored m x -> all_stored m y -> all_stored (m + m) (cat m x y).
Proof. intros of_x of_y; hnf; by_halves; auto. Qed.

Lemma sums_stored m x : all_stored (m + m) x -> all_stored (m + m) (sums m x).
Proof.
  intro input; apply cat_stored; intros j lt; [apply add_stored | apply sub_stored]; apply input; lia.
Qed.

Lemma products_close t x y : all_stored (len t) y ->
  close (len t + len t) (g t) (small t / sqrt 2) (cat (len t) x (products t y))
    (twist (len t) (factor t) (cat (len t) x y)).
Proof.
  intro input; apply (close_ext _ _ _ (cat (len t) x (products t y)) _
                        (cat (len t) x (fun j => factor t j * y j)%C)); [easy | |].
  - unfold twist; by_halves; now rewrite ?cat_second.
  - apply close_second_half; [apply g_pos | apply small_pos|]; intros j lt.
    apply product_error; [easy | now apply input].
Qed.

Lemma sums_close m x : all_stored (m + m) x -> close (m + m) (u a) 0 (sums m x) (butterflies m x).
Proof.
  intro input; apply close_elements; [apply u_pos | lra|]; unfold sums, butterflies; by_halves;
    rewrite Rplus_0_r; [apply add_error | apply sub_error]; apply input; lia.
Qed.

Lemma stage_factors t : stage (len t + len t) 1 (twist (len t) (factor t)).
Proof. apply stage_twist; intros; apply root_Cmod. Qed.

(** Decimation in time: both transforms, then the products, then the sums. *)
Lemma dit_step t x k : (k < len t + len t)%nat -> computed_dit (S t) x k =
  sums (len t) (cat (len t) (computed_dit t (fun j => x (2 * j)%nat))
                 (products t (computed_dit t (fun j => x (2 * j + 1)%nat)))) k.
Proof. revert k; unfold computed_dit, sums; cbn [dit]; change (join C) with cat; by_halves; easy. Qed.

Lemma dit_stored t x : all_stored (len t) x -> all_stored (len t) (computed_dit t x).
Proof.
  revert x; induction t as [|t IH]; intros x input; [easy|]; intros k lt; rewrite dit_step by easy.
  apply sums_stored; [apply cat_stored; [|apply products_stored] | easy];
    apply IH; intros j j_lt; apply input; cbn [len]; lia.
Qed.

Lemma of_one_element (y x : vector) : y O = x O -> close (len 0) (B 0) 0 y (dft (len 0) x).
Proof.
  intro same; apply (close_ext 1 0 0 x y x (dft 1 x)); [| | apply errs_close, errs_same];
    intros j lt; replace j with O by lia; [easy | now rewrite dft_1].
Qed.

(** Radix2-dit errs by at most the bound, and by the absolute errors of its products. *)
Theorem dit_close t x : all_stored (len t) x ->
  close (len t) (B t) (absolute_in_time t) (computed_dit t x) (dft (len t) x).
Proof.
  revert x; induction t as [|t IH]; intros x input; [now apply of_one_element|].
  cbn [radix2_bound len absolute_in_time]; pose proof (len_pos t) as pos.
  set (even := fun j => x (2 * j)%nat); set (odd := fun j => x (2 * j + 1)%nat).
  assert (even_stored : all_stored (len t) even) by (intros j lt; apply input; cbn [len]; lia).
  assert (odd_stored : all_stored (len t) odd) by (intros j lt; apply input; cbn [len]; lia).
  pose proof (dit_stored t even even_stored) as e_stored.
  pose proof (dit_stored t odd odd_stored) as o_stored.
  pose proof (close_parts _ _ _ _ _ _ _ _ (B_pos t) (in_time_pos t) (IH even even_stored)
                (IH odd odd_stored)) as halves.
  pose proof (close_compose _ _ _ _ _ _ _ _ _ _ (stage_factors t) (g_pos t) halves
                (products_close t _ _ o_stored)) as so_far.
  pose proof (close_compose _ _ _ _ _ _ _ _ _ _ (stage_butterflies (len t)) (u_pos a) so_far
                (sums_close _ _ (cat_stored _ _ _ e_stored (products_stored t _ o_stored)))) as whole.
  refine (close_ext _ _ _ _ _ _ _ _ _ whole); [intros k lt; now rewrite dit_step|].
  unfold butterflies, twist; by_halves; [now rewrite dft_in_time | now rewrite dft_in_time_second].
Qed.

(** A transform whose results are interleaved errs as one whose results are end to end. *)
Lemma close_interleave m b h y1 t1 y2 t2 :
  close (m + m) b h (cat m y1 y2) (cat m t1 t2) ->
  close (m + m) b h (interleave C y1 y2) (interleave C t1 t2).
Proof.
  assert (size : forall x1 x2, norm (m + m) (interleave C x1 x2) = norm (m + m) (cat m x1 x2)).
  { intros x1 x2; unfold norm; f_equal; rewrite energy_parity, energy_cat; f_equal;
      apply energy_ext; intros; [apply interleave_even | apply interleave_odd]. }
  unfold close; rewrite <- size, (norm_ext _ _ _ (vminus_cat m m y1 y2 t1 t2)), <- size; intro err.
  rewrite (norm_ext _ _ (interleave C (vminus y1 t1) (vminus y2 t2))); [exact err|].
  intros j _; unfold vminus, interleave; now destruct (Nat.even j).
Qed.

(** So does radix2-dif, whose stages run the other way. *)
Theorem dif_close t x : all_stored (len t) x ->
  close (len t) (B t) (absolute_in_frequency t) (computed_dif t x) (dft (len t) x).
Proof.
  revert x; induction t as [|t IH]; intros x input; [now apply of_one_element|].
  cbn [radix2_bound len absolute_in_frequency] in *; pose proof (len_pos t) as pos.
  replace (compose (compose (B t) (g t)) (u a)) with (compose (compose (u a) (g t)) (B t))
    by (unfold compose; ring).
  set (m := len t) in *.
  set (s := fun j => add a (x j) (x (m + j)%nat)); set (d := fun j => sub a (x j) (x (m + j)%nat)).
  assert (s_stored : all_stored m s) by (intros j lt; apply add_stored; apply input; lia).
  assert (d_stored : all_stored m d) by (intros j lt; apply sub_stored; apply input; lia).
  pose proof (products_stored t d d_stored) as p_stored; set (p := products t d) in *.
  pose proof (close_compose _ _ _ _ _ _ _ _ _ _ (stage_factors t) (g_pos t) (sums_close m x input)
                (products_close t s d d_stored)) as so_far.
  assert (halves : close (m + m) (B t) (absolute_in_frequency t)
                     (cat m (computed_dif t s) (computed_dif t p)) (on_halves m (dft m) (cat m s p))).
  { refine (close_ext _ _ _ _ _ _ _ (fun j _ => eq_refl) _
              (close_parts _ _ _ _ _ _ _ _ (B_pos t) (in_frequency_pos t) (IH s s_stored)
                 (IH p p_stored))).
    unfold on_halves; by_halves; apply dft_ext; intros; [now rewrite cat_first | now rewrite cat_second]. }
  pose proof (close_compose _ _ _ _ _ _ _ _ _ _
                (stage_on_halves m _ (dft m) (stage_dft m)) (B_pos t) so_far halves) as whole.
  apply close_interleave in whole.
  refine (close_ext _ _ _ _ _ _ _ (fun j _ => eq_refl) _ whole).
  intros k lt; destruct (Nat.Even_or_Odd k) as [[h is_k] | [h is_k]]; subst k.
  - rewrite interleave_even, dft_in_frequency_even by easy; apply dft_ext; intros j low.
    unfold twist, butterflies; now rewrite !cat_first.
  - rewrite interleave_odd, dft_in_frequency_odd by easy; apply dft_ext; intros j low.
    unfold twist, butterflies; now rewrite !cat_second.
Qed.

(** Where products have no absolute error, the bound is all. *)
Lemma no_small_errors t : eta a = 0 -> absolute_in_time t = 0 /\ absolute_in_frequency t = 0.
Proof.
  intro none; assert (zero : forall t, small t = 0) by (intro; unfold small; now destruct (_ <? 2)%nat).
  induction t as [|t [time frequency]]; simpl; [easy|].
  rewrite zero, time, frequency; unfold Rdiv; split; ring.
Qed.

Theorem dit_error t x : eta a = 0 -> all_stored (len t) x ->
  errs (len t) (B t) (computed_dit t x) (dft (len t) x).
Proof.
  intros none input; apply errs_close; destruct (no_small_errors t none) as [<- _]; now apply dit_close.
Qed.

Theorem dif_error t x : eta a = 0 -> all_stored (len t) x ->
  errs (len t) (B t) (computed_dif t x) (dft (len t) x).
Proof.
  intros none input; apply errs_close; destruct (no_small_errors t none) as [_ <-]; now apply dif_close.
Qed.

(** The order of stages counts: of 8 points radix2-dif has sqrt 2 times the absolute error of
    radix2-dit, but for factors near 1. *)
Theorem orders_differ :
  absolute_in_time 3 = eta a * (1 + u a) /\
  absolute_in_frequency 3 = sqrt 2 * (eta a * (1 + B 2)).
Proof.
  pose proof sqrt_2_pos as pos.
  assert (four : sqrt (INR 4) = sqrt 2 * sqrt 2)
    by (rewrite <- sqrt_mult by lra; f_equal; simpl; ring).
  cbn [absolute_in_time absolute_in_frequency]; unfold small; cbn [Nat.ltb Nat.leb].
  replace (len 2) with 4%nat by easy; rewrite four; split; field; lra.
Qed.

End Errors.
