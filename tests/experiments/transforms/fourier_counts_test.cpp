/// Every transform over axes and every cosine transform does exactly the operations that its
/// prediction says, in every mode of trnfft.
#include "tests/experiments/transforms/fourier_transforms.hpp"
#include "tests/experiments/transforms/transform_counts.hpp"
#include "tests/support/trnfft_modes.hpp"

namespace fftprec::testing {

class FourierCounts : public PerFourierTransform {};

TEST_P(FourierCounts, EqualTheirPrediction) {
  const std::string& transform = GetParam().name;
  for (const char* algorithm : {"radix2-dit", "dft-gemm", "stockham-r8", "bluestein"})
    for (const std::size_t n : GetParam().lengths) {
      if (!transform_named(transform).unsupported(algorithm_named(algorithm), n).empty()) continue;
      for (const Mode& mode : trnfft_modes())
        for (const char* machine : {"trn", "ieee", "trn-claim", "tt-wormhole{fidelity=hifi3}"})
          expect_predicted_counts(transform, algorithm, n, mode, machine_named(machine));
    }
}

INSTANTIATE_TEST_SUITE_P(All, FourierCounts, every_fourier_transform(), name_of_transform);

}  // namespace fftprec::testing
