(** Sizes: of sums, of complex numbers and their parts, and of products with an entry of a table. *)

From Coq Require Import Reals Lra Psatz.
From Coquelicot Require Import Complex.

Local Open Scope R_scope.

(** The size on the left, read as the size of the sum e, is at most the sizes of its two terms. *)
Ltac as_sum_by e equal :=
  lazymatch goal with
  | |- Rabs ?x <= _ =>
    apply Rle_trans with (Rabs e);
    [right; apply f_equal; symmetry; equal | eapply Rle_trans; [apply Rabs_triang |]]
  | |- Cmod ?x <= _ =>
    apply Rle_trans with (Cmod e);
    [right; apply f_equal; symmetry; equal | eapply Rle_trans; [apply Cmod_triangle |]]
  end.
Tactic Notation "as_sum" constr(e) := as_sum_by e ltac:(ring).
Tactic Notation "as_sum" constr(e) "by" tactic3(equal) := as_sum_by e equal.

Lemma square_le_of_abs a b : 0 <= b -> Rabs a <= b -> a ^ 2 <= b ^ 2.
Proof. intros B H. rewrite <- (pow2_abs a). apply pow_incr. split; [apply Rabs_pos | exact H]. Qed.

Lemma sqrt_2_pos : 0 < sqrt 2.
Proof. apply sqrt_lt_R0. lra. Qed.

Lemma sqrt_2_le : sqrt 2 <= 14143/10000.
Proof. rewrite <- (sqrt_pow2 (14143/10000)) by lra. apply sqrt_le_1_alt. lra. Qed.

Lemma Cmod_sqr z : Cmod z ^ 2 = fst z ^ 2 + snd z ^ 2.
Proof. unfold Cmod. rewrite pow2_sqrt; [reflexivity | nra]. Qed.

Lemma Cmod_swap x y : Cmod (x, y) = Cmod (y, x).
Proof. unfold Cmod. simpl fst. simpl snd. f_equal. ring. Qed.

Lemma Rabs_fst_le_Cmod z : Rabs (fst z) <= Cmod z.
Proof. eapply Rle_trans; [apply Rmax_l | apply Rmax_Cmod]. Qed.

Lemma Rabs_snd_le_Cmod z : Rabs (snd z) <= Cmod z.
Proof. eapply Rle_trans; [apply Rmax_r | apply Rmax_Cmod]. Qed.

(** |z| <= b from the squares of the parts. *)
Lemma Cmod_le z b : 0 <= b -> fst z ^ 2 + snd z ^ 2 <= b ^ 2 -> Cmod z <= b.
Proof.
  intros B H. unfold Cmod. rewrite <- (sqrt_pow2 b B). now apply sqrt_le_1_alt.
Qed.

(** A number whose parts are at most k times those of w and h more is at most k |w| + sqrt(2) h. *)
Lemma Cmod_le_parts_or k h z w : 0 <= k -> 0 <= h ->
  Rabs (fst z) <= k * Rabs (fst w) + h -> Rabs (snd z) <= k * Rabs (snd w) + h ->
  Cmod z <= k * Cmod w + sqrt 2 * h.
Proof.
  intros K H A B. pose proof (sqrt_pos 2) as S. pose proof (Cmod_ge_0 w) as W.
  set (a := Rabs (fst w)) in *. set (b := Rabs (snd w)) in *.
  assert (N : Cmod w ^ 2 = a ^ 2 + b ^ 2) by (unfold a, b; now rewrite !pow2_abs, Cmod_sqr).
  assert (T : a + b <= sqrt 2 * Cmod w).
  { apply Rsqr_incr_0_var; [| nra]. rewrite !Rsqr_pow2, Rpow_mult_distr, pow2_sqrt, N by lra.
    pose proof (pow2_ge_0 (a - b)). nra. }
  apply Cmod_le; [nra |].
  rewrite <- (pow2_abs (fst z)), <- (pow2_abs (snd z)).
  pose proof (pow_incr _ _ 2 (conj (Rabs_pos (fst z)) A)) as A2.
  pose proof (pow_incr _ _ 2 (conj (Rabs_pos (snd z)) B)) as B2.
  assert (X : k * h * (a + b) <= k * h * (sqrt 2 * Cmod w)) by (apply Rmult_le_compat_l; nra).
  replace ((k * Cmod w + sqrt 2 * h) ^ 2)
    with (k ^ 2 * Cmod w ^ 2 + 2 * (k * h * (sqrt 2 * Cmod w)) + (sqrt 2 * sqrt 2) * h ^ 2) by ring.
  rewrite sqrt_sqrt, N by lra. nra.
Qed.

(** A number whose parts are at most k times those of w is at most k |w|. *)
Lemma Cmod_le_parts k z w : 0 <= k ->
  Rabs (fst z) <= k * Rabs (fst w) -> Rabs (snd z) <= k * Rabs (snd w) ->
  Cmod z <= k * Cmod w.
Proof.
  intros K A B. pose proof (Cmod_le_parts_or k 0 z w K (Rle_refl 0) ltac:(lra) ltac:(lra)). lra.
Qed.

(** A number whose parts are at most b in magnitude is at most sqrt(2) b. *)
Lemma Cmod_le_square b z : 0 <= b -> Rabs (fst z) <= b -> Rabs (snd z) <= b ->
  Cmod z <= sqrt 2 * b.
Proof.
  intros K A B. pose proof (Cmod_le_parts_or 0 b z z (Rle_refl 0) K ltac:(lra) ltac:(lra)). lra.
Qed.

(** The four products of parts: (|xr yr| + |xi yi|)^2 <= |x|^2 |y|^2, and the same for the other
    part. *)
Lemma products_le a b c d : Rabs (a * c) + Rabs (b * d) <= Cmod (a, b) * Cmod (c, d).
Proof.
  pose proof (Cmod_ge_0 (a, b)). pose proof (Cmod_ge_0 (c, d)).
  apply Rsqr_incr_0_var; [| nra]. rewrite !Rsqr_pow2, !Rpow_mult_distr, !Cmod_sqr.
  simpl fst. simpl snd. rewrite !Rabs_mult.
  rewrite <- (pow2_abs a), <- (pow2_abs b), <- (pow2_abs c), <- (pow2_abs d).
  pose proof (pow2_ge_0 (Rabs a * Rabs d - Rabs b * Rabs c)). nra.
Qed.

(** A number w of modulus 1 that stands in a table as w', off by mu, and a product with it that errs
    by rho and an absolute part h: |fl(w' x) - w x| <= (mu + rho (1 + mu)) |w x| + h.
    It is Predictor::product. *)
Theorem table_product_error mu rho h w w' x z : Cmod w = 1 -> 0 <= rho ->
  Cmod (Cminus w' w) <= mu ->
  Cmod (Cminus z (Cmult w' x)) <= rho * Cmod (Cmult w' x) + h ->
  Cmod (Cminus z (Cmult w x)) <= (mu + rho * (1 + mu)) * Cmod (Cmult w x) + h.
Proof.
  intros W R M Z. rewrite Cmod_mult in *. rewrite W, Rmult_1_l.
  pose proof (Cmod_ge_0 x) as X.
  assert (W' : Cmod w' <= 1 + mu).
  { as_sum (Cplus (Cminus w' w) w). lra. }
  as_sum (Cplus (Cminus z (Cmult w' x)) (Cmult (Cminus w' w) x)). rewrite Cmod_mult.
  assert (Cmod w' * Cmod x <= (1 + mu) * Cmod x) by (apply Rmult_le_compat_r; assumption).
  assert (Cmod (Cminus w' w) * Cmod x <= mu * Cmod x) by (apply Rmult_le_compat_r; assumption).
  assert (rho * (Cmod w' * Cmod x) <= rho * ((1 + mu) * Cmod x))
    by (apply Rmult_le_compat_l; assumption).
  lra.
Qed.
