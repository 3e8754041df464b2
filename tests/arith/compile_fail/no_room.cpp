/// A format whose error terms underflow in double is refused.
#include "arith/formats/emulated.hpp"

using namespace fftprec;

Emulated<Format{50, -1000, 1000}> value;
