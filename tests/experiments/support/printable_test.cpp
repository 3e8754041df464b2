/// Text from outside, as terminals and logs may show it.
#include "experiments/support/printable.hpp"

#include <gtest/gtest.h>

namespace fftprec {
namespace {

TEST(Printable, ShowsControlsAndLeavesTheRest) {
  EXPECT_EQ(printable("plain, \xC3\xA9 \xF0\x9F\x98\x80 {a:b}"),
            "plain, \xC3\xA9 \xF0\x9F\x98\x80 {a:b}");
  EXPECT_EQ(printable("a\nb\r\tc"), "a\\nb\\r\\tc");
  EXPECT_EQ(printable("\x1b[31m\x07\x7f"), "\\x1b[31m\\x07\\x7f");
  EXPECT_EQ(printable(std::string_view("\0", 1)), "\\x00");
  EXPECT_EQ(printable("\xC2\x9B,"), "\\xc2\\x9b,") << "ESC [ in one character";
  EXPECT_EQ(printable("\xE2\x80\xAEtxt"), "\\xe2\\x80\\xaetxt") << "from right to left";
  EXPECT_EQ(printable("\xFF\xC3("), "\\xff\\xc3(") << "no UTF-8";
}

TEST(Printable, IsNoCommandOfACiServer) {
  EXPECT_EQ(printable("::error::x"), "\\::error::x");
  EXPECT_EQ(printable("bad\n::error::x"), "bad\\n::error::x");
  EXPECT_EQ(printable("a ##[error]x"), "a \\##[error]x");
  EXPECT_EQ(printable("std::string"), "std::string");
}

TEST(Printable, ShowsTheBeginningOfLongText) {
  EXPECT_EQ(printable("abcdef", 6), "abcdef");
  EXPECT_EQ(printable("abcdefg", 6), "abcdef...");
}

}  // namespace
}  // namespace fftprec
