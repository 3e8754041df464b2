/// The error of a stage, or of stages together: terms, each listed once in error_model.cpp with the
/// rules by which it composes.
#pragma once

#include <cmath>
#include <cstddef>
#include <optional>
#include <string_view>

#include "algorithms/arithmetic/arithmetic_spec.hpp"
#include "algorithms/theory/costs.hpp"
#include "algorithms/theory/roundings.hpp"

namespace fftprec {

/// Properties of an input for which a share of the error vanishes.
enum class InputKind {
  real,
  padded,  ///< zero at the end, as the predictor was told
  exact_in_fp32,
  stored,  ///< in the storage format already
};

/// The error model of one stage, or of stages in series. A member without its line in
/// error_model.cpp does not compile. Relative errors are shares of the 2-norm of the result.
/// Absolute errors do not depend on the size of data: all roundings of fixed point, elsewhere
/// roundings of values below the normal numbers, of which only the worst case counts.
struct ErrorModel {
  ErrorBound bound{};  ///< relative worst case, a theorem, and its random part
  /// E ||error||^2 / ||result||^2 for random data (RMS model), less bias^2; NaN where there is no
  /// closed form.
  double variance = 0;
  double bias = 0;  ///< relative loss of size, expected: truncating accumulators shrink the result

  // The share of variance or bias that vanishes if the input of the first stage is of that kind.
  double variance_unless_real = 0;
  double bias_unless_real = 0;
  double variance_unless_fp32 = 0;
  double variance_unless_padded = 0;
  double variance_unless_stored = 0;

  double sums_variance = 0;  ///< share of `variance` from the sums of butterflies
  /// Share of `variance` from tables that multiplies each output by its own factor, whatever the
  /// data. Transforms with equal tables have equal factors.
  double shared_variance = 0;
  double imaginary_variance = 0;  ///< share lost with the imaginary part of a real result
  /// Share of `variance` that each result has in proportion to its own square, not to their mean.
  double local_variance = 0;
  /// Loss of size by tables in fp64, whose mean square is part of `variance`.
  double fp64_loss = 0;
  double spread = 1;  ///< how many results an error of the input of the stages reaches
  /// Whether `bound` also holds for each result alone, relative to the sum of the moduli of what it
  /// sums: |error_k| <= bound sum_j |w_kj x_j|.
  bool elementwise = true;

  bool is_stored = false;     ///< the result is in the storage format
  bool mixes_phases = false;  ///< intermediate values of Hermitian data are not real up to a phase
  bool multiplies_matrices = false;  ///< some stage is a matrix product
  bool sums_products = false;        ///< some stage adds up several products by one call
  bool is_mirrored = true;           ///< real data leave conjugate errors in elements k and -k
  /// Square of the factor by which the stages scale the result; a power of two where radices are.
  double scale_square = 1;

  double growth = 1;  ///< of the mean square of an element, or of an error's; NaN: not known
  double absolute_variance = 0;  ///< E |error of an element|^2 less the square of its mean
  double absolute_bias = 0;      ///< expected loss of size of a part, in units of its RMS
  double absolute_bound = 0;     ///< worst case of the RMS error of an element

  // In fixed point, of data of modulus 1 at most: the largest modulus, and its absolute error.
  double result_range = 1;
  double result_error = 0;
  double peak_range = 1;  ///< of any value on the way
  double peak_error = 0;

  Cost cost{};
  KernelCalls calls{};
  std::size_t tables_met = 0;     ///< products with a table in the path of the data
  std::size_t table_entries = 0;  ///< of all tables together

  /// The format of the result.
  enum class Output {
    unchanged,  ///< the format of the stage before
    storage,    ///< the storage format of the mode
    engine      ///< the output format of a matrix product
  } output = Output::unchanged;

  std::string_view theorem = "stages";  ///< the name of `bound` in results

  double scale() const { return std::sqrt(scale_square); }

  /// Sets the absolute errors of a stage that rounds both parts of a share of the elements `times`
  /// times: one result, or every product of a sum. Each rounding errs by `once`. An error that
  /// moves normal data outwards has the component sqrt(2/pi) along the data; for r pairs of
  /// products by factors of modulus 1 it is 4/pi sqrt r times larger. The rest is variance.
  void round_parts(const AbsoluteErrors& once, double times = 1, double share = 1);

  /// The expected relative error, sqrt(variance + bias^2), if there is a closed form.
  std::optional<double> expected() const;

  /// This stage, then `next` on its result.
  ErrorModel compose(const ErrorModel& next) const;

  /// This and `other` on two orthogonal parts of the data; the part of `other` has `share` of the
  /// energy: ||e||^2 = ||e_1||^2 + ||e_2||^2 <= max(b_1, b_2)^2 ||y||^2.
  ErrorModel mix(const ErrorModel& other, double share) const;

  /// The model without the shares that vanish for an input of that kind.
  ErrorModel given(InputKind input) const;
  ErrorModel from_real() const { return given(InputKind::real); }
  ErrorModel from_padded() const;

  /// The model for Hermitian data, whose exact result is real, where the imaginary part of the
  /// computed result is dropped: the expected error keeps its share in the direction of the data.
  /// Intermediate results of an FFT are real up to a known phase; a rounding of both parts has
  /// (cos^4 + sin^4) of its square along that phase, 3/4 in the mean. Results between two chirps
  /// are not, and half of their errors is real. For errors of table entries the share depends on
  /// their phases, so nothing is expected where they are most of the error. For a transform by a
  /// single matrix the dropped part is known.
  ErrorModel to_real() const;
};

/// The format of a result. Requires: some stage wrote it.
Format output_format(const ErrorModel& model, const ArithmeticSpec& arithmetic);

}  // namespace fftprec
