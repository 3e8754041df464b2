/// Algorithms by name, and the registration of new ones.
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
/// several threads at once. Throws NotApplicable, with the reason, for a length that it does not
/// support; the row is then skipped.
template <class Real>
using FftFunction = std::function<void(std::span<std::complex<Real>> x, Direction direction)>;

/// Adds an algorithm, so that every command finds it by name. Call it at the beginning of main,
/// before any name is looked up. Throws InputError for a name that exists already, or has
/// characters other than letters, digits, '-', '_' and '.'.
void register_algorithm(AlgorithmEntry entry);

/// Registers a class template over an ArrayArithmetic. It runs in every mode, on every machine, in
/// every transform that takes an FFT.
template <template <class> class Algorithm>
void register_algorithm(std::string name, std::string summary) {
  register_algorithm(algorithm_entry<Algorithm>(std::move(name), std::move(summary)));
}

/// Registers a function in float or in double, as a peer_entry.
void register_algorithm(std::string name, std::string summary, FftFunction<float> fft);
void register_algorithm(std::string name, std::string summary, FftFunction<double> fft);

/// The names that were registered.
std::vector<std::string> registered_algorithms();

/// How deep algorithms may be nested. Each asks its inner algorithm for predictions several times.
inline constexpr std::size_t most_inner_algorithms = 4;

/// The algorithm of that name, "NAME" or "NAME:key=value:...:inner=ALGORITHM". ALGORITHM is a whole
/// name and may have keys, too. Throws InputError for an unknown name or key, listing the known
/// ones, and for algorithms nested deeper than most_inner_algorithms.
AlgorithmEntry algorithm_named(std::string_view name);

/// The names of all FFTs, without keys, in the order in which tables show them.
std::vector<std::string> algorithm_names();

std::vector<Named> list_algorithms();
std::vector<Named> list_modes();
std::vector<Named> list_machines();

}  // namespace fftprec
