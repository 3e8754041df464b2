/// How a complex matrix product is formed: on which engine, and from which words of its operands.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "algorithms/arithmetic/modes.hpp"
#include "arith/accumulators/model.hpp"
#include "arith/machines/machine.hpp"
#include "arith/splitting/block_scaling.hpp"

namespace fftprec {

/// How words are taken from an operand.
enum class WordKind {
  values,  ///< of every value by itself: word i is the rounded rest after words 0 .. i - 1
  slices,  ///< error-free, on a grid shared along k
  blocks,  ///< one word, quantised in blocks along k that share a scale
};

/// How one operand of a matrix product is cut into the words that a tensor engine takes.
struct OperandWords {
  WordKind kind = WordKind::values;
  Format format = fp32;  ///< of a word
  std::size_t count = 1;
  std::size_t zeros = 0;              ///< words after those, all zero
  Rounding rounding = Rounding::rne;  ///< rne, or rz: words are cut
  int leading = 0;                    ///< bits of the first word; 0: as many as of the others
  int scale = 0;                      ///< word i is held times 2^(i scale)
  int bits = 0;                       ///< of slices; 0: as many as the length of sums allows
  BlockFormat block{};                ///< of WordKind::blocks

  /// Words that terms may name.
  std::size_t total() const { return count + zeros; }
  Format first() const { return leading > 0 ? Format{leading, format.emin, format.emax} : format; }
  /// Significant bits of the first words.
  int bits_of(std::size_t words) const {
    return first().precision + (static_cast<int>(words) - 1) * format.precision;
  }
};

/// The words of each fp32 operand in these passes.
inline OperandWords words_of(const Fp32Passes& passes) {
  return {.format = passes.operands,
          .count = passes.words,
          .rounding = passes.rounding,
          .leading = passes.leading};
}

/// The words of both operands, the products of words that are formed, and their sum.
struct WordProducts {
  OperandWords data{};
  OperandWords factor{};
  std::vector<SplitTerm> terms{{0, 0}};  ///< in program order
  TermSum sum = TermSum::psum;
  bool evict_tiles = false;  ///< every K-tile leaves PSUM by itself
};

/// Both operands in words of one kind, and one product of them.
inline WordProducts same_words(const OperandWords& words) {
  return {.data = words, .factor = words};
}

/// In PSUM tiles.
struct TensorProducts {
  WordProducts words{};
  bool checked = false;  ///< PSUM values are compared with exact sums
  AccumulatorModel accumulate{};
};
/// Elementwise products and sums, k ascending.
struct VectorProducts {
  bool quire = false;  ///< sums of products are exact, and rounded once
};
/// fp64, one sequential chain per element, as Machine::fp64_matmul says.
struct HostProducts {};
/// Residues in an integer accumulator.
struct ResidueProducts {
  std::size_t moduli = 0;
};
/// The machine multiplies no matrices in this mode. Algorithms without matrix products still run.
struct NoMatrices {
  std::string reason;
};

/// The engine of a GemmScheme.
enum class Engine { tensor, vector, host, integer, none };

class GemmScheme {
 public:
  using Products =
      std::variant<TensorProducts, VectorProducts, HostProducts, ResidueProducts, NoMatrices>;

  GemmScheme(Products products) : products_(std::move(products)) {}  // NOLINT: one of them is it

  Engine engine() const { return static_cast<Engine>(products_.index()); }
  /// The products if they are of that kind, else null.
  template <class One>
  const One* as() const {
    return std::get_if<One>(&products_);
  }

  /// Calls what(products) with the products of that engine.
  template <class What>
  decltype(auto) visit(What what) const {
    return std::visit(what, products_);
  }

  /// What an engine multiplies: words, or whole values.
  const WordProducts& words() const;
  const OperandWords& data() const { return words().data; }
  const OperandWords& factor() const { return words().factor; }
  const std::vector<SplitTerm>& terms() const { return words().terms; }
  TermSum sum() const { return words().sum; }
  bool evict_tiles() const { return words().evict_tiles; }
  /// The format of the words: decides the accumulator.
  const Format& operands() const { return data().format; }
  bool evict_each() const { return sum() != TermSum::psum; }
  /// Passes into one PSUM before it is evicted.
  std::size_t passes() const { return evict_each() ? 1 : terms().size(); }

  /// Of the tensor engine; of others, one that rounds nothing.
  const AccumulatorModel& accumulate() const;
  /// Of the integer engine, else 0.
  std::size_t moduli() const;

  /// Whether words of an operand lie on a grid that the largest of many values sets.
  bool shares_grids() const;

  /// The same products of other words on a tensor engine.
  GemmScheme with_words(const OperandWords& data, const OperandWords& factor) const;
  /// The same with products that the tensor engine does not round.
  GemmScheme with_exact_products() const;

 private:
  Products products_;
};

/// Significant bits of an exact product of words.
int product_bits(const GemmScheme& gemm);

}  // namespace fftprec
