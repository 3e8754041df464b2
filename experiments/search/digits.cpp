#include "experiments/search/digits.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <string>

#include "experiments/support/decimal.hpp"
#include "experiments/tables/tables.hpp"

namespace fftprec::search {

namespace {

/// The digit of a range nearest to x.
double digit_near(double x, const IntegerLaw::Range& range) {
  return std::clamp(std::nearbyint(x), range.least, range.greatest);
}

double drawn_digit(const IntegerLaw::Range& range, TrialRandom& draws) {
  const double place = draws.unit() + 0x1p-32 * draws.unit();
  return digit_near(range.least + place * (range.greatest - range.least), range);
}

/// A share of the limit: 1 is the greatest digit, -1 the least.
using Share = std::function<double(std::size_t j)>;

class DigitFamilies {
 public:
  explicit DigitFamilies(const DigitShape& shape) : shape_(shape) {}

  std::vector<Candidate> all() {
    waves();
    tones();
    signs();
    random_digits();
    few();
    return std::move(candidates_);
  }

 private:
  static constexpr double sizes[] = {1, 0.9, 0.8, 0.71, 0.6};

  std::size_t n() const { return shape_.n; }
  bool has_two() const { return shape_.ranges.size() > n(); }

  void add(const std::string& family, const std::string& name, const Share& first,
           const Share& second) {
    Candidate candidate{family, name, ComplexArray<double>(shape_.ranges.size())};
    for (std::size_t i = 0; i < shape_.ranges.size(); ++i) {
      const IntegerLaw::Range& range = shape_.ranges[i];
      const double share = i < n() ? first(i) : second(i - n());
      candidate.values.re[i] =
          digit_near(share < 0 ? -share * range.least : share * range.greatest, range);
    }
    candidates_.push_back(std::move(candidate));
  }

  /// The pattern in several sizes, times itself, its mirror image, a constant and a single digit.
  void add_paired(const std::string& family, const std::string& name, const Share& pattern) {
    const std::pair<const char*, Share> seconds[] = {
        {"itself", pattern},
        {"its mirror image", [&](std::size_t j) { return pattern(n() - 1 - j); }},
        {"a constant", [](std::size_t) { return 1.0; }},
        {"one digit", [](std::size_t j) { return j == 0 ? 1.0 : 0.0; }}};
    for (const double size : sizes)
      for (const auto& [second_name, second] : seconds) {
        const auto in_size = [size](const Share& of) {
          return [size, &of](std::size_t j) { return size * of(j); };
        };
        add(family, name + " times " + second_name + ", size " + shortest(size), in_size(pattern),
            in_size(second));
        if (!has_two()) break;
      }
  }

  void waves() {
    add_paired("wave", "constant", [](std::size_t) { return 1.0; });
    for (std::size_t half = 1; half < n(); half *= 2)
      add_paired("wave", "period " + std::to_string(2 * half),
                 [half](std::size_t j) { return j / half % 2 == 0 ? 1.0 : -1.0; });
    for (std::size_t width = 1; width < n(); width *= 2)
      add_paired("start", std::to_string(width) + " digits",
                 [width](std::size_t j) { return j < width ? 1.0 : 0.0; });
  }

  void tones() {
    const RootFunction roots = table_source("exact");
    for (const std::size_t f :
         {std::size_t{1}, std::size_t{2}, std::size_t{3}, n() / 8 + 1, n() / 4 + 1, n() / 2 + 1})
      for (const std::size_t half : {0u, 1u}) {
        std::vector<double> values;
        for (std::size_t j = 0; j < n(); ++j)
          values.push_back(roots((2 * f + half) * j % (2 * n()), 2 * n(), fp64).real());
        const std::string name = "frequency " + std::to_string(f) + (half ? ".5" : "");
        add_paired("tone", name, [&](std::size_t j) { return values[j]; });
        add_paired("signs of a tone", name,
                   [&](std::size_t j) { return values[j] < 0 ? -1.0 : 1.0; });
      }
  }

  void signs() {
    for (std::uint64_t draw = 0; draw < 8; ++draw) {
      std::vector<double> values;
      TrialRandom draws = drawing(draw);
      for (std::size_t j = 0; j < n(); ++j) values.push_back(draws.below(2) ? 1.0 : -1.0);
      add_paired("signs", "draw " + std::to_string(draw), [&](std::size_t j) { return values[j]; });
    }
  }

  void random_digits() {
    for (std::uint64_t draw = 8; draw < 16; ++draw) {
      Candidate candidate{"random", "draw " + std::to_string(draw - 8),
                          ComplexArray<double>(shape_.ranges.size())};
      TrialRandom draws = drawing(draw);
      for (std::size_t i = 0; i < candidate.values.size(); ++i)
        candidate.values.re[i] = drawn_digit(shape_.ranges[i], draws);
      candidates_.push_back(std::move(candidate));
    }
  }

  /// One to four random digits of each operand.
  void few() {
    for (std::uint64_t draw = 16; draw < 16 + 128; ++draw) {
      TrialRandom draws = drawing(draw);
      const std::uint64_t count = 1 + draws.below(4) * draws.below(2);
      Candidate candidate{"few digits", std::to_string(count) + ", draw " + std::to_string(draw),
                          ComplexArray<double>(shape_.ranges.size())};
      for (std::size_t first = 0; first < candidate.values.size(); first += n())
        for (std::uint64_t k = 0; k < count; ++k) {
          const std::size_t at = first + draws.below(n());
          candidate.values.re[at] = drawn_digit(shape_.ranges[at], draws);
        }
      candidates_.push_back(std::move(candidate));
    }
  }

  /// The draws of a candidate: none of them belongs to a trial of the local search.
  TrialRandom drawing(std::uint64_t draw) const {
    return {shape_.seed, (std::uint64_t{1} << 63) + draw};
  }

  const DigitShape& shape_;
  std::vector<Candidate> candidates_;
};

/// The digits that a move touches.
std::vector<std::size_t> touched(const ComplexArray<double>& x, TrialRandom& draws) {
  std::vector<std::size_t> all = drawn_places(x.size(), draws);
  if (draws.below(2) == 0) return all;
  std::vector<std::size_t> used;
  for (std::size_t i = 0; i < x.size(); ++i)
    if (x.re[i] != 0) used.push_back(i);
  if (used.empty()) return all;
  std::vector<std::size_t> both;
  std::ranges::set_intersection(all, used, std::back_inserter(both));
  return both.empty() ? std::vector{used[draws.below(used.size())]} : both;
}

/// The operand of a drawn digit, by some places to the right.
void turn(ComplexArray<double>& x, std::size_t n, TrialRandom& draws) {
  const auto begin = x.re.begin() + static_cast<std::ptrdiff_t>(draws.below(x.size()) / n * n);
  std::rotate(begin, begin + static_cast<std::ptrdiff_t>(draws.below(n)),
              begin + static_cast<std::ptrdiff_t>(n));
}

}  // namespace

std::vector<Candidate> structured_digits(const DigitShape& shape) {
  return DigitFamilies(shape).all();
}

ComplexArray<double> moved_digits(const ComplexArray<double>& parent,
                                  const ComplexArray<double>& other, DigitMove move,
                                  const DigitShape& shape, TrialRandom& draws) {
  ComplexArray<double> child = parent;
  auto& x = child.re;
  if (move == DigitMove::turn) turn(child, shape.n, draws);
  const std::vector<std::size_t> places = touched(parent, draws);
  const double repeated = parent.re[places[draws.below(places.size())]];
  const bool up = draws.below(2) == 0;
  const double growth = 1 + draws.unit();
  const double factor = up ? growth : 1 / growth;
  const std::uint64_t power = draws.below(64);
  for (const std::size_t i : places) {
    const IntegerLaw::Range& range = shape.ranges[i];
    switch (move) {
      case DigitMove::negate:
        x[i] = -x[i];
        break;
      case DigitMove::step: {
        const int most = std::ilogb(range.greatest - range.least + 1) + 1;
        const double step = std::ldexp(1.0, static_cast<int>(power) % most);
        x[i] += up ? step : -step;
        break;
      }
      case DigitMove::limit:
        x[i] = up ? range.greatest : range.least;
        break;
      case DigitMove::clear:
        x[i] = 0;
        break;
      case DigitMove::scale:
        x[i] *= factor;
        break;
      case DigitMove::draw:
        x[i] = drawn_digit(range, draws);
        break;
      case DigitMove::repeat:
        x[i] = repeated;
        break;
      case DigitMove::exchange:
        std::swap(x[i], x[draws.below(x.size())]);
        break;
      case DigitMove::cross:
        x[i] = other.re[i];
        break;
      case DigitMove::turn:
        break;
    }
  }
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = digit_near(x[i], shape.ranges[i]);
  return child;
}

}  // namespace fftprec::search
