/// Worst-case error of the stages that every algorithm is made of, each a theorem proven beside its
/// formula.
///
/// Those called ErrorBound are relative errors in the 2-norm, ||error|| / ||result of the stage||,
/// barring overflow. A stage is a unitary map times a scale, so stages compose: prod (1 + b_i) - 1
/// (as in Brisebarre, Joldes, Muller, Nanes, Picot, TOMS 46(2), 2020; one line of proof: what a
/// stage adds is carried by the later ones like the data themselves). What is below the normal
/// numbers of its format errs by an absolute error besides: SmallErrors.
#pragma once

#include <cstddef>
#include <limits>
#include <optional>
#include <span>

#include "algorithms/arithmetic/arithmetic_spec.hpp"

namespace fftprec {

/// (1 + a)(1 + b) - 1 without cancellation.
constexpr double compose(double a, double b) { return a + b + a * b; }

/// In the place of what is not derived.
inline constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

constexpr double square(double x) { return x * x; }

/// A bound on a relative error, and what a model of random roundings makes of it: each errs by at
/// most u of its result, and by 0 in the mean whatever the roundings before it were (Higham, Mary,
/// SISC 41(5), 2019; stochastic roundings do: Connolly, Higham, Mary, SISC 43(1), 2021). Then the
/// error is at most `certain` plus a martingale, whose steps have squares that add up to at most
/// `square`, whatever happens. docs/numerics.md has the theorem.
struct ErrorBound {
  double worst = 0;    ///< no rounding exceeds it
  double certain = 0;  ///< of tables, words left out and all that is not random
  double square = 0;   ///< of random roundings; NaN where some have a bias, or no model

  constexpr ErrorBound() = default;
  /// Nothing of it is random.
  constexpr ErrorBound(double error) : worst(error), certain(error) {}
  constexpr ErrorBound(double worst_case, double not_random, double of_random)
      : worst(worst_case), certain(not_random), square(of_random) {}

  /// Exceeded with a probability of at most 1e-6: the worst case, or certain + sqrt(2 ln(2/1e-6)
  /// square) if that is smaller (Pinelis, Ann. Probab. 22(4), 1994, theorem 3.5). Nothing where no
  /// rounding is random, or some have a bias.
  std::optional<double> probable() const;
};

/// The errors of two stages, one after the other: the second works on data that the first has made
/// larger by its worst case at most.
constexpr ErrorBound compose(const ErrorBound& a, const ErrorBound& b) {
  return {compose(a.worst, b.worst), a.certain + b.certain * (1 + a.worst),
          a.square + b.square * square(1 + a.worst)};
}

/// Both at a time: the sum.
constexpr ErrorBound operator+(const ErrorBound& a, const ErrorBound& b) {
  return {a.worst + b.worst, a.certain + b.certain, a.square + b.square};
}

constexpr ErrorBound operator*(double factor, const ErrorBound& a) {
  return {factor * a.worst, factor * a.certain, square(factor) * a.square};
}

/// One rounding without bias.
inline ErrorBound random_rounding(double error) { return {error, 0, square(error)}; }

/// `bound` where the model does not hold.
inline ErrorBound not_modelled(const ErrorBound& bound) {
  return {bound.worst, bound.certain, unknown};
}

/// Of two orthogonal parts of the result, relative to the whole.
ErrorBound orthogonal_sum(const ErrorBound& a, const ErrorBound& b);

/// Relative to each part: the larger.
ErrorBound larger(const ErrorBound& a, const ErrorBound& b);

/// (1 + error)^count - 1, evaluated without cancellation.
double repeated_error(double error, std::size_t count);
ErrorBound repeated_error(const ErrorBound& error, std::size_t count);

/// |w^ - w| for a correctly rounded table entry, |w| = 1: both parts are at most 1 in magnitude, so
/// each is off by at most u/2; together u/sqrt(2). In fixed point u stands for the quantum, and
/// where values below 1 are subnormal; where 1 is beyond the range, the part next to it is off by a
/// whole one: together sqrt(5)/2.
double rounded_table_error(const Format& format);

/// |rounded x - x| <= e |x|: the unit roundoff to nearest, twice that in any other rounding. Random
/// to nearest even, where that is an assumption, and stochastically, but for a bias of 2^-bits of a
/// unit.
ErrorBound rounding_error(const Format& format, Rounding rounding, int random_bits = 53);

/// What one rounding to fixed-point data does to a real result of any size, short of an overflow.
struct FixedErrors {
  double largest = 0;   ///< worst case: half a quantum to nearest, else a whole one
  double variance = 0;  ///< expected square, less those of the two that follow
  double mean = 0;      ///< what every result moves by: up is positive
  double outwards = 0;  ///< what every result moves away from zero by
};

/// Of results with that many bits below the quantum q, all as likely, s = 2^-bits: to nearest even
/// the variance is q^2 (1/12 + s^2/6), at random q^2 (1 - s^2)/6, to odd q^2 (1/3 - s/2 + s^2/6).
/// The others have q^2 (1 - s^2)/12: cuts move by q (1 - s)/2, down, up or to zero, ties by q s/2,
/// up or away from zero. Nothing without such bits.
/// Sources: Welch, IEEE Trans. Audio Electroacoust. 17, 1969; Oppenheim, Weinstein, Proc. IEEE 60,
/// 1972.
FixedErrors fixed_errors(const Format& format, Rounding rounding, int bits);

/// Errors of data as the arithmetic keeps them; for floats, those below the normal numbers.
FixedErrors fixed_errors(const ArithmeticSpec& arithmetic, int bits = 40);

/// Of x times the number next to 1, x less next to nothing: to nearest it is x. A cut to zero takes
/// a quantum, one down or up from one sign alone, beside its mean. Jammed it is a quantum below an
/// even x, and x where that is odd: jammed data are mostly odd, their sums mostly even, and what
/// reaches such a factor is even in about one of four.
FixedErrors errors_next_to_one(const ArithmeticSpec& arithmetic);

/// Bounds on |fl(x op y) - x op y| relative to |x op y|.
struct RealErrors {
  ErrorBound store;  ///< a value on its way into the storage format
  ErrorBound product;
  ErrorBound sum;
};

/// Those of the data on the machine's vector engine (on the host: fp64).
/// fp32 pairs: 5u^2 and 3u^2/(1 - 4u) (arith/formats/double_word.hpp), no single roundings. Nor is
/// a value random that shares its scale with others.
RealErrors real_errors(const ArithmeticSpec& arithmetic);

/// True if even a product with a power of two rounds: the multiplier delivers fewer bits than data
/// have.
bool products_are_narrow(const ArithmeticSpec& arithmetic);

/// The largest eta in fl(x) = x (1 + delta) + eta (Higham, ASNA 2nd ed., section 2.1), delta as in
/// rounding_error: if x is below the smallest normal number, half the smallest positive number to
/// nearest, else all of it, also without subnormals. 0 in fixed point: see fixed_errors.
double small_error(const Format& format, Rounding rounding);

/// The same of single operations on real data.
struct SmallErrors {
  double store = 0;    ///< of a value on its way into the format that data are kept in
  double product = 0;  ///< of a product, with its store where data are stored after operations
  double sum = 0;      ///< of a sum: of multiples of the smallest number it is exact down there
};
SmallErrors small_errors(const ArithmeticSpec& arithmetic);

/// The same of each part of a matrix product of that depth with factors of modulus 1, on the engine
/// that the mode names.
double gemm_small_error(const ArithmeticSpec& arithmetic, std::size_t depth);

/// A chain of `length` products through the blocks of a model, from c = 0: |computed - exact| <=
/// gamma * sum |a_k b_k|.
ErrorBound chain_error(const AccumulatorModel& model, std::size_t length);

/// Unit roundoff of the product of two words on its way into the accumulator; 0 where it is exact.
double product_roundoff(const GemmScheme& gemm);

/// What the factors of a product are: entries of modulus 1, as of a DFT matrix, or any.
enum class Factors { roots, any };

/// How large the words of operands are at most, and what they leave out: relative to the operand,
/// to every single value where each is cut by itself, else to the norm of the vector that takes
/// part in one sum.
struct WordNorms {
  double kept;      ///< sum of |w_f| |x_d| over the products of words that are formed
  double left_out;  ///< what products that are not formed, or are of other data, are worth
};

/// Of those words for sums over k of length `depth`.
WordNorms word_norms(const GemmScheme& words, const ArithmeticSpec& arithmetic, std::size_t depth,
                     Factors factors);

/// |fl(wx) - wx| <= rho |w| |x| for the complex product of the mode, table error not included.
ErrorBound product_error(const ArithmeticSpec& arithmetic);

/// A product with an r x r DFT matrix whose entries are off by at most mu, on the engine that the
/// mode names.
ErrorBound gemm_error(const ArithmeticSpec& arithmetic, std::size_t r, double mu);

/// The same as elementwise products and sequential sums on the vector engine.
ErrorBound dot_error(const ArithmeticSpec& arithmetic, std::size_t r, double mu);

/// The same as a DFT of r points whose row and column of ones take no product.
ErrorBound dft_core_error(const ArithmeticSpec& arithmetic, std::size_t r, double mu);

/// A product with any matrix on that engine, relative to ||x||_F ||W||_F.
ErrorBound computed_gemm_error(const ArithmeticSpec& arithmetic, std::size_t depth);

/// One step of refinement X <- X + F(x - G(X)) of an X of error at most `before`, with F and G of
/// error at most `forward` and `backward`. `growth`: an error of relative size e in the data of F
/// or G is at most growth * e in the result; where that is above 1, G need not see all of X.
ErrorBound refined_error(const ErrorBound& before, const ErrorBound& forward,
                         const ErrorBound& backward, double growth);

/// The same for X, F and G of error at most b, unitary up to a scale.
inline ErrorBound refined_error(const ErrorBound& b) { return refined_error(b, b, b, 1); }

/// The terms of a product of split operands that faults of software let read other data than they
/// should.
std::span<const SplitTerm> misread_terms(const GemmScheme& words, const ArithmeticSpec& arithmetic);

}  // namespace fftprec
