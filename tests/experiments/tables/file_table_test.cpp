/// Tables from files: rows equal to those of the source that a file was written from, errors by
/// MPFR, and what is said of roots that a file does not hold.
#include "experiments/tables/file_table.hpp"

#include <gmock/gmock.h>

#include <filesystem>

#include "arith/support/error.hpp"
#include "experiments/cases/axes.hpp"
#include "experiments/cases/case_list.hpp"
#include "experiments/cases/evaluate.hpp"
#include "experiments/files/file_values.hpp"
#include "experiments/tables/tables.hpp"
#include "tests/support/error_text.hpp"
#include "tests/support/fragments.hpp"
#include "tests/support/table_files.hpp"
#include "tests/support/temporary_directory.hpp"

namespace fftprec::testing {
namespace {

using ::testing::AllOf;
using ::testing::StartsWith;
using Shape = FileTable::Shape;

/// The first `count` entries of the circle of that order.
Entries circle_of(const std::string& source, std::uint64_t order, const Format& format,
                  std::uint64_t count) {
  const RootFunction roots = table_source(source);
  Entries entries;
  for (std::uint64_t j = 0; j < count; ++j) entries.push_back(roots(j, order, format));
  return entries;
}

Entries matrix_of(const std::string& source, std::uint64_t n, const Format& format) {
  const RootFunction roots = table_source(source);
  Entries entries;
  for (std::uint64_t k = 0; k < n; ++k)
    for (std::uint64_t j = 0; j < n; ++j) entries.push_back(roots(k * j, n, format));
  return entries;
}

class TableFile : public ::testing::Test {
 protected:
  std::string at(const std::string& name) const { return (directory_ / name).string(); }
  /// The name of a new table with these bytes.
  std::string with(const std::string& name, const std::string& bytes) {
    write_text(directory_ / name, bytes);
    return "file:" + at(name);
  }
  /// The same as a case names it: a session keeps what it has read of a name.
  std::string hashed(const std::string& name, const std::string& bytes) {
    return with_file_hash(with(name, bytes));
  }
  std::string error_of(const std::string& bytes) {
    const std::string name = with("bad.npy", bytes);
    return error_text([&] { table_source(name); });
  }
  FileTable table(const std::string& bytes) {
    with("t.npy", bytes);
    return FileTable(at("t.npy"));
  }

  Row row(Case where) { return evaluate(session_.plan(where), make_problem(problem_key(where))); }
  static Problem make_problem(const ProblemKey& key) { return fftprec::make_problem(key); }

  /// The row of the file has the bits of the row of the source, and errs below its own bound.
  void expect_rows_of(const std::string& source, const std::string& file, Case where) {
    SCOPED_TRACE(source + ": " + command_of(where));
    where.tables = source;
    const Row theirs = row(where);
    where.tables = file;
    const Row ours = row(where);
    EXPECT_EQ(ours.status, Status::ok) << ours.message;
    EXPECT_EQ(ours.output_hash, theirs.output_hash);
    ASSERT_TRUE(ours.bound_l2_rel && ours.err_l2_rel);
    EXPECT_LE(*ours.err_l2_rel, *ours.bound_l2_rel);
    EXPECT_LE(*ours.bound_l2_rel, 1.5 * *theirs.bound_l2_rel);
  }

  TemporaryDirectory directory_;
  Session session_;
};

TEST_F(TableFile, AVectorGivesTheRowsOfItsSource) {
  for (const char* source : {"exact", "fp32-reduced"}) {
    const std::string narrow = hashed("c8.npy", vector_bytes(circle_of(source, 64, fp32, 64)));
    const std::string half = hashed("half.npy", vector_bytes(circle_of(source, 64, fp32, 32)));
    for (const char* algorithm : {"radix2-dit", "radix2-dif", "split-radix", "stockham-r4",
                                  "stockham-r8", "four-step", "direct", "dft-gemm"})
      for (const char* mode : {"fp32", "kahan", "ozaki", "ozaki_hq"})
        for (const char* transform : {"fft", "ifft"}) {
          const Case where{.transform = transform, .algorithm = algorithm, .mode = mode, .n = 64};
          expect_rows_of(source, narrow, where);
          if (std::string(source) == "exact") expect_rows_of(source, half, where);
        }
  }
  const std::string wide =
      hashed("c16.npy", vector_bytes(circle_of("exact", 60, fp64, 60), "<c16"));
  for (const char* mode : {"fp32", "bf16", "fp16", "fp64"})
    for (const char* algorithm : {"mixed-radix", "direct", "good-thomas"})
      for (const std::uint64_t n : {60u, 20u, 15u})  // orders that divide that of the file
        expect_rows_of("exact", wide, {.algorithm = algorithm, .mode = mode, .n = n});
}

/// Tables of stages that recur on their own have several entries for a root, one for each stage.
TEST_F(TableFile, EachStageReadsItsOwnEntries) {
  const std::string source = "recurrence:by=multiplication:in=fp64";
  const RootFunction roots = table_source(source);
  Entries stages;
  for (std::uint64_t half = 1; half < 256; half *= 2)
    for (std::uint64_t j = 0; j < half; ++j) stages.push_back(roots(j, 2 * half, fp64));
  ASSERT_NE(roots(64, 256, fp64), roots(32, 128, fp64));
  expect_rows_of(source, hashed("stages.npy", vector_bytes(stages, "<c16")),
                 {.algorithm = "radix2-dit", .mode = "fp64", .n = 256});
}

TEST_F(TableFile, AMatrixGivesTheRowsOfItsSourceUnreducedAnglesIncluded) {
  for (const std::uint64_t n : {64u, 60u})
    for (const char* source : {"exact", "fp32-angle", "fp32-reduced", "bf16-angle", "recurrence"}) {
      const std::string narrow = hashed("m.npy", matrix_bytes(matrix_of(source, n, fp32)));
      for (const char* mode : {"fp32", "ozaki", "ozaki_hq"})
        for (const char* transform : {"fft", "ifft"})
          expect_rows_of(source, narrow,
                         {.transform = transform, .algorithm = "dft-gemm", .mode = mode, .n = n});
    }
  const std::string wide = hashed("w.npy", matrix_bytes(matrix_of("fp64-angle", 32, fp64), "<c16"));
  expect_rows_of("fp64-angle", wide, {.algorithm = "dft-gemm", .mode = "fp64", .n = 32});
}

TEST_F(TableFile, TheExpectedErrorIsThatOfItsEntries) {
  const std::string file = with("m.npy", matrix_bytes(matrix_of("fp32-angle", 64, fp32)));
  Case where{.algorithm = "dft-gemm", .tables = file, .n = 64};
  const Row ours = row(where);
  where.tables = "exact";
  EXPECT_GT(*ours.expected_l2_rel, 5 * *row(where).expected_l2_rel);
  EXPECT_NEAR(*ours.expected_l2_rel / *ours.err_l2_rel, 1, 0.3);
}

TEST_F(TableFile, ErrorsAreThoseOfMpfrAndTheLargestBoundsThem) {
  Entries wrong = circle_of("exact", 48, fp32, 48);
  wrong[7] += std::complex<double>(0, 0x1p-10);
  const std::vector<FileTable> tables = {
      table(vector_bytes(wrong)), table(vector_bytes(circle_of("exact", 1000, fp64, 500), "<c16")),
      table(matrix_bytes(matrix_of("fp32-angle", 30, fp32))),
      table(matrix_bytes(matrix_of("fp64-angle", 30, fp64), "<c16"))};
  for (const FileTable& file : tables) {
    double largest = 0;
    for (std::size_t i = 0; i < file.size(); ++i) {
      const RootIndex root = file.root(i);
      const std::complex<double> judge = root_error(file.entry(i), root.exponent(), root.order);
      EXPECT_LE(std::abs(file.error(i) - judge), 0x1p-51 * std::abs(judge) + 0x1p-100) << i;
      largest = std::max(largest, std::abs(judge));
    }
    EXPECT_GE(file.largest_error(), largest);
    EXPECT_LE(file.largest_error(), largest * (1 + 1e-12));
  }
}

/// Parts beyond 1, too, which round in larger steps.
TEST_F(TableFile, TheBoundHoldsForEntriesRoundedToAFormat) {
  const Entries good = circle_of("exact", 64, fp64, 64);
  Entries wrong = good;
  wrong[0] = 1 + 0x1.01p-7;
  wrong[16] = {0x1.8p-130, -1 - 0x1.8p-8};
  for (const Entries& entries : {good, wrong}) {
    const std::string name = with("v.npy", vector_bytes(entries, "<c16"));
    const RootFunction roots = table_source(name);
    for (const Format& format : {fp64, fp32, bf16, fp16, tf32}) {
      const double bound = table_error_bound(name)({1, 63}, format);
      double largest = 0;
      for (std::uint64_t j = 0; j < 64; ++j)
        largest = std::max(largest, std::abs(root_error(roots(j, 64, format), j, 64)));
      EXPECT_LE(largest, bound);
      EXPECT_GE(largest, bound / 4);
    }
  }
}

TEST_F(TableFile, IsKnownByItsValues) {
  const Entries full = circle_of("exact", 16, fp32, 16);
  const Entries half = circle_of("exact", 32, fp32, 16);
  const auto conjugate = [](Entries entries) {
    for (std::complex<double>& entry : entries) entry = std::conj(entry);
    return entries;
  };
  const auto expect_kind = [](const FileTable& file, Shape shape, std::uint64_t order,
                              bool conjugated) {
    EXPECT_EQ(file.shape(), shape);
    EXPECT_EQ(file.order(), order);
    EXPECT_EQ(file.conjugated(), conjugated);
    EXPECT_LT(file.largest_error(), 0x1p-24);
  };
  expect_kind(table(vector_bytes(full)), Shape::circle, 16, false);
  expect_kind(table(vector_bytes(half)), Shape::half_circle, 32, false);
  expect_kind(table(vector_bytes(conjugate(full))), Shape::circle, 16, true);
  expect_kind(table(vector_bytes(conjugate(half))), Shape::half_circle, 32, true);
  expect_kind(table(matrix_bytes(matrix_of("exact", 6, fp32))), Shape::matrix, 6, false);
  expect_kind(table(matrix_bytes(conjugate(matrix_of("exact", 6, fp32)))), Shape::matrix, 6, true);
  Entries chirp;
  for (std::uint64_t j = 0; j < 15; ++j) chirp.push_back(table_source("exact")(j * j, 30, fp32));
  expect_kind(table(vector_bytes(chirp)), Shape::chirp, 30, false);
  expect_kind(table(vector_bytes(conjugate(chirp))), Shape::chirp, 30, true);
  expect_kind(table(vector_bytes({1})), Shape::circle, 1, false);
  expect_kind(table(vector_bytes({1, -1})), Shape::circle, 2, false);
  expect_kind(table(vector_bytes({1, {0, -1}})), Shape::half_circle, 4, false);
  expect_kind(table(matrix_bytes({1})), Shape::matrix, 1, false);
  EXPECT_THAT(error_of(vector_bytes(conjugate(full))),
              AllOf(StartsWith(at("bad.npy") + ": "), holds("sign +"), holds("numpy.conj")));
}

TEST_F(TableFile, AMatrixIsTakenEntryByEntry) {
  Entries entries = matrix_of("exact", 16, fp64);
  entries[2 * 16 + 6] = {0.25, 0.5};  // 2 * 6 = 3 * 4: their product does not tell them apart
  const RootFunction roots = table_source(with("m.npy", matrix_bytes(entries, "<c16")));
  const RootIndex asked[] = {{2, 6, 16, AngleOrder::product}, {3, 4, 16, AngleOrder::row_column}};
  double re[2];
  double im[2];
  roots.fill(asked, fp64, re, im);
  EXPECT_EQ(std::complex<double>(re[0], im[0]), entries[2 * 16 + 6]);
  EXPECT_EQ(std::complex<double>(re[1], im[1]), entries[3 * 16 + 4]);

  // The transform of the unit vector e_2 is row 2 of the matrix.
  Entries unit(16);
  unit[2] = 1;
  const std::string x = with("x.npy", vector_bytes(unit));
  const Case where{.algorithm = "dft-gemm",
                   .mode = "fp64",
                   .tables = "file:" + at("m.npy"),
                   .n = 16,
                   .input = x};
  const CasePlan plan = session_.plan(where);
  const Output y = run_case(plan, make_problem(problem_key(where)).input, {});
  for (std::size_t j = 0; j < 16; ++j)
    EXPECT_EQ(std::complex<double>(y.values.re[j], y.values.im[j]), entries[2 * 16 + j]) << j;
}

TEST_F(TableFile, TheSecondHalfIsTheNegativeOfTheFirst) {
  const Entries first = circle_of("fp32-reduced", 32, fp32, 16);
  const RootFunction roots = table_source(with("h.npy", vector_bytes(first)));
  for (std::uint64_t j = 0; j < 16; ++j) {
    EXPECT_EQ(roots(j, 32, fp32), first[j]);
    EXPECT_EQ(roots(j + 16, 32, fp32), -first[j]);
    EXPECT_EQ(roots(j + 48, 32, fp32), -first[j]);
  }
  EXPECT_FALSE(std::signbit(roots(16, 32, fp32).imag()));
}

TEST_F(TableFile, RootsThatAreNotThereSkipTheCase) {
  const std::string vector = with("v.npy", vector_bytes(circle_of("exact", 64, fp32, 64)));
  const std::string matrix = with("m.npy", matrix_bytes(matrix_of("exact", 64, fp32)));
  const auto expect_skipped = [&](const Case& where, const std::string& reason) {
    const Row skipped = row(where);
    EXPECT_EQ(skipped.status, Status::skipped) << command_of(where);
    EXPECT_THAT(skipped.message, holds(reason));
  };
  expect_skipped({.algorithm = "bluestein", .tables = vector, .n = 64},
                 at("v.npy") + ": holds roots of order 64 and its divisors; one of order 128 is");
  expect_skipped({.algorithm = "dft-gemm", .tables = vector, .n = 48}, "one of order 48 is");
  Entries squares;
  for (std::uint64_t j = 0; j < 15; ++j) squares.push_back(table_source("exact")(j * j, 30, fp32));
  const std::string chirp = with("chirp.npy", vector_bytes(squares));
  expect_skipped({.algorithm = "dft-gemm", .tables = chirp, .n = 15},
                 at("chirp.npy") + ": holds only the chirp of n = 15");
  expect_skipped(
      {.algorithm = "radix2-dit", .tables = matrix, .n = 64},
      at("m.npy") + ": holds only the DFT matrix of order 64; a root of order 2 without row");
  expect_skipped({.algorithm = "dft-gemm", .tables = matrix, .n = 32},
                 "; entry (0, 0) of the DFT matrix of order 32 is asked for");
  const RootFunction roots = table_source(matrix);
  const RootIndex beyond{64, 0, 64, AngleOrder::product};
  double re = 0;
  double im = 0;
  EXPECT_THAT(error_text([&] {
                roots.fill({&beyond, 1}, fp32, &re, &im);
              }),
              holds("; entry (64, 0) of the DFT matrix of order 64 is asked for"));
}

TEST_F(TableFile, ChangedContentIsAnotherCaseAndNeverTakenForTheOld) {
  const std::string name = with("v.npy", vector_bytes(circle_of("exact", 8, fp32, 8)));
  const auto id_now = [&] {
    Axes axes;
    set_axis(axes, "tables=" + name, check_names);
    return case_id(expand(axes).at(0));
  };
  const std::string old_name = with_file_hash(name);
  const std::string id = id_now();
  EXPECT_EQ(id_now(), id);

  with("v.npy", vector_bytes(circle_of("exact", 16, fp32, 16)));

  EXPECT_NE(id_now(), id);
  EXPECT_THAT(error_text([&] { table_source(old_name); }), holds("v.npy: has changed"));
}

TEST_F(TableFile, ARelativePathStartsAtTheWorkingDirectory) {
  with("v.npy", vector_bytes(circle_of("exact", 8, fp32, 8)));
  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path(directory_.path());
  EXPECT_EQ(error_text([] { table_source("file:v.npy"); }), "no error");
  EXPECT_EQ(error_text([] { table_source("file:./v.npy"); }), "no error");
  std::filesystem::current_path(before);
  EXPECT_THAT(error_text([] { table_source("file:v.npy"); }), StartsWith("v.npy: cannot be read"));
}

TEST_F(TableFile, IsReadOnceForAllThatShareCircles) {
  const std::string name = with("v.npy", vector_bytes(circle_of("exact", 8, fp32, 8)));
  TableMemory circles;
  const auto file = circles.file(name);
  std::filesystem::remove(at("v.npy"));
  EXPECT_EQ(circles.file(name), file);
}

TEST_F(TableFile, TakesNoKeyOfAPartOfTheFile) {
  const std::string name = with("v.npy", vector_bytes(circle_of("exact", 8, fp32, 8)));
  for (const char* key : {"offset=1", "channel=1"})
    EXPECT_THAT(error_text([&] { table_source(name + "?" + key); }),
                holds("keys are dtype, words, layout, exponents and hash"));
  EXPECT_THAT(error_text([] { table_source("file"); }), holds("has no path"));
  EXPECT_FALSE(takes_cosines(name));
}

}  // namespace
}  // namespace fftprec::testing
