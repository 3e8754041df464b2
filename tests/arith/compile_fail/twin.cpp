/// What the other files of this folder say wrongly, said rightly: this one must compile.
#include "arith/formats/emulated.hpp"

using namespace fftprec;

Bf16 from_double(double x) { return Bf16(x); }
float to_float(Bf16 x) { return static_cast<float>(x); }
Bf16 same_format(Bf16 a, Bf16 b) { return a + b; }
Bf16 converted_format(Bf16 a, Fp16 b) { return a * Bf16(b); }
Bf16 converted_native(Bf16 a, double b) { return a * Bf16(b); }
Bf16 converted_rounding(Bf16 a, Emulated<bf16, Rounding::rz> b) { return a - Bf16(b); }
double wide_enough(Emulated<Format{25, -126, 127}> x) { return static_cast<double>(x); }
Emulated<Format{50, -450, 450}> fits_in_double(double x) {
  return Emulated<Format{50, -450, 450}>(x);
}
