/// What stages cost: operations, tensor-engine passes and clock cycles, counted in closed form.
#pragma once

#include <cstdint>
#include <tuple>

#include "algorithms/theory/members.hpp"

namespace fftprec {

/// How often each kind of once-rounded operation was done.
struct OperationCounts {
  std::uint64_t multiplications = 0;
  std::uint64_t additions = 0;    ///< and subtractions
  std::uint64_t conversions = 0;  ///< roundings to a narrower format after an operation

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

/// The shortest instruction of either engine, in elements.
inline constexpr std::uint64_t shortest_instruction = 64;

/// The cost of operations on the vector engine, with its cycles: instructions of `width` elements
/// each.
/// Requires: width >= 1 unless there are no operations.
Cost on_vector_engine(Cost cost, std::uint64_t width);

/// ceil(a / b).
constexpr std::uint64_t ceil_divided(std::uint64_t a, std::uint64_t b) { return (a + b - 1) / b; }

}  // namespace fftprec
