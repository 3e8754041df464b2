/// Messages for unknown names: what is known, and the nearest if one is near.
#include "arith/support/error.hpp"

#include <gtest/gtest.h>

namespace fftprec::testing {

TEST(UnknownName, ListsTheKnownAndSuggestsTheNearest) {
  EXPECT_STREQ(unknown_name("mode", "ozak", {"bf16", "ozaki"}).what(),
               "unknown mode 'ozak'; did you mean 'ozaki'?; known: bf16, ozaki");
  EXPECT_STREQ(unknown_name("mode", "nothing", {"bf16", "ozaki"}).what(),
               "unknown mode 'nothing'; known: bf16, ozaki");
  EXPECT_STREQ(unknown_name("file", "x", {}).what(), "unknown file 'x'");
}

TEST(UnknownName, ListsOfManyOnlyThoseThatAreNearAndWhereAllAre) {
  std::vector<std::string> known = {"bf16", "bf16x2", "bf16x3", "fp16"};
  for (int i = 0; i < 9; ++i) known.push_back("other" + std::to_string(i));
  EXPECT_STREQ(unknown_name("mode", "bf16x", known).what(),
               "unknown mode 'bf16x'; did you mean 'bf16'?; near it: bf16, bf16x2, bf16x3; all: "
               "fftprec list modes");
  EXPECT_STREQ(unknown_name("tables", "nothing", known).what(),
               "unknown tables 'nothing'; all: fftprec list tables");
  EXPECT_STREQ(unknown_name("parameter", "fp61", known).what(),
               "unknown parameter 'fp61'; did you mean 'fp16'?; all: fftprec show machine:trn");
  known.resize(12);
  EXPECT_STREQ(unknown_name("mode", "nothing", known).what(),
               "unknown mode 'nothing'; known: bf16, bf16x2, bf16x3, fp16, other0, other1, other2, "
               "other3, other4, other5, other6, other7");
}

TEST(UnknownName, SuggestsWhatWasMeantAndNothingElse) {
  const std::vector<std::string> names = {"mode", "n",         "psum", "bf16",     "fp16", "trn",
                                          "tpu",  "nv-hopper", "sr",   "tpu-high", "ozaki"};
  for (const auto& [name, meant] : {std::pair{"bf61", "bf16"},
                                    {"pusm", "psum"},
                                    {"moed", "mode"},
                                    {"N", "n"},
                                    {"Mode", "mode"},
                                    {"BF16", "bf16"},
                                    {"hopper", "nv-hopper"},
                                    {"tnr", "trn"},
                                    {"trn1", "trn"},
                                    {"gpu", ""},
                                    {"cpu", ""},
                                    {"m", ""},
                                    {"rs", ""},
                                    {"help", ""},
                                    {"cuda", ""}})
    EXPECT_EQ(nearest_name(name, names), meant) << name;
}

TEST(UnknownName, TakesASuggestionThatIsKnownOtherwise) {
  EXPECT_STREQ(unknown_name("machine", "h100", {"trn", "nv-hopper"}, "nv-hopper").what(),
               "unknown machine 'h100'; did you mean 'nv-hopper'?; known: trn, nv-hopper");
}

TEST(UnknownName, OneLetterIsNoLikeness) {
  EXPECT_EQ(nearest_name("m", {"n"}), "");
  EXPECT_EQ(nearest_name("-z", {"-h"}), "");
  EXPECT_EQ(nearest_name("fp61", {"fp16", "fp64"}), "fp16");
}

TEST(ItemNamed, FindsAnItemOrRefuses) {
  struct Item {
    std::string name;
    int value;
  };
  const std::vector<Item> items = {{"one", 1}, {"two", 2}};
  EXPECT_EQ(item_named(items, "item", "two").value, 2);
  EXPECT_THROW(item_named(items, "item", "three"), InputError);
  try {
    item_named(items, "item", "three", {"a number"});
    FAIL() << "no error";
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(), "unknown item 'three'; known: one, two, a number");
  }
}

TEST(Require, SaysTheReasonToUsersAndThePlaceToCallers) {
  try {
    require(false, "reason");
    FAIL() << "no error";
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(), "reason");
    EXPECT_TRUE(error.place().starts_with("error_test.cpp:")) << error.place();
  }
  EXPECT_EQ(InputError("reason").place(), "");
}

/// A part of a message that counts how often it was made text.
struct Costly {
  int* texts;
  friend std::string to_string(const Costly& part) { return std::to_string(++*part.texts); }
};

TEST(Require, JoinsItsPartsOnlyWhereTheConditionFails) {
  int texts = 0;
  const std::string name = "name";

  require(true, name, ": ", Costly{&texts});
  EXPECT_EQ(texts, 0);
  try {
    require(false, name, ": ", std::size_t{3}, " is not in ", -1, "..", Costly{&texts});
    FAIL() << "no error";
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(), "name: 3 is not in -1..1");
    EXPECT_TRUE(error.place().starts_with("error_test.cpp:")) << error.place();
  }
}

}  // namespace fftprec::testing
