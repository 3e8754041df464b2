/// Tables for tests of the algorithms: correctly rounded roots of unity.
#pragma once

#include "algorithms/arithmetic/roots.hpp"

namespace fftprec::testing {

/// exp(-2 pi i e/order) rounded once, computed here by MPFR and kept.
RootFunction exact_roots();

}  // namespace fftprec::testing
