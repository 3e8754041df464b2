#include "algorithms/arithmetic/machine_gemm.hpp"

#include <algorithm>
#include <utility>

#include "algorithms/arithmetic/arithmetic.hpp"
#include "algorithms/arithmetic/cast.hpp"
#include "algorithms/arithmetic/words.hpp"
#include "arith/splitting/slices.hpp"
#include "arith/support/error.hpp"

namespace fftprec {

namespace {

/// The shape of packed data: rows along k where the data move, else columns.
template <class Real>
WordShape shape_of(View<Real> x, bool data_moves) {
  return data_moves ? WordShape{x.rows, x.cols, x.cols, 1} : WordShape{x.cols, x.rows, 1, x.cols};
}

template <class Real>
void fill_zero(View<Real> x) {
  for (std::size_t i = 0; i < x.rows; ++i) {
    std::fill_n(x.re + i * x.stride, x.cols, Real(0));
    std::fill_n(x.im + i * x.stride, x.cols, Real(0));
  }
}

/// Bits of the integers that residues stand for. Throws NotApplicable where none are left, and
/// where the sums of residues overflow 32 bits.
int bits_of_residues(const Mode& mode, std::size_t depth) {
  constexpr std::size_t too_deep = std::size_t{1} << 16;
  const int bits = residue_bits(depth, mode.moduli);
  if (bits < 1 || depth >= too_deep)
    throw NotApplicable("mode " + mode.name + ": a contraction of length " + std::to_string(depth) +
                        (bits < 1 ? " needs more moduli" : " overflows its accumulator"));
  return bits;
}

/// The residues of a packed matrix of doubles; other carriers have none.
template <class Real>
std::shared_ptr<const ResidueMatrix> residues_of(const ComplexArray<Real>& x,
                                                 const WordShape& shape, const Mode& mode) {
  if constexpr (std::is_same_v<Real, double>)
    return std::make_shared<const ResidueMatrix>(
        SliceSource{x.re.data(), x.im.data(), shape.k_step, shape.free_step}, shape.depth,
        shape.free, mode.moduli, bits_of_residues(mode, shape.depth));
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
MachineGemm<Real>::MachineGemm(const Mode& mode, const Machine& machine,
                               const KernelSet<Real>& kernels)
    : mode_(mode), machine_(machine), kernels_(kernels) {
  if (kernels.no_matrices.empty()) scheme_ = gemm_scheme(mode, machine);
}

template <class Real>
auto MachineGemm<Real>::matrix(ComplexArray<Real> values, std::size_t depth) const -> Table {
  if (!kernels_.no_matrices.empty()) throw NotApplicable(kernels_.no_matrices);
  const std::size_t size = values.size();
  const std::size_t columns = size / depth;
  const WordShape shape{depth, columns, columns, 1};
  if (scheme_.engine == Engine::host) return {std::move(values), size};
  if (scheme_.engine == Engine::integer)
    return {{}, size, {}, {}, residues_of(values, shape, mode_)};
  CutWords words =
      cut_into_words(values, shape, factor_cut(scheme_, mode_, machine_, depth), kernels_.isa);
  if constexpr (std::is_same_v<Real, float>)
    return {std::move(words.planes), size};
  else
    return {{}, size, std::move(words.planes), std::move(words.exponents), {}};
}

template <class Real>
void MachineGemm<Real>::multiply(View<Real> out, View<Real> x, const Table& w, bool data_moves,
                                 std::uint64_t& step) const {
  switch (scheme_.engine) {
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
void MachineGemm<Real>::on_tensor(View<Real> out, View<Real> x, const Table& w, bool data_moves,
                                  std::uint64_t& step) const {
  const WordShape shape = shape_of(x, data_moves);
  CutWords words;
  WordPlanes data{};
  const ComplexArray<float>* planes = nullptr;
  if constexpr (std::is_same_v<Real, float>) {
    planes = &w.planes;
    data = {x.re, x.im, 0, data_moves ? x.stride : 1, data_moves ? 1 : x.stride};
  } else {
    planes = &w.words;
  }
  if (scheme_.words != Words::whole || scheme_.operands != mode_.storage) {
    words = cut_into_words(packed(x), shape, data_cut(scheme_, mode_, machine_, shape.depth),
                           kernels_.isa);
    if (misreads()) append_misread(words.planes, scheme_.data_words, shape);
    data = {words.planes.re.data(), words.planes.im.data(), shape.size(), shape.k_step,
            shape.free_step};
  }
  const std::size_t columns = data_moves ? out.rows : out.cols;
  const Sides sides{data,
                    {planes->re.data(), planes->im.data(), w.size, columns, 1},
                    words.exponents,
                    w.exponents,
                    data_moves,
                    shape.depth};
  if (scheme_.evict_each()) return sum_of_terms(out, sides, step);
  if constexpr (std::is_same_v<Real, float>)
    TensorProduct(machine_, kernels_.tensor, kernels_.isa)
        .run(out, sides.stationary(), sides.moving(), data_moves, {0, shape.depth}, scheme_.terms,
             step++);
}

template <class Real>
void MachineGemm<Real>::sum_of_terms(View<Real> out, const Sides& sides,
                                     std::uint64_t& step) const {
  const TensorProduct product(machine_, kernels_.tensor, kernels_.isa);
  ComplexArray<float> array(out.rows * out.cols);
  const View<float> term = view_of(array, out.rows, out.cols);
  const std::vector<TensorProduct::Depth> evicted =
      stretches(scheme_, mode_, machine_, sides.depth);
  bool is_first = true;
  for (std::size_t i = 0; i < scheme_.terms.size(); ++i) {
    SplitTerm which = scheme_.terms[i];
    const int exponent = -scheme_.scale * static_cast<int>(which.factor + which.data);
    const Units units = units_of(sides, which);
    if (misreads() && i > 0) which.data += scheme_.data_words;
    for (const TensorProduct::Depth& depth : evicted) {
      product.run(term, sides.stationary(), sides.moving(), sides.data_moves, depth, {&which, 1},
                  step++);
      if (mode_.slices.checked) require_exact(term, sides, depth, which);
      scale_exactly(term, exponent);
      if (demotes(i)) round_rows(term, bf16, cast_of(machine_, step++), kernels_.isa);
      add_term(out, term, units, is_first);
      is_first = false;
    }
  }
  if constexpr (std::is_same_v<Real, float>)
    if (machine_.demotion == Demotion::sum)
      round_rows(out, bf16, cast_of(machine_, step++), kernels_.isa);
}

template <class Real>
bool MachineGemm<Real>::misreads() const {
  return machine_.misread && is_split(mode_);
}

template <class Real>
bool MachineGemm<Real>::demotes(std::size_t term) const {
  return is_split(mode_) && (machine_.demotion == Demotion::terms ||
                             (machine_.demotion == Demotion::leading && term == 0));
}

template <class Real>
void MachineGemm<Real>::require_exact(View<float> term, const Sides& sides,
                                      TensorProduct::Depth depth, SplitTerm which) const {
  if (const std::optional<std::string> wrong =
          inexact_psum(term, sides.stationary(), sides.moving(), sides.data_moves, depth, which))
    throw InputError("mode " + mode_.name + " on machine " + machine_.name + ": " + *wrong);
}

template <class Real>
auto MachineGemm<Real>::units_of(const Sides& sides, SplitTerm which) const -> Units {
  if (scheme_.words != Words::slices) return {};
  const SliceBits bits = slice_bits(mode_, machine_, sides.depth);
  std::vector<double> data(sides.data_exponents.size());
  std::vector<double> table(sides.table_exponents.size());
  slice_units(sides.data_exponents.data(), data.size(), which.data, bits.data, data.data());
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
        if (scheme_.sum == TermSum::in_fp32)
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
    const auto data = residues_of(packed(x), shape, mode_);
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
