/// Names with keys: choices that may stand alone, canonical spellings, errors.
#include "experiments/support/names.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "experiments/transforms/registry.hpp"
#include "tests/support/error_text.hpp"

namespace fftprec::testing {
namespace {

const std::vector<Key>& shape_keys() {
  static const std::vector<Key> keys{{"color", "red", {"red", "green"}, "", true},
                                     {"size", "small", {"small", "red-hot"}, "", true},
                                     {"cut", "near", {"near", "far"}},
                                     {"count", "1", {}, "1 to 8"},
                                     {"inner", "itself", {}, "a name"}};
  return keys;
}

/// The values for `text`, in the order of the keys.
std::vector<std::string> values_in(const std::string& text) {
  std::vector<std::string> values;
  for (const Key& key : with_values(shape_keys(), text, "shape s")) values.push_back(key.value);
  return values;
}

std::string error_in(const std::string& text) {
  return error_text([&] { with_values(shape_keys(), text, "shape s"); });
}

std::string spelled_again(const std::string& text) {
  return spelled("s", shape_keys(), with_values(shape_keys(), text, "shape s"));
}

using Values = std::vector<std::string>;

TEST(BareChoices, MayStandForTheirKeyInAnyPlace) {
  EXPECT_EQ(values_in(""), (Values{"red", "small", "near", "1", "itself"}));
  EXPECT_EQ(values_in("green"), (Values{"green", "small", "near", "1", "itself"}));
  EXPECT_EQ(values_in("count=3:red-hot:cut=far:green"),
            (Values{"green", "red-hot", "far", "3", "itself"}));
  EXPECT_EQ(values_in("color=green:size=red-hot"),
            (Values{"green", "red-hot", "near", "1", "itself"}));
  EXPECT_EQ(values_in("red"), values_in("color=red"));
}

/// A value may contain colons, but not those before a key; `inner` takes all.
TEST(BareChoices, InAnInnerNameBelongToIt) {
  EXPECT_EQ(values_in("green:inner=s:red-hot:count=3"),
            (Values{"green", "small", "near", "1", "s:red-hot:count=3"}));
}

TEST(BareChoices, OfOtherKeysNeedTheirKey) {
  EXPECT_EQ(error_in("far"),
            "unknown key of shape s 'far'; known: red, green, small, red-hot, color, size, cut, "
            "count, inner");
  EXPECT_EQ(error_in("blue"),
            "unknown key of shape s 'blue'; known: red, green, small, red-hot, color, size, cut, "
            "count, inner");
  EXPECT_EQ(error_in("gree"),
            "unknown key of shape s 'gree'; did you mean 'green'?; known: red, green, small, "
            "red-hot, color, size, cut, "
            "count, inner");
}

TEST(BareChoices, AreGivenOnce) {
  EXPECT_EQ(error_in("red:green"), "shape s: the key color is given twice");
  EXPECT_EQ(error_in("color=red:green"), "shape s: the key color is given twice");
  EXPECT_EQ(error_in("green:count=2:color=red"), "shape s: the key color is given twice");
  EXPECT_EQ(error_in("count=2:count=2"), "shape s: the key count is given twice");
  EXPECT_EQ(error_in("green:red-hot"), "no error");
}

TEST(Spelled, LeavesDefaultsOutAndChoicesBare) {
  EXPECT_EQ(spelled_again(""), "s");
  EXPECT_EQ(spelled_again("color=red:count=1:small"), "s");
  EXPECT_EQ(spelled_again("count=3:size=red-hot:color=green"), "s:green:red-hot:count=3");
  EXPECT_EQ(spelled_again("cut=far"), "s:cut=far");
  EXPECT_EQ(spelled_again("green:inner=s:cut=far"), "s:green:inner=s:cut=far");
}

TEST(Spelled, IsReadAsTheSameValues) {
  for (const std::string text : {"", "green", "cut=far:red-hot", "count=8:green:inner=t:red"}) {
    const std::string again = spelled_again(text);
    EXPECT_EQ(values_in(again.size() > 2 ? again.substr(2) : ""), values_in(text)) << text;
  }
}

TEST(CanonicalTransform, IsOneForEverySpellingOfAProduct) {
  EXPECT_EQ(canonical_transform("product"), "product");
  EXPECT_EQ(canonical_transform("product:linear:complex:two:parts=1"), "product");
  EXPECT_EQ(canonical_transform("product:half:ring=negacyclic"), "product:negacyclic:half");
  EXPECT_EQ(canonical_transform("product:parts=2:square:form=half"), "product:half:square:parts=2");
  EXPECT_EQ(canonical_transform("product:exponent=521:cyclic"), "product:cyclic:exponent=521");
}

TEST(CanonicalTransform, LeavesOtherNamesAsTheyAre) {
  for (const char* name : {"fft", "cconv1d:taps=3", "stft:hop=3:length=40", "dct2:norm=ortho"})
    EXPECT_EQ(canonical_transform(name), name);
}

TEST(CanonicalTransform, RejectsUnknownNamesAndKeys) {
  EXPECT_EQ(
      error_text([] { canonical_transform("product:quarter"); }),
      "unknown key of transform product 'quarter'; known: linear, cyclic, negacyclic, "
      "complex, half, pair, two, square, ring, form, operands, terms, parts, base, cut, exponent");
  EXPECT_EQ(error_text([] { canonical_transform("product:cyclic:linear"); }),
            "transform product: the key ring is given twice");
  EXPECT_NE(error_text([] { canonical_transform("produkt"); }).find("unknown transform"),
            std::string::npos);
}

}  // namespace
}  // namespace fftprec::testing
