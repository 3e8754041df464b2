/// The header of a .npy file: a Python dictionary of three entries.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace fftprec {

struct NpyHeader {
  std::string descr;           ///< the dtype, like "<f8"
  bool fortran_order = false;  ///< the first index is the fastest
  std::vector<std::size_t> shape;
};

/// Reads "{'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), }" in the header of `name`:
/// the three keys once each in any order, either quote, white space between the words and after.
/// Throws InputError for anything else, naming the place.
NpyHeader parse_npy_header(std::string_view text, std::string_view name);

}  // namespace fftprec
