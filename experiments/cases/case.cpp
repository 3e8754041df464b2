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

std::string command_of(const Case& where) {
  std::string command;
  const auto add = [&command](std::string_view axis, const std::string& value) {
    command += command.empty() ? "-a " : " -a ";
    command += shell_word(std::string(axis) + "=" + value);
  };
  add("transform", where.transform);
  add("algorithm", where.algorithm);
  add("mode", where.mode);
  add("machine", where.machine);
  add("tables", where.tables);
  add("n", std::to_string(where.n));
  add("batch", std::to_string(where.batch));
  add("input", where.input);
  add("seed", std::to_string(where.seed));
  if (where.store != Case{}.store) add("store", where.store);
  if (where.scale != Case{}.scale) add("scale", where.scale);
  return command;
}

std::string case_id(const Case& where) { return "x" + text_hash(command_of(where)); }

bool id_begins(const Case& where, std::string_view text) {
  const std::string id = case_id(where);
  return id.starts_with(text) || std::string_view(id).substr(1).starts_with(text);
}

PlanKey plan_key(const Case& where, const std::string& transform, std::size_t batch) {
  return {transform,   where.algorithm, where.mode, where.machine, where.tables,
          where.store, where.scale,     where.n,    batch};
}

PlanKey tables_key(const Case& where) { return plan_key(where, where.transform, 0); }

ProblemKey problem_key(const Case& where) {
  return {where.transform, where.n, where.batch, where.input, where.seed};
}

}  // namespace fftprec
