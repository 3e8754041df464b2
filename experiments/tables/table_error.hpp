/// How far the entries of a table source can be from the true roots of unity.
#pragma once

#include <string_view>

#include "algorithms/arithmetic/table_spec.hpp"
#include "arith/formats/format.hpp"

namespace fftprec {

/// A bound on |w^ - w| over such a table, entries rounded to `format`; the proof for each source
/// stands in table_error.cpp. Throws InputError for an unknown source.
double table_error_bound(std::string_view source, const TableExtent& extent, const Format& format);

}  // namespace fftprec
