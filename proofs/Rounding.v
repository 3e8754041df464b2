(** Rounding to nearest: what one rounding of a real or a complex number costs.

    The formats are those of Flocq in radix 2: FLX has a precision p and no limits on exponents,
    FLT has a smallest positive number eta = 2^emin as well, with gradual underflow. Neither
    overflows: a theorem here speaks of a computation in which no value overflows.

    A rounding to nearest is any function or relation that gives a nearest number of the format:
    ties may go either way, and every time another one.

    Theorems to cite: nearest_error, nearest_error_sharp, valid_rounding_error, complex_sum_error,
    complex_difference_error, complex_rounding_error, table_entry_error, flt_nearest_error,
    flt_sum_is_flx, complex_sum_error_flt, complex_difference_error_flt, table_entry_error_flt,
    table_entry_error_fixed. *)

From Coq Require Import ZArith Reals Lra Lia Psatz.
From Flocq Require Import Core Relative Plus_error.
From Coquelicot Require Import Complex.
From Fftprec Require Export Moduli.

Local Open Scope R_scope.

(** * Unit roundoff *)

(** u = 2^-p. *)
Definition u (p : Z) : R := / 2 * bpow radix2 (1 - p).

Lemma u_bpow p : u p = bpow radix2 (- p).
Proof.
  unfold u.
  replace (/ 2) with (bpow radix2 (-1)) by reflexivity.
  rewrite <- bpow_plus. f_equal. ring.
Qed.

Lemma u_is_u_ro p : u p = u_ro radix2 p.
Proof. unfold u, u_ro. f_equal. f_equal. ring. Qed.

Lemma u_pos p : 0 < u p.
Proof. rewrite u_bpow. apply bpow_gt_0. Qed.

Lemma u_nonneg p : 0 <= u p.
Proof. apply Rlt_le, u_pos. Qed.

(** p >= q gives u <= 2^-q. *)
Lemma u_le p q : (q <= p)%Z -> u p <= bpow radix2 (- q).
Proof. intros H. rewrite u_bpow. apply bpow_le. lia. Qed.

Lemma u_le_quarter p : (2 <= p)%Z -> u p <= / 4.
Proof. apply (u_le p 2). Qed.

Lemma u_over_le p : u p / (1 + u p) <= u p.
Proof.
  pose proof (u_pos p).
  apply Rmult_le_reg_r with (1 + u p). lra.
  unfold Rdiv. rewrite Rmult_assoc, Rinv_l; nra.
Qed.

Lemma u_over_nonneg p : 0 <= u p / (1 + u p).
Proof.
  pose proof (u_pos p). apply Rlt_le, Rdiv_lt_0_compat; lra.
Qed.

(** * Nearest numbers of a format *)

(** r is a number of the format at the least distance from x. *)
Definition nearest (fexp : Z -> Z) (x r : R) : Prop :=
  Rnd_N_pt (generic_format radix2 fexp) x r.

(** The rounding of a format without limits on exponents, and with a smallest number 2^emin;
    [choice] decides ties. *)
Definition flx (p : Z) (choice : Z -> bool) : R -> R :=
  round radix2 (FLX_exp p) (Znearest choice).
Definition flt (emin p : Z) (choice : Z -> bool) : R -> R :=
  round radix2 (FLT_exp emin p) (Znearest choice).

Section Nearest.

Variable fexp : Z -> Z.
Context {valid : Valid_exp fexp}.

Lemma nearest_round choice x : nearest fexp x (round radix2 fexp (Znearest choice) x).
Proof. apply round_N_pt. exact valid. Qed.

Lemma nearest_format x r : nearest fexp x r -> generic_format radix2 fexp r.
Proof. intros H. apply H. Qed.

Lemma nearest_best x r f :
  nearest fexp x r -> generic_format radix2 fexp f -> Rabs (r - x) <= Rabs (f - x).
Proof. intros [_ H] F. now apply H. Qed.

(** A number of the format is its own nearest number. *)
Lemma nearest_of_format x : generic_format radix2 fexp x -> nearest fexp x x.
Proof.
  intros H. split; [exact H|]. intros g _. rewrite Rminus_diag_eq, Rabs_R0 by reflexivity.
  apply Rabs_pos.
Qed.

Lemma nearest_exact x r : nearest fexp x r -> generic_format radix2 fexp x -> r = x.
Proof.
  intros H F. pose proof (nearest_best _ _ _ H F) as B.
  rewrite (Rminus_diag_eq x x), Rabs_R0 in B by reflexivity.
  apply Rminus_diag_uniq. apply Rabs_eq_R0.
  apply Rle_antisym; [exact B | apply Rabs_pos].
Qed.

Lemma nearest_opp x r : nearest fexp x r -> nearest fexp (- x) (- r).
Proof.
  intros H. apply Rnd_N_pt_opp_inv; rewrite ?Ropp_involutive; try exact H.
  intros y Fy. now apply generic_format_opp.
Qed.

(** It lies on the same side of a number of the format as x does. *)
Lemma nearest_le x r f : nearest fexp x r -> generic_format radix2 fexp f -> x <= f -> r <= f.
Proof.
  intros H F L. pose proof (nearest_best _ _ _ H F) as B.
  destruct (Rle_or_lt r f) as [|G]; [assumption|].
  rewrite (Rabs_pos_eq (r - x)), (Rabs_pos_eq (f - x)) in B by lra. lra.
Qed.

Lemma nearest_ge x r f : nearest fexp x r -> generic_format radix2 fexp f -> f <= x -> f <= r.
Proof.
  intros H F L. pose proof (nearest_best _ _ _ H F) as B.
  destruct (Rle_or_lt f r) as [|G]; [assumption|].
  rewrite (Rabs_left1 (r - x)), (Rabs_left1 (f - x)) in B by lra. lra.
Qed.

Lemma nearest_nonneg x r : nearest fexp x r -> 0 <= x -> 0 <= r.
Proof. intros H. apply (nearest_ge _ _ _ H). apply generic_format_0. Qed.

Lemma nearest_0 r : nearest fexp 0 r -> r = 0.
Proof. intros H. apply (nearest_exact _ _ H). apply generic_format_0. Qed.

End Nearest.

(** * Formats with at least p bits *)

(** Numbers of every size have at least p bits, and the distance of neighbours does not shrink from
    one binade to the next larger one: FLX, and what posits and takums have around 1. *)
Class Bits (p : Z) (fexp : Z -> Z) : Prop := {
  bits_valid : Valid_exp fexp;
  bits_monotone : Monotone_exp fexp;
  bits_positive : (0 < p)%Z;
  bits_enough : forall e, (fexp e <= e - p)%Z
}.
Global Existing Instance bits_valid.
Global Existing Instance bits_monotone.

Global Instance flx_bits p {precision : Prec_gt_0 p} : Bits p (FLX_exp p).
Proof.
  split; try typeclasses eauto; [exact precision |]. intros e. unfold FLX_exp. lia.
Qed.

Section AtLeast.

Variable p : Z.
Variable fexp : Z -> Z.
Context {bits : Bits p fexp}.

Notation near := (nearest fexp).
Notation format := (generic_format radix2 fexp).
Let rne := round radix2 fexp (Znearest (fun _ => true)).

Lemma format_bpow e : format (bpow radix2 e).
Proof.
  pose proof (bits_positive (p := p) (fexp := fexp)). pose proof (bits_enough (e + 1)).
  apply generic_format_bpow. lia.
Qed.

(** A number of at most 2^e is off by at most half a unit in the last place below 2^e:
    u 2^e / 2. *)
Lemma nearest_error_below x r e : near x r -> Rabs x <= bpow radix2 e ->
  Rabs (r - x) <= u p / 2 * bpow radix2 e.
Proof.
  intros H L.
  pose proof (u_pos p) as Hu. pose proof (bpow_gt_0 radix2 e) as Hb.
  destruct (Req_dec x 0) as [Z|N].
  { subst x. rewrite (nearest_0 _ _ H), Rminus_diag_eq, Rabs_R0 by reflexivity. nra. }
  destruct L as [L|L].
  - eapply Rle_trans; [apply (nearest_best _ _ _ (rne x) H) |].
    { apply (nearest_format fexp x), nearest_round. typeclasses eauto. }
    eapply Rle_trans; [apply error_le_half_ulp; typeclasses eauto |].
    rewrite ulp_neq_0 by exact N. unfold cexp.
    pose proof (mag_le_bpow radix2 x e N L) as M.
    pose proof (bits_enough (mag radix2 x)) as B.
    replace (u p / 2 * bpow radix2 e) with (/ 2 * bpow radix2 (e - p)).
    + apply Rmult_le_compat_l; [lra |]. apply bpow_le. lia.
    + unfold Zminus. rewrite bpow_plus, <- u_bpow. field.
  - assert (F : format x).
    { revert L. unfold Rabs. destruct (Rcase_abs x); intros L.
      - rewrite <- (Ropp_involutive x), L. apply generic_format_opp, format_bpow.
      - rewrite L. apply format_bpow. }
    rewrite (nearest_exact _ _ _ H F), Rminus_diag_eq, Rabs_R0 by reflexivity. nra.
Qed.

(** One rounding to nearest: |fl(x) - x| <= u/(1 + u) |x|. With 2^k the power of two below |x|, the
    error is at most u 2^k, and at most |x| - 2^k.
    Source: Knuth, TAOCP 2, 4.2.2; Jeannerod, Rump, Math. Comp. 87 (2018), 803-819. *)
Theorem nearest_error_sharp x r : near x r -> Rabs (r - x) <= u p / (1 + u p) * Rabs x.
Proof.
  assert (Pos : forall y q, 0 < y -> near y q -> Rabs (q - y) <= u p / (1 + u p) * y).
  { intros y q Y H. pose proof (u_pos p) as U.
    assert (N : y <> 0) by lra.
    pose proof (bpow_mag_le radix2 y N) as L. pose proof (bpow_mag_gt radix2 y) as G.
    set (e := mag radix2 y : Z) in *. rewrite (Rabs_pos_eq y) in L, G by lra.
    assert (S : 0 < bpow radix2 (e - 1)) by apply bpow_gt_0.
    assert (D : bpow radix2 e = 2 * bpow radix2 (e - 1)).
    { replace e with (1 + (e - 1))%Z at 1 by ring. now rewrite bpow_plus. }
    set (s := bpow radix2 (e - 1)) in *.
    assert (A : Rabs (q - y) <= u p * s).
    { pose proof (nearest_error_below y q e H) as B. rewrite (Rabs_pos_eq y), D in B by lra. lra. }
    assert (B : Rabs (q - y) <= y - s).
    { pose proof (nearest_best _ _ _ s H (format_bpow (e - 1))) as B.
      rewrite (Rabs_left1 (s - y)) in B by lra. lra. }
    apply Rmult_le_reg_r with (1 + u p); [lra |].
    replace (u p / (1 + u p) * y * (1 + u p)) with (u p * y) by (field; lra).
    nra. }
  intros H. destruct (Rtotal_order x 0) as [X|[X|X]].
  - rewrite (Rabs_left1 x) by lra. rewrite <- Rabs_Ropp.
    replace (- (r - x)) with (- r - - x) by ring.
    apply Pos; [lra | now apply nearest_opp].
  - subst x. rewrite (nearest_0 _ _ H), Rminus_diag_eq, Rabs_R0 by reflexivity. lra.
  - rewrite (Rabs_pos_eq x) by lra. now apply Pos.
Qed.

(** One rounding to nearest: |fl(x) - x| <= u |x|. Source: Higham, ASNA 2nd ed., theorem 2.2. *)
Theorem nearest_error x r : near x r -> Rabs (r - x) <= u p * Rabs x.
Proof.
  intros H. eapply Rle_trans; [apply nearest_error_sharp, H |].
  apply Rmult_le_compat_r; [apply Rabs_pos | apply u_over_le].
Qed.

(** Numbers of the format from 2^(e-1) on are integers times 2^(fexp e). *)
Lemma format_on_grid x e : format x -> bpow radix2 (e - 1) <= Rabs x ->
  exists m, x = IZR m * bpow radix2 (fexp e).
Proof.
  intros F L.
  assert (M : (e <= mag radix2 x)%Z).
  { pose proof (mag_ge_bpow radix2 x e L). lia. }
  assert (D : (0 <= cexp radix2 fexp x - fexp e)%Z).
  { unfold cexp. pose proof (bits_monotone (p := p) _ _ M). lia. }
  exists (Ztrunc (scaled_mantissa radix2 fexp x) * 2 ^ (cexp radix2 fexp x - fexp e))%Z.
  rewrite F at 1. unfold F2R. simpl Fnum. simpl Fexp.
  rewrite mult_IZR, (IZR_Zpower radix2) by exact D.
  rewrite Rmult_assoc, <- bpow_plus. f_equal. f_equal. ring.
Qed.

(** An integer times 2^(fexp e) of at most 2^e is a number of the format. *)
Lemma grid_in_format m e :
  Rabs (IZR m * bpow radix2 (fexp e)) <= bpow radix2 e -> format (IZR m * bpow radix2 (fexp e)).
Proof.
  intros [L|L].
  - apply (generic_format_F2R radix2 fexp m (fexp e)). intros N. unfold cexp.
    apply (bits_monotone (p := p)). apply mag_le_bpow; [| exact L].
    intros Z. apply N. apply (eq_0_F2R radix2 m (fexp e)). exact Z.
  - revert L. unfold Rabs. destruct (Rcase_abs _); intros L.
    + rewrite <- (Ropp_involutive (IZR m * _)), L. apply generic_format_opp, format_bpow.
    + rewrite L. apply format_bpow.
Qed.

(** The difference of two numbers from 2^(e-1) on is exact if it is at most 2^e. Source: Sterbenz,
    Floating-Point Computation, 1974, for the case of a difference below both. *)
Lemma exact_difference x y e : format x -> format y ->
  bpow radix2 (e - 1) <= Rabs x -> bpow radix2 (e - 1) <= Rabs y ->
  Rabs (x - y) <= bpow radix2 e -> format (x - y).
Proof.
  intros Fx Fy Lx Ly L.
  destruct (format_on_grid x e Fx Lx) as [m Em].
  destruct (format_on_grid y e Fy Ly) as [n En].
  rewrite Em, En in *. rewrite <- Rmult_minus_distr_r, <- minus_IZR in *.
  now apply grid_in_format.
Qed.

(** x rounded to nearest, or to a number of the format that is off by at most h and has the sign of
    x: a rounding that may underflow. *)
Definition close (h x r : R) : Prop :=
  near x r \/ (format r /\ Rabs (r - x) <= h /\ (0 <= x -> 0 <= r) /\ (x <= 0 -> r <= 0)).

(** Then r is nearest to a number x' that is off by at most h and has the sign of x: the error has a
    relative and an absolute part. *)
Lemma close_nearby h x r : 0 <= h -> close h x r ->
  exists x', near x' r /\ Rabs (x' - x) <= h /\ (0 <= x -> 0 <= x') /\ (x <= 0 -> x' <= 0).
Proof.
  intros H [N|[F [E S]]].
  - exists x. split; [exact N |]. split; [| tauto].
    now rewrite Rminus_diag_eq, Rabs_R0 by reflexivity.
  - exists r. split; [now apply nearest_of_format |]. split; [exact E | exact S].
Qed.

Lemma close_format h x r : close h x r -> format r.
Proof. intros [N|N]; apply N. Qed.

(** |fl(x) - x| <= u/(1 + u) |x| + h. *)
Lemma close_error_sharp h x r : 0 <= h -> close h x r ->
  Rabs (r - x) <= u p / (1 + u p) * Rabs x + h.
Proof.
  intros H [N|[_ [E _]]].
  - pose proof (nearest_error_sharp x r N). lra.
  - pose proof (u_over_nonneg p). pose proof (Rabs_pos x). nra.
Qed.

Lemma close_error h x r : 0 <= h -> close h x r -> Rabs (r - x) <= u p * Rabs x + h.
Proof.
  intros H N. eapply Rle_trans; [apply close_error_sharp; [exact H | exact N] |].
  apply Rplus_le_compat_r, Rmult_le_compat_r; [apply Rabs_pos | apply u_over_le].
Qed.

End AtLeast.

(** * Formats without limits on exponents *)

Lemma flx_nearest p {precision : Prec_gt_0 p} choice x : nearest (FLX_exp p) x (flx p choice x).
Proof. apply nearest_round. typeclasses eauto. Qed.

(** Products of p-bit numbers fit into q >= 2p bits. *)
Lemma product_fits p q x y : (0 < p)%Z -> (2 * p <= q)%Z ->
  generic_format radix2 (FLX_exp p) x -> generic_format radix2 (FLX_exp p) y ->
  generic_format radix2 (FLX_exp q) (x * y).
Proof.
  intros P Q Fx Fy. assert (P' : Prec_gt_0 p) by exact P.
  assert (Q' : Prec_gt_0 q) by (unfold Prec_gt_0; lia).
  apply FLX_format_generic in Fx as [[mx ex] -> Bx]; [| exact P'].
  apply FLX_format_generic in Fy as [[my ey] -> By]; [| exact P']. simpl in Bx, By.
  apply generic_format_FLX. exists (Float radix2 (mx * my) (ex + ey)).
  - unfold F2R. simpl. rewrite mult_IZR, bpow_plus. ring.
  - simpl. rewrite Z.abs_mul.
    apply Z.lt_le_trans with (2 ^ p * 2 ^ p)%Z;
      [apply Z.mul_lt_mono_nonneg; easy || apply Z.abs_nonneg |].
    rewrite <- Z.pow_add_r by lia. apply Z.pow_le_mono_r; lia.
Qed.

(** One rounding in any direction: |fl(x) - x| <= 2u |x|. *)
Theorem valid_rounding_error p {precision : Prec_gt_0 p} rnd {valid : Valid_rnd rnd} x :
  Rabs (round radix2 (FLX_exp p) rnd x - x) <= 2 * u p * Rabs x.
Proof.
  destruct (Req_dec x 0) as [->|N].
  - rewrite round_0 by exact valid. rewrite Rminus_diag_eq, Rabs_R0 by reflexivity. lra.
  - apply Rlt_le. replace (2 * u p) with (bpow radix2 (- p + 1)).
    + apply relative_error_FLX; [exact precision | exact valid | exact N].
    + unfold u. rewrite <- Rmult_assoc, Rinv_r, Rmult_1_l by lra. f_equal. ring.
Qed.

(** * Formats with a smallest positive number *)

(** eta, the smallest positive number of a format with lowest exponent emin. *)
Definition eta (emin : Z) : R := bpow radix2 emin.

Lemma eta_pos emin : 0 < eta emin.
Proof. apply bpow_gt_0. Qed.

Section FLT.

Variables emin p : Z.
Context {precision : Prec_gt_0 p}.

Notation near := (nearest (FLT_exp emin p)).

Lemma flt_nearest choice x : near x (flt emin p choice x).
Proof. apply nearest_round. typeclasses eauto. Qed.

Lemma flt_format_flx x :
  generic_format radix2 (FLT_exp emin p) x -> generic_format radix2 (FLX_exp p) x.
Proof. apply generic_format_FLX_FLT. Qed.

(** From the smallest normal number on, rounding is that of a format without limits. *)
Lemma flt_normal_is_flx x r : near x r -> bpow radix2 (emin + p - 1) <= Rabs x ->
  nearest (FLX_exp p) x r.
Proof.
  intros H L. split.
  - apply flt_format_flx, (nearest_format _ _ _ H).
  - intros g Fg.
    eapply Rle_trans; [apply (nearest_best _ _ _ (flt emin p (fun _ => true) x) H) |].
    { apply (nearest_format (FLT_exp emin p) x), flt_nearest. }
    unfold flt. rewrite round_FLT_FLX by exact L.
    apply (nearest_best (FLX_exp p)); [apply flx_nearest; exact precision | exact Fg].
Qed.

(** Below it the error is absolute: eta/2. *)
Lemma flt_error_below_normal x r : near x r -> Rabs x < bpow radix2 (emin + p) ->
  Rabs (r - x) <= eta emin / 2.
Proof.
  intros H L.
  eapply Rle_trans; [apply (nearest_best _ _ _ (flt emin p (fun _ => true) x) H) |].
  { apply (nearest_format (FLT_exp emin p) x), flt_nearest. }
  unfold flt. eapply Rle_trans; [apply error_le_half_ulp; typeclasses eauto |].
  rewrite ulp_FLT_small by assumption. unfold eta. lra.
Qed.

(** A rounding that may underflow gradually: to nearest as without limits, or off by eta/2. *)
Theorem flt_close x r : near x r -> close (FLX_exp p) (eta emin / 2) x r.
Proof.
  intros H. destruct (Rle_or_lt (bpow radix2 (emin + p - 1)) (Rabs x)) as [L|L].
  - left. now apply flt_normal_is_flx.
  - right. split; [|split; [|split]].
    + apply flt_format_flx, (nearest_format _ _ _ H).
    + apply flt_error_below_normal; [exact H |].
      eapply Rlt_le_trans; [exact L |]. apply bpow_le. lia.
    + apply (nearest_ge _ _ _ _ H). apply generic_format_0.
    + apply (nearest_le _ _ _ _ H). apply generic_format_0.
Qed.

(** One rounding to nearest with gradual underflow: |fl(x) - x| <= u/(1 + u) |x| + eta/2.
    Source: Higham, ASNA 2nd ed., (2.8). *)
Theorem flt_nearest_error_sharp x r : near x r ->
  Rabs (r - x) <= u p / (1 + u p) * Rabs x + eta emin / 2.
Proof.
  intros H. apply (close_error_sharp p (FLX_exp p)); [pose proof (eta_pos emin); lra |].
  now apply flt_close.
Qed.

(** |fl(x) - x| <= u |x| + eta/2. *)
Theorem flt_nearest_error x r : near x r -> Rabs (r - x) <= u p * Rabs x + eta emin / 2.
Proof.
  intros H. eapply Rle_trans; [apply flt_nearest_error_sharp, H |].
  apply Rplus_le_compat_r, Rmult_le_compat_r; [apply Rabs_pos | apply u_over_le].
Qed.

(** A sum of two numbers of the format never underflows: it is rounded as without limits, so that
    its error is relative. Source: Hauser, ACM TOPLAS 18 (1996); Flocq, FLT_plus_error_N_ex. *)
Theorem flt_sum_is_flx x y r :
  generic_format radix2 (FLT_exp emin p) x -> generic_format radix2 (FLT_exp emin p) y ->
  near (x + y) r -> nearest (FLX_exp p) (x + y) r.
Proof.
  intros Fx Fy H.
  destruct (Rle_or_lt (bpow radix2 (emin + p - 1)) (Rabs (x + y))) as [L|L].
  - now apply flt_normal_is_flx.
  - assert (F : generic_format radix2 (FLT_exp emin p) (x + y)).
    { apply FLT_format_plus_small; [exact precision | exact Fx | exact Fy |].
      apply Rlt_le, Rlt_le_trans with (1 := L), bpow_le. lia. }
    rewrite (nearest_exact _ _ _ H F). now apply nearest_of_format, flt_format_flx.
Qed.

Theorem flt_difference_is_flx x y r :
  generic_format radix2 (FLT_exp emin p) x -> generic_format radix2 (FLT_exp emin p) y ->
  near (x - y) r -> nearest (FLX_exp p) (x - y) r.
Proof. intros Fx Fy. apply flt_sum_is_flx; [exact Fx | now apply generic_format_opp]. Qed.

End FLT.

(** * Flush to zero *)

(** Results below the smallest normal number 2^low become zero. *)
Definition flush (low p : Z) (choice : Z -> bool) (x : R) : R :=
  if Rlt_bool (Rabs (flx p choice x)) (bpow radix2 low) then 0 else flx p choice x.

Theorem flush_close low p {precision : Prec_gt_0 p} choice x :
  close (FLX_exp p) (bpow radix2 low) x (flush low p choice x).
Proof.
  pose proof (flx_nearest p choice x) as N.
  unfold flush. case Rlt_bool_spec; intros L; [right | now left].
  split; [apply generic_format_0 |]. split; [| lra].
  replace (0 - x) with (- x) by ring. rewrite Rabs_Ropp.
  destruct (Rle_or_lt (Rabs x) (bpow radix2 low)) as [|G]; [assumption |]. exfalso.
  revert G L. pose proof (format_bpow p (FLX_exp p) low) as F. pose proof (bpow_gt_0 radix2 low).
  destruct (Rle_or_lt 0 x) as [X|X]; intros G L.
  - rewrite (Rabs_pos_eq x) in G by lra. apply Rabs_lt_inv in L.
    pose proof (nearest_ge _ _ _ _ N F). lra.
  - rewrite (Rabs_left1 x) in G by lra. apply Rabs_lt_inv in L.
    pose proof (nearest_le _ _ _ _ N (generic_format_opp _ _ _ F)). lra.
Qed.

(** * Complex numbers, part by part *)

(** Both parts rounded by [rd], and sums and differences so rounded. *)
Definition cround (rd : R -> R) (z : C) : C := (rd (fst z), rd (snd z)).
Definition cadd (rd : R -> R) (x y : C) : C := cround rd (Cplus x y).
Definition csub (rd : R -> R) (x y : C) : C := cround rd (Cminus x y).

(** Both parts are numbers of the format. *)
Definition cformat (fexp : Z -> Z) (z : C) : Prop :=
  generic_format radix2 fexp (fst z) /\ generic_format radix2 fexp (snd z).

(** A rounding whose relative error is at most k. *)
Definition errs_by (k : R) (rd : R -> R) : Prop := forall x, Rabs (rd x - x) <= k * Rabs x.

(** A rounding whose error has a relative part of at most k and an absolute one of at most h. *)
Definition errs_by_or (k h : R) (rd : R -> R) : Prop :=
  forall x, Rabs (rd x - x) <= k * Rabs x + h.

Lemma errs_by_0 k rd : errs_by k rd -> errs_by_or k 0 rd.
Proof. intros E x. rewrite Rplus_0_r. apply E. Qed.

Theorem nearest_errs_by p fexp {bits : Bits p fexp} choice :
  errs_by (u p) (round radix2 fexp (Znearest choice)).
Proof. intros x. apply (nearest_error p fexp), nearest_round. typeclasses eauto. Qed.

Theorem nearest_errs_by_sharp p fexp {bits : Bits p fexp} choice :
  errs_by (u p / (1 + u p)) (round radix2 fexp (Znearest choice)).
Proof. intros x. apply (nearest_error_sharp p fexp), nearest_round. typeclasses eauto. Qed.

Theorem flx_errs_by p {precision : Prec_gt_0 p} choice : errs_by (u p) (flx p choice).
Proof. apply (nearest_errs_by p (FLX_exp p)). Qed.

Theorem flx_errs_by_sharp p {precision : Prec_gt_0 p} choice :
  errs_by (u p / (1 + u p)) (flx p choice).
Proof. apply (nearest_errs_by_sharp p (FLX_exp p)). Qed.

Theorem valid_errs_by p {precision : Prec_gt_0 p} rnd {valid : Valid_rnd rnd} :
  errs_by (2 * u p) (round radix2 (FLX_exp p) rnd).
Proof. intros x. apply valid_rounding_error; [exact precision | exact valid]. Qed.

Theorem flt_errs_by emin p {precision : Prec_gt_0 p} choice :
  errs_by_or (u p) (eta emin / 2) (flt emin p choice).
Proof.
  intros x. apply flt_nearest_error; [exact precision | apply flt_nearest; exact precision].
Qed.

Theorem flt_errs_by_sharp emin p {precision : Prec_gt_0 p} choice :
  errs_by_or (u p / (1 + u p)) (eta emin / 2) (flt emin p choice).
Proof.
  intros x. apply flt_nearest_error_sharp; [exact precision | apply flt_nearest; exact precision].
Qed.

Theorem flush_errs_by low p {precision : Prec_gt_0 p} choice :
  errs_by_or (u p) (bpow radix2 low) (flush low p choice).
Proof.
  intros x. apply (close_error p (FLX_exp p)); [apply bpow_ge_0 |].
  apply flush_close; exact precision.
Qed.

Lemma round_parts_error k re im z : 0 <= k ->
  Rabs (re - fst z) <= k * Rabs (fst z) -> Rabs (im - snd z) <= k * Rabs (snd z) ->
  Cmod (Cminus (re, im) z) <= k * Cmod z.
Proof. intros K A B. now apply Cmod_le_parts. Qed.

(** Both parts rounded: |fl(z) - z| <= k |z|, k = u to nearest, 2u in any direction. *)
Theorem complex_rounding_error k rd z : 0 <= k -> errs_by k rd ->
  Cmod (Cminus (cround rd z) z) <= k * Cmod z.
Proof. intros K E. apply round_parts_error; [exact K | apply E | apply E]. Qed.

(** |fl(z) - z| <= k |z| + sqrt(2) h. *)
Theorem complex_rounding_error_or k h rd z : 0 <= k -> 0 <= h -> errs_by_or k h rd ->
  Cmod (Cminus (cround rd z) z) <= k * Cmod z + sqrt 2 * h.
Proof.
  intros K H E. apply Cmod_le_parts_or; [exact K | exact H | apply E | apply E].
Qed.

(** |fl(x + y) - (x + y)| <= u |x + y|. Source: Higham, ASNA 2nd ed., lemma 3.5. *)
Theorem complex_sum_error p {precision : Prec_gt_0 p} choice x y :
  Cmod (Cminus (cadd (flx p choice) x y) (Cplus x y)) <= u p * Cmod (Cplus x y).
Proof.
  apply complex_rounding_error; [apply u_nonneg | apply flx_errs_by; exact precision].
Qed.

(** |fl(x - y) - (x - y)| <= u |x - y|. *)
Theorem complex_difference_error p {precision : Prec_gt_0 p} choice x y :
  Cmod (Cminus (csub (flx p choice) x y) (Cminus x y)) <= u p * Cmod (Cminus x y).
Proof.
  apply complex_rounding_error; [apply u_nonneg | apply flx_errs_by; exact precision].
Qed.

(** A number of modulus 1, whose parts are off by at most h/2 each, as both are at most 1. *)
Lemma unit_parts_error h rd w : 0 <= h -> (forall x, Rabs x <= 1 -> Rabs (rd x - x) <= h / 2) ->
  Cmod w = 1 -> Cmod (Cminus (cround rd w) w) <= h / sqrt 2.
Proof.
  intros H E W. pose proof sqrt_2_pos as S. replace (h / sqrt 2) with (sqrt 2 * (h / 2)).
  - apply Cmod_le_square; [lra | |]; simpl; apply E; rewrite <- W;
      [apply Rabs_fst_le_Cmod | apply Rabs_snd_le_Cmod].
  - rewrite <- (sqrt_sqrt 2) at 2 by lra. field. lra.
Qed.

(** A root of modulus 1, each part to nearest: |w^ - w| <= u/sqrt(2), as both parts are at most 1
    in magnitude and so are off by at most u/2. *)
Theorem table_entry_error p {precision : Prec_gt_0 p} choice w : Cmod w = 1 ->
  Cmod (Cminus (cround (flx p choice) w) w) <= u p / sqrt 2.
Proof.
  apply unit_parts_error; [apply u_nonneg |]. intros x L. rewrite <- (Rmult_1_r (u p / 2)).
  apply (nearest_error_below p (FLX_exp p) x _ 0); [| exact L]. apply flx_nearest; exact precision.
Qed.

(** With gradual underflow, sums of numbers of the format err as without limits. *)
Theorem complex_sum_error_flt emin p {precision : Prec_gt_0 p} choice x y :
  cformat (FLT_exp emin p) x -> cformat (FLT_exp emin p) y ->
  Cmod (Cminus (cadd (flt emin p choice) x y) (Cplus x y)) <= u p * Cmod (Cplus x y).
Proof.
  intros [Xr Xi] [Yr Yi].
  apply round_parts_error; [apply u_nonneg | |]; apply (nearest_error p (FLX_exp p));
    apply (flt_sum_is_flx emin p); try assumption; apply flt_nearest; exact precision.
Qed.

Theorem complex_difference_error_flt emin p {precision : Prec_gt_0 p} choice x y :
  cformat (FLT_exp emin p) x -> cformat (FLT_exp emin p) y ->
  Cmod (Cminus (csub (flt emin p choice) x y) (Cminus x y)) <= u p * Cmod (Cminus x y).
Proof.
  intros [Xr Xi] [Yr Yi].
  apply round_parts_error; [apply u_nonneg | |]; apply (nearest_error p (FLX_exp p));
    apply (flt_difference_is_flx emin p); try assumption; apply flt_nearest; exact precision.
Qed.

(** With gradual underflow |w^ - w| <= max(u, eta)/sqrt(2). *)
Theorem table_entry_error_flt emin p {precision : Prec_gt_0 p} choice w : Cmod w = 1 ->
  Cmod (Cminus (cround (flt emin p choice) w) w) <= Rmax (u p) (eta emin) / sqrt 2.
Proof.
  pose proof (eta_pos emin) as H.
  pose proof (Rmax_l (u p) (eta emin)) as Ml. pose proof (Rmax_r (u p) (eta emin)) as Mr.
  apply unit_parts_error; [lra |]. intros x L. pose proof (flt_nearest emin p choice x) as N.
  destruct (Rle_or_lt (bpow radix2 (emin + p - 1)) (Rabs x)) as [G|G].
  - pose proof (flt_normal_is_flx emin p x _ N G) as N'.
    pose proof (nearest_error_below p (FLX_exp p) x _ 0 N' L) as B. simpl in B. lra.
  - assert (B : Rabs (flt emin p choice x - x) <= eta emin / 2).
    { apply (flt_error_below_normal emin p); [exact N |].
      eapply Rlt_le_trans; [exact G |]. apply bpow_le. lia. }
    lra.
Qed.

(** * Fixed point, where 1 is beyond the range *)

(** A part next to 1 may be off by a whole quantum q; the other part is then small and off by at
    most q/2: |w^ - w| <= sqrt(5)/2 q. *)
Theorem table_entry_error_saturated q w w' : 0 < q <= / 4 -> Cmod w = 1 ->
  (Rabs (fst w' - fst w) <= q / 2 \/ (1 - q < Rabs (fst w) /\ Rabs (fst w' - fst w) <= q)) ->
  (Rabs (snd w' - snd w) <= q / 2 \/ (1 - q < Rabs (snd w) /\ Rabs (snd w' - snd w) <= q)) ->
  Cmod (Cminus w' w) <= sqrt 5 / 2 * q.
Proof.
  intros Q W A B. pose proof (sqrt_pos 5) as S.
  assert (N : Rabs (fst w) ^ 2 + Rabs (snd w) ^ 2 = 1).
  { rewrite !pow2_abs, <- Cmod_sqr, W. ring. }
  assert (One : ~ (1 - q < Rabs (fst w) /\ 1 - q < Rabs (snd w))).
  { intros [X Y].
    assert (Q1 : 0 <= 1 - q) by lra.
    pose proof (pow_incr _ _ 2 (conj Q1 (Rlt_le _ _ X))) as X2.
    pose proof (pow_incr _ _ 2 (conj Q1 (Rlt_le _ _ Y))) as Y2.
    clear - X2 Y2 N Q. nra. }
  apply Cmod_le; [apply Rmult_le_pos; lra |].
  replace ((sqrt 5 / 2 * q) ^ 2) with (sqrt 5 * sqrt 5 * q ^ 2 / 4) by field.
  rewrite sqrt_sqrt by lra. unfold Cminus, Cplus, Copp. simpl fst. simpl snd.
  rewrite <- (pow2_abs (fst w' + _)), <- (pow2_abs (snd w' + _)).
  unfold Rminus in A, B.
  set (a := Rabs (fst w' + - fst w)) in *. set (b := Rabs (snd w' + - snd w)) in *.
  assert (A0 : 0 <= a) by apply Rabs_pos. assert (B0 : 0 <= b) by apply Rabs_pos.
  assert (Half : forall t, 0 <= t -> t <= q / 2 -> t ^ 2 <= q ^ 2 / 4).
  { intros t T0 T. pose proof (pow_incr _ _ 2 (conj T0 T)). lra. }
  assert (Whole : forall t, 0 <= t -> t <= q -> t ^ 2 <= q ^ 2).
  { intros t T0 T. exact (pow_incr _ _ 2 (conj T0 T)). }
  pose proof (pow2_ge_0 q).
  destruct A as [A|[A1 A]], B as [B|[B1 B]]; [| | | exfalso; tauto];
    pose proof (Whole a A0); pose proof (Whole b B0);
    pose proof (Half a A0); pose proof (Half b B0);
    lra.
Qed.

(** To the nearest multiple of q = 2^emin in [-1, 1 - q]. *)
Definition fixed (emin : Z) (choice : Z -> bool) (x : R) : R :=
  Rmin (1 - bpow radix2 emin) (round radix2 (FIX_exp emin) (Znearest choice) x).

Theorem table_entry_error_fixed emin choice w : (emin <= -2)%Z -> Cmod w = 1 ->
  Cmod (Cminus (cround (fixed emin choice) w) w) <= sqrt 5 / 2 * bpow radix2 emin.
Proof.
  intros E W. pose proof (bpow_gt_0 radix2 emin) as Q0.
  assert (Q : bpow radix2 emin <= / 4).
  { replace (/ 4) with (bpow radix2 (-2)) by reflexivity. now apply bpow_le. }
  assert (Part : forall x, Rabs x <= 1 ->
    Rabs (fixed emin choice x - x) <= bpow radix2 emin / 2 \/
    (1 - bpow radix2 emin < Rabs x /\ Rabs (fixed emin choice x - x) <= bpow radix2 emin)).
  { intros x L. set (q := bpow radix2 emin) in *.
    assert (Top : generic_format radix2 (FIX_exp emin) (1 - q)).
    { apply generic_format_FIX. exists (Float radix2 (2 ^ (- emin) - 1) emin); [| reflexivity].
      unfold F2R. simpl. rewrite minus_IZR, (IZR_Zpower radix2), Rmult_minus_distr_r by lia.
      rewrite <- bpow_plus. replace (- emin + emin)%Z with 0%Z by ring. simpl. unfold q. ring. }
    assert (N : nearest (FIX_exp emin) x (round radix2 (FIX_exp emin) (Znearest choice) x)).
    { apply nearest_round. apply FIX_exp_valid. }
    unfold fixed. fold q. set (r := round radix2 (FIX_exp emin) (Znearest choice) x) in *.
    destruct (Rle_or_lt x (1 - q)) as [B|B].
    - left. rewrite Rmin_right by (apply (nearest_le _ _ _ _ N); assumption).
      eapply Rle_trans; [apply error_le_half_ulp; apply FIX_exp_valid |].
      rewrite ulp_FIX. fold q. lra.
    - right. assert (1 - q <= r) by (apply (nearest_ge _ _ _ _ N); [exact Top | lra]).
      rewrite Rmin_left by assumption. apply Rabs_le_inv in L. split.
      + rewrite Rabs_pos_eq; lra.
      + apply Rabs_le. lra. }
  apply table_entry_error_saturated; [lra | exact W | |]; apply Part; rewrite <- W.
  - apply Rabs_fst_le_Cmod.
  - apply Rabs_snd_le_Cmod.
Qed.
