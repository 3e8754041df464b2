/// run_cli as a test calls it: words in; exit code and both outputs back.
#pragma once

#include <optional>
#include <ostream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "reports/commands/cli.hpp"
#include "tests/support/fragments.hpp"
#include "tests/support/no_programs.hpp"

namespace fftprec::testing {

using Words = std::vector<std::string>;

struct Outcome {
  int code;
  std::string out;
  std::string err;
};

inline void PrintTo(const Outcome& outcome, std::ostream* to) {
  *to << "exit code " << outcome.code << "\n--- stdout\n"
      << outcome.out << "--- stderr\n"
      << outcome.err;
}

/// Matches an outcome by its exit code and by what its two outputs hold.
class Exits {
 public:
  using is_gtest_matcher = void;

  explicit Exits(int code) : code_(code) {}

  Exits out(Fragments fragments) const { return with(&Exits::out_, std::move(fragments)); }
  Exits err(Fragments fragments) const { return with(&Exits::err_, std::move(fragments)); }

  bool MatchAndExplain(const Outcome& outcome, std::ostream* why) const {
    if (why && outcome.code != code_) *why << "exits with " << outcome.code << "; ";
    const bool out_fits = out_.MatchAndExplain(outcome.out, why);
    const bool err_fits = err_.MatchAndExplain(outcome.err, why);
    return outcome.code == code_ && out_fits && err_fits;
  }
  void DescribeTo(std::ostream* to) const {
    *to << "exits with " << code_ << "; stdout ";
    out_.DescribeTo(to);
    *to << "; stderr ";
    err_.DescribeTo(to);
  }
  void DescribeNegationTo(std::ostream* to) const {
    *to << "not: ";
    DescribeTo(to);
  }

 private:
  Exits with(Fragments Exits::*output, Fragments fragments) const {
    Exits changed = *this;
    changed.*output = std::move(fragments);
    return changed;
  }

  int code_;
  Fragments out_ = holds();
  Fragments err_ = holds();
};

inline Exits exits(int code) { return Exits(code); }

/// A run converts no figures into images, which takes most of a small run's time; images are tested
/// where they are made.
inline Outcome run_line(Words words) {
  std::optional<NoPrograms> without_converter;
  if (!words.empty() && words[0] == "run") without_converter.emplace();
  words.insert(words.begin(), "fftprec");
  std::ostringstream out;
  std::ostringstream err;
  commands::Context context{out, err, std::move(words)};
  const int code = run_cli(context);
  return {code, out.str(), err.str()};
}

/// The words after `fftprec` of the first command that a text shows on a line of its own, as a
/// shell cuts them; none where it shows no command.
inline Words shown_command(const std::string& text) {
  const std::string program = "  fftprec ";
  const std::size_t at = text.find(program);
  if (at == std::string::npos) return {};
  const std::size_t start = at + program.size();
  std::string rest = text.substr(start, text.find('\n', start) - start) + " ";
  std::erase(rest, '\'');
  Words words;
  for (std::size_t space; (space = rest.find(' ')) != std::string::npos; rest.erase(0, space + 1))
    words.push_back(rest.substr(0, space));
  return words;
}

}  // namespace fftprec::testing
