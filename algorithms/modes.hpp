/// The precision modes: numerical schemes as data.
///
/// A mode says in which format data and tables are kept and how products and matrix products are
/// formed; a machine (arith/machine.hpp) says how the hardware rounds while it forms them.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "arith/format.hpp"
#include "arith/kernels/dispatch.hpp"
#include "arith/product.hpp"

namespace fftprec {

struct Mode {
  std::string_view name;
  std::string_view summary;
  Format storage = fp32;  ///< of the data on entry and between vector operations
  Format table = fp32;    ///< of the tables before they are split into words
  ProductScheme product = ProductScheme::plain;  ///< elementwise products; decides the GEMM too
  int refinement_steps = 0;                      ///< of X <- X + F(x - F^-1(X))
};

/// All modes, in the order in which tables show them.
const std::vector<Mode>& modes();

/// The mode of that name. Throws InputError, listing the known ones.
const Mode& mode_named(std::string_view name);

/// True for modes whose data are fp64: their carrier is double and they run on the host.
constexpr bool on_host(const Mode& mode) { return mode.storage == fp64; }

/// True for modes that cut fp32 data and tables into bf16 words.
constexpr bool is_split(const Mode& mode) {
  return mode.product == ProductScheme::split3 || mode.product == ProductScheme::split6;
}

/// How an operand of a matrix product is cut into words before the tensor engine sees it.
enum class Words {
  whole,       ///< one word, the stored value
  bf16_words,  ///< bf16 words, each the rounded residual of those before
  slices12     ///< the leading 12 significant bits, and the rest
};

/// Where a matrix product runs.
enum class Engine {
  tensor,  ///< PSUM tiles
  vector,  ///< elementwise products and sums, k ascending
  host,    ///< fp64, one sequential chain per element
};

/// A complex matrix product as a list of matrix products of words.
struct GemmScheme {
  Engine engine = Engine::tensor;
  Words words = Words::whole;
  std::size_t data_words = 1;
  std::size_t factor_words = 1;
  std::span<const SplitTerm> terms;  ///< in program order
  bool evict_each = false;           ///< each term leaves PSUM and is summed in fp32
  bool wide_operands = false;        ///< fp32 data, whole or sliced: products round as in fp32
};

/// How `mode` forms matrix products on `machine`.
GemmScheme gemm_scheme(const Mode& mode, const Machine& machine);

}  // namespace fftprec
