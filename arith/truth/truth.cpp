#include "arith/truth/truth.hpp"

namespace fftprec::truth {

std::string_view name_of(Tier tier) {
  switch (tier) {
    case Tier::double_double:
      return "dd";
    case Tier::triple_double:
      return "td";
    case Tier::mpfr:
      break;
  }
  return "mpfr";
}

}  // namespace fftprec::truth
