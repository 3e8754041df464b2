#include "reports/figures/exact.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "experiments/support/decimal.hpp"

namespace fftprec::figures {

namespace {

constexpr int frame_height = 420;

/// One kind of evidence and how its lines look.
struct Evidence {
  const char* part;
  std::optional<double> ExactPoint::*bits;
  std::string name;
  const char* dashes;
  bool is_marked;
};

std::string name_of_series(const Case& where, bool with_transform) {
  return with_transform ? where.transform + ", " + where.mode : where.mode;
}

}  // namespace

Figure exact_figure(std::span<const ExactPoint> points, const std::string& failure) {
  const Evidence all[] = {{"proven", &ExactPoint::proven, "proven", "7,4", false},
                          {"probable", &ExactPoint::probable, "fails in " + failure, "", false},
                          {"measured", &ExactPoint::measured, "right in all runs", "2,3", true}};
  const bool many_transforms = std::ranges::any_of(points, [&](const ExactPoint& point) {
    return point.where.transform != points.front().where.transform;
  });
  std::vector<std::string> names;
  Range lengths;
  Range bits;
  bits.add(0);
  for (const ExactPoint& point : points) {
    const std::string name = name_of_series(point.where, many_transforms);
    if (std::ranges::find(names, name) == names.end()) names.push_back(name);
    lengths.add(static_cast<double>(point.where.n));
    for (const Evidence& evidence : all)
      if (point.*evidence.bits) bits.add(*(point.*evidence.bits));
  }
  Panel panel{.x = octaves(lengths, "length n"),
              .y = even_steps(0, bits.high + 1, "bits of a digit, with its sign", 12),
              .height = frame_height};
  panel.y.grid = true;
  Figure figure{
      .name = "exact_bits",
      .title = "Bits of a digit with which every coefficient is right",
      .subtitle = many_transforms || points.empty() ? "" : points.front().where.transform};
  for (const Evidence& evidence : all)
    figure.legend.push_back(
        sample_entry(evidence.name, {.colour = "ink", .width = 1.5, .dashes = evidence.dashes}));
  const std::vector<std::size_t> styles = series_styles(names, {});
  for (std::size_t i = 0; i < names.size(); ++i) {
    figure.legend.push_back(series_entry(names[i], styles[i]));
    for (const Evidence& evidence : all) {
      Layer layer{.part = evidence.part,
                  .style = styles[i],
                  .colour = series_class(styles[i]),
                  .mark = evidence.is_marked ? series_mark(styles[i]) : Mark::none,
                  .width = 1.5,
                  .dashes = evidence.dashes};
      for (const ExactPoint& point : points) {
        if (name_of_series(point.where, many_transforms) != names[i] || !(point.*evidence.bits))
          continue;
        const double y = *(point.*evidence.bits);
        layer.spots.push_back(
            {.x = static_cast<double>(point.where.n),
             .y = y,
             .tip = fmt::format("{}\nn = {}\n{}: {} bits", names[i], point.where.n, evidence.name,
                                short_number(y, 5))});
      }
      std::ranges::sort(layer.spots, {}, &Spot::x);
      panel.layers.push_back(layer);
    }
  }
  figure.panels.push_back(panel);
  return figure;
}

}  // namespace fftprec::figures
