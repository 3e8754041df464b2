#include <memory>
#include <vector>

#include "arith/formats/round.hpp"
#include "arith/kernels/round_array.hpp"
#include "tests/exhaustive/sweep.hpp"
#include "tests/support/mpfr_judge.hpp"
#include "tests/support/same_value.hpp"

namespace fftprec::exhaustive {

namespace {

/// A NaN's sign and the payload bits that the format holds, quiet; the rest of the float is zero.
float expected_nan(std::uint32_t bits, int precision) {
  const std::uint32_t kept = ~((1u << (24 - precision)) - 1);
  return __builtin_bit_cast(float, (bits & kept) | 0x7fc00000u);
}

bool same_bits(float a, float b) {
  return __builtin_bit_cast(std::uint32_t, a) == __builtin_bit_cast(std::uint32_t, b);
}

class FloatCheck {
 public:
  explicit FloatCheck(const Format& format) : format_(format), result_(format.precision) {}

  Outcome operator()(std::uint32_t chunk) {
    constexpr std::uint32_t size = 1u << 16;
    std::vector<float> in(size);
    for (std::uint32_t i = 0; i < size; ++i) in[i] = __builtin_bit_cast(float, (chunk << 16) | i);
    std::vector<float> rounded(size);
    round_array(in, rounded, format_, Rounding::rne);

    Outcome outcome;
    for (std::uint32_t i = 0; i < size; ++i) {
      const float truth = truth_of(in[i]);
      const auto scalar = static_cast<float>(round(in[i], format_, Rounding::rne));
      bool right = same_bits(rounded[i], truth) && same_bits(scalar, truth);
      if (format_ == bf16) {
        right = right && same_bits(leading_word<bf16>(in[i]), truth);
        if (in[i] == in[i]) right = right && same_bits(round_to_bf16(in[i]), truth);
      }
      ++outcome.cases;
      if (!right && outcome.failures++ == 0)
        outcome.first_failure = testing::show(in[i]) + ": got " + testing::show(scalar) +
                                ", in an array " + testing::show(rounded[i]) + ", truth " +
                                testing::show(truth);
    }
    return outcome;
  }

 private:
  float truth_of(float x) {
    if (x != x) return expected_nan(__builtin_bit_cast(std::uint32_t, x), format_.precision);
    int ternary = mpfr_set_flt(result_.get(), x, MPFR_RNDN);
    const testing::MpfrRange range(format_.emin - format_.precision + 2, format_.emax + 1);
    ternary = mpfr_check_range(result_.get(), ternary, MPFR_RNDN);
    mpfr_subnormalize(result_.get(), ternary, MPFR_RNDN);
    return mpfr_get_flt(result_.get(), MPFR_RNDN);
  }

  Format format_;
  testing::Wide result_;
};

}  // namespace

Outcome floats(const std::string& format, const Options& options) {
  const Format target = format_named(format);
  return sweep("floats to " + format, options, [target]() -> CheckChunk {
    auto check = std::make_shared<FloatCheck>(target);
    return [check](std::uint32_t chunk) { return (*check)(chunk); };
  });
}

}  // namespace fftprec::exhaustive
