#include "experiments/search/candidates.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <complex>
#include <functional>
#include <vector>

#include "arith/formats/round.hpp"
#include "experiments/inputs/generators.hpp"
#include "experiments/support/decimal.hpp"
#include "experiments/tables/tables.hpp"

namespace fftprec::search {

namespace {

using Complex = std::complex<double>;
using Element = std::function<Complex(std::size_t)>;

double in_fp32(double x) { return round(x, fp32, Rounding::rne); }

/// u; if precision tapers, the u of the most digits.
double least_roundoff(const Format& format) { return std::ldexp(1.0, -format.precision); }

/// The largest fp32 number below x > 0.
double just_below(double x) { return round(x * (1 - 0x1p-26), fp32, Rounding::rz); }

class Families {
 public:
  explicit Families(const CandidateShape& shape) : shape_(shape) {
    const RootFunction exact = table_source("exact");
    for (std::size_t k = 0; k < 2 * shape.n; ++k)
      roots_.push_back(std::conj(exact(k, 2 * shape.n, fp32)));
  }

  std::vector<Candidate> all() {
    constants();
    tones();
    impulses();
    chirps();
    two_levels();
    midpoints();
    trees();
    swamped();
    random_kinds();
    return std::move(candidates_);
  }

 private:
  static constexpr double sizes[] = {1, 1.125, 1.25, 1.375, 1.5, 1.625, 1.75, 1.875};
  static constexpr Complex i{0, 1};

  double u() const { return least_roundoff(shape_.storage); }
  std::size_t n() const { return shape_.n; }
  /// exp(2 pi i k / (2n)), k of any size.
  Complex half_root(std::size_t k) const { return roots_[k % (2 * n())]; }
  std::uint64_t random(std::uint64_t stream, std::size_t j) const {
    return random_bits({.bits = 53, .seed = shape_.seed, .stream = stream}, j);
  }
  double random_sign(std::uint64_t stream, std::size_t j) const {
    return random(stream, j) >> 63 ? -1 : 1;
  }

  void add(std::string family, std::string name, const Element& element) {
    Candidate candidate{std::move(family), std::move(name), ComplexArray<double>(n())};
    bool real = true;
    for (std::size_t j = 0; j < n(); ++j) {
      const Complex value = element(j);
      candidate.values.re[j] = in_fp32(value.real());
      candidate.values.im[j] = in_fp32(value.imag());
      real = real && value.imag() == 0;
    }
    if (shape_.real_only && !real) return;
    candidates_.push_back(std::move(candidate));
  }

  /// The same real signal on the real part, on both parts alike, and turned by i^j.
  void add_turned(const std::string& family, const std::string& name,
                  const std::function<double(std::size_t)>& value) {
    add(family, name, [&](std::size_t j) { return Complex(value(j)); });
    add(family, name + ", both parts", [&](std::size_t j) { return Complex(value(j), value(j)); });
    add(family, name + ", alternating",
        [&](std::size_t j) { return Complex(j % 2 ? -value(j) : value(j)); });
    add(family, name + ", i^j", [&](std::size_t j) {
      const Complex powers[] = {1, i, -1, -i};
      return powers[j % 4] * value(j);
    });
  }

  void constants() {
    for (int k = 0; k < 32; ++k)
      for (const double off : {0.0, u(), 1.5 * u()}) {
        const double size = (1 + k / 32.0) * (1 + off);
        add_turned("constant", shortest(size), [size](std::size_t) { return size; });
      }
  }

  void tones() {
    for (const std::size_t f : {std::size_t{1}, std::size_t{2}, std::size_t{3}, std::size_t{5},
                                n() / 16, n() / 8, n() / 8 + 1, n() / 4 + 1, n() / 2 + 1, n() - 1})
      for (const std::size_t half : {0u, 1u})
        for (const double size : sizes) {
          const std::string name =
              "frequency " + std::to_string(f) + (half ? ".5" : "") + ", size " + shortest(size);
          const auto tone = [=, this](std::size_t j) {
            return size * half_root((2 * f + half) * j);
          };
          add("tone", name, tone);
          add("real tone", name, [&](std::size_t j) { return Complex(tone(j).real()); });
          const auto sign = [&](std::size_t j) { return tone(j).real() < 0 ? -1.0 : 1.0; };
          add("signs of a tone", name, [&](std::size_t j) { return Complex(sign(j) * size); });
          add("signs of a tone", name + ", half a step up",
              [&](std::size_t j) { return Complex(sign(j) * size * (1 + u())); });
        }
  }

  void impulses() {
    for (const std::size_t at : {std::size_t{0}, std::size_t{1}, n() / 3, n() / 2, n() - 1})
      for (const double size : sizes)
        for (const double off : {0.0, u()}) {
          const Complex value = size * (1 + off);
          const std::string name = "at " + std::to_string(at) + ", size " + shortest(value.real());
          add("impulse", name, [=](std::size_t j) { return j == at ? value : 0; });
          add("impulse", name + ", both parts",
              [=](std::size_t j) { return j == at ? value * Complex(1, 1) : 0; });
        }
  }

  void chirps() {
    for (const double size : sizes) {
      add("chirp", "size " + shortest(size),
          [&](std::size_t j) { return size * half_root(j * j); });
      add("real chirp", "size " + shortest(size),
          [&](std::size_t j) { return Complex(size * half_root(j * j).real()); });
    }
  }

  /// 1 or the next number of the storage format, by a pattern of bits.
  void two_levels() {
    const std::pair<const char*, std::function<bool(std::size_t)>> patterns[] = {
        {"odd places", [](std::size_t j) { return j % 2 == 1; }},
        {"odd pairs", [](std::size_t j) { return j / 2 % 2 == 1; }},
        {"upper half", [this](std::size_t j) { return j >= n() / 2; }},
        {"odd sum of bits", [](std::size_t j) { return std::popcount(j) % 2 == 1; }},
        {"random places", [this](std::size_t j) { return random_sign(1, j) < 0; }}};
    for (const auto& [pattern_name, pattern_of] : patterns) {
      const std::string name = pattern_name;
      const auto pattern = pattern_of;
      for (const double off : {0.0, 0.96875 * u(), u()})
        add_turned("two levels", name + " up, offset " + shortest(off),
                   [&](std::size_t j) { return 1 + off + (pattern(j) ? 2 * u() : 0); });
    }
  }

  /// Just below the midpoint of two numbers of the storage format: rounds down by half a step.
  double below_midpoint(double x) const {
    const double down = round(x, shape_.storage, Rounding::rz);
    if (down == 0) return x;
    const double step = 2 * u() * power_of_two(std::ilogb(down));
    return std::copysign(just_below(std::abs(down) + step / 2), x);
  }

  void midpoints() {
    for (std::uint64_t draw = 0; draw < 4; ++draw) {
      const std::string name = "draw " + std::to_string(draw);
      const ComplexArray<double> g = gaussian(n(), shape_.seed + draw);
      add("midpoints", "gaussian, " + name, [&](std::size_t j) {
        return Complex(below_midpoint(g.re[j]), shape_.real_only ? 0 : below_midpoint(g.im[j]));
      });
      add_turned("midpoints", "random signs, " + name,
                 [&](std::size_t j) { return below_midpoint(random_sign(16 + draw, j)); });
    }
  }

  void trees() {
    if (!std::has_single_bit(n()) || shape_.storage.precision > fp32.precision) return;
    const std::uint64_t one = std::uint64_t{1} << (shape_.storage.precision - 1);
    for (std::uint64_t first = one; first < one + 8 && first < 2 * one; ++first) {
      const std::vector<double> leaves = rounding_tree(n(), shape_.storage, first);
      add_turned("rounding tree", "from " + std::to_string(first),
                 [&](std::size_t j) { return leaves[j]; });
    }
  }

  /// A large first product in every sum, and small ones that a narrow accumulator cannot add to it.
  void swamped() {
    for (int q = 3; q <= 27; ++q) {
      const double small = power_of_two(-q) * (1 - 0x1p-8);
      const std::string name = "2^-" + std::to_string(q);
      const auto first = [this](std::size_t j) { return j % shape_.k_tile == 0; };
      add_turned("swamped", name, [&](std::size_t j) { return first(j) ? 1 : small; });
      add_turned("swamped", name + ", random signs",
                 [&](std::size_t j) { return first(j) ? 1 : random_sign(2, j) * small; });
      add("swamped", name + ", only the first, random phases", [&](std::size_t j) {
        return j == 0 ? Complex(1, 1) : Complex(random_sign(3, j), random_sign(4, j)) * small;
      });
    }
  }

  void random_kinds() {
    for (std::uint64_t draw = 0; draw < 4; ++draw) {
      const std::uint64_t seed = shape_.seed + draw;
      const std::string name = "draw " + std::to_string(draw);
      const std::pair<const char*, ComplexArray<double>> kinds[] = {
          {"gaussian", gaussian(n(), seed)},
          {"wide", wide(n(), seed, 4)},
          {"cancelling", cancelling(n(), seed)}};
      for (const auto& kind : kinds)
        add(kind.first, name, [&](std::size_t j) {
          return Complex(kind.second.re[j], shape_.real_only ? 0 : kind.second.im[j]);
        });
    }
  }

 private:
  CandidateShape shape_;
  std::vector<Complex> roots_;
  std::vector<Candidate> candidates_;
};

}  // namespace

std::vector<double> rounding_tree(std::size_t n, const Format& storage, std::uint64_t first) {
  std::vector<std::uint64_t> nodes{first};  // of a level, by index modulo its size
  while (nodes.size() < n) {
    const std::size_t size = nodes.size();
    nodes.resize(2 * size);
    for (std::size_t j = 0; j < size; ++j) {
      const std::uint64_t steps = nodes[j];
      nodes[j] = steps - steps % 2;
      nodes[j + size] = steps + 1;
    }
  }
  std::vector<double> leaves(n);
  const double step = power_of_two(1 - storage.precision);
  for (std::size_t j = 0; j < n; ++j)
    leaves[j] = storage.precision < fp32.precision
                    ? just_below((static_cast<double>(nodes[j]) + 0.5) * step)
                    : static_cast<double>(nodes[j]) * step;
  return leaves;
}

std::vector<Candidate> structured_candidates(const CandidateShape& shape) {
  return Families(shape).all();
}

namespace {

/// An fp32 number of moderate size, or 0.
double tame(double x) {
  constexpr double largest = 0x1p60;
  constexpr double smallest = 0x1p-60;
  if (std::abs(x) < smallest) return 0;
  return std::clamp(round(x, fp32, Rounding::rne), -largest, largest);
}

/// Distance of numbers of the format around x.
double step_at(double x, const Format& format) {
  return power_of_two((x == 0 ? 0 : std::ilogb(x)) - format.precision + 1);
}

/// The change that a move makes to one real number, with what it drew.
class Change {
 public:
  Change(Move move, const Format& storage, TrialRandom& draws)
      : move_(move),
        storage_(storage),
        up_(draws.below(2) == 0),
        steps_(power_of_two(
            static_cast<int>(draws.below(static_cast<std::uint64_t>(storage.precision))))) {}

  double operator()(double x) const {
    switch (move_) {
      case Move::negate:
        return -x;
      case Move::step:
        return x + (up_ ? steps_ : -steps_) * step_at(x, storage_);
      case Move::scale:
        return up_ ? 2 * x : x / 2;
      case Move::midpoint: {
        const double down = round(x, storage_, Rounding::rz);
        const double step = step_at(x, storage_);
        const double nudge = std::max(step * 0x1p-10, step_at(x, fp32));
        const double size = std::abs(down) + step / 2 + (up_ ? nudge : -nudge);
        return std::copysign(size, x);
      }
      default:
        return x;
    }
  }

 private:
  Move move_;
  const Format& storage_;
  bool up_;
  double steps_;
};

}  // namespace

std::string_view name_of(Move move) {
  constexpr std::string_view names[] = {"negate", "step",     "midpoint", "scale",
                                        "repeat", "exchange", "cross",    "grow"};
  return names[static_cast<std::size_t>(move)];
}

std::uint64_t TrialRandom::below(std::uint64_t count) {
  const std::uint64_t bits =
      random_bits({.bits = 32, .seed = seed_, .stream = trial_}, next_++) >> 32;
  return (bits * count) >> 32;
}

double TrialRandom::unit() { return static_cast<double>(below(std::uint64_t{1} << 32)) * 0x1p-32; }

std::vector<std::size_t> drawn_places(std::size_t n, TrialRandom& draws) {
  std::vector<std::size_t> result;
  const std::uint64_t kind = draws.below(4);
  const auto levels = static_cast<std::uint64_t>(std::bit_width(n));
  const std::size_t width = std::size_t{1} << draws.below(levels);
  const std::size_t first = draws.below(n);
  if (kind == 0) return {first};
  if (kind == 1) {
    const std::uint64_t count = 1 + draws.below(8);
    for (std::uint64_t k = 0; k < count; ++k) result.push_back(draws.below(n));
    std::ranges::sort(result);
    result.erase(std::unique(result.begin(), result.end()), result.end());
    return result;
  }
  if (kind == 2) {
    const std::size_t start = first - first % width;
    for (std::size_t j = start; j < std::min(n, start + width); ++j) result.push_back(j);
    return result;
  }
  for (std::size_t j = first % width; j < n; j += width) result.push_back(j);
  return result;
}

ComplexArray<double> moved(const ComplexArray<double>& parent, const ComplexArray<double>& other,
                           Move move, const Format& storage, bool real_only, TrialRandom& draws) {
  ComplexArray<double> child = parent;
  if (move == Move::grow) {
    const double factor = 1 + static_cast<double>(draws.below(64)) * least_roundoff(storage) / 4;
    for (auto* part : {&child.re, &child.im})
      for (double& x : *part) x = tame(x * factor);
    return child;
  }
  const std::uint64_t parts = real_only ? 1 : 1 + draws.below(3);  // a bit for each part
  const std::size_t source = draws.below(parent.size());
  const Change change(move, storage, draws);
  for (const std::size_t j : drawn_places(parent.size(), draws)) {
    double& re = child.re[j];
    double& im = child.im[j];
    if (move == Move::exchange) {
      std::swap(re, real_only ? child.re[source] : im);
    } else if (move == Move::cross || move == Move::repeat) {
      const std::size_t from = move == Move::cross ? j : source;
      const ComplexArray<double>& giver = move == Move::cross ? other : parent;
      if (parts & 1) re = giver.re[from];
      if (parts & 2) im = giver.im[from];
    } else {
      if (parts & 1) re = tame(change(re));
      if (parts & 2) im = tame(change(im));
    }
  }
  return child;
}

ComplexArray<double> nudged(const ComplexArray<double>& parent, const Format& storage,
                            bool real_only, TrialRandom& draws) {
  ComplexArray<double> child = parent;
  const std::uint64_t many = draws.below(10);
  const int parts = many < 6 ? 1 : many < 9 ? 2 : 3;
  for (int i = 0; i < parts; ++i) {
    const std::size_t j = draws.below(parent.size());
    double& x = real_only || draws.below(2) == 0 ? child.re[j] : child.im[j];
    const double step = step_at(x, storage);
    const double sign = draws.below(2) == 0 ? 1 : -1;
    const std::uint64_t kind = draws.below(8);
    const auto digits = static_cast<std::uint64_t>(storage.precision);
    if (kind < 2) x += sign * step;
    if (kind == 2) x += sign * step * power_of_two(static_cast<int>(draws.below(3)));
    if (kind == 3) x += sign * step * power_of_two(static_cast<int>(draws.below(digits)));
    if (kind == 4) x = -x;
    if (kind == 5) x *= sign > 0 ? 2 : 0.5;
    if (kind == 6) x = draws.below(4) == 0 ? 0 : x * (0.9 + 0.2 * draws.unit());
    const double nearest = round(x, storage, Rounding::rne);
    const double half = step_at(nearest, storage) / 2 * (1 - 0x1p-12);
    x = tame(nearest + half * (static_cast<double>(draws.below(3)) - 1));
  }
  return child;
}

}  // namespace fftprec::search
