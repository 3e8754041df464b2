#include "algorithms/arithmetic/machine_gemm.hpp"

#include <algorithm>
#include <utility>

#include "algorithms/arithmetic/arithmetic.hpp"
#include "arith/formats/double_word.hpp"
#include "arith/splitting/slices.hpp"
#include "arith/support/error.hpp"

namespace fftprec {

namespace {

/// The shape of packed data: rows along k where the data move, else columns.
template <class Real>
WordShape shape_of(View<Real> x, bool data_moves) {
  return data_moves ? WordShape{x.rows, x.cols, x.cols, 1} : WordShape{x.cols, x.rows, 1, x.cols};
}

/// Bits of the integers that residues stand for. Throws NotApplicable where none are left, and
/// where the sums of residues overflow 32 bits.
int bits_of_residues(const ResolvedArithmetic& arithmetic, std::size_t depth) {
  constexpr std::size_t too_deep = std::size_t{1} << 16;
  const int bits = residue_bits(depth, arithmetic.gemm.moduli);
  if (bits < 1 || depth >= too_deep)
    throw NotApplicable("mode " + arithmetic.mode + ": a contraction of length " +
                        std::to_string(depth) +
                        (bits < 1 ? " needs more moduli" : " overflows its accumulator"));
  return bits;
}

/// The residues of a packed matrix of doubles; other carriers have none.
template <class Real>
std::shared_ptr<const ResidueMatrix> residues_of(const ComplexArray<Real>& x,
                                                 const WordShape& shape,
                                                 const ResolvedArithmetic& arithmetic) {
  if constexpr (std::is_same_v<Real, double>)
    return std::make_shared<const ResidueMatrix>(
        SliceSource{x.re.data(), x.im.data(), shape.k_step, shape.free_step}, shape.depth,
        shape.free, arithmetic.gemm.moduli, bits_of_residues(arithmetic, shape.depth));
  else
    return nullptr;
}

/// x times a power of two.
void scale_exactly(View<float> x, int exponent) {
  if (exponent == 0) return;
  const float factor = static_cast<float>(power_of_two(exponent));
  for (float* part : {x.re, x.im})
    for (std::size_t i = 0; i < x.rows; ++i)
      for (std::size_t j = 0; j < x.cols; ++j) part[i * x.stride + j] *= factor;
}

}  // namespace

template <class Real>
KernelSet<Real> kernel_set(const ResolvedArithmetic& arithmetic, Isa isa) {
  KernelSet<Real> set{};
  set.isa = isa;
  const Machine& machine = arithmetic.machine;
  const auto kernels = [&](const ElementScheme& scheme) {
    try {
      return complex_kernels<Real>(scheme, machine.vector, isa);
    } catch (const NotApplicable& reason) {
      throw NotApplicable(std::string(reason.what()) + " (machine " + machine.name + ")");
    }
  };
  set.wide = kernels(wide_scheme(arithmetic));
  if constexpr (!std::is_same_v<Real, FloatPair>)
    if (arithmetic.storage.is_fixed()) {
      set.fixed = fixed_kernels<Real>(isa);
      return set;
    }
  try {
    set.scheme = kernels(element_scheme(arithmetic));
  } catch (const NotApplicable& reason) {
    set.no_elements = reason.what();
  }
  if (!arithmetic.no_matrices.empty()) return set;
  const GemmScheme& gemm = arithmetic.gemm;
  if (gemm.engine == Engine::tensor) set.tensor = tensor_unit(machine, gemm.accumulate, isa);
  if (gemm.engine == Engine::host)
    set.host = host_matmul(machine.fp64_matmul == Fp64Matmul::fma, isa);
  return set;
}

template <>
KernelSet<Quad> kernel_set(const ResolvedArithmetic&, Isa isa) {
  return {.scheme = {}, .wide = {}, .fixed = fixed_kernels<Quad>(isa), .isa = isa};
}

template KernelSet<float> kernel_set(const ResolvedArithmetic&, Isa);
template KernelSet<double> kernel_set(const ResolvedArithmetic&, Isa);
template KernelSet<FloatPair> kernel_set(const ResolvedArithmetic&, Isa);

template <class Real>
auto MachineGemm<Real>::matrix(ComplexArray<Real> values, std::size_t depth) const -> Table {
  const GemmScheme& gemm = arithmetic_.matrices();
  const std::size_t size = values.size();
  const std::size_t columns = size / depth;
  const WordShape shape{depth, columns, columns, 1};
  if (gemm.engine == Engine::host) return {std::move(values), size};
  if (gemm.engine == Engine::integer)
    return {{}, size, {}, {}, residues_of(values, shape, arithmetic_)};
  CutWords words = cut_into_words(values, shape, factor_words(arithmetic_, depth), kernels_.isa);
  if constexpr (std::is_same_v<Real, float>)
    return {std::move(words.planes), size};
  else
    return {{}, size, std::move(words.planes), std::move(words.exponents), {}};
}

template <class Real>
void MachineGemm<Real>::multiply(View<Real> out, View<Real> x, const Table& w, bool data_moves,
                                 std::uint64_t& step) const {
  switch (arithmetic_.gemm.engine) {
    case Engine::vector:
      return on_vector(out, x, w, data_moves);
    case Engine::host:
      return on_host(out, x, w, data_moves);
    case Engine::integer:
      return on_integers(out, x, w, data_moves);
    case Engine::tensor:
      return on_tensor(out, x, w, data_moves, step);
  }
}

template <class Real>
void MachineGemm<Real>::on_vector(View<Real> out, View<Real> x, const Table& w,
                                  bool data_moves) const {
  if (!kernels_.no_elements.empty()) throw NotApplicable(kernels_.no_elements);
  fill_zero(out);
  if (data_moves)
    kernels_.scheme.accumulate_columns(out, w.view(0, out.rows, 1), x);
  else
    kernels_.scheme.multiply_accumulate(out, x, w.view(0, out.cols, 1));
}

template <class Real>
auto MachineGemm<Real>::sides_of(View<Real> x, const Table& w, bool data_moves) const -> Sides {
  const GemmScheme& gemm = arithmetic_.gemm;
  Sides sides{
      .shape = shape_of(x, data_moves), .table_exponents = w.exponents, .data_moves = data_moves};
  const WordShape& shape = sides.shape;
  const ComplexArray<float>* planes = nullptr;
  if constexpr (std::is_same_v<Real, float>) {
    planes = &w.planes;
    sides.data = {x.re, x.im, 0, data_moves ? x.stride : 1, data_moves ? 1 : x.stride};
  } else {
    planes = &w.words;
  }
  if (gemm.data.kind != WordKind::values || gemm.operands() != arithmetic_.storage) {
    sides.cut =
        cut_into_words(packed(x), shape, data_words(arithmetic_, shape.depth), kernels_.isa);
    sides.data = {sides.cut.planes.re.data(), sides.cut.planes.im.data(), shape.size(),
                  shape.k_step, shape.free_step};
  }
  sides.table = {planes->re.data(), planes->im.data(), w.size, w.size / shape.depth, 1};
  return sides;
}

template <class Real>
void MachineGemm<Real>::on_tensor(View<Real> out, View<Real> x, const Table& w, bool data_moves,
                                  std::uint64_t& step) const {
  const Sides sides = sides_of(x, w, data_moves);
  if (arithmetic_.gemm.evict_each()) return sum_of_terms(out, sides, step);
  if constexpr (std::is_same_v<Real, float>)
    TensorProduct(arithmetic_.machine, kernels_.tensor, kernels_.isa)
        .run(out, sides.stationary(), sides.moving(), data_moves, {0, sides.shape.depth},
             arithmetic_.gemm.terms, step++);
}

template <class Real>
void MachineGemm<Real>::evict(View<float> term, const Sides& sides, SplitTerm which,
                              TensorProduct::Depth stretch, std::uint64_t& step) const {
  TensorProduct(arithmetic_.machine, kernels_.tensor, kernels_.isa)
      .run(term, sides.stationary(), sides.moving(), sides.data_moves, stretch, {&which, 1},
           step++);
  if (arithmetic_.gemm.checked) require_exact(term, sides, stretch, which);
  scale_exactly(term, -arithmetic_.gemm.data.scale * static_cast<int>(which.factor + which.data));
}

template <class Real>
void MachineGemm<Real>::sum_of_terms(View<Real> out, const Sides& sides,
                                     std::uint64_t& step) const {
  ComplexArray<float> array(out.rows * out.cols);
  const View<float> term = view_of(array, out.rows, out.cols);
  const std::vector<TensorProduct::Depth> evicted = stretches(arithmetic_, sides.shape.depth);
  bool is_first = true;
  for (const SplitTerm& which : arithmetic_.gemm.terms) {
    const Units units = units_of(sides, which);
    for (const TensorProduct::Depth& stretch : evicted) {
      evict(term, sides, which, stretch, step);
      add_term(out, term, units, is_first);
      is_first = false;
    }
  }
}

template <class Real>
void MachineGemm<Real>::require_exact(View<float> term, const Sides& sides,
                                      TensorProduct::Depth stretch, SplitTerm which) const {
  if (const std::optional<std::string> wrong =
          inexact_psum(term, sides.stationary(), sides.moving(), sides.data_moves, stretch, which))
    throw InputError("mode " + arithmetic_.mode + " on machine " + arithmetic_.machine.name + ": " +
                     *wrong);
}

template <class Real>
auto MachineGemm<Real>::units_of(const Sides& sides, SplitTerm which) const -> Units {
  if (arithmetic_.gemm.data.kind != WordKind::slices) return {};
  const SliceBits bits = slice_bits(arithmetic_, sides.shape.depth);
  std::vector<double> data(sides.cut.exponents.size());
  std::vector<double> table(sides.table_exponents.size());
  slice_units(sides.cut.exponents.data(), data.size(), which.data, bits.data, data.data());
  slice_units(sides.table_exponents.data(), table.size(), which.factor, bits.factor, table.data());
  if (sides.data_moves) std::swap(data, table);
  return {std::move(data), std::move(table)};
}

template <class Real>
void MachineGemm<Real>::add_term(View<Real> out, View<float> term, const Units& units,
                                 bool is_first) const {
  if constexpr (std::is_same_v<Real, float>) {
    if (!is_first) return kernels_.wide.add(out, constant(out), constant(term));
    for (std::size_t i = 0; i < out.rows; ++i) {
      std::copy_n(term.re + i * term.stride, out.cols, out.re + i * out.stride);
      std::copy_n(term.im + i * term.stride, out.cols, out.im + i * out.stride);
    }
  } else {
    if (is_first) fill_zero(out);
    const auto add_row = [&](Real* sum, const float* row, double unit) {
      if constexpr (std::is_same_v<Real, double>)
        if (arithmetic_.gemm.sum == TermSum::in_fp32)
          return add_term_in_fp32(sum, row, out.cols, unit, units.cols.data());
      fftprec::add_term(sum, row, out.cols, unit, units.cols.data());
    };
    for (std::size_t i = 0; i < out.rows; ++i) {
      add_row(out.re + i * out.stride, term.re + i * term.stride, units.rows[i]);
      add_row(out.im + i * out.stride, term.im + i * term.stride, units.rows[i]);
    }
  }
}

/// On the host there is no tile: one chain over all k.
template <class Real>
void MachineGemm<Real>::on_host(View<Real> out, View<Real> x, const Table& w,
                                bool data_moves) const {
  if constexpr (std::is_same_v<Real, double>) {
    const std::size_t table_step = data_moves ? out.rows : out.cols;
    Matmul<double> call{};
    call.m = out.rows;
    call.n = out.cols;
    call.k = data_moves ? x.rows : x.cols;
    call.psum_stride = out.stride;
    call.stationary_k = data_moves ? table_step : 1;
    call.stationary_m = data_moves ? 1 : x.stride;
    call.moving_stride = data_moves ? x.stride : table_step;
    const auto product = [&](const double* data, const double* table, double* to, bool negate,
                             bool accumulate) {
      call.stationary = data_moves ? table : data;
      call.moving = data_moves ? data : table;
      call.psum = to;
      call.negate = negate;
      call.accumulate = accumulate;
      kernels_.host(call);
    };
    product(x.re, w.planes.re.data(), out.re, false, false);
    product(x.im, w.planes.im.data(), out.re, true, true);
    product(x.re, w.planes.im.data(), out.im, false, false);
    product(x.im, w.planes.re.data(), out.im, false, true);
  }
}

template <class Real>
void MachineGemm<Real>::on_integers(View<Real> out, View<Real> x, const Table& w,
                                    bool data_moves) const {
  if constexpr (std::is_same_v<Real, double>) {
    const WordShape shape = shape_of(x, data_moves);
    const auto data = residues_of(packed(x), shape, arithmetic_);
    if (data_moves)
      fftprec::multiply(*w.residues, *data, out.re, out.im, out.stride);
    else
      fftprec::multiply(*data, *w.residues, out.re, out.im, out.stride);
  }
}

template class MachineGemm<float>;
template class MachineGemm<double>;
template class MachineGemm<FloatPair>;

}  // namespace fftprec
