/// A mode on a machine, worked out once: how elementwise products, sums and matrix products are
/// formed. Kernels, bounds, expectations, costs and predictions take this value; below it nothing
/// asks for a mode or its name again.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "algorithms/arithmetic/modes.hpp"
#include "algorithms/arithmetic/storage.hpp"
#include "arith/accumulators/model.hpp"
#include "arith/formats/quad.hpp"
#include "arith/kernels/fixed.hpp"
#include "arith/machines/machine.hpp"

namespace fftprec {

/// What arrays hold.
enum class DataCarrier {
  floats,   ///< float
  doubles,  ///< double; vector operations run on the host
  pairs,    ///< FloatPair: fp32 double words
  quads,    ///< Quad: fixed point of more than 50 bits
};

/// The carrier of arrays of Real.
template <class Real>
inline constexpr DataCarrier carrier_of = DataCarrier::floats;
template <>
inline constexpr DataCarrier carrier_of<double> = DataCarrier::doubles;
template <>
inline constexpr DataCarrier carrier_of<FloatPair> = DataCarrier::pairs;
template <>
inline constexpr DataCarrier carrier_of<Quad> = DataCarrier::quads;

/// What holds data of a mode that are stored in that format.
DataCarrier carrier_for(const Format& storage);

/// The carrier's own format, in which wide products and the results of matrix products are. Quad
/// has none, because it holds nothing but fixed point.
Format wide_format(DataCarrier carrier);

/// Calls what(Real{}) with the type that the carrier holds.
template <class What>
decltype(auto) with_carrier(DataCarrier carrier, What what) {
  switch (carrier) {
    case DataCarrier::doubles:
      return what(double{});
    case DataCarrier::pairs:
      return what(FloatPair{});
    case DataCarrier::quads:
      return what(Quad{});
    default:
      return what(float{});
  }
}

/// How words are taken from an operand.
enum class WordKind {
  values,  ///< of every value by itself: word i is what is left after those before it, rounded
  slices,  ///< error-free, on a grid shared along k
  blocks,  ///< one word, quantised in blocks along k
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

/// Each operand of fp32 in so many passes.
inline OperandWords words_of(const Fp32Passes& passes) {
  return {.format = passes.operands,
          .count = passes.words,
          .rounding = passes.rounding,
          .leading = passes.leading};
}

/// Where a matrix product runs.
enum class Engine {
  tensor,  ///< PSUM tiles
  vector,  ///< elementwise products and sums, k ascending
  host,    ///< fp64, one sequential chain per element, as Machine::fp64_matmul says
  integer  ///< residues in an integer accumulator
};

/// A complex matrix product as a list of matrix products of words.
struct GemmScheme {
  Engine engine = Engine::tensor;
  OperandWords data{};
  OperandWords factor{};
  std::vector<SplitTerm> terms{{0, 0}};  ///< in program order
  TermSum sum = TermSum::psum;
  bool evict_tiles = false;       ///< every K-tile leaves PSUM by itself
  bool quire = false;             ///< of Engine::vector: sums of products are rounded once
  bool checked = false;           ///< PSUM values are compared with exact sums
  AccumulatorModel accumulate{};  ///< of Engine::tensor
  std::size_t moduli = 0;         ///< of Engine::integer

  /// The format of the words: decides the accumulator.
  const Format& operands() const { return data.format; }
  bool evict_each() const { return sum != TermSum::psum; }
  /// Passes into one PSUM before it is evicted.
  std::size_t passes() const { return evict_each() ? 1 : terms.size(); }
};

struct ResolvedArithmetic {
  std::string mode{};  ///< its name, for messages
  Machine machine{};   ///< the hardware
  Faults faults{};     ///< of the software around it
  DataCarrier carrier = DataCarrier::floats;
  Format storage = fp32;  ///< of data between vector operations
  Format kept = fp32;     ///< of data between passes, of input and result
  /// A rounding to `kept` errs by the larger of its share of the value and this: where small values
  /// have fewer digits.
  double least_error = 0;
  std::optional<BlockFormat> kept_blocks{};  ///< of such data, whose values share scales
  /// Number of transforms stored at once, and of values in each, where blocks need them; 0:
  /// unknown.
  std::size_t kept_batch = 0;
  std::size_t kept_n = 0;
  StorePolicy stores{};                          ///< by passes: `storage` is the carrier's format
  ScalePolicy scale{};                           ///< of data
  Format table = fp32;                           ///< of tables before they are cut into words
  ProductScheme product = ProductScheme::plain;  ///< of elementwise products
  SplitSpec split{};                             ///< of ProductScheme::split
  GemmScheme gemm{};
  /// Why the machine multiplies no matrices in this mode, or an empty string: algorithms that need
  /// none run all the same.
  std::string no_matrices{};
  int refinement_steps = 0;        ///< of X <- X + F(x - F^-1(X))
  bool accurate_residual = false;  ///< formed by fp32 arithmetic, not by the mode's own inverse
  bool rounds_result = false;      ///< the result leaves as fp32, whatever the carrier

  /// How matrix products are formed. Throws NotApplicable, with the reason, if they are not.
  const GemmScheme& matrices() const;
  /// The carrier's own format; in fixed point the format of data, to which every result is rounded.
  Format wide() const { return storage.is_fixed() ? storage : wide_format(carrier); }
  /// True where fp32 data and tables are cut into words.
  bool is_split() const { return product == ProductScheme::split; }
};

ResolvedArithmetic resolve(const Mode& mode, const Machine& machine, const Faults& faults);
ResolvedArithmetic resolve(const Mode& mode, const NamedMachine& machine);

/// The same with data that are kept in the mode's format between passes alone: vector operations
/// and tables are in the carrier's own format, and a tensor engine takes its operands from it,
/// rounded to the nearest. The same bits in modes whose data are in the carrier's format anyway.
ResolvedArithmetic stored_by(ResolvedArithmetic arithmetic, const StorePolicy& stores);

/// The same with plain elementwise products in the carrier's own format.
ResolvedArithmetic in_wide_format(ResolvedArithmetic arithmetic);

/// A factor of all data, as products take it: rounded once to nearest, to the format of data. In
/// fixed point the digits of tables, 50 at most, shifted: no factor is too small.
double stored_factor(const ResolvedArithmetic& arithmetic, double factor);

/// How an integer unit computes; `stream` tells this use of random bits from others. Requires:
/// fixed-point data.
FixedPoint fixed_point(const ResolvedArithmetic& arithmetic, std::uint64_t stream);

/// The elementwise scheme, and the scheme of plain products in the carrier's own format.
ElementScheme element_scheme(const ResolvedArithmetic& arithmetic);
ElementScheme wide_scheme(const ResolvedArithmetic& arithmetic);

/// Significant bits of an exact product of words.
int product_bits(const GemmScheme& gemm);

/// The words of elementwise products: of split ones; of others, whole values.
GemmScheme element_words(const ResolvedArithmetic& arithmetic);

/// Bits of the slices of table and data for a contraction of length `depth`: those of the mode, or
/// as many as leave every PSUM exact; whether they do. Products of the real and of the imaginary
/// part of the data chain in one PSUM (chained = 2) unless evicting them apart leaves more bits.
struct SliceBits {
  int factor;
  int data;
  bool exact;
  std::size_t chained;
};
SliceBits slice_bits(const ResolvedArithmetic& arithmetic, std::size_t depth);

/// The words of table and data for a contraction of that length.
OperandWords factor_words(const ResolvedArithmetic& arithmetic, std::size_t depth);
OperandWords data_words(const ResolvedArithmetic& arithmetic, std::size_t depth);

}  // namespace fftprec
