#include "experiments/cases/resolved_case.hpp"

#include "experiments/tables/tables.hpp"
#include "experiments/tables/windows.hpp"

namespace fftprec {

Resolved resolve(const Case& where) {
  return {transform_named(where.transform),
          algorithm_named(where.algorithm),
          resolve(mode_named(where.mode), machine_named(where.machine)),
          {table_source(where.tables), window_source(where.tables)}};
}

std::string inapplicable(const Case& where, const Resolved& resolved) {
  const TransformEntry& transform = resolved.transform;
  const AlgorithmEntry& algorithm = resolved.algorithm;
  const bool is_fft = algorithm.kind == AlgorithmKind::fft;
  if (!(is_fft ? transform.takes_fft : algorithm.name == transform.kernel)) {
    std::string means = transform.takes_fft ? "an FFT" : "";
    if (!transform.kernel.empty())
      means += (means.empty() ? "algorithm " : " or algorithm ") + transform.kernel;
    return where.transform + " is carried out by " + means + ", not by " + where.algorithm;
  }
  if (resolved.arithmetic.refinement_steps > 0 && transform.inverse.empty())
    return where.transform + " has no inverse, and mode " + where.mode + " refines by it";
  if (resolved.arithmetic.refinement_steps > 0 && !transform.unrefined.empty())
    return transform.unrefined;
  if (std::string reason = algorithm.inapplicable(resolved.arithmetic.mode, where.tables);
      !reason.empty())
    return reason;
  return transform.unsupported(algorithm, where.n);
}

ResolvedArithmetic residual_arithmetic(const ResolvedArithmetic& arithmetic) {
  if (!arithmetic.accurate_residual) return arithmetic;
  return resolve(mode_named("fast"), arithmetic.machine, arithmetic.faults);
}

}  // namespace fftprec
