/// The formats that tables are tested in, and their rounding by MPFR's own rules.
#pragma once

#include <array>

#include "arith/formats/format.hpp"
#include "tests/support/mpfr_judge.hpp"

namespace fftprec::testing {

inline constexpr std::array table_formats{bf16, fp16, tf32, fp32, fp64, fp8_e4m3, fp8_e5m2};

/// Also widths at which a double-double's leading part is often a tie, or the answer itself, and
/// where parts are subnormal or flushed.
inline constexpr std::array all_kinds_of_formats{bf16,
                                                 fp16,
                                                 tf32,
                                                 fp32,
                                                 fp64,
                                                 fp8_e4m3,
                                                 Format{1, -14, 15},
                                                 Format{50, -1022, 1023},
                                                 Format{51, -1022, 1023},
                                                 Format{52, -1022, 1023},
                                                 Format{53, -9, 15},
                                                 Format{52, -3, 15},
                                                 Format{11, -9, 15, false}};

/// x rounded to the format by mpfr_set and mpfr_subnormalize; a zero is +0.
inline double round_by_mpfr(mpfr_srcptr x, const Format& format) {
  Wide rounded(format.precision);
  const int ternary = mpfr_set(rounded.get(), x, MPFR_RNDN);
  const MpfrRange range(format.emin - format.precision + 2, format.emax + 1);
  mpfr_subnormalize(rounded.get(), mpfr_check_range(rounded.get(), ternary, MPFR_RNDN), MPFR_RNDN);
  return mpfr_get_d(rounded.get(), MPFR_RNDN) + 0.0;
}

}  // namespace fftprec::testing
