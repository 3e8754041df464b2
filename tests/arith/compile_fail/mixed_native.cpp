/// A Bf16 and a double have no product.
#include "arith/formats/emulated.hpp"

using namespace fftprec;

Bf16 product(Bf16 a, double b) { return a * b; }
