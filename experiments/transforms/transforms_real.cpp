/// rfft, irfft, hfft, ihfft, and their forms over several axes: real data and one-sided spectra.
#include <cmath>

#include "arith/truth/metrics.hpp"
#include "arith/truth/transforms.hpp"
#include "experiments/inputs/inputs.hpp"
#include "experiments/transforms/transform_axes.hpp"

namespace fftprec {

namespace {

/// Where the element whose indices are all negated stands. Index i of an item of `lengths`.
std::size_t mirrored(std::size_t i, const Lengths& lengths) {
  std::size_t result = 0;
  std::size_t stride = 1;
  for (std::size_t axis = lengths.size(); axis-- > 0;) {
    const std::size_t k = i % lengths[axis];
    result += stride * ((lengths[axis] - k) % lengths[axis]);
    stride *= lengths[axis];
    i /= lengths[axis];
  }
  return result;
}

/// Makes one item a spectrum of real data: in the planes 0 and n/2 of the last axis, which are
/// their own mirror images, the first of two mirrored elements is copied onto the second (and the
/// second back onto the first, which changes nothing).
void make_consistent(double* re, double* im, const Lengths& lengths) {
  const std::size_t half = half_length(lengths.back());
  const Lengths others(lengths.begin(), lengths.end() - 1);
  for (std::size_t row = 0; row < elements(others); ++row)
    for (std::size_t k = 0; k < half; ++k) {
      if (2 * k % lengths.back() != 0) continue;
      const std::size_t here = row * half + k;
      const std::size_t there = mirrored(row, others) * half + k;
      re[there] = re[here];
      im[there] = there == here ? 0 : -im[here];
    }
}

/// A one-sided spectrum may hold half of the energy of the data and all of that of an error.
const double half_growth = std::sqrt(2.0);

ComplexArray<double> real_input(const TransformAxes& axes, std::string_view input, std::size_t n,
                                std::size_t batch, std::uint64_t seed) {
  ComplexArray<double> x = make_input(input, elements(axes.checked_lengths(n)), batch, seed);
  drop_imaginary(x);
  return x;
}

ComplexArray<double> hermitian_input(const TransformAxes& axes, std::string_view input,
                                     std::size_t n, std::size_t batch, std::uint64_t seed) {
  const Lengths lengths = axes.checked_lengths(n);
  const std::size_t item = elements(half_lengths(lengths));
  ComplexArray<double> x = make_input(input, item, batch, seed);
  for (std::size_t first = 0; first < x.size(); first += item)
    make_consistent(x.re.data() + first, x.im.data() + first, lengths);
  return x;
}

/// rfft and its forms; ihfft as the inverse direction.
template <Direction direction>
TransformEntry from_real(const TransformAxes& axes, const std::string& inverse) {
  TransformEntry entry = over_axes<SeparableRealFft>(axes, inverse, direction);
  entry.make_input = [axes](std::string_view input, std::size_t n, std::size_t batch,
                            std::uint64_t seed) { return real_input(axes, input, n, batch, seed); };
  entry.truth = [axes](const ComplexArray<double>& input, std::size_t n, std::size_t,
                       const truth::TruthOptions& options) {
    return direction == Direction::forward ? truth::rfft_nd(input, axes.lengths(n), options)
                                           : truth::ihfft(input, n, options);
  };
  entry.growth = half_growth;
  // The two-sided spectrum, of which the output is a part.
  entry.reference_norm = [axes](const ComplexArray<double>& input, std::size_t n, std::size_t) {
    const double root = std::sqrt(static_cast<double>(elements(axes.lengths(n))));
    return truth::l2_norm(input) * (direction == Direction::forward ? root : 1 / root);
  };
  return entry;
}

/// irfft and its forms; hfft as the forward direction.
template <Direction direction>
TransformEntry to_real(const TransformAxes& axes, const std::string& inverse) {
  TransformEntry entry = over_axes<SeparableHermitianFft>(axes, inverse, direction);
  entry.growth = half_growth;
  entry.make_input = [axes](std::string_view input, std::size_t n, std::size_t batch,
                            std::uint64_t seed) {
    return hermitian_input(axes, input, n, batch, seed);
  };
  entry.truth = [axes](const ComplexArray<double>& input, std::size_t n, std::size_t,
                       const truth::TruthOptions& options) {
    return direction == Direction::forward ? truth::hfft(input, n, options)
                                           : truth::irfft_nd(input, axes.lengths(n), options);
  };
  return entry;
}

}  // namespace

std::vector<TransformFamily> real_transforms() {
  const std::vector<TransformPair> pairs{
      {"rfft", "the first n/2 + 1 outputs of fft for n real values", "irfft",
       "n real values from the n/2 + 1 outputs of rfft", one_axis()},
      {"rfft2", "rfft along the n columns, fft along the rows; key rows", "irfft2",
       "ifft along the rows, irfft along the n columns; key rows", two_axes()},
      {"rfftn", "rfft along the last axis, fft along the others; key dims in 1..5, default 3",
       "irfftn", "ifft along all axes but the last, then irfft; key dims in 1..5, default 3",
       many_axes()},
  };
  std::vector<TransformFamily> families;
  for (const TransformPair& pair : pairs)
    for (TransformFamily& family :
         families_of(pair, from_real<Direction::forward>, to_real<Direction::inverse>))
      families.push_back(std::move(family));
  const TransformPair hermitian{"hfft", "n real values: fft of the Hermitian extension of n/2 + 1",
                                "ihfft", "the first n/2 + 1 outputs of ifft for n real values",
                                one_axis()};
  for (TransformFamily& family :
       families_of(hermitian, to_real<Direction::forward>, from_real<Direction::inverse>))
    families.push_back(std::move(family));
  return families;
}

}  // namespace fftprec
