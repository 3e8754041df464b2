/// Lists of all data members of an aggregate; an incomplete list does not compile.
#pragma once

#include <cstddef>
#include <cstdint>
#include <tuple>
#include <type_traits>

namespace fftprec {

/// Converts to any type: a placeholder that counts the members of an aggregate.
struct AnyMember {
  template <class T>
  operator T() const;
};

template <class Aggregate, class... Members>
consteval std::size_t member_count() {
  if constexpr (requires { Aggregate{Members{}..., AnyMember{}}; })
    return member_count<Aggregate, Members..., AnyMember>();
  else
    return sizeof...(Members);
}

template <class Aggregate, class A, class B>
constexpr bool is_same_member(A Aggregate::*a, B Aggregate::*b) {
  if constexpr (std::is_same_v<A, B>)
    return a == b;
  else
    return false;
}

/// Whether pointers to members of an aggregate name every one of them, each once.
template <class Aggregate, class... Types>
constexpr bool lists_all_members(Types Aggregate::*... members) {
  const auto times_listed = [=](auto member) {
    return (std::size_t{is_same_member(member, members)} + ...);
  };
  return sizeof...(Types) == member_count<Aggregate>() && ((times_listed(members) == 1) && ...);
}

/// The members of a struct of counts, each listed once; specialise it, and `+` and `*` follow.
template <class Counts>
inline constexpr std::nullptr_t members_of = nullptr;

template <class Counts>
concept AddsMembers = !std::is_same_v<decltype(members_of<Counts>), const std::nullptr_t>;

/// Counts{of(m)...} for each member m.
template <AddsMembers Counts, class Of>
constexpr Counts with_members(Of of) {
  static_assert(std::apply([](auto... members) { return lists_all_members(members...); },
                           members_of<Counts>));
  return std::apply([&](auto... members) { return Counts{of(members)...}; }, members_of<Counts>);
}

template <AddsMembers Counts>
constexpr Counts operator+(const Counts& a, const Counts& b) {
  return with_members<Counts>([&](auto member) { return a.*member + b.*member; });
}

template <AddsMembers Counts>
constexpr Counts operator*(std::uint64_t count, const Counts& each) {
  return with_members<Counts>([&](auto member) { return count * each.*member; });
}

}  // namespace fftprec
