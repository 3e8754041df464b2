/// The layouts of tables from files: each is known by its values, also if they are rounded
/// coarsely, drift, or are wrong in places, and other numbers are refused.
#include "experiments/tables/table_layouts.hpp"

#include <gmock/gmock.h>

#include <functional>
#include <random>

#include "arith/formats/round.hpp"
#include "experiments/files/words.hpp"
#include "experiments/tables/file_table.hpp"
#include "experiments/tables/tables.hpp"
#include "tests/support/error_text.hpp"
#include "tests/support/fragments.hpp"
#include "tests/support/table_files.hpp"
#include "tests/support/temporary_directory.hpp"

namespace fftprec::testing {
namespace {

using ::testing::HasSubstr;
using Shape = FileTable::Shape;
using Parts = FileTable::Parts;

struct Exponent {
  std::uint64_t exponent;
  std::uint64_t order;
};

/// An array of roots: the shape of its file, entry by entry, and the words for its layout.
struct Kept {
  std::string name;
  std::string shape;
  std::size_t size;
  std::function<Exponent(std::size_t)> root;
  Shape kind;
  std::uint64_t order;
  std::string text;
};

std::string vector_shape(std::size_t m) { return "(" + std::to_string(m) + ",)"; }
std::string shape_of(std::size_t rows, std::size_t columns) {
  return "(" + std::to_string(rows) + ", " + std::to_string(columns) + ")";
}

Kept vector_of(const std::string& name, std::size_t m, std::uint64_t order,
               const std::function<std::uint64_t(std::uint64_t)>& exponent, Shape kind,
               const std::string& text) {
  return {name, vector_shape(m), m,   [=](std::size_t i) { return Exponent{exponent(i), order}; },
          kind, order,           text};
}

Kept array_of(const std::string& name, std::size_t rows, std::size_t columns, std::uint64_t order,
              const std::function<std::uint64_t(std::uint64_t, std::uint64_t)>& exponent,
              Shape kind, const std::string& text) {
  return {name,
          shape_of(rows, columns),
          rows * columns,
          [=](std::size_t i) {
            return Exponent{exponent(i / columns, i % columns), order};
          },
          kind,
          order,
          text};
}

std::uint64_t in_reverse(std::uint64_t i, int bits) {
  std::uint64_t result = 0;
  for (int bit = 0; bit < bits; ++bit) result |= (i >> bit & 1) << (bits - 1 - bit);
  return result;
}

/// The factors of the stages with L = lengths, (radix - 1) L each: (q, j) or (j, q) with the last
/// fastest.
Kept stages_of(const std::string& name, std::uint64_t radix, std::vector<std::uint64_t> lengths,
               bool power_first, bool led, const std::string& text) {
  std::vector<Exponent> all;
  if (led) all.push_back({0, 1});
  std::uint64_t points = 0;
  for (const std::uint64_t l : lengths) {
    points = std::max(points, radix * l);
    for (std::uint64_t i = 0; i < (radix - 1) * l; ++i) {
      const std::uint64_t q = 1 + (power_first ? i / l : i % (radix - 1));
      const std::uint64_t j = power_first ? i % l : i / (radix - 1);
      all.push_back({q * j, radix * l});
    }
  }
  return {name,          vector_shape(all.size()),
          all.size(),    [=](std::size_t i) { return all[i]; },
          Shape::listed, points,
          text};
}

std::vector<Kept> kept_tables() {
  const auto same = [](std::uint64_t j) { return j; };
  const auto product = [](std::uint64_t k, std::uint64_t j) { return k * j; };
  return {
      array_of("square four-step", 16, 16, 256, product, Shape::product,
               "the 16 x 16 twiddles of a four-step FFT, entry (k, j) = exp(-2 pi i k j/256)"),
      array_of("four-step", 8, 32, 256, product, Shape::product, "k j/256)"),
      array_of("four-step of more points", 16, 16, 1024, product, Shape::product, "k j/1024)"),
      array_of("rows of a DFT matrix", 4, 64, 64, product, Shape::product,
               "the first 4 rows of the DFT matrix of n = 64"),
      array_of(
          "stage of radix 4", 3, 64, 256,
          [](std::uint64_t k, std::uint64_t j) { return (k + 1) * j; }, Shape::listed,
          "(k + 1) j/256)"),
      array_of(
          "any row and column", 24, 20, 1000,
          [](std::uint64_t k, std::uint64_t j) { return 3 * k * j + 5 * k + 2 * j + 7; },
          Shape::listed, "(3 k j + 5 k + 2 j + 7)/1000)"),
      array_of(
          "circle in rows", 16, 16, 256,
          [](std::uint64_t k, std::uint64_t j) { return 16 * k + j; }, Shape::part,
          "row by row 256 twiddles, the full circle"),
      array_of(
          "DFT matrix with rows reversed", 16, 16, 16,
          [](std::uint64_t k, std::uint64_t j) { return in_reverse(k, 4) * j; }, Shape::listed,
          "DFT matrix of n = 16 with rows in bit-reversed order"),
      vector_of("quarter", 128, 512, same, Shape::part, "the first quarter of the circle"),
      vector_of("eighth", 128, 1024, same, Shape::part, "the first eighth of the circle"),
      vector_of("half and one", 129, 256, same, Shape::part, "half of the circle of order 256 and"),
      vector_of("closed circle", 129, 128, same, Shape::part,
                "order 128 and its first entry again"),
      vector_of("three quarters", 192, 256, same, Shape::part, "three quarters of the circle"),
      vector_of("beginning", 100, 1000, same, Shape::part, "beginning of the circle of order 1000"),
      vector_of(
          "stride", 100, 1024, [](std::uint64_t j) { return 5 * j; }, Shape::listed,
          "exp(-2 pi i 5 j/1024)"),
      vector_of(
          "offset", 100, 1024, [](std::uint64_t j) { return j + 9; }, Shape::listed,
          "(j + 9)/1024)"),
      vector_of(
          "half steps", 256, 1024, [](std::uint64_t j) { return 2 * j + 1; }, Shape::listed,
          "(2 j + 1)/1024)"),
      vector_of(
          "bit-reversed circle", 256, 256, [](std::uint64_t j) { return in_reverse(j, 8); },
          Shape::listed, "the full circle of order 256 in bit-reversed order"),
      vector_of(
          "bit-reversed half", 256, 512, [](std::uint64_t j) { return in_reverse(j, 8); },
          Shape::listed, "half of the circle of order 512 in bit-reversed order"),
      vector_of(
          "four-step in a row", 512, 512, [](std::uint64_t i) { return i / 32 * (i % 32); },
          Shape::listed, "the 16 x 32 twiddles of a four-step FFT, row by row in one vector"),
      stages_of("rising", 2, {1, 2, 4, 8, 16, 32, 64}, false, false, "from L = 1 to 64"),
      stages_of("falling", 2, {64, 32, 16, 8, 4, 2, 1}, false, false, "from L = 64 to 1"),
      stages_of("led", 2, {1, 2, 4, 8, 16, 32, 64}, false, true, "after an entry 1"),
      stages_of("without the first", 2, {2, 4, 8, 16, 32, 64}, false, false, "from L = 2 to 64"),
      stages_of("radix 4 by place", 4, {1, 4, 16, 64}, false, false, "radix 4 one after the other"),
      stages_of("radix 4 by power", 4, {1, 4, 16, 64}, true, false, "0 < q < 4, j fastest"),
      stages_of("radix 3", 3, {27, 9, 3, 1}, false, false, "from L = 27 to 1"),
  };
}

class Layouts : public ::testing::Test {
 protected:
  FileTable table(const std::string& bytes) {
    write_text(directory_ / "t.npy", bytes);
    return FileTable((directory_ / "t.npy").string());
  }
  std::string refusal(const std::string& bytes) {
    return error_text([&] { table(bytes); });
  }
  static Entries entries_of(const Kept& kept, const Format& format) {
    static const RootFunction exact = table_source("exact");
    Entries entries;
    for (std::size_t i = 0; i < kept.size; ++i) {
      const auto [exponent, order] = kept.root(i);
      entries.push_back(exact(exponent % order, order, format));
    }
    return entries;
  }
  /// Kind, order and every root.
  static void expect_is(const FileTable& file, const Kept& kept) {
    EXPECT_EQ(file.shape(), kept.kind) << file.text();
    EXPECT_EQ(file.order(), kept.order) << file.text();
    EXPECT_THAT(file.text(), HasSubstr(kept.text));
    ASSERT_EQ(file.size(), kept.size);
    std::size_t equal = 0;
    for (std::size_t i = 0; i < kept.size; ++i) {
      const auto [exponent, order] = kept.root(i);
      equal += file.layout().exponent(file.root(i)) == exponent % order * (kept.order / order);
    }
    EXPECT_EQ(equal, kept.size) << file.text();
  }
  static std::size_t worst_of(const FileTable& file) {
    std::size_t worst = 0;
    for (std::size_t i = 0; i < file.size(); ++i)
      if (std::abs(file.error(i)) > std::abs(file.error(worst))) worst = i;
    return worst;
  }

  TemporaryDirectory directory_;
};

TEST_F(Layouts, AreKnownByTheirValues) {
  for (const Kept& kept : kept_tables()) {
    SCOPED_TRACE(kept.name);
    const FileTable file = table(table_bytes(entries_of(kept, fp32), "<c8", kept.shape));
    expect_is(file, kept);
    EXPECT_FALSE(file.conjugated() || file.swapped());
    EXPECT_LT(file.largest_error(), 0x1p-24);
    const FileTable wide = table(table_bytes(entries_of(kept, fp64), "<c16", kept.shape));
    expect_is(wide, kept);
  }
}

TEST_F(Layouts, AreKnownFromEntriesOfBf16) {
  for (const Kept& kept : kept_tables()) {
    if (kept.name == "half steps") continue;  // of 1.6 ulp of bf16
    SCOPED_TRACE(kept.name);
    const FileTable file = table(table_bytes(entries_of(kept, bf16), "<c8", kept.shape));
    expect_is(file, kept);
  }
}

TEST_F(Layouts, AreKnownDespiteAWrongEntryWhichIsTheWorst) {
  for (const Kept& kept : kept_tables())
    for (const double angle : {0.01, 0.5, 3.0}) {
      SCOPED_TRACE(kept.name);
      Entries entries = entries_of(kept, fp32);
      const std::size_t wrong = 2 * kept.size / 5 + 1;
      entries[wrong] *= std::polar(1.0, angle);
      const FileTable file = table(table_bytes(entries, "<c8", kept.shape));
      expect_is(file, kept);
      EXPECT_EQ(worst_of(file), wrong);
    }
}

TEST_F(Layouts, MayHaveTheOtherSignOrExchangedParts) {
  for (const Kept& kept : kept_tables()) {
    SCOPED_TRACE(kept.name);
    Entries entries = entries_of(kept, fp32);
    for (std::complex<double>& entry : entries) entry = std::conj(entry);
    const FileTable conjugated = table(table_bytes(entries, "<c8", kept.shape));
    expect_is(conjugated,
              {kept.name, kept.shape, kept.size, kept.root, kept.kind, kept.order, "exp(+"});
    EXPECT_TRUE(conjugated.conjugated());
    EXPECT_LT(conjugated.largest_error(), 0x1p-24);
    // Exchanged parts of roots with an offset are roots of the other sign with another offset.
    if (kept.name == "any row and column" || kept.name == "offset" || kept.name == "half steps")
      continue;
    for (std::complex<double>& entry : entries) entry = {-entry.imag(), entry.real()};
    const FileTable swapped = table(table_bytes(entries, "<c8", kept.shape));
    EXPECT_TRUE(swapped.swapped() && !swapped.conjugated()) << swapped.text();
    EXPECT_THAT(swapped.storage(), HasSubstr("exchanged: (im, re)"));
    expect_is(swapped, kept);
  }
}

/// A drift of the angle of 1 in 2000, and of the modulus.
TEST_F(Layouts, AreKnownFromARecurrence) {
  for (const Kept& kept : kept_tables()) {
    // With a drift another order, or a half circle with an offset, is likelier.
    if (kept.name == "any row and column" || kept.name == "half steps" || kept.name == "beginning")
      continue;
    SCOPED_TRACE(kept.name);
    Entries entries = entries_of(kept, fp32);
    for (std::size_t i = 0; i < kept.size; ++i) {
      const double turn =
          static_cast<double>(kept.root(i).exponent) / static_cast<double>(kept.root(i).order);
      entries[i] *= std::polar(1 + 1e-5 * turn, 2e-5 * turn);
    }
    expect_is(table(table_bytes(entries, "<c8", kept.shape)), kept);
  }
}

TEST_F(Layouts, MayBeRealNumbers) {
  const Kept kept = kept_tables()[1];
  const Entries entries = entries_of(kept, fp16);
  const std::size_t size = entries.size();
  const auto real_bytes = [&](const std::string& shape,
                              const std::function<double(std::size_t)>& number, std::size_t count) {
    std::string data;
    for (std::size_t i = 0; i < count; ++i) data += little(static_cast<float>(number(i)));
    return npy_file(npy_header("<f4", shape), data);
  };
  const auto pair = [&](std::size_t i) {
    return i % 2 == 0 ? entries[i / 2].real() : entries[i / 2].imag();
  };
  const auto halves = [&](std::size_t i) {
    return i < size ? entries[i].real() : entries[i - size].imag();
  };
  for (const char* shape : {"(8, 32, 2)", "(8, 64)"}) {
    const FileTable file = table(real_bytes(shape, pair, 2 * size));
    expect_is(file, kept);
    EXPECT_EQ(file.storage(), "float32, pairs (re, im)");
  }
  for (const char* shape : {"(2, 8, 32)", "(16, 32)"}) {
    const FileTable file = table(real_bytes(shape, halves, 2 * size));
    expect_is(file, kept);
    EXPECT_EQ(file.storage(), "float32, all real parts, then all imaginary parts");
  }
  const FileTable columns = table(real_bytes(
      "(8, 64)",
      [&](std::size_t i) {
        const std::size_t at = i / 64 * 32 + i % 32;
        return i % 64 < 32 ? entries[at].real() : entries[at].imag();
      },
      2 * size));
  expect_is(columns, kept);
  const Kept circle = vector_of(
      "circle", 256, 256, [](std::uint64_t j) { return j; }, Shape::circle, "full circle");
  const Entries around = entries_of(circle, fp16);
  const auto flat_pair = [&](std::size_t i) {
    return i % 2 == 0 ? around[i / 2].real() : around[i / 2].imag();
  };
  const auto flat_halves = [&](std::size_t i) {
    return i < size ? around[i].real() : around[i - size].imag();
  };
  for (const char* shape : {"(512,)", "(256, 2)"})
    expect_is(table(real_bytes(shape, flat_pair, 2 * size)), circle);
  for (const char* shape : {"(512,)", "(2, 256)"})
    expect_is(table(real_bytes(shape, flat_halves, 2 * size)), circle);
  const FileTable cosines = table(real_bytes(
      "(256,)", [&](std::size_t i) { return around[i].real() + (i == 9 ? 0.125 : 0); }, size));
  expect_is(cosines, circle);
  EXPECT_EQ(cosines.parts(), Parts::cosines);
  EXPECT_EQ(worst_of(cosines), 9u);
  EXPECT_NEAR(cosines.largest_error(), 0.125, 0x1p-11);
  const FileTable sines = table(real_bytes(
      "(256,)", [&](std::size_t i) { return -around[i].imag(); }, size));
  expect_is(sines, {"sines", "", 256, circle.root, Shape::circle, 256, "exp(+2 pi"});
  EXPECT_EQ(sines.parts(), Parts::sines);
  EXPECT_LT(sines.largest_error(), 0x1p-11);
}

TEST_F(Layouts, AreTheLikeliestOfThoseThatFitShortTables) {
  const auto text_of = [&](const Entries& entries) { return table(vector_bytes(entries)).text(); };
  const double half = std::sqrt(0.5);
  EXPECT_THAT(text_of({1}), HasSubstr("full circle of order 1:"));
  EXPECT_THAT(text_of({1, -1}), HasSubstr("full circle of order 2:"));
  EXPECT_THAT(text_of({1, {0, -1}}), HasSubstr("half of the circle of order 4:"));
  EXPECT_THAT(text_of({1, {half, -half}}), HasSubstr("quarter of the circle of order 8:"));
  EXPECT_THAT(text_of({1, {0, -1}, -1}),
              HasSubstr("half of the circle of order 4 and the entry after"));
  EXPECT_THAT(text_of({1, {0, -1}, -1, {0, 1}}), HasSubstr("full circle of order 4:"));
  EXPECT_THAT(text_of({1, {0, 1}, -1, {0, -1}}), HasSubstr("exp(+2 pi i j/4)"));
}

TEST_F(Layouts, RefuseOtherNumbers) {
  std::mt19937 random(1);
  std::normal_distribution<double> normal;
  for (const std::size_t size : {8u, 9u, 16u, 31u, 64u, 100u, 256u, 1024u})
    for (int draw = 0; draw < 4; ++draw) {
      SCOPED_TRACE(size);
      Entries gaussian, phases;
      for (std::size_t i = 0; i < size; ++i) {
        gaussian.emplace_back(normal(random), normal(random));
        phases.push_back(std::polar(1.0, 100 * normal(random)));
      }
      for (const Entries& entries : {gaussian, phases}) {
        EXPECT_THAT(refusal(vector_bytes(entries)),
                    holds(": is no table of roots of unity: ", "known: a circle, ", "--order N"));
        if (size == 16 || size == 64 || size == 1024)
          EXPECT_THAT(refusal(table_bytes(entries, "<c8", shape_of(size / 4, 4))),
                      holds("is no table of roots of unity"));
      }
    }
  Entries ones(64, 1.0);
  EXPECT_THAT(refusal(vector_bytes(ones)), holds("64 of 64 numbers are equal"));
  ones[9] = {0.6, 0.8};
  EXPECT_THAT(refusal(vector_bytes(ones)), holds("63 of 64 numbers are equal"));
}

TEST_F(Layouts, InAnUnknownOrderAreJudgedByTheNearestRoot) {
  std::vector<std::uint64_t> exponents(257);
  for (std::size_t i = 0; i < exponents.size(); ++i) exponents[i] = i * i * i * 31 % 257;
  const Kept cubes = vector_of(
      "cubes", 257, 257, [=](std::uint64_t j) { return exponents[j]; }, Shape::nearest,
      "nearest to it");
  Entries entries = entries_of(cubes, fp32);
  expect_is(table(vector_bytes(entries)), cubes);
  entries[70] *= 1.5;
  const FileTable file = table(vector_bytes(entries));
  EXPECT_EQ(file.shape(), Shape::nearest);
  EXPECT_EQ(worst_of(file), 70u);
  write_text(directory_ / "t.npy", vector_bytes({1, {0.6, -0.8}, {-0.8, 0.6}}));
  const FileTable given((directory_ / "t.npy").string(), nullptr, 3);
  EXPECT_EQ(given.layout().exponent(given.root(1)), 0u);
  EXPECT_EQ(given.layout().exponent(given.root(2)), 2u);
}

/// Each root that the file holds, or the opposite of one; others are missed by name.
TEST_F(Layouts, ServeTheRootsThatTheyHold) {
  for (const Kept& kept : kept_tables()) {
    SCOPED_TRACE(kept.name);
    const std::string path = (directory_ / "t.npy").string();
    write_text(path, table_bytes(entries_of(kept, fp32), "<c8", kept.shape));
    const RootFunction roots = table_source("file:" + path);
    const RootFunction exact = table_source("exact");
    for (std::size_t i = 0; i < kept.size && kept.kind != Shape::product; ++i) {
      const auto [exponent, order] = kept.root(i);
      EXPECT_EQ(roots(exponent, order, fp32), exact(exponent, order, fp32)) << i;
      if (order % 2 == 0)
        EXPECT_EQ(roots(exponent + order / 2, order, fp32),
                  exact(exponent + order / 2, order, fp32));
    }
  }
  write_text(directory_ / "q.npy", vector_bytes(entries_of(kept_tables()[8], fp32)));
  const RootFunction quarter = table_source("file:" + (directory_ / "q.npy").string());
  EXPECT_THAT(error_text([&] { quarter(200, 512, fp32); }),
              holds("q.npy: lacks the root exp(-2 pi i 200/512)"));
  write_text(directory_ / "f.npy",
             table_bytes(entries_of(kept_tables()[1], fp32), "<c8", "(8, 32)"));
  const RootFunction four_step = table_source("file:" + (directory_ / "f.npy").string());
  for (const auto& [row, column] : {std::pair(7u, 30u), {30u, 7u}}) {
    const RootIndex asked{row, column, 256, AngleOrder::row_column};
    double re = 0;
    double im = 0;
    four_step.fill({&asked, 1}, fp32, &re, &im);
    EXPECT_EQ(std::complex(re, im), table_source("exact")(210, 256, fp32));
  }
  EXPECT_THAT(error_text([&] { four_step(1, 256, fp32); }), holds("without row and column"));
}

}  // namespace
}  // namespace fftprec::testing
