(** The proven bounds as numbers, rounded upwards.

    [expr] is a language of bounds with a value in the reals and an integer above it in units of
    2^-160. [lines] prints the bounds of radix2-dit, radix2-dif and dft-gemm for the formats and
    lengths of bounds.csv; [printed_above] says that what is printed is not below what is proven. *)

From Coq Require Import ZArith Reals Lia Lra Psatz List String Ascii DecimalString.
From Fftprec Require Import Stages Fft Gemm.
Import ListNotations.

Open Scope R_scope.

(** ** Upwards *)

Definition unit_bits : Z := 160.
Definition one : Z := (2 ^ unit_bits)%Z.

(** a/b, rounded up; b > 0. *)
Definition up_divide (a b : Z) : Z := (- (- a / b))%Z.

Lemma up_divide_above a b : (0 < b)%Z -> IZR a / IZR b <= IZR (up_divide a b).
Proof.
  intro pos; assert (0 < IZR b) by now apply IZR_lt.
  assert (a <= up_divide a b * b)%Z.
  { unfold up_divide; pose proof (Z.mul_div_le (- a) b pos); nia. }
  apply Rmult_le_reg_r with (IZR b); [easy|].
  unfold Rdiv; rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra.
  rewrite <- mult_IZR; now apply IZR_le.
Qed.

Lemma one_pos : (0 < one)%Z.
Proof. apply Z.pow_pos_nonneg; [lia | unfold unit_bits; lia]. Qed.

Lemma IZR_one_pos : 0 < IZR one.
Proof. apply IZR_lt, one_pos. Qed.

(** a b, rounded up; division by 2^160 is a shift. *)
Definition up_times (a b : Z) : Z := (- Z.shiftr (- (a * b)) unit_bits)%Z.

Lemma up_times_divides a b : up_times a b = up_divide (a * b) one.
Proof.
  unfold up_times, up_divide; rewrite Z.shiftr_div_pow2 by (unfold unit_bits; lia); easy.
Qed.

Opaque one.

(** a is at least x. *)
Definition above (a : Z) (x : R) : Prop := 0 <= x <= IZR a / IZR one.

Lemma above_nonneg a x : above a x -> 0 <= IZR a.
Proof.
  intros [x_pos le]; pose proof IZR_one_pos as pos.
  replace (IZR a) with (IZR a / IZR one * IZR one) by (field; lra).
  apply Rmult_le_pos; lra.
Qed.

Definition up_compose (a b : Z) : Z := (a + b + up_times a b)%Z.

Lemma up_times_above a b x y : above a x -> above b y -> above (up_times a b) (x * y).
Proof.
  intros [x_pos x_le] [y_pos y_le]; split; [now apply Rmult_le_pos|].
  pose proof IZR_one_pos as pos; rewrite up_times_divides.
  pose proof (up_divide_above (a * b) one one_pos) as le; rewrite mult_IZR in le.
  eapply Rle_trans; [apply Rmult_le_compat; eassumption|].
  replace (IZR a / IZR one * (IZR b / IZR one)) with (IZR a * IZR b / IZR one / IZR one)
    by (field; lra).
  apply Rmult_le_compat_r; [left; now apply Rinv_0_lt_compat | exact le].
Qed.

Lemma up_plus_above a b x y : above a x -> above b y -> above (a + b) (x + y).
Proof.
  intros [x_pos x_le] [y_pos y_le]; split; [lra|].
  pose proof IZR_one_pos; rewrite plus_IZR; unfold Rdiv in *; lra.
Qed.

Lemma up_compose_above a b x y : above a x -> above b y -> above (up_compose a b) (compose x y).
Proof.
  intros; unfold up_compose, compose.
  apply up_plus_above; [now apply up_plus_above | now apply up_times_above].
Qed.

(** By repeated squaring, as repeated_error does. *)
Fixpoint up_repeat (a : Z) (k : positive) : Z :=
  match k with
  | xH => a
  | xO k => let h := up_repeat a k in up_compose h h
  | xI k => let h := up_repeat a k in up_compose (up_compose h h) a
  end.

Lemma up_repeat_above a x k : above a x -> above (up_repeat a k) (repeated x (Pos.to_nat k)).
Proof.
  intro is_above; induction k as [k IH|k IH|]; cbn [up_repeat].
  - rewrite Pos2Nat.inj_xI; replace (S (2 * Pos.to_nat k)) with (Pos.to_nat k + Pos.to_nat k + 1)%nat
      by lia.
    rewrite !repeated_add; replace (repeated x 1) with x by (simpl; unfold compose; ring).
    apply up_compose_above; [now apply up_compose_above | easy].
  - rewrite Pos2Nat.inj_xO; replace (2 * Pos.to_nat k)%nat with (Pos.to_nat k + Pos.to_nat k)%nat
      by lia.
    rewrite repeated_add; now apply up_compose_above.
  - replace (repeated x (Pos.to_nat 1)) with x by (simpl; unfold compose; ring); easy.
Qed.

(** ** Expressions *)

Inductive expr :=
  | Zero
  | One
  | Power (p : positive)                  (* 2^-p *)
  | Root (k : positive)                   (* sqrt k *)
  | Over_root (a : expr) (k : positive)   (* a / sqrt k *)
  | Add (a b : expr)
  | Times (a b : expr)
  | Compose (a b : expr)
  | Repeated (a : expr) (k : positive).

Fixpoint value (e : expr) : R :=
  match e with
  | Zero => 0
  | One => 1
  | Power p => / 2 ^ Pos.to_nat p
  | Root k => sqrt (IZR (Zpos k))
  | Over_root a k => value a / sqrt (IZR (Zpos k))
  | Add a b => value a + value b
  | Times a b => value a * value b
  | Compose a b => compose (value a) (value b)
  | Repeated a k => repeated (value a) (Pos.to_nat k)
  end.

(** In units of 2^-160. *)
Fixpoint up (e : expr) : Z :=
  match e with
  | Zero => 0
  | One => one
  | Power p => up_divide one (2 ^ Zpos p)
  | Root k => (Z.sqrt (Zpos k * one * one) + 1)%Z
  | Over_root a k => up_divide (up a * one) (Z.sqrt (Zpos k * one * one))
  | Add a b => (up a + up b)%Z
  | Times a b => up_times (up a) (up b)
  | Compose a b => up_compose (up a) (up b)
  | Repeated a k => up_repeat (up a) k
  end.

Lemma sqrt_between k :
  IZR (Z.sqrt (Zpos k * one * one)) <= sqrt (IZR (Zpos k)) * IZR one <=
  IZR (Z.sqrt (Zpos k * one * one) + 1).
Proof.
  pose proof one_pos as z_pos; pose proof IZR_one_pos as pos.
  assert (k_pos : 0 <= IZR (Zpos k)) by (apply IZR_le; lia).
  set (q := (Zpos k * one * one)%Z); assert (q_pos : (0 <= q)%Z) by (unfold q; nia).
  pose proof (Z.sqrt_spec q q_pos) as [low high]; pose proof (Z.sqrt_nonneg q) as s_pos.
  assert (square : (sqrt (IZR (Zpos k)) * IZR one) * (sqrt (IZR (Zpos k)) * IZR one) = IZR q).
  { unfold q; rewrite !mult_IZR.
    replace (sqrt (IZR (Zpos k)) * IZR one * (sqrt (IZR (Zpos k)) * IZR one))
      with (sqrt (IZR (Zpos k)) * sqrt (IZR (Zpos k)) * (IZR one * IZR one)) by ring.
    rewrite sqrt_sqrt by easy; ring. }
  assert (root_pos : 0 <= sqrt (IZR (Zpos k)) * IZR one)
    by (apply Rmult_le_pos; [apply sqrt_pos | lra]).
  split; (apply Rsqr_incr_0_var; [unfold Rsqr; rewrite square, <- mult_IZR; apply IZR_le |]).
  - exact low.
  - exact root_pos.
  - unfold Z.succ in high; lia.
  - apply IZR_le; lia.
Qed.

Theorem up_above e : above (up e) (value e).
Proof.
  pose proof IZR_one_pos as pos.
  induction e as [| |p|k|a IH k|a IHa b IHb|a IHa b IHb|a IHa b IHb|a IH k]; cbn [up value].
  - split; [lra|]; unfold Rdiv; rewrite Rmult_0_l; lra.
  - split; [lra|]; right; field; lra.
  - assert (power : 0 < 2 ^ Pos.to_nat p) by (apply pow_lt; lra).
    split; [left; now apply Rinv_0_lt_compat|].
    assert (p_pos : (0 < 2 ^ Zpos p)%Z) by (apply Z.pow_pos_nonneg; lia).
    pose proof (up_divide_above one _ p_pos) as le.
    assert (same : IZR (2 ^ Zpos p) = 2 ^ Pos.to_nat p).
    { rewrite <- (positive_nat_Z p), <- pow_IZR; easy. }
    rewrite same in le; apply Rmult_le_reg_r with (IZR one); [easy|].
    unfold Rdiv in *; rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra.
    rewrite Rmult_comm; exact le.
  - split; [apply sqrt_pos|].
    pose proof (sqrt_between k) as [_ le].
    apply Rmult_le_reg_r with (IZR one); [easy|].
    unfold Rdiv; rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra; exact le.
  - destruct IH as [a_pos a_le].
    assert (k_pos : 0 < IZR (Zpos k)) by (apply IZR_lt; lia).
    pose proof (sqrt_lt_R0 _ k_pos) as root_pos.
    set (q := Z.sqrt (Zpos k * one * one)).
    assert (q_pos : (0 < q)%Z).
    { unfold q; apply Z.sqrt_pos; pose proof one_pos; nia. }
    pose proof (IZR_lt _ _ q_pos) as q_pos_R.
    pose proof (sqrt_between k) as [low _]; fold q in low.
    split; [apply Rmult_le_pos; [easy | left; now apply Rinv_0_lt_compat]|].
    pose proof (up_divide_above (up a * one) q q_pos) as le; rewrite mult_IZR in le.
    eapply Rle_trans; [|apply Rmult_le_compat_r; [left; now apply Rinv_0_lt_compat | exact le]].
    assert (value a * IZR one <= IZR (up a)).
    { replace (IZR (up a)) with (IZR (up a) / IZR one * IZR one) by (field; lra).
      apply Rmult_le_compat_r; lra. }
    apply Rmult_le_reg_r with (sqrt (IZR (Zpos k)) * IZR q); [now apply Rmult_lt_0_compat|].
    replace (value a / sqrt (IZR (Zpos k)) * (sqrt (IZR (Zpos k)) * IZR q)) with (value a * IZR q)
      by (field; lra).
    replace (IZR (up a) * IZR one / IZR q * / IZR one * (sqrt (IZR (Zpos k)) * IZR q))
      with (IZR (up a) * sqrt (IZR (Zpos k))) by (field; lra).
    apply Rmult_le_reg_r with (IZR one); [easy|].
    eapply Rle_trans with (value a * IZR one * (sqrt (IZR (Zpos k)) * IZR one)).
    + replace (value a * IZR q * IZR one) with (value a * IZR one * IZR q) by ring.
      apply Rmult_le_compat_l; [apply Rmult_le_pos; lra | easy].
    + replace (IZR (up a) * sqrt (IZR (Zpos k)) * IZR one)
        with (IZR (up a) * (sqrt (IZR (Zpos k)) * IZR one)) by ring.
      apply Rmult_le_compat_r; [apply Rmult_le_pos; lra | easy].
  - now apply up_plus_above.
  - now apply up_times_above.
  - now apply up_compose_above.
  - now apply up_repeat_above.
Qed.

(** ** The bounds of the program *)

(** What a mode computes in, as the precision of its format: u = 2^-p. *)
Definition roundoff (p : positive) : expr := Power p.

(** |fl(w) - w| for a correctly rounded entry of a table: u / sqrt 2. *)
Definition table_error (p : positive) : expr := Over_root (roundoff p) 2.

(** A complex product: sqrt 5 u. *)
Definition plain_product (p : positive) : expr := Times (Root 5) (roundoff p).

Fixpoint radix2_expr (mu rho u : expr) (t : nat) : expr :=
  match t with
  | O => Zero
  | S t => Compose (Compose (radix2_expr mu rho u t)
                            (if Nat.ltb t 2 then Zero else Compose mu rho)) u
  end.

Definition radix2_of (p : positive) (t : nat) : expr :=
  radix2_expr (table_error p) (plain_product p) (roundoff p) t.

(** Operands of p bits; products round to q bits if they do not fit ([exact] false), sums too. *)
Definition gemm_of (p q : positive) (exact : bool) (n : positive) : expr :=
  Add (Times (Root n) (table_error p))
      (Times (Add One (table_error p))
             (Times (Root (2 * n))
                    (Compose (if exact then Zero else roundoff q)
                             (Repeated (roundoff q) (2 * n - 1))))).

Definition u_of (p : positive) : R := / 2 ^ Pos.to_nat p.
Definition mu_of (p : positive) : R := u_of p / sqrt 2.
Definition rho_of (p : positive) : R := sqrt 5 * u_of p.

Theorem radix2_value p t :
  value (radix2_of p t) = radix2_bound (mu_of p) (rho_of p) (u_of p) t.
Proof.
  unfold radix2_of; induction t as [|t IH]; [easy|].
  cbn [radix2_expr value radix2_bound]; rewrite IH; unfold product_bound.
  now destruct (t <? 2)%nat.
Qed.

Theorem gemm_value p q exact n :
  value (gemm_of p q exact n) =
  gemm_bound (Pos.to_nat n) (mu_of p)
    (one_sum_gamma (if exact then 0 else u_of q) (u_of q) (Pos.to_nat n)).
Proof.
  unfold gemm_of, gemm_bound, one_sum_gamma; cbn [value].
  replace (IZR (Zpos (2 * n))) with (2 * INR (Pos.to_nat n)).
  - replace (IZR (Zpos n)) with (INR (Pos.to_nat n))
      by now rewrite INR_IZR_INZ, positive_nat_Z.
    replace (Pos.to_nat (2 * n - 1)) with (2 * Pos.to_nat n - 1)%nat by lia.
    destruct exact; easy.
  - rewrite INR_IZR_INZ, positive_nat_Z, Pos2Z.inj_mul, mult_IZR; easy.
Qed.

(** ** Decimal digits *)

(** m 10^-k. *)
Record decimal := { digits : Z; scale : Z }.

Definition decimal_value (d : decimal) : R := IZR (digits d) / IZR (10 ^ scale d).

(** The least k <= fuel for which a 10^k units of 2^-160 have 20 digits before the point. *)
Fixpoint places (fuel : nat) (a : Z) : Z :=
  match fuel with
  | O => 0
  | S fuel => if Z.leb (10 ^ 19 * one) a then 0 else Z.succ (places fuel (10 * a))
  end.

Lemma places_nonneg fuel a : (0 <= places fuel a)%Z.
Proof.
  revert a; induction fuel as [|fuel IH]; intro a; cbn [places]; [lia|].
  destruct (_ <=? _)%Z; [lia|]; pose proof (IH (10 * a)%Z); lia.
Qed.

(** 20 significant digits, rounded up. *)
Definition round_up (a : Z) : decimal :=
  let k := places 100 a in
  {| digits := up_divide (a * 10 ^ k) one; scale := k |}.

Lemma round_up_above a x : above a x -> x <= decimal_value (round_up a).
Proof.
  intros [_ le]; unfold round_up, decimal_value; cbn [digits scale].
  set (k := places 100 a); assert (0 <= k)%Z by apply places_nonneg; clearbody k.
  assert (pos : (0 < 10 ^ k)%Z) by (apply Z.pow_pos_nonneg; lia).
  pose proof (IZR_lt _ _ pos) as pos_R; pose proof IZR_one_pos.
  pose proof (up_divide_above (a * 10 ^ k) one one_pos) as up_le; rewrite mult_IZR in up_le.
  eapply Rle_trans; [exact le|].
  apply Rmult_le_reg_r with (IZR (10 ^ k)); [easy|].
  unfold Rdiv in *; rewrite (Rmult_assoc _ (/ IZR (10 ^ k))), Rinv_l, Rmult_1_r by lra.
  eapply Rle_trans; [right | exact up_le]; ring.
Qed.

(** ** The table *)

Inductive algorithm := Radix2_dit | Radix2_dif | Dft_gemm.
Inductive mode := Fp64 | Fp32 | Bf16 | Fp16.

Definition precision (m : mode) : positive :=
  match m with Fp64 => 53 | Fp32 => 24 | Bf16 => 8 | Fp16 => 11 end.

(** The format of sums in a matrix product, and whether it holds products of two operands. *)
Definition sum_precision (m : mode) : positive :=
  match m with Fp64 => 53 | Fp32 | Bf16 | Fp16 => 24 end.
Definition exact_products (m : mode) : bool := Pos.leb (2 * precision m) (sum_precision m).

(** Of n = 2^t points. *)
Definition bound_expr (a : algorithm) (m : mode) (t : nat) : expr :=
  match a with
  | Radix2_dit | Radix2_dif => radix2_of (precision m) t
  | Dft_gemm => gemm_of (precision m) (sum_precision m) (exact_products m) (2 ^ Pos.of_nat t)
  end.

(** The expression of the theorems [dit_error], [dif_error] and [dft_gemm_error]. *)
Definition proven_bound (a : algorithm) (m : mode) (t : nat) : R :=
  let p := precision m in
  let q := sum_precision m in
  match a with
  | Radix2_dit | Radix2_dif => radix2_bound (mu_of p) (rho_of p) (u_of p) t
  | Dft_gemm =>
    gemm_bound (2 ^ t) (mu_of p)
      (one_sum_gamma (if exact_products m then 0 else u_of q) (u_of q) (2 ^ t))
  end.

(** Of an input as it is stored, or one that is first rounded to the mode's format. *)
Inductive input := Stored | Rounded.

Definition input_expr (i : input) (m : mode) (e : expr) : expr :=
  match i with Stored => e | Rounded => Compose (roundoff (precision m)) e end.

Definition with_input (i : input) (m : mode) (b : R) : R :=
  match i with Stored => b | Rounded => compose (u_of (precision m)) b end.

Definition printed (i : input) (a : algorithm) (m : mode) (t : nat) : decimal :=
  round_up (up (input_expr i m (bound_expr a m t))).

Lemma power_to_nat t : (0 < t)%nat -> Pos.to_nat (2 ^ Pos.of_nat t) = (2 ^ t)%nat.
Proof.
  intro pos; rewrite Pos2Nat.inj_pow, Nat2Pos.id by lia; easy.
Qed.

Lemma proven_value a m t : (0 < t)%nat -> value (bound_expr a m t) = proven_bound a m t.
Proof.
  intro pos; destruct a; cbn [bound_expr proven_bound];
    [apply radix2_value | apply radix2_value | now rewrite gemm_value, power_to_nat].
Qed.

Lemma proven_nonneg a m t : (0 < t)%nat -> 0 <= proven_bound a m t.
Proof. intro pos; rewrite <- proven_value by easy; apply up_above. Qed.

(** What is printed is not below what is proven. *)
Theorem printed_above i a m t : (0 < t)%nat ->
  with_input i m (proven_bound a m t) <= decimal_value (printed i a m t).
Proof.
  intro pos; unfold printed.
  replace (with_input i m (proven_bound a m t))
    with (value (input_expr i m (bound_expr a m t))).
  - apply round_up_above, up_above.
  - rewrite <- proven_value by easy; now destruct i.
Qed.

Open Scope string_scope.

Definition name_of_algorithm (a : algorithm) : string :=
  match a with Radix2_dit => "radix2-dit" | Radix2_dif => "radix2-dif" | Dft_gemm => "dft-gemm" end.
Definition name_of_mode (m : mode) : string :=
  match m with Fp64 => "fp64" | Fp32 => "fp32" | Bf16 => "bf16" | Fp16 => "fp16" end.

Definition text_of (n : Z) : string := NilZero.string_of_uint (N.to_uint (Z.to_N n)).

(** As d.ddde-k. *)
Definition text_of_decimal (d : decimal) : string :=
  let m := text_of (digits d) in
  let rest := substring 1 (String.length m - 1) m in
  let power := (Z.of_nat (String.length rest) - scale d)%Z in
  substring 0 1 m ++ "." ++ rest ++ "e" ++ (if Z.ltb power 0 then "-" else "+") ++
  text_of (Z.abs power).

Definition line (a : algorithm) (m : mode) (t : nat) : string :=
  name_of_algorithm a ++ "," ++ name_of_mode m ++ "," ++ text_of (2 ^ Z.of_nat t) ++ "," ++
  text_of_decimal (printed Stored a m t) ++ "," ++ text_of_decimal (printed Rounded a m t).

Definition lengths : list nat := seq 1 20.

Definition lines : list string :=
  "algorithm,mode,n,bound,bound_of_rounded_input" ::
  flat_map (fun a => flat_map (fun m => map (line a m) lengths) [Fp64; Fp32; Bf16; Fp16])
           [Radix2_dit; Radix2_dif; Dft_gemm].
