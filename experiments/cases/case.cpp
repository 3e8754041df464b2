#include "experiments/cases/case.hpp"

#include <algorithm>
#include <string_view>

#include "experiments/support/hash.hpp"

namespace fftprec {

std::string shell_word(const std::string& text) {
  const auto plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("_@%+=:,./-").find(c) != std::string_view::npos;
  };
  if (std::all_of(text.begin(), text.end(), plain)) return text;
  std::string word = "'";
  for (const char c : text) word += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return word + "'";
}

bool same_names(const Case& a, const Case& b) {
  const auto names = [](const Case& where) {
    return std::tie(where.n, where.transform, where.algorithm, where.mode, where.machine,
                    where.tables, where.input, where.rounding_points, where.scale);
  };
  return names(a) == names(b);
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
  const auto order = [](const SharedCase& where) {
    const Case& names = where.names();
    return std::tie(names.transform, names.algorithm, names.mode, names.machine, names.tables,
                    names.n, where.batch_, names.input, where.seed_, names.rounding_points,
                    names.scale);
  };
  return order(a) <=> order(b);
}

std::string command_of(const SharedCase& where) {
  std::string command;
  const auto add = [&command](std::string_view axis, const std::string& value) {
    command += command.empty() ? "-a " : " -a ";
    command += shell_word(std::string(axis) + "=" + value);
  };
  add("transform", where.transform());
  add("algorithm", where.algorithm());
  add("mode", where.mode());
  add("machine", where.machine());
  add("tables", where.tables());
  add("n", std::to_string(where.n()));
  add("batch", std::to_string(where.batch()));
  add("input", where.input());
  add("seed", std::to_string(where.seed()));
  if (where.rounding_points() != Case{}.rounding_points) add("store", where.rounding_points());
  if (where.scale() != Case{}.scale) add("scale", where.scale());
  return command;
}

std::string case_id(const SharedCase& where) { return "x" + text_hash(command_of(where)); }

bool id_begins(const SharedCase& where, std::string_view text) {
  const std::string id = case_id(where);
  return id.starts_with(text) || std::string_view(id).substr(1).starts_with(text);
}

PlanKey plan_key(const Case& where) {
  return {where.transform, where.algorithm,       where.mode,  where.machine,
          where.tables,    where.rounding_points, where.scale, where.n};
}

ProblemKey problem_key(const Case& where) {
  return {where.transform, where.n, where.batch, where.input, where.seed};
}

}  // namespace fftprec
