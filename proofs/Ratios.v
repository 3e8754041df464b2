(** Butterflies of fused operations whose factor is a number times a ratio.

    w = f (1 + i r), so that w b = f (b + i r b): one fused operation forms a part of the bracket,
    and one a part of a + f (.) and of a - f (.). The other form, w = i f (1 + i r), has i b in the
    place of b. It is Predictor::ratio_error and ratio_butterfly; the operations are those of
    algorithms/fft/radix2_fused.hpp.
    Source: Linzer, Feig, IEEE Trans. Signal Process. 41 (1993), 93-107, for the butterfly.

    Theorems to cite: ratio_product_error, ratio_butterfly_error. *)

From Coq Require Import ZArith Reals Lra Lia.
From Flocq Require Import Core.
From Coquelicot Require Import Complex.
From Fftprec Require Import Rounding Products.

Local Open Scope R_scope.

(** f z for a real number f. *)
Definition scale (f : R) (z : C) : C := (f * fst z, f * snd z).

Lemma scale_Cmult f z : scale f z = Cmult (RtoC f) z.
Proof. unfold scale, Cmult, RtoC. simpl. f_equal; ring. Qed.

Lemma Cmod_scale f z : Cmod (scale f z) = Rabs f * Cmod z.
Proof. rewrite scale_Cmult, Cmod_mult, Cmod_R. reflexivity. Qed.

(** The bracket b + i r b. *)
Definition bracket (r : R) (b : C) : C := (fst b - r * snd b, snd b + r * fst b).

Lemma bracket_Cmult r b : bracket r b = Cmult (1, r) b.
Proof. unfold bracket, Cmult. simpl. f_equal; ring. Qed.

(** The table gives f (1 + i r) for w, |w| = 1, up to mu; its ratio is stored as r', off by e of
    itself, and its factor as f', off by d of itself; each part of the bracket with r' errs by s.
    Then |f' fl(bracket) - w b| <= ((1 + mu)(1 + e)(1 + d)(1 + s) - 1) |w b|, whatever the size of
    the ratio. *)
Theorem ratio_product_error mu e d s w f r f' r' b v :
  0 <= e -> 0 <= d -> 0 <= s -> Cmod w = 1 -> Cmod (Cminus (scale f (1, r)) w) <= mu ->
  Rabs (r' - r) <= e * Rabs r -> Rabs (f' - f) <= d * Rabs f ->
  Cmod (Cminus v (bracket r' b)) <= s * Cmod (bracket r' b) ->
  Cmod (Cminus (scale f' v) (Cmult w b)) <=
  ((1 + mu) * (1 + e) * (1 + d) * (1 + s) - 1) * Cmod (Cmult w b).
Proof.
  intros E D S W M Hr Hf Hv. rewrite bracket_Cmult in *.
  rewrite Cmod_mult, W, Rmult_1_l.
  set (g := scale f (1, r)) in *. set (g' := scale f (1, r')).
  pose proof (Cmod_ge_0 b) as B.
  assert (G : Cmod g <= 1 + mu).
  { as_sum (Cplus (Cminus g w) w). lra. }
  assert (GG : Cmod (Cminus g' g) <= e * (1 + mu)).
  { replace (Cminus g' g) with (scale (f * (r' - r)) (0, 1)).
    - rewrite Cmod_scale.
      replace (Cmod (0, 1)) with 1.
      + rewrite Rmult_1_r, Rabs_mult.
        apply Rle_trans with (e * (Rabs f * Rabs r)).
        * pose proof (Rmult_le_compat_l _ _ _ (Rabs_pos f) Hr). lra.
        * apply Rmult_le_compat_l; [exact E |]. rewrite <- Rabs_mult.
          eapply Rle_trans; [| exact G]. apply (Rabs_snd_le_Cmod g).
      + unfold Cmod. simpl fst. simpl snd. replace (0 ^ 2 + 1 ^ 2) with 1 by ring.
        symmetry. apply sqrt_1.
    - unfold g', g, scale, Cminus, Cplus, Copp. simpl. f_equal; ring. }
  assert (G' : Cmod g' <= (1 + mu) * (1 + e)).
  { as_sum (Cplus (Cminus g' g) g). lra. }
  assert (F : Cmod g' = Rabs f * Cmod (1, r')) by apply Cmod_scale.
  set (h := Cmod (1, r')) in *.
  assert (H : 0 <= h) by apply Cmod_ge_0.
  assert (Mu : 0 <= mu) by (eapply Rle_trans; [apply Cmod_ge_0 | exact M]).
  replace (Cminus (scale f' v) (Cmult w b)) with
    (Cplus (Cplus (scale f' (Cminus v (Cmult (1, r') b))) (Cmult (scale (f' - f) (1, r')) b))
           (Cplus (Cmult (Cminus g' g) b) (Cmult (Cminus g w) b))).
  - eapply Rle_trans; [apply Cmod_triangle |].
    pose proof (Cmod_triangle (scale f' (Cminus v (Cmult (1, r') b)))
                              (Cmult (scale (f' - f) (1, r')) b)) as T1.
    pose proof (Cmod_triangle (Cmult (Cminus g' g) b) (Cmult (Cminus g w) b)) as T2.
    rewrite !Cmod_mult, ?Cmod_scale in *. fold h in T1, Hv |- *.
    assert (F' : Rabs f' <= (1 + d) * Rabs f).
    { as_sum ((f' - f) + f). lra. }
    assert (A1 : Rabs f' * Cmod (Cminus v (Cmult (1, r') b)) <=
                 (1 + d) * s * ((1 + mu) * (1 + e)) * Cmod b).
    { apply Rle_trans with ((1 + d) * Rabs f * (s * (h * Cmod b))).
      - apply Rmult_le_compat; [apply Rabs_pos | apply Cmod_ge_0 | exact F' | exact Hv].
      - replace ((1 + d) * Rabs f * (s * (h * Cmod b)))
          with ((1 + d) * s * (Rabs f * h) * Cmod b) by ring.
        apply Rmult_le_compat_r; [exact B |]. rewrite <- F.
        apply Rmult_le_compat_l; [apply Rmult_le_pos; lra | exact G']. }
    assert (A2 : Rabs (f' - f) * h * Cmod b <= d * ((1 + mu) * (1 + e)) * Cmod b).
    { apply Rmult_le_compat_r; [exact B |].
      apply Rle_trans with (d * (Rabs f * h)).
      - rewrite <- Rmult_assoc. now apply Rmult_le_compat_r.
      - rewrite <- F. now apply Rmult_le_compat_l. }
    assert (A3 : Cmod (Cminus g' g) * Cmod b <= e * (1 + mu) * Cmod b)
      by now apply Rmult_le_compat_r.
    assert (A4 : Cmod (Cminus g w) * Cmod b <= mu * Cmod b) by now apply Rmult_le_compat_r.
    lra.
  - rewrite !scale_Cmult. unfold g', g. rewrite !scale_Cmult, RtoC_minus. ring.
Qed.

(** The butterfly: fused sums a + f' v and a - f' v to nearest, p bits, nothing underflows. With r'
    and f' rounded to nearest, and the bracket by fused operations to nearest, each of e, d and s
    is u. *)
Theorem ratio_butterfly_error p {precision : Prec_gt_0 p} choice mu w f r a b :
  Cmod w = 1 -> Cmod (Cminus (scale f (1, r)) w) <= mu ->
  let rd := flx p choice in
  let v := cround rd (bracket (rd r) b) in
  let t := scale (rd f) v in
  let g := (1 + mu) * (1 + u p) ^ 3 - 1 in
  pair_norm (Cminus (cadd rd a t) (Cplus a (Cmult w b)))
            (Cminus (csub rd a t) (Cminus a (Cmult w b))) <=
  ((1 + g) * (1 + u p) - 1) * pair_norm (Cplus a (Cmult w b)) (Cminus a (Cmult w b)).
Proof.
  intros W M rd v t g. pose proof (u_pos p) as U.
  assert (Mu : 0 <= mu) by (eapply Rle_trans; [apply Cmod_ge_0 | exact M]).
  assert (E : errs_by (u p) rd) by (apply flx_errs_by; exact precision).
  assert (G : 0 <= g).
  { unfold g. assert (1 <= (1 + u p) ^ 3) by (apply pow_R1_Rle; lra).
    pose proof (Rmult_le_pos mu ((1 + u p) ^ 3) Mu ltac:(lra)). lra. }
  assert (T : Cmod (Cminus t (Cmult w b)) <= g * Cmod (Cmult w b) + 0).
  { rewrite Rplus_0_r. replace g with ((1 + mu) * (1 + u p) * (1 + u p) * (1 + u p) - 1)
      by (unfold g; ring).
    apply (ratio_product_error mu (u p) (u p) (u p) w f r (rd f) (rd r) b v); try lra;
      try assumption; try apply E.
    apply complex_rounding_error; [lra | exact E]. }
  pose proof (butterfly_error g (u p) 0 w a b t _ _ W G (Rlt_le _ _ U) (Rle_refl 0) T
    (complex_sum_error p choice a t) (complex_difference_error p choice a t)) as B.
  fold rd in B. lra.
Qed.
