#include "arith/truth/trigonometric.hpp"

#include <string_view>
#include <utility>
#include <vector>

#include "arith/support/error.hpp"
#include "arith/truth/roots.hpp"

namespace fftprec::truth {
namespace {

/// Which part of a DFT a transform is. A real z times 1, i or 1 + i has the real part Re z, -Im z
/// or Re z - Im z.
enum class DftPart { cosine, sine, both };

/// Re(f y_(places_k)), f by `part`, of the DFT y of x_(sources_i), i < sources.size().
struct PartOfDft {
  std::vector<std::size_t> sources;  ///< npos: a zero
  std::vector<std::size_t> places;
  DftPart part = DftPart::cosine;
  bool twice = true;
};

/// A DFT of `points` zeros, to be filled.
PartOfDft part_of_dft(std::size_t points, DftPart part) {
  return {.sources = std::vector<std::size_t>(points, npos), .places = {}, .part = part};
}

/// f of DftPart, exact.
Chain part_factor(const MpfrBench& bench, DftPart part) {
  Chain factor{ComplexReals(1, bench.precision)};
  mpfr_set_ui(factor.values.re[0], part == DftPart::both ? 1 : 0, MPFR_RNDN);
  mpfr_set_ui(factor.values.im[0], 1, MPFR_RNDN);
  return factor;
}
PairChain part_factor(const PairBench& bench, DftPart part) {
  return rounded_to_pairs(part_factor(MpfrBench{.precision = 64}, part), bench.loops);
}

/// The steps after the data were read, and before any window on the result.
template <class AnyChain, class Bench>
AnyChain dft_part_of(const AnyChain& x, const PartOfDft& all, const Bench& bench) {
  AnyChain whole = gathered(x, all.sources);
  transform(whole, all.sources.size(), 1, Direction::forward, *bench.plans);
  AnyChain y = gathered(whole, all.places);
  if (all.part != DftPart::cosine) multiply(y, part_factor(bench, all.part));
  drop_imaginary(y);
  if (all.twice) times_two(y, 0);
  return y;
}

Evaluation evaluation_of_part(std::string_view name, const ComplexArray<double>& x, std::size_t n,
                              PartOfDft all) {
  check_items(name, x, n);
  check_real(name, x);
  return evaluation_of(
      "part of a longer dft", x.size() / n, n,
      [&x, n, all = std::move(all)](const auto& bench, std::size_t first, std::size_t items) {
        return dft_part_of(exact_values(bench, x, first * n, n, items), all, bench);
      });
}

/// x_j at `stride` j + `start`; results from the places `to_stride` k + `to_start`.
PartOfDft at_places(std::size_t n, std::size_t points, DftPart part, std::size_t stride,
                    std::size_t start, std::size_t to_stride, std::size_t to_start) {
  PartOfDft all = part_of_dft(points, part);
  for (std::size_t j = 0; j < n; ++j) {
    all.sources[stride * j + start] = j;
    all.places.push_back(to_stride * j + to_start);
  }
  return all;
}

auto window_table(std::size_t n) {
  return OncePerBench([n](const auto& bench) {
    return table(bench, [n](mpfr_prec_t precision) { return sine_window(n, precision); });
  });
}

}  // namespace

Chain sine_window(std::size_t n, mpfr_prec_t precision) {
  const ComplexReals roots = table_of_roots(4 * n, 8 * n, precision);
  Chain window{ComplexReals(2 * n, precision), unit_roundoff(precision)};
  for (std::size_t j = 0; j < 2 * n; ++j)
    mpfr_neg(window.values.re[j], roots.im[2 * j + 1], MPFR_RNDN);
  return window;
}

namespace evaluation {

/// The even extension holds both ends once and all else twice.
Evaluation dct1(const ComplexArray<double>& x, std::size_t n) {
  require(n >= 2, "dct1: n = ", n, " is below 2");
  const std::size_t points = 2 * (n - 1);
  PartOfDft all = part_of_dft(points, DftPart::cosine);
  for (std::size_t j = 0; j < points; ++j) all.sources[j] = j < n ? j : points - j;
  for (std::size_t k = 0; k < n; ++k) all.places.push_back(k);
  all.twice = false;
  return evaluation_of_part("dct1", x, n, std::move(all));
}

Evaluation dct4(const ComplexArray<double>& x, std::size_t n) {
  return evaluation_of_part("dct4", x, n, at_places(n, 8 * n, DftPart::cosine, 2, 1, 2, 1));
}

Evaluation dst1(const ComplexArray<double>& x, std::size_t n) {
  return evaluation_of_part("dst1", x, n, at_places(n, 2 * (n + 1), DftPart::sine, 1, 1, 1, 1));
}

Evaluation dst2(const ComplexArray<double>& x, std::size_t n) {
  return evaluation_of_part("dst2", x, n, at_places(n, 4 * n, DftPart::sine, 2, 1, 1, 1));
}

/// x_j also stands at 2n - (j+1), where the sine is the same: all but x_(n-1) twice.
Evaluation dst3(const ComplexArray<double>& x, std::size_t n) {
  PartOfDft all = at_places(n, 4 * n, DftPart::sine, 1, 1, 2, 1);
  for (std::size_t j = 0; j < n; ++j) all.sources[2 * n - (j + 1)] = j;
  all.twice = false;
  return evaluation_of_part("dst3", x, n, std::move(all));
}

Evaluation dst4(const ComplexArray<double>& x, std::size_t n) {
  return evaluation_of_part("dst4", x, n, at_places(n, 8 * n, DftPart::sine, 2, 1, 2, 1));
}

Evaluation hartley(const ComplexArray<double>& x, std::size_t n) {
  PartOfDft all = at_places(n, n, DftPart::both, 1, 0, 1, 0);
  all.twice = false;
  return evaluation_of_part("hartley", x, n, std::move(all));
}

Evaluation mdct(const ComplexArray<double>& x, std::size_t n, bool windowed) {
  check_items("mdct", x, 2 * n);
  check_real("mdct", x);
  PartOfDft all = part_of_dft(8 * n, DftPart::cosine);
  for (std::size_t j = 0; j < 2 * n; ++j) all.sources[2 * j + 1 + n] = j;
  for (std::size_t k = 0; k < n; ++k) all.places.push_back(2 * k + 1);
  all.twice = false;
  return evaluation_of("part of a longer dft", x.size() / (2 * n), n,
                       [&x, n, windowed, all = std::move(all), window = window_table(n)](
                           const auto& bench, std::size_t first, std::size_t items) {
                         auto frames = exact_values(bench, x, first * 2 * n, 2 * n, items);
                         if (windowed) multiply(frames, window(bench));
                         return dft_part_of(frames, all, bench);
                       });
}

Evaluation imdct(const ComplexArray<double>& x, std::size_t n, bool windowed) {
  check_items("imdct", x, n);
  check_real("imdct", x);
  PartOfDft all = part_of_dft(8 * n, DftPart::cosine);
  for (std::size_t k = 0; k < n; ++k) all.sources[2 * k + 1] = k;
  for (std::size_t j = 0; j < 2 * n; ++j) all.places.push_back(2 * j + 1 + n);
  all.twice = false;
  return evaluation_of("part of a longer dft", x.size() / n, 2 * n,
                       [&x, n, windowed, all = std::move(all), window = window_table(n)](
                           const auto& bench, std::size_t first, std::size_t items) {
                         auto y =
                             dft_part_of(exact_values(bench, x, first * n, n, items), all, bench);
                         if (windowed) multiply(y, window(bench));
                         return y;
                       });
}

}  // namespace evaluation
}  // namespace fftprec::truth
