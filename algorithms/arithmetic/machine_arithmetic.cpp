#include "algorithms/arithmetic/machine_arithmetic.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "algorithms/arithmetic/shared_exponent.hpp"
#include "arith/accumulators/definition.hpp"
#include "arith/formats/round.hpp"
#include "arith/kernels/round_array.hpp"
#include "arith/support/error.hpp"
#include "arith/support/portable_math.hpp"

namespace fftprec {

namespace {

template <class Real>
constexpr bool is_native = std::is_same_v<Real, float> || std::is_same_v<Real, double>;

/// Parts that are beyond a fixed-point format by more than a rounding.
template <class Real>
std::uint64_t parts_beyond(const Format& format, Rounding rounding, View<Real> x) {
  const Edges<double> edges = edges_of(fixed_grid<double>(format), rounding);
  std::uint64_t beyond = 0;
  for (std::size_t i = 0; i < x.rows; ++i)
    for (const Real* part : {x.re + i * x.stride, x.im + i * x.stride})
      for (std::size_t j = 0; j < x.cols; ++j) beyond += edges.passed_by(part[j]);
  return beyond;
}

}  // namespace

template <class Real>
MachineArithmetic<Real>::MachineArithmetic(const ArithmeticSpec& resolved, KernelSet<Real> kernels)
    : shared_(std::make_shared<const Shared>(resolved, std::move(kernels))),
      resolved_(shared_->resolved),
      kernels_(shared_->kernels),
      gemm_(shared_->gemm),
      casts_elements_(
          resolved_.operation_format() != resolved_.wide() &&
          (resolved_.machine().casts != Rounding::rne ||
           (!kernels_.no_elements.empty() && resolved_.machine().vector == VectorEngine{}))) {
  require(resolved.type() == type_of<Real>,
          "MachineArithmetic: mode '" + resolved.mode() + "' has another type");
}

template <class Real>
auto MachineArithmetic<Real>::factors_of(ComplexArray<Real> values) const -> Table {
  const std::size_t size = values.size();
  if constexpr (std::is_same_v<Real, float>)
    if (resolved_.is_split()) {
      const OperandWords words = element_words(resolved_).factor();
      return {cut_into_words(values, {1, size, size, 1}, words, kernels_.isa).planes, size};
    }
  return {std::move(values), size};
}

template <class Real>
auto MachineArithmetic<Real>::matrix_of(ComplexArray<Real> values, std::size_t depth) const
    -> Table {
  if (resolved_.gemm().engine() != Engine::vector) return gemm_.matrix(std::move(values), depth);
  return factors_of(std::move(values));
}

template <class Real>
ComplexArray<Real> MachineArithmetic<Real>::stored(const ComplexArray<double>& x,
                                                   std::size_t line) const {
  ComplexArray<Real> result(x.size());
  if constexpr (std::is_same_v<Real, float>)
    if (const BlockFormat* format = resolved_.block_format(); format && x.size() > 0) {
      const BlockFormat& blocks = *format;
      const bool across = blocks.axis == BlockAxis::batch;
      const std::size_t n = line == 0 ? x.size() : line;
      const std::size_t batch = blocks.block == BlockFormat::whole_array ? 1 : x.size() / n;
      const std::size_t depth = across ? batch : x.size() / batch;
      const std::size_t k_step = across ? n : 1, free_step = across ? 1 : depth;
      for (const auto& [to, from] : {std::pair{&result.re, &x.re}, std::pair{&result.im, &x.im}})
        quantise_blocks(blocks, from->data(), depth, x.size() / depth, k_step, free_step,
                        to->data(), k_step, free_step);
      return result;
    }
  // Casts happen once, from what the host holds; to fp64 there is none.
  const Cast cast =
      resolved_.storage_format() == fp64 ? Cast{} : cast_of(resolved_.machine(), step_++);
  Format kept = resolved_.storage_format();
  if constexpr (is_native<Real>)
    if (!resolved_.counts_overflows() && !resolved_.scale().is_block()) {
      ComplexArray<double> rounded = x;
      round_rows(view_of(rounded, 1, x.size()), kept, cast, kernels_.isa);
      return converted<Real>(rounded);
    }
  if (resolved_.scale().is_block()) {
    if (!shares_exponents()) {
      ComplexArray<double> block = x;
      round_block(view_of(block, 1, x.size()), kept, cast, kernels_.isa);
      return converted<Real>(block);
    }
    const View<const double> all{x.re.data(), x.im.data(), 1, x.size(), x.size()};
    const int exponent = exponent_for(largest_part(all));
    if (trace_ != nullptr) trace_->note_exponent(exponent);
    kept = block_format(exponent);
  }
  const StorageLimits limits = resolved_.limits_of(kept);
  const auto put = [&](double value, std::uint64_t counter) {
    const bool is_lost = value < limits.low || value > limits.high;
    overflow_count_ += is_lost;
    if (is_lost && trace_ != nullptr)
      trace_->note_lost(
          {{{0, input_rounding}}, static_cast<std::size_t>(counter / 2), counter % 2 != 0, value});
    return static_cast<Real>(cast_to(value, kept, cast, counter));
  };
  for (std::size_t i = 0; i < x.size(); ++i) {
    result.re[i] = put(x.re[i], 2 * i);
    result.im[i] = put(x.im[i], 2 * i + 1);
  }
  return result;
}

template <class Real>
void MachineArithmetic<Real>::keep(View<Real> x) const {
  if constexpr (is_native<Real>)
    if (resolved_.scale().is_block()) {
      if (resolved_.counts_overflows()) overflow_count_ += parts_not_finite(constant(x));
      return round_block(x, resolved_.storage_format(), cast_of(resolved_.machine(), step_++),
                         kernels_.isa);
    }
  round_to(resolved_.storage_format(), x);
}

/// Straight where every row or every column of x is whole lines or whole blocks of them.
template <class Real>
void MachineArithmetic<Real>::keep_in_blocks(const BlockFormat& format, View<Real> x, std::size_t n,
                                             const Places& places) const {
  if constexpr (std::is_same_v<Real, float>) {
    const bool across = format.axis == BlockAxis::batch;
    const bool is_one = format.block == BlockFormat::whole_array;
    const std::size_t batch = std::max<std::size_t>(1, x.rows * x.cols / n);
    const std::size_t size = format.block_in(n, batch);
    const std::size_t line = is_one ? size : format.line_in(n, batch);
    const std::size_t step = across ? n : 1;
    const bool by_rows = places.col_step == step;
    const std::size_t depth = by_rows ? x.cols : x.rows;
    const std::size_t other = by_rows ? places.row_step : places.col_step;
    const bool has_blocks = !across && format.rule != ScaleRule::e4m3 && depth % size == 0 &&
                            n % size == 0 && places.first % size == 0 && other % size == 0;
    if ((by_rows || places.row_step == step) && places.group_rows >= x.rows &&
        (depth == line || has_blocks)) {
      const std::size_t k_step = by_rows ? 1 : x.stride, free_step = by_rows ? x.stride : 1;
      for (float* part : {x.re, x.im})
        quantise_blocks(format, part, depth, x.rows * x.cols / depth, k_step, free_step, part,
                        k_step, free_step);
      return;
    }
    const std::size_t blocks_per_line = (line + size - 1) / size;
    std::vector<std::uint32_t> block_of;
    block_of.reserve(x.rows * x.cols);
    for (std::size_t i = 0; i < x.rows; ++i)
      for (std::size_t j = 0; j < x.cols; ++j) {
        const std::size_t at = places(i, j);
        const std::size_t row = at / n - places.first / n, col = at % n;
        const std::size_t block =
            (across ? col : row) * blocks_per_line + (across ? row : col) / size;
        block_of.push_back(static_cast<std::uint32_t>(is_one ? 0 : block));
      }
    for (float* part : {x.re, x.im})
      quantise_blocks(format, part, x.rows, x.cols, x.stride, block_of, blocks_per_line);
  }
}

template <class Real>
FixedPoint MachineArithmetic<Real>::fixed() const {
  FixedPoint fixed = fixed_point(resolved_, step_++);
  if (trace_ != nullptr) fixed.lost = trace_->take_lost();
  if (shares_exponents()) {
    if (!exponent_)
      throw NotApplicable(
          "scale=block is for algorithms that say where their stages begin, and "
          "adds nothing outside of them");
    fixed.data = block_format(*exponent_);
  }
  return fixed;
}

template <class Real>
Format MachineArithmetic<Real>::block_format(int exponent) const {
  Format format = resolved_.storage_format();
  format.emin += exponent;
  format.emax += exponent;
  return format;
}

template <class Real>
int MachineArithmetic<Real>::exponent_for(double largest) const {
  if (!(largest > 0)) return 0;
  const int lowest = fp32.emin - quantum_exponent(resolved_.storage_format());
  const double ratio = largest / max_finite(resolved_.storage_format());
  const int exponent = std::ilogb(ratio);
  return std::max(ratio > std::ldexp(1.0, exponent) ? exponent + 1 : exponent, lowest);
}

template <class Real>
double MachineArithmetic<Real>::largest(FactorView<Real> w, View<Real> x) const {
  if (!shares_exponents() || exponent_) return 0;
  double factor = 0;
  if constexpr (!std::is_same_v<Real, FloatPair>)
    for (std::size_t i = 0; i < x.rows; ++i)
      for (std::size_t j = 0; j < x.cols; ++j) {
        const std::size_t at = i * w.row_step + j * w.col_step;
        const double re = static_cast<double>(w.re[at]);
        const double im = static_cast<double>(w.im[at]);
        factor = std::max(factor, portable::hypot(re, im));
      }
  return factor * largest_part(constant(x));
}

/// Each part of a sum of r products by roots is at most that of the first term, which takes no
/// product, and sqrt 2 times the largest part of each of the others.
template <class Real>
void MachineArithmetic<Real>::open_block(View<Real> x, std::size_t radix) const {
  const double growth = 1 + turned * static_cast<double>(radix - 1);
  exponent_ = exponent_for(growth * largest_part(constant(x)));
  if (trace_ != nullptr) trace_->note_exponent(*exponent_);
  if constexpr (is_native<Real>)
    round_rows(x, block_format(*exponent_), cast_of(resolved_.machine(), step_++), kernels_.isa);
}

template <class Real>
void MachineArithmetic<Real>::round_to(const Format& format, View<Real> x) const {
  if constexpr (is_native<Real>)
    if (format != resolved_.wide()) {
      if (resolved_.counts_overflows())
        overflow_count_ += parts_beyond(format, resolved_.machine().casts, x);
      round_rows(x, format, cast_of(resolved_.machine(), step_++), kernels_.isa);
    }
}

template <class Real>
void MachineArithmetic<Real>::rotated(View<Real> a, View<Real> b, Direction direction) const {
  // With the parts of both exchanged, a - i b becomes a + i b.
  if (direction == Direction::inverse) {
    std::swap(a.re, a.im);
    std::swap(b.re, b.im);
  }
  const auto forward = [](const auto& reference, auto... x) {
    reference.rotated(x..., Direction::forward);
  };
  element(&Kernels::sum_difference_rotated, &Fixed::sum_difference_rotated, forward, a, b);
}

template <class Real>
auto MachineArithmetic<Real>::eighth_factor(const RootFunction& roots) const -> Table {
  ComplexArray<Real> cosine(1);
  const TableSpec spec{1, [](std::size_t) { return RootIndex(1, 8); }, {0.125, 1}};
  cosine.re = root_entries<Real>(spec, resolved_.table_format(), Direction::forward, roots).re;
  return factors_of(std::move(cosine));
}

/// exp(-i pi/4) = c (1 - i) and exp(-3 i pi/4) = -i c (1 - i), c = cos pi/4.
template <class Real>
void MachineArithmetic<Real>::multiply_eighth(View<Real> x, const Table& w, bool odd,
                                              Direction direction) const {
  const auto add_turned = [&](const auto& reference, auto data, bool) {
    reference.add_turned(data, direction);
  };
  element(&Kernels::rotate_eighth, &Fixed::rotate_eighth, add_turned, x,
          direction == Direction::inverse);
  if (odd) turn(x, direction);
  if (resolved_.is_split())
    multiply(x, w.view(0, 0, 0));
  else
    element(
        &Kernels::scale, &Fixed::scale, [](const auto& by, auto... of) { by.multiply_real(of...); },
        x, w.planes.re[0]);
}

template <class Real>
void MachineArithmetic<Real>::fused(View<Real> x, View<Real> a, FactorView<Real> w) const {
  const bool plain = resolved_.product() == ProductScheme::plain;
  if constexpr (has_reference)
    if (plain && casts_elements_) return stored_by_reference().fused(x, a, w);
  if (!plain || kernels_.scheme.fused == nullptr)
    throw NotApplicable("mode " + resolved_.mode() + " on machine " + resolved_.machine().name +
                        " has no fused multiply-add that rounds once to nearest");
  kernels_.scheme.fused(x, a, w);
}

template <class Real>
void MachineArithmetic<Real>::scale_by(View<Real> x, double factor) const {
  exponent_.reset();
  const OwnBlock block(*this, shares_exponents() ? largest_part(constant(x)) * factor : 0);
  element(
      &Kernels::scale, &Fixed::scale, [](const auto& by, auto... of) { by.multiply_real(of...); },
      x, static_cast<Real>(stored_factor(resolved_, factor)));
}

template <class Real>
void MachineArithmetic<Real>::scale_product(View<Real> x, Dft dft, std::size_t n) const {
  if (kernels_.fixed) return scale(x, dft, n);
  if (resolved_.scale().divides_after(dft))
    kernels_.wide.scale(x, static_cast<Real>(resolved_.scale().after_stages(dft, n)));
}

template <class Real>
auto MachineArithmetic<Real>::real_factors(const RealTable& table) const -> Table {
  const std::vector<double> values = table(resolved_.table_format());
  ComplexArray<Real> factors(values.size());
  std::transform(values.begin(), values.end(), factors.re.begin(),
                 [](double value) { return static_cast<Real>(value); });
  return factors_of(std::move(factors));
}

/// Done in double, then rounded: as if once for p <= 24 bits, since 53 >= 2p + 2 (Figueroa 1995).
/// Number systems of more are rounded to odd first.
template <class Real>
void MachineArithmetic<Real>::modrelu(View<Real> x, const Real* bias) const {
  const Cast cast = cast_of(resolved_.machine(), step_++);
  std::uint64_t counter = 0;
  const auto fl = [&](double value) {
    return cast_to(value, resolved_.operation_format(), casts_elements_ ? cast : Cast{}, counter++);
  };
  const auto each = [&](auto zero) {
    using T = decltype(zero);
    const auto rounded = [&](T value) { return T(fl(static_cast<double>(value))); };
    for (std::size_t i = 0; i < x.rows; ++i)
      for (std::size_t j = 0; j < x.cols; ++j) {
        Real& re = x.re[i * x.stride + j];
        Real& im = x.im[i * x.stride + j];
        const Complex<T> result = ScalarArithmetic<T>::modrelu_of(
            {T(static_cast<double>(re)), T(static_cast<double>(im))},
            T(static_cast<double>(bias[j])), rounded);
        re = static_cast<Real>(static_cast<double>(result.re));
        im = static_cast<Real>(static_cast<double>(result.im));
      }
  };
  return resolved_.operation_format().system ? each(OddDouble(0)) : each(0.0);
}

template <class Real>
void MachineArithmetic<Real>::butterfly_dif(View<Real> a, View<Real> b, FactorView<Real> w) const {
  if (!decorates_data())
    return element(
        &Kernels::butterfly_dif, &Fixed::butterfly_dif,
        [](const auto& by, auto... of) { by.butterfly_dif(of...); }, a, b, w);
  sum_difference(a, b);
  multiply(b, w);
}

template <class Real>
void MachineArithmetic<Real>::on_vector(bool quire, View<Real> out, View<Real> x, const Table& w,
                                        bool data_moves) const {
  const FactorView<Real> table = w.view(0, data_moves ? out.rows : out.cols, 1);
  if (!quire) {
    fill_zero(out);
    return data_moves ? accumulate_columns(out, table, x) : accumulate(out, x, table);
  }
  if constexpr (is_native<Real>) {
    Quire re(width_of(resolved_.operation_format())), im(width_of(resolved_.operation_format()));
    const CastStores casts(cast_of(resolved_.machine(), step_++), resolved_.operation_format());
    const std::size_t depth = data_moves ? x.rows : x.cols;
    for (std::size_t i = 0; i < out.rows; ++i)
      for (std::size_t j = 0; j < out.cols; ++j) {
        re.clear();
        im.clear();
        for (std::size_t k = 0; k < depth; ++k) {
          const std::size_t at = data_moves ? k * x.stride + j : i * x.stride + k;
          const std::size_t of = k * table.row_step + (data_moves ? i : j) * table.col_step;
          re.add_product(x.re[at], table.re[of]);
          re.add_product(-x.im[at], table.im[of]);
          im.add_product(x.re[at], table.im[of]);
          im.add_product(x.im[at], table.re[of]);
        }
        CastStores store = casts.of_element(i * out.cols + j, 2);
        out.re[i * out.stride + j] = static_cast<Real>(store(OddDouble(re.to_odd())).value);
        out.im[i * out.stride + j] = static_cast<Real>(store(OddDouble(im.to_odd())).value);
      }
  }
}

template <class Real>
void MachineArithmetic<Real>::accumulate(View<Real> sum, View<Real> x, FactorView<Real> w) const {
  ComplexArray<Real> copy;
  element(
      &Kernels::multiply_accumulate, &Fixed::accumulate,
      [](const auto& by, auto... of) { by.accumulate(of...); }, sum, as_multiplied(x, copy), w);
}

template <class Real>
void MachineArithmetic<Real>::accumulate_columns(View<Real> sum, FactorView<Real> w,
                                                 View<Real> x) const {
  ComplexArray<Real> copy;
  element(
      &Kernels::accumulate_columns, &Fixed::accumulate_columns,
      [](const auto& by, auto... of) { by.accumulate_columns(of...); }, sum, w,
      as_multiplied(x, copy));
}

template <class Real>
View<Real> MachineArithmetic<Real>::as_multiplied(View<Real> x, ComplexArray<Real>& copy) const {
  if (!decorates_data()) return x;
  copy = packed(x);
  const View<Real> changed = view_of(copy, x.rows, x.cols);
  decorate(changed);
  return changed;
}

template class MachineArithmetic<float>;
template class MachineArithmetic<double>;
template class MachineArithmetic<FloatPair>;

}  // namespace fftprec
