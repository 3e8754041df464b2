#include "algorithms/machine_arithmetic.hpp"

#include <algorithm>
#include <cmath>

#include "arith/error.hpp"
#include "arith/round.hpp"
#include "arith/round_array.hpp"

namespace fftprec {

namespace {

template <class Real>
Real leading_word(Real x, Words words) {
  if constexpr (std::is_same_v<Real, float>) {
    if (words == Words::bf16_words) return leading_bf16(x);
    if (words == Words::slices12) return leading_slice12(x);
  }
  return x;
}

/// x rounded once (rne) to the format, in place.
template <class Real>
void round_rows(View<Real> x, const Format& format) {
  for (std::size_t i = 0; i < x.rows; ++i)
    for (Real* part : {x.re + i * x.stride, x.im + i * x.stride}) {
      const std::span<Real> row(part, x.cols);
      round_array(row, row, format, Rounding::rne);
    }
}

template <class Real>
void fill_zero(View<Real> x) {
  for (std::size_t i = 0; i < x.rows; ++i) {
    std::fill_n(x.re + i * x.stride, x.cols, Real(0));
    std::fill_n(x.im + i * x.stride, x.cols, Real(0));
  }
}

}  // namespace

template <class Real>
KernelSet<Real> kernel_set(const Mode& mode, const Machine& machine, Isa isa) {
  const GemmScheme gemm = gemm_scheme(mode, machine);
  return {complex_kernels<Real>(mode.product, machine, isa),
          complex_kernels<Real>(ProductScheme::plain, machine, isa),
          matmul_kernel<Real>(machine, gemm.wide_operands, isa)};
}

template KernelSet<float> kernel_set(const Mode&, const Machine&, Isa);
template KernelSet<double> kernel_set(const Mode&, const Machine&, Isa);

template <class Real>
MachineArithmetic<Real>::MachineArithmetic(const Mode& mode, const Machine& machine,
                                           KernelSet<Real> kernels)
    : mode_(mode), machine_(machine), gemm_(gemm_scheme(mode, machine)), kernels_(kernels) {
  require((on_host(mode)) == (std::is_same_v<Real, double>),
          "MachineArithmetic: the carrier of mode '" + std::string(mode.name) + "' is the other");
}

template <class Real>
ComplexArray<Real> MachineArithmetic<Real>::entries(const TableSpec& spec, const Format& format,
                                                    Direction direction,
                                                    const RootFunction& roots) const {
  ComplexArray<Real> table(spec.size);
  for (std::size_t i = 0; i < spec.size; ++i) {
    const RootIndex root = spec.index(i);
    const std::complex<double> value = roots(root.exponent, root.order, format);
    table.re[i] = static_cast<Real>(value.real());
    table.im[i] = static_cast<Real>(direction == Direction::forward ? value.imag() : -value.imag());
  }
  return table;
}

template <class Real>
auto MachineArithmetic<Real>::into_words(ComplexArray<Real> whole, Words words,
                                         std::size_t count) const -> Table {
  const std::size_t size = whole.size();
  if (words == Words::whole) return {std::move(whole), size};
  ComplexArray<Real> planes(count * size);
  for (std::size_t word = 0; word < count; ++word) {
    const std::size_t plane = word * size;
    const bool rest = words == Words::slices12 && word + 1 == count;
    const auto cut = [&](AlignedVector<Real>& from, AlignedVector<Real>& to) {
      for (std::size_t i = 0; i < size; ++i) {
        to[plane + i] = rest ? from[i] : leading_word(from[i], words);
        from[i] -= to[plane + i];
      }
    };
    cut(whole.re, planes.re);
    cut(whole.im, planes.im);
  }
  return {std::move(planes), size};
}

template <class Real>
ComplexArray<Real> MachineArithmetic<Real>::stored(const ComplexArray<double>& x) const {
  ComplexArray<Real> result(x.size());
  const auto put = [this](double value) {
    return static_cast<Real>(round(value, mode_.storage, Rounding::rne));
  };
  std::transform(x.re.begin(), x.re.end(), result.re.begin(), put);
  std::transform(x.im.begin(), x.im.end(), result.im.begin(), put);
  return result;
}

template <class Real>
void MachineArithmetic<Real>::store(View<Real> x) const {
  if (mode_.storage != (std::is_same_v<Real, double> ? fp64 : fp32)) round_rows(x, mode_.storage);
}

template <class Real>
void MachineArithmetic<Real>::rotated(View<Real> a, View<Real> b, Direction direction) const {
  // With the parts of both exchanged, a - i b becomes a + i b.
  if (direction == Direction::inverse) {
    std::swap(a.re, a.im);
    std::swap(b.re, b.im);
  }
  kernels_.scheme.sum_difference_rotated(a, b);
}

template <class Real>
auto MachineArithmetic<Real>::eighth_factor(const RootFunction& roots) const -> Table {
  ComplexArray<Real> cosine(1);
  cosine.re[0] = static_cast<Real>(roots(1, 8, mode_.table).real());
  return factors_of(std::move(cosine));
}

/// exp(-i pi/4) = c (1 - i) and exp(-3 i pi/4) = -i c (1 - i), c = cos pi/4; the factor -i costs
/// nothing: it exchanges the parts and one sign.
template <class Real>
void MachineArithmetic<Real>::multiply_eighth(View<Real> x, const Table& w, bool odd,
                                              Direction direction) const {
  const bool inverse = direction == Direction::inverse;
  kernels_.scheme.rotate_eighth(x, inverse);
  if (odd)
    for (std::size_t i = 0; i < x.rows; ++i) {
      Real* re = x.re + i * x.stride;
      Real* im = x.im + i * x.stride;
      for (std::size_t j = 0; j < x.cols; ++j) {
        const Real turned = inverse ? re[j] : -re[j];
        re[j] = inverse ? -im[j] : im[j];
        im[j] = turned;
      }
    }
  if (is_split(mode_))
    kernels_.scheme.multiply(x, w.view(0, 0, 0));
  else
    kernels_.scheme.scale(x, w.planes.re[0]);
}

template <class Real>
void MachineArithmetic<Real>::scale(View<Real> x, std::size_t divisor) const {
  const double factor = round(1.0 / static_cast<double>(divisor), mode_.storage, Rounding::rne);
  kernels_.scheme.scale(x, static_cast<Real>(factor));
}

template <class Real>
void MachineArithmetic<Real>::scale_product(View<Real> x, std::size_t divisor) const {
  kernels_.wide.scale(x, static_cast<Real>(1.0 / static_cast<double>(divisor)));
}

template <class Real>
auto MachineArithmetic<Real>::real_factors(const RealTable& table) const -> Table {
  const std::vector<double> values = table(mode_.table);
  ComplexArray<Real> factors(values.size());
  std::transform(values.begin(), values.end(), factors.re.begin(),
                 [](double value) { return static_cast<Real>(value); });
  return factors_of(std::move(factors));
}

/// Done in double, then rounded: as if once for p <= 24 bits, since 53 >= 2p + 2 (Figueroa 1995).
template <class Real>
void MachineArithmetic<Real>::modrelu(View<Real> x, const Real* bias) const {
  const auto fl = [this](double value) { return round(value, mode_.storage, Rounding::rne); };
  for (std::size_t i = 0; i < x.rows; ++i)
    for (std::size_t j = 0; j < x.cols; ++j) {
      Real& re = x.re[i * x.stride + j];
      Real& im = x.im[i * x.stride + j];
      const double a = re, b = im;
      const double modulus = fl(std::sqrt(fl(fl(a * a) + fl(b * b))));
      const double size = std::max(fl(modulus + bias[j]), 0.0);
      const double factor = modulus == 0 ? 0 : fl(size / modulus);
      re = static_cast<Real>(fl(factor * a));
      im = static_cast<Real>(fl(factor * b));
    }
}

template <class Real>
auto MachineArithmetic<Real>::data_words(View<Real> x) const -> Table {
  ComplexArray<Real> packed(x.rows * x.cols);
  for (std::size_t i = 0; i < x.rows; ++i) {
    std::copy_n(x.re + i * x.stride, x.cols, packed.re.data() + i * x.cols);
    std::copy_n(x.im + i * x.stride, x.cols, packed.im.data() + i * x.cols);
  }
  return into_words(std::move(packed), gemm_.words, gemm_.data_words);
}

/// out <- the sum of the scheme's terms, product(out, terms) forming those that share a PSUM.
template <class Real>
template <class Product>
void MachineArithmetic<Real>::sum_of_terms(View<Real> out, Product product) const {
  if (!gemm_.evict_each) return product(out, gemm_.terms);
  product(out, gemm_.terms.first(1));
  ComplexArray<Real> term(out.rows * out.cols);
  const View<Real> evicted = view_of(term, out.rows, out.cols);
  for (std::size_t i = 1; i < gemm_.terms.size(); ++i) {
    product(evicted, gemm_.terms.subspan(i, 1));
    kernels_.wide.add(out, constant(out), constant(evicted));
  }
}

template <class Real>
void MachineArithmetic<Real>::gemm(View<Real> out, View<Real> x, const Table& w) const {
  if (gemm_.engine == Engine::vector) {
    fill_zero(out);
    kernels_.scheme.multiply_accumulate(out, x, w.view(0, out.cols, 1));
    return;
  }
  Table words;
  Operand data{x.re, x.im, 0, 1, x.stride};
  if (gemm_.words != Words::whole) {
    words = data_words(x);
    data = {words.planes.re.data(), words.planes.im.data(), words.size, 1, x.cols};
  }
  const Operand table{w.planes.re.data(), w.planes.im.data(), w.size, out.cols, 1};
  sum_of_terms(out, [&](View<Real> sum, std::span<const SplitTerm> terms) {
    tensor_product(sum, data, table, false, x.cols, terms);
  });
}

template <class Real>
void MachineArithmetic<Real>::gemm_columns(View<Real> out, const Table& w, View<Real> x) const {
  if (gemm_.engine == Engine::vector) {
    fill_zero(out);
    kernels_.scheme.accumulate_columns(out, w.view(0, out.rows, 1), x);
    return;
  }
  Table words;
  Operand data{x.re, x.im, 0, x.stride, 1};
  if (gemm_.words != Words::whole) {
    words = data_words(x);
    data = {words.planes.re.data(), words.planes.im.data(), words.size, x.cols, 1};
  }
  const Operand table{w.planes.re.data(), w.planes.im.data(), w.size, out.rows, 1};
  sum_of_terms(out, [&](View<Real> sum, std::span<const SplitTerm> terms) {
    tensor_product(sum, table, data, true, x.rows, terms);
  });
}

/// Fills every PSUM tile of out, one after the other; all terms accumulate into the same tile.
template <class Real>
void MachineArithmetic<Real>::tensor_product(View<Real> out, const Operand& stationary,
                                             const Operand& moving, bool data_moves,
                                             std::size_t depth,
                                             std::span<const SplitTerm> terms) const {
  // On the host there is no tile: one chain over all k.
  const bool host = gemm_.engine == Engine::host;
  const std::size_t k_tile = host ? depth : machine_.k_tile;
  Matmul<Real> call{};
  call.stationary_k = stationary.k_step;
  call.stationary_m = stationary.free_step;
  call.moving_stride = moving.k_step;
  call.psum_stride = out.stride;
  for (std::size_t row = 0; row < out.rows; row += machine_.m_tile)
    for (std::size_t col = 0; col < out.cols; col += machine_.n_tile)
      for (std::size_t k = 0; k < depth; k += k_tile) {
        call.m = std::min(machine_.m_tile, out.rows - row);
        call.n = std::min(machine_.n_tile, out.cols - col);
        call.k = std::min(k_tile, depth - k);
        // `data` and `factor` name the part of x and of w; negating either gives the same product.
        using Part = const Real* Operand::*;
        const auto real_matmul = [&](Part data, Part factor, bool negate, Real* psum, bool first) {
          call.negate = negate;
          call.psum = psum + row * out.stride + col;
          for (const SplitTerm& term : terms) {
            const std::size_t still = data_moves ? term.factor : term.data;
            const std::size_t moved = data_moves ? term.data : term.factor;
            call.stationary = stationary.*(data_moves ? factor : data) + still * stationary.plane +
                              row * stationary.free_step + k * stationary.k_step;
            call.moving = moving.*(data_moves ? data : factor) + moved * moving.plane +
                          k * moving.k_step + col;
            call.accumulate = !first || &term != terms.data();
            kernels_.matmul(call);
          }
        };
        real_matmul(&Operand::re, &Operand::re, false, out.re, k == 0);
        real_matmul(&Operand::im, &Operand::im, true, out.re, false);
        real_matmul(&Operand::re, &Operand::im, false, out.im, k == 0);
        real_matmul(&Operand::im, &Operand::re, false, out.im, false);
      }
  if (!host && machine_.eviction != fp32) round_rows(out, machine_.eviction);
}

template class MachineArithmetic<float>;
template class MachineArithmetic<double>;

}  // namespace fftprec
