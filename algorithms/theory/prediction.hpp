/// What can be said of a transform before it runs: worst case, expectation, cost.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <string_view>

#include "algorithms/theory/bounds.hpp"
#include "algorithms/theory/costs.hpp"
#include "algorithms/theory/expectation.hpp"

namespace fftprec {

/// Kernel calls, one after the other: matrix products that leave PSUM by themselves; butterflies,
/// sums and reorderings of data. Elementwise products with a table ride along with what comes next.
struct KernelCalls {
  std::uint64_t tensor = 0;
  std::uint64_t vector = 0;
  friend bool operator==(const KernelCalls&, const KernelCalls&) = default;
};

/// Of one stage, or of stages in series. Errors are relative to the 2-norm of the result.
struct Prediction {
  double bound = 0;  ///< worst case, a theorem
  /// Expected square of the error for random data (RMS model); NaN where there is no closed form.
  double variance = 0;
  double drift = 0;  ///< expected loss of size: every truncating accumulator shrinks the result
  double spared_variance = 0;  ///< the parts of both that real data spare the first stage
  double spared_drift = 0;
  double fine_variance = 0;  ///< the part that input of no more than fp32's bits spares it
  /// The part of `variance` by which tables give each output a factor of its own, whatever the
  /// data: transforms by the same tables have it in common.
  double shared_variance = 0;
  Cost cost{};
  KernelCalls calls{};
  std::size_t tables_met = 0;     ///< products with a table that the data pass through, one by one
  std::size_t table_entries = 0;  ///< of all tables together

  /// Which format the result is in.
  enum class Output {
    unchanged,  ///< that of the stage before
    storage,    ///< the storage format of the mode
    engine      ///< what a matrix product delivers
  } output = Output::unchanged;

  std::string_view theorem = "stages";  ///< the name of `bound` in results

  /// The expected error for fp32 input, if there is a closed form: losses of size all point the
  /// same way, the rest does not.
  std::optional<double> expected() const {
    const double square = variance - fine_variance + drift * drift;
    if (std::isnan(square)) return std::nullopt;
    return std::sqrt(std::max(square, 0.0));
  }

  /// This stage, then `next` on its result: bounds compose, variances, drifts and costs add.
  Prediction then(const Prediction& next) const {
    Prediction result = *this;
    result.bound = compose(bound, next.bound);
    result.variance += next.variance;
    result.shared_variance += next.shared_variance;
    if (variance == 0 && tables_met == 0) {
      result.spared_variance = next.spared_variance;
      result.spared_drift = next.spared_drift;
      result.fine_variance = next.fine_variance;
    }
    result.drift += next.drift;
    result.cost = cost + next.cost;
    result.calls = {calls.tensor + next.calls.tensor, calls.vector + next.calls.vector};
    result.tables_met += next.tables_met;
    result.table_entries += next.table_entries;
    if (next.output != Output::unchanged) result.output = next.output;
    return result;
  }

  /// This and `other` on two orthogonal parts of the data, that of `other` with `share` of the
  /// energy: ||e||^2 = ||e_1||^2 + ||e_2||^2 <= max(b_1, b_2)^2 ||y||^2.
  Prediction beside(const Prediction& other, double share) const {
    Prediction result = *this;
    result.bound = std::max(bound, other.bound);
    result.variance = (1 - share) * variance + share * other.variance;
    result.shared_variance = (1 - share) * shared_variance + share * other.shared_variance;
    result.spared_variance = (1 - share) * spared_variance + share * other.spared_variance;
    result.spared_drift = (1 - share) * spared_drift + share * other.spared_drift;
    result.drift = (1 - share) * drift + share * other.drift;
    result.fine_variance = (1 - share) * fine_variance + share * other.fine_variance;
    result.cost = cost + other.cost;
    result.calls = {std::max(calls.tensor, other.calls.tensor),
                    std::max(calls.vector, other.calls.vector)};
    result.tables_met = std::max(tables_met, other.tables_met);
    result.table_entries += other.table_entries;
    if (output == Output::unchanged) result.output = other.output;
    return result;
  }

  /// For real data. Only sums of products with zeros differ much: those of a first stage that is a
  /// matrix product.
  Prediction from_real() const {
    Prediction result = *this;
    result.variance -= spared_variance;
    result.drift -= spared_drift;
    result.spared_variance = result.spared_drift = 0;
    return result;
  }

  /// For Hermitian data, so that the exact result is real, with the imaginary part of the computed
  /// one dropped: the expected error keeps the share that has the direction of the data. In the
  /// intermediate results of an FFT, which are real up to a known phase, a rounding of both parts
  /// has (cos^4 + sin^4) of its square along that phase, 3/4 in the mean; of what table entries are
  /// off by that depends on the phases of these errors, so where they are most of the error nothing
  /// is expected. A transform by a single
  /// matrix adds conjugate pairs of terms, and the errors of its table, of words left out and of
  /// rounded data come in such pairs and stay; of the roundings of its sums a part is dropped.
  Prediction to_real() const {
    Prediction result = *this;
    const double kept = tables_met <= 1 ? 0.9 : 0.75;
    result.variance *= kept;
    if (tables_met > 1 && shared_variance > variance / 2) result.variance = unknown;
    result.fine_variance *= kept;
    result.spared_variance = result.spared_drift = 0;
    return result;
  }
};

/// The format of a result. Requires: some stage wrote it.
Format output_format(const Prediction& prediction, const ResolvedArithmetic& arithmetic);

}  // namespace fftprec
