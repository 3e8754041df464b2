/// `fftprec tables error`: whether the table of another program is at fault.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <memory>
#include <numeric>
#include <optional>
#include <ostream>
#include <vector>

#include "arith/support/error.hpp"
#include "experiments/algorithms/registry.hpp"
#include "experiments/files/file_values.hpp"
#include "experiments/files/format_file.hpp"
#include "experiments/support/decimal.hpp"
#include "experiments/support/files.hpp"
#include "experiments/support/printable.hpp"
#include "experiments/tables/tables.hpp"
#include "reports/commands/options.hpp"
#include "reports/text/table.hpp"

namespace fftprec::commands {

namespace {

struct TablesArguments {
  std::string what;
  std::string file;
  std::string format;
  std::string csv;
  double max_ulp = 1;
  std::uint64_t limit = 10;
};

/// What the two parts of all entries are off by, in ulp.
struct Spread {
  double largest = 0;
  double rms = 0;
};

/// The larger of the two parts.
double larger_part(std::complex<double> z) {
  return std::max(std::abs(z.real()), std::abs(z.imag()));
}

template <class ErrorOf>
Spread spread(const std::vector<std::size_t>& entries, double ulp, ErrorOf error_of) {
  double square = 0;
  double largest = 0;
  for (const std::size_t i : entries) {
    const std::complex<double> error = error_of(i) / ulp;
    square += std::norm(error) / 2;
    largest = std::max(largest, larger_part(error));
  }
  const double count = static_cast<double>(std::max<std::size_t>(entries.size(), 1));
  return {largest, std::sqrt(square / count)};
}

/// A table beside the sources of this program, entry by entry. Exponents are looked up once:
/// entries of a matrix share them, but for sources that take one index after the other.
class TableJudge {
 public:
  TableJudge(const FileTable& table, const Format& format)
      : table_(table), format_(format), entries_(table.size()) {
    std::iota(entries_.begin(), entries_.end(), std::size_t{0});
    for (const std::size_t i : entries_) exponents_.push_back(table.root(i).exponent());
    std::sort(exponents_.begin(), exponents_.end());
    exponents_.erase(std::unique(exponents_.begin(), exponents_.end()), exponents_.end());
  }

  const Format& format() const { return format_; }
  double ulp() const { return unit_roundoff(format_); }
  const std::vector<std::size_t>& entries() const { return entries_; }
  double error_ulp(std::size_t i) const { return larger_part(table_.error(i)) / ulp(); }
  Spread own() const {
    return spread(entries_, ulp(), [this](std::size_t i) { return table_.error(i); });
  }

  struct Likeness {
    Named source;
    std::size_t equal = 0;
    double rms = 0;         ///< of the table less the source, but for the 1 % that differ most
    double largest = 0;     ///< of all
    Spread source_error{};  ///< the source less the exact roots
  };
  /// Empty where the source has no such order.
  std::optional<Likeness> likeness(const Named& source) const {
    const bool by_entry = table_name(source.name).order.has_value();
    std::vector<RootIndex> asked;
    if (by_entry)
      for (const std::size_t i : entries_) asked.push_back(table_.root(i));
    else
      for (const std::uint64_t exponent : exponents_) asked.emplace_back(exponent, table_.order());
    ComplexArray<double> roots(asked.size());
    try {
      table_source(source.name).fill(asked, format_, roots.re.data(), roots.im.data());
    } catch (const InputError&) {
      return {};
    }
    const auto difference = [&](std::size_t i) {
      const auto found =
          std::lower_bound(exponents_.begin(), exponents_.end(), table_.root(i).exponent());
      const auto at = by_entry ? i : static_cast<std::size_t>(found - exponents_.begin());
      return table_.entry(i) - std::complex<double>{roots.re[at], roots.im[at]};
    };
    Likeness like{.source = source};
    std::vector<std::size_t> most = entries_;
    const auto end = most.end() - static_cast<std::ptrdiff_t>((most.size() + 99) / 100);
    std::nth_element(most.begin(), end, most.end(), [&](std::size_t a, std::size_t b) {
      return larger_part(difference(a)) < larger_part(difference(b));
    });
    most.erase(end, most.end());
    for (const std::size_t i : entries_) like.equal += larger_part(difference(i)) == 0;
    like.largest = spread(entries_, ulp(), difference).largest;
    like.rms = spread(most, ulp(), difference).rms;
    like.source_error =
        spread(entries_, ulp(), [&](std::size_t i) { return table_.error(i) - difference(i); });
    return like;
  }

 private:
  const FileTable& table_;
  Format format_;
  std::vector<std::size_t> entries_;
  std::vector<std::uint64_t> exponents_{};  ///< each once, ascending
};

bool is_matrix(const FileTable& table) { return table.shape() == FileTable::Shape::matrix; }

std::string kind_text(const FileTable& table) {
  const char sign = table.conjugated() ? '+' : '-';
  const std::uint64_t order = table.order();
  if (is_matrix(table))
    return fmt::format("the DFT matrix of n = {0}, entry (k, j) = exp({1}2 pi i k j/{0})", order,
                       sign);
  return fmt::format("{2} twiddles, {3}: entry j = exp({1}2 pi i j/{0})", order, sign, table.size(),
                     table.shape() == FileTable::Shape::circle
                         ? fmt::format("the full circle of order {}", order)
                         : fmt::format("the first half of the circle of order {}", order));
}

/// Row and column of entry i of a matrix, its place in a vector.
std::vector<std::string> place_of(const FileTable& table, std::size_t i) {
  if (!is_matrix(table)) return {std::to_string(i)};
  return {std::to_string(i / table.order()), std::to_string(i % table.order())};
}

/// Errors that grow with the angle where it exceeds a turn are those of angles not reduced.
std::string growth_text(const FileTable& table, const TableJudge& judge) {
  std::vector<std::size_t> near;
  std::vector<std::size_t> far;
  const std::uint64_t most = (table.order() - 1) * (table.order() - 1);
  for (const std::size_t i : judge.entries()) {
    const std::uint64_t exponent = table.root(i).exponent();
    if (exponent < table.order()) near.push_back(i);
    if (exponent >= most / 2) far.push_back(i);
  }
  const auto error = [&](std::size_t i) { return table.error(i); };
  const Spread first = spread(near, judge.ulp(), error);
  const Spread last = spread(far, judge.ulp(), error);
  if (!is_matrix(table) || !(last.rms > 8 * std::max(first.rms, 0.3))) return "";
  return fmt::format(
      "Errors grow with k j: rms {} ulp in the first turn, {} ulp in the upper half of all "
      "angles.\nThat is how angles err that are not reduced: take k j mod n before the angle is "
      "formed.\n",
      short_number(first.rms), short_number(last.rms));
}

std::string likeness_text(const FileTable& table, const TableJudge& judge) {
  std::vector<TableJudge::Likeness> all;
  std::vector<Named> sources = list_tables();
  if (is_matrix(table)) {
    sources.push_back({"fp32-angle:order=row-column", "the angle times k, then times j"});
    sources.push_back({"fp32-angle:order=column-row", "the angle times j, then times k"});
  }
  for (const Named& source : sources)
    if (auto like = judge.likeness(source)) all.push_back(*std::move(like));
  std::stable_sort(all.begin(), all.end(),
                   [](const auto& a, const auto& b) { return a.rms < b.rms; });
  std::vector<text::TextCells> cells{
      {"source", "equal entries", "rms difference, ulp", "largest", "rms error of the source"}};
  std::string nearest;
  std::string summary;
  for (const auto& like : all) {
    cells.push_back({like.source.name, std::to_string(like.equal), short_number(like.rms),
                     short_number(like.largest), short_number(like.source_error.rms)});
    if (like.equal != all.front().equal || like.rms != all.front().rms) continue;
    nearest += (nearest.empty() ? "" : " and ") + like.source.name;
    summary += "\n  " + like.source.name + ": " + like.source.summary;
  }
  std::string verdict = "It is nearest to " + nearest + ", but not equal";
  if (all.front().largest <= 1)
    verdict = "It is within 1 ulp of " + nearest + ", as other cosines and sines give it";
  if (all.front().equal == table.size())
    verdict = "It equals " + nearest + " bit for bit, rounded to " + to_string(judge.format());
  return text::terminal_table({cells, 1}) +
         "rms difference: without the 1 % of entries that differ most.\n" + verdict + ":" +
         summary + "\n";
}

/// What takes the table, or nothing if that takes long.
std::string algorithm_for(const FileTable& table) {
  constexpr std::uint64_t longest = 8192;  // of n^2 products
  const auto takes = [&](const char* name) {
    return algorithm_named(name).model.unsupported(table.order()).empty();
  };
  const bool matrix = is_matrix(table);
  if (!matrix && takes("radix2-dit")) return "radix2-dit";
  if (!matrix && takes("mixed-radix")) return "mixed-radix";
  return table.order() > longest ? "" : matrix ? "dft-gemm" : "direct";
}

/// A transform with this table and with exact ones.
std::string cost_text(const FileTable& table, const std::string& name, Context& context) {
  const std::string algorithm = algorithm_for(table);
  if (table.conjugated() || algorithm.empty())
    return table.conjugated() ? "What it costs a transform is not measured: a case takes angles of "
                                "the sign -.\n"
                              : "";
  std::vector<text::TextCells> cells{{"mode", "err_l2_rel", "with exact tables", "expected",
                                      "with exact tables", "table's share"}};
  Case where{.algorithm = algorithm, .n = table.order()};
  const Problem problem = context.functions.make_problem(problem_key(where), {}, nullptr);
  for (const char* mode : {"fast", "double"}) {
    where.mode = mode;
    if (where.mode == "double" && table.format() != fp64) continue;
    where.tables = "exact";
    const Row exact = context.functions.evaluate(where, problem, best_isa());
    where.tables = name;
    const Row row = context.functions.evaluate(where, problem, best_isa());
    if (!row.err_l2_rel || !exact.err_l2_rel)
      return "A transform with it fails: " + row.message + "\n";
    const auto expected = [](const Row& of) {
      return of.expected_l2_rel ? text::error_text(*of.expected_l2_rel) : "-";
    };
    const bool both = row.expected_l2_rel && exact.expected_l2_rel;
    const double ratio =
        both ? *exact.expected_l2_rel / *row.expected_l2_rel : *exact.err_l2_rel / *row.err_l2_rel;
    const std::string share = fmt::format("{:.1f} %", 100 * std::max(0.0, 1 - ratio * ratio));
    cells.push_back({mode, text::error_text(*row.err_l2_rel), text::error_text(*exact.err_l2_rel),
                     expected(row), expected(exact), share});
  }
  return fmt::format("What it costs {}, n = {}, gaussian input:\n{}", algorithm, table.order(),
                     text::terminal_table({cells, 1})) +
         "table's share: what exact tables save of the error's square, as expected or else as "
         "measured.\n";
}

std::string csv_of(const FileTable& table, const TableJudge& judge) {
  std::string csv = is_matrix(table) ? "k,j," : "j,";
  csv += "re,im,exact_re,exact_im,error,error_ulp\n";
  for (const std::size_t i : judge.entries()) {
    const std::complex<double> value = table.entry(i);
    const std::complex<double> error = table.error(i);
    const std::complex<double> exact = value - error;
    csv += fmt::format("{},{},{},{},{},{},{}\n", fmt::join(place_of(table, i), ","),
                       shortest(value.real()), shortest(value.imag()), shortest(exact.real()),
                       shortest(exact.imag()), shortest(std::abs(error)),
                       shortest(judge.error_ulp(i)));
  }
  return csv;
}

std::string worst_text(const FileTable& table, const TableJudge& judge, std::uint64_t limit) {
  std::vector<std::size_t> worst = judge.entries();
  const std::size_t count = std::min<std::size_t>(limit, worst.size());
  const auto end = worst.begin() + static_cast<std::ptrdiff_t>(count);
  const auto worse = [&](std::size_t a, std::size_t b) {
    const double of_a = judge.error_ulp(a);
    const double of_b = judge.error_ulp(b);
    return of_a != of_b ? of_a > of_b : a < b;
  };
  std::partial_sort(worst.begin(), end, worst.end(), worse);
  text::TextCells names{"value", "exact", "error", "ulp"};
  for (const char* axis : {"j", "k"})
    if (is_matrix(table) || *axis == 'j') names.insert(names.begin(), axis);
  std::vector<text::TextCells> cells{names};
  const int digits = table.format() == fp64 ? 17 : 9;
  const auto complex_text = [digits](std::complex<double> z) {
    return fmt::format("{0:.{2}g}{1:+.{2}g}i", z.real(), z.imag(), digits);
  };
  for (auto i = worst.begin(); i != end; ++i) {
    const std::complex<double> value = table.entry(*i);
    const std::complex<double> error = table.error(*i);
    text::TextCells line = place_of(table, *i);
    for (const std::string& cell :
         {complex_text(value), complex_text(value - error), text::error_text(std::abs(error)),
          short_number(judge.error_ulp(*i))})
      line.push_back(cell);
    cells.push_back(line);
  }
  return text::terminal_table({cells, 0});
}

ExitCode judge_table(const TablesArguments& arguments, Context& context) {
  if (arguments.what != "error")
    throw unknown_name("question on tables", arguments.what, {"error"});
  check_outputs(arguments.csv, "");
  const std::string name = with_file_hash(file_input_name(arguments.file));
  const FileTable table(std::string_view(name).substr(file_kind.size()));
  const Format format =
      arguments.format.empty() ? table.format() : format_named(arguments.format, read_list);
  truth::require_table_format(format);
  const TableJudge judge(table, format);
  const Spread own = judge.own();
  const bool good = own.largest <= arguments.max_ulp;
  const ExitCode code = good ? ExitCode::ok : ExitCode::gate_failed;
  if (arguments.csv == "-") {
    context.out << csv_of(table, judge);
    return code;
  }
  const auto exact = *judge.likeness({"exact", ""});
  const auto line = [&](const char* title, const Spread& of) {
    return fmt::format("{:<20}largest {} ulp = {}, rms {} ulp = {}\n", title,
                       short_number(of.largest), text::error_text(of.largest * judge.ulp()),
                       short_number(of.rms), text::error_text(of.rms * judge.ulp()));
  };
  context.out << printable(table.path()) << ": " << kind_text(table) << ", "
              << (table.format() == fp64 ? "complex128" : "complex64") << "\n\n"
              << line("error of a part", own) << line("correctly rounded", exact.source_error)
              << fmt::format(
                     "equal to that       {} of {}\n", exact.equal,
                     table.size() == 1 ? "1 entry" : std::to_string(table.size()) + " entries")
              << fmt::format("ulp: the step of {} below 1, {}; of an entry, its larger part's\n\n",
                             to_string(format), text::error_text(judge.ulp()))
              << worst_text(table, judge, arguments.limit) << '\n'
              << likeness_text(table, judge) << growth_text(table, judge) << '\n'
              << cost_text(table, name, context)
              << fmt::format("\n{}  largest error {} ulp, limit {}\n", good ? "pass" : "FAIL",
                             short_number(own.largest), exact_number(arguments.max_ulp));
  if (!arguments.csv.empty()) replace_file(arguments.csv, csv_of(table, judge));
  return code;
}

}  // namespace

void add_tables_command(CLI::App& app, Context& context) {
  Command command(
      app, "tables", "Judge the table of another program",
      "Examples:\n"
      "  fftprec tables error w.npy                 a vector of twiddles or a DFT matrix\n"
      "  fftprec tables error dft.npy --max-ulp 0.5 --csv entries.csv\n"
      "  fftprec run -a algorithm=dft-gemm -a n=1024 -a tables=file:dft.npy,exact\n"
      "Entries are complex; m of them are the circle of order m, or the first half of that of 2m.\n"
      "Exit codes: 0, 1 an error is above --max-ulp, 2 names or files.");
  const auto arguments = std::make_shared<TablesArguments>();
  command.add("what", arguments->what, "error: how far the entries are from exact roots")
      .required();
  command.add("file", arguments->file, "The table").type("FILE.npy").required();
  command.add("--max-ulp", arguments->max_ulp, "Largest error of a part allowed; default 1")
      .range(0.0, std::numeric_limits<double>::max());
  command.add("--limit", arguments->limit, "How many of the worst entries are shown; default 10")
      .range(std::uint64_t{0}, std::uint64_t{1} << 20);
  command.add("--format", arguments->format, "Format whose steps are counted; default the file's");
  command.add("--csv", arguments->csv, "Every entry, or - in place of the text").type("FILE|-");
  command.run(context, [arguments, &context] { return judge_table(*arguments, context); });
}

}  // namespace fftprec::commands
