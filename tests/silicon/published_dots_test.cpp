/// The presets against sums that were published as the results of GPUs.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>

#include "arith/accumulators/definition.hpp"
#include "tests/arith/probes.hpp"

namespace fftprec::testing {

namespace {

struct PublishedDot {
  std::string machine, operands;
  float c = 0, result = 0;
  std::vector<float> a, b;
};

float number(const std::string& text) { return std::strtof(text.c_str(), nullptr); }

PublishedDot read_dot(const std::string& line) {
  std::istringstream words(line);
  std::string c, result, word;
  PublishedDot dot;
  words >> dot.machine >> dot.operands >> c >> result;
  dot.c = number(c);
  dot.result = number(result);
  while (words >> word) {
    const std::size_t times = word.find('*'), count = word.find('@');
    const int repeats = count == std::string::npos ? 1 : std::stoi(word.substr(count + 1));
    for (int i = 0; i < repeats; ++i) {
      dot.a.push_back(number(word));
      dot.b.push_back(times == std::string::npos ? 1.0f : number(word.substr(times + 1)));
    }
  }
  return dot;
}

/// Lines of published_dots.txt that are no comments.
std::vector<std::string> published_dots() {
  std::ifstream file(FFTPREC_SOURCE_DIR "/tests/silicon/published_dots.txt");
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);)
    if (!line.starts_with("#")) lines.push_back(line);
  return lines;
}

/// Equal values; a zero's sign, and a NaN's, were not published.
bool same_result(float x, float y) { return x == y || (x != x && y != y); }

}  // namespace

TEST(PublishedDots, AreThoseOfThePresets) {
  std::map<std::string, int> counts;
  for (const std::string& line : published_dots()) {
    const PublishedDot dot = read_dot(line);
    const Machine machine = preset(dot.machine);
    const Format operands = format_named(dot.operands);
    ++counts[dot.machine.substr(0, dot.machine.find('{'))];

    const float given = answer(machine, operands, dot.c, dot.a, dot.b);
    const float defined = fftprec::dot(accumulator_for(machine, operands), dot.c, dot.a, dot.b);

    EXPECT_TRUE(same_result(given, dot.result)) << show(static_cast<double>(given)) << ": " << line;
    EXPECT_TRUE(same_result(defined, dot.result)) << "by definition: " << line;
  }
  EXPECT_EQ(counts, (std::map<std::string, int>{{"amd-cdna1", 229},
                                                {"amd-cdna2", 60},
                                                {"amd-cdna3", 767},
                                                {"nv-ada", 399},
                                                {"nv-ampere", 274},
                                                {"nv-hopper", 416},
                                                {"nv-turing", 149},
                                                {"nv-volta", 95}}));
}

}  // namespace fftprec::testing
