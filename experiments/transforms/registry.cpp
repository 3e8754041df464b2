#include "experiments/transforms/registry.hpp"

#include <algorithm>

#include "algorithms/transforms/separable.hpp"
#include "arith/support/error.hpp"
#include "experiments/algorithms/registry.hpp"

namespace fftprec {

namespace {

const std::vector<TransformFamily>& transform_families() {
  static const std::vector<TransformFamily> all = [] {
    std::vector<TransformFamily> joined;
    for (auto group : {fourier_transforms, cosine_transforms, trigonometric_transforms,
                       short_time_transforms, kernel_transforms, product_transforms})
      for (TransformFamily& family : group()) joined.push_back(std::move(family));
    return joined;
  }();
  return all;
}

/// Whether the name fixes the axes of an item, or the transform has no choice of axes.
bool says_axes(const TransformFamily& family, std::string_view text) {
  std::vector<Key> unset = family.keys;
  for (Key& key : unset) key.value.clear();
  for (const Key& key : with_values(unset, text, "transform " + family.name))
    if (key.name == family.axes_key) return !key.value.empty();
  return true;
}

}  // namespace

TransformEntry transform_named(std::string_view text) {
  const auto [name, keys] = split_name(text);
  const TransformFamily& family = item_named(transform_families(), "transform", name);
  TransformEntry entry = family.make(with_values(family.keys, keys, "transform " + family.name));
  entry.name = text;
  entry.summary = family.summary;
  return entry;
}

std::string canonical_transform(std::string_view text) {
  const auto [name, keys] = split_name(text);
  const TransformFamily& family = item_named(transform_families(), "transform", name);
  const std::vector<Key> values = with_values(family.keys, keys, "transform " + family.name);
  if (std::ranges::none_of(values, &Key::bare)) return std::string(text);
  return spelled(family.name, family.keys, values);
}

std::optional<std::size_t> input_axes(std::string_view transform) {
  const auto [name, keys] = split_name(transform);
  const TransformFamily& family = item_named(transform_families(), "transform", name);
  if (family.any_axes && !says_axes(family, keys)) return std::nullopt;
  return transform_named(transform).item_shape(1).input.size();
}

std::string transform_over(const std::string& transform, const std::vector<std::size_t>& lengths) {
  const auto [name, keys] = split_name(transform);
  const TransformFamily& family = item_named(transform_families(), "transform", name);
  if (says_axes(family, keys)) return transform;
  const std::string value = family.axes_value(lengths);
  return value.empty() ? transform : transform + ":" + family.axes_key + "=" + value;
}

std::size_t output_size(const TransformEntry& transform, std::size_t n) {
  return elements(transform.item_shape(n).output);
}

std::vector<Named> list_transforms() { return named(transform_families()); }

}  // namespace fftprec
