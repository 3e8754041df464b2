/// A double does not become a Bf16 unasked: it would round.
#include "arith/formats/emulated.hpp"

using namespace fftprec;

Bf16 from_double(double x) { return x; }
