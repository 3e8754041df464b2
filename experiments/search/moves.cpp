#include "experiments/search/moves.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <vector>

#include "arith/formats/round.hpp"

namespace fftprec {

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

/// Which elements a move touches.
std::vector<std::size_t> places(std::size_t n, Draws& draws) {
  std::vector<std::size_t> result;
  const std::uint64_t kind = draws.below(4);
  const auto levels = static_cast<std::uint64_t>(std::bit_width(n));
  const std::size_t width = std::size_t{1} << draws.below(levels);
  const std::size_t first = draws.below(n);
  if (kind == 0) return {first};
  if (kind == 1) {
    const std::uint64_t count = 1 + draws.below(8);
    for (std::uint64_t k = 0; k < count; ++k) result.push_back(draws.below(n));
    std::sort(result.begin(), result.end());
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

/// The change that a move makes to one real number, with what it drew.
class Change {
 public:
  Change(Move move, const Format& storage, Draws& draws)
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

std::uint64_t Draws::below(std::uint64_t count) {
  const std::uint64_t bits =
      random_bits({.bits = 32, .seed = seed_, .stream = trial_}, next_++) >> 32;
  return (bits * count) >> 32;
}

double Draws::unit() { return static_cast<double>(below(std::uint64_t{1} << 32)) * 0x1p-32; }

ComplexArray<double> moved(const ComplexArray<double>& parent, const ComplexArray<double>& other,
                           Move move, const Format& storage, bool real_only, Draws& draws) {
  ComplexArray<double> child = parent;
  if (move == Move::grow) {
    const double factor = 1 + static_cast<double>(draws.below(64)) * unit_roundoff(storage) / 4;
    for (auto* part : {&child.re, &child.im})
      for (double& x : *part) x = tame(x * factor);
    return child;
  }
  const std::uint64_t parts = real_only ? 1 : 1 + draws.below(3);  // a bit for each part
  const std::size_t source = draws.below(parent.size());
  const Change change(move, storage, draws);
  for (const std::size_t j : places(parent.size(), draws)) {
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

}  // namespace fftprec
