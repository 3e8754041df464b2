/// The distribution of a stream of errors in one pass: what statistics over seeds keep instead of
/// rows.
///
/// Sums are exact integers and bins are counts, so that summaries of parts of a stream merge in any
/// order to the same bits.
#pragma once

#include <boost/multiprecision/cpp_int.hpp>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fftprec {

/// A number that is only known to be from `low` to `high`.
struct Enclosure {
  double low;
  double high;
  bool operator==(const Enclosure&) const = default;
};

/// An error and the seed of its case.
struct SeededError {
  double error;
  std::uint64_t seed;
  bool operator==(const SeededError&) const = default;
};

/// Summary of errors >= 0. Infinite errors and NaN, of which it only keeps the number, count as
/// larger than all others.
class ErrorSummary {
 public:
  /// Bins of an octave: bin i holds [2^(i/64), 2^((i+1)/64)), 1.1 % wide.
  static constexpr int bins_per_octave = 64;

  /// Throws InputError for a negative error.
  void add(double error, std::uint64_t seed);
  void merge(const ErrorSummary& other);

  std::uint64_t count() const { return count_; }
  std::uint64_t infinite() const { return infinite_; }

  /// The first of the seeds with the largest error, infinite for NaN. Empty without errors.
  std::optional<SeededError> largest() const { return largest_; }

  /// Correctly rounded from exact sums. Infinite if an error is; NaN without errors.
  double mean() const;
  /// sqrt(sum (x - mean)^2 / (count - 1)), correctly rounded from exact sums. NaN for fewer than
  /// two errors, or if one is infinite.
  double deviation() const;
  /// The mean of errors of this distribution, with probability `confidence`, by Student's
  /// distribution: mean +- t deviation / sqrt(count), from 0 on. Holds for sums of many errors, or
  /// normal ones. From 0 to infinity for fewer than two errors.
  Enclosure mean_interval(double confidence) const;

  /// The smallest error x such that at least `per_mille` thousandths of all errors are at most x:
  /// a bin, cut at the smallest and largest error. Requires: 0 < per_mille <= 1000, count() > 0.
  Enclosure quantile(unsigned per_mille) const;
  /// That quantile of the distribution from which the errors are drawn, with probability
  /// `confidence` at least: between two errors whose ranks follow from the binomial distribution.
  /// Starts at 0 or ends at infinity where the errors are too few. Requires as above.
  Enclosure quantile_interval(unsigned per_mille, double confidence) const;

  struct Share {
    double error;
    std::uint64_t errors;  ///< how many of all are at least `error`
  };
  /// For the smallest error, every start of a bin above it and the largest finite error, ascending.
  /// Exact but for the largest error, which counts once. Empty without a finite error.
  std::vector<Share> tail() const;

  /// How many errors are above x, those of its bin counted in unless all are at most x.
  std::uint64_t above(double x) const;

  /// One line without commas and quotes; equal summaries give equal texts.
  std::string to_text() const;
  /// The inverse of to_text. Throws InputError for any other text.
  static ErrorSummary from_text(std::string_view text);

  bool operator==(const ErrorSummary&) const = default;

 private:
  using Integer = boost::multiprecision::cpp_int;

  /// The bin of the error of that rank, from 1 on.
  Enclosure at_rank(std::uint64_t rank) const;

  std::uint64_t count_ = 0;
  std::uint64_t infinite_ = 0;
  std::uint64_t zeros_ = 0;
  double smallest_ = std::numeric_limits<double>::infinity();  ///< of the finite errors
  double largest_finite_ = 0;
  std::optional<SeededError> largest_;
  Integer sum_;                        ///< of the finite errors, in units of 2^-1074
  Integer squares_;                    ///< of their squares, in units of 2^-2148
  std::map<int, std::uint64_t> bins_;  ///< of finite errors above 0
};

/// The ranks, from 1 on, of the order statistics between which the quantile p lies with probability
/// `confidence` at least: at most (1 - confidence) / 2 is lost on each side. `low` is 0 and `high`
/// count + 1 where no error is far enough out. Source: David, Nagaraja, Order Statistics, 3rd ed.
/// (2003), section 7.1.
struct QuantileRanks {
  std::uint64_t low;
  std::uint64_t high;
};
QuantileRanks quantile_ranks(std::uint64_t count, double p, double confidence);

}  // namespace fftprec
