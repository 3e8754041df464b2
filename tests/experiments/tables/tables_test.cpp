/// The table sources against their definitions, step by step in MPFR, and the published errors that
/// un-reduced angles explain.
#include "experiments/tables/tables.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <initializer_list>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "arith/support/error.hpp"
#include "arith/truth/metrics.hpp"
#include "arith/truth/roots.hpp"
#include "arith/truth/transforms.hpp"
#include "experiments/algorithms/registry.hpp"
#include "experiments/cases/evaluate.hpp"
#include "experiments/cases/session.hpp"
#include "experiments/inputs/inputs.hpp"
#include "tests/support/error_text.hpp"
#include "tests/support/fragments.hpp"
#include "tests/support/mpfr_judge.hpp"

namespace fftprec::testing {
namespace {

using Root = std::complex<double>;

/// x rounded to the format by MPFR, subnormals included.
double rounded(double x, const Format& format) {
  return IeeeJudge(format)(Operation::identity, Rounding::rne, x);
}

/// angle = fl(2 pi), then times fl(e) for every e, then over fl(order), fl to so many bits; in the
/// end rounded to `angle_format`.
Wide angle_by_mpfr(std::initializer_list<std::uint64_t> factors, std::uint64_t order,
                   const Format& angle_format, int bits = 24) {
  Wide angle(bits);
  Wide divisor(bits);
  Wide factor(bits);
  mpfr_const_pi(angle.get(), MPFR_RNDN);
  mpfr_mul_2ui(angle.get(), angle.get(), 1, MPFR_RNDN);
  for (const std::uint64_t e : factors) {
    mpfr_set_ui(factor.get(), e, MPFR_RNDN);
    mpfr_mul(angle.get(), angle.get(), factor.get(), MPFR_RNDN);
  }
  mpfr_set_ui(divisor.get(), order, MPFR_RNDN);
  mpfr_div(angle.get(), angle.get(), divisor.get(), MPFR_RNDN);
  mpfr_prec_round(angle.get(), angle_format.precision, MPFR_RNDN);
  return angle;
}

/// fl(cos angle) - i fl(sin angle), each then rounded to `format`.
Root root_by_mpfr(const Wide& angle, const Format& format, int bits = 24) {
  Wide part(bits);
  mpfr_cos(part.get(), angle.get(), MPFR_RNDN);
  const double re = mpfr_get_d(part.get(), MPFR_RNDN);
  mpfr_sin(part.get(), angle.get(), MPFR_RNDN);
  return {rounded(re, format), -rounded(mpfr_get_d(part.get(), MPFR_RNDN), format)};
}

constexpr std::uint64_t exponents[] = {
    0, 1, 2, 5, 31, 63, 64, 100, 1023 * 1023, 999 * 1001, (std::uint64_t{1} << 40) + 12345};
constexpr std::uint64_t orders[] = {1, 2, 3, 8, 64, 100, 1024, 4096};

/// Compares a source with its judge over exponents, orders and formats.
template <class RootJudge>
void expect_source(const char* name, RootJudge root_judge) {
  const RootFunction source = table_source(name);
  for (const Format& format : {fp32, bf16, fp16, fp64})
    for (const std::uint64_t order : orders)
      for (const std::uint64_t e : exponents)
        EXPECT_EQ(source(e, order, format), root_judge(e, order, format))
            << name << " " << e << "/" << order << " precision " << format.precision;
}

TEST(TableSource, ExactIsCorrectlyRoundedForUnreducedExponents) {
  expect_source("exact", [](std::uint64_t e, std::uint64_t order, const Format& format) {
    return truth::root_of_unity(e % order, order, format);
  });
}

TEST(TableSource, Fp32AngleRoundsAsTheFrameworkDoes) {
  expect_source("fp32-angle", [](std::uint64_t e, std::uint64_t order, const Format& format) {
    return root_by_mpfr(angle_by_mpfr({e}, order, fp32), format);
  });
}

TEST(TableSource, Fp32ReducedFormsTheAngleOfTheReducedExponent) {
  expect_source("fp32-reduced", [](std::uint64_t e, std::uint64_t order, const Format& format) {
    return root_by_mpfr(angle_by_mpfr({e % order}, order, fp32), format);
  });
}

TEST(TableSource, Bf16AngleRoundsTheUnreducedAngleToBf16) {
  expect_source("bf16-angle", [](std::uint64_t e, std::uint64_t order, const Format& format) {
    return root_by_mpfr(angle_by_mpfr({e}, order, bf16), format);
  });
}

TEST(TableSource, Fp64AngleIsThatOfTheFormulaInFp64) {
  expect_source("fp64-angle", [](std::uint64_t e, std::uint64_t order, const Format& format) {
    return root_by_mpfr(angle_by_mpfr({e}, order, fp64, 53), format, 53);
  });
}

Root ask(const RootFunction& source, const RootIndex& root, const Format& format) {
  double re = 0;
  double im = 0;
  source.fill({&root, 1}, format, &re, &im);
  return {re, im};
}

/// In the order that the source names, or in the usual one of the table.
TEST(TableSource, AnAngleOfTwoIndicesRoundsInItsOrder) {
  const std::pair<const char*, std::optional<AngleOrder>> suffixes[] = {
      {"", std::nullopt},
      {":order=product", AngleOrder::product},
      {":order=row-column", AngleOrder::row_column},
      {":order=column-row", AngleOrder::column_row}};
  const auto angle = [](const RootIndex& root, AngleOrder order, const Format& to, int bits) {
    if (order == AngleOrder::product)
      return angle_by_mpfr({root.row * root.column}, root.order, to, bits);
    if (order == AngleOrder::row_column)
      return angle_by_mpfr({root.row, root.column}, root.order, to, bits);
    return angle_by_mpfr({root.column, root.row}, root.order, to, bits);
  };
  std::set<std::string> told_apart;
  for (const auto& named : suffixes)
    for (const AngleOrder usual : {AngleOrder::product, AngleOrder::row_column})
      for (const RootIndex& root :
           {RootIndex{3, 7, 8, usual}, RootIndex{7, 3, 8, usual}, RootIndex{5, 7, 8, usual},
            RootIndex{61, 99, 100, usual}, RootIndex{4099, 5003, 9000, usual},
            RootIndex{0, 5, 8, usual}}) {
        const std::string suffix = named.first;
        const AngleOrder taken = named.second.value_or(usual);
        const auto source = [&](const std::string& name) {
          return ask(table_source(name + suffix), root, fp64);
        };
        EXPECT_EQ(source("fp32-angle"), root_by_mpfr(angle(root, taken, fp32, 24), fp64));
        EXPECT_EQ(source("bf16-angle"), root_by_mpfr(angle(root, taken, bf16, 24), fp64));
        EXPECT_EQ(source("fp64-angle"), root_by_mpfr(angle(root, taken, fp64, 53), fp64, 53));
        if (source("fp32-angle") != ask(table_source("fp32-angle:order=product"), root, fp64))
          told_apart.insert(suffix);
      }
  EXPECT_THAT(told_apart, ::testing::ElementsAre("", ":order=column-row", ":order=row-column"));
}

TEST(TableSource, AnOrderThatCannotBeIsRefused) {
  const auto text = [](const std::string& name) { return error_text([&] { table_source(name); }); };
  EXPECT_THAT(text("fp32-angle:order=rows"),
              holds("order of tables fp32-angle", "'rows'", "product, row-column, column-row"));
  for (const char* name : {"exact", "recurrence", "fp32-reduced"})
    EXPECT_THAT(text(std::string(name) + ":order=product"),
                holds(std::string("tables ") + name + ": its angles have only one index"));
  EXPECT_EQ(table_name("fp64-angle:order=column-row").order, AngleOrder::column_row);
  EXPECT_EQ(table_name("fp32-angle:jitter=3:order=product").jitter, 3u);
}

/// The input torch_randn, seed 42, times the fp32 DFT matrix of a source, summed in double.
truth::Errors errors_of_matrix(const char* tables, std::size_t n) {
  const RootFunction source = table_source(tables);
  const auto x = make_input("torch_randn", n, 1, 42);
  ComplexArray<double> y(n);
  for (std::size_t k = 0; k < n; ++k)
    for (std::size_t j = 0; j < n; ++j) {
      const Root root = source(k * j, n, fp32);
      y.re[k] += x.re[j] * root.real();
      y.im[k] += x.re[j] * root.imag();
    }
  return truth::measure(y, truth::dft(x, n, Direction::forward), fp32);
}

TEST(TableSource, UnreducedAnglesAloneGiveThePublishedErrorAtLength1024) {
  const double published = 2.2e-2;  // two digits
  EXPECT_NEAR(errors_of_matrix("fp32-angle", 1024).re_max_rel, published, 0.05e-2);
  EXPECT_LT(errors_of_matrix("fp32-reduced", 1024).re_max_rel, published / 1000);
  EXPECT_LT(errors_of_matrix("exact", 1024).re_max_rel, published / 5000);
}

TEST(TableSource, Bf16ProductsGiveTheSiliconErrorAtLength64) {
  const std::size_t n = 64;
  const RootFunction source = table_source("fp32-angle");
  const auto x = make_input("torch_randn", n, 1, 42);
  ComplexArray<double> y(n);
  for (std::size_t k = 0; k < n; ++k) {
    float re = 0;
    float im = 0;
    for (std::size_t j = 0; j < n; ++j) {
      const Root root = source(k * j, n, bf16);
      const auto value = static_cast<float>(rounded(x.re[j], bf16));
      re += value * static_cast<float>(root.real());
      im += value * static_cast<float>(root.imag());
    }
    y.re[k] = static_cast<double>(re);
    y.im[k] = static_cast<double>(im);
  }
  const double published = 1.499e-3;

  const auto errors = truth::measure(y, truth::dft(x, n, Direction::forward), fp32);

  EXPECT_NEAR(errors.linf_rel, published, 0.01 * published);
}

/// The definition, its angles 2 pi k j/n as they stand.
TEST(TableSource, AnglesThatAreNotReducedAreThoseOfDirect) {
  constexpr std::size_t n = 256;
  Case where{.algorithm = "direct", .mode = "fp64", .machine = "ieee", .n = n};
  for (const std::string name :
       {"fp32-angle", "fp32-angle:order=row-column", "bf16-angle", "fp32-reduced", "exact"}) {
    where.tables = name;
    const Row row = evaluate(where);
    const RootFunction source = table_source(name);
    std::vector<RootIndex> indices;
    for (std::size_t k = 0; k < n; ++k)
      for (std::size_t j = 0; j < n; ++j) indices.push_back({j, k, n, AngleOrder::product});
    std::vector<double> re(n * n), im(n * n);
    source.fill(indices, fp64, re.data(), im.data());
    const ComplexArray<double> x = make_problem(problem_key(where)).input;
    ComplexArray<double> y(n);
    for (std::size_t k = 0; k < n; ++k)
      for (std::size_t j = 0; j < n; ++j) {
        y.re[k] += x.re[j] * re[k * n + j] - x.im[j] * im[k * n + j];
        y.im[k] += x.re[j] * im[k * n + j] + x.im[j] * re[k * n + j];
      }

    const double error = truth::measure(y, truth::dft(x, n, Direction::forward), fp64).l2_rel;

    EXPECT_NEAR(row.err_l2_rel.value(), error, name == "exact" ? error : 1e-6 * error) << name;
    EXPECT_LE(*row.err_l2_rel, row.bound_l2_rel.value()) << name;
    EXPECT_EQ(source.reduces(), name == "exact" || name == "fp32-reduced") << name;
  }
}

TEST(TableSource, ThreadsGetTheSameTables) {
  const RootFunction source = table_source("exact");
  std::vector<double> sums(4);
  std::vector<std::thread> threads;
  for (double& sum : sums)
    threads.emplace_back([&sum, &source] {
      for (std::uint64_t order = 1; order < 60; ++order)
        for (std::uint64_t e = 0; e < 4 * order; ++e)
          sum += static_cast<double>(e) * source(e, order, e % 2 ? fp32 : bf16).real();
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_THAT(sums, ::testing::Each(sums[0]));
  EXPECT_NE(sums[0], 0);
}

/// In a memory that holds no two circles of the largest order.
TEST(TableMemory, MakesACircleOncePerOrderAndFormatForThePlanAndForThePredictionOfACase) {
  constexpr std::size_t orders_met = 12;
  const Case where{.algorithm = "radix2-dit", .mode = "bf16", .n = std::size_t{1} << orders_met};
  const auto memory = std::make_shared<TableMemory>(nullptr, 2 * sizeof(double) * where.n);
  Resolved resolved = Session().plan(where).resolved();
  resolved.tables.roots = resolved.exact.roots = table_source("exact", memory);

  const MachineArithmetic<float> arithmetic(resolved.arithmetic);
  resolved.transform.make.in<MachineArithmetic<float>>()(arithmetic, resolved.algorithm, where.n,
                                                         resolved.tables);
  EXPECT_EQ(memory->circles_made(), orders_met);
  predict_transform(resolved.transform, predictor(where, resolved), resolved.algorithm, where.n, 1);
  EXPECT_LE(memory->circles_made(), orders_met + 2 * orders_met);
}

/// The transform, its inverse and the prediction of a long case share their circles: no root of one
/// is asked of MPFR alone.
TEST(TableMemory, MakesEachCircleOfALongCaseOnce) {
  constexpr std::size_t orders_met = 18;
  const Case where{.algorithm = "radix2-dit", .mode = "fp32", .n = std::size_t{1} << orders_met};
  const auto memory = std::make_shared<TableMemory>();
  const CasePlan plan = Session().plan(where);
  Resolved resolved = plan.resolved();
  resolved.tables.roots = resolved.exact.roots = table_source("exact", memory);

  const MachineArithmetic<float> arithmetic(resolved.arithmetic);
  for (const TransformEntry* transform : {&plan.resolved().transform, plan.inverse()})
    transform->make.in<MachineArithmetic<float>>()(arithmetic, resolved.algorithm, where.n,
                                                   resolved.tables);
  EXPECT_EQ(memory->circles_made(), orders_met);
  predict_transform(resolved.transform, predictor(where, resolved), resolved.algorithm, where.n, 1);
  EXPECT_EQ(memory->circles_made(), 2 * orders_met) << "in fp32 and in fp64";
}

TEST(TableMemory, MakesACircleOfMillionsOnce) {
  const auto memory = std::make_shared<TableMemory>();
  const RootFunction source = table_source("exact", memory);
  const std::vector<std::uint64_t> long_orders{std::uint64_t{1} << 23, std::uint64_t{3} << 21};
  for (int repeats = 0; repeats < 2; ++repeats)
    for (const std::uint64_t order : long_orders)
      for (const std::uint64_t e : {std::uint64_t{0}, std::uint64_t{1}, order / 3, 5 * order - 7})
        EXPECT_EQ(source(e, order, fp32), truth::root_of_unity(e, order, fp32))
            << e << "/" << order;
  EXPECT_EQ(memory->circles_made(), long_orders.size());
}

TEST(TableSource, CandidatesAreAllSourcesWithTheirKeys) {
  std::vector<std::string> names;
  std::ptrdiff_t recurrences = 0;
  for (const Named& each : table_candidates()) {
    EXPECT_NO_THROW(table_source(each.name)(1, 5, fp32)) << each.name;
    EXPECT_NE(each.summary, "") << each.name;
    recurrences += each.name.starts_with("recurrence");
    names.push_back(each.name);
  }
  EXPECT_EQ(names.front(), "exact");
  EXPECT_EQ(recurrences, 4 * std::ssize(recurrence_names()));
  for (const char* name : {"recurrence", "recurrence:in=fp64", "recurrence:by=bisection",
                           "recurrence:by=singleton:in=bf16", "exact:in=fp32", "fp64-angle",
                           "fp64-angle:order=column-row", "bf16-angle:order=product"})
    EXPECT_THAT(names, ::testing::Contains(name));
  for (const Named& each : list_tables())
    if (each.name != "file") {
      EXPECT_THAT(names, ::testing::Contains(each.name));
    }
  std::sort(names.begin(), names.end());
  EXPECT_EQ(std::adjacent_find(names.begin(), names.end()), names.end());
}

TEST(TableSource, UnknownNamesAndBadOrdersAreInputErrors) {
  EXPECT_THAT([] { table_source("fp32-angel"); },
              ::testing::ThrowsMessage<InputError>(holds("fp32-angle")));
  for (const Named& named : list_tables()) {
    if (named.name == "file") continue;
    const RootFunction source = table_source(named.name);
    EXPECT_THROW(source(1, 0, fp32), InputError) << named.name;
    EXPECT_THROW(source(1, 4, Format{8, -126, -1}), InputError) << named.name;
  }
}

}  // namespace
}  // namespace fftprec::testing
