(** Sums of products, rounded in any order by any rounding. *)

From Coq Require Import Reals Lia Lra Psatz List Permutation.
From Coquelicot Require Import Coquelicot.
From Fftprec Require Import Stages.
Import ListNotations.

Open Scope R_scope.

(** ** One sum *)

(** How a sum is formed: +0 and its terms, exact additions, and roundings of what is below them. A
    rounded addition is [Round (Plus a b)]; an exact sum of many terms has one [Round] above it. *)
Inductive tree :=
  | Zero
  | Term (i : nat)
  | Plus (a b : tree)
  | Round (a : tree).

Fixpoint terms (t : tree) : list nat :=
  match t with
  | Zero => []
  | Term i => [i]
  | Plus a b => terms a ++ terms b
  | Round a => terms a
  end.

(** The most roundings that a term meets. *)
Fixpoint depth (t : tree) : nat :=
  match t with
  | Zero | Term _ => 0
  | Plus a b => Nat.max (depth a) (depth b)
  | Round a => S (depth a)
  end.

Fixpoint total (f : nat -> R) (t : tree) : R :=
  match t with
  | Zero => 0
  | Term i => f i
  | Plus a b => total f a + total f b
  | Round a => total f a
  end.

(** [computed e p t y]: y is a result of t with terms p where each rounding errs by at most e of what
    it rounds: e = u to nearest, 2 u by truncation and in every other direction. *)
Inductive computed (e : R) (p : nat -> R) : tree -> R -> Prop :=
  | computed_zero : computed e p Zero 0
  | computed_term i : computed e p (Term i) (p i)
  | computed_plus a b x y : computed e p a x -> computed e p b y -> computed e p (Plus a b) (x + y)
  | computed_round a x y : computed e p a x -> Rabs (y - x) <= e * Rabs x -> computed e p (Round a) y.

Definition list_sum (f : nat -> R) (l : list nat) : R := fold_right (fun i s => f i + s) 0 l.

Lemma list_sum_app f l m : list_sum f (l ++ m) = list_sum f l + list_sum f m.
Proof. induction l as [|i l IH]; simpl; [ring | rewrite IH; ring]. Qed.

Lemma total_list f t : total f t = list_sum f (terms t).
Proof.
  induction t as [|i|a IHa b IHb|a IH]; simpl; [ring | ring | | easy].
  now rewrite IHa, IHb, list_sum_app.
Qed.

Lemma list_sum_permutation f l m : Permutation l m -> list_sum f l = list_sum f m.
Proof. induction 1; simpl; lra. Qed.

Lemma list_sum_seq f n : list_sum f (seq 0 n) = rsum n f.
Proof.
  induction n as [|n IH]; [easy|].
  rewrite seq_S, list_sum_app, IH; simpl; ring.
Qed.

(** Whatever the order, the exact value is the sum of all terms. *)
Lemma total_any_order f t n : Permutation (terms t) (seq 0 n) -> total f t = rsum n f.
Proof. intro order; now rewrite total_list, (list_sum_permutation f _ _ order), list_sum_seq. Qed.

Lemma total_le_sizes f t : Rabs (total f t) <= total (fun i => Rabs (f i)) t.
Proof.
  induction t as [|i|a IHa b IHb|a IH]; simpl; [rewrite Rabs_R0; lra | lra | | easy].
  eapply Rle_trans; [apply Rabs_triang | lra].
Qed.

Lemma sizes_nonneg f t : 0 <= total (fun i => Rabs (f i)) t.
Proof. eapply Rle_trans; [apply Rabs_pos | apply total_le_sizes]. Qed.

(** A sum of products q_i, each off by at most e_p of itself, errs by at most ((1 + e_p)(1 + e)^d -
    1) sum |q_i|, d the most roundings that a term meets. *)
Theorem sum_error e e_p p q t y :
  0 <= e -> 0 <= e_p -> (forall i, Rabs (p i - q i) <= e_p * Rabs (q i)) -> computed e p t y ->
  Rabs (y - total q t) <= compose e_p (repeated e (depth t)) * total (fun i => Rabs (q i)) t.
Proof.
  intros e_pos p_pos product is_computed.
  induction is_computed as [| i | a b x y _ IHx _ IHy | a x y _ IH rounding]; cbn [total depth].
  - rewrite Rminus_eq_0, Rabs_R0; lra.
  - cbn [repeated]; rewrite compose_0_r; apply product.
  - set (s := total (fun i => Rabs (q i)) a) in *; set (s' := total (fun i => Rabs (q i)) b) in *.
    pose proof (sizes_nonneg q a : 0 <= s) as s_pos; pose proof (sizes_nonneg q b : 0 <= s') as s'_pos.
    assert (deeper : forall d, (d <= Nat.max (depth a) (depth b))%nat ->
              compose e_p (repeated e d) <= compose e_p (repeated e (Nat.max (depth a) (depth b)))).
    { intros d le; apply compose_le; [lra|].
      split; [now apply repeated_nonneg | now apply repeated_le]. }
    pose proof (deeper (depth a) (Nat.le_max_l _ _)) as le_a.
    pose proof (deeper (depth b) (Nat.le_max_r _ _)) as le_b.
    as_sum ((x - total q a) + (y - total q b)); rewrite Rmult_plus_distr_l.
    apply Rplus_le_compat; (eapply Rle_trans; [eassumption|]); now apply Rmult_le_compat_r.
  - set (s := total (fun i => Rabs (q i)) a) in *.
    set (E := compose e_p (repeated e (depth a))) in *.
    assert (E_pos : 0 <= E) by (apply compose_nonneg; [easy | now apply repeated_nonneg]).
    cbn [repeated]; rewrite compose_assoc; fold E.
    assert (size : Rabs x <= (1 + E) * s).
    { as_sum ((x - total q a) + total q a).
      pose proof (total_le_sizes q a); fold s in H; lra. }
    as_sum ((y - x) + (x - total q a)).
    assert (e * Rabs x <= e * ((1 + E) * s)) by now apply Rmult_le_compat_l.
    unfold compose; lra.
Qed.

Lemma computed_deeper e e_p d d' : 0 <= e -> 0 <= e_p -> (d <= d')%nat ->
  compose e_p (repeated e d) <= compose e_p (repeated e d').
Proof.
  intros; apply compose_le; [lra|]; split; [now apply repeated_nonneg | now apply repeated_le].
Qed.

(** ** Any order

    Binary trees in which each addition is rounded. *)
Inductive every_addition_rounds : tree -> Prop :=
  | one_term i : every_addition_rounds (Term i)
  | one_addition a b : every_addition_rounds a -> every_addition_rounds b ->
      every_addition_rounds (Round (Plus a b)).

Lemma terms_nonempty t : every_addition_rounds t -> (0 < length (terms t))%nat.
Proof. induction 1; simpl; [lia | rewrite app_length; lia]. Qed.

(** A term of n meets n - 1 roundings at most. *)
Lemma any_order_depth t : every_addition_rounds t -> (depth t <= length (terms t) - 1)%nat.
Proof.
  induction 1 as [i | a b of_a IHa of_b IHb]; simpl; [lia|].
  rewrite app_length.
  pose proof (terms_nonempty a of_a); pose proof (terms_nonempty b of_b); lia.
Qed.

Theorem any_order_error e e_p p q t y n :
  0 <= e -> 0 <= e_p -> (forall i, Rabs (p i - q i) <= e_p * Rabs (q i)) ->
  every_addition_rounds t -> Permutation (terms t) (seq 0 n) -> computed e p t y ->
  Rabs (y - rsum n q) <= compose e_p (repeated e (n - 1)) * rsum n (fun i => Rabs (q i)).
Proof.
  intros e_pos p_pos product rounds order is_computed.
  pose proof (sum_error e e_p p q t y e_pos p_pos product is_computed) as error.
  rewrite (total_any_order _ _ n order), (total_any_order _ _ n order) in error.
  eapply Rle_trans; [exact error|].
  apply Rmult_le_compat_r; [apply rsum_nonneg; intros; apply Rabs_pos|].
  apply computed_deeper; try easy.
  pose proof (any_order_depth t rounds) as deep.
  now rewrite (Permutation_length order), seq_length in deep.
Qed.
