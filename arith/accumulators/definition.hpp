/// The definition of an accumulator model, one column at a time. Every faster loop matches it bit
/// for bit. Also the quire of posit arithmetic, which sums products without rounding.
#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include "arith/accumulators/model.hpp"
#include "arith/formats/views.hpp"

namespace fftprec {

/// c plus the sum of a[k] * b[k], added by the model's rules; c itself if there are no products.
/// Requires: a model that validate() accepts; a and b on the grids of their operands, c on the grid
/// of model.format.
/// Throws InputError if a and b differ in length.
float dot(const AccumulatorModel& model, float c, std::span<const float> a,
          std::span<const float> b);

/// A column inside a matrix: `count` elements, `stride` apart.
struct OperandColumn {
  const float* first;
  std::size_t stride;
  std::size_t count;
};

/// As above, for columns of equal length; `negate` replaces a by -a.
float dot(const AccumulatorModel& model, float c, OperandColumn a, OperandColumn b, bool negate);

/// psum(i, j) (+)= the model's sum over k of stationary(k, i) * moving(k, j), with c the old psum,
/// or 0 without accumulate.
void sum_by_definition(const AccumulatorModel& model, const Matmul<float>& call);

/// The quire of posits: a fixed-point number of 16 times as many bits as a posit, including sign
/// and carries, in units of the smallest product, 2^(16 - 8 bits). It holds the sum of any 2^31
/// products of posits.
/// Source: Posit Standard (2022), section 3.3.
class Quire {
 public:
  /// Requires: 3 <= bits <= 32.
  explicit Quire(int bits);
  Quire(const Quire&) = delete;
  Quire& operator=(const Quire&) = delete;
  ~Quire();

  /// Adds a * b exactly. A NaN makes the sum NaN. Requires: posits of this width, or NaN.
  void add_product(double a, double b);
  /// The sum rounded to odd, so that rounding it to a posit is the only rounding.
  double to_odd() const;
  void clear();

 private:
  struct Sum;
  std::unique_ptr<Sum> sum_;
};

}  // namespace fftprec
