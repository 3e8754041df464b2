/// Files of words: each form to the bit, there and back, and one error for each way to be wrong.
#include "experiments/files/words.hpp"

#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "experiments/files/file_values.hpp"
#include "experiments/support/files.hpp"
#include "tests/support/error_text.hpp"
#include "tests/support/fragments.hpp"
#include "tests/support/temporary_directory.hpp"

namespace fftprec::testing {
namespace {

using ::testing::ElementsAre;

const Format q3 = fixed_format(1, 2);  // -1, -0.75, ..., 0.75 by the words -4 .. 3

ComplexArray<double> some_values() {
  ComplexArray<double> x(3);
  x.re = {-1, 0.75, -0.25};
  x.im = {0.5, 0, -0.75};
  return x;
}

std::vector<std::string> written(const std::string& name, WordLayout layout) {
  return word_contents(some_values(), name, {.format = q3, .layout = layout}, {3});
}

Samples parsed_words(const std::string& text, const WordForm& form,
                     const std::string& name = "x.hex") {
  return parse_words({text}, name, form);
}

std::string error_of_words(const std::string& text, const WordForm& form = {},
                           const std::string& name = "x.hex") {
  return error_text([&] { parsed_words(text, form, name); });
}

TEST(WordFiles, HoldTwosComplementInEveryLayout) {
  EXPECT_THAT(written("x.hex", WordLayout::interleaved), ElementsAre("4\n2\n3\n0\n7\n5\n"));
  EXPECT_THAT(written("x.hex", WordLayout::packed), ElementsAre("22\n18\n3d\n"));  // 100 010, ...
  EXPECT_THAT(written("x.hex", WordLayout::split), ElementsAre("4\n3\n7\n", "2\n0\n5\n"));
  EXPECT_THAT(written("x.csv", WordLayout::interleaved), ElementsAre("re,im\n-4,2\n3,0\n-1,-3\n"));
  EXPECT_THAT(written("x.csv", WordLayout::split),
              ElementsAre("word\n-4\n3\n-1\n", "word\n2\n0\n-3\n"));
  EXPECT_THAT(written("x.mem", WordLayout::packed),
              ElementsAre("// 6 bits, q1.2, packed\n22\n18\n3d\n"));
}

TEST(WordFiles, GiveBackWhatWasWritten) {
  for (const char* name : {"x.hex", "x.mem", "x.csv", "x.npy"})
    for (const WordLayout layout :
         {WordLayout::interleaved, WordLayout::packed, WordLayout::split}) {
      if (std::string(name) == "x.csv" && layout == WordLayout::packed) continue;
      SCOPED_TRACE(name + std::string(" ") + std::string(name_of(layout)));
      for (const Format& format : {q3, fixed_format(1, 15), fixed_format(5, 27)}) {
        const WordForm form{.format = format, .layout = layout};
        const Samples back = parse_words(word_contents(some_values(), name, form, {3}), name, form);
        EXPECT_EQ(back.values, some_values());
        EXPECT_THAT(back.shape, ElementsAre(3));
        EXPECT_EQ(back.format, format);
      }
    }
}

TEST(WordFiles, OfIntegersAreNumpysOwn) {
  const WordForm form{.format = fixed_format(1, 15)};
  EXPECT_THAT(word_contents(some_values(), "x.npy", form, {3})[0],
              holds("'descr': '<i2'", "'shape': (3, 2,)"));
  EXPECT_THAT(word_contents(some_values(), "x.npy", {.format = q3}, {3})[0], holds("'|i1'"));
  EXPECT_THAT(word_contents(some_values(), "x.npy", form, {3}, 8)[0], holds("'<i8'"));
  EXPECT_THAT(error_text([&] { word_contents(some_values(), "x.npy", form, {3}, 1); }),
              holds("words of 16 bits do not fit int8"));
  EXPECT_EQ(bytes_of_integer("int32"), 4u);
  EXPECT_EQ(bytes_of_integer("f4"), 0u);
}

TEST(WordFiles, ReadWhatSimulatorsWrite) {
  const WordForm real{.format = fixed_format(1, 17), .layout = WordLayout::real};
  // Digits above 18 bits continue the sign, or are 0.
  const Samples x =
      parsed_words("// from a simulator\n@0\n2_0000 FFFFF /* two\nlines */ 3ffff 1\n", real);
  EXPECT_THAT(x.values.re, ElementsAre(-1, -0x1p-17, -0x1p-17, 0x1p-17));
  EXPECT_THAT(
      parsed_words("word\r\n-3\r\n\r\n 2 \r\n", {.format = q3, .layout = WordLayout::real}, "x.csv")
          .values.re,
      ElementsAre(-0.75, 0.5));
}

TEST(WordFiles, HaveExponentsByBlocks) {
  const WordForm form{.format = q3,
                      .exponents = BlockExponents{.size = 2, .re = {3, -1}, .im = {0, 1}}};
  const Samples x = parsed_words("1\n1\n7\n1\n1\n7\n", form);
  EXPECT_THAT(x.values.re, ElementsAre(2, -2, 0.125));
  EXPECT_THAT(x.values.im, ElementsAre(0.25, 0.25, -0.5));
  EXPECT_THAT(word_contents(x.values, "x.hex", form, {3}), ElementsAre("1\n1\n7\n1\n1\n7\n"));

  const std::string csv = exponents_csv(*form.exponents);
  EXPECT_EQ(csv, "first,re,im\n0,3,0\n2,-1,1\n");
  EXPECT_EQ(parse_exponents(csv, "e.csv"), *form.exponents);
  EXPECT_THAT(error_text([] { parse_exponents("0,1,1\n2,1,1\n3,1,1\n", "e.csv"); }),
              holds("e.csv:3: block 2 begins at 3, not at 4"));
  EXPECT_THAT(error_of_words("1\n1\n", form), holds("2 exponents of blocks of 2 values"));
}

TEST(WordFiles, AreRefusedAtTheirPlace) {
  const WordForm q15{};
  EXPECT_THAT(error_of_words("0001\n12x4\n", q15),
              holds("x.hex:2: '12x4' has the digit 'x', which is undefined"));
  EXPECT_THAT(error_of_words("0001\nzz\n", q15), holds("undefined"));
  EXPECT_THAT(error_of_words("0001\n12345\n", q15),
              holds("x.hex:2: '12345' has more than 16 bits"));
  EXPECT_THAT(error_of_words("f7\n", {.format = q3}), holds("more than 3 bits"));
  EXPECT_THAT(error_of_words("0001 g\n", q15), holds("'g' is no hexadecimal number"));
  EXPECT_THAT(error_of_words(":020000040000FA\n", q15), holds("a record of Intel HEX"));
  EXPECT_THAT(error_of_words("@1\n0001\n", q15), holds("x.hex:1: address 1 follows 0 words"));
  EXPECT_THAT(error_of_words("0001 / 2\n", q15), holds("'/' begins no comment"));
  EXPECT_THAT(error_of_words("/* 1\n", q15), holds("has no end"));
  EXPECT_THAT(error_of_words("1\n2\n3\n", q15),
              holds("3 words are no pairs", "have the layout real"));
  EXPECT_THAT(error_of_words("// nothing\n", q15), holds("x.hex: holds no words"));
  EXPECT_THAT(error_of_words("1,2\n3\n", q15, "x.csv"), holds("x.csv:2: has 1 number, not 2"));
  EXPECT_THAT(error_of_words("1,2\n3,4.5\n", q15, "x.csv"),
              holds("x.csv:2: '4.5' is no whole number"));
  EXPECT_THAT(error_of_words("1,40000\n", q15, "x.csv"),
              holds("x.csv:1: word 40000 is beyond q1.15"));
  EXPECT_THAT(error_of_words("1\n", {.format = fp32}),
              holds("words are of fixed point, as q1.15, not fp32"));
  EXPECT_THAT(error_text([] {
                parse_words({"1\n2\n", "1\n"}, "x.hex", {.layout = WordLayout::split});
              }),
              holds("x_re.hex and x_im.hex hold 2 and 1 words"));
}

TEST(WordFiles, TakeNoValueBesideTheGrid) {
  const auto write = [](double re, double im, WordLayout layout = WordLayout::interleaved) {
    ComplexArray<double> x(1);
    x.re[0] = re;
    x.im[0] = im;
    return error_text([&] { word_contents(x, "x.hex", {.format = q3, .layout = layout}, {1}); });
  };
  EXPECT_EQ(write(0.75, -1), "no error");
  EXPECT_THAT(write(0.3, 0),
              holds("value 0: 0.3 is no value of q1.2, -1 .. 0.75 in steps of 2^-2"));
  EXPECT_THAT(write(1, 0), holds("1 is no value of"));
  EXPECT_THAT(write(0, -1.25), holds("-1.25 is no value of"));
  EXPECT_THAT(write(0, 0.25, WordLayout::real), holds("the imaginary part 0.25 has no place"));
}

TEST(WordFiles, FormsFollowNamesOrTheMode) {
  EXPECT_EQ(word_format_of("q2.14:table=q1.11"), fixed_format(2, 14));
  EXPECT_EQ(word_format_of("block(element=int:16,size=line)"), fixed_format(2, 14));
  EXPECT_EQ(word_format_of("bf16"), std::nullopt);
  EXPECT_EQ(word_format_of("mxfp4_e2m1"), std::nullopt);
  EXPECT_EQ(word_format_of("mine"), std::nullopt);
  EXPECT_EQ(word_form_named({.format = "int12"}, "q1.15")->format, fixed_format(1, 11));
  EXPECT_EQ(word_form_named({.layout = "packed"}, "q1.15")->layout, WordLayout::packed);
  EXPECT_EQ(word_form_named({}, "fp32"), std::nullopt);
  EXPECT_THAT(error_text([] { word_form_named({.layout = "packt"}, "q1.15"); }),
              holds("unknown layout of words 'packt'", "packed"));
  EXPECT_THAT(error_text([] { word_form_named({.layout = "packed"}, "fp32"); }),
              holds("name their format"));
  EXPECT_THAT(error_text([] { word_form_named({.format = "bf16"}); }), holds("not bf16"));

  EXPECT_EQ(input_words({}, "q1.15", true)->layout, WordLayout::real);
  EXPECT_EQ(input_words({.layout = "split"}, "q1.15", true)->layout, WordLayout::split);
  EXPECT_EQ(input_words({.layout = "real"}, "q1.15", false)->layout, WordLayout::real);
  EXPECT_EQ(result_words({.layout = "real"}, "q1.15", false)->layout, WordLayout::interleaved);
  EXPECT_EQ(result_words({}, "q1.15", true)->layout, WordLayout::real);
  EXPECT_EQ(result_words({}, "fp32", true), std::nullopt);
}

TEST(WordFiles, AreInputsByTheirLocator) {
  const TemporaryDirectory directory;
  const auto at = [&](const char* name) { return (directory / name).string(); };
  replace_file(at("x_re.hex"), "4000\nc000\n");
  replace_file(at("x_im.hex"), "0001\n8000\n");
  const std::string name = at("x.hex") + "?words=q1.15&layout=split";

  const ComplexArray<double> x = file_input(name, 2, 1);

  EXPECT_THAT(x.re, ElementsAre(0.5, -0.5));
  EXPECT_THAT(x.im, ElementsAre(0x1p-15, -1));
  const std::string hashed = with_file_hash("file:" + name);
  EXPECT_EQ(with_file_hash(hashed), hashed);
  replace_file(at("x_im.hex"), "0001\n0000\n");
  EXPECT_THAT(error_text([&] { check_file_input(hashed.substr(5)); }), holds("has changed"));
  EXPECT_THAT(
      error_text([&] { file_input(at("x_re.hex"), 2, 1); }),
      holds("holds words of fixed point: name their format, as in words=q1.15 or --words q1.15"));
  EXPECT_THAT(error_text([&] { file_input(at("x_re.hex") + "?words=q1.15", 2, 1); }),
              holds("but 1 are there; if its words are of real numbers, say layout=real"));
  replace_file(at("e.csv"), "0,2,0\n");
  EXPECT_THAT(
      file_input(at("x_re.hex") + "?words=q1.15&layout=real&exponents=" + at("e.csv"), 2, 1).re,
      ElementsAre(2, -2));
}

TEST(WordFiles, HaveTheirExponentsBesideThem) {
  const TemporaryDirectory directory;
  const std::string path = (directory / "y.hex").string();
  const std::string exponents = (directory / "y.exponents.csv").string();
  WordForm form{.exponents = BlockExponents{.size = 1, .re = {2, 3}, .im = {2, 3}}};
  ComplexArray<double> y(2);
  y.re = {2, -4};
  write_word_files(y, path, form, {2});
  const auto read = [&] { return read_samples(path, 0, {.words = WordForm{}}).values; };

  EXPECT_EQ(read(), y);
  const std::string name = path + "?words=q1.15";
  EXPECT_EQ(file_input(name, 2, 1), y);
  const std::string hashed = with_file_hash("file:" + name);
  replace_file(exponents, "0,2,2\n1,4,4\n");
  EXPECT_EQ(read().re.back(), -8);
  EXPECT_THAT(error_text([&] { check_file_input(hashed.substr(5)); }), holds("has changed"));

  replace_file(exponents, "mine\n");
  y.re = {0.5, -0.5};
  write_word_files(y, path, {}, {2});
  EXPECT_EQ(read_file(exponents), "mine\n") << "what is no file of exponents stays";
  replace_file(exponents, exponents_csv(*form.exponents));
  write_word_files(y, path, {}, {2});
  EXPECT_FALSE(std::filesystem::exists(exponents)) << "they were those of other words";
  EXPECT_EQ(read(), y);
}

}  // namespace
}  // namespace fftprec::testing
