/// What a rounding should have given, by MPFR: the judge of arith, which shares nothing with it but
/// the numbers of a Format.
///
/// Two judges that know nothing of each other. `Judge` works out the exact value, cuts it at the
/// format's last place and looks at the rest: every rounding, every format. `IeeeJudge` lets MPFR
/// itself round to the format's precision and exponent range: rne, rz, ru and rd of formats with
/// subnormals and infinities.
#pragma once

#include <mpfr.h>

#include <cmath>
#include <cstdint>
#include <limits>

#include "arith/formats/format.hpp"

namespace fftprec::testing {

/// An MPFR number that frees itself.
class Wide {
 public:
  explicit Wide(mpfr_prec_t precision, double value = 0) {
    mpfr_init2(number_, precision);
    mpfr_set_d(number_, value, MPFR_RNDN);
  }
  Wide(const Wide& other) {
    mpfr_init2(number_, mpfr_get_prec(other.number_));
    mpfr_set(number_, other.number_, MPFR_RNDN);
  }
  Wide& operator=(const Wide&) = delete;
  ~Wide() { mpfr_clear(number_); }

  mpfr_ptr get() { return number_; }
  mpfr_srcptr get() const { return number_; }

 private:
  mpfr_t number_;
};

/// cos and sin of 2 pi k/order, from an angle of as many bits: multiples of a quarter turn are off
/// by pi's rounding.
struct Turn {
  Wide cos, sin;
};
inline Turn turn(std::uint64_t k, std::uint64_t order, mpfr_prec_t bits) {
  Turn result{Wide(bits), Wide(bits)};
  Wide angle(bits);
  mpfr_const_pi(angle.get(), MPFR_RNDN);
  mpfr_mul_ui(angle.get(), angle.get(), k, MPFR_RNDN);
  mpfr_mul_2ui(angle.get(), angle.get(), 1, MPFR_RNDN);
  mpfr_div_ui(angle.get(), angle.get(), order, MPFR_RNDN);
  mpfr_sin_cos(result.sin.get(), result.cos.get(), angle.get(), MPFR_RNDN);
  return result;
}

/// All roundings but the stochastic one.
inline constexpr Rounding deterministic[] = {Rounding::rne, Rounding::rna, Rounding::rz,
                                             Rounding::ru,  Rounding::rd,  Rounding::odd};

enum class Operation { identity, add, subtract, multiply, divide, square_root, fused };

inline const char* name_of(Operation operation) {
  constexpr const char* names[] = {"round", "+", "-", "*", "/", "sqrt", "fma"};
  return names[static_cast<int>(operation)];
}

/// Operations on doubles in MPFR.
class Evaluator {
 public:
  /// result <- the operation (operands beyond its arity do not count), rounded by MPFR.
  /// Returns the ternary value: the sign of rounded - exact.
  int operator()(mpfr_ptr result, Operation operation, double a, double b, double c,
                 mpfr_rnd_t rounding) {
    mpfr_set_d(a_.get(), a, MPFR_RNDN);
    if (operation == Operation::identity) return mpfr_set(result, a_.get(), rounding);
    if (operation == Operation::square_root) return mpfr_sqrt(result, a_.get(), rounding);
    mpfr_set_d(b_.get(), b, MPFR_RNDN);
    if (operation == Operation::add) return mpfr_add(result, a_.get(), b_.get(), rounding);
    if (operation == Operation::subtract) return mpfr_sub(result, a_.get(), b_.get(), rounding);
    if (operation == Operation::multiply) return mpfr_mul(result, a_.get(), b_.get(), rounding);
    if (operation == Operation::divide) return mpfr_div(result, a_.get(), b_.get(), rounding);
    mpfr_set_d(c_.get(), c, MPFR_RNDN);
    return mpfr_fma(result, a_.get(), b_.get(), c_.get(), rounding);
  }

 private:
  Wide a_{53};
  Wide b_{53};
  Wide c_{53};
};

/// The judge by exact comparison.
class Judge {
 public:
  /// `bits` must hold every sum, product and fma that will be asked for exactly; quotients and
  /// roots need 64 more than the format.
  Judge(const Format& format, mpfr_prec_t bits)
      : format_(format), exact_(bits), scaled_(bits), kept_(bits) {}

  /// The operation's exact result, rounded once.
  double operator()(Operation operation, Rounding rounding, double a, double b = 0, double c = 0) {
    const int ternary = evaluate_(exact_.get(), operation, a, b, c, MPFR_RNDZ);
    if (mpfr_nan_p(exact_.get())) return std::numeric_limits<double>::quiet_NaN();
    const bool negative = mpfr_signbit(exact_.get()) != 0;
    if (mpfr_inf_p(exact_.get())) return with_sign(infinity_becomes(), negative);
    if (mpfr_zero_p(exact_.get())) {
      if (rounding == Rounding::rd) evaluate_(exact_.get(), operation, a, b, c, MPFR_RNDD);
      return mpfr_get_d(exact_.get(), MPFR_RNDN);
    }

    const long unit = last_place();
    mpfr_abs(scaled_.get(), exact_.get(), MPFR_RNDN);
    mpfr_mul_2si(scaled_.get(), scaled_.get(), -unit, MPFR_RNDN);
    mpfr_rint_trunc(kept_.get(), scaled_.get(), MPFR_RNDN);
    const bool odd = (mpfr_get_ui(kept_.get(), MPFR_RNDN) & 1) != 0;
    mpfr_sub(scaled_.get(), scaled_.get(), kept_.get(), MPFR_RNDN);
    const bool beyond = ternary != 0;  // the exact value is a little larger than the rest shows
    const int half = mpfr_cmp_d(scaled_.get(), 0.5);
    const bool inexact = beyond || !mpfr_zero_p(scaled_.get());
    if (away(rounding, half, beyond, inexact, odd, negative))
      mpfr_add_ui(kept_.get(), kept_.get(), 1, MPFR_RNDN);
    mpfr_mul_2si(kept_.get(), kept_.get(), unit, MPFR_RNDN);
    const double magnitude = mpfr_get_d(kept_.get(), MPFR_RNDZ);
    if (mpfr_cmp_d(kept_.get(), largest()) <= 0) return with_sign(magnitude, negative);
    const bool goes_away = rounding == Rounding::rne || rounding == Rounding::rna ||
                           rounding == (negative ? Rounding::rd : Rounding::ru);
    return with_sign(goes_away ? infinity_becomes() : largest(), negative);
  }

 private:
  static double with_sign(double magnitude, bool negative) {
    return negative ? -magnitude : magnitude;
  }

  static bool away(Rounding rounding, int half, bool beyond, bool inexact, bool odd,
                   bool negative) {
    switch (rounding) {
      case Rounding::rne:
        return half > 0 || (half == 0 && (beyond || odd));
      case Rounding::rna:
        return half >= 0;
      case Rounding::ru:
        return inexact && !negative;
      case Rounding::rd:
        return inexact && negative;
      case Rounding::odd:
        return inexact && !odd;
      default:
        return false;
    }
  }

  /// Exponent of the last place that the format keeps of exact_.
  long last_place() const {
    const long exponent = mpfr_get_exp(exact_.get()) - 1;
    if (exponent >= format_.emin) return exponent - format_.precision + 1;
    return format_.subnormals ? format_.emin - format_.precision + 1 : format_.emin;
  }

  double largest() const {
    const double ulps =
        std::ldexp(1.0, format_.precision) - 1 - (format_.overflow == Overflow::nan ? 1 : 0);
    return std::ldexp(ulps, format_.emax - format_.precision + 1);
  }

  double infinity_becomes() const {
    if (format_.overflow == Overflow::saturate) return largest();
    return format_.overflow == Overflow::nan ? std::numeric_limits<double>::quiet_NaN()
                                             : std::numeric_limits<double>::infinity();
  }

  Format format_;
  Evaluator evaluate_;
  Wide exact_;
  Wide scaled_;
  Wide kept_;
};

/// MPFR's exponent range for the calling thread, put back at the end.
class MpfrRange {
 public:
  MpfrRange(mpfr_exp_t emin, mpfr_exp_t emax) : emin_(mpfr_get_emin()), emax_(mpfr_get_emax()) {
    mpfr_set_emin(emin);
    mpfr_set_emax(emax);
  }
  MpfrRange(const MpfrRange&) = delete;
  MpfrRange& operator=(const MpfrRange&) = delete;
  ~MpfrRange() {
    mpfr_set_emin(emin_);
    mpfr_set_emax(emax_);
  }

 private:
  mpfr_exp_t emin_;
  mpfr_exp_t emax_;
};

/// The judge by MPFR's own rounding, emulating the format as the MPFR manual says
/// (mpfr_check_range, mpfr_subnormalize).
class IeeeJudge {
 public:
  explicit IeeeJudge(const Format& format) : format_(format), result_(format.precision) {}

  static bool knows(const Format& format) {
    return format.subnormals && format.overflow == Overflow::infinity;
  }
  static bool knows(Rounding rounding) {
    return rounding == Rounding::rne || rounding == Rounding::rz || rounding == Rounding::ru ||
           rounding == Rounding::rd;
  }

  double operator()(Operation operation, Rounding rounding, double a, double b = 0, double c = 0) {
    const mpfr_rnd_t mode = rounding == Rounding::rz   ? MPFR_RNDZ
                            : rounding == Rounding::ru ? MPFR_RNDU
                            : rounding == Rounding::rd ? MPFR_RNDD
                                                       : MPFR_RNDN;
    int ternary = evaluate_(result_.get(), operation, a, b, c, mode);
    const MpfrRange range(format_.emin - format_.precision + 2, format_.emax + 1);
    ternary = mpfr_check_range(result_.get(), ternary, mode);
    mpfr_subnormalize(result_.get(), ternary, mode);
    return mpfr_get_d(result_.get(), MPFR_RNDN);
  }

 private:
  Format format_;
  Evaluator evaluate_;
  Wide result_;
};

}  // namespace fftprec::testing
