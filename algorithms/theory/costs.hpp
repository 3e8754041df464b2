/// What an algorithm costs in a mode, in closed form: operations, tensor-engine passes.
#pragma once

#include <cstdint>
#include <tuple>

#include "algorithms/arithmetic/arithmetic_spec.hpp"
#include "algorithms/theory/members.hpp"

namespace fftprec {

/// How often each kind of once-rounded operation was done.
struct OperationCounts {
  std::uint64_t multiplications = 0;
  std::uint64_t additions = 0;    ///< and subtractions
  std::uint64_t conversions = 0;  ///< roundings to a narrower format that are no operation's own

  friend bool operator==(const OperationCounts&, const OperationCounts&) = default;
};

/// Clock cycles of the two engines of a Trainium core. Source: AWS Neuron documentation, NKI.
/// - Tensor: a pass of `rows` moving columns past `outputs` stationary ones takes
///   max(min(64, outputs), rows), whatever its depth.
/// - Vector: an instruction takes max(64, e) for e elements on each of 128 lanes, with two inputs
///   max(64, 2e); a copy out of PSUM has one input, every operation is counted with two.
struct EngineCycles {
  std::uint64_t tensor = 0;
  std::uint64_t vector = 0;
};

/// What a transform costs; counted, not measured.
struct Cost {
  OperationCounts operations;              ///< once-rounded operations on the data
  std::uint64_t real_multiplications = 0;  ///< real products of a data word with a table word
  /// Tensor-engine passes of a kernel that keeps blocks of the table stationary (k_tile x m_tile)
  /// and moves the batch past them, n_tile signals at a time. The emulation walks the same tiles
  /// with the roles exchanged, which changes no bit.
  std::uint64_t matmul_passes = 0;
  EngineCycles cycles{};
};

/// Kernel calls, one after the other: matrix products that leave PSUM by themselves; butterflies,
/// sums and reorderings of data. Elementwise products with a table ride along with what comes next.
struct KernelCalls {
  std::uint64_t tensor = 0;
  std::uint64_t vector = 0;
  friend bool operator==(const KernelCalls&, const KernelCalls&) = default;
};

template <>
inline constexpr auto members_of<OperationCounts> = std::tuple(&OperationCounts::multiplications,
                                                               &OperationCounts::additions,
                                                               &OperationCounts::conversions);
template <>
inline constexpr auto members_of<EngineCycles> = std::tuple(&EngineCycles::tensor,
                                                            &EngineCycles::vector);
template <>
inline constexpr auto members_of<Cost> = std::tuple(&Cost::operations, &Cost::real_multiplications,
                                                    &Cost::matmul_passes, &Cost::cycles);
template <>
inline constexpr auto members_of<KernelCalls> = std::tuple(&KernelCalls::tensor,
                                                           &KernelCalls::vector);

/// The cost of operations on the vector engine, with its cycles: instructions of `width` elements
/// each. Requires: width >= 1 unless there are no operations.
Cost on_vector_engine(Cost cost, std::uint64_t width);

/// One real product of a value with a factor, and one sum of two values.
Cost scaling_cost(const ArithmeticSpec& arithmetic);
Cost sum_cost(const ArithmeticSpec& arithmetic);

/// One elementwise complex product of the mode on the machine.
Cost product_cost(const ArithmeticSpec& arithmetic);

/// `batch` products of a vector with an n x n matrix, on the engine that the mode names, and as
/// elementwise products and sums on the vector engine.
Cost gemm_cost(std::uint64_t n, std::uint64_t batch, const ArithmeticSpec& arithmetic);
Cost dot_cost(std::uint64_t n, std::uint64_t batch, const ArithmeticSpec& arithmetic);

/// `rows` products of a vector of `depth` with a depth x outputs matrix, on the mode's engine.
Cost gemm_cost(std::uint64_t depth, std::uint64_t outputs, std::uint64_t rows,
               const ArithmeticSpec& arithmetic);

/// `batch` n-point DFTs as elementwise products and sums, none with the row and column of ones,
/// each sum made in that many calls.
Cost dft_core_cost(std::uint64_t n, std::uint64_t batch, const ArithmeticSpec& arithmetic,
                   std::uint64_t calls = 1);

}  // namespace fftprec
