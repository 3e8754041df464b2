/// The flow graph of a transform: every complex value that it computes, and from what.
///
/// An algorithm moves its data and leaves all arithmetic to the array operations. So data that are
/// numbers of nodes in place of values, and operations that make new nodes, give the graph of any
/// algorithm without a change of the algorithm.
#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "algorithms/arithmetic/arithmetic.hpp"
#include "algorithms/arithmetic/roots.hpp"
#include "algorithms/arithmetic/tables.hpp"
#include "arith/formats/complex_array.hpp"
#include "arith/formats/views.hpp"

namespace fftprec {

/// A value of a transform. Nodes are numbered in an order in which operands come first.
struct FlowNode {
  enum class Kind : std::uint8_t {
    zero,     ///< 0
    input,    ///< element a of the input
    moved,    ///< i^turn a
    product,  ///< factor * a
    sum,      ///< a + i^turn b
    scaled,   ///< a times the real number factors[factor]
    dot,      ///< the sum over terms [a, a + b), ascending
  };

  Kind kind = Kind::zero;
  std::uint8_t turn = 0;
  std::uint32_t a = 0;
  std::uint32_t b = 0;
  std::uint32_t factor = 0;  ///< the number of a FlowFactor, or of a scale
};

/// factor * node, in a dot.
struct FlowTerm {
  std::uint32_t node;
  std::uint32_t factor;
};

/// An entry of a table that the transform reads.
struct FlowFactor {
  std::complex<double> exact;  ///< rounded to fp64
  std::complex<double> given;  ///< as the table holds it
  std::optional<RootIndex> root{};
  bool conjugated = false;  ///< it is the conjugate of the root
  bool is_wide = false;     ///< its table is in the type's own format (wide_factors)
  std::uint32_t table = 0;  ///< the same number for entries of one table
  std::uint32_t index = 0;  ///< in its table
};

struct FlowGraph {
  std::vector<FlowNode> nodes;
  std::vector<FlowTerm> terms;
  std::vector<FlowFactor> factors;
  std::vector<double> scales;
};

/// The plane of TracedArithmetic's tables with the entries as the source gives them; plane 0 has
/// the exact ones.
inline constexpr std::size_t plane_of_given = 2;

/// Notes the operations on data whose parts are numbers of nodes: node v is (2 v, 2 v + 1), v > 0,
/// and a zero is (0, 0). Throws NotApplicable for data that are conjugated or whose parts are taken
/// apart, for modReLU, and for graphs of more than `most_nodes` nodes and terms.
class FlowRecorder {
 public:
  static constexpr std::size_t most_nodes = std::size_t{1} << 27;

  FlowRecorder() { graph_.nodes.emplace_back(); }

  /// While a plan is made, its operations are carried out and only its tables are noted.
  bool is_on() const { return on_; }
  void start() { on_ = true; }

  /// The data of `size` inputs.
  ComplexArray<double> inputs(std::size_t size);
  /// The node of an element of the data. Turned data become a node of their own.
  std::uint32_t node_of(double re, double im);
  /// A new node with the value of `node`, and its data.
  std::uint32_t renewed(std::uint32_t node, double& re, double& im);

  /// Entries of a table in memory from `first` on.
  void note_table(const double* first, const TableSpec& spec, Direction direction);
  /// Of a noted table.
  void mark_wide(const double* first) { noted_.at(first).is_wide = true; }

  void multiply(View<double> x, FactorView<double> w);
  void butterfly(View<double> a, View<double> b, FactorView<double> w);
  void butterfly_dif(View<double> a, View<double> b, FactorView<double> w);
  void sum_difference(View<double> a, View<double> b) { sums(a, b, 0); }
  void rotated(View<double> a, View<double> b, Direction direction) {
    sums(a, b, direction == Direction::forward ? 3 : 1);
  }
  void multiply_eighth(View<double> x, bool odd, Direction direction);
  void add(View<double> out, View<double> a, View<double> b);
  void fused(View<double> x, View<double> a, FactorView<double> w);
  void accumulate(View<double> sum, View<double> x, FactorView<double> w);
  void accumulate_columns(View<double> sum, FactorView<double> w, View<double> x);
  void scale_by(View<double> x, double factor);
  void gemm(View<double> out, View<double> x, FactorView<double> w);
  void gemm_columns(View<double> out, FactorView<double> w, View<double> x);

  FlowGraph take() { return std::move(graph_); }

 private:
  struct NotedTable {
    TableSpec spec;
    Direction direction;
    bool is_wide;
    std::uint32_t number;
  };

  std::uint32_t add_node(const FlowNode& node);
  std::uint32_t read(const View<double>& x, std::size_t i, std::size_t j) {
    return node_of(x.re[i * x.stride + j], x.im[i * x.stride + j]);
  }
  static void write(const View<double>& x, std::size_t i, std::size_t j, std::uint32_t node);
  std::uint32_t factor_of(const FactorView<double>& w, std::size_t i, std::size_t j);
  std::uint32_t product(std::uint32_t factor, std::uint32_t node) {
    return add_node({.kind = FlowNode::Kind::product, .a = node, .factor = factor});
  }
  std::uint32_t sum(std::uint32_t a, std::uint32_t b, int turn) {
    return add_node(
        {.kind = FlowNode::Kind::sum, .turn = static_cast<std::uint8_t>(turn), .a = a, .b = b});
  }
  /// (a, b) <- (a + i^turn b, a - i^turn b).
  void sums(View<double> a, View<double> b, int turn);
  /// Term k of the sums over w(k, j) x(i, k), and of those over w(k, i) x(k, j).
  auto row_terms(View<double> x, FactorView<double> w) {
    return [=, this](std::size_t k, std::size_t i, std::size_t j) {
      return FlowTerm{read(x, i, k), factor_of(w, k, j)};
    };
  }
  auto column_terms(FactorView<double> w, View<double> x) {
    return [=, this](std::size_t k, std::size_t i, std::size_t j) {
      return FlowTerm{read(x, k, j), factor_of(w, k, i)};
    };
  }
  /// out(i, j) <- the sum over k of the terms (k, i, j), as one node.
  template <class Term>
  void dots(View<double> out, std::size_t depth, Term term);
  /// total(i, j) += the terms (k, i, j), one sum after the other.
  template <class Term>
  void chains(View<double> total, std::size_t depth, Term term);

  FlowGraph graph_{};
  bool on_ = false;
  std::uint32_t tables_ = 0;
  std::map<const double*, NotedTable> noted_{};  ///< by the first entry
  /// An entry by its place in memory and its value: places may serve several tables in turn.
  std::map<std::pair<const double*, std::pair<double, double>>, std::uint32_t> factors_{};
};

}  // namespace fftprec
