/// The precision modes: numerical schemes as data.
///
/// A mode says in which format data and tables are kept and how products and matrix products are
/// formed; a machine (arith/machines/machine.hpp) says how the hardware rounds while it forms them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "arith/formats/format.hpp"
#include "arith/kernels/dispatch.hpp"
#include "arith/machines/machine.hpp"
#include "arith/splitting/block_scaling.hpp"

namespace fftprec {

/// What arrays hold.
enum class DataCarrier {
  floats,   ///< float
  doubles,  ///< double; vector operations run on the host
  pairs,    ///< FloatPair: fp32 double words
};

/// How a matrix product is carried out.
enum class GemmKind {
  words,     ///< tensor engine: operands as stored, or in the words of a split
  vector,    ///< elementwise products and sums, k ascending
  slices,    ///< tensor engine: error-free slices, each product of slices evicted by itself
  residues,  ///< integer tensor engine: one product per modulus, then the Chinese remainder
  blocks,    ///< tensor engine: operands quantised in blocks along k with a shared scale
};

/// Where the terms of a matrix product meet.
enum class TermSum {
  psum,      ///< all accumulate into the same PSUM
  in_fp32,   ///< each leaves PSUM; plain fp32 sums outside
  in_fp64,   ///< fp64 sums outside
  in_pairs,  ///< double-word sums outside
};

/// Error-free slicing of both operands (arith/splitting/slices.hpp).
struct SliceSpec {
  std::size_t factor_slices = 0;
  std::size_t data_slices = 0;
  int bits = 0;  ///< of each slice; 0: the most that leave every PSUM exact
  Format word = bf16;
  TermSum sum = TermSum::in_fp64;
  bool evict_tiles = false;  ///< every K-tile leaves PSUM by itself, so that `bits` need not shrink
  bool checked = false;      ///< every PSUM value is compared with the sum in 64-bit integers
};

struct Mode {
  std::string name;
  std::string summary;
  Format storage = fp32;  ///< of the data on entry and between vector operations
  Format table = fp32;    ///< of the tables before they are cut into words
  DataCarrier carrier = DataCarrier::floats;
  ProductScheme product = ProductScheme::plain;  ///< of elementwise products
  SplitSpec split{};                             ///< of ProductScheme::split, GEMM included
  GemmKind gemm = GemmKind::words;
  SliceSpec slices{};        ///< of GemmKind::slices
  std::size_t moduli = 0;    ///< of GemmKind::residues
  BlockFormat block{};       ///< of GemmKind::blocks
  int refinement_steps = 0;  ///< of X <- X + F(x - F^-1(X))
  /// The residual of a refinement is formed by fp32 arithmetic, not by the mode's own inverse.
  bool accurate_residual = false;
  bool rounds_result = false;  ///< the result leaves as fp32, whatever the carrier
};

/// The seven modes of trnfft, in its order.
const std::vector<Mode>& trnfft_modes();

/// One mode of every kind, those of trnfft first, in the order in which tables show them. Of modes
/// whose names have parameters it is the one that `mode_named` gives for the bare name.
const std::vector<Mode>& modes();

/// The mode of that name:
/// - one of modes(), or FORMAT for data and tables of it: fp16, tf32, fp8_e4m3fn, ...;
/// - WORDxP:Q, residual split of fp32 into P words, Q products kept: bf16x2:3 (= ozaki), bf16x2:4,
///   bf16x3:6, bf16x3:9, fp16x2:3, fp16x2:4 (low words times 2^11), tf32x2:3, tf32x2:4, tf32x3:6,
///   tf32x3:9; without :Q the smaller;
/// - slices:SxT[:BITS][:fp16][:pair|:fp32][:tiles][:check], error-free slices, S of the table, T of
///   the data; checked, a run fails where a PSUM value is not exact;
/// - ozaki2:M, M moduli;
/// - doubleword[:fp32]; refined_fp32:S.
/// Throws InputError, listing the known ones, or with the reason for a parameter out of range.
Mode mode_named(std::string_view text);

/// The carrier of arrays of Real.
template <class Real>
inline constexpr DataCarrier carrier_of = DataCarrier::floats;
template <>
inline constexpr DataCarrier carrier_of<double> = DataCarrier::doubles;
template <>
inline constexpr DataCarrier carrier_of<FloatPair> = DataCarrier::pairs;

/// True for modes whose data are doubles.
inline bool on_host(const Mode& mode) { return mode.carrier == DataCarrier::doubles; }

/// True for modes that cut fp32 data and tables into words.
inline bool is_split(const Mode& mode) { return mode.product == ProductScheme::split; }

/// The carrier's own format: that of wide products and of the results of matrix products.
Format wide_format(const Mode& mode);

/// The elementwise scheme of a mode, and of plain products in the carrier's own format.
ElementScheme element_scheme(const Mode& mode);
ElementScheme wide_scheme(const Mode& mode);

/// How an operand of a matrix product is cut into words before the tensor engine sees it.
enum class Words {
  whole,     ///< one word: the stored value rounded to the operands' format
  residual,  ///< words of that format, each the rounded residual of those before
  leading,   ///< the leading bits, cut; the last word is the rest
  slices,    ///< error-free slices on a grid shared along k
  blocks,    ///< one word, quantised in blocks along k
};

/// Where a matrix product runs.
enum class Engine {
  tensor,  ///< PSUM tiles
  vector,  ///< elementwise products and sums, k ascending
  host,    ///< fp64, one sequential chain per element
  integer  ///< residues in an integer accumulator
};

/// A complex matrix product as a list of matrix products of words.
struct GemmScheme {
  Engine engine = Engine::tensor;
  Words words = Words::whole;
  Format operands = fp32;  ///< of the words: decides the accumulator
  std::size_t data_words = 1;
  std::size_t factor_words = 1;
  int scale = 0;                         ///< residual words: word i is held times 2^(i scale)
  bool cut = false;                      ///< whole words are cut, not rounded
  std::vector<SplitTerm> terms{{0, 0}};  ///< in program order
  TermSum sum = TermSum::psum;
  bool evict_tiles = false;
  AccumulatorModel accumulate{};  ///< of Engine::tensor

  bool evict_each() const { return sum != TermSum::psum; }
  /// Passes into one PSUM before it is evicted.
  std::size_t passes() const { return evict_each() ? 1 : terms.size(); }
};

/// The words of a residual split, wherever their products are formed.
GemmScheme residual_scheme(const SplitSpec& split);

/// Whether a compiler on `machine` loses the residuals of that side of the scheme.
/// Requires: side is data or table.
bool elides(const GemmScheme& scheme, const Machine& machine, Elision side);

/// How `mode` forms matrix products on `machine`. Throws NotApplicable if the machine cannot.
GemmScheme gemm_scheme(const Mode& mode, const Machine& machine);

/// Bits of the slices of table and data for a contraction of length `depth`: those of the mode, or
/// as many as leave every PSUM exact; whether they do. Products of the real and of the imaginary
/// part of the data chain in one PSUM (chained = 2) unless evicting them apart leaves more bits.
struct SliceBits {
  int factor;
  int data;
  bool exact;
  std::size_t chained;
};
SliceBits slice_bits(const Mode& mode, const Machine& machine, std::size_t depth);

}  // namespace fftprec
