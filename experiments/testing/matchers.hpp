/// GoogleTest matchers that judge an FFT by its certified transform:
///
///     EXPECT_THAT(y, fftprec::IsFftOf(x).within("err_l2_rel", 2e-7));
///     EXPECT_THAT(y, fftprec::IsTransformOf("rfft", x).of_length(256).within("err_linf_rel",
///     1e-6)); EXPECT_THAT(y, fftprec::IsFftOf(x).within_bound_of("algorithm=stockham-r2,
///     machine=ieee"));
///     EXPECT_THAT(y, fftprec::IsFftOf(x).within_expected(2));
///
/// They need no header of GoogleTest, which recognises a matcher by its members.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "experiments/cases/case_prediction.hpp"
#include "experiments/cases/measured_limit.hpp"
#include "experiments/testing/signal.hpp"

namespace fftprec {

/// Matches the transform of the input: all items of the batch one after the other, of the right
/// size, finite, within every limit. Each function returns a matcher with one more requirement.
///
/// An output that does not match is explained: metric, value, limit, the worst element, the correct
/// bits, the certified bits of the truth. Errors in the arguments throw InputError, so that a
/// negated match fails, too: an unknown name, an input of another size or with a NaN, no limit, a
/// bound that does not exist.
class IsTransformOf {
 public:
  using is_gtest_matcher = void;

  /// `transform` as in `fftprec list transforms`, with its keys.
  IsTransformOf(std::string transform, Signal input);

  /// The length of one item; the batch follows. Default: one item that is the whole input.
  IsTransformOf of_length(std::uint64_t n) const;
  /// The format of the ulp metrics; default: the type of the output.
  IsTransformOf in_format(const Format& format) const;
  /// A metric of `fftprec list metrics` and the most it may be.
  IsTransformOf within(std::string_view metric, double largest) const;
  /// err_l2_rel at most the proven bound of this case ("algorithm=radix2-dit, mode=fp32"; axes as
  /// in claimed_case) for this transform, length and input.
  IsTransformOf within_bound_of(const std::string& axes) const;
  /// err_l2_rel at most `factor` times the error that theory expects of this case (axes as above;
  /// if empty, usual_case for the type of the output) for noise-like input of this length: see
  /// theory_verdicts.
  IsTransformOf within_expected(double factor = expected_margin,
                                const std::string& axes = "") const;

  template <class Output>
  bool MatchAndExplain(const Output& output, std::ostream* explanation) const {
    return judge(Signal(output), explanation);
  }
  void DescribeTo(std::ostream* out) const;
  void DescribeNegationTo(std::ostream* out) const;

 private:
  /// What theory says of the case of `axes`: its bound if `factor` is empty, else its expected
  /// error times `factor`.
  struct TheoryLimit {
    std::string axes;
    std::optional<double> factor{};
  };

  IsTransformOf within_theory(TheoryLimit limit) const;
  bool judge(const Signal& output, std::ostream* explanation) const;
  std::string described() const;

  std::string transform_;
  std::shared_ptr<const Signal> input_;
  std::uint64_t n_ = 0;
  std::optional<Format> format_{};
  std::vector<MeasuredLimit> limits_{};
  std::vector<TheoryLimit> theory_limits_{};
};

/// IsTransformOf for the transform fft.
class IsFftOf : public IsTransformOf {
 public:
  explicit IsFftOf(Signal input) : IsTransformOf("fft", std::move(input)) {}
};

}  // namespace fftprec
