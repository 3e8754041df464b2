/// A complex matrix product on a tensor engine by hand: words cut by MPFR, PSUM filled element by
/// element by the judge of accumulators, in integers.
#pragma once

#include <cmath>
#include <optional>
#include <vector>

#include "arith/machines/machine.hpp"
#include "experiments/faults/faults.hpp"
#include "tests/algorithms/complex_product.hpp"
#include "tests/arith/accumulators_judge.hpp"

namespace fftprec::testing {

/// A mode's product, written down by hand.
struct HandScheme {
  const char* mode;
  Format word;
  std::size_t data_words = 1;
  std::size_t factor_words = 1;
  std::vector<SplitTerm> terms{{0, 0}};
  int scale = 0;
  bool evicted = false;  ///< every term leaves PSUM and is summed in fp32
  Rounding rounding = Rounding::rne;
  bool last_is_rest = false;
  int block_headroom = -1;  ///< of blocks of 32: binades between the largest value and the top
  std::optional<Format> factor_word{};  ///< where tables have another format
  std::optional<Format> first_word{};   ///< where the first word is shorter than the others
};

using Words = std::vector<std::vector<float>>;

/// One part of a matrix whose entries along k are `step` apart, in lines of `depth` of them.
inline Words words_of(const AlignedVector<float>& part, const HandScheme& scheme, std::size_t count,
                      bool elided) {
  Judge judge(scheme.word, 64);
  Judge judge_first(scheme.first_word.value_or(scheme.word), 64);
  Words words(count, std::vector<float>(part.size()));
  for (std::size_t i = 0; i < part.size(); ++i) {
    double rest = static_cast<double>(part[i]);
    for (std::size_t word = 0; word < count && !(elided && word > 0); ++word) {
      const bool is_rest = scheme.last_is_rest && word + 1 == count;
      Judge& rounded = word == 0 ? judge_first : judge;
      const double cut = is_rest ? rest : rounded(Operation::identity, scheme.rounding, rest);
      words[word][i] = static_cast<float>(cut);
      rest = std::ldexp(rest - cut, scheme.scale);
    }
  }
  return words;
}

/// The values of blocks of 32 along k: line l's element k at k * k_step + l * line_step.
inline Words blocks_of(const AlignedVector<float>& part, const HandScheme& scheme,
                       std::size_t depth, std::size_t k_step, std::size_t line_step) {
  Judge judge(scheme.word, 64);
  Words words(1, std::vector<float>(part.size()));
  for (std::size_t line = 0; line < part.size() / depth; ++line)
    for (std::size_t first = 0; first < depth; first += 32) {
      const std::size_t end = std::min(depth, first + 32);
      const auto at = [&](std::size_t k) { return k * k_step + line * line_step; };
      double largest = 0;
      for (std::size_t k = first; k < end; ++k)
        largest = std::max(largest, std::fabs(static_cast<double>(part[at(k)])));
      const int scale = std::ilogb(largest) - (scheme.word.emax - scheme.block_headroom);
      const double top = max_finite(scheme.word);
      for (std::size_t k = first; k < end; ++k) {
        const double scaled = std::ldexp(static_cast<double>(part[at(k)]), -scale);
        const double rounded =
            judge(Operation::identity, Rounding::rne, std::max(-top, std::min(top, scaled)));
        words[0][at(k)] = static_cast<float>(std::ldexp(rounded, scale));
      }
    }
  return words;
}

/// The words of data and table, and how PSUM takes their products.
class HandProduct {
 public:
  HandProduct(const HandScheme& scheme, const Machine& machine, const ComplexArray<float>& x,
              const ComplexArray<float>& w, ProductShape shape, const Faults& faults)
      : scheme_(scheme),
        machine_(machine),
        shape_(shape),
        faults_(faults),
        chain_(model_of(scheme, machine)),
        adder_(joining(model_of(scheme, machine))) {
    const bool residual = scheme.data_words > 1 && scheme.rounding == Rounding::rne;
    const auto lost = [&](Elision side) {
      return residual && (faults.elided == side || faults.elided == Elision::both);
    };
    const auto cut = [&](const AlignedVector<float>& part, bool data) {
      if (scheme.block_headroom >= 0)
        return data ? blocks_of(part, scheme, shape.k, 1, shape.k)
                    : blocks_of(part, scheme, shape.k, shape.n, 1);
      if (data) return words_of(part, scheme, scheme.data_words, lost(Elision::data));
      HandScheme of_table = scheme;
      of_table.word = scheme.factor_word.value_or(scheme.word);
      return words_of(part, of_table, scheme.factor_words, lost(Elision::table));
    };
    x_[0] = cut(x.re, true);
    x_[1] = cut(x.im, true);
    w_[0] = cut(w.re, false);
    w_[1] = cut(w.im, false);
  }

  /// The real (0) or imaginary (1) part of element (i, j).
  float operator()(std::size_t i, std::size_t j, int part) const {
    if (!scheme_.evicted) return leave(psum(i, j, part, scheme_.terms, false));
    float sum = 0;
    for (std::size_t t = 0; t < scheme_.terms.size(); ++t) {
      const SplitTerm term = scheme_.terms[t];
      const bool misread = faults_.misread && t > 0;
      float value = leave(psum(i, j, part, {term}, misread));
      value = std::ldexp(value, -scheme_.scale * static_cast<int>(term.factor + term.data));
      if (faults_.demotion == Demotion::terms || (faults_.demotion == Demotion::leading && t == 0))
        value = rounded(value, bf16);
      sum = t == 0 ? value : sum + value;
    }
    return faults_.demotion == Demotion::sum ? rounded(sum, bf16) : sum;
  }

 private:
  static AccumulatorModel model_of(const HandScheme& scheme, const Machine& machine) {
    AccumulatorModel model = accumulator_for(machine, scheme.word);
    model.operands_of_b = scheme.factor_word;
    // A scale takes elements anywhere, and makes none of them subnormal.
    if (scheme.block_headroom >= 0) model.operands = {scheme.word.precision, -126, 127};
    // Subnormals are zero before they are cut, low parts of other values are not.
    if (machine.fidelity != Fidelity::whole) model.operands.emin -= scheme.word.precision;
    return model;
  }
  static float rounded(float value, const Format& format) {
    Judge judge(format, 64);
    return static_cast<float>(
        judge(Operation::identity, Rounding::rne, static_cast<double>(value)));
  }
  float leave(float value) const { return rounded(value, machine_.eviction); }

  /// What PSUM holds after all K-tiles: of each, the data's real part, then the imaginary one.
  float psum(std::size_t i, std::size_t j, int part, const std::vector<SplitTerm>& terms,
             bool misread) const {
    float held = 0;
    bool fresh = true;
    for (std::size_t k = 0; k < shape_.k; k += machine_.k_tile)
      for (const int data_part : {0, 1})
        for (const SplitTerm& term : terms) {
          const std::size_t count = std::min(machine_.k_tile, shape_.k - k);
          const std::vector<float> a = column(data_part, term.data, i, k, count, misread);
          std::vector<float> b(count);
          const int factor_part = data_part ^ part;
          for (std::size_t step = 0; step < count; ++step) {
            const float w = w_[factor_part][term.factor][(k + step) * shape_.n + j];
            b[step] = data_part == 1 && factor_part == 1 ? -w : w;
          }
          for (int phase = 0; phase < std::max(1, static_cast<int>(machine_.fidelity)); ++phase) {
            held = rounded(
                matmul(held, fresh, part_of(a, phase / 2, 7, 11), part_of(b, phase % 2, 5, 10)),
                machine_.psum);
            fresh = false;
          }
        }
    return held;
  }
  /// The leading `high` significant bits, or those after them up to `both`.
  std::vector<float> part_of(std::vector<float> x, int low, int high, int both) const {
    if (machine_.fidelity == Fidelity::whole) return x;
    const AccumulatorModel whole = accumulator_for(machine_, scheme_.word);
    for (float& value : x) {
      if (whole.flush_inputs && std::abs(value) < min_normal(whole.operands)) value = 0;
      int exponent = 0;
      const double fraction = std::frexp(static_cast<double>(value), &exponent);
      const auto first = [&](int bits) {
        return std::ldexp(std::trunc(std::ldexp(fraction, bits)), exponent - bits);
      };
      value = static_cast<float>(low == 0 ? first(high) : first(both) - first(high));
    }
    return x;
  }
  float matmul(float held, bool fresh, const std::vector<float>& a,
               const std::vector<float>& b) const {
    if (fresh) return chain_(0, a, b);
    if (machine_.across_tiles == AcrossTiles::through) return chain_(held, a, b);
    const std::vector<float> tile{chain_(0, a, b)}, one{1};
    return adder_(held, tile, one);
  }
  std::vector<float> column(int part, std::size_t word, std::size_t i, std::size_t first,
                            std::size_t count, bool misread) const {
    std::vector<float> result(count);
    const float* row = x_[part][word].data() + i * shape_.k;
    for (std::size_t step = 0; step < count; ++step) {
      const std::size_t k = first + step;
      result[step] = !misread ? row[k] : k % 2 == 0 ? 0 : row[(k - 1) / 2];
    }
    return result;
  }

  HandScheme scheme_;
  Machine machine_;
  ProductShape shape_;
  Faults faults_;
  AccumulatorJudge chain_, adder_;
  Words x_[2], w_[2];
};

}  // namespace fftprec::testing
