/// Texts of a page: what must be escaped is, and nothing else changes.
#include "reports/figures/text.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fftprec::figures {
namespace {

const std::string replaced = "\xEF\xBF\xBD";

TEST(MarkupText, EscapesWhatMarkupIsMadeOf) {
  EXPECT_EQ(markup_text("<a href=\"x\">b & 'c'</a>"),
            "&lt;a href=&quot;x&quot;&gt;b &amp; &#39;c&#39;&lt;/a&gt;");
  EXPECT_EQ(markup_text("wide:phi=4\n\t1e-7"), "wide:phi=4\n\t1e-7");
}

TEST(MarkupText, KeepsWellFormedUtf8AndReplacesTheRest) {
  EXPECT_EQ(markup_text("\xC3\xA9 \xE2\x82\xAC \xF0\x9F\x98\x80"),
            "\xC3\xA9 \xE2\x82\xAC \xF0\x9F\x98\x80");
  EXPECT_EQ(markup_text("a\xFF"), "a" + replaced);
  EXPECT_EQ(markup_text("\xC3("), replaced + "(") << "a character cut short";
  EXPECT_EQ(markup_text("\xC0\xAF"), replaced + replaced) << "an overlong slash";
  EXPECT_EQ(markup_text("\xED\xA0\x80"), replaced + replaced + replaced) << "half a surrogate pair";
  EXPECT_EQ(markup_text("\xE2\x82"), replaced + replaced) << "cut off at the end";
  EXPECT_EQ(markup_text(std::string_view("\x00\x1b\x7f", 3)), replaced + replaced + replaced);
}

TEST(Element, EscapesItsText) {
  EXPECT_EQ(element("td", "a<b", "class=\"number\""), "<td class=\"number\">a&lt;b</td>");
  EXPECT_EQ(element("p", ""), "<p></p>");
}

/// Measured by ImageMagick: 933 pixels, with the letters set on whole pixels.
TEST(TextWidth, IsThatOfDejaVuSans) {
  EXPECT_NEAR(text_width("transform length n", 100), 935, 5);
  EXPECT_NEAR(text_width("10", 100), 127.2, 0.1);
  EXPECT_NEAR(text_width("iiii", 100), 111.2, 0.1);
  EXPECT_NEAR(text_width("WWWW", 100), 395.6, 0.1);
  EXPECT_EQ(text_width("", 100), 0);
  EXPECT_EQ(text_width("\xE2\x82\xAC", 100), 100) << "one letter, not three";
  EXPECT_NEAR(label_width({.text = "10", .raised = "-3"}, 100), 127.2 + 0.75 * 99.7, 0.1);
}

TEST(Wrapped, BreaksAtSpacesAndWithinLongWordsAndLosesNoLetter) {
  using ::testing::ElementsAre;
  const double letter = text_width("0", 10);
  EXPECT_THAT(wrapped("000 000 00000", 10, 8 * letter), ElementsAre("000 000", "00000"));
  EXPECT_THAT(wrapped("00000000", 10, 3.5 * letter), ElementsAre("000", "000", "00"));
  EXPECT_THAT(wrapped("\xC2\xB7\xC2\xB7\xC2\xB7", 10, 20),
              ElementsAre("\xC2\xB7\xC2\xB7", "\xC2\xB7"))
      << "letters, not bytes";
  EXPECT_THAT(wrapped("", 10, 50), ElementsAre(""));
  EXPECT_THAT(wrapped("ab", 10, 1), ElementsAre("a", "b")) << "one letter at least";
}

}  // namespace
}  // namespace fftprec::figures
