/// Functions of the C library that theory calls, by MPFR, each rounded once. musl's own differ from
/// glibc's in the last bit of some values, and so would expected errors and bounds.
#include <mpfr.h>

namespace {

struct Number {
  explicit Number(double x) {
    mpfr_init2(value, 53);
    mpfr_set_d(value, x, MPFR_RNDN);
  }
  ~Number() { mpfr_clear(value); }
  mpfr_t value;
};

double of_one(int (*function)(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t), double x) {
  Number number(x);
  function(number.value, number.value, MPFR_RNDN);
  return mpfr_get_d(number.value, MPFR_RNDN);
}

double of_two(int (*function)(mpfr_ptr, mpfr_srcptr, mpfr_srcptr, mpfr_rnd_t), double x, double y) {
  Number first(x);
  const Number second(y);
  function(first.value, first.value, second.value, MPFR_RNDN);
  return mpfr_get_d(first.value, MPFR_RNDN);
}

}  // namespace

extern "C" {

double cos(double x) { return of_one(mpfr_cos, x); }
double sin(double x) { return of_one(mpfr_sin, x); }
double exp(double x) { return of_one(mpfr_exp, x); }
double exp2(double x) { return of_one(mpfr_exp2, x); }
double expm1(double x) { return of_one(mpfr_expm1, x); }
double log(double x) { return of_one(mpfr_log, x); }
double log2(double x) { return of_one(mpfr_log2, x); }
double log1p(double x) { return of_one(mpfr_log1p, x); }
double erf(double x) { return of_one(mpfr_erf, x); }
double erfc(double x) { return of_one(mpfr_erfc, x); }
double pow(double x, double y) { return of_two(mpfr_pow, x, y); }
double hypot(double x, double y) { return of_two(mpfr_hypot, x, y); }

}  // extern "C"
