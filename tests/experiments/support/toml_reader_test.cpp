/// Reading TOML: what a value may be, and that every error says once where it is.
#include "experiments/support/toml_reader.hpp"

#include <gmock/gmock.h>

#include "tests/support/error_text.hpp"
#include "tests/support/fragments.hpp"

namespace fftprec {
namespace {

using ::testing::ElementsAre;
using testing::error_text;
using testing::holds;
using ::testing::IsEmpty;
using ::testing::StartsWith;

const TomlReader reader("a.toml");

/// What the reader says of the value of `key` in `text`.
template <class Read>
std::string refusal(const std::string& text, Read&& read, const std::string& key = "key") {
  return error_text([&] { reader.value(reader.parse(text), key, read); });
}

TEST(TomlReader, SaysWhereMalformedTomlIs) {
  EXPECT_THAT(error_text([] { reader.parse("a = 1\nb = \n"); }), StartsWith("a.toml:2:5: "));
}

TEST(TomlReader, SuggestsTheNearestKey) {
  const toml::table table = reader.parse("a = 1\ncolr = 2\n");

  EXPECT_EQ(error_text([&] {
              reader.check_keys(table, {"a", "color"});
            }),
            "a.toml:2:1: unknown key 'colr'; did you mean 'color'?; known: a, color");
  EXPECT_THAT(error_text([&] { reader.check_keys(table, {"a"}, "key of a gate"); }),
              StartsWith("a.toml:2:1: unknown key of a gate 'colr'"));
  EXPECT_EQ(error_text([&] { reader.check_keys(table, {"colr", "a"}); }), "no error");
}

TEST(TomlReader, SaysInWhichTableAKeyIsMissing) {
  const toml::table document = reader.parse("a = 1\n[inner]\nb = 2\n");

  EXPECT_EQ(error_text([&] { reader.text(reader.table(document, "inner"), "c"); }),
            "a.toml:2:1: the key 'c' is missing");
}

TEST(TomlReader, TellsAMissingTextFromAnEmptyOne) {
  const toml::table table = reader.parse("full = \"x\"\nempty = \"\"\nwhole = 3\n");

  EXPECT_EQ(reader.text(table, "full"), "x");
  EXPECT_EQ(reader.text_or(table, "full", "y"), "x");
  EXPECT_EQ(reader.text_or(table, "none", "y"), "y");
  EXPECT_EQ(reader.text_or(table, "empty", "y"), "");
  EXPECT_EQ(error_text([&] { reader.text(table, "empty"); }),
            "a.toml:2:9: empty: expected a text that is not empty, not an empty text");
  EXPECT_EQ(error_text([&] { reader.text_or(table, "whole", "y"); }),
            "a.toml:3:9: whole: expected a text, not 3");
}

TEST(TomlReader, TellsATableFromTables) {
  const toml::table document = reader.parse("[one]\n[[two]]\na = 1\n[[two]]\na = 2\n");

  EXPECT_TRUE(reader.table(document, "one").empty());
  EXPECT_EQ(reader.tables(document, "two").size(), 2u);
  EXPECT_THAT(reader.tables(document, "three"), IsEmpty());
  EXPECT_EQ(error_text([&] { reader.table(document, "two"); }),
            "a.toml:2:1: two: expected a table, [two], not an array");
  EXPECT_EQ(error_text([&] { reader.tables(document, "one"); }),
            "a.toml:1:1: one: expected tables, [[one]], not a table");
}

TEST(TomlReader, SaysOfAnErrorOfAnyDepthOnceWhereItIs) {
  const toml::table table = reader.parse("outer = 1\ninner = 2\n");
  const toml::node& outer = reader.node(table, "outer");
  const toml::node& inner = reader.node(table, "inner");

  EXPECT_EQ(error_text([&] {
              reader.located(outer, "outer", [&] {
                reader.located(inner, "inner", [] { throw InputError("is wrong"); });
              });
            }),
            "a.toml:2:9: inner: is wrong");
  EXPECT_EQ(error_text([&] { reader.located(outer, [] { throw InputError("is wrong"); }); }),
            "a.toml:1:9: is wrong");
  EXPECT_EQ(reader.located(outer, [] { return 7; }), 7);
}

TEST(TomlReader, PointsAtTheElementThatIsWrong) {
  EXPECT_EQ(refusal("key = [\n  \"a\",\n  [],\n]\n", texts_from),
            "a.toml:3:3: key: expected a text that is not empty, not an array");
}

TEST(TomlValues, AreWhatTheySay) {
  const toml::table table = reader.parse(
      "text = \"x\"\nwhole = 3\nnumber = 2.5\ntruth = true\nday = 2026-12-31\n"
      "texts = [\"a\", \"b\"]\nmixed = [\"a\", -1]\nnone = []\n");

  EXPECT_EQ(reader.value(table, "text", text_from), "x");
  EXPECT_EQ(reader.value(table, "whole", scalar_from), "3");
  EXPECT_EQ(reader.value(table, "whole", number_from), 3);
  EXPECT_EQ(reader.value(table, "number", number_from), 2.5);
  EXPECT_EQ(reader.value(table, "whole", count_from), 3u);
  EXPECT_TRUE(reader.value(table, "truth", truth_value_from));
  EXPECT_EQ(reader.value(table, "day", day_from),
            std::chrono::sys_days(std::chrono::year(2026) / 12 / 31));
  EXPECT_THAT(reader.value(table, "text", texts_from), ElementsAre("x"));
  EXPECT_THAT(reader.value(table, "texts", texts_from), ElementsAre("a", "b"));
  EXPECT_THAT(reader.value(table, "none", texts_from), IsEmpty());
  EXPECT_THAT(reader.value(table, "mixed", scalars_from), ElementsAre("a", "-1"));
  EXPECT_THAT(reader.value(table, "whole", scalars_from), ElementsAre("3"));
}

TEST(TomlReader, RefusesWhatIsNestedTooDeep) {
  for (const std::size_t levels : {std::size_t{65}, std::size_t{50'000}}) {
    std::string dots = "k";
    std::string tables = "k = ";
    for (std::size_t i = 0; i < levels; ++i) {
      dots += ".k";
      tables += "{k = ";
    }
    const std::string brackets(levels, '[');
    for (const std::string& text :
         {dots + " = 1", "[" + dots + "]", "x = " + brackets, tables, "x = [[1], " + brackets})
      EXPECT_THAT(error_text([&] { reader.parse(text); }), holds("nested deeper than 64 levels"))
          << text.substr(0, 20);
  }
  const std::string dots = std::string(5000, '.') + std::string(5000, '[');
  for (const std::string& text :
       {"k = \"" + dots + "\"", "k = '" + dots + "'", "k = '''\n" + dots + "'''", "# " + dots,
        R"(k = """\""")" + dots + R"(""")", R"(k = "\"")" + dots.substr(0, 0) + " # it's " + dots})
    EXPECT_NO_THROW(reader.parse(text)) << text.substr(0, 20);
  EXPECT_THAT(
      error_text([] { reader.parse("a = \"'\"\nb = '''\n\n'''\n k = " + std::string(80, '[')); }),
      holds("a.toml:5:70: nested"));
}

TEST(TomlValues, AreLinesWithoutControlCharacters) {
  for (const std::string text : {R"(a\nb)", R"(a\u001b[31m)", R"(\u009b)", R"(\u202e)"})
    EXPECT_THAT(refusal("key = \"" + text + "\"", text_from),
                StartsWith("a.toml:1:7: key: expected one line without control characters"))
        << text;
  const toml::table table = reader.parse(R"(prose = "a\n\tb"
bad = "\u001b")");
  EXPECT_EQ(reader.value(table, "prose", prose_from), "a\n\tb");
  EXPECT_THROW(reader.value(table, "bad", prose_from), LocatedError);
  EXPECT_THROW(reader.text_or(table, "prose", ""), LocatedError);
}

TEST(TomlValues, SayWhatTheyWereExpectedToBeAndWhatTheyAre) {
  const std::string place = "a.toml:1:7: key: expected ";
  EXPECT_EQ(refusal("key = 3", text_from), place + "a text that is not empty, not 3");
  EXPECT_EQ(refusal("key = true", scalar_from), place + "a text or a whole number, not true");
  EXPECT_EQ(refusal("key = 1.5", scalar_from), place + "a text or a whole number, not 1.5");
  EXPECT_EQ(refusal("key = \"1\"", number_from), place + "a number, not the text '1'");
  EXPECT_EQ(refusal("key = -inf", number_from), place + "a finite number, not -inf");
  EXPECT_EQ(refusal("key = 1979-05-27", number_from), place + "a number, not a date");
  EXPECT_EQ(refusal("key = 07:32:00", number_from), place + "a number, not a time");
  EXPECT_EQ(refusal("key = -1", count_from), place + "a whole number from 0 on, not -1");
  EXPECT_EQ(refusal("key = 1.0", count_from), place + "a whole number from 0 on, not 1.0");
  EXPECT_EQ(refusal("key = 1", truth_value_from), place + "true or false, not 1");
  EXPECT_EQ(refusal("key = {}", day_from),
            place + "a date without quotes, as 2026-12-31, not a table");
  EXPECT_EQ(refusal("key = []", scalars_from), place + "at least one value, not an array");
  EXPECT_EQ(refusal("key = \"" + std::string(41, 'a') + "\"", number_from),
            place + "a number, not a long text");
}

}  // namespace
}  // namespace fftprec
