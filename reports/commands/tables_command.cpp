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

#include "arith/formats/round.hpp"
#include "arith/support/error.hpp"
#include "experiments/algorithms/registry.hpp"
#include "experiments/cases/evaluate.hpp"
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

/// The errors of both parts of all entries, in ulp.
struct Spread {
  double largest = 0;
  double rms = 0;
  double most_rms = 0;  ///< but for the 1 % that are off most
};

/// The larger of the two parts.
double larger_part(std::complex<double> z) {
  return std::max(std::abs(z.real()), std::abs(z.imag()));
}

Spread spread(std::vector<std::complex<double>> errors, double ulp) {
  const auto rms_of = [&](std::size_t count) {
    double square = 0;
    for (std::size_t i = 0; i < count; ++i) square += std::norm(errors[i] / ulp) / 2;
    return std::sqrt(square / static_cast<double>(std::max<std::size_t>(count, 1)));
  };
  Spread result;
  for (const std::complex<double>& error : errors)
    result.largest = std::max(result.largest, larger_part(error) / ulp);
  result.rms = rms_of(errors.size());
  const std::size_t most = errors.size() - (errors.size() + 99) / 100;
  const auto end = errors.begin() + static_cast<std::ptrdiff_t>(most);
  if (most > 0)
    std::nth_element(errors.begin(), end, errors.end(),
                     [](auto x, auto y) { return larger_part(x) < larger_part(y); });
  result.most_rms = rms_of(most);
  return result;
}

/// The narrowest of the usual formats, no wider than `widest`, that holds every part.
Format format_that_holds(const FileTable& table, const Format& widest) {
  for (const Format& format : {bf16, fp16, fp32}) {
    if (format.precision >= widest.precision) break;
    const auto holds = [&](double part) { return round(part, format, Rounding::rne) == part; };
    bool all = true;
    for (std::size_t i = 0; i < table.size() && all; ++i)
      all = holds(table.entry(i).real()) && holds(table.entry(i).imag());
    if (all) return format;
  }
  return widest;
}

/// A table beside the sources of this program, entry by entry. Exponents are looked up once:
/// entries of a matrix share them, but for sources that take one index after the other.
class TableJudge {
 public:
  /// Errors are in ulps of `format`.
  TableJudge(const FileTable& table, const Format& format)
      : table_(table),
        format_(format),
        held_(format_that_holds(table, format)),
        entries_(table.size()),
        places_(table.size()) {
    std::iota(entries_.begin(), entries_.end(), std::size_t{0});
    for (const std::size_t i : entries_) exponents_.push_back(table.made(i).exponent());
    std::ranges::sort(exponents_);
    exponents_.erase(std::unique(exponents_.begin(), exponents_.end()), exponents_.end());
    std::vector<std::complex<double>> errors(table.size());
    for (const std::size_t i : entries_) {
      const auto place = std::ranges::lower_bound(exponents_, table.made(i).exponent());
      places_[i] = static_cast<std::size_t>(place - exponents_.begin());
      errors[i] = table.error(i);
      erring_ += larger_part(errors[i]) > 0;
    }
    own_ = spread(std::move(errors), ulp());
  }

  const Format& format() const { return format_; }
  /// The narrowest format of all entries.
  const Format& held() const { return held_; }
  double ulp() const { return unit_roundoff(format_); }
  double held_ulp() const { return unit_roundoff(held_) / ulp(); }
  const std::vector<std::size_t>& entries() const { return entries_; }
  /// Entries that no format holds exactly: most but 1, -1, i and -i.
  std::size_t erring() const { return erring_; }
  double error_ulp(std::size_t i) const { return larger_part(table_.error(i)) / ulp(); }
  const Spread& own() const { return own_; }

  struct Likeness {
    Named source;
    std::size_t equal = 0;         ///< entries
    std::size_t erring_equal = 0;  ///< of those that no format holds exactly
    Spread rest{};                 ///< the table less the source
    Spread source_error{};         ///< the source less the exact roots
  };
  /// Of the source's entries in `format`. Empty where the source has no such order.
  std::optional<Likeness> likeness(const Named& source, const Format& format) const {
    const bool by_entry = table_name(source.name).order.has_value();
    std::vector<RootIndex> asked;
    if (by_entry)
      for (const std::size_t i : entries_) asked.push_back(table_.made(i));
    else
      for (const std::uint64_t exponent : exponents_) asked.emplace_back(exponent, table_.order());
    ComplexArray<double> roots(asked.size());
    try {
      table_source(source.name).fill(asked, format, roots.re.data(), roots.im.data());
    } catch (const InputError&) {
      return {};
    }
    Likeness like{.source = source};
    std::vector<std::complex<double>> rest(entries_.size()), errors(entries_.size());
    for (const std::size_t i : entries_) {
      const std::size_t at = by_entry ? i : places_[i];
      const std::complex<double> error = table_.error(i);
      rest[i] = table_.entry(i) - std::complex<double>{roots.re[at], table_.made_conjugate(i)
                                                                         ? -roots.im[at]
                                                                         : roots.im[at]};
      errors[i] = error - rest[i];
      const bool equal = larger_part(rest[i]) == 0;
      like.equal += equal;
      like.erring_equal += equal && larger_part(error) > 0;
    }
    like.rest = spread(std::move(rest), ulp());
    like.source_error = spread(std::move(errors), ulp());
    return like;
  }

  /// How a source accounts for the table's errors, if it does.
  enum class Account { equal, within_ulp, mostly_equal, remains, none };
  Account account_of(const Likeness& like) const {
    constexpr double far_smaller = 8;
    if (like.equal == entries_.size()) return Account::equal;
    if (like.rest.largest <= held_ulp()) return Account::within_ulp;
    if (4 * like.erring_equal >= 3 * erring_ && erring_ > 0) return Account::mostly_equal;
    return like.rest.most_rms * far_smaller <= own_.most_rms ? Account::remains : Account::none;
  }

 private:
  const FileTable& table_;
  Format format_, held_;
  std::vector<std::size_t> entries_, places_;
  std::vector<std::uint64_t> exponents_{};  ///< each once, ascending
  std::size_t erring_ = 0;
  Spread own_{};
};

bool is_matrix(const FileTable& table) { return table.shape() == FileTable::Shape::matrix; }

std::string kind_text(const FileTable& table) {
  const char sign = table.conjugated() ? '+' : '-';
  const std::uint64_t order = table.order();
  switch (table.shape()) {
    case FileTable::Shape::matrix:
      return fmt::format("the DFT matrix of n = {0}, entry (k, j) = exp({1}2 pi i k j/{0})", order,
                         sign);
    case FileTable::Shape::chirp:
      return fmt::format("the chirp of n = {0}: entry j = exp({1}pi i j^2/{0})", table.size(),
                         sign);
    default:
      return fmt::format("{2} twiddles, {3}: entry j = exp({1}2 pi i j/{0})", order, sign,
                         table.size(),
                         table.shape() == FileTable::Shape::circle
                             ? fmt::format("the full circle of order {}", order)
                             : fmt::format("the first half of the circle of order {}", order));
  }
}

/// Row and column of entry i of a matrix, its place in a vector.
std::vector<std::string> place_of(const FileTable& table, std::size_t i) {
  if (!is_matrix(table)) return {std::to_string(i)};
  return {std::to_string(i / table.order()), std::to_string(i % table.order())};
}

/// How far moduli are from 1, in ulp: rms without the 1 % of entries that are off most.
double modulus_error(const FileTable& table, const TableJudge& judge,
                     const std::vector<std::size_t>& entries) {
  std::vector<std::complex<double>> errors;
  for (const std::size_t i : entries) errors.emplace_back(std::abs(table.entry(i)) - 1);
  return spread(std::move(errors), judge.ulp()).most_rms;
}

/// A text about moduli that drift, as in tables whose entries are products of earlier ones.
std::string drift_text(const FileTable& table, const TableJudge& judge, std::uint64_t most) {
  std::vector<std::size_t> low, high;
  double least = 1;
  double largest = 1;
  for (const std::size_t i : judge.entries()) {
    const std::uint64_t exponent = table.root(i).exponent();
    if (exponent < most / 4) low.push_back(i);
    if (exponent >= most - most / 4) high.push_back(i);
    least = std::min(least, std::abs(table.entry(i)));
    largest = std::max(largest, std::abs(table.entry(i)));
  }
  const double first = std::max(modulus_error(table, judge, low), 2 * judge.held_ulp());
  if (!(modulus_error(table, judge, high) > 2 * first)) return "";
  return fmt::format(
      "Moduli drift from 1 as exponents grow: they lie in {:.7g} to {:.7g}. Roots made from "
      "earlier roots by products err like this.\n",
      least, largest);
}

/// A text about errors that grow with angles beyond a turn. They come from angles that are not
/// reduced, unless moduli grow, too.
std::string growth_text(const FileTable& table, const TableJudge& judge, bool may_be_angles) {
  const bool squares = table.shape() == FileTable::Shape::chirp;
  const bool beyond_a_turn = squares || is_matrix(table);
  const std::uint64_t last = squares ? table.size() - 1 : table.order() - 1;
  const std::uint64_t most = beyond_a_turn ? last * last : table.size() - 1;
  const std::string drift = drift_text(table, judge, most);
  if (!beyond_a_turn || !may_be_angles) return drift;
  std::vector<std::size_t> far;
  std::vector<std::complex<double>> near_errors, far_errors;
  for (const std::size_t i : judge.entries()) {
    const std::uint64_t exponent = table.root(i).exponent();
    if (exponent < table.order()) near_errors.push_back(table.error(i));
    if (exponent < most / 2) continue;
    far.push_back(i);
    far_errors.push_back(table.error(i));
  }
  const Spread near = spread(std::move(near_errors), judge.ulp());
  const Spread rest = spread(std::move(far_errors), judge.ulp());
  if (!(rest.rms > 8 * std::max(near.rms, 0.3))) return drift;
  if (modulus_error(table, judge, far) > rest.most_rms / 4) return drift;
  return drift + fmt::format(
                     "Errors grow with {}: rms {} ulp in the first turn, {} ulp in the upper half "
                     "of all angles.\nAngles that are not reduced err like this: take {} before "
                     "the angle is formed.\n",
                     squares ? "j^2" : "k j", short_number(near.rms), short_number(rest.rms),
                     squares ? fmt::format("j^2 mod {}", table.order()) : "k j mod n");
}

/// "A", "A and B", "A, B and 3 more".
std::string few_of(const std::vector<std::string>& names) {
  constexpr std::size_t most = 3;
  std::string text = names.front();
  for (std::size_t i = 1; i < std::min(most, names.size()); ++i)
    text += (i + 1 == names.size() ? " and " : ", ") + names[i];
  return names.size() > most ? fmt::format("{} and {} more", text, names.size() - most) : text;
}

/// Sources that differ from the table alike.
struct Alike {
  TableJudge::Likeness like;
  std::vector<Named> sources;

  std::string first() const {
    const std::string& name = sources.front().name;
    return sources.size() == 1 ? name : fmt::format("{} and {} more", name, sources.size() - 1);
  }
  std::string names() const { return few_of(names_by(sources, &Named::name)); }
};

/// Nearest first.
std::vector<Alike> likenesses(const FileTable& table, const TableJudge& judge) {
  const bool two_indices = is_matrix(table) || (table.shape() == FileTable::Shape::chirp &&
                                                table.square() == FileTable::Square::exact);
  std::vector<Alike> all;
  const auto add = [&](const Named& source) {
    auto like = judge.likeness(source, judge.held());
    if (!like) return;
    const auto same = std::ranges::find_if(all, [&](const Alike& each) {
      return each.like.equal == like->equal && each.like.rest.rms == like->rest.rms &&
             each.like.rest.largest == like->rest.largest;
    });
    if (same != all.end()) return same->sources.push_back(source);
    all.push_back({*std::move(like), {source}});
  };
  // Angles in other orders take long, in fp64 above all.
  std::vector<Named> ordered;
  for (const Named& source : table_candidates()) {
    const auto order = table_name(source.name).order;
    if (!order)
      add(source);
    else if (two_indices && *order != AngleOrder::product)
      ordered.push_back(source);
  }
  const bool is_known = std::ranges::any_of(all, [&](const Alike& each) {
    return judge.account_of(each.like) == TableJudge::Account::equal;
  });
  for (const Named& source : ordered)
    if (!is_known && (judge.held() == fp64 || !source.name.starts_with("fp64"))) add(source);
  std::ranges::stable_sort(all, [](const Alike& a, const Alike& b) {
    return std::pair(a.like.rest.most_rms, b.like.equal) <
           std::pair(b.like.rest.most_rms, a.like.equal);
  });
  return all;
}

/// The nearest sources, and the first that accounts for the errors.
std::string likeness_text(const TableJudge& judge, const std::vector<Alike>& all) {
  using enum TableJudge::Account;
  constexpr std::size_t shown = 8;
  std::vector<text::TextCells> cells{
      {"source", "equal entries", "rms difference, ulp", "largest", "rms error of the source"}};
  for (std::size_t i = 0; i < std::min(shown, all.size()); ++i)
    cells.push_back(
        {all[i].first(), std::to_string(all[i].like.equal), short_number(all[i].like.rest.most_rms),
         short_number(all[i].like.rest.largest), short_number(all[i].like.source_error.rms)});
  const Alike& nearest = all.front();
  const std::string names = nearest.names();
  const auto account = judge.account_of(nearest.like);
  const std::string rounded = ", rounded to " + to_string(judge.held());
  std::string verdict;
  switch (account) {
    case equal:
      verdict = "It equals " + names + " bit for bit" + rounded;
      break;
    case mostly_equal:
      verdict = fmt::format("It equals {} bit for bit in {} of {} entries{}", names,
                            nearest.like.equal, judge.entries().size(), rounded);
      break;
    case within_ulp:
      verdict = "It is within 1 ulp of " + names + ", as other cosines and sines give it";
      break;
    case remains:
      verdict =
          fmt::format("It is near {}, which leaves rms {} of {} ulp", names,
                      short_number(nearest.like.rest.most_rms), short_number(judge.own().most_rms));
      break;
    case none:
      verdict = fmt::format(
          "No source known here accounts for the errors: the nearest, {}, leaves rms {} of {} ulp",
          names, short_number(nearest.like.rest.most_rms), short_number(judge.own().most_rms));
      break;
  }
  std::string text = text::terminal_table({cells, 1}) +
                     "rms difference: without the 1 % of entries that differ most.\n" + verdict;
  if (account == none) return text + ".\n";
  text += ":";
  constexpr std::size_t explained = 3;
  for (std::size_t i = 0; i < std::min(explained, nearest.sources.size()); ++i)
    text += fmt::format("\n  {}: {}", nearest.sources[i].name, nearest.sources[i].summary);
  return text + "\n";
}

/// What the values themselves show.
std::string precision_text(const FileTable& table, const TableJudge& judge) {
  std::string text;
  if (judge.held() != judge.format() && judge.erring() > 0)
    text +=
        fmt::format("All entries are numbers of {}: the precision of {}, in {}.\n",
                    to_string(judge.held()), to_string(judge.held()), to_string(judge.format()));
  if (table.square() != FileTable::Square::exact) {
    const bool has_sign = table.square() == FileTable::Square::int32;
    text += fmt::format(
        "j^2 has overflowed an integer of 32 bits {} a sign: entries from j = {} on are those of "
        "j^2 {}.\n",
        has_sign ? "with" : "without", has_sign ? 46341 : 65536,
        has_sign ? "less multiples of 2^32" : "mod 2^32");
  }
  return text;
}

/// Whether the nearest source has angles that are not reduced, or no known source fits.
bool may_be_angles(const TableJudge& judge, const Alike& nearest) {
  const std::string& name = nearest.sources.front().name;
  return judge.account_of(nearest.like) == TableJudge::Account::none ||
         (name.find("-angle") != name.npos);
}

/// An algorithm that uses the table; empty if it would take long.
std::string algorithm_for(const FileTable& table) {
  constexpr std::uint64_t longest = 8192;                   // of n^2 products
  if (table.shape() == FileTable::Shape::chirp) return "";  // besides, Bluestein needs twiddles
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
    return table.conjugated() && !algorithm.empty()
               ? "Its effect on a transform is not measured, since a case takes angles of "
                 "the sign -.\n"
               : "";
  std::vector<text::TextCells> cells{{"mode", "err_l2_rel", "with exact tables", "expected",
                                      "with exact tables", "table's share"}};
  Case where{.algorithm = algorithm, .n = table.order()};
  const Problem problem = make_problem(context.session->plan(where));
  for (const char* mode : {"fp32", "fp64"}) {
    where.mode = mode;
    if (where.mode == "fp64" && table.format() != fp64) continue;
    where.tables = "exact";
    const Row exact = evaluate(context.session->plan(where), problem);
    where.tables = name;
    const Row row = evaluate(context.session->plan(where), problem);
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
         "table's share: the part of the error's square that exact tables save, by expected values "
         "if there\nare any, else by measured ones.\n";
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
  const Spread& own = judge.own();
  const bool good = own.largest <= arguments.max_ulp;
  const ExitCode code = good ? ExitCode::ok : ExitCode::gate_failed;
  if (arguments.csv == "-") {
    context.out << csv_of(table, judge);
    return code;
  }
  const auto exact = *judge.likeness({"exact", ""}, format);
  const std::vector<Alike> all = likenesses(table, judge);
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
              << precision_text(table, judge) << likeness_text(judge, all)
              << growth_text(table, judge, may_be_angles(judge, all.front())) << '\n'
              << cost_text(table, name, context)
              << fmt::format("\n{}  largest error {} ulp, limit {}\n", good ? "pass" : "FAIL",
                             short_number(own.largest), exact_number(arguments.max_ulp));
  if (!arguments.csv.empty()) replace_file(arguments.csv, csv_of(table, judge));
  return code;
}

}  // namespace

void add_tables_command(CLI::App& app, Context& context) {
  Command command(app, "tables", "Check the table of another program",
                  "Examples:\n"
                  "  fftprec tables error w.npy                 twiddles, a chirp or a DFT matrix\n"
                  "  fftprec tables error dft.npy --max-ulp 0.5 --csv entries.csv\n"
                  "  fftprec run -a algorithm=dft-gemm -a n=1024 -a tables=file:dft.npy,exact\n"
                  "Entries are complex: m entries are the circle of order m, the first half of the "
                  "circle of\norder 2m, or the chirp exp(-pi i j^2/m).\n"
                  "Exit codes: 0, 1 an error is above --max-ulp, 2 names or files.");
  const auto arguments = std::make_shared<TablesArguments>();
  command.add("what", arguments->what, "error: how far the entries are from exact roots")
      .required();
  command.add("file FILE.npy", arguments->file, "The table").required();
  command.add("--max-ulp", arguments->max_ulp, "Largest error allowed in a part; default 1")
      .range(0.0, std::numeric_limits<double>::max());
  command.add("--limit", arguments->limit, "Number of worst entries to show; default 10")
      .range(std::uint64_t{0}, std::uint64_t{1} << 20);
  command.add("--format FORMAT", arguments->format,
              "Format whose ulps are counted; default the file's");
  command.add("--csv FILE|-", arguments->csv, "Every entry, or - in place of the text");
  command.run(context, [arguments, &context] { return judge_table(*arguments, context); });
}

}  // namespace fftprec::commands
