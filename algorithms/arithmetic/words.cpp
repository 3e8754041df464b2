#include "algorithms/arithmetic/words.hpp"

#include <algorithm>
#include <span>

#include "arith/formats/double_word.hpp"
#include "arith/formats/round.hpp"
#include "arith/kernels/round_array.hpp"
#include "arith/splitting/slices.hpp"

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
      if (word > 0 && word + 1 == words.count && words.format == half_fp32) {
        std::copy_n(rest.data(), count, plane);
        break;
      }
      if (words.rounding == Rounding::rz)
        for (std::size_t i = 0; i < count; ++i) plane[i] = leading_bits(rest[i], words.format);
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

}  // namespace fftprec
