#include "algorithms/arithmetic/storage_type.hpp"

#include <algorithm>

#include "arith/formats/round.hpp"

namespace fftprec {

namespace {

ArithmeticType type_of_digits(const Format& fixed) {
  return fits_fixed<float>(fixed) ? ArithmeticType::floats : ArithmeticType::doubles;
}

}  // namespace

Format wide_format(ArithmeticType type) {
  switch (type) {
    case ArithmeticType::doubles:
      return fp64;
    case ArithmeticType::pairs:
      return fp32_pair;
    case ArithmeticType::floats:
      break;
  }
  return fp32;
}

ArithmeticType SystemStorage::type() const {
  return fits<float>(format) ? ArithmeticType::floats : ArithmeticType::doubles;
}

ArithmeticType FixedStorage::type() const {
  return std::max(type_of_digits(format), type_of_digits(table));
}

}  // namespace fftprec
