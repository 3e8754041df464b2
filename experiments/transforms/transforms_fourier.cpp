/// fft, fft2, fftn and their inverses: complex data.
#include "arith/truth/transforms.hpp"
#include "experiments/inputs/inputs.hpp"
#include "experiments/transforms/transform_axes.hpp"

namespace fftprec {

namespace {

template <Direction direction>
TransformEntry complex_transform(const TransformAxes& axes, const std::string& inverse) {
  TransformEntry entry = over_axes<SeparableFft>(axes, inverse, direction);
  entry.make_input = [axes](std::string_view input, std::size_t n, std::size_t batch,
                            std::uint64_t seed) {
    return make_input(input, elements(axes.checked_lengths(n)), batch, seed);
  };
  entry.truth = [axes](const ComplexArray<double>& input, std::size_t n, std::size_t,
                       const truth::TruthOptions& options) {
    return axes.dims == 1 ? truth::dft(input, n, direction, options)
                          : truth::dft_nd(input, axes.lengths(n), direction, options);
  };
  return entry;
}

}  // namespace

std::vector<TransformFamily> fourier_transforms() {
  const std::vector<TransformPair> pairs{
      {"fft", "sum over j of x_j exp(-2 pi i jk/n)", "ifft",
       "sum over j of x_j exp(+2 pi i jk/n), divided by n", one_axis()},
      {"fft2", "fft along both axes of n x n, or rows x n; key rows", "ifft2",
       "ifft along both axes of n x n, or rows x n; key rows", two_axes()},
      {"fftn", "fft along all axes of n x n x n; key dims in 1..5, default 3", "ifftn",
       "ifft along all axes of n x n x n; key dims in 1..5, default 3", many_axes()},
  };
  std::vector<TransformFamily> families;
  for (const TransformPair& pair : pairs)
    for (TransformFamily& family : families_of(pair, complex_transform<Direction::forward>,
                                               complex_transform<Direction::inverse>))
      families.push_back(std::move(family));
  return families;
}

}  // namespace fftprec
