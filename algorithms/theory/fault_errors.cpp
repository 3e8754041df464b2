#include "algorithms/theory/fault_errors.hpp"

#include "algorithms/theory/bounds.hpp"
#include "algorithms/theory/expectation.hpp"

namespace fftprec {

namespace {

bool demotes(const ResolvedArithmetic& arithmetic, Demotion what) {
  return arithmetic.is_split() && arithmetic.faults.demotion == what;
}

double narrow_error(const ResolvedArithmetic& arithmetic) {
  return rounding_error(bf16, arithmetic.machine.casts);
}

}  // namespace

std::span<const SplitTerm> misread_terms(const GemmScheme& words,
                                         const ResolvedArithmetic& arithmetic) {
  if (!arithmetic.faults.misread || !words.evict_each() || !arithmetic.is_split()) return {};
  return std::span(words.terms).subspan(1);
}

double demoted_term_error(const ResolvedArithmetic& arithmetic) {
  const bool some = demotes(arithmetic, Demotion::terms) || demotes(arithmetic, Demotion::leading);
  return some ? narrow_error(arithmetic) : 0;
}

double demoted_sum_error(const ResolvedArithmetic& arithmetic) {
  return demotes(arithmetic, Demotion::sum) ? narrow_error(arithmetic) : 0;
}

double demotion_variance(const ResolvedArithmetic& arithmetic) {
  if (arithmetic.faults.demotion == Demotion::none || !arithmetic.is_split()) return 0;
  const double cast = arithmetic.machine.casts == Rounding::sr ? 2 : 1;
  return cast * value_variance(unit_roundoff(bf16));
}

}  // namespace fftprec
