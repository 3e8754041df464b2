/// Matrix products that distinguish machines, to run on a device whose arithmetic is unknown.
///
/// A probe is a whole matrix product, since every framework and library offers one. Each row of A
/// tests one property (by a large term, its opposite, and small terms between them). The columns of
/// B vary the test: they omit terms, change signs, or use significands of few or of all bits.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "arith/machines/machine.hpp"

namespace fftprec::identify {

/// The formats of A and B.
struct Operands {
  Operands() = default;
  Operands(const Format& both) : a(both), b(both) {}  // NOLINT: one format is both
  Operands(const Format& of_a, const Format& of_b) : a(of_a), b(of_b) {}

  Format a = bf16;
  Format b = bf16;
};

/// Parses "bf16", or the formats of A and B, "fp8_e4m3fn,fp8_e5m2". Throws InputError for other
/// texts.
Operands operands_named(std::string_view text);
std::string to_string(const Operands& operands);

/// One product D = A B, or D = C + A B. Matrices are row-major; C is empty or m x n.
struct Batch {
  std::string name;
  std::string meaning;  ///< the property that its outputs decide, as one sentence
  std::size_t m = 0;
  std::size_t n = 0;
  std::size_t k = 0;
  std::vector<float> a{};
  std::vector<float> b{};
  std::vector<float> c{};
};

inline constexpr std::size_t largest_probe = 4096;  ///< m, n and k

struct ProbeOptions {
  Operands operands{};
  std::size_t m = 64;
  std::size_t n = 64;
  std::vector<std::size_t> depths{16, 128, 512};  ///< values of k; the smallest has every family
};

/// All batches for these operands, the smallest k first. Values of C have at most 24 bits.
/// Families that the formats' ranges of exponents cannot reach are left out.
/// Throws InputError unless 8 <= m, n, 4 <= k and all are at most `largest_probe`, and for operands
/// wider than fp32 or all files above 64 MB.
std::vector<Batch> probe_batches(const ProbeOptions& options);

/// The outputs of a product to compute: rows 0, `row_step`, 2 row_step, ...; the first `columns`.
struct Part {
  std::size_t row_step = 1;
  std::size_t columns = 0;  ///< 0: all
};

/// The part of D that the machine computes, row-major; A is the data and B the table in the passes
/// of fp32 operands. C is first rounded to the formats that store it, unless a fixed point aligns
/// it.
/// Throws NotApplicable if the machine does not take these operands.
std::vector<float> product_on(const Machine& machine, const Operands& operands, const Batch& batch,
                              Part part = {});

}  // namespace fftprec::identify
