/// A case: one point of the grid that a sweep spans. Its names are strings here; a Session looks
/// each of them up once (session.hpp).
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>

namespace fftprec {

/// The axes, in the order of the CSV columns; the defaults are those of an axis not given.
struct Case {
  std::string transform = "fft";
  std::string algorithm = "radix2-dit";
  std::string mode = "fast";
  std::string machine = "trn";
  std::string tables = "exact";
  std::uint64_t n = 1024;   ///< transform length
  std::uint64_t batch = 1;  ///< transforms per call
  std::string input = "gaussian";
  std::uint64_t seed = 1;
  std::string store = "op";    ///< when data are rounded to the mode's format
  std::string scale = "none";  ///< by which powers of two data are scaled

  friend auto operator<=>(const Case&, const Case&) = default;  ///< the order of results.csv
};

/// The case as -a options that reproduce it: "-a transform=fft -a algorithm=radix2-dit ...". Axes
/// that came later, and with them the names of cases, are there where they are not at their
/// default.
std::string command_of(const Case& where);

/// `text` as one word of a POSIX shell: quoted only where it must be.
std::string shell_word(const std::string& text);

/// "x" and 16 hexadecimal digits: XXH3-64 of command_of. The letter keeps programs from reading a
/// number. Stable across versions and machines.
std::string case_id(const Case& where);

/// Whether the case_id begins with `text`, which may lack the letter, as ids of old files do.
bool id_begins(const Case& where, std::string_view text);

/// Everything that a plan depends on.
using PlanKey = std::tuple<std::string, std::string, std::string, std::string, std::string,
                           std::string, std::string, std::size_t, std::size_t>;

PlanKey plan_key(const Case& where, const std::string& transform, std::size_t batch);

/// What cases have in common that share tables: all but input, seed and batch.
PlanKey tables_key(const Case& where);

/// What decides a case's input and its truth: equal keys share both.
struct ProblemKey {
  std::string transform;
  std::uint64_t n;
  std::uint64_t batch;
  std::string input;
  std::uint64_t seed;

  friend auto operator<=>(const ProblemKey&, const ProblemKey&) = default;
};

ProblemKey problem_key(const Case& where);

}  // namespace fftprec
