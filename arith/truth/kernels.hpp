/// The truth of the complex kernels: matrix product, elementwise product, convolution, modReLU.
///
/// Inputs, errors and precision as in transforms.hpp. The bound of an item is relative to the whole
/// item. Throws InputError as in transforms.hpp, and if an operand does not have the stated size.
#pragma once

#include <cstddef>

#include "arith/formats/complex_array.hpp"
#include "arith/truth/certify.hpp"
#include "arith/truth/truth.hpp"

namespace fftprec::truth {

/// The evaluations of the truths below, in any arithmetic. Each refers to its operands.
namespace evaluation {
Evaluation cgemm(const ComplexArray<double>& x, const ComplexArray<double>& w, std::size_t batch,
                 std::size_t k, std::size_t n);
Evaluation cmul(const ComplexArray<double>& x, const ComplexArray<double>& m, std::size_t n);
Evaluation cconv1d(const ComplexArray<double>& x, const ComplexArray<double>& h, std::size_t n,
                   std::size_t taps);
Evaluation cmodrelu(const ComplexArray<double>& z, const ComplexArray<double>& b);
}  // namespace evaluation

/// The complex linear layer y = x w^T: y_ij = sum_l x_il w_jl.
/// Shapes: x batch x k, w n x k, y batch x n, all row-major; an item is a row of y.
inline constexpr Certified<evaluation::cgemm> cgemm{};

/// y_j = x_j m_j. Shapes: x and y items of n; m one item for all, or as long as x.
inline constexpr Certified<evaluation::cmul> cmul{};

/// The linear convolution in full: y_i = sum_j h_j x_(i-j), x = 0 outside.
/// Shapes: x items of n, h of `taps` used for all, y items of n + taps - 1.
/// im = 0 exactly where x (all items) and h are real.
inline constexpr Certified<evaluation::cconv1d> cconv1d{};

/// y_j = max(|z_j| + b_j, 0) z_j/|z_j|, 0 where z_j = 0. Only in MPFR.
/// Shapes: b real, one item of n = b.size() used for all; z and y items of n.
inline constexpr Certified<evaluation::cmodrelu> cmodrelu{};

}  // namespace fftprec::truth
