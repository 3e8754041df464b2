/// A Bf16 does not become a float unasked: it would widen.
#include "arith/formats/emulated.hpp"

using namespace fftprec;

float to_float(Bf16 x) { return x; }
