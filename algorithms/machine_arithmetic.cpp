#include "algorithms/machine_arithmetic.hpp"

#include <algorithm>

#include "arith/error.hpp"
#include "arith/round.hpp"

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

template <class Real>
FactorView<Real> words_of(const FactorTable<Real>& table, std::size_t word) {
  return table.view(word * table.size, 0, 1);
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
void MachineArithmetic<Real>::store(ComplexArray<Real>& x) const {
  for (AlignedVector<Real>* part : {&x.re, &x.im})
    for (Real& value : *part)
      value = static_cast<Real>(round(static_cast<double>(value), mode_.storage, Rounding::rne));
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
void MachineArithmetic<Real>::gemm(View<Real> out, View<Real> x, const Table& w) const {
  if (gemm_.engine == Engine::vector) {
    for (std::size_t i = 0; i < out.rows; ++i) {
      std::fill_n(out.re + i * out.stride, out.cols, Real(0));
      std::fill_n(out.im + i * out.stride, out.cols, Real(0));
    }
    kernels_.scheme.multiply_accumulate(out, x, w.view(0, out.cols, 1));
    return;
  }
  ComplexArray<Real> whole(x.rows * x.cols);
  for (std::size_t i = 0; i < x.rows; ++i) {
    std::copy_n(x.re + i * x.stride, x.cols, whole.re.data() + i * x.cols);
    std::copy_n(x.im + i * x.stride, x.cols, whole.im.data() + i * x.cols);
  }
  const Table data = into_words(std::move(whole), gemm_.words, gemm_.data_words);
  if (!gemm_.evict_each) {
    tensor_gemm(out, data, x.cols, w, gemm_.terms);
    return;
  }
  tensor_gemm(out, data, x.cols, w, gemm_.terms.first(1));
  ComplexArray<Real> term(out.rows * out.cols);
  const View<Real> evicted = view_of(term, out.rows, out.cols);
  for (std::size_t i = 1; i < gemm_.terms.size(); ++i) {
    tensor_gemm(evicted, data, x.cols, w, gemm_.terms.subspan(i, 1));
    kernels_.wide.add(out, constant(out), constant(evicted));
  }
}

/// Fills every PSUM tile of out, one after the other; all terms accumulate into the same tile.
template <class Real>
void MachineArithmetic<Real>::tensor_gemm(View<Real> out, const Table& x, std::size_t x_cols,
                                          const Table& w, std::span<const SplitTerm> terms) const {
  // On the host there is no tile: one chain over all k.
  const bool host = gemm_.engine == Engine::host;
  const std::size_t k_tile = host ? x_cols : machine_.k_tile;
  for (std::size_t row = 0; row < out.rows; row += machine_.m_tile)
    for (std::size_t col = 0; col < out.cols; col += machine_.n_tile)
      for (std::size_t k = 0; k < x_cols; k += k_tile) {
        Matmul<Real> call{};
        call.stationary_k = 1;
        call.stationary_m = x_cols;
        call.moving_stride = out.cols;
        call.psum_stride = out.stride;
        call.m = std::min(machine_.m_tile, out.rows - row);
        call.n = std::min(machine_.n_tile, out.cols - col);
        call.k = std::min(k_tile, x_cols - k);
        const auto real_matmul = [&](const Real* FactorView<Real>::*data,
                                     const Real* FactorView<Real>::*factor, bool negate, Real* psum,
                                     bool first) {
          call.negate = negate;
          call.psum = psum + row * out.stride + col;
          for (const SplitTerm& term : terms) {
            call.stationary = words_of(x, term.data).*data + row * x_cols + k;
            call.moving = words_of(w, term.factor).*factor + k * out.cols + col;
            call.accumulate = !first || &term != terms.data();
            kernels_.matmul(call);
          }
        };
        using Plane = FactorView<Real>;
        real_matmul(&Plane::re, &Plane::re, false, out.re, k == 0);
        real_matmul(&Plane::im, &Plane::im, true, out.re, false);
        real_matmul(&Plane::re, &Plane::im, false, out.im, k == 0);
        real_matmul(&Plane::im, &Plane::re, false, out.im, false);
      }
  if (!host && machine_.eviction != fp32)
    for (std::size_t i = 0; i < out.rows; ++i)
      for (Real* part : {out.re + i * out.stride, out.im + i * out.stride})
        for (std::size_t j = 0; j < out.cols; ++j)
          part[j] = static_cast<Real>(
              round(static_cast<double>(part[j]), machine_.eviction, Rounding::rne));
}

template class MachineArithmetic<float>;
template class MachineArithmetic<double>;

}  // namespace fftprec
