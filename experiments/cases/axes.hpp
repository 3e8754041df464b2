/// Axes: the values of each factor that a run covers, as written after `-a` and in sweep files.
///
///     mode=bf16,ozaki        a list; commas within brackets do not split
///     machine=trn{psum=bf16} a preset with parameters set; kept by its canonical name
///     seed=1..20             every integer; 0..100..10 in steps of 10
///     n=[64:256]             the same as 64..256
///     n=2^10,4k,1e4          1024, 4096, 10000
///     n[pow2]=[3:20]         2^3, 2^4, ..., 2^20; also n[pow2]=3,5,7
///     n[smooth]=[60:512]     the lengths there without a prime factor above 7
///     n[primes]=[3:97]       the primes there
#pragma once

#include <array>
#include <concepts>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "experiments/cases/case.hpp"
#include "experiments/cases/columns.hpp"
#include "experiments/files/file_values.hpp"

namespace fftprec {

/// The columns that make a case: transform, algorithm, ..., scale.
std::span<const Column> axis_columns();

/// Their names.
const std::vector<std::string>& axis_names();

/// The values of each axis, in the order of axis_columns(). No values: the default of Case.
struct Axes {
  std::array<std::vector<std::string>, axis_count> values;
};

/// Throws InputError for a case with an unknown name.
class CheckNames {
 public:
  /// `files`: the memory in which the check looks up files.
  template <class Check>
  requires std::invocable<const Check&, const Case&> CheckNames(
      Check check, std::shared_ptr<FileMemory> files = file_memory())
      : check_(std::move(check)), files_(std::move(files)) {}

  void operator()(const Case& where) const { check_(where); }
  FileMemory* files() const { return files_.get(); }

 private:
  std::function<void(const Case&)> check_;
  std::shared_ptr<FileMemory> files_;
};

/// The key of each axis in a table of a file: an alias if the table has it as a key, else the name.
template <class Table>
std::vector<std::string> axis_keys(const Table& table) {
  std::vector<std::string> keys = axis_names();
  for (std::size_t axis = 0; axis < axis_count; ++axis)
    for (const std::string_view alias : axis_columns()[axis].aliases)
      if (table.contains(alias)) keys[axis] = alias;
  return keys;
}

/// The index of an axis in axis_columns(), by its name or an alias. Throws InputError for an
/// unknown name.
std::size_t axis_index(std::string_view name);

/// "pow2", "smooth" and "primes".
const std::vector<std::string>& axis_modifiers();

/// The values of one item of a list: the item itself, or all numbers of a range. `modifier` is
/// empty or one of axis_modifiers(). Throws InputError for a value that the axis cannot hold, such
/// as the length 0.
std::vector<std::string> axis_values(std::size_t axis, std::string_view modifier,
                                     std::string_view item);

/// Sets one axis from "AXIS=VALUES" or "AXIS[MODIFIER]=VALUES", and drops its earlier values.
void set_axis(Axes& axes, std::string_view assignment, const CheckNames& check_names);

/// The canonical spelling of an axis value (see Axis). Names that this version does not know stay
/// unchanged. Throws InputError for a machine file without a machine.
std::string canonical_value(std::size_t axis, const std::string& value);

/// The canonical value, checked. The name of a file gets the hash of its content, so that a changed
/// file makes another case. Throws InputError if a case with the value would have an unknown name.
std::string check_axis_value(std::size_t axis, const std::string& value,
                             const CheckNames& check_names);

/// Sorts as in results.csv, and drops duplicates.
void normalise(std::vector<Case>& cases);

/// The 7-smooth numbers in first..last, ascending: 2^a 3^b 5^c 7^d, 1 included. They have no prime
/// factor above 7, so FFT libraries have fast radices for them.
std::vector<std::uint64_t> smooth_numbers(std::uint64_t first, std::uint64_t last);

/// The primes in first..last, ascending. Requires: last < 2^32.
std::vector<std::uint64_t> primes(std::uint64_t first, std::uint64_t last);

}  // namespace fftprec
