#include "experiments/cases/case_ids.hpp"

#include <string_view>
#include <utility>

#include "algorithms/arithmetic/modes.hpp"
#include "experiments/support/hash.hpp"

namespace fftprec {

namespace {

/// The case as -a options, cut in two where the number of its seed stands.
struct Options {
  std::string before;
  std::string after;
};

void add_option(std::string& options, std::string_view axis, const std::string& value) {
  options += " -a ";
  options += shell_word(std::string(axis) + "=" + value);
}

/// With this name of its mode, and of each later axis the name at `name`.
Options options_around_seed(const SharedCase& where, const std::string& mode,
                            std::string_view LaterAxis::*name) {
  Options options;
  add_option(options.before, "transform", where.transform());
  add_option(options.before, "algorithm", where.algorithm());
  add_option(options.before, "mode", mode);
  add_option(options.before, "machine", where.machine());
  add_option(options.before, "tables", where.tables());
  add_option(options.before, "n", std::to_string(where.n()));
  add_option(options.before, "batch", std::to_string(where.batch()));
  add_option(options.before, "input", where.input());
  add_option(options.before, "seed", "");
  options.before.erase(0, 1);
  static const Case defaults;
  for (const LaterAxis& axis : later_axes)
    if (const std::string& value = where.get(axis.value); value != defaults.*axis.value)
      add_option(options.after, axis.*name, value);
  return options;
}

Options options_of_id(const SharedCase& where) {
  return options_around_seed(where, trnfft_mode(where.mode()), &LaterAxis::first_name);
}

std::string with_seed(const Options& options, const SharedCase& where) {
  return options.before + std::to_string(where.seed()) + options.after;
}

}  // namespace

std::string command_of(const SharedCase& where, const std::string& seeds) {
  const Options options = options_around_seed(where, shown_mode(where.mode()), &LaterAxis::name);
  return options.before + seeds + options.after;
}

std::string command_of(const SharedCase& where) {
  return command_of(where, std::to_string(where.seed()));
}

std::string case_id(const SharedCase& where) {
  return "x" + text_hash(with_seed(options_of_id(where), where));
}

const std::string& CaseIds::id_of(const SharedCase& where) {
  if (before_.empty() || !where.shares_names(last_) || where.batch() != last_.batch()) {
    Options options = options_of_id(where);
    before_ = std::move(options.before);
    after_ = std::move(options.after);
    last_ = where;
  }
  command_ = before_;
  command_ += std::to_string(where.seed());
  command_ += after_;
  id_ = "x";
  id_ += text_hash(command_);
  return id_;
}

}  // namespace fftprec
