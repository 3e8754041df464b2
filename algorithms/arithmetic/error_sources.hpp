/// What makes the operations of an arithmetic inexact.
#pragma once

#include <array>
#include <initializer_list>
#include <string_view>

namespace fftprec {

enum class ErrorSource : unsigned {
  input,            ///< the input's rounding to the storage format
  tables,           ///< entries of tables that are not the true ones
  products,         ///< elementwise products, as the mode forms them
  additions,        ///< elementwise sums
  words,            ///< of a matrix product: what its operands lose when they are cut into words
  accumulation,     ///< of a matrix product: sums in PSUM, and outside, of what leaves it
  matrix_products,  ///< of a matrix product: products that are rounded before they are added
  storage,          ///< results rounded to the storage format, and evictions to narrower ones
};

struct NamedSource {
  ErrorSource source;
  std::string_view name;
};
inline constexpr std::array<NamedSource, 8> all_error_sources = {
    {{ErrorSource::input, "input rounding"},
     {ErrorSource::tables, "tables"},
     {ErrorSource::products, "element products"},
     {ErrorSource::additions, "additions"},
     {ErrorSource::words, "operand words"},
     {ErrorSource::accumulation, "accumulation"},
     {ErrorSource::matrix_products, "product rounding"},
     {ErrorSource::storage, "storage and eviction"}}};

/// A set of sources.
class ErrorSources {
 public:
  constexpr ErrorSources() = default;
  static constexpr ErrorSources all() { return ErrorSources(0xff); }
  static constexpr ErrorSources only(ErrorSource source) { return ErrorSources(bit(source)); }
  static constexpr ErrorSources of(std::initializer_list<ErrorSource> sources) {
    ErrorSources set;
    for (const ErrorSource source : sources) set.bits_ |= bit(source);
    return set;
  }
  static constexpr ErrorSources all_but(ErrorSource source) {
    return ErrorSources(all().bits_ & ~bit(source));
  }

  constexpr bool has(ErrorSource source) const { return (bits_ & bit(source)) != 0; }
  constexpr bool has_all(ErrorSources others) const { return (others.bits_ & ~bits_) == 0; }
  constexpr bool has_any(ErrorSources others) const { return (others.bits_ & bits_) != 0; }
  friend constexpr bool operator==(ErrorSources, ErrorSources) = default;

 private:
  explicit constexpr ErrorSources(unsigned bits) : bits_(bits) {}
  static constexpr unsigned bit(ErrorSource source) { return 1u << static_cast<unsigned>(source); }

  unsigned bits_ = 0;
};

}  // namespace fftprec
