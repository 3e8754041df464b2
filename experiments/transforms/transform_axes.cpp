#include "experiments/transforms/transform_axes.hpp"

#include "arith/support/error.hpp"

namespace fftprec {

namespace {

constexpr std::size_t largest_item = std::size_t{1} << 24;

}  // namespace

Lengths TransformAxes::lengths(std::size_t n) const {
  Lengths lengths(dims, n);
  if (rows > 0) lengths.front() = rows;
  return lengths;
}

std::string TransformAxes::too_large(std::size_t n) const {
  std::size_t left = largest_item;
  std::string shape;
  for (const std::size_t length : lengths(n)) {
    left /= length;
    shape += (shape.empty() ? "" : " x ") + std::to_string(length);
  }
  return dims == 1 || left > 0 ? "" : "an item of " + shape + " has more than 2^24 elements";
}

Lengths TransformAxes::checked_lengths(std::size_t n) const {
  if (const std::string reason = too_large(n); !reason.empty()) throw NotApplicable(reason);
  return lengths(n);
}

AxesOfKeys one_axis() {
  return {{}, [](const std::string&, const auto&) { return TransformAxes{}; }};
}

AxesOfKeys two_axes() {
  return {{{"rows", ""}},
          [](const std::string& transform, const std::vector<Key>& keys) -> TransformAxes {
            const Key& rows = keys.at(0);
            if (rows.value.empty()) return {.dims = 2};
            return {.dims = 2,
                    .rows = whole_number(rows, "transform " + transform, largest_item),
                    .suffix = ":rows=" + rows.value};
          }};
}

AxesOfKeys many_axes() {
  return {{{"dims", "3"}},
          [](const std::string& transform, const std::vector<Key>& keys) -> TransformAxes {
            constexpr std::size_t most = 5;
            const Key& dims = keys.at(0);
            return {.dims = whole_number(dims, "transform " + transform, most),
                    .suffix = ":dims=" + dims.value};
          }};
}

std::vector<TransformFamily> families_of(const TransformPair& pair, EntryOverAxes forward,
                                         EntryOverAxes inverse) {
  const auto family = [&](const std::string& name, const std::string& summary,
                          const std::string& other, EntryOverAxes make) -> TransformFamily {
    return {name, summary, pair.axes.keys,
            [axes = pair.axes.axes, name, other, make](const std::vector<Key>& keys) {
              return make(axes(name, keys), other);
            }};
  };
  return {family(pair.forward, pair.forward_summary, pair.inverse, forward),
          family(pair.inverse, pair.inverse_summary, pair.forward, inverse)};
}

}  // namespace fftprec
