#include "experiments/transforms/registry.hpp"

#include "arith/support/error.hpp"
#include "experiments/algorithms/registry.hpp"

namespace fftprec {

namespace {

const std::vector<TransformFamily>& transform_families() {
  static const std::vector<TransformFamily> all = [] {
    std::vector<TransformFamily> joined;
    for (auto group :
         {fourier_transforms, cosine_transforms, short_time_transforms, kernel_transforms})
      for (TransformFamily& family : group()) joined.push_back(std::move(family));
    return joined;
  }();
  return all;
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

std::size_t output_size(const TransformEntry& transform, std::size_t n) {
  std::size_t size = 1;
  for (const std::size_t length : transform.item_shape(n).output) size *= length;
  return size;
}

std::vector<Named> list_transforms() { return named(transform_families()); }

}  // namespace fftprec
