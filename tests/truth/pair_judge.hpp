/// Judges of the double-double transforms and the operands and inputs that try them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include "arith/truth/complex_pairs.hpp"
#include "arith/truth/fourier.hpp"

namespace fftprec::testing {

/// Unit roundoff of the doubles that a pair is made of.
inline constexpr double u = 0x1p-53;

inline constexpr mpfr_prec_t judge_precision = 256;

/// A double of random sign and bits, its exponent uniform in lowest..highest; zero now and then.
double any_double(std::mt19937_64& generator, int lowest, int highest);

/// Appends hi and lo of a pair, |lo| <= u |hi|: significands at random, next to powers of two or of
/// few bits; low parts at random, at half an ulp, at u |hi|, far below or zero. |hi| lies within
/// 2^spread of 1.
void append_pair(std::vector<double>& operands, std::mt19937_64& generator, int spread);

/// Changes one pair of `operands` a little, for a search.
void change_pair(std::vector<double>& operands, std::mt19937_64& generator);

/// Named inputs of a line.
enum class PairInput {
  random,
  full,  ///< random with low parts
  impulse,
  tone,
  constant,
  wide,  ///< 2^-300 .. 2^300
  integers,
  alternating,
  single_huge
};
inline constexpr PairInput all_pair_inputs[] = {
    PairInput::random,   PairInput::full,        PairInput::impulse,
    PairInput::tone,     PairInput::constant,    PairInput::wide,
    PairInput::integers, PairInput::alternating, PairInput::single_huge};
const char* name_of(PairInput input);

/// `size` elements; made of integer operations and exact scalings alone, so the same on every
/// machine.
truth::ComplexPairs pair_input(PairInput input, std::size_t size, std::uint64_t seed);

/// Lines of length n beside each other: block * n * stride + j * stride + line.
struct Layout {
  std::size_t n;
  std::size_t stride;
  std::size_t blocks;
};

/// Where a line lies: element j at first + j * stride.
struct Line {
  std::size_t n;
  std::size_t first = 0;
  std::size_t stride = 1;
};

/// The line of x, exactly.
truth::ComplexReals exact_line(const truth::ComplexPairs& x, const Line& line,
                               mpfr_prec_t precision);

/// ||line of y - exact||_2 / (sqrt(n) ||x||_2), x the exact input, 0 if both are zero; rounded
/// upward.
double relative_error(const truth::ComplexPairs& y, const Line& line,
                      const truth::ComplexReals& exact, const truth::ComplexReals& x);

/// The same with x transformed by truth::Fourier.
double error_against(const truth::Fourier& fourier, const truth::ComplexPairs& x,
                     const truth::ComplexPairs& y, const Line& line);

/// ||x||_2 of everything, rounded upward.
double norm_of(const truth::ComplexPairs& x);

/// FNV-1a over the bits of all parts, the leading doubles of real parts first.
std::uint64_t bits_hash(const truth::ComplexPairs& x);

/// Whether all bits are the same.
bool same_bits(const truth::ComplexPairs& x, const truth::ComplexPairs& y);

}  // namespace fftprec::testing
