/// IEEE 754 binary128, which carries what doubles do not hold: fixed point of up to 64 bits.
#pragma once

#include <cfloat>

namespace fftprec {

#if defined(__SIZEOF_FLOAT128__)
__extension__ using Quad = __float128;
#else
static_assert(LDBL_MANT_DIG == 113, "no type of this platform is binary128");
using Quad = long double;
#endif

}  // namespace fftprec
