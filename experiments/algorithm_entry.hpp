/// An algorithm as the registry knows it: its instantiations, bounds and costs behind one name.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "algorithms/bounds.hpp"
#include "algorithms/costs.hpp"
#include "algorithms/machine_arithmetic.hpp"
#include "experiments/table_error.hpp"

namespace fftprec {

/// A transform with its tables, ready to run: x <- transform of each of its rows.
template <class Real>
using Plan = std::function<void(const MachineArithmetic<Real>&, ComplexArray<Real>&)>;

/// Makes a plan for length n with tables from `roots`.
template <class Real>
using MakePlan = Plan<Real> (*)(const MachineArithmetic<Real>&, std::size_t n, Direction,
                                const RootFunction& roots);

struct AlgorithmEntry {
  std::string_view name;
  std::string_view summary;
  std::string (*unsupported)(std::size_t n);  ///< why not this n, or an empty string
  MakePlan<float> make_float;
  MakePlan<double> make_double;
  TableExtent (*table_extent)(std::size_t n);
  std::size_t (*table_entries)(std::size_t n);  ///< how large the tables are
  Format (*output_format)(const Mode&);         ///< of the result, without refinement
  Bound (*bound)(const BoundCase&);
  std::vector<TableStatistics> (*statistics)(std::size_t n, const RootFunction& roots,
                                             const RootFunction& exact, const Format&);
  double (*expected)(const BoundCase&, std::span<const TableStatistics>);
  Cost (*cost)(std::uint64_t n, std::uint64_t batch, const Mode&, const Machine&);
};

/// All algorithms. To add one, add its entry in registry.cpp.
const std::vector<AlgorithmEntry>& algorithm_entries();

/// The entry of that name. Throws InputError, listing the known ones.
const AlgorithmEntry& algorithm_named(std::string_view name);

}  // namespace fftprec
