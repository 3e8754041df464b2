/// A value that needs double has no conversion to float.
#include "arith/formats/emulated.hpp"

using namespace fftprec;

float narrow(Emulated<Format{25, -126, 127}> x) { return static_cast<float>(x); }
