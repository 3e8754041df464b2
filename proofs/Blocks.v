(** Sums in blocks, as accumulators form them (arith/accumulators/model.hpp): how often a term is
    rounded, as BlockDepth and BlockChain in algorithms/theory/accumulators.cpp count it. *)

From Coq Require Import Reals Lia Lra Psatz List Permutation.
From Coquelicot Require Import Coquelicot.
From Fftprec Require Import Stages Sums.
Import ListNotations.

Open Scope R_scope.

(** ** Chains and trees *)

(** c + l_0, rounded, + l_1, rounded, ... *)
Definition ordered_early (c : tree) (l : list nat) : tree :=
  fold_left (fun c i => Round (Plus c (Term i))) l c.

Lemma ordered_depth c l : (depth (ordered_early c l) <= depth c + length l)%nat.
Proof.
  revert c; induction l as [|i l IH]; intro c; cbn [ordered_early fold_left length]; [lia|].
  eapply Nat.le_trans; [apply IH|]; cbn [depth]; lia.
Qed.

Lemma ordered_terms c l : Permutation (terms (ordered_early c l)) (terms c ++ l).
Proof.
  revert c; induction l as [|i l IH]; intro c; cbn [ordered_early fold_left];
    [now rewrite app_nil_r|].
  eapply Permutation_trans; [apply IH|]; cbn [terms]; now rewrite <- app_assoc.
Qed.

(** A chain of its own starts with +0. [holds]: its format holds a product, so that the first addition
    is exact. *)
Definition start (holds : bool) (i : nat) : tree := if holds then Term i else Round (Term i).

Definition chain (holds : bool) (l : list nat) : tree :=
  match l with [] => Zero | i :: rest => ordered_early (start holds i) rest end.

Definition spared (b : bool) : nat := if b then 1%nat else O.

Lemma chain_depth holds l : (depth (chain holds l) <= length l - spared holds)%nat.
Proof.
  destruct l as [|i l]; [destruct holds; simpl; lia|]; cbn [chain length].
  eapply Nat.le_trans; [apply ordered_depth|]; destruct holds; simpl; lia.
Qed.

Lemma chain_terms holds l : Permutation (terms (chain holds l)) l.
Proof.
  destruct l as [|i l]; [easy|]; cbn [chain].
  eapply Permutation_trans; [apply ordered_terms|]; now destruct holds.
Qed.

(** Neighbours, then neighbouring sums; what is left over moves up unchanged. *)
Fixpoint pass (l : list tree) : list tree :=
  match l with a :: b :: rest => Round (Plus a b) :: pass rest | _ => l end.

Fixpoint passes (k : nat) (l : list tree) : list tree :=
  match k with O => l | S k => passes k (pass l) end.

Definition all_terms (l : list tree) : list nat := flat_map terms l.

Lemma pairs_induction {T} (P : list T -> Prop) :
  P [] -> (forall a, P [a]) -> (forall a b l, P l -> P (a :: b :: l)) -> forall l, P l.
Proof.
  intros none one two; fix self 1; intros [|a [|b l]]; [exact none | apply one | apply two, self].
Qed.

Lemma pass_terms l : all_terms (pass l) = all_terms l.
Proof.
  induction l as [|a|a b l IH] using pairs_induction; [easy | easy|].
  unfold all_terms in *; cbn [pass flat_map terms]; now rewrite IH, app_assoc.
Qed.

Lemma pass_depth d l :
  (forall t, In t l -> (depth t <= d)%nat) -> forall t, In t (pass l) -> (depth t <= S d)%nat.
Proof.
  induction l as [|a|a b l IH] using pairs_induction; intros deep t is_in.
  - easy.
  - destruct is_in as [<-|[]]; pose proof (deep a (or_introl eq_refl)); lia.
  - destruct is_in as [<-|is_in]; cbn [depth].
    + pose proof (deep a (or_introl eq_refl)).
      pose proof (deep b (or_intror (or_introl eq_refl))); lia.
    + apply IH; [|exact is_in]; intros; apply deep; now right; right.
Qed.

Lemma pass_length l : (2 * length (pass l) <= S (length l))%nat.
Proof.
  induction l as [|a|a b l IH] using pairs_induction; simpl in *; lia.
Qed.

Lemma passes_terms k l : all_terms (passes k l) = all_terms l.
Proof. revert l; induction k as [|k IH]; intro l; [easy|]; cbn [passes]; now rewrite IH, pass_terms. Qed.

Lemma passes_depth k d l :
  (forall t, In t l -> (depth t <= d)%nat) -> forall t, In t (passes k l) -> (depth t <= d + k)%nat.
Proof.
  revert d l; induction k as [|k IH]; intros d l deep t is_in; cbn [passes] in is_in.
  - pose proof (deep t is_in); lia.
  - pose proof (IH (S d) (pass l) (pass_depth d l deep) t is_in); lia.
Qed.

Lemma passes_length k l : (length l <= 2 ^ k)%nat -> (length (passes k l) <= 1)%nat.
Proof.
  revert l; induction k as [|k IH]; intros l short; [easy|]; cbn [passes]; apply IH.
  pose proof (pass_length l); simpl in short; lia.
Qed.

(** The tree over l. A single leaf is rounded as well, where [rounds_one]. *)
Definition tree_over (rounds_one : bool) (l : list tree) : tree :=
  match l with
  | [] => Zero
  | [a] => if rounds_one then Round a else a
  | _ => match passes (Nat.log2_up (length l)) l with a :: _ => a | [] => Zero end
  end.

(** Levels of a tree; a single leaf is rounded as well. *)
Definition levels (leaves : nat) : nat := Nat.max 1 (Nat.log2_up leaves).

Lemma log2_up_enough n : (n <= 2 ^ Nat.log2_up n)%nat.
Proof.
  destruct (Nat.le_gt_cases n 1) as [small|large].
  - rewrite Nat.log2_up_eqn0 by lia; simpl; lia.
  - apply Nat.log2_log2_up_spec; lia.
Qed.

Lemma tree_over_terms rounds_one l : terms (tree_over rounds_one l) = all_terms l.
Proof.
  destruct l as [|a [|b l]];
    [easy | unfold all_terms; simpl; rewrite app_nil_r; now destruct rounds_one |].
  cbn [tree_over]; set (all := a :: b :: l); set (k := Nat.log2_up (length all)).
  pose proof (passes_terms k all) as same; pose proof (passes_length k all (log2_up_enough _)) as short.
  destruct (passes k all) as [|c [|c' rest]]; [exact same | | simpl in short; lia].
  rewrite <- same; unfold all_terms; simpl; now rewrite app_nil_r.
Qed.

Lemma tree_over_depth rounds_one d l :
  (forall t, In t l -> (depth t <= d)%nat) ->
  (depth (tree_over rounds_one l) <=
   d + (if rounds_one then levels (length l) else if Nat.eqb (length l) 1 then 0
        else levels (length l)))%nat.
Proof.
  intro deep; destruct l as [|a [|b l]].
  - simpl; lia.
  - pose proof (deep a (or_introl eq_refl)); destruct rounds_one; simpl; unfold levels; simpl; lia.
  - cbn [tree_over]; set (all := a :: b :: l) in *; set (k := Nat.log2_up (length all)).
    assert (le : (k <= levels (length all))%nat) by (unfold levels, k; lia).
    replace (Nat.eqb (length all) 1) with false by easy.
    pose proof (passes_depth k d all deep) as deep_k.
    destruct (passes k all) as [|c rest]; [simpl; destruct rounds_one; lia|].
    pose proof (deep_k c (or_introl eq_refl)); destruct rounds_one; lia.
Qed.

(** Segments of s terms. *)
Fixpoint chop (fuel s : nat) (l : list nat) : list (list nat) :=
  match fuel, l with
  | S fuel, _ :: _ => firstn s l :: chop fuel s (skipn s l)
  | _, _ => []
  end.

Definition segments_of (s : nat) (l : list nat) : list (list nat) := chop (length l) s l.

(** ceil(a/b). *)
Definition parts (a b : nat) : nat := ((a + b - 1) / b)%nat.

Lemma chop_concat fuel s l : (0 < s)%nat -> (length l <= fuel)%nat -> concat (chop fuel s l) = l.
Proof.
  intro pos; revert l; induction fuel as [|fuel IH]; intros l le;
    [destruct l; simpl in *; [easy | lia]|].
  destruct l as [|i l]; [easy|]; cbn [chop concat].
  rewrite IH, firstn_skipn; [easy|]; rewrite skipn_length; cbn [length] in *; lia.
Qed.

Lemma chop_short fuel s l part :
  In part (chop fuel s l) -> (length part <= Nat.min (length l) s)%nat.
Proof.
  revert l; induction fuel as [|fuel IH]; intros l is_in; [easy|].
  destruct l as [|i l]; [easy|]; cbn [chop] in is_in; destruct is_in as [<-|is_in].
  - rewrite firstn_length; lia.
  - pose proof (IH _ is_in) as le; rewrite skipn_length in le; lia.
Qed.

Lemma chop_length fuel s l : (0 < s)%nat -> (length l <= fuel)%nat ->
  length (chop fuel s l) = parts (length l) s.
Proof.
  intro pos; revert l; induction fuel as [|fuel IH]; intros l le.
  - destruct l; [|simpl in le; lia]; unfold parts; cbn [length chop].
    now rewrite Nat.div_small by lia.
  - destruct l as [|i l]; [unfold parts; cbn [chop length]; now rewrite Nat.div_small by lia|].
    cbn [chop length]; rewrite IH by (rewrite skipn_length; cbn [length] in *; lia).
    rewrite skipn_length; cbn [length]; unfold parts.
    destruct (Nat.le_gt_cases (S (length l)) s) as [short|long].
    + replace (S (length l) - s + s - 1)%nat with (s - 1)%nat by lia.
      rewrite (Nat.div_small (s - 1)) by lia.
      replace (S (length l) + s - 1)%nat with (length l + 1 * s)%nat by lia.
      rewrite Nat.div_add, Nat.div_small by lia; easy.
    + replace (S (length l) + s - 1)%nat with (S (length l) - s + s - 1 + 1 * s)%nat by lia.
      rewrite Nat.div_add by lia; lia.
Qed.

(** Even places, and odd ones. *)
Fixpoint evens (l : list nat) : list nat :=
  match l with a :: _ :: rest => a :: evens rest | _ => l end.
Fixpoint odds (l : list nat) : list nat :=
  match l with _ :: b :: rest => b :: odds rest | _ => [] end.

Lemma evens_odds l : Permutation (evens l ++ odds l) l.
Proof.
  induction l as [|a|a b l IH] using pairs_induction; [easy | easy|].
  cbn [evens odds app]; apply perm_skip.
  eapply Permutation_trans; [apply Permutation_sym, Permutation_middle|]; now apply perm_skip.
Qed.

Lemma evens_length l : length (evens l) = parts (length l) 2.
Proof.
  induction l as [|a|a b l IH] using pairs_induction; [easy | easy|].
  cbn [evens length]; rewrite IH; unfold parts.
  replace (S (S (length l)) + 2 - 1)%nat with (length l + 2 - 1 + 1 * 2)%nat by lia.
  rewrite Nat.div_add; lia.
Qed.

Lemma odds_length l : (length (odds l) <= length (evens l))%nat.
Proof. induction l as [|a|a b l IH] using pairs_induction; simpl in *; lia. Qed.

(** ** Blocks *)

Inductive block_sum := In_order | Pairwise | Segments (s : nat) | Even_odd | Exact.

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

(** A block that starts from +0. *)
Definition alone (sum : block_sum) (holds : bool) (l : list nat) : tree :=
  match sum with
  | In_order => chain holds l
  | Pairwise => tree_over true (map Term l)
  | Segments s => tree_over false (map (chain holds) (segments_of s l))
  | Even_odd => Round (Plus (chain holds (evens l)) (chain holds (odds l)))
  | Exact => Round (exact_sum Zero l)
  end.

(** A block whose first term is c. *)
Definition with_first (sum : block_sum) (holds : bool) (c : tree) (l : list nat) : tree :=
  match sum with
  | In_order => ordered_early c l
  | Pairwise => tree_over true (c :: map Term l)
  | Segments s =>
    tree_over false (match segments_of s l with
                     | [] => [c]
                     | first :: rest => ordered_early c first :: map (chain holds) rest
                     end)
  | Even_odd => Round (Plus (ordered_early c (evens l)) (chain holds (odds l)))
  | Exact => Round (exact_sum c l)
  end.

(** c, and a block. *)
Definition block (sum : block_sum) (early holds : bool) (c : tree) (l : list nat) : tree :=
  if early then with_first sum holds c l else Round (Plus c (alone sum holds l)).

(** The first block of all, where c is +0; what is added to +0 alone is exact. *)
Definition first_block (sum : block_sum) (early holds : bool) (l : list nat) : tree :=
  match sum, early with
  | Pairwise, true => tree_over true (Zero :: map Term l)
  | _, _ => alone sum holds l
  end.

(** BlockDepth: roundings of a product from its first addition on, and of c. *)
Definition late (early : bool) : nat := spared (negb early).
Definition exact_first (early holds : bool) : nat := spared (negb early && holds).

Definition tree_levels (segments : nat) : nat :=
  if Nat.eqb segments 1 then O else levels segments.

Definition product_depth (sum : block_sum) (early holds : bool) (n : nat) : nat :=
  match sum with
  | In_order => n - exact_first early holds + late early
  | Pairwise => levels (n + spared early) + late early
  | Segments s => Nat.min n s - exact_first early holds + tree_levels (parts n s) + late early
  | Even_odd => parts n 2 - exact_first early holds + 1 + late early
  | Exact => 1 + late early
  end.

Definition c_depth (sum : block_sum) (early : bool) (n : nat) : nat :=
  if early then
    match sum with
    | In_order => n
    | Pairwise => levels (n + 1)
    | Segments s => Nat.min n s + tree_levels (parts n s)
    | Even_odd => parts n 2 + 1
    | Exact => 1
    end
  else 1.

(** exact_additions: the first addition to c = +0. *)
Definition exact_additions (sum : block_sum) (early holds : bool) : nat :=
  if early then match sum with Pairwise | Exact => O | _ => spared holds end else 1%nat.

Definition valid (sum : block_sum) : Prop := match sum with Segments s => (0 < s)%nat | _ => True end.

Lemma in_map_Term l t : In t (map Term l) -> depth t = O.
Proof. intro is_in; apply in_map_iff in is_in as (i & <- & _); easy. Qed.

Lemma all_terms_Term l : all_terms (map Term l) = l.
Proof. induction l as [|i l IH]; [easy|]; unfold all_terms in *; simpl; now rewrite IH. Qed.

Lemma all_terms_chains holds l : Permutation (all_terms (map (chain holds) l)) (concat l).
Proof.
  induction l as [|part l IH]; [easy|]; unfold all_terms in *; simpl.
  apply Permutation_app; [apply chain_terms | exact IH].
Qed.

Lemma tree_false_depth d l :
  (forall t, In t l -> (depth t <= d)%nat) ->
  (depth (tree_over false l) <= d + tree_levels (length l))%nat.
Proof.
  intro deep; pose proof (tree_over_depth false d l deep) as le; unfold tree_levels.
  destruct (length l =? 1)%nat; exact le.
Qed.

Ltac reckon :=
  cbn [alone exact_additions product_depth c_depth late exact_first spared negb andb] in *; lia.

(** A block of its own, one rounding of c less. *)
Lemma alone_depth sum early holds l : valid sum -> l <> [] ->
  match sum, early with Pairwise, true => False | _, _ => True end ->
  (depth (alone sum holds l) + exact_additions sum early holds <=
   product_depth sum early holds (length l))%nat.
Proof.
  intros is_valid nonempty not_that.
  assert (some : (0 < length l)%nat) by (destruct l; [easy | simpl; lia]).
  destruct sum as [| |s| |].
  - pose proof (chain_depth holds l); destruct early, holds; reckon.
  - destruct early; [easy|]; cbn [alone].
    pose proof (tree_over_depth true 0 (map Term l)) as deep; rewrite map_length in deep.
    assert (depth (tree_over true (map Term l)) <= 0 + levels (length l))%nat
      by (apply deep; intros t is_in; rewrite (in_map_Term l t is_in); lia).
    cbn [spared product_depth]; rewrite Nat.add_0_r; reckon.
  - cbn [alone]; simpl in is_valid.
    assert (deep : (depth (tree_over false (map (chain holds) (segments_of s l))) <=
                    (Nat.min (length l) s - spared holds) + tree_levels (parts (length l) s))%nat).
    { rewrite <- (chop_length (length l) s l is_valid (Nat.le_refl _)).
      rewrite <- (map_length (chain holds) (chop _ s l)); apply tree_false_depth.
      intros t is_in; apply in_map_iff in is_in as (part & <- & is_in).
      pose proof (chop_short _ _ _ _ is_in); pose proof (chain_depth holds part).
      destruct holds; reckon. }
    assert (0 < Nat.min (length l) s)%nat by lia.
    destruct early, holds; reckon.
  - cbn [alone depth].
    pose proof (chain_depth holds (evens l)); pose proof (chain_depth holds (odds l)).
    pose proof (odds_length l); pose proof (evens_length l) as even.
    assert (0 < parts (length l) 2)%nat
      by (unfold parts; apply Nat.div_str_pos; lia).
    destruct early, holds; reckon.
  - cbn [alone depth]; rewrite exact_sum_depth; cbn [depth]; destruct early, holds; reckon.
Qed.

Lemma first_block_depth sum early holds l : valid sum -> l <> [] ->
  (depth (first_block sum early holds l) + exact_additions sum early holds <=
   product_depth sum early holds (length l))%nat.
Proof.
  intros is_valid nonempty.
  destruct sum as [| |s| |]; try (now apply alone_depth); destruct early;
    try (now apply alone_depth).
  cbn [first_block exact_additions product_depth].
  pose proof (tree_over_depth true 0 (Zero :: map Term l)) as deep.
  cbn [length] in deep; rewrite map_length in deep.
  assert (depth (tree_over true (Zero :: map Term l)) <= 0 + levels (S (length l)))%nat.
  { apply deep; intros t [<-|is_in]; [easy|]; rewrite (in_map_Term l t is_in); lia. }
  cbn [spared late negb]; replace (length l + 1)%nat with (S (length l)) by lia; lia.
Qed.

Lemma block_depth sum early holds c l : valid sum -> l <> [] ->
  (depth (block sum early holds c l) <=
   Nat.max (depth c + c_depth sum early (length l)) (product_depth sum early holds (length l)))%nat.
Proof.
  intros is_valid nonempty; unfold block; destruct early.
  - enough (depth (with_first sum holds c l) <= depth c + c_depth sum true (length l))%nat by lia.
    destruct sum as [| |s| |]; cbn [with_first c_depth].
    + apply ordered_depth.
    + pose proof (tree_over_depth true (depth c) (c :: map Term l)) as deep.
      cbn [length] in deep; rewrite map_length in deep.
      replace (length l + 1)%nat with (S (length l)) by lia; apply deep.
      intros t [<-|is_in]; [easy|]; rewrite (in_map_Term l t is_in); lia.
    + simpl in is_valid; pose proof (chop_length (length l) s l is_valid (Nat.le_refl _)) as count.
      pose proof (chop_short (length l) s l) as short; unfold segments_of.
      assert (some : (0 < length l)%nat) by (destruct l; [easy | simpl; lia]).
      assert (0 < parts (length l) s)%nat by (unfold parts; apply Nat.div_str_pos; lia).
      destruct (chop (length l) s l) as [|first rest]; [simpl in count; lia|].
      rewrite <- count, Nat.add_assoc.
      pose proof (tree_false_depth (depth c + Nat.min (length l) s)
                    (ordered_early c first :: map (chain holds) rest)) as deep.
      cbn [length] in deep |- *; rewrite map_length in deep; apply deep; intros t [<-|is_in].
      * pose proof (ordered_depth c first); pose proof (short first (or_introl eq_refl)); lia.
      * apply in_map_iff in is_in as (part & <- & is_in).
        pose proof (short part (or_intror is_in)); pose proof (chain_depth holds part).
        destruct holds; reckon.
    + cbn [depth]; pose proof (ordered_depth c (evens l)); pose proof (chain_depth holds (odds l)).
      pose proof (odds_length l); pose proof (evens_length l); destruct holds; reckon.
    + cbn [depth]; rewrite exact_sum_depth; lia.
  - cbn [depth c_depth].
    assert (le : (depth (alone sum holds l) + 1 <= product_depth sum false holds (length l))%nat)
      by (apply (alone_depth sum false holds l is_valid nonempty); now destruct sum).
    lia.
Qed.

Lemma alone_terms sum holds l : valid sum -> Permutation (terms (alone sum holds l)) l.
Proof.
  intro is_valid; destruct sum as [| |s| |]; cbn [alone terms].
  - apply chain_terms.
  - now rewrite tree_over_terms, all_terms_Term.
  - rewrite tree_over_terms; eapply Permutation_trans; [apply all_terms_chains|].
    unfold segments_of; simpl in is_valid; now rewrite chop_concat.
  - eapply Permutation_trans; [apply Permutation_app; apply chain_terms | apply evens_odds].
  - now rewrite exact_sum_terms.
Qed.

Lemma first_block_terms sum early holds l :
  valid sum -> Permutation (terms (first_block sum early holds l)) l.
Proof.
  intro is_valid; destruct sum as [| |s| |], early; try (now apply alone_terms).
  cbn [first_block]; rewrite tree_over_terms.
  change (all_terms (Zero :: map Term l)) with (all_terms (map Term l)).
  now rewrite all_terms_Term.
Qed.

Lemma block_terms sum early holds c l :
  valid sum -> Permutation (terms (block sum early holds c l)) (terms c ++ l).
Proof.
  intro is_valid; unfold block; destruct early; cbn [terms];
    [|apply Permutation_app_head; now apply alone_terms].
  destruct sum as [| |s| |]; cbn [with_first terms].
  - apply ordered_terms.
  - rewrite tree_over_terms.
    change (all_terms (c :: map Term l)) with (terms c ++ all_terms (map Term l)).
    now rewrite all_terms_Term.
  - rewrite tree_over_terms; simpl in is_valid.
    pose proof (chop_concat (length l) s l is_valid (Nat.le_refl _)) as same.
    unfold segments_of; destruct (chop (length l) s l) as [|first rest].
    + simpl in same; subst l; unfold all_terms; simpl; now rewrite !app_nil_r.
    + change (all_terms (ordered_early c first :: map (chain holds) rest))
        with (terms (ordered_early c first) ++ all_terms (map (chain holds) rest)).
      rewrite <- same; cbn [concat]; rewrite app_assoc.
      apply Permutation_app; [apply ordered_terms | apply all_terms_chains].
  - eapply Permutation_trans; [apply Permutation_app; [apply ordered_terms | apply chain_terms]|].
    rewrite <- app_assoc; apply Permutation_app_head, evens_odds.
  - now rewrite exact_sum_terms.
Qed.

(** ** Chains of blocks *)

Definition accumulate (sum : block_sum) (early holds : bool) (blocks : list (list nat)) : tree :=
  match blocks with
  | [] => Zero
  | l :: rest => fold_left (block sum early holds) rest (first_block sum early holds l)
  end.

(** BlockChain: `deepest_` after more blocks, then what is spared. *)
Fixpoint later_blocks (sum : block_sum) (early holds : bool) (deepest : nat)
    (blocks : list (list nat)) : nat :=
  match blocks with
  | [] => deepest
  | l :: rest =>
    later_blocks sum early holds
      (Nat.max (deepest + c_depth sum early (length l))
               (product_depth sum early holds (length l) + exact_additions sum early holds)) rest
  end.

Definition block_chain (sum : block_sum) (early holds : bool) (blocks : list (list nat)) : nat :=
  match blocks with
  | [] => O
  | l :: rest =>
    later_blocks sum early holds (product_depth sum early holds (length l)) rest -
    exact_additions sum early holds
  end.

Lemma later_depth sum early holds blocks : valid sum -> List.Forall (fun l => l <> []) blocks ->
  forall c d, (depth c + exact_additions sum early holds <= d)%nat ->
  (depth (fold_left (block sum early holds) blocks c) + exact_additions sum early holds <=
   later_blocks sum early holds d blocks)%nat.
Proof.
  intro is_valid; induction blocks as [|l rest IH]; intros nonempty c d le; [easy|].
  inversion nonempty as [|? ? l_nonempty rest_nonempty]; subst.
  cbn [fold_left later_blocks]; apply IH; [easy|].
  pose proof (block_depth sum early holds c l is_valid l_nonempty); lia.
Qed.

(** No term meets more roundings than BlockChain counts. *)
Theorem accumulate_depth sum early holds blocks :
  valid sum -> List.Forall (fun l => l <> []) blocks ->
  (depth (accumulate sum early holds blocks) <= block_chain sum early holds blocks)%nat.
Proof.
  intros is_valid nonempty; destruct blocks as [|l rest]; [easy|].
  inversion nonempty as [|? ? l_nonempty rest_nonempty]; subst.
  cbn [accumulate block_chain].
  pose proof (first_block_depth sum early holds l is_valid l_nonempty) as first.
  pose proof (later_depth sum early holds rest is_valid rest_nonempty _ _ first); lia.
Qed.

Lemma later_terms sum early holds blocks : valid sum -> forall c,
  Permutation (terms (fold_left (block sum early holds) blocks c)) (terms c ++ concat blocks).
Proof.
  intro is_valid; induction blocks as [|l rest IH]; intro c; [simpl; now rewrite app_nil_r|].
  cbn [fold_left concat]; rewrite app_assoc; eapply Permutation_trans; [apply IH|].
  apply Permutation_app_tail; now apply block_terms.
Qed.

Theorem accumulate_terms sum early holds blocks :
  valid sum -> Permutation (terms (accumulate sum early holds blocks)) (concat blocks).
Proof.
  intro is_valid; destruct blocks as [|l rest]; [easy|]; cbn [accumulate concat].
  eapply Permutation_trans; [now apply later_terms|].
  apply Permutation_app_tail; now apply first_block_terms.
Qed.

(** chain_error: products off by e_p, each rounding by e, of n products in blocks. *)
Theorem accumulate_error e e_p p q sum early holds blocks n y :
  0 <= e -> 0 <= e_p -> (forall i, Rabs (p i - q i) <= e_p * Rabs (q i)) ->
  valid sum -> List.Forall (fun l => l <> []) blocks ->
  Permutation (concat blocks) (seq 0 n) ->
  computed e p (accumulate sum early holds blocks) y ->
  Rabs (y - rsum n q) <=
    compose e_p (repeated e (block_chain sum early holds blocks)) * rsum n (fun i => Rabs (q i)).
Proof.
  intros e_pos p_pos products is_valid nonempty order is_computed.
  pose proof (sum_error e e_p p q _ y e_pos p_pos products is_computed) as error.
  assert (all : Permutation (terms (accumulate sum early holds blocks)) (seq 0 n))
    by (eapply Permutation_trans; [now apply accumulate_terms | easy]).
  rewrite (total_any_order _ _ n all), (total_any_order _ _ n all) in error.
  eapply Rle_trans; [exact error|].
  apply Rmult_le_compat_r; [apply rsum_nonneg; intros; apply Rabs_pos|].
  apply computed_deeper; [easy | easy | now apply accumulate_depth].
Qed.

(** ** Aligned sums

    A block of n products and c, all cut at 2^-F of a power of two that is at most their largest: each
    loses less than [cut] of the sum of all sizes. The rest of [alignment_error] is one more such loss.
    Then the sum is rounded. *)
Theorem aligned_error cut e n (c : R) (q q' : nat -> R) (c' s y : R) :
  0 <= cut -> 0 <= e ->
  let sizes := Rabs c + rsum n (fun i => Rabs (q i)) in
  (forall i, (i < n)%nat -> Rabs (q' i - q i) <= cut * sizes) -> Rabs (c' - c) <= cut * sizes ->
  s = c' + rsum n q' -> Rabs (y - s) <= e * Rabs s ->
  Rabs (y - (c + rsum n q)) <= compose ((INR n + 1) * cut) e * sizes.
Proof.
  intros cut_pos e_pos sizes cuts cut_c sum rounding.
  assert (parts : Rabs (s - (c + rsum n q)) <= (INR n + 1) * cut * sizes).
  { subst s; replace (c' + rsum n q' - (c + rsum n q))
      with ((c' - c) + rsum n (fun i => q' i - q i)).
    - eapply Rle_trans; [apply Rabs_triang|].
      pose proof (rsum_Rabs n (fun i => q' i - q i)); pose proof (rsum_le n _ _ cuts) as most.
      rewrite rsum_const in most; lra.
    - rewrite rsum_minus; ring. }
  assert (exact : Rabs (c + rsum n q) <= sizes).
  { unfold sizes; eapply Rle_trans; [apply Rabs_triang|]; apply Rplus_le_compat_l, rsum_Rabs. }
  assert (size : Rabs s <= (1 + (INR n + 1) * cut) * sizes).
  { replace s with ((s - (c + rsum n q)) + (c + rsum n q)) by ring.
    eapply Rle_trans; [apply Rabs_triang | lra]. }
  as_sum ((y - s) + (s - (c + rsum n q))); unfold compose.
  assert (e * Rabs s <= e * ((1 + (INR n + 1) * cut) * sizes)) by now apply Rmult_le_compat_l.
  lra.
Qed.
