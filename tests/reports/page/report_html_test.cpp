/// Texts of a page: what must be escaped is, and nothing else changes.
#include "reports/page/report_html.hpp"

#include <gtest/gtest.h>

namespace fftprec {
namespace {

const std::string replaced = "\xEF\xBF\xBD";

TEST(HtmlText, EscapesWhatMarkupIsMadeOf) {
  EXPECT_EQ(html_text("<a href=\"x\">b & 'c'</a>"),
            "&lt;a href=&quot;x&quot;&gt;b &amp; &#39;c&#39;&lt;/a&gt;");
  EXPECT_EQ(html_text("wide:phi=4\n\t1e-7"), "wide:phi=4\n\t1e-7");
}

TEST(HtmlText, KeepsWellFormedUtf8AndReplacesTheRest) {
  EXPECT_EQ(html_text("\xC3\xA9 \xE2\x82\xAC \xF0\x9F\x98\x80"),
            "\xC3\xA9 \xE2\x82\xAC \xF0\x9F\x98\x80");
  EXPECT_EQ(html_text("a\xFF"), "a" + replaced);
  EXPECT_EQ(html_text("\xC3("), replaced + "(") << "a character cut short";
  EXPECT_EQ(html_text("\xC0\xAF"), replaced + replaced) << "an overlong slash";
  EXPECT_EQ(html_text("\xED\xA0\x80"), replaced + replaced + replaced) << "half a surrogate pair";
  EXPECT_EQ(html_text("\xE2\x82"), replaced + replaced) << "cut off at the end";
  EXPECT_EQ(html_text(std::string_view("\x00\x1b\x7f", 3)), replaced + replaced + replaced);
}

TEST(JsonText, CannotEndItsScript) {
  EXPECT_EQ(json_text("</script><!-- \"\\\n"), "\"\\u003c/script>\\u003c!-- \\\"\\\\\\n\"");
}

TEST(Element, EscapesItsText) {
  EXPECT_EQ(element("td", "a<b", "class=\"number\""), "<td class=\"number\">a&lt;b</td>");
  EXPECT_EQ(element("p", ""), "<p></p>");
}

}  // namespace
}  // namespace fftprec
