#include "experiments/cases/case.hpp"

#include <algorithm>
#include <string_view>
#include <tuple>

namespace fftprec {

std::string shell_word(const std::string& text) {
  const auto plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("_@%+=:,./-").find(c) != std::string_view::npos;
  };
  if (std::ranges::all_of(text, plain)) return text;
  std::string word = "'";
  for (const char c : text) word += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return word + "'";
}

namespace {

/// A case whose batch and seed are its own and whose other axes it may share.
struct CaseAxes {
  const Case& names;
  std::uint64_t batch;
  std::uint64_t seed;

  auto first_axes() const {
    return std::tie(names.transform, names.algorithm, names.mode, names.machine, names.tables,
                    names.n, batch, names.input, seed);
  }
};

/// As Case orders them.
std::strong_ordering operator<=>(const CaseAxes& a, const CaseAxes& b) {
  std::strong_ordering order = a.first_axes() <=> b.first_axes();
  for (std::size_t i = 0; order == 0 && i < later_axes.size(); ++i)
    order = a.names.*later_axes[i].value <=> b.names.*later_axes[i].value;
  return order;
}

}  // namespace

bool same_names(const Case& a, const Case& b) {
  return CaseAxes{a, 0, 0} <=> CaseAxes{b, 0, 0} == 0;
}

const Case& SharedCase::names() const {
  static const Case defaults;
  return names_ ? *names_ : defaults;
}

SharedCase::operator Case() const {
  Case where = names();
  where.batch = batch_;
  where.seed = seed_;
  return where;
}

std::uint64_t SharedCase::get(std::uint64_t Case::*field) const {
  if (field == &Case::batch) return batch_;
  return field == &Case::seed ? seed_ : names().*field;
}

Case& SharedCase::own_names() {
  if (names_.use_count() != 1) names_ = std::make_shared<Case>(names());
  return *names_;
}

void SharedCase::set(std::string Case::*field, std::string_view value) {
  if (get(field) != value) own_names().*field = value;
}

void SharedCase::set(std::uint64_t Case::*field, std::uint64_t value) {
  if (field == &Case::batch)
    batch_ = value;
  else if (field == &Case::seed)
    seed_ = value;
  else if (get(field) != value)
    own_names().*field = value;
}

SharedCase NamePool::shared(SharedCase where) {
  const std::uint64_t batch = where.batch(), seed = where.seed();
  if (!where.shares_names(last_)) {
    where.set(&Case::batch, Case{}.batch);
    where.set(&Case::seed, Case{}.seed);
    last_ = *known_.insert(std::move(where)).first;
  }
  SharedCase result = last_;
  result.set(&Case::batch, batch);
  result.set(&Case::seed, seed);
  return result;
}

std::strong_ordering operator<=>(const SharedCase& a, const SharedCase& b) {
  if (a.names_ == b.names_) return std::tie(a.batch_, a.seed_) <=> std::tie(b.batch_, b.seed_);
  return CaseAxes{a.names(), a.batch_, a.seed_} <=> CaseAxes{b.names(), b.batch_, b.seed_};
}

bool id_begins(const SharedCase& where, std::string_view text) {
  const std::string id = case_id(where);
  return id.starts_with(text) || std::string_view(id).substr(1).starts_with(text);
}

Case plan_key(Case where) {
  const Case defaults;
  where.batch = defaults.batch;
  where.input = defaults.input;
  where.seed = defaults.seed;
  return where;
}

ProblemKey problem_key(const Case& where) {
  return {where.transform, where.n, where.batch, where.input, where.seed};
}

}  // namespace fftprec
