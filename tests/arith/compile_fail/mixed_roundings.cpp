/// Numbers that round differently have no difference.
#include "arith/formats/emulated.hpp"

using namespace fftprec;

Bf16 difference(Bf16 a, Emulated<bf16, Rounding::rz> b) { return a - b; }
