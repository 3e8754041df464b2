/// The precision modes: numerical schemes as data.
///
/// A mode defines the formats of data and tables, and how products and matrix products are formed;
/// a machine (arith/machines/machine.hpp) defines how the hardware rounds while it forms them. Both
/// together give one value: `ArithmeticSpec` in arithmetic_spec.hpp.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "arith/formats/format.hpp"
#include "arith/kernels/dispatch.hpp"
#include "arith/machines/machine.hpp"
#include "arith/splitting/block_scaling.hpp"

namespace fftprec {

/// Where the terms of a matrix product meet.
enum class TermSum {
  psum,      ///< all accumulate into the same PSUM
  in_fp32,   ///< each leaves PSUM; plain fp32 sums outside
  in_fp64,   ///< fp64 sums outside
  in_pairs,  ///< double-word sums outside
};

/// Data in one format, tables in it or in another; the tensor engine multiplies matrices of both.
struct PlainScheme {
  Format storage = fp32;
  std::optional<Format> table{};
  bool quire = false;  ///< sums of products in matrix products are exact, and rounded once
};

/// fp32 data; all products and sums on the vector engine.
struct VectorScheme {
  ProductScheme product = ProductScheme::plain;
};

/// fp64 throughout, on the host; or data in another format, which operations in fp64 leave in it.
struct HostScheme {
  Format storage = fp64;
};

/// fp32 data and tables cut into words; every product of words that is formed leaves PSUM by itself
/// and is summed in fp32. Elementwise products are split in the same way.
struct SplitScheme {
  SplitSpec split{};
};

/// Error-free slices of both operands (arith/splitting/slices.hpp). Elementwise operations in fp64,
/// or in pairs where terms are summed in pairs.
struct SlicedScheme {
  std::size_t factor_slices = 3;
  std::size_t data_slices = 3;
  int bits = 0;  ///< of each slice; 0: the most bits that leave every PSUM exact
  Format word = bf16;
  TermSum sum = TermSum::in_fp64;
  bool evict_tiles = false;  ///< every K-tile leaves PSUM by itself, so that `bits` need not shrink
  bool checked = false;      ///< every PSUM value is compared with the sum in 64-bit integers
};

/// 8-bit residues on an integer tensor engine: one product per modulus, then the Chinese remainder.
/// Elementwise operations in fp64.
struct ResidueScheme {
  std::size_t moduli = 0;
};

/// fp32 data; operands of matrix products quantised in blocks along k that share a scale.
struct BlockScheme {
  BlockFormat block{};
};

/// Pairs of fp32 throughout, on the vector engine.
struct DoubleWordScheme {
  bool rounds_result = false;  ///< the result leaves as fp32
};

/// Fixed point on an integer unit, tables in a format of their own.
struct FixedScheme {
  Format storage = fixed_format(1, 15);
  Format table = fixed_format(1, 15);
};

using Scheme = std::variant<PlainScheme, VectorScheme, HostScheme, SplitScheme, SlicedScheme,
                            ResidueScheme, BlockScheme, DoubleWordScheme, FixedScheme>;

/// Refinement of a transform F by its inverse G: steps X <- X + F(x - G(X)).
struct Refinement {
  int steps = 1;
  /// The residual is formed by fp32 arithmetic, not by the mode's own inverse.
  bool accurate_residual = false;
};

struct Mode {
  std::string name;
  std::string summary;
  Scheme scheme{};
  std::optional<Refinement> refinement{};

  /// The scheme if it is a `One`, else null.
  template <class One>
  const One* as() const {
    return std::get_if<One>(&scheme);
  }
};

/// The shown name of a mode that has two: trnfft calls fp32 fast, and fp64 double. Every reader
/// accepts both. Other names come back unchanged.
std::string shown_mode(std::string_view name);

/// trnfft's name of that mode; the ids of its cases are made from it. Other names come back
/// unchanged.
std::string trnfft_mode(std::string_view name);

/// The format of data between vector operations, and of tables before they are cut into words.
Format storage_format(const Mode& mode);

/// True for modes that compute in double.
bool on_host(const Mode& mode);

/// One mode of every kind, in the order in which tables show them: first the seven of trnfft. Of
/// modes whose names have parameters it is the one that `mode_named` gives for the bare name.
const std::vector<Mode>& modes();

/// The mode of that name:
/// - one of modes(), or FORMAT for data and tables of it: fp16, tf32, fp8_e4m3fn, ..., or
///   custom(p=12,emin=-126,emax=127), whose values are floats (format_named);
/// - WORDxP:Q, residual split of fp32 into P words, Q products kept: bf16x2:3 (= ozaki), bf16x2:4,
///   bf16x3:6, bf16x3:9, fp16x2:3, fp16x2:4 (low words times 2^11), tf32x2:3, tf32x2:4, tf32x3:6,
///   tf32x3:9; without :Q the smaller;
/// - slices:SxT[:BITS][:fp16][:pair|:fp32][:tiles][:check], error-free slices, S of the table, T of
///   the data; checked, a run fails where a PSUM value is not exact;
/// - ozaki2:M, M moduli;
/// - doubleword[:fp32]; refined_fp32:S;
/// - block(element=E,size=S,scale=RULE,along=AXIS), a block format (block_format_named);
/// - qI.F[:table=qI.F], fixed point of I + F bits, that of the sign among them, and tables of as
///   many, q1.(I+F-1), or of others;
/// - a number system (number_families.hpp) with signs, whose products and sums are all on the
///   vector engine; with :quire after the name, if its family has one, matrix products in a quire;
/// - FORMAT:in=fp64, data of a format that double holds, tables and operations in fp64, results
///   rounded to the format where they are stored;
/// - FORMAT:table=FORMAT, data and tables of two formats whose products fp32 holds.
/// Throws InputError, listing the known ones, or with the reason for a parameter out of range.
Mode mode_named(std::string_view text, ListReader read = nullptr);

}  // namespace fftprec
