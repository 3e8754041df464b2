/// Texts of pictures: their widths and lines.
#include "reports/figures/text.hpp"

#include <gmock/gmock.h>

namespace fftprec::figures {
namespace {

/// Measured by ImageMagick: 933 pixels, with the letters set on whole pixels.
TEST(TextWidth, IsThatOfDejaVuSans) {
  EXPECT_NEAR(text_width("transform length n", 100), 935, 5);
  EXPECT_NEAR(text_width("10", 100), 127.2, 0.1);
  EXPECT_NEAR(text_width("iiii", 100), 111.2, 0.1);
  EXPECT_NEAR(text_width("WWWW", 100), 395.6, 0.1);
  EXPECT_EQ(text_width("", 100), 0);
  EXPECT_EQ(text_width("\xE2\x82\xAC", 100), 100) << "one letter, not three";
  EXPECT_NEAR(label_width({.text = "10", .superscript = "-3"}, 100), 127.2 + 0.75 * 99.7, 0.1);
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
