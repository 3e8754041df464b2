/// Vega-Lite specifications: what the public schema (vega.github.io/schema/vega-lite/v5.json) asks
/// of a concat of layered views, and that they show what gnuplot shows.
#include "reports/plots/vega_figures.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>

#include "reports/plots/plot_draw.hpp"
#include "tests/support/figure_rows.hpp"

namespace fftprec {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Json = nlohmann::json;

const std::set<std::string> marks = {"area", "line", "point", "rect", "rule", "text"};
const std::set<std::string> channels = {"x",     "y",          "x2",   "y2",   "color",
                                        "shape", "strokeDash", "text", "fill", "tooltip"};
const std::set<std::string> types = {"quantitative", "nominal"};

/// Every field of the data.
std::set<std::string> fields_of(const Json& values) {
  std::set<std::string> fields;
  for (const Json& row : values)
    for (const auto& [name, value] : row.items()) {
      fields.insert(name);
      EXPECT_TRUE(value.is_number() || value.is_string() || value.is_null() || value.is_boolean());
    }
  return fields;
}

/// A channel names a field of the data; one with a scale has a type, and a logarithmic scale a
/// domain above 0.
void check_channel(const std::string& name, const Json& channel,
                   const std::set<std::string>& fields) {
  SCOPED_TRACE(name + " " + channel.dump());
  EXPECT_TRUE(channels.contains(name));
  if (channel.is_array()) {
    for (const Json& each : channel) EXPECT_TRUE(fields.contains(each.at("field")));
    return;
  }
  EXPECT_TRUE(fields.contains(channel.at("field")));
  if (channel.contains("type")) EXPECT_TRUE(types.contains(channel["type"]));
  if (!channel.contains("scale") || channel["scale"].is_null()) return;
  EXPECT_TRUE(channel.contains("type"));
  const Json& scale = channel["scale"];
  if (scale.value("type", "") == "log") EXPECT_GT(scale.at("domain").at(0).get<double>(), 0);
  if (scale.contains("range") && channel["type"] == "nominal")
    EXPECT_EQ(scale["range"].size(), scale.at("domain").size());
}

void check(const std::string& text) {
  const Json spec = Json::parse(text);
  EXPECT_EQ(spec.at("$schema"), "https://vega.github.io/schema/vega-lite/v5.json");
  EXPECT_TRUE(spec.at("title").at("text").is_string());
  EXPECT_GE(spec.at("columns").get<int>(), 1);
  ASSERT_FALSE(spec.at("concat").empty());
  for (const Json& view : spec["concat"]) {
    EXPECT_GT(view.at("width").get<int>(), 0);
    EXPECT_GT(view.at("height").get<int>(), 0);
    ASSERT_FALSE(view.at("layer").empty());
    for (const Json& layer : view["layer"]) {
      EXPECT_TRUE(marks.contains(layer.at("mark").at("type"))) << layer;
      const Json& data = layer.contains("data") ? layer["data"] : view.at("data");
      const std::set<std::string> fields = fields_of(data.at("values"));
      for (const auto& [name, channel] : layer.at("encoding").items())
        check_channel(name, channel, fields);
    }
  }
}

Drawing drawing_of(const FigureRequest& request, std::size_t i = 0) {
  return draw(testing::figure_rows(), request, {}).at(i);
}

Json spec_of(const FigureRequest& request) { return Json::parse(drawing_of(request).vega); }

/// The first channel of this name in the first view.
Json channel_of(const Json& spec, const std::string& name, std::size_t from = 0) {
  const Json& layers = spec.at("concat").at(0).at("layer");
  for (std::size_t i = from; i < layers.size(); ++i)
    if (layers[i].at("encoding").contains(name)) return layers[i]["encoding"][name];
  return nullptr;
}

TEST(VegaFigures, HaveTheStructureOfVegaLite5) {
  for (const PlotKind kind :
       {PlotKind::lines, PlotKind::heatmap, PlotKind::cost, PlotKind::histogram}) {
    SCOPED_TRACE(static_cast<int>(kind));
    check(drawing_of(
              {.name = "f", .title = "T", .x = kind == PlotKind::cost ? "" : "n", .kind = kind})
              .vega);
  }
}

TEST(VegaLines, HaveTheSeriesColoursAndAxesOfTheScript) {
  const FigureRequest request{.name = "f", .title = "T <&'\""};
  const Json spec = spec_of(request);
  const std::string script = drawing_of(request).script;

  EXPECT_EQ(spec["title"]["text"], "T <&'\"");
  const Json colour = channel_of(spec, "color");
  EXPECT_THAT(colour["scale"]["domain"], ElementsAre("bf16", "fast"));
  for (const Json& each : colour["scale"]["range"])
    EXPECT_THAT(script, HasSubstr("lc '" + each.get<std::string>() + "'"));
  const Json y = channel_of(spec, "y");
  EXPECT_EQ(y["title"], "relative error, 2-norm");
  EXPECT_EQ(y["scale"]["type"], "log");
  EXPECT_EQ(channel_of(spec, "x")["title"], "transform length n");
  EXPECT_THAT(channel_of(spec, "x")["axis"]["values"], ElementsAre(64, 128));
  ASSERT_EQ(spec["concat"].size(), 2u);
  EXPECT_EQ(spec["concat"][0]["title"]["text"], "dft-gemm");
}

TEST(VegaLines, KeepTheTrueValueOfAnExactResultBesideItsPlaceOnTheFloor) {
  const Json spec = spec_of({.name = "f", .title = "T"});
  const Json y = channel_of(spec, "y");
  bool found = false;

  for (const Json& row : spec["concat"][0]["data"]["values"])
    if (row["exact"] == 2) {
      found = true;
      EXPECT_EQ(row["median"], 0);
      EXPECT_GT(row["at"], y["scale"]["domain"][0]);
      EXPECT_THAT(y["axis"]["values"], Contains(row["at"].get<double>()));
    }

  EXPECT_TRUE(found);
  EXPECT_THAT(y["axis"]["labelExpr"].get<std::string>(), HasSubstr("? 'exact' : "));
}

TEST(VegaLines, DrawBoundsDashedAndExpectedValuesDottedWhereThereAreSuch) {
  const auto dashes = [](const FigureRequest& request) {
    std::vector<std::string> found;
    const Json spec = spec_of(request);
    for (const Json& layer : spec["concat"][0]["layer"])
      if (layer["mark"].contains("strokeDash"))
        found.push_back(layer["encoding"]["y"]["field"].get<std::string>() +
                        layer["mark"]["strokeDash"].dump());
    return found;
  };
  EXPECT_THAT(dashes({.name = "f", .title = "T"}), ElementsAre("bound[9,5]", "expected[1,3]"));
  EXPECT_THAT(dashes({.name = "f", .title = "T", .y = "mac_count"}), ElementsAre());
}

TEST(VegaHeatMap, HasACellPerRowInTheColoursOfTheScale) {
  const Json spec = spec_of(
      {.name = "f", .title = "T", .y = "bits_l2", .series = "mode", .kind = PlotKind::heatmap});

  const Json colour = channel_of(spec, "color");
  EXPECT_EQ(colour["scale"]["type"], "linear");
  EXPECT_EQ(colour["scale"]["range"][0], "#440154");
  const Json& cells = spec["concat"][0]["data"]["values"];
  ASSERT_EQ(cells.size(), 4u);
  std::set<std::string> texts;
  for (const Json& cell : cells) texts.insert(cell["text"].get<std::string>());
  EXPECT_THAT(texts, ElementsAre("20.0", "exact"));
}

TEST(VegaCosts, NumberTheFrontAndNameZeros) {
  const Json spec = spec_of({.x = "matmul_passes", .kind = PlotKind::cost});

  EXPECT_EQ(channel_of(spec, "x")["title"], "tensor-engine passes");
  EXPECT_THAT(channel_of(spec, "x")["axis"]["labelExpr"].get<std::string>(),
              HasSubstr("? 'none' : "));
  std::vector<int> numbers;
  for (const Json& row : spec["concat"][0]["data"]["values"])
    if (row.contains("front")) numbers.push_back(row["front"]);
  EXPECT_THAT(numbers, ElementsAre(1)) << "exact at 64 passes";
}

TEST(VegaCosts, ShowPublishedTimes) {
  const Json spec = spec_of({.x = published_us, .kind = PlotKind::cost});

  EXPECT_EQ(channel_of(spec, "x")["title"], "published time on trn1, us");
  std::set<std::string> labels;
  for (const Json& row : spec["concat"][0]["data"]["values"]) {
    EXPECT_GT(row["cost"].get<double>(), 100);
    if (row.contains("front_label")) labels.insert(row["front_label"].get<std::string>());
  }
  EXPECT_THAT(labels, ::testing::Contains("1"));
}

TEST(VegaHistogram, HasBarsThatSumToAHundredPercentAndTheBound) {
  const Json spec = spec_of({.name = "f", .title = "T", .kind = PlotKind::histogram});

  double percent = 0;
  for (const Json& bar : spec["concat"][0]["data"]["values"])
    percent += bar["percent"].get<double>();
  EXPECT_NEAR(percent, 100.0 * 14 / 16, 1e-9) << "two of 16 are exact and stand in no bar";
  EXPECT_EQ(spec["concat"][0]["layer"][1]["data"]["values"][0]["begin"], 1);
  EXPECT_EQ(channel_of(spec, "x")["scale"]["type"], "log");
}

}  // namespace
}  // namespace fftprec
