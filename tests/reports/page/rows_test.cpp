/// The JSON behind the table of a page, read by another reader than the page's own.
#include <gmock/gmock.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "experiments/cases/columns.hpp"
#include "experiments/support/decimal.hpp"
#include "reports/page/sections.hpp"
#include "tests/support/many_rows.hpp"
#include "tests/support/sample_rows.hpp"

namespace fftprec::page {
namespace {

using Json = nlohmann::json;
using ::testing::Contains;
using ::testing::ElementsAre;

constexpr std::size_t plenty = 100'000'000;

/// So many numbers of 16 bits, the low byte first, from base64.
std::vector<std::size_t> unpacked(const std::string& text, std::size_t count) {
  const std::string letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::vector<bool> bits;
  for (const char c : text)
    for (int i = 5; i >= 0 && c != '='; --i) bits.push_back((letters.find(c) >> i & 1) != 0);
  std::vector<std::size_t> numbers(count);
  for (std::size_t i = 0; i < 16 * count; ++i) {
    const std::size_t place = i % 16;  // the high bit of each byte comes first
    if (bits.at(i)) numbers[i / 16] |= std::size_t{1} << (place < 8 ? 7 - place : 23 - place);
  }
  return numbers;
}

/// The values of a column, whatever its form; empty if it is not there.
std::vector<Json> values_of(const Json& data, const std::string& name) {
  for (const Json& column : data["columns"]) {
    if (column["name"] != name) continue;
    if (column.contains("values")) return column["values"].get<std::vector<Json>>();
    std::vector<Json> values;
    if (column.contains("codes"))
      for (const Json& code : column["codes"])
        values.push_back(column["dictionary"][code.get<std::size_t>()]);
    else if (column.contains("packed"))
      for (const std::size_t code : unpacked(column["packed"].get<std::string>(), data["rows"]))
        values.push_back(column["dictionary"].at(code));
    else
      for (std::size_t i = 0; i < column["runs"].size(); i += 2)
        values.insert(values.end(), column["runs"][i + 1].get<std::size_t>(),
                      column["dictionary"][column["runs"][i].get<std::size_t>()]);
    return values;
  }
  return {};
}

double number_of(const Json& value) {
  return value.is_string() ? parse_double(value.get<std::string>()).value() : value.get<double>();
}

/// True if `value` is what the CSV has, to four significant digits.
bool says(const Json& value, const std::optional<double>& full) {
  if (!full) return value.is_null();
  if (value.is_null()) return false;
  const double shown = number_of(value);
  if (!std::isfinite(*full)) return std::isnan(*full) ? std::isnan(shown) : shown == *full;
  constexpr double half_a_unit_of_the_fourth_digit = 0.5e-3;
  return std::abs(shown - *full) <= half_a_unit_of_the_fourth_digit * std::abs(*full);
}

TEST(RowsJson, HoldsEveryCellOfEveryRow) {
  const std::vector<Row> rows = testing::many_rows(3000);

  const RowsJson json = rows_json(rows, plenty);

  EXPECT_TRUE(json.left_out.empty());
  const Json data = Json::parse(json.text);
  ASSERT_EQ(data["rows"], rows.size());
  for (const Column& column : columns()) {
    const std::vector<Json> values = values_of(data, std::string(column.name));
    ASSERT_EQ(values.size(), rows.size()) << column.name;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (holds_numbers(column))
        ASSERT_TRUE(says(values[i], column.number(rows[i])))
            << column.name << " of row " << i << ": " << values[i] << " for "
            << column.text(rows[i]);
      else
        ASSERT_EQ(values[i].get<std::string>(), column.text(rows[i])) << column.name;
    }
  }
}

TEST(RowsJson, TellsNumbersThatAreNoneFromThoseThatAreMissing) {
  std::vector<Row> rows = {made_up({.error = 1}), made_up({.seed = 2}), made_up({.seed = 3}),
                           made_up({.seed = 4, .error = 0})};
  rows[0].err_l2_rel = std::numeric_limits<double>::quiet_NaN();
  rows[1].err_l2_rel = std::numeric_limits<double>::infinity();
  rows[2].err_l2_rel.reset();

  const Json data = Json::parse(rows_json(rows, plenty).text);

  EXPECT_THAT(values_of(data, "err_l2_rel"), ElementsAre("nan", "inf", nullptr, 0));
  EXPECT_THAT(values_of(data, "err_over_bound"), ElementsAre("inf", "inf", nullptr, 0));
}

TEST(RowsJson, KeepsEveryDigitOfAnInteger) {
  std::vector<Row> rows = {made_up({.n = 1048577, .seed = 18446744073709551615u})};
  rows[0].real_multiplications = 9007199254740993u;

  const Json data = Json::parse(rows_json(rows, plenty).text);

  EXPECT_EQ(values_of(data, "n")[0], 1048577);
  EXPECT_EQ(values_of(data, "seed")[0], "18446744073709551615");
  EXPECT_EQ(values_of(data, "real_multiplications")[0], "9007199254740993");
}

TEST(RowsJson, SaysWhichColumnsItHadNoRoomFor) {
  const std::vector<Row> rows = testing::many_rows(3000);
  const std::size_t most = rows_json(rows, plenty).text.size() / 2;

  const RowsJson json = rows_json(rows, most);

  EXPECT_LE(json.text.size(), most + 2) << "and the two closing brackets";
  EXPECT_THAT(json.left_out, Contains("case_id"));
  const Json data = Json::parse(json.text);
  for (const std::string& name : json.left_out) EXPECT_TRUE(values_of(data, name).empty()) << name;
  for (const char* name : {"algorithm", "mode", "n", "seed", "status", "err_l2_rel"})
    EXPECT_EQ(values_of(data, name).size(), rows.size()) << name;
}

TEST(RowsJson, StaysWithinTheRoomOf200000Rows) {
  const std::vector<Row> rows = testing::many_rows(40'000);
  constexpr std::size_t room = 8'000'000 / 5;  // a fifth of the rows

  const RowsJson json = rows_json(rows, room);

  EXPECT_EQ(values_of(Json::parse(json.text), "err_max_ulp").size(), rows.size())
      << "columns that a reader asks for most have room in the largest page";
}

TEST(RowsJson, PacksColumnsOfManyNumbers) {
  for (const std::size_t count : {2999u, 3000u, 3001u}) {
    const std::vector<Row> rows = testing::many_rows(count);
    const std::string text = rows_json(rows, plenty).text;
    EXPECT_NE(text.find("\"packed\":\""), std::string::npos);
    EXPECT_EQ(values_of(Json::parse(text), "err_l2_rel").size(), count);
  }
}

TEST(RowsJson, CannotEndTheScriptThatHoldsIt) {
  Row row = made_up({.algorithm = "</script><b>"});
  EXPECT_EQ(rows_json({&row, 1}, plenty).text.find("</script"), std::string::npos);
}

}  // namespace
}  // namespace fftprec::page
