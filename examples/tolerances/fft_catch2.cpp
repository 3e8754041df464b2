/// Catch2: an FFT against the definition, with the tolerance of docs/tolerances.md.
#if __has_include(<catch2/catch_test_macros.hpp>)
#include <catch2/catch_template_test_macros.hpp>  // Catch2 3: link Catch2::Catch2WithMain
#else
#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>
#endif

#include "dft.hpp"

TEMPLATE_TEST_CASE("my_fft errs no more than by rounding", "", float, double) {
  for (const std::size_t n : {16u, 128u, 1024u})
    for (const auto& x : test_data<TestType>(n)) {
      CAPTURE(n);
      CHECK(fft_error(my_fft(x), x) <= fft_tolerance<TestType>(n));
    }
}
