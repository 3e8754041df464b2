/// The .npy reader: each dtype to the bit, and one error for each way in which a file can be bad.
#include <gmock/gmock.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "experiments/files/sample_files.hpp"
#include "tests/support/error_text.hpp"
#include "tests/support/fragments.hpp"
#include "tests/support/sample_files.hpp"

namespace fftprec::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::StartsWith;

std::string error_of_npy(const std::string& bytes) {
  return error_text([&] { parse_npy(bytes, "x.npy"); });
}

/// The error of a file with this header and 64 bytes of zeros.
std::string error_of_header(const std::string& header) {
  return error_of_npy(npy_file(header, std::string(64, '\0')));
}

TEST(Npy, ReadsEveryDtypeToTheBit) {
  const double fine = 1.0 / 3;  // no fp32 number
  const float single = 0x1.fffffep-140F;
  const auto one = [](const char* descr, const std::string& data) {
    const Samples x = parse_npy(npy_file(npy_header(descr, "(1,)"), data), "x.npy");
    EXPECT_EQ(x.values.size(), 1u) << descr;
    return std::pair(x.values.re[0], x.values.im[0]);
  };
  using Value = std::pair<double, double>;

  EXPECT_EQ(one("<f4", little(single)), Value(single, 0));
  EXPECT_EQ(one(">f4", big(single)), Value(single, 0));
  EXPECT_EQ(one("<f8", little(fine)), Value(fine, 0));
  EXPECT_EQ(one(">f8", big(fine)), Value(fine, 0));
  EXPECT_EQ(one("<c8", little(single) + little(-2.5F)), Value(single, -2.5));
  EXPECT_EQ(one(">c8", big(single) + big(-2.5F)), Value(single, -2.5));
  EXPECT_EQ(one("<c16", little(fine) + little(-1e300)), Value(fine, -1e300));
  EXPECT_EQ(one(">c16", big(fine) + big(5e-324)), Value(fine, 5e-324));
}

TEST(Npy, KeepsSignedZeroAndGivesRealsAPositiveOne) {
  const Samples x = parse_npy(npy_file(npy_header("<f8", "(1,)"), little(-0.0)), "x.npy");

  EXPECT_TRUE(std::signbit(x.values.re[0]));
  EXPECT_FALSE(std::signbit(x.values.im[0]));
}

TEST(Npy, KeepsTheShapeAndTheOrderOfTheValues) {
  const std::vector<double> values{1, 2, 3, 4, 5, 6};

  const Samples x = parse_npy(npy_file(npy_header("<f8", "(2, 3)"), little_all(values)), "x.npy");

  EXPECT_THAT(x.shape, ElementsAre(2, 3));
  EXPECT_THAT(x.values.re, ElementsAre(1, 2, 3, 4, 5, 6));
  EXPECT_THAT(x.values.im, ElementsAre(0, 0, 0, 0, 0, 0));
}

TEST(Npy, ASingleNumberHasNoShape) {
  const Samples x = parse_npy(npy_file(npy_header("<f8", "()"), little(7.0)), "x.npy");

  EXPECT_THAT(x.shape, IsEmpty());
  EXPECT_THAT(x.values.re, ElementsAre(7));
}

TEST(Npy, ReadsAllThreeVersions) {
  for (const int major : {1, 2, 3}) {
    const std::string file = npy_file(npy_header("<f8", "(1,)"), little(7.0), major);
    EXPECT_THAT(parse_npy(file, "x.npy").values.re, ElementsAre(7)) << major;
  }
}

TEST(Npy, TakesAnyLayoutOfTheDictionary) {
  for (const char* header :
       {"{'descr':'<f8','fortran_order':False,'shape':(2,)}",
        "  { \"shape\" : ( 2 , ) , \"fortran_order\" : False , \"descr\" : \"<f8\" , } \t\r\n",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (1, 2)}",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (1, 2, 1,)}"}) {
    const std::string file = npy_file(header, little(1.0) + little(2.0));
    EXPECT_THAT(parse_npy(file, "x.npy").values.re, ElementsAre(1, 2)) << header;
  }
}

TEST(Npy, EveryTruncationIsAnErrorThatNamesTheFile) {
  const std::string file = npy_file(npy_header("<f8", "(3, 2)"), std::string(48, '\0'));
  for (std::size_t size = 0; size < file.size(); ++size) {
    const std::string message = error_of_npy(file.substr(0, size));
    EXPECT_THAT(message, StartsWith(size < 6 ? "x.npy: is no .npy file" : "x.npy: is cut short"))
        << size << " bytes";
  }
  EXPECT_EQ(error_of_npy(file.substr(0, file.size() - 1)),
            "x.npy: is cut short: shape 3 x 2 takes more than the 5 values that are there");
}

TEST(Npy, BytesAfterTheArrayAreAnError) {
  EXPECT_EQ(error_of_npy(npy_file(npy_header("<f4", "(2,)"), std::string(9, '\0'))),
            "x.npy: has 1 bytes after its array of shape 2");
}

TEST(Npy, UnknownVersionsAreErrors) {
  const std::string good = npy_file(npy_header("<f8", "(1,)"), little(7.0));
  for (const auto& [major, minor] : {std::pair(0, 0), {4, 0}, {1, 1}, {255, 0}}) {
    std::string file = good;
    file[6] = static_cast<char>(major);
    file[7] = static_cast<char>(minor);
    EXPECT_EQ(error_of_npy(file), "x.npy: has .npy version " + std::to_string(major) + "." +
                                      std::to_string(minor) + "; known: 1.0, 2.0, 3.0");
  }
}

TEST(Npy, AHeaderLongerThanTheFileIsAnErrorWhateverItsLength) {
  for (const std::uint64_t length : {0xffffffffU, 0x7fffffffU, 200U}) {
    std::string file = npy_file(npy_header("<f8", "(1,)"), little(7.0), 2);
    file.replace(8, 4, little(length, 4));
    EXPECT_THAT(error_of_npy(file), holds("its header takes " + std::to_string(length) + " bytes"));
  }
}

TEST(Npy, OtherDtypesAreErrorsThatListTheKnown) {
  for (const char* descr : {"<i4", "<i8", "|u1", "|b1", "<f16", "<c32", "<U5", "<M8[ns]", "", "<",
                            "f8", "=f8", "|f8", "|c16", "<F8", "<f8 ", "<f", "f4<"}) {
    const std::string message = error_of_header(npy_header(descr, "(8,)"));
    EXPECT_THAT(message, StartsWith("x.npy: has dtype '" + std::string(descr) + "'")) << descr;
    EXPECT_THAT(message, holds("known: <f2, <f4, <f8, <c8, <c16")) << descr;
  }
  expect_each(error_of_header,
              {{npy_header("|O", "(8,)"), "ragged"},
               {npy_header("=f8", "(8,)"), "order of bytes"},
               {"{'descr': [('a', '<f8')], 'fortran_order': False, 'shape': (8,), }",
                "records of several fields"}});
}

TEST(Npy, FortranOrderIsReadAsTheArrayThatItIs) {
  const std::string header = "{'descr': '<f4', 'fortran_order': True, 'shape': (2, 3), }";
  std::string data;
  for (const float value : {0.F, 10.F, 1.F, 11.F, 2.F, 12.F}) data += little(value);

  const Samples x = parse_npy(npy_file(header, data), "x.npy");

  EXPECT_THAT(x.shape, ElementsAre(2, 3));
  EXPECT_THAT(x.values.re, ElementsAre(0, 1, 2, 10, 11, 12));
}

/// 1.5 in each narrow dtype.
struct NarrowValue {
  const char* dtype;
  std::uint64_t code;
  std::size_t bytes;
};
constexpr NarrowValue one_and_a_half[] = {{"bfloat16", 0x3fc0, 2},
                                          {"float8_e4m3", 0x3c, 1},
                                          {"float8_e4m3fn", 0x3c, 1},
                                          {"float8_e5m2", 0x3e, 1}};

TEST(Npy, ReadsNarrowDtypesByNameAndBytesAloneByTheDtypeAskedFor) {
  for (const auto& [dtype, code, bytes] : one_and_a_half) {
    const std::string data = little(code, bytes);
    const std::string width = std::to_string(bytes);
    EXPECT_THAT(parse_npy(npy_file(npy_header(dtype, "(1,)"), data), "x").values.re,
                ElementsAre(1.5))
        << dtype;
    for (const std::string& raw : {"|V" + width, "<V" + width, "<u" + width, "|u" + width}) {
      const std::string file = npy_file(npy_header(raw, "(1,)"), data);
      EXPECT_THAT(parse_npy(file, "x", {.dtype = dtype}).values.re, ElementsAre(1.5)) << raw;
      EXPECT_THAT(error_of_npy(file), holds("name their type by the key dtype")) << raw;
      EXPECT_THAT(error_text([&] { parse_npy(file, "x", {.dtype = "f8"}); }),
                  holds("not as wide as f8"));
      EXPECT_THAT(error_text([&] { parse_npy(file, "x", {.dtype = "float7"}); }),
                  holds("unknown dtype 'float7'"));
    }
  }
  EXPECT_THAT(
      parse_npy(npy_file(npy_header(">f2", "(1,)"), std::string("\x3e\x00", 2)), "x").values.re,
      ElementsAre(1.5));
  EXPECT_THAT(error_text([] {
                parse_npy(npy_file(npy_header("<f4", "(1,)"), little(1.F)), "x",
                          {.dtype = "bfloat16"});
              }),
              holds("has dtype '<f4', not bfloat16"));
}

TEST(Npy, InfinitiesAndNanAreReadWhereTheyAreAskedFor) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const std::string file = npy_file(npy_header("<f8", "(2,)"), little(nan) + little(-HUGE_VAL));

  EXPECT_THAT(error_of_npy(file), holds("value 0 is infinite or not a number"));
  const Samples x = parse_npy(file, "x.npy", {.finite = false});
  EXPECT_TRUE(std::isnan(x.values.re[0]));
  EXPECT_EQ(x.values.re[1], -HUGE_VAL);
}

TEST(Npy, ShapesThatDoNotFitAreErrorsBeforeAnythingIsAllocated) {
  for (const char* shape :
       {"(9,)", "(3, 3)", "(1000000000000,)", "(18446744073709551615,)", "(4294967296, 4294967296)",
        "(4294967296, 4294967296, 8)", "(9223372036854775808, 2)", "(2, 9223372036854775809)"})
    EXPECT_THAT(error_of_header(npy_header("<f8", shape)), holds("is cut short: shape")) << shape;
  EXPECT_THAT(error_of_header(npy_header("<f8", "(18446744073709551616,)")),
              holds("no size below 2^64"));
  EXPECT_THAT(error_of_npy(npy_file(npy_header("<f8", "()"), "1234567")), holds("is cut short"));
}

TEST(Npy, AnEmptyArrayIsAnError) {
  for (const char* shape : {"(0,)", "(3, 0)", "(0, 18446744073709551615)",
                            "(18446744073709551615, 18446744073709551615, 0)"})
    EXPECT_THAT(error_of_npy(npy_file(npy_header("<f8", shape), "")), holds("holds no values"))
        << shape;
}

TEST(Npy, InfinitiesAndNansAreErrorsThatSayWhere) {
  const double infinity = std::numeric_limits<double>::infinity();
  for (const double value : {infinity, -infinity, std::numeric_limits<double>::quiet_NaN()}) {
    const std::string data = little_all<double>({1, 2, 3, value});
    EXPECT_EQ(error_of_npy(npy_file(npy_header("<f8", "(4,)"), data)),
              "x.npy: value 3 is infinite or not a number");
    EXPECT_EQ(error_of_npy(npy_file(npy_header("<c16", "(2,)"), data)),
              "x.npy: value 1 is infinite or not a number");
    const std::string single = little_all<float>({0, static_cast<float>(value)});
    EXPECT_EQ(error_of_npy(npy_file(npy_header("<f4", "(2,)"), single)),
              "x.npy: value 1 is infinite or not a number");
  }
}

TEST(Npy, OtherHeadersAreErrorsThatSayWhatIsWrong) {
  const std::pair<const char*, const char*> cases[] = {
      {"", "has no '{' at its byte"},
      {"[]", "has no '{' at its byte 0: '[]"},
      {"{}", "lacks descr"},
      {"{'descr': '<f8'}", "lacks fortran_order"},
      {"{'descr': '<f8', 'fortran_order': False}", "lacks shape"},
      {"{'fortran_order': False, 'shape': (8,)}", "lacks descr"},
      {"{'descr': '<f8', 'shape': (8,)}", "lacks fortran_order"},
      {"{'descr': '<f8', 'descr': '<f8', 'fortran_order': False, 'shape': (8,)}",
       "has the key 'descr'"},
      {"{'shape': (8,), 'shape': (8,), 'descr': '<f8', 'fortran_order': False}",
       "has the key 'shape'"},
      {"{'fortran_order': False, 'fortran_order': False, 'descr': '<f8', 'shape': (8,)}",
       "has the key 'fortran_order'"},
      {"{'descr': '<f8', 'fortran_order': False, 'shape': (8,), 'x': 1}", "has the key 'x'"},
      {"{'descr': '<f8', 'fortran_order': False, 'shape': (8,)", "has no '}'"},
      {"{'descr': '<f8', 'fortran_order': False, 'shape': (8,)} x", "goes on after its '}'"},
      {"{'descr': '<f8' 'fortran_order': False, 'shape': (8,)}", "has no '}'"},
      {"{'descr' '<f8', 'fortran_order': False, 'shape': (8,)}", "has no ':'"},
      {"{descr: '<f8', 'fortran_order': False, 'shape': (8,)}", "has no quoted word"},
      {"{'descr': '<f8, \"fortran_order\": False, \"shape\": (8,)}", "has no closing quote"},
      {"{'descr': \"<f8', 'fortran_order': False, 'shape': (8,)}", "has no closing quote"},
      {"{'descr': '<f8', 'fortran_order': 0, 'shape': (8,)}", "has no True or False"},
      {"{'descr': '<f8', 'fortran_order': False, 'shape': 8}", "has no '('"},
      {"{'descr': '<f8', 'fortran_order': False, 'shape': (8)}", "has no ','"},
      {"{'descr': '<f8', 'fortran_order': False, 'shape': (8,}", "has no size"},
      {"{'descr': '<f8', 'fortran_order': False, 'shape': (4 2)}", "has no ','"},
      {"{'descr': '<f8', 'fortran_order': False, 'shape': (2, 4 2)}", "has no ')'"},
      {"{'descr': '<f8', 'fortran_order': False, 'shape': (-8,)}", "has no size"},
      {"{'descr': '<f8', 'fortran_order': False, 'shape': (8.0,)}", "has no ','"},
      {"{'descr': '<f8', 'fortran_order': False, 'shape': (,)}", "has no size"},
  };
  for (const auto& [header, expected] : cases) {
    EXPECT_THAT(error_of_header(header), StartsWith("x.npy: the .npy header ")) << header;
    EXPECT_THAT(error_of_header(header), holds(expected)) << header;
  }
}

TEST(NpyBytes, AreReadBackBitForBit) {
  ComplexArray<double> x(3);
  x.re = {1, -0.0, 0x1.fffffep127};
  x.im = {0.5, 0x1p-149, -3};
  const std::string single = npy_bytes(x);
  EXPECT_THAT(single, holds("'<c8'"));
  EXPECT_EQ((single.size() - 3 * 8) % 64, 0u);
  EXPECT_EQ(parse_npy(single, "x").values, x);
  EXPECT_TRUE(std::signbit(parse_npy(single, "x").values.re[1]));
  EXPECT_EQ(parse_npy(single, "x").shape, std::vector<std::size_t>{3});
  x.im[0] = 0.1;
  const std::string wide = npy_bytes(x);
  EXPECT_THAT(wide, holds("'<c16'"));
  EXPECT_EQ(parse_npy(wide, "x").values, x);
}

TEST(NpyBytes, HaveTheShapeAndTheDtypeAskedFor) {
  ComplexArray<double> x(6);
  x.re = {1, -0.0, 1.5, 240, -0.5, 0.25};
  for (const char* dtype :
       {"f2", "f4", "f8", "c8", "c16", "bfloat16", "float8_e4m3", "float8_e4m3fn", "float8_e5m2"}) {
    x.re[3] = std::string(dtype) == "float8_e5m2" ? 224 : 240;
    const Samples read = parse_npy(npy_bytes(x, {.shape = {3, 2}, .dtype = dtype}), "x");
    EXPECT_EQ(read.values, x) << dtype;
    EXPECT_TRUE(std::signbit(read.values.re[1])) << dtype;
    EXPECT_THAT(read.shape, ElementsAre(3, 2)) << dtype;
  }
}

TEST(NpyBytes, NeverRoundAndNeverDropAPart) {
  ComplexArray<double> x(2);
  x.re = {1, 0.1};
  EXPECT_EQ(error_text([&] { npy_bytes(x, {.dtype = "bfloat16"}); }),
            "value 1, 0.1 + 0i, does not fit dtype bfloat16");
  x.re[1] = 2;
  x.im[0] = -0.0;
  EXPECT_EQ(error_text([&] { npy_bytes(x, {.dtype = "f4"}); }),
            "value 0, 1 + -0i, does not fit dtype f4");
  EXPECT_THAT(error_text([&] { npy_bytes(x, {.dtype = "int8"}); }), holds("unknown dtype"));
}

TEST(Npy, AnErrorShowsHostileBytesAsOneShortLine) {
  const std::string message =
      error_of_header(npy_header("a\n\x1b[31m" + std::string(500, 'x'), "()"));

  EXPECT_LT(message.size(), 300u);
  EXPECT_EQ(message.find_first_of("\n\x1b"), std::string::npos) << message;
  EXPECT_THAT(message, holds("has dtype 'a\\n\\x1b[31mxxx", "xxx...'"));
}

}  // namespace
}  // namespace fftprec::testing
