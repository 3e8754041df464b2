/// Worst-case error of the stages that every algorithm is made of, each a theorem proven beside its
/// formula in bounds.cpp.
///
/// All are relative errors in the 2-norm, ||error|| / ||result of the stage||, barring overflow and
/// underflow. A stage is a unitary map times a scale, so stages compose: prod (1 + b_i) - 1
/// (as in Brisebarre, Joldes, Muller, Nanes, Picot, TOMS 46(2), 2020; one line of proof: what a
/// stage adds is carried by the later ones like the data themselves).
#pragma once

#include <cstddef>

#include "algorithms/arithmetic/modes.hpp"

namespace fftprec {

/// (1 + a)(1 + b) - 1 without cancellation.
constexpr double compose(double a, double b) { return a + b + a * b; }

/// (1 + error)^count - 1, evaluated without cancellation.
double repeated_error(double error, std::size_t count);

/// |w^ - w| for a correctly rounded table entry, |w| = 1: both parts are at most 1 in magnitude, so
/// each is off by at most u/2; together u/sqrt(2).
double rounded_table_error(const Format& format);

/// |fl(wx) - wx| <= rho |w| |x| for the complex product of the mode, table error not included.
double product_error(const Mode& mode, const Machine& machine);

/// A product with an r x r DFT matrix whose entries are off by at most mu, on the engine that the
/// mode names.
double gemm_error(const Mode& mode, const Machine& machine, std::size_t r, double mu);

/// The same as elementwise products and sequential sums on the vector engine.
double dot_error(const Mode& mode, const Machine& machine, std::size_t r, double mu);

/// The same as a DFT of r points whose row and column of ones take no product.
double dft_core_error(const Mode& mode, const Machine& machine, std::size_t r, double mu);

/// A product with any matrix on that engine, relative to ||x||_F ||W||_F.
double computed_gemm_error(const Mode& mode, const Machine& machine, std::size_t depth);

/// One step of refinement X <- X + F(x - G(X)) of an X of error at most `before`, with F and G of
/// error at most `forward` and `backward`. `growth`: an error of relative size e in the data of F
/// or G is at most growth * e in the result; where that is above 1, G need not see all of X.
double refined_error(double before, double forward, double backward, double growth);

/// The same for X, F and G of error at most b, unitary up to a scale.
inline double refined_error(double b) { return refined_error(b, b, b, 1); }

}  // namespace fftprec
