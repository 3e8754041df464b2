/// GoogleTest assertions and matchers on results of FFTs: fftprec::IsFftOf, EXPECT_FFT_ERROR_BELOW.
#pragma once

#include "experiments/testing/gtest.hpp"
