/// Stochastic rounding needs a counter, which a value type has not.
#include "arith/formats/emulated.hpp"

using namespace fftprec;

Emulated<bf16, Rounding::sr> value;
