(** Sums of products: rounded in any order, in blocks, by any rounding; and the DFT as one matrix
    product, dft-gemm. *)

From Coq Require Import Reals Lia Lra Psatz List Permutation.
From Coquelicot Require Import Coquelicot.
From Fftprec Require Import Stages Fft.
Import ListNotations.

Open Scope R_scope.

(** ** One sum *)

(** How a sum is formed: its terms, exact additions, and roundings of what is below them. A rounded
    addition is [Round (Plus a b)]; an exact sum of many terms has one [Round] above it. *)
Inductive tree :=
  | Term (i : nat)
  | Plus (a b : tree)
  | Round (a : tree).

Fixpoint terms (t : tree) : list nat :=
  match t with Term i => [i] | Plus a b => terms a ++ terms b | Round a => terms a end.

(** The most roundings that a term meets. *)
Fixpoint depth (t : tree) : nat :=
  match t with Term _ => 0 | Plus a b => Nat.max (depth a) (depth b) | Round a => S (depth a) end.

Fixpoint total (f : nat -> R) (t : tree) : R :=
  match t with Term i => f i | Plus a b => total f a + total f b | Round a => total f a end.

(** [computed e p t y]: y is a result of t with terms p where each rounding errs by at most e of what
    it rounds: e = u to nearest, 2 u by truncation and in every other direction. *)
Inductive computed (e : R) (p : nat -> R) : tree -> R -> Prop :=
  | computed_term i : computed e p (Term i) (p i)
  | computed_plus a b x y : computed e p a x -> computed e p b y -> computed e p (Plus a b) (x + y)
  | computed_round a x y : computed e p a x -> Rabs (y - x) <= e * Rabs x -> computed e p (Round a) y.

Definition list_sum (f : nat -> R) (l : list nat) : R := fold_right (fun i s => f i + s) 0 l.

Lemma list_sum_app f l m : list_sum f (l ++ m) = list_sum f l + list_sum f m.
Proof. induction l as [|i l IH]; simpl; [ring | rewrite IH; ring]. Qed.

Lemma total_list f t : total f t = list_sum f (terms t).
Proof.
  induction t as [i|a IHa b IHb|a IH]; simpl; [ring | | easy].
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
  induction t as [i|a IHa b IHb|a IH]; simpl; [lra | | easy].
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
  induction is_computed as [i | a b x y _ IHx _ IHy | a x y _ IH rounding]; cbn [total depth].
  - cbn [repeated]; rewrite compose_0_r; apply product.
  - set (s := total (fun i => Rabs (q i)) a) in *; set (s' := total (fun i => Rabs (q i)) b) in *.
    pose proof (sizes_nonneg q a : 0 <= s) as s_pos; pose proof (sizes_nonneg q b : 0 <= s') as s'_pos.
    assert (deeper : forall d, (d <= Nat.max (depth a) (depth b))%nat ->
              compose e_p (repeated e d) <= compose e_p (repeated e (Nat.max (depth a) (depth b)))).
    { intros d le; apply compose_le; [lra|].
      split; [now apply repeated_nonneg | now apply repeated_le]. }
    pose proof (deeper (depth a) (Nat.le_max_l _ _)) as le_a.
    pose proof (deeper (depth b) (Nat.le_max_r _ _)) as le_b.
    replace (x + y - (total q a + total q b)) with ((x - total q a) + (y - total q b)) by ring.
    eapply Rle_trans; [apply Rabs_triang|]; rewrite Rmult_plus_distr_l.
    apply Rplus_le_compat; (eapply Rle_trans; [eassumption|]); now apply Rmult_le_compat_r.
  - set (s := total (fun i => Rabs (q i)) a) in *.
    set (E := compose e_p (repeated e (depth a))) in *.
    assert (E_pos : 0 <= E) by (apply compose_nonneg; [easy | now apply repeated_nonneg]).
    cbn [repeated]; rewrite compose_assoc; fold E.
    assert (size : Rabs x <= (1 + E) * s).
    { replace x with ((x - total q a) + total q a) by ring.
      eapply Rle_trans; [apply Rabs_triang|].
      pose proof (total_le_sizes q a); fold s in H; lra. }
    replace (y - total q a) with ((y - x) + (x - total q a)) by ring.
    eapply Rle_trans; [apply Rabs_triang|].
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

Lemma terms_nonempty t : (0 < length (terms t))%nat.
Proof.
  induction t as [i|a IHa b IHb|a IH]; simpl; [lia | rewrite app_length; lia | easy].
Qed.

(** A term of n meets n - 1 roundings at most. *)
Lemma any_order_depth t : every_addition_rounds t -> (depth t <= length (terms t) - 1)%nat.
Proof.
  induction 1 as [i | a b _ IHa _ IHb]; simpl; [lia|].
  rewrite app_length; pose proof (terms_nonempty a); pose proof (terms_nonempty b); lia.
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

(** ** Blocks

    An accumulator adds blocks of products to c, one after the other. [block c l] is how it adds the
    terms of l; a term of the block meets at most [product l] roundings in it, and c at most [of_c l],
    as BlockDepth in accumulators.cpp. *)
Definition block_rule := tree -> list nat -> tree.

Definition keeps_depth (block : block_rule) (product of_c : list nat -> nat) : Prop :=
  forall c l, l <> [] -> (depth (block c l) <= Nat.max (depth c + of_c l) (product l))%nat.

Definition keeps_terms (block : block_rule) : Prop :=
  forall c l, l <> [] -> Permutation (terms (block c l)) (terms c ++ l).

(** The deepest term, as BlockChain counts it. *)
Fixpoint deepest (product of_c : list nat -> nat) (d : nat) (blocks : list (list nat)) : nat :=
  match blocks with
  | [] => d
  | l :: rest => deepest product of_c (Nat.max (d + of_c l) (product l)) rest
  end.

Lemma deepest_le product of_c blocks : forall d d', (d <= d')%nat ->
  (deepest product of_c d blocks <= deepest product of_c d' blocks)%nat.
Proof. induction blocks as [|l rest IH]; simpl; intros d d' le; [easy | apply IH; lia]. Qed.

Definition chain_of_blocks (block : block_rule) (c : tree) (blocks : list (list nat)) : tree :=
  fold_left block blocks c.

Theorem blocks_depth block product of_c blocks :
  keeps_depth block product of_c -> List.Forall (fun l => l <> []) blocks ->
  forall c, (depth (chain_of_blocks block c blocks) <= deepest product of_c (depth c) blocks)%nat.
Proof.
  intros keeps; induction blocks as [|l rest IH]; intros nonempty c; [easy|].
  inversion nonempty as [|? ? l_nonempty rest_nonempty]; subst.
  cbn [chain_of_blocks fold_left deepest]; eapply Nat.le_trans; [now apply IH|].
  now apply deepest_le, keeps.
Qed.

Theorem blocks_terms block blocks :
  keeps_terms block -> List.Forall (fun l => l <> []) blocks ->
  forall c, Permutation (terms (chain_of_blocks block c blocks)) (terms c ++ concat blocks).
Proof.
  intros keeps; induction blocks as [|l rest IH]; intros nonempty c;
    [simpl; now rewrite app_nil_r|].
  inversion nonempty as [|? ? l_nonempty rest_nonempty]; subst.
  cbn [chain_of_blocks fold_left concat]; rewrite app_assoc.
  eapply Permutation_trans; [now apply IH|].
  apply Permutation_app_tail; now apply keeps.
Qed.

(** A sum in blocks that starts with one term, as an early chain does whose c is zero. *)
Theorem blocks_error e e_p p q block product of_c first blocks y n :
  0 <= e -> 0 <= e_p -> (forall i, Rabs (p i - q i) <= e_p * Rabs (q i)) ->
  keeps_depth block product of_c -> keeps_terms block -> List.Forall (fun l => l <> []) blocks ->
  Permutation (terms first ++ concat blocks) (seq 0 n) ->
  computed e p (chain_of_blocks block first blocks) y ->
  Rabs (y - rsum n q) <=
    compose e_p (repeated e (deepest product of_c (depth first) blocks)) *
    rsum n (fun i => Rabs (q i)).
Proof.
  intros e_pos p_pos products deep same nonempty order is_computed.
  pose proof (sum_error e e_p p q _ y e_pos p_pos products is_computed) as error.
  assert (all : Permutation (terms (chain_of_blocks block first blocks)) (seq 0 n))
    by (eapply Permutation_trans; [now apply blocks_terms | easy]).
  rewrite (total_any_order _ _ n all), (total_any_order _ _ n all) in error.
  eapply Rle_trans; [exact error|].
  apply Rmult_le_compat_r; [apply rsum_nonneg; intros; apply Rabs_pos|].
  now apply computed_deeper; [| | apply blocks_depth].
Qed.

(** *** In order, c first: c + l_0, rounded, + l_1, rounded, ... *)
Definition ordered_early : block_rule :=
  fun c l => fold_left (fun c i => Round (Plus c (Term i))) l c.

Lemma ordered_early_depth : keeps_depth ordered_early (@length nat) (@length nat).
Proof.
  intros c l _; revert c; induction l as [|i l IH]; intro c; cbn [ordered_early fold_left length].
  - lia.
  - eapply Nat.le_trans; [apply IH|]; cbn [depth]; lia.
Qed.

Lemma ordered_early_terms : keeps_terms ordered_early.
Proof.
  intros c l _; revert c; induction l as [|i l IH]; intro c; cbn [ordered_early fold_left].
  - now rewrite app_nil_r.
  - eapply Permutation_trans; [apply IH|]; cbn [terms]; now rewrite <- app_assoc.
Qed.

(** *** In order, c last: the block is a chain by itself, then c is added. [exact_first]: the chain
    starts with its first term, not with that term rounded. *)
Definition chain (exact_first : bool) (l : list nat) : tree :=
  match l with
  | [] => Term 0
  | i :: rest => ordered_early (if exact_first then Term i else Round (Term i)) rest
  end.

Definition ordered_late (exact_first : bool) : block_rule :=
  fun c l => Round (Plus c (chain exact_first l)).

Definition spared (exact_first : bool) : nat := if exact_first then 1%nat else O.

Lemma ordered_depth_le c l : (depth (ordered_early c l) <= depth c + length l)%nat.
Proof.
  destruct l as [|i l]; [simpl; lia|].
  eapply Nat.le_trans; [now apply ordered_early_depth|]; lia.
Qed.

Lemma ordered_terms c l : Permutation (terms (ordered_early c l)) (terms c ++ l).
Proof.
  destruct l as [|i l]; [simpl; now rewrite app_nil_r | now apply ordered_early_terms].
Qed.

Lemma chain_depth exact_first l : l <> [] ->
  (depth (chain exact_first l) <= length l - spared exact_first)%nat.
Proof.
  destruct l as [|i l]; [easy|]; intros _; cbn [chain length].
  eapply Nat.le_trans; [apply ordered_depth_le|]; destruct exact_first; simpl; lia.
Qed.

Lemma chain_terms exact_first l : l <> [] -> Permutation (terms (chain exact_first l)) l.
Proof.
  destruct l as [|i l]; [easy|]; intros _; cbn [chain].
  eapply Permutation_trans; [apply ordered_terms|]; now destruct exact_first.
Qed.

Lemma ordered_late_depth exact_first :
  keeps_depth (ordered_late exact_first)
    (fun l => length l - spared exact_first + 1)%nat (fun _ => 1%nat).
Proof.
  intros c l nonempty; cbn [ordered_late depth].
  pose proof (chain_depth exact_first l nonempty); lia.
Qed.

Lemma ordered_late_terms exact_first : keeps_terms (ordered_late exact_first).
Proof.
  intros c l nonempty; cbn [ordered_late terms].
  apply Permutation_app_head; now apply chain_terms.
Qed.

(** *** The exact sum of c and the block, rounded once; and of the block, rounded, then c. *)
Definition exact_sum (t : tree) (l : list nat) : tree :=
  fold_left (fun c i => Plus c (Term i)) l t.

Lemma exact_sum_depth t l : depth (exact_sum t l) = depth t.
Proof.
  revert t; induction l as [|i l IH]; intro t; cbn [exact_sum fold_left]; [easy|].
  unfold exact_sum in IH; rewrite IH; cbn [depth]; lia.
Qed.

Lemma exact_sum_terms t l : terms (exact_sum t l) = terms t ++ l.
Proof.
  revert t; induction l as [|i l IH]; intro t; cbn [exact_sum fold_left]; [now rewrite app_nil_r|].
  unfold exact_sum in IH; rewrite IH; cbn [terms]; now rewrite <- app_assoc.
Qed.

Definition exact_early : block_rule := fun c l => Round (exact_sum c l).
Definition exact_late : block_rule :=
  fun c l => match l with [] => c | i :: l => Round (Plus c (Round (exact_sum (Term i) l))) end.

Lemma exact_early_depth : keeps_depth exact_early (fun _ => 1%nat) (fun _ => 1%nat).
Proof. intros c l _; cbn [exact_early depth]; rewrite exact_sum_depth; lia. Qed.

Lemma exact_early_terms : keeps_terms exact_early.
Proof. intros c l _; cbn [exact_early terms]; now rewrite exact_sum_terms. Qed.

Lemma exact_late_depth : keeps_depth exact_late (fun _ => 2%nat) (fun _ => 1%nat).
Proof.
  intros c [|i l]; [easy|]; intros _; cbn [exact_late depth]; rewrite exact_sum_depth; simpl; lia.
Qed.

Lemma exact_late_terms : keeps_terms exact_late.
Proof.
  intros c [|i l]; [easy|]; intros _; cbn [exact_late terms].
  rewrite exact_sum_terms; cbn [terms app]; easy.
Qed.
