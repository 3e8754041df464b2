/// The command that judges the table of another program, by entries that MPFR judges, too.
#include <gmock/gmock.h>

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
              exits(0).out(holds("complex128", "mixed-radix, n = 60", "\ndouble")));
  EXPECT_THAT(
      judge(testing::vector_bytes(roots_of("exact", 64, false, bf16)), {"--format", "bf16"}),
      exits(0));
}

TEST_F(TablesError, FindsTheOneWrongEntryAndItsSourceAllTheSame) {
  Entries entries = roots_of("fp32-reduced", 256, false);
  entries[77] = {0.9, -0.4};
  EXPECT_THAT(judge(testing::vector_bytes(entries)),
              exits(1).out(holds("ulp\n 77  ",
                                 "It is nearest to fp32-angle and "
                                 "fp32-reduced, but not equal",
                                 "table's share", "100.0 %")));
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

TEST_F(TablesError, RefusesOtherQuestionsAndFiles) {
  write("t.npy", testing::vector_bytes(roots_of("exact", 8, false)));
  EXPECT_THAT(run({"tables", "errors", path("t.npy")}), exits(2).err("did you mean 'error'?"));
  EXPECT_THAT(run({"tables", "error", path("none.npy")}), exits(2).err("none.npy: cannot be read"));
  EXPECT_THAT(run({"tables", "error", path("t.npy"), "--max-ulp", "-1"}), exits(2));
  EXPECT_THAT(run({"tables", "error"}), exits(2));
}

}  // namespace
}  // namespace fftprec::commands
