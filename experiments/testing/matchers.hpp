/// GoogleTest matchers that judge an FFT by its certified transform:
///
///     EXPECT_THAT(y, fftprec::IsFftOf(x).within("err_l2_rel", 2e-7));
///     EXPECT_THAT(y, fftprec::IsTransformOf("rfft", x).of_length(256).within("err_linf_rel",
///     1e-6)); EXPECT_THAT(y, fftprec::IsFftOf(x).within_bound_of("algorithm=stockham-r2,
///     machine=ieee"));
///
/// They need no header of GoogleTest: it knows a matcher by its members.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "experiments/cases/measured_limit.hpp"
#include "experiments/testing/signal.hpp"

namespace fftprec {

/// Matches the transform of the input: all items of the batch one after the other, of the right
/// size, finite, with every limit held. Each of the functions gives a matcher with one more demand.
///
/// What is wrong with the output fails the match and is explained: metric, value, limit, the worst
/// element, the bits that are correct, the certified bits of the truth. What is wrong with the
/// question throws InputError, so that it fails a negated match too: an unknown name, an input of
/// another size or with a NaN, no limit at all, a bound that does not exist.
class IsTransformOf {
 public:
  using is_gtest_matcher = void;

  /// `transform` as in `fftprec list transforms`, with its keys.
  IsTransformOf(std::string transform, Signal input);

  /// The length of one item; the batch follows. Default: one item that is the whole input.
  IsTransformOf of_length(std::uint64_t n) const;
  /// The format whose steps the ulp metrics count; default that of the output's type.
  IsTransformOf in_format(const Format& format) const;
  /// A metric of `fftprec list metrics` and the most it may be.
  IsTransformOf within(std::string_view metric, double largest) const;
  /// err_l2_rel at most the worst case that is proven for this case ("algorithm=radix2-dit,
  /// mode=fast"; axes as in claimed_case) at this transform, length and input.
  IsTransformOf within_bound_of(const std::string& axes) const;

  template <class Output>
  bool MatchAndExplain(const Output& output, std::ostream* explanation) const {
    return judge(Signal(output), explanation);
  }
  void DescribeTo(std::ostream* out) const;
  void DescribeNegationTo(std::ostream* out) const;

 private:
  bool judge(const Signal& output, std::ostream* explanation) const;
  std::string described() const;

  std::string transform_;
  std::shared_ptr<const Signal> input_;
  std::uint64_t n_ = 0;
  std::optional<Format> format_{};
  std::vector<MeasuredLimit> limits_{};
  std::vector<std::string> bounds_{};
};

/// The same for the transform fft.
class IsFftOf : public IsTransformOf {
 public:
  explicit IsFftOf(Signal input) : IsTransformOf("fft", std::move(input)) {}
};

}  // namespace fftprec
