#include "algorithms/arithmetic/machine_gemm.hpp"

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "algorithms/arithmetic/arithmetic.hpp"
#include "algorithms/arithmetic/cast.hpp"
#include "algorithms/arithmetic/shared_exponent.hpp"
#include "arith/formats/double_word.hpp"
#include "arith/formats/round.hpp"
#include "arith/kernels/round_array.hpp"
#include "arith/splitting/slices.hpp"
#include "arith/support/error.hpp"

namespace fftprec {

namespace {

float leading_bits(float x, const Format& format) {
  return static_cast<float>(round(static_cast<double>(x), format, Rounding::rz));
}

/// Word by word: each is what the rounding leaves of the rest so far. The second half of an fp32
/// value takes all that the first left.
void cut_part(const AlignedVector<float>& whole, AlignedVector<float>& planes,
              const OperandWords& words, Isa isa) {
  constexpr std::size_t stretch = 4096;  // what is left of it stays in the nearest cache
  const std::size_t size = whole.size();
  const float up = static_cast<float>(power_of_two(words.scale));
  AlignedVector<float> rest(std::min(stretch, size));
  for (std::size_t first = 0; first < size; first += stretch) {
    const std::size_t count = std::min(stretch, size - first);
    std::copy_n(whole.data() + first, count, rest.data());
    for (std::size_t word = 0; word < words.count; ++word) {
      float* plane = planes.data() + word * size + first;
      if (word > 0 && word + 1 == words.count && is_half_fp32(words.format)) {
        std::copy_n(rest.data(), count, plane);
        break;
      }
      if (words.rounding == Rounding::rz)
        for (std::size_t i = 0; i < count; ++i)
          plane[i] = leading_bits(rest[i], word == 0 ? words.first() : words.format);
      else
        round_array(std::span<const float>(rest.data(), count), std::span<float>(plane, count),
                    words.format, Rounding::rne, isa);
      if (word + 1 < words.count)
        for (std::size_t i = 0; i < count; ++i) rest[i] = (rest[i] - plane[i]) * up;
    }
  }
}

void cut_into_blocks(const float* from, float* to, const WordShape& shape,
                     const BlockFormat& block) {
  quantise_blocks(block, from, shape.depth, shape.free, shape.k_step, shape.free_step, to,
                  shape.k_step, shape.free_step);
}

AlignedVector<double> as_double(const AlignedVector<double>& x) { return x; }
AlignedVector<double> as_double(const AlignedVector<FloatPair>& x) {
  AlignedVector<double> result(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) result[i] = static_cast<double>(x[i]);
  return result;
}

}  // namespace

template <>
CutWords cut_into_words(const ComplexArray<float>& whole, const WordShape& shape,
                        const OperandWords& words, Isa isa) {
  ComplexArray<float> planes(words.total() * whole.size());
  if (words.kind == WordKind::blocks) {
    cut_into_blocks(whole.re.data(), planes.re.data(), shape, words.block);
    cut_into_blocks(whole.im.data(), planes.im.data(), shape, words.block);
  } else {
    cut_part(whole.re, planes.re, words, isa);
    cut_part(whole.im, planes.im, words, isa);
  }
  return {std::move(planes)};
}

template <class Real>
CutWords cut_into_words(const ComplexArray<Real>& whole, const WordShape& shape,
                        const OperandWords& words, Isa) {
  const AlignedVector<double> re = as_double(whole.re);
  const AlignedVector<double> im = as_double(whole.im);
  CutWords cut{ComplexArray<float>(words.count * whole.size()), std::vector<int>(shape.free)};
  cut_into_slices({re.data(), im.data(), shape.k_step, shape.free_step}, shape.depth, shape.free,
                  words.count, words.bits, words.format, cut.planes.re.data(), cut.planes.im.data(),
                  whole.size(), shape.k_step, shape.free_step, cut.exponents.data());
  return cut;
}

template CutWords cut_into_words(const ComplexArray<double>&, const WordShape&, const OperandWords&,
                                 Isa);
template CutWords cut_into_words(const ComplexArray<FloatPair>&, const WordShape&,
                                 const OperandWords&, Isa);

/// Fills every PSUM tile of out, one after the other; all terms accumulate into the same tile.
void TensorProduct::run(View<float> out, const WordPlanes& stationary, const WordPlanes& moving,
                        bool data_moves, Depth depth, std::span<const SplitTerm> terms,
                        std::uint64_t step) const {
  Matmul<float> call{};
  call.stationary_k = stationary.k_step;
  call.stationary_m = stationary.free_step;
  call.moving_stride = moving.k_step;
  call.psum_stride = out.stride;
  call.data_moves = data_moves;
  const std::size_t end = depth.first + depth.count;
  // Apart from the steps of casts, which count from 0.
  std::uint64_t write = (step + 1) << 32;
  for (std::size_t row = 0; row < out.rows; row += machine_.m_tile)
    for (std::size_t col = 0; col < out.cols; col += machine_.n_tile)
      for (std::size_t k = depth.first; k < end; k += machine_.k_tile) {
        call.m = std::min(machine_.m_tile, out.rows - row);
        call.n = std::min(machine_.n_tile, out.cols - col);
        call.k = std::min(machine_.k_tile, end - k);
        // `data` and `factor` name the part of x and of w; negating either gives the same product.
        using Part = const float* WordPlanes::*;
        const auto real_matmul = [&](Part data, Part factor, bool negate, float* psum, bool first) {
          call.negate = negate;
          call.psum = psum + row * out.stride + col;
          call.element = row * out.stride + col;
          for (const SplitTerm& term : terms) {
            const std::size_t still = data_moves ? term.factor : term.data;
            const std::size_t moved = data_moves ? term.data : term.factor;
            call.stationary = stationary.*(data_moves ? factor : data) + still * stationary.plane +
                              row * stationary.free_step + k * stationary.k_step;
            call.moving = moving.*(data_moves ? data : factor) + moved * moving.plane +
                          k * moving.k_step + col;
            call.step = write++;
            call.accumulate = !first || &term != terms.data();
            unit_.matmul(call);
          }
        };
        const bool first = k == depth.first && !depth.onto;
        const bool alone = first && !depth.real;
        if (depth.real) real_matmul(&WordPlanes::re, &WordPlanes::re, false, out.re, first);
        if (depth.imaginary) real_matmul(&WordPlanes::im, &WordPlanes::im, true, out.re, alone);
        if (!out.im) continue;
        if (depth.real) real_matmul(&WordPlanes::re, &WordPlanes::im, false, out.im, first);
        if (depth.imaginary) real_matmul(&WordPlanes::im, &WordPlanes::re, false, out.im, alone);
      }
  if (machine_.eviction != fp32) round_rows(out, machine_.eviction, cast_of(machine_, write), isa_);
}

std::vector<TensorProduct::Depth> stretches(const ArithmeticSpec& arithmetic, std::size_t depth) {
  const GemmScheme& gemm = arithmetic.matrices();
  const std::size_t length = gemm.evict_tiles() ? arithmetic.machine().k_tile : depth;
  const bool apart =
      gemm.data().kind == WordKind::slices && slice_bits(arithmetic, depth).chained == 1;
  std::vector<TensorProduct::Depth> all;
  for (std::size_t first = 0; first < depth; first += length) {
    const std::size_t count = std::min(length, depth - first);
    all.push_back({first, count, true, !apart});
    if (apart) all.push_back({first, count, false, true});
  }
  return all;
}

namespace {

/// The first PSUM value of one term that is not the exact sum of its products, with both values;
/// nothing if all are. Requires: words that are integers.
std::optional<std::string> inexact_psum(View<float> out, const WordPlanes& stationary,
                                        const WordPlanes& moving, bool data_moves,
                                        TensorProduct::Depth depth, SplitTerm term) {
  const std::size_t still = data_moves ? term.factor : term.data;
  const std::size_t moved = data_moves ? term.data : term.factor;
  using Part = const float* WordPlanes::*;
  const auto matmul = [&](Part data, Part factor, bool negate, float* psum, bool first) {
    Matmul<float> call{};
    call.stationary = stationary.*(data_moves ? factor : data) + still * stationary.plane +
                      depth.first * stationary.k_step;
    call.stationary_k = stationary.k_step;
    call.stationary_m = stationary.free_step;
    call.moving =
        moving.*(data_moves ? data : factor) + moved * moving.plane + depth.first * moving.k_step;
    call.moving_stride = moving.k_step;
    call.psum = psum;
    call.psum_stride = out.stride;
    call.m = out.rows;
    call.n = out.cols;
    call.k = depth.count;
    call.negate = negate;
    call.accumulate = !first;
    return call;
  };
  std::vector<Matmul<float>> re, im;
  if (depth.real) {
    re.push_back(matmul(&WordPlanes::re, &WordPlanes::re, false, out.re, true));
    im.push_back(matmul(&WordPlanes::re, &WordPlanes::im, false, out.im, true));
  }
  if (depth.imaginary) {
    re.push_back(matmul(&WordPlanes::im, &WordPlanes::im, true, out.re, re.empty()));
    im.push_back(matmul(&WordPlanes::im, &WordPlanes::re, false, out.im, im.empty()));
  }
  for (const auto& [chained, part] : {std::pair{&re, "re"}, std::pair{&im, "im"}})
    if (const auto wrong = first_inexact_psum(*chained))
      return "PSUM " + std::string(part) + "(" + std::to_string(wrong->row) + ", " +
             std::to_string(wrong->col) + ") of slices " + std::to_string(term.factor) + " and " +
             std::to_string(term.data) + " holds " + std::to_string(wrong->psum) + ", exact is " +
             std::to_string(wrong->exact);
  return std::nullopt;
}

/// The shape of packed data: rows along k where the data move, else columns.
template <class Real>
WordShape shape_of(View<Real> x, bool data_moves) {
  return data_moves ? WordShape{x.rows, x.cols, x.cols, 1} : WordShape{x.cols, x.rows, 1, x.cols};
}

/// Bits of the integers that residues stand for. Throws NotApplicable where none are left, and
/// where the sums of residues overflow 32 bits.
int bits_of_residues(const ArithmeticSpec& arithmetic, std::size_t depth) {
  constexpr std::size_t too_deep = std::size_t{1} << 16;
  const int bits = residue_bits(depth, arithmetic.gemm().moduli());
  if (bits < 1 || depth >= too_deep)
    throw NotApplicable("mode " + arithmetic.mode() + ": a contraction of length " +
                        std::to_string(depth) +
                        (bits < 1 ? " needs more moduli" : " overflows its accumulator"));
  return bits;
}

/// The residues of a packed matrix of doubles; other carriers have none.
template <class Real>
std::shared_ptr<const ResidueMatrix> residues_of(const ComplexArray<Real>& x,
                                                 const WordShape& shape,
                                                 const ArithmeticSpec& arithmetic) {
  if constexpr (std::is_same_v<Real, double>)
    return std::make_shared<const ResidueMatrix>(
        SliceSource{x.re.data(), x.im.data(), shape.k_step, shape.free_step}, shape.depth,
        shape.free, arithmetic.gemm().moduli(), bits_of_residues(arithmetic, shape.depth));
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
KernelSet<Real> kernel_set(const ArithmeticSpec& arithmetic, Isa isa) {
  KernelSet<Real> set{};
  set.isa = isa;
  const Machine& machine = arithmetic.machine();
  const auto kernels = [&](const ElementScheme& scheme) {
    try {
      return complex_kernels<Real>(scheme, machine.vector, isa);
    } catch (const NotApplicable& reason) {
      throw NotApplicable(std::string(reason.what()) + " (machine " + machine.name + ")");
    }
  };
  set.wide = kernels(wide_scheme(arithmetic));
  if constexpr (!std::is_same_v<Real, FloatPair>)
    if (arithmetic.on_integers()) {
      set.fixed = fixed_kernels<Real>(isa);
      return set;
    }
  try {
    set.scheme = kernels(element_scheme(arithmetic));
  } catch (const NotApplicable& reason) {
    set.no_elements = reason.what();
  }
  const GemmScheme& gemm = arithmetic.gemm();
  if (gemm.engine() == Engine::tensor) set.tensor = tensor_unit(machine, gemm.accumulate(), isa);
  if (gemm.engine() == Engine::host)
    set.host = host_matmul(machine.fp64_matmul == Fp64Matmul::fma, isa);
  return set;
}

template KernelSet<float> kernel_set(const ArithmeticSpec&, Isa);
template KernelSet<double> kernel_set(const ArithmeticSpec&, Isa);
template KernelSet<FloatPair> kernel_set(const ArithmeticSpec&, Isa);

template <class Real>
auto MachineGemm<Real>::matrix(ComplexArray<Real> values, std::size_t depth) const -> Table {
  const GemmScheme& gemm = arithmetic_.matrices();
  const std::size_t size = values.size();
  const std::size_t columns = size / depth;
  const WordShape shape{depth, columns, columns, 1};
  if (gemm.engine() == Engine::host) return {std::move(values), size};
  if (gemm.engine() == Engine::integer)
    return {{}, size, {}, {}, residues_of(values, shape, arithmetic_)};
  std::vector<int> shared;
  if constexpr (std::is_same_v<Real, float>)
    if (operands_share_exponent(arithmetic_)) {
      const View<Real> all = view_of(values, depth, columns);
      shared = {factor_exponent(largest_part(constant(all)))};
      scale_by_power(all, -shared[0]);
    }
  CutWords words = cut_into_words(values, shape, factor_words(arithmetic_, depth), kernels_.isa);
  if constexpr (std::is_same_v<Real, float>)
    return {std::move(words.planes), size, {}, std::move(shared), {}};
  else
    return {{}, size, std::move(words.planes), std::move(words.exponents), {}};
}

template <class Real>
void MachineGemm<Real>::multiply(View<Real> out, View<Real> x, const Table& w, bool data_moves,
                                 std::uint64_t& step) const {
  const Engine engine = arithmetic_.gemm().engine();
  if (engine == Engine::host) return on_host(out, x, w, data_moves);
  if (engine == Engine::integer) return on_integers(out, x, w, data_moves);
  if constexpr (std::is_same_v<Real, float>)
    if (operands_share_exponent(arithmetic_)) {
      const std::size_t depth = data_moves ? x.rows : x.cols;
      const int exponent = operand_exponent(arithmetic_, largest_part(constant(x)), depth);
      ComplexArray<Real> block = packed(x);
      const View<Real> operand = view_of(block, x.rows, x.cols);
      scale_by_power(operand, -exponent);
      on_tensor(out, operand, w, data_moves, step);
      return scale_by_power(out, exponent + w.exponents[0]);
    }
  on_tensor(out, x, w, data_moves, step);
}

template <class Real>
auto MachineGemm<Real>::sides_of(View<Real> x, const Table& w, bool data_moves) const -> Sides {
  const GemmScheme& gemm = arithmetic_.gemm();
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
  if (gemm.data().kind != WordKind::values || gemm.operands() != arithmetic_.operation_format()) {
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
  if (arithmetic_.gemm().evict_each()) return sum_of_terms(out, sides, step);
  if constexpr (std::is_same_v<Real, float>)
    TensorProduct(arithmetic_.machine(), kernels_.tensor, kernels_.isa)
        .run(out, sides.stationary(), sides.moving(), data_moves, {0, sides.shape.depth},
             arithmetic_.gemm().terms(), step++);
}

template <class Real>
void MachineGemm<Real>::evict(View<float> term, const Sides& sides, SplitTerm which,
                              TensorProduct::Depth stretch, std::uint64_t& step) const {
  TensorProduct(arithmetic_.machine(), kernels_.tensor, kernels_.isa)
      .run(term, sides.stationary(), sides.moving(), sides.data_moves, stretch, {&which, 1},
           step++);
  if (arithmetic_.gemm().as<TensorProducts>()->checked) require_exact(term, sides, stretch, which);
  scale_exactly(term,
                -arithmetic_.gemm().data().scale * static_cast<int>(which.factor + which.data));
}

template <class Real>
void MachineGemm<Real>::sum_of_terms(View<Real> out, const Sides& sides,
                                     std::uint64_t& step) const {
  ComplexArray<float> array(out.rows * out.cols);
  const View<float> term = view_of(array, out.rows, out.cols);
  const std::vector<TensorProduct::Depth> evicted = stretches(arithmetic_, sides.shape.depth);
  const ProductDecorator* decorator = arithmetic_.decorator();
  const ProductDecorator::Evicted* change =
      decorator && decorator->evicted ? &*decorator->evicted : nullptr;
  Sides later{};
  ComplexArray<float> words;
  const bool replaces_words = decorator && decorator->later_words;
  if (replaces_words) {
    words = decorator->later_words->read(sides.cut.planes, sides.shape);
    later = sides;
    later.data.re = words.re.data();
    later.data.im = words.im.data();
  }
  const std::vector<SplitTerm>& terms = arithmetic_.gemm().terms();
  for (std::size_t i = 0; i < terms.size(); ++i) {
    const Sides& read = i > 0 && replaces_words ? later : sides;
    const Units units = units_of(sides, terms[i]);
    for (std::size_t part = 0; part < evicted.size(); ++part) {
      evict(term, read, terms[i], evicted[part], step);
      if (change && change->term) change->term(term, i, step, kernels_.isa);
      add_term(out, term, units, i == 0 && part == 0);
    }
  }
  if constexpr (std::is_same_v<Real, float>)
    if (change && change->sum) change->sum(out, step, kernels_.isa);
}

template <class Real>
void MachineGemm<Real>::require_exact(View<float> term, const Sides& sides,
                                      TensorProduct::Depth stretch, SplitTerm which) const {
  if (const std::optional<std::string> wrong =
          inexact_psum(term, sides.stationary(), sides.moving(), sides.data_moves, stretch, which))
    throw InputError("mode " + arithmetic_.mode() + " on machine " + arithmetic_.machine().name +
                     ": " + *wrong);
}

template <class Real>
auto MachineGemm<Real>::units_of(const Sides& sides, SplitTerm which) const -> Units {
  if (arithmetic_.gemm().data().kind != WordKind::slices) return {};
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
        if (arithmetic_.gemm().sum() == TermSum::in_fp32)
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
