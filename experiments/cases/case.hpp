/// A case: one point of the grid of a sweep. Its names are strings here; a Session looks each of
/// them up once (session.hpp). Plans and rows share names (SharedCase).
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>

namespace fftprec {

/// The axes, in the order of the CSV columns, with their defaults.
struct Case {
  std::string transform = "fft";
  std::string algorithm = "radix2-dit";
  std::string mode = "fp32";
  std::string machine = "trn";
  std::string tables = "exact";
  std::uint64_t n = 1024;   ///< transform length
  std::uint64_t batch = 1;  ///< transforms per call
  std::string input = "gaussian";
  std::uint64_t seed = 1;
  std::string rounding_points = "op";  ///< when data are rounded to the mode's format
  std::string scale = "none";          ///< by which powers of two data are scaled

  friend auto operator<=>(const Case&, const Case&) = default;  ///< the order of results.csv
};

/// An axis that came after the names of cases: commands, ids and labels leave it out where it has
/// its default.
struct LaterAxis {
  std::string_view name;        ///< of its column
  std::string_view first_name;  ///< of which the ids of cases are made
  std::string Case::*value;

  bool is_default(const Case& where) const { return where.*value == Case{}.*value; }
};

/// In the order of Case, at its end.
inline constexpr std::array later_axes = {
    LaterAxis{"rounding_points", "store", &Case::rounding_points},
    LaterAxis{"scale", "scale", &Case::scale}};

/// Those of transform to seed, and the later ones.
inline constexpr std::size_t axis_count = 9 + later_axes.size();

/// Whether the cases differ at most in batch and seed.
bool same_names(const Case& a, const Case& b);

/// A case whose names are shared: plans and rows that differ only in batch and seed point to the
/// same names. Cheap to copy.
class SharedCase {
 public:
  SharedCase() = default;  ///< the default case
  SharedCase(const Case& where)
      : names_(std::make_shared<Case>(where)), batch_(where.batch), seed_(where.seed) {}
  /// Takes names and n from `names`, and ignores its batch and seed.
  SharedCase(std::shared_ptr<Case> names, std::uint64_t batch, std::uint64_t seed)
      : names_(std::move(names)), batch_(batch), seed_(seed) {}

  const std::string& transform() const { return names().transform; }
  const std::string& algorithm() const { return names().algorithm; }
  const std::string& mode() const { return names().mode; }
  const std::string& machine() const { return names().machine; }
  const std::string& tables() const { return names().tables; }
  std::uint64_t n() const { return names().n; }
  std::uint64_t batch() const { return batch_; }
  const std::string& input() const { return names().input; }
  std::uint64_t seed() const { return seed_; }
  const std::string& rounding_points() const { return names().rounding_points; }
  const std::string& scale() const { return names().scale; }

  operator Case() const;

  /// By the fields of Case.
  const std::string& get(std::string Case::*field) const { return names().*field; }
  std::uint64_t get(std::uint64_t Case::*field) const;
  /// Copies the names first if they are shared and would change.
  void set(std::string Case::*field, std::string_view value);
  void set(std::uint64_t Case::*field, std::uint64_t value);

  /// Whether both point to the same names.
  bool shares_names(const SharedCase& other) const { return names_ == other.names_; }
  /// Equal for cases that point to the same names; null for the default names.
  const void* names_key() const { return names_.get(); }

  friend std::strong_ordering operator<=>(const SharedCase& a, const SharedCase& b);
  friend bool operator==(const SharedCase& a, const SharedCase& b) { return (a <=> b) == 0; }
  friend std::strong_ordering operator<=>(const SharedCase& a, const Case& b) {
    return a <=> SharedCase(b);
  }
  friend bool operator==(const SharedCase& a, const Case& b) { return a == SharedCase(b); }

 private:
  const Case& names() const;
  Case& own_names();

  std::shared_ptr<Case> names_{};  ///< null: the default names
  std::uint64_t batch_ = Case{}.batch;
  std::uint64_t seed_ = Case{}.seed;
};

/// Makes cases with equal names share them.
class NamePool {
 public:
  SharedCase shared(SharedCase where);

 private:
  std::set<SharedCase> known_;  ///< of batch 1 and seed 1
  SharedCase last_;
};

/// The case as -a options that reproduce it: "-a transform=fft -a algorithm=radix2-dit ...". Later
/// axes appear only if they are not at their default, so that the ids of older cases stay.
std::string command_of(const SharedCase& where);
inline std::string command_of(const Case& where) { return command_of(SharedCase(where)); }
/// With other seeds: "1..10".
std::string command_of(const SharedCase& where, const std::string& seeds);

/// `text` as one word of a POSIX shell: quoted only where it must be.
std::string shell_word(const std::string& text);

/// "x" and 16 hexadecimal digits: XXH3-64 of command_of with the first names of mode and axes.
/// Stable across versions and machines. The letter keeps programs from reading a number.
std::string case_id(const SharedCase& where);
inline std::string case_id(const Case& where) { return case_id(SharedCase(where)); }

/// Whether the case_id begins with `text`. The letter may be missing, as in ids of old files.
bool id_begins(const SharedCase& where, std::string_view text);

/// What decides the tables of a case: all but batch, input and seed, which are as in every key.
Case plan_key(Case where);

/// The parts of a case that determine its input and its truth.
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
