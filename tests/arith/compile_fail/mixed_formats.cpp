/// Numbers of two formats have no product: in which would it round?
#include "arith/formats/emulated.hpp"

using namespace fftprec;

Bf16 product(Bf16 a, Fp16 b) { return a * b; }
