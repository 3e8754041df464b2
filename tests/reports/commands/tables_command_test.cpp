/// The command that judges the table of another program, by entries that MPFR judges, too.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "arith/formats/round.hpp"
#include "experiments/tables/tables.hpp"
#include "reports/results/csv.hpp"
#include "tests/support/fragments.hpp"
#include "tests/support/one_command.hpp"
#include "tests/support/table_files.hpp"

namespace fftprec::commands {
namespace {

using testing::Entries;
using testing::exits;
using testing::holds;
using testing::nothing;
using testing::Words;

class TablesError : public testing::OneCommand {
 protected:
  testing::Outcome judge(const std::string& bytes, Words options = {}) {
    write("t.npy", bytes);
    options.insert(options.begin(), {"tables", "error", path("t.npy")});
    return run(std::move(options));
  }
  static Entries roots_of(const char* source, std::uint64_t n, bool matrix,
                          const Format& format = fp32) {
    const RootFunction roots = table_source(source);
    Entries entries;
    for (std::uint64_t k = matrix ? 0 : 1; k < (matrix ? n : 2); ++k)
      for (std::uint64_t j = 0; j < n; ++j) entries.push_back(roots(k * j, n, format));
    return entries;
  }
};

TEST_F(TablesError, NamesUnreducedAnglesAndWhatTheyCost) {
  EXPECT_THAT(judge(testing::matrix_bytes(roots_of("fp32-angle", 64, true))),
              exits(1)
                  .out(holds("the DFT matrix of n = 64, entry (k, j) = exp(-2 pi i k j/64)",
                             "complex64", "It equals fp32-angle bit for bit, rounded to fp32:\n",
                             "Errors grow with k j", "dft-gemm, n = 64", "FAIL  largest error"))
                  .err(nothing));
}

/// W8 as "-2.0 * pi * k[:, None] * n[None, :] / 8" makes it, which its transpose is not.
TEST_F(TablesError, TellsWhichIndexAnAngleIsMultipliedByFirst) {
  const RootFunction roots = table_source("fp32-angle");
  Entries entries(64);
  for (std::size_t i = 0; i < 64; ++i) {
    const RootIndex root{i / 8, i % 8, 8, AngleOrder::row_column};
    double re = 0;
    double im = 0;
    roots.fill({&root, 1}, fp32, &re, &im);
    entries[i] = {re, im};
  }
  judge(testing::matrix_bytes(entries));
  EXPECT_THAT(out_, holds("It equals fp32-angle:order=row-column bit for bit"));
  Entries transposed(64);
  for (std::size_t i = 0; i < 64; ++i) transposed[i] = entries[i % 8 * 8 + i / 8];
  judge(testing::matrix_bytes(transposed));
  EXPECT_THAT(out_, holds("It equals fp32-angle:order=column-row bit for bit"));
}

TEST_F(TablesError, PassesACorrectlyRoundedTable) {
  EXPECT_THAT(
      judge(testing::vector_bytes(roots_of("exact", 64, false)), {"--max-ulp", "0.5"}),
      exits(0).out(holds("64 twiddles, the full circle of order 64", "64 of 64 entries",
                         "It equals exact", "radix2-dit, n = 64", "0.0 %", "pass  largest error")
                       .but_not("grow")));
  EXPECT_THAT(judge(testing::vector_bytes(roots_of("exact", 64, false)), {"--max-ulp", "0.3"}),
              exits(1));
  EXPECT_THAT(judge(testing::vector_bytes(roots_of("exact", 60, false, fp64), "<c16")),
              exits(0).out(holds("complex128", "mixed-radix, n = 60", "\nfp64")));
  EXPECT_THAT(
      judge(testing::vector_bytes(roots_of("exact", 64, false, bf16)), {"--format", "bf16"}),
      exits(0));
}

TEST_F(TablesError, FindsTheOneWrongEntryAndItsSourceAllTheSame) {
  Entries entries = roots_of("fp32-reduced", 256, false);
  entries[77] = {0.9, -0.4};
  EXPECT_THAT(judge(testing::vector_bytes(entries)),
              exits(1).out(holds("ulp\n 77  ",
                                 "It equals fp32-angle and fp32-reduced bit for bit in 255 of "
                                 "256 entries, rounded to fp32:\n",
                                 "table's share", "100.0 %")));
}

TEST_F(TablesError, NamesEveryRecurrenceAndFormat) {
  for (const Named& source : table_candidates()) {
    if (!source.name.starts_with("recurrence")) continue;
    const Format& format = source.name.ends_with("in=fp64") ? fp64 : fp32;
    const bool is_lost = source.name.find("chebyshev:in=fp16") != std::string::npos ||
                         source.name.find("chebyshev:in=bf16") != std::string::npos;
    const auto outcome = judge(testing::vector_bytes(
        roots_of(source.name.c_str(), 1000, false, format), format == fp64 ? "<c16" : "<c8"));
    if (is_lost)
      EXPECT_THAT(outcome, exits(2).err("is no table of roots of unity")) << source.name;
    else
      EXPECT_THAT(outcome,
                  exits(1).out(holds("It equals ", " bit for bit, rounded to ",
                                     "\n  " + source.name + ": each root from earlier ones by ")));
  }
}

/// What is 256 of 259 ulp away explains nothing.
TEST_F(TablesError, NamesNoSourceThatDoesNotAccountForTheErrors) {
  Entries entries = roots_of("exact", 256, false, fp64);
  for (std::size_t j = 0; j < entries.size(); ++j)
    entries[j] *= std::polar(1.0, 0x1p-24 * (180 + 160 * std::sin(0.7 * static_cast<double>(j))));
  judge(testing::vector_bytes(entries));
  EXPECT_THAT(out_,
              holds("No source known here accounts for the errors: the nearest, ", " leaves rms ")
                  .but_not("It equals", "It is near", "Moduli", "grow"));
}

TEST_F(TablesError, SaysWhichPrecisionTheEntriesHave) {
  judge(testing::vector_bytes(roots_of("exact", 64, false), "<c16"));
  EXPECT_THAT(out_, holds("complex128",
                          "All entries are numbers of fp32: the precision of fp32, in fp64.\n",
                          "It equals exact, ", "bit for bit, rounded to fp32:\n"));
  judge(testing::vector_bytes(roots_of("exact", 64, false, fp64), "<c16"));
  EXPECT_THAT(out_, holds("It equals exact").but_not("All entries are numbers of"));
}

/// Rows of a matrix by repeated products, which lose or gain modulus besides.
TEST_F(TablesError, TellsDriftingModuliFromAnglesThatAreNotReduced) {
  Entries entries(64 * 64);
  for (std::uint64_t k = 0; k < 64; ++k) {
    const std::complex<double> step =
        table_source("exact")(k, 64, fp32) * (1 + 0x1p-18 * static_cast<double>(k));
    std::complex<double> power = 1;
    for (std::uint64_t j = 0; j < 64; ++j, power *= step) entries[k * 64 + j] = power;
  }
  judge(testing::matrix_bytes(entries));
  EXPECT_THAT(out_, holds("No source known here",
                          "Moduli drift from 1 as exponents grow: they lie in ", " to 1.015")
                        .but_not("take k j mod n"));
}

TEST_F(TablesError, TakesChirpsAndSaysHowTheirSquaresWereFormed) {
  const auto chirp = [](const char* source, std::uint64_t n, auto square) {
    std::vector<RootIndex> asked;
    for (std::uint64_t j = 0; j < n; ++j) asked.emplace_back(square(j), 2 * n);
    ComplexArray<double> roots(n);
    table_source(source).fill(asked, fp32, roots.re.data(), roots.im.data());
    Entries entries;
    for (std::size_t j = 0; j < n; ++j) entries.emplace_back(roots.re[j], roots.im[j]);
    return testing::vector_bytes(entries);
  };
  const auto square = [](std::uint64_t j) { return j * j; };
  EXPECT_THAT(judge(chirp("exact", 1000, square)),
              exits(0)
                  .out(holds("the chirp of n = 1000: entry j = exp(-pi i j^2/1000)",
                             "It equals exact", "pass  largest error")
                           .but_not("grow", "overflowed", "What it costs"))
                  .err(nothing));
  judge(chirp("fp32-angle", 1000, square));
  EXPECT_THAT(out_, holds("It equals fp32-angle bit for bit", "Errors grow with j^2",
                          "take j^2 mod 2000 before"));
  const std::uint64_t n = 60000;
  judge(chirp("exact", n, [](std::uint64_t j) {
    const auto wrapped = static_cast<std::int32_t>(static_cast<std::uint32_t>(j * j));
    return static_cast<std::uint64_t>(std::int64_t{wrapped} + std::int64_t{2 * n} * 50'000);
  }));
  EXPECT_THAT(out_, holds("j^2 has overflowed an integer of 32 bits with a sign: entries from j = "
                          "46341 on",
                          "It equals exact", "FAIL"));
  judge(chirp("exact", 80001, [](std::uint64_t j) { return j * j % (std::uint64_t{1} << 32); }));
  EXPECT_THAT(out_, holds("without a sign: entries from j = 65536 on"));
}

TEST_F(TablesError, WritesEveryEntryWithTheErrorOfMpfr) {
  Entries entries = roots_of("fp32-angle", 12, true);
  entries[5] += 0x1p-6;
  judge(testing::matrix_bytes(entries), {"--csv", path("e.csv"), "--limit", "0"});
  const auto records = results::parse_records(testing::text_of(directory_ / "e.csv"), "e.csv");
  ASSERT_EQ(records.size(), 145u);
  for (std::size_t i = 0; i < 144; ++i) {
    const auto& cells = records[i + 1].cells;
    EXPECT_EQ(cells[0], std::to_string(i / 12));
    EXPECT_EQ(cells[1], std::to_string(i % 12));
    const std::complex<double> value(std::stod(cells[2]), std::stod(cells[3]));
    EXPECT_EQ(value, std::complex<double>(std::complex<float>(entries[i])));
    const std::complex<double> error = testing::root_error(value, (i / 12) * (i % 12), 12);
    EXPECT_NEAR(std::stod(cells[6]), std::abs(error), 1e-12 * std::abs(error) + 1e-29);
    const double larger = std::max(std::abs(error.real()), std::abs(error.imag()));
    EXPECT_NEAR(std::stod(cells[7]), larger * 0x1p24, 1e-12 * larger * 0x1p24 + 1e-20);
  }
  EXPECT_THAT(judge(testing::matrix_bytes(entries), {"--csv", "-"}), exits(1));
  EXPECT_EQ(out_, testing::text_of(directory_ / "e.csv"));
}

TEST_F(TablesError, JudgesAnglesOfTheOtherSignButNoCase) {
  Entries entries = roots_of("exact", 16, false);
  for (std::complex<double>& entry : entries) entry = std::conj(entry);
  EXPECT_THAT(judge(testing::vector_bytes(entries)),
              exits(0).out(holds("exp(+2 pi i j/16)", "is not measured")));
}

/// The twiddles of a four-step FFT in bf16, n = r c.
Entries four_step(std::uint64_t rows, std::uint64_t columns) {
  const RootFunction exact = table_source("exact");
  Entries entries;
  for (std::uint64_t k = 0; k < rows; ++k)
    for (std::uint64_t j = 0; j < columns; ++j)
      entries.push_back(exact(k * j, rows * columns, bf16));
  return entries;
}

TEST_F(TablesError, NamesTheOneWrongTwiddleOfAFourStepFft) {
  Entries entries = four_step(64, 64);
  EXPECT_THAT(
      judge(testing::matrix_bytes(entries), {"--format", "bf16"}),
      exits(0).out(holds("the 64 x 64 twiddles of a four-step FFT, entry (k, j) = exp(-2 pi "
                         "i k j/4096), complex64",
                         "It equals exact")
                       .but_not("alone is off")));
  entries[17 * 64 + 23] -= std::complex<double>(0, 100 * 0x1p-8);
  EXPECT_THAT(judge(testing::matrix_bytes(entries)),
              exits(1).out(holds("\n17  23  ",
                                 "Entry (17, 23) alone is off by far more than the others: it is "
                                 "off in im alone, by -100 ulp of bf16",
                                 "It equals exact", "4095 of 4096 entries")));
  entries[17 * 64 + 23] = table_source("exact")(491, 4096, bf16);
  judge(testing::matrix_bytes(entries));
  EXPECT_THAT(out_, holds("Entry (17, 23) alone is off by far more than the others: it is about "
                          "W_4096^490, should be W_4096^391: 99 steps further, give or take "));
}

TEST_F(TablesError, SaysWhatAWrongEntryIs) {
  const Entries good = roots_of("exact", 256, false);
  const auto says = [&](const std::complex<double>& wrong) {
    Entries entries = good;
    entries[23] = wrong;
    judge(testing::vector_bytes(entries));
    const std::string before = "Entry 23 alone is off by far more than the others: it is ";
    const std::size_t at = out_.find(before);
    return at == out_.npos
               ? out_
               : out_.substr(at + before.size(), out_.find('\n', at) - at - before.size());
  };
  EXPECT_EQ(says(good[24]), "W_256^24, should be W_256^23: 1 step further, equal to entry 24.");
  EXPECT_EQ(says(good[22]), "W_256^22, should be W_256^23: 1 step back, equal to entry 22.");
  EXPECT_EQ(says(good[123]), "W_256^123, should be W_256^23: 100 steps further.");
  EXPECT_EQ(says(std::conj(good[23])), "the conjugate of W_256^23.");
  EXPECT_EQ(says(-good[23]), "negated of W_256^23.");
  EXPECT_EQ(says({good[23].imag(), good[23].real()}), "(im, re) of W_256^23.");
  EXPECT_EQ(says(0), "0.");
  EXPECT_EQ(says(good[23] * 1.25), "1.25 times W_256^23.");
}

TEST_F(TablesError, SaysWhatWrongEntriesHaveInCommon) {
  Entries entries = four_step(16, 64);
  for (std::size_t j = 1; j < 64; ++j) entries[10 * 64 + j] = std::conj(entries[10 * 64 + j]);
  judge(testing::table_bytes(entries, "<c8", "(16, 64)"));
  EXPECT_THAT(out_, holds(" entries are off by far more than the others: all in row k = 10; ",
                          "the conjugate"));
  Entries shifted = roots_of("exact", 512, false);
  for (std::size_t j = 100; j < 116; ++j) shifted[j] = table_source("exact")(j + 1, 512, fp32);
  judge(testing::vector_bytes(shifted));
  EXPECT_THAT(out_, holds("16 entries are off by far more than the others: 100 to 115; all: 1 step "
                          "further.\n"));
}

TEST_F(TablesError, NamesTheLawOfErrors) {
  const Entries good = roots_of("exact", 256, false, fp64);
  const auto judged = [&](auto change) {
    Entries entries = good;
    for (std::size_t j = 0; j < entries.size(); ++j) entries[j] = change(entries[j], j);
    judge(testing::vector_bytes(entries));
    return out_;
  };
  using z = std::complex<double>;
  EXPECT_THAT(judged([](z w, std::size_t) {
                return z(round(w.real(), bf16, Rounding::rz), round(w.imag(), bf16, Rounding::rz));
              }),
              holds("Parts are cut toward zero to bf16, not rounded to nearest.\n"));
  EXPECT_THAT(judged([](z w, std::size_t) {
                return z(round(w.real(), bf16, Rounding::rd), round(w.imag(), bf16, Rounding::rd));
              }),
              holds("Parts are rounded down to bf16, not to nearest.\n"));
  EXPECT_THAT(judged([](z w, std::size_t) { return w * 1.001; }),
              holds("All entries carry one factor, 1.001"));
  EXPECT_THAT(judged([](z w, std::size_t) { return w * std::polar(1.0, -1e-3); }),
              holds("All angles are off by 1e-3 radian, 0.0407 steps further on the circle.\n"));
  EXPECT_THAT(judged([](z, std::size_t j) {
                return std::polar(1.0, -2 * 3.1416 * static_cast<double>(j) / 256);
              }),
              holds("Angles are off in proportion: by the factor 1 + ", "as with pi = 3.1416"));
  EXPECT_THAT(judged([](z w, std::size_t) { return w; }),
              holds("It equals exact").but_not("cut toward", "rounded down", "one factor", "off"));
}

TEST_F(TablesError, TakesWordsOfFixedPointWhoseLargestStandsForOne) {
  const Format q15 = fixed_format(1, 15);
  std::string hex, cut, packed, scaled;
  for (std::uint64_t j = 0; j < 256; ++j) {
    const std::complex<double> root = table_source("exact")(j, 256, q15);
    const std::complex<double> wide = table_source("exact")(j, 256, fp64);
    const auto word = [](double x) {
      return fmt::format("{:04x}", static_cast<std::uint32_t>(std::lround(x * 32768)) & 0xffff);
    };
    hex += word(root.real()) + "\n" + word(root.imag()) + "\n";
    packed += word(root.real()) + word(root.imag()) + "\n";
    const auto floored = [](double x) { return std::min(std::floor(x * 32768), 32767.0); };
    cut += fmt::format("{},{}\n", floored(wide.real()), floored(wide.imag()));
    scaled +=
        fmt::format("{},{}\n", std::lround(wide.real() * 32767), std::lround(wide.imag() * 32767));
  }
  write("t.hex", hex);
  EXPECT_THAT(run({"tables", "error", path("t.hex"), "--format", "q1.15", "--max-ulp", "0.5"}),
              exits(0).out(holds("the full circle of order 256", "q1.15", "256 of 256 entries",
                                 "pass  largest error 0.496 ulp")
                               .but_not("alone is off")));
  write("p.hex", packed);
  EXPECT_THAT(run({"tables", "error", path("p.hex"), "--words", "q1.15", "--layout", "packed"}),
              exits(0));
  write("cut.csv", cut);
  run({"tables", "error", path("cut.csv"), "--format", "q1.15"});
  EXPECT_THAT(out_, holds("Parts are rounded down to q1.15, not to nearest.\n"));
  write("scaled.csv", scaled);
  run({"tables", "error", path("scaled.csv"), "--format", "q1.15"});
  EXPECT_THAT(out_, holds("All entries carry one factor, 0.9999", "the largest number of q1.15"));
  EXPECT_THAT(run({"tables", "error", path("t.hex")}), exits(2).err("--words q1.15"));
}

TEST_F(TablesError, JudgesByTheNearestRootOnRequest) {
  Entries entries;
  for (const std::uint64_t e : {0u, 5u, 1u, 9u, 3u})
    entries.push_back(table_source("exact")(e, 12, fp32));
  EXPECT_THAT(judge(testing::vector_bytes(entries)), exits(2).err("--order N judges each"));
  EXPECT_THAT(judge(testing::vector_bytes(entries), {"--order", "12"}),
              exits(0).out(holds("each is judged by the root exp(-2 pi i e/12) nearest to it")));
}

TEST_F(TablesError, RefusesOtherQuestionsAndFiles) {
  write("t.npy", testing::vector_bytes(roots_of("exact", 8, false)));
  EXPECT_THAT(run({"tables", "errors", path("t.npy")}), exits(2).err("did you mean 'error'?"));
  EXPECT_THAT(run({"tables", "error", path("none.npy")}), exits(2).err("none.npy: cannot be read"));
  EXPECT_THAT(run({"tables", "error", path("t.npy"), "--max-ulp", "-1"}), exits(2));
  EXPECT_THAT(run({"tables", "error"}), exits(2));
}

}  // namespace
}  // namespace fftprec::commands
