/// Flow graphs: computed in long double they give the certified transform, and every cut the data
/// that a run in fp64 has there.
#include "experiments/attribution/flow.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "arith/truth/fourier.hpp"
#include "experiments/attribution/stage_data.hpp"
#include "experiments/cases/session.hpp"

namespace fftprec::attribution {
namespace {

std::vector<FlowValue> flow_values(const ComplexArray<double>& x) {
  std::vector<FlowValue> values;
  for (std::size_t i = 0; i < x.size(); ++i) values.emplace_back(x.re[i], x.im[i]);
  return values;
}

double distance(const FlowEvaluation& from, const ComplexArray<double>& to) {
  long double error = 0;
  long double size = 0;
  for (std::size_t i = 0; i < to.size(); ++i) {
    error += std::norm(from.result(i) - FlowValue(to.re[i], to.im[i]));
    size += std::norm(FlowValue(to.re[i], to.im[i]));
  }
  return static_cast<double>(std::sqrt(error / size));
}

struct Sized {
  std::string algorithm;
  std::uint64_t n;
};

class FlowOf : public ::testing::TestWithParam<Sized> {};

TEST_P(FlowOf, AnAlgorithmGivesTheTransformAndTheStages) {
  const Case where{
      .algorithm = GetParam().algorithm, .mode = "fp64", .machine = "ieee", .n = GetParam().n};
  for (const char* transform : {"fft", "ifft"}) {
    SCOPED_TRACE(transform);
    Case of = where;
    of.transform = transform;
    const Problem problem = make_problem(problem_key(of));
    const CaseFlow flow = flow_of(of);
    const std::vector<StageData> stages = stage_data(of, problem.input);

    std::size_t seen = 0;
    for (std::size_t cut = 1; cut < flow.cuts.size(); ++cut) {
      const FlowRegion region(flow, 0, cut);
      const FlowEvaluation values(region, flow_values(problem.input));
      if (cut + 1 == flow.cuts.size()) {
        EXPECT_LT(distance(values, problem.truth.hi), 1e-15);
      } else if (flow.cuts[cut].stage != FlowCut::npos) {
        EXPECT_EQ(flow.cuts[cut].title, stages[flow.cuts[cut].stage].title);
        EXPECT_LT(distance(values, stages[flow.cuts[cut].stage].values), 1e-15)
            << flow.cuts[cut].title;
        ++seen;
      }
    }
    EXPECT_EQ(seen, stages.size());
  }
}

INSTANTIATE_TEST_SUITE_P(
    Algorithms, FlowOf,
    ::testing::Values(Sized{"radix2-dit", 64}, Sized{"radix2-dif", 64}, Sized{"recursive", 64},
                      Sized{"stockham-r2", 64}, Sized{"stockham-r4", 64}, Sized{"stockham-r8", 64},
                      Sized{"mixed-radix", 60}, Sized{"four-step", 1024}, Sized{"dft-gemm", 12},
                      Sized{"direct", 12}, Sized{"row-column", 60}, Sized{"bluestein", 13},
                      Sized{"rader", 13}, Sized{"good-thomas:inner=direct", 15}),
    [](const auto& info) {
      std::string name = info.param.algorithm + "_" + std::to_string(info.param.n);
      for (char& c : name)
        if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
      return name;
    });

TEST(FlowRegionBetween, StagesHasTheProductsOfOneStageOnly) {
  const CaseFlow flow = flow_of({.algorithm = "radix2-dit", .n = 16});
  std::vector<std::string> titles;
  for (const FlowCut& cut : flow.cuts) titles.push_back(cut.title);
  EXPECT_EQ(titles, (std::vector<std::string>{
                        "input", "butterflies, stage 1, times twiddles", "butterflies, stage 1",
                        "butterflies, stage 2, times twiddles", "butterflies, stage 2",
                        "butterflies, stage 3, times twiddles", "butterflies, stage 3",
                        "butterflies, stage 4, times twiddles", "butterflies, stage 4", "result"}));
  const FlowRegion stage(flow, 4, 6);
  std::size_t products = 0;
  for (const std::uint32_t node : stage.nodes())
    products += stage.graph().nodes[node].kind == FlowNode::Kind::product;
  EXPECT_EQ(products, 8);
  EXPECT_THROW(FlowRegion(flow, 6, 4), InputError);
}

}  // namespace
}  // namespace fftprec::attribution
