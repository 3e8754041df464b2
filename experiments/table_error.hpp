/// How far the entries of a table source can be from the true roots of unity.
#pragma once

#include <cstdint>
#include <string_view>

#include "arith/format.hpp"

namespace fftprec {

/// The tables that an algorithm asks for: roots exp(-2 pi i e/order) with e/order at most `turns`
/// (not reduced) and e modulo the order at most `index`.
struct TableExtent {
  double turns;
  std::uint64_t index;
};

/// A bound on |w^ - w| over such a table, entries rounded to `format`; the proof for each source
/// stands in table_error.cpp. Throws InputError for an unknown source.
double table_error_bound(std::string_view source, const TableExtent& extent, const Format& format);

}  // namespace fftprec
