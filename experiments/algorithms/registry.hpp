/// Algorithms by name, and the way in for others.
#pragma once

#include <complex>
#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "experiments/algorithms/algorithm_entry.hpp"
#include "experiments/support/names.hpp"

namespace fftprec {

/// x <- sum over j of x_j exp(-+2 pi i jk/n), n = x.size(), the inverse divided by n. Called from
/// several threads at once. Throws NotApplicable, with the reason, for a length that it cannot do:
/// such a row is skipped.
template <class Real>
using FftFunction = std::function<void(std::span<std::complex<Real>> x, Direction direction)>;

/// Adds an algorithm to those that every command knows by name. To be called before anything looks
/// up a name: at the beginning of main. Throws InputError for a name that is known already, or has
/// other characters than letters, digits, '-', '_' and '.'.
void register_algorithm(AlgorithmEntry entry);

/// Of a class template over an ArrayArithmetic: runs in every mode, on every machine, in every
/// transform that takes an FFT.
template <template <class> class Algorithm>
void register_algorithm(std::string name, std::string summary) {
  register_algorithm(algorithm_entry<Algorithm>(std::move(name), std::move(summary)));
}

/// Of a function in float or in double: as peer_entry says.
void register_algorithm(std::string name, std::string summary, FftFunction<float> fft);
void register_algorithm(std::string name, std::string summary, FftFunction<double> fft);

/// The names that register_algorithm was given.
std::vector<std::string> registered_algorithms();

/// How many algorithms may stand inside one another: what one predicts, all that hold it ask for
/// several times.
inline constexpr std::size_t most_inner_algorithms = 4;

/// The algorithm of that name, "NAME" or "NAME:key=value:...:inner=ALGORITHM"; what follows
/// `inner=` is a whole algorithm name again. Throws InputError for an unknown name or key, listing
/// the known ones, and for more than most_inner_algorithms inside one another.
AlgorithmEntry algorithm_named(std::string_view name);

/// The name of every FFT, without keys, in the order in which tables show them.
std::vector<std::string> algorithm_names();

std::vector<Named> list_algorithms();
std::vector<Named> list_modes();
std::vector<Named> list_machines();

}  // namespace fftprec
