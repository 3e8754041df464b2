/// What faulty software does to the products of split operands. Faults are no part of the hardware:
/// each one decorates the products of an arithmetic if a hypothesis sets it.
#pragma once

#include <memory>

#include "algorithms/arithmetic/product_decorator.hpp"
#include "arith/machines/machine.hpp"

namespace fftprec {

/// Which residuals a compiler loses by treating fp32 -> bf16 -> fp32 as the identity: x - bf16(x)
/// is then zero, and so is every word after the first.
enum class Elision { none, data, table, both };

/// What a kernel rounds to bf16 though it should stay fp32: nothing, the sum of the terms of a
/// split product, every term before this sum, or only the leading term.
enum class Demotion { none, sum, terms, leading };

struct Faults {
  Elision elided = Elision::none;
  Demotion demotion = Demotion::none;
  /// Every term of a split product after the first reads the fp32 buffer of its data word as if it
  /// held bf16: element k of K becomes 0 for even k and word[(k - 1) / 2] for odd k.
  bool misread = false;

  friend bool operator==(const Faults&, const Faults&) = default;
};

/// The faults as a decorator, or null if there are none. Demoted values are rounded as `machine`
/// casts.
std::shared_ptr<const ProductDecorator> decorator_of(const Faults& faults, const Machine& machine);

/// Words as a kernel sees them that takes fp32 buffers for bf16: element k of each line along k is
/// 0 for even k, and element (k - 1) / 2 of the line for odd k.
ComplexArray<float> misread_words(const ComplexArray<float>& planes, const WordShape& shape);

}  // namespace fftprec
