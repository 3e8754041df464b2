/// Inputs by name. Generated inputs hold only fp32 numbers, computed without libm and equal on
/// every computer; inputs from a file have the file's values, any finite doubles.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "arith/formats/complex_array.hpp"
#include "experiments/inputs/generators.hpp"
#include "experiments/support/names.hpp"

namespace fftprec {

class FileMemory;

/// An input, its name looked up.
struct Input {
  using Make =
      std::function<ComplexArray<double>(std::size_t n, std::size_t batch, std::uint64_t seed)>;
  Make make;
  bool is_file = false;  ///< its values come from a file
  /// Where a second operand comes from; null: from this input, with the next seed.
  std::shared_ptr<const Input> second{};

  /// The values for `batch` transforms of length n.
  ComplexArray<double> operator()(std::size_t n, std::size_t batch, std::uint64_t seed) const {
    return make(n, batch, seed);
  }
};

/// The input of that name: "NAME", "NAME:key=value:key=value" or "file:PATH?key=value&key=value".
/// The key `k` of jitter goes from 1 to 2^24; its key `inner` takes a whole name that is not a
/// file. The key `inner` of integers is the input of a second operand. list_inputs() has the names
/// and keys, generators.hpp the formulas, file_values.hpp the file formats. Rounds: each step once,
/// in fp32; logarithm, exponential, cosine and sine are correctly rounded. The values of a file are
/// not rounded; this call reads the file and keeps it in `files`. Throws InputError for an unknown
/// name or key, a value that is no number or out of range, and a file that cannot be read. The
/// returned function throws InputError for n = 0 and batch = 0; NotApplicable for torch_randn with
/// n * batch < 16, for a file with fewer than n * batch values, and for values that round to
/// infinity.
Input input_named(std::string_view name, const std::shared_ptr<FileMemory>& files = nullptr);

/// input_named(name)(n, batch, seed).
ComplexArray<double> make_input(std::string_view name, std::size_t n, std::size_t batch,
                                std::uint64_t seed);

/// The canonical spelling of a name whose keys are numbers: the keys that differ from their
/// defaults, in the order of list_inputs(), as the shortest decimals of their fp32 values;
/// "uniform" for "uniform:high=1.0:low=-1". Other names are returned unchanged. Throws InputError
/// for an unknown name or key.
std::string canonical_input(std::string_view name);

/// Whether the values of a random input have a mean other than 0. One output then has so much of
/// the energy that the RMS model does not hold. False for inputs that are not random, come from a
/// file, or are unknown. Throws InputError for an unknown key.
bool has_mean(std::string_view input);

/// The ranges of the n digits of each operand, the first operand first; a second one has the law of
/// `inner`. Empty unless every operand is `integers`. Throws what the input throws.
std::vector<IntegerLaw::Range> digit_ranges(std::string_view input, std::size_t n,
                                            std::size_t operands);

std::vector<Named> list_inputs();

}  // namespace fftprec
