#include "reports/claims/claim.hpp"

#include <algorithm>
#include <utility>

#include "arith/support/error.hpp"

namespace fftprec {

namespace {

template <class Value>
struct Name {
  Value value;
  std::string_view name;
};

constexpr Name<Ruling> rulings[] = {{Ruling::reproduced, "reproduced"},
                                    {Ruling::explained, "explained"},
                                    {Ruling::refuted, "refuted"},
                                    {Ruling::undecidable, "undecidable"}};

constexpr Name<Role> roles[] = {{Role::figure, "figure"},
                                {Role::behaviour, "behaviour"},
                                {Role::cause, "cause"},
                                {Role::rival_cause, "rival_cause"}};

template <class Value>
std::string_view name_in(std::span<const Name<Value>> names, Value value) {
  return std::find_if(names.begin(), names.end(),
                      [value](const Name<Value>& each) { return each.value == value; })
      ->name;
}

template <class Value>
Value value_in(std::span<const Name<Value>> names, std::string_view kind, std::string_view name) {
  std::vector<std::string> known;
  for (const Name<Value>& each : names) {
    if (each.name == name) return each.value;
    known.emplace_back(each.name);
  }
  throw unknown_name(kind, name, known);
}

}  // namespace

std::string_view name_of(Ruling ruling) {
  return name_in(std::span<const Name<Ruling>>(rulings), ruling);
}

Ruling ruling_named(std::string_view name) {
  return value_in(std::span<const Name<Ruling>>(rulings), "verdict", name);
}

std::string_view name_of(Role role) { return name_in(std::span<const Name<Role>>(roles), role); }

Role role_named(std::string_view name) {
  return value_in(std::span<const Name<Role>>(roles), "role", name);
}

const ClaimCheck& check_named(const Claim& claim, std::string_view name) {
  std::vector<std::string> known;
  for (const ClaimCheck& check : claim.checks) {
    if (check.gate.name == name) return check;
    known.push_back(check.gate.name);
  }
  throw unknown_name("check", name, known);
}

void choose_seeds(Claim& claim, const SeedChoice& choice) {
  if (choice.seeds) claim.seeds = *choice.seeds;
  for (std::uint64_t& seed : claim.seeds) seed += choice.shift;
}

}  // namespace fftprec
