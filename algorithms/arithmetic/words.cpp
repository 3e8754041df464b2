#include "algorithms/arithmetic/words.hpp"

#include "arith/formats/double_word.hpp"
#include "arith/formats/round.hpp"
#include "arith/kernels/round_array.hpp"
#include "arith/splitting/slices.hpp"

namespace fftprec {

namespace {

float leading_bits(float x, const Format& format) {
  return static_cast<float>(round(static_cast<double>(x), format, Rounding::rz));
}

/// Word by word: each is what the rounding leaves of the rest so far.
void cut_part(AlignedVector<float> rest, AlignedVector<float>& planes, const WordCut& cut,
              Isa isa) {
  const std::size_t size = rest.size();
  const float up = static_cast<float>(power_of_two(cut.scale));
  for (std::size_t word = 0; word < cut.count; ++word) {
    float* plane = planes.data() + word * size;
    if (word > 0 && cut.elided) break;
    if (cut.words == Words::leading && word + 1 == cut.count && cut.operands.precision == 12) {
      std::copy(rest.begin(), rest.end(), plane);
      break;
    }
    if (cut.words == Words::leading || cut.cut)
      for (std::size_t i = 0; i < size; ++i) plane[i] = leading_bits(rest[i], cut.operands);
    else
      round_array(rest, std::span<float>(plane, size), cut.operands, Rounding::rne, isa);
    for (std::size_t i = 0; i < size; ++i) rest[i] = (rest[i] - plane[i]) * up;
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

/// One side's cut but for the bits of slices.
WordCut cut_of(const GemmScheme& scheme, const Mode& mode, const Machine& machine, Elision side) {
  return {.words = scheme.words,
          .operands = scheme.operands,
          .count = side == Elision::table ? scheme.factor_words : scheme.data_words,
          .scale = scheme.scale,
          .cut = scheme.cut,
          .elided = elides(scheme, machine, side),
          .block = mode.block};
}

}  // namespace

WordCut factor_cut(const GemmScheme& scheme, const Mode& mode, const Machine& machine,
                   std::size_t depth) {
  WordCut cut = cut_of(scheme, mode, machine, Elision::table);
  if (scheme.words == Words::slices) cut.bits = slice_bits(mode, machine, depth).factor;
  return cut;
}

WordCut data_cut(const GemmScheme& scheme, const Mode& mode, const Machine& machine,
                 std::size_t depth) {
  WordCut cut = cut_of(scheme, mode, machine, Elision::data);
  if (scheme.words == Words::slices) cut.bits = slice_bits(mode, machine, depth).data;
  return cut;
}

template <>
CutWords cut_into_words(const ComplexArray<float>& whole, const WordShape& shape,
                        const WordCut& cut, Isa isa) {
  ComplexArray<float> planes(cut.count * whole.size());
  if (cut.words == Words::blocks) {
    cut_into_blocks(whole.re.data(), planes.re.data(), shape, cut.block);
    cut_into_blocks(whole.im.data(), planes.im.data(), shape, cut.block);
  } else {
    cut_part(whole.re, planes.re, cut, isa);
    cut_part(whole.im, planes.im, cut, isa);
  }
  return {std::move(planes)};
}

template <class Real>
CutWords cut_into_words(const ComplexArray<Real>& whole, const WordShape& shape, const WordCut& cut,
                        Isa) {
  const AlignedVector<double> re = as_double(whole.re);
  const AlignedVector<double> im = as_double(whole.im);
  CutWords words{ComplexArray<float>(cut.count * whole.size()), std::vector<int>(shape.free)};
  cut_into_slices({re.data(), im.data(), shape.k_step, shape.free_step}, shape.depth, shape.free,
                  cut.count, cut.bits, cut.operands, words.planes.re.data(), words.planes.im.data(),
                  whole.size(), shape.k_step, shape.free_step, words.exponents.data());
  return words;
}

template CutWords cut_into_words(const ComplexArray<double>&, const WordShape&, const WordCut&,
                                 Isa);
template CutWords cut_into_words(const ComplexArray<FloatPair>&, const WordShape&, const WordCut&,
                                 Isa);

void append_misread(ComplexArray<float>& planes, std::size_t words, const WordShape& shape) {
  const std::size_t size = shape.size();
  ComplexArray<float> both(2 * words * size);
  std::copy(planes.re.begin(), planes.re.end(), both.re.begin());
  std::copy(planes.im.begin(), planes.im.end(), both.im.begin());
  for (std::size_t word = 0; word < words; ++word)
    for (std::size_t i = 0; i < shape.free; ++i)
      for (std::size_t k = 1; k < shape.depth; k += 2) {
        const std::size_t to = k * shape.k_step + i * shape.free_step;
        const std::size_t from = (k - 1) / 2 * shape.k_step + i * shape.free_step;
        both.re[(words + word) * size + to] = planes.re[word * size + from];
        both.im[(words + word) * size + to] = planes.im[word * size + from];
      }
  planes = std::move(both);
}

}  // namespace fftprec
