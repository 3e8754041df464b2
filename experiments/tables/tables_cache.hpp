/// Root tables by order and format, made once and kept.
#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <mutex>

#include "arith/formats/complex_array.hpp"
#include "arith/formats/format.hpp"

namespace fftprec {

/// Answers the root of an exponent from a table of its whole order; safe from several threads.
/// A thread that stays with one order and format, as one filling a table does, takes no lock.
class TablesCache {
 public:
  using Table = ComplexArray<double>;
  using Make = Table (*)(std::size_t order, const Format& format);

  explicit TablesCache(Make make) : make_(make) {}

  /// Entry exponent mod order.
  std::complex<double> at(std::uint64_t exponent, std::uint64_t order, const Format& format);

 private:
  struct Entry {
    const TablesCache* owner = nullptr;
    std::uint64_t order = 0;
    Format format{};
    std::shared_ptr<const Table> table;
  };
  bool matches(const Entry& entry, std::uint64_t order, const Format& format) const;
  Entry find_or_make(std::uint64_t order, const Format& format);

  Make make_;
  std::mutex mutex_;
  std::list<Entry> entries_;  ///< latest use first
};

}  // namespace fftprec
