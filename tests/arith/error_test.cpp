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

TEST(UnknownName, OneLetterIsNoLikeness) {
  EXPECT_EQ(nearest_name("m", {"n"}), "");
  EXPECT_EQ(nearest_name("-z", {"-h"}), "");
  EXPECT_EQ(nearest_name("fp61", {"fp16", "fp64"}), "fp64");
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

TEST(Require, NamesThePlace) {
  try {
    require(false, "reason");
    FAIL() << "no error";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("error_test.cpp:"), std::string::npos);
  }
}

}  // namespace fftprec::testing
