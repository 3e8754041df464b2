#include "algorithms/arithmetic/flow_recorder.hpp"

#include <cmath>
#include <numbers>

#include "arith/support/error.hpp"

namespace fftprec {

namespace {

template <class Body>
void each_place(const View<double>& x, Body body) {
  for (std::size_t i = 0; i < x.rows; ++i)
    for (std::size_t j = 0; j < x.cols; ++j) body(i, j);
}

}  // namespace

std::uint32_t FlowRecorder::add_node(const FlowNode& node) {
  if (graph_.nodes.size() + graph_.terms.size() >= most_nodes)
    throw NotApplicable("the flow graph of this transform has more than 2^27 values");
  graph_.nodes.push_back(node);
  return static_cast<std::uint32_t>(graph_.nodes.size() - 1);
}

void FlowRecorder::write(const View<double>& x, std::size_t i, std::size_t j, std::uint32_t node) {
  x.re[i * x.stride + j] = 2.0 * node;
  x.im[i * x.stride + j] = 2.0 * node + 1;
}

ComplexArray<double> FlowRecorder::inputs(std::size_t size) {
  ComplexArray<double> data(size);
  const View<double> all = view_of(data, 1, size);
  for (std::size_t i = 0; i < size; ++i)
    write(all, 0, i, add_node({.kind = FlowNode::Kind::input, .a = static_cast<std::uint32_t>(i)}));
  return data;
}

std::uint32_t FlowRecorder::node_of(double re, double im) {
  if (re == 0 && im == 0) return 0;
  const bool exchanged = std::fmod(std::fabs(re), 2) != 0;  // of 2 v and 2 v + 1
  const double even = exchanged ? im : re;
  const double odd = exchanged ? re : im;
  if (std::fabs(odd) != std::fabs(even) + 1 ||
      std::fabs(even) >= 2 * static_cast<double>(graph_.nodes.size()))
    throw NotApplicable("the transform takes real and imaginary parts of its data apart");
  const auto node = static_cast<std::uint32_t>(std::fabs(even) / 2);
  // i (a + b i) = -b + a i.
  const bool is_turned =
      exchanged ? std::signbit(odd) != std::signbit(even) : std::signbit(odd) == std::signbit(even);
  if (!is_turned) throw NotApplicable("the transform conjugates data between its operations");
  const int turn = exchanged ? (std::signbit(odd) ? 1 : 3) : (std::signbit(even) ? 2 : 0);
  if (turn == 0) return node;
  return add_node(
      {.kind = FlowNode::Kind::moved, .turn = static_cast<std::uint8_t>(turn), .a = node});
}

std::uint32_t FlowRecorder::renewed(std::uint32_t node, double& re, double& im) {
  const std::uint32_t now = add_node({.kind = FlowNode::Kind::moved, .a = node});
  re = 2.0 * now;
  im = 2.0 * now + 1;
  return now;
}

void FlowRecorder::note_table(const double* first, const TableSpec& spec, Direction direction) {
  // What was there before is gone.
  auto from = noted_.lower_bound(first);
  if (from != noted_.begin() && std::prev(from)->first + std::prev(from)->second.spec.size > first)
    --from;
  noted_.erase(from, noted_.lower_bound(first + spec.size));
  noted_.emplace(first, NotedTable{spec, direction, false, ++tables_});
}

std::uint32_t FlowRecorder::factor_of(const FactorView<double>& w, std::size_t i, std::size_t j) {
  const std::size_t at = i * w.row_step + j * w.col_step;
  const double* place = w.re + at;
  const auto [known, is_new] = factors_.try_emplace(
      {place, {w.re[at], w.im[at]}}, static_cast<std::uint32_t>(graph_.factors.size()));
  if (!is_new) return known->second;
  const std::size_t given = at + plane_of_given * w.plane;
  FlowFactor factor{.exact = {w.re[at], w.im[at]}, .given = {w.re[given], w.im[given]}};
  const auto after = noted_.upper_bound(place);
  if (after != noted_.begin()) {
    const auto& [first, table] = *std::prev(after);
    const auto index = static_cast<std::size_t>(place - first);
    if (index < table.spec.size) {
      factor.root = table.spec.index(index);
      factor.conjugated = table.direction == Direction::inverse;
      factor.is_wide = table.is_wide;
      factor.table = table.number;
      factor.index = static_cast<std::uint32_t>(index);
    }
  }
  graph_.factors.push_back(factor);
  return known->second;
}

void FlowRecorder::multiply(View<double> x, FactorView<double> w) {
  each_place(x, [&](std::size_t i, std::size_t j) {
    write(x, i, j, product(factor_of(w, i, j), read(x, i, j)));
  });
}

void FlowRecorder::butterfly(View<double> a, View<double> b, FactorView<double> w) {
  multiply(b, w);
  sums(a, b, 0);
}

void FlowRecorder::butterfly_dif(View<double> a, View<double> b, FactorView<double> w) {
  sums(a, b, 0);
  multiply(b, w);
}

void FlowRecorder::sums(View<double> a, View<double> b, int turn) {
  each_place(a, [&](std::size_t i, std::size_t j) {
    const std::uint32_t first = read(a, i, j);
    const std::uint32_t second = read(b, i, j);
    write(a, i, j, sum(first, second, turn));
    write(b, i, j, sum(first, second, (turn + 2) % 4));
  });
}

void FlowRecorder::multiply_eighth(View<double> x, bool odd, Direction direction) {
  // exp(-i pi/4) or exp(-3 i pi/4): sums, and a product with fl(cos pi/4).
  const std::uint64_t exponent = odd ? 3 : 1;
  const double part = std::numbers::sqrt2 / 2;
  const bool forward = direction == Direction::forward;
  const std::complex<double> value(odd ? -part : part, forward ? -part : part);
  const auto [known, is_new] = factors_.try_emplace(
      {nullptr, {value.real(), value.imag()}}, static_cast<std::uint32_t>(graph_.factors.size()));
  if (is_new)
    graph_.factors.push_back(
        {.exact = value, .given = value, .root = RootIndex{exponent, 8}, .conjugated = !forward});
  const std::uint32_t factor = known->second;
  each_place(x,
             [&](std::size_t i, std::size_t j) { write(x, i, j, product(factor, read(x, i, j))); });
}

void FlowRecorder::add(View<double> out, View<double> a, View<double> b) {
  each_place(out, [&](std::size_t i, std::size_t j) {
    write(out, i, j, sum(read(a, i, j), read(b, i, j), 0));
  });
}

void FlowRecorder::fused(View<double> x, View<double> a, FactorView<double> w) {
  each_place(x, [&](std::size_t i, std::size_t j) {
    write(x, i, j, sum(read(x, i, j), product(factor_of(w, i, j), read(a, i, j)), 0));
  });
}

void FlowRecorder::scale_by(View<double> x, double factor) {
  const auto number = static_cast<std::uint32_t>(graph_.scales.size());
  graph_.scales.push_back(factor);
  each_place(x, [&](std::size_t i, std::size_t j) {
    write(x, i, j,
          add_node({.kind = FlowNode::Kind::scaled, .a = read(x, i, j), .factor = number}));
  });
}

template <class Term>
void FlowRecorder::dots(View<double> out, std::size_t depth, Term term) {
  // `out` may hold anything before, so all nodes are read first.
  std::vector<std::uint32_t> nodes;
  nodes.reserve(out.rows * out.cols);
  each_place(out, [&](std::size_t i, std::size_t j) {
    const auto first = static_cast<std::uint32_t>(graph_.terms.size());
    for (std::size_t k = 0; k < depth; ++k) graph_.terms.push_back(term(k, i, j));
    nodes.push_back(add_node(
        {.kind = FlowNode::Kind::dot, .a = first, .b = static_cast<std::uint32_t>(depth)}));
  });
  std::size_t at = 0;
  each_place(out, [&](std::size_t i, std::size_t j) { write(out, i, j, nodes[at++]); });
}

template <class Term>
void FlowRecorder::chains(View<double> total, std::size_t depth, Term term) {
  each_place(total, [&](std::size_t i, std::size_t j) {
    std::uint32_t now = read(total, i, j);
    for (std::size_t k = 0; k < depth; ++k) {
      const FlowTerm next = term(k, i, j);
      now = sum(now, product(next.factor, next.node), 0);
    }
    write(total, i, j, now);
  });
}

void FlowRecorder::accumulate(View<double> total, View<double> x, FactorView<double> w) {
  chains(total, x.cols, row_terms(x, w));
}

void FlowRecorder::accumulate_columns(View<double> total, FactorView<double> w, View<double> x) {
  chains(total, x.rows, column_terms(w, x));
}

void FlowRecorder::gemm(View<double> out, View<double> x, FactorView<double> w) {
  dots(out, x.cols, row_terms(x, w));
}

void FlowRecorder::gemm_columns(View<double> out, FactorView<double> w, View<double> x) {
  dots(out, x.rows, column_terms(w, x));
}

}  // namespace fftprec
