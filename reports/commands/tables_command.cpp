/// `fftprec tables error`: whether the table of another program is at fault.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <map>
#include <memory>
#include <numbers>
#include <numeric>
#include <optional>
#include <ostream>
#include <utility>
#include <vector>

#include "arith/formats/round.hpp"
#include "arith/support/error.hpp"
#include "experiments/algorithms/registry.hpp"
#include "experiments/attribution/culprit.hpp"
#include "experiments/cases/evaluate.hpp"
#include "experiments/files/file_values.hpp"
#include "experiments/files/format_file.hpp"
#include "experiments/files/words.hpp"
#include "experiments/support/decimal.hpp"
#include "experiments/support/files.hpp"
#include "experiments/support/printable.hpp"
#include "experiments/tables/tables.hpp"
#include "reports/commands/arrays.hpp"
#include "reports/commands/options.hpp"
#include "reports/text/table.hpp"

namespace fftprec::commands {

namespace {

struct TablesArguments {
  std::string what;
  std::string file;
  std::string format;
  std::string dtype;
  NamedWords words;
  std::uint64_t order = 0;  ///< 0: the layout tells
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

/// The step of a format just below 1.
double step_below_one(const Format& format) {
  return format.is_fixed() ? power_of_two(quantum_exponent(format)) : unit_roundoff(format);
}

/// A format, and the number of entries that are none of its numbers.
struct HeldFormat {
  Format format;
  std::size_t others = 0;
};

/// The narrowest of the usual formats, no wider than `widest`, that holds every part, but for 1
/// entry in 64.
HeldFormat format_that_holds(const FileTable& table, const Format& widest) {
  if (widest.is_fixed()) return {widest};
  for (const Format& format : {bf16, fp16, fp32}) {
    if (format.precision >= widest.precision) break;
    const auto holds = [&](double part) { return round(part, format, Rounding::rne) == part; };
    constexpr std::size_t one_in = 64;
    std::size_t others = 0;
    for (std::size_t i = 0; i < table.size() && one_in * others <= table.size(); ++i) {
      const std::complex<double> entry = table.present(table.entry(i));
      others += !holds(entry.real()) || !holds(entry.imag());
    }
    if (one_in * others <= table.size()) return {format, others};
  }
  return {widest};
}

/// A table beside the sources of this program, entry by entry. Roots are looked up once: entries
/// share them, but for sources that take one index after the other.
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
    const auto key = [&](std::size_t i) {
      const RootIndex root = table.made(i);
      return std::pair(root.order, root.exponent());
    };
    for (const std::size_t i : entries_) roots_.push_back(key(i));
    std::ranges::sort(roots_);
    roots_.erase(std::unique(roots_.begin(), roots_.end()), roots_.end());
    std::vector<std::complex<double>> errors(table.size());
    for (const std::size_t i : entries_) {
      places_[i] =
          static_cast<std::size_t>(std::ranges::lower_bound(roots_, key(i)) - roots_.begin());
      errors[i] = error(i);
      erring_ += larger_part(errors[i]) > 0;
    }
    own_ = spread(std::move(errors), ulp());
    const double usual = std::max(2 * held_ulp(), 4 * own_.most_rms) * ulp();
    for (const std::size_t i : entries_)
      if (larger_part(error(i)) > 2 * usual) off_.push_back(i);
    if (2 * off_.size() > entries_.size()) off_.clear();
  }

  const Format& format() const { return format_; }
  /// The narrowest format of nearly all entries, and the number of the others.
  const Format& held() const { return held_.format; }
  std::size_t not_held() const { return held_.others; }
  double ulp() const { return step_below_one(format_); }
  double held_ulp() const { return step_below_one(held()) / ulp(); }
  const std::vector<std::size_t>& entries() const { return entries_; }
  /// Entries that no format holds exactly: most but 1, -1, i and -i.
  std::size_t erring() const { return erring_; }
  /// All entries, or many that are spread over a long table and those that are off by far.
  std::vector<std::size_t> spread_entries() const {
    constexpr std::size_t most = std::size_t{1} << 16;
    constexpr std::size_t taken = std::size_t{1} << 13;
    if (entries_.size() <= most) return entries_;
    std::vector<std::size_t> some = sample_places(entries_.size(), taken);
    some.insert(some.end(), off_.begin(),
                off_.begin() + static_cast<std::ptrdiff_t>(std::min(taken, off_.size())));
    std::ranges::sort(some);
    some.erase(std::unique(some.begin(), some.end()), some.end());
    return some;
  }
  /// Entries that are off by far more than the rest.
  const std::vector<std::size_t>& off() const { return off_; }
  /// Entry i less its root; no error where the largest number of fixed point stands for more.
  std::complex<double> error(std::size_t i) const {
    const std::complex<double> rest = table_.error(i);
    return format_.is_fixed() ? less_saturation(table_.entry(i), rest) : rest;
  }
  double error_ulp(std::size_t i) const { return larger_part(error(i)) / ulp(); }
  const Spread& own() const { return own_; }

  struct Likeness {
    Named source;
    std::size_t equal = 0;         ///< entries
    std::size_t compared = 0;      ///< of so many
    std::size_t erring = 0;        ///< entries that no format holds exactly
    std::size_t erring_equal = 0;  ///< of these
    Spread rest{};                 ///< the table less the source
    Spread source_error{};         ///< the source less the exact roots
  };
  /// Of the source's entries in `format`, for those that are compared. Empty where the source has
  /// no such order.
  std::optional<Likeness> likeness(const Named& source, const Format& format,
                                   const std::vector<std::size_t>& compared) const {
    const bool by_entry = table_name(source.name).order.has_value();
    std::vector<RootIndex> asked;
    std::vector<std::size_t> places;
    if (by_entry) {
      for (const std::size_t i : compared) asked.push_back(table_.made(i));
    } else {
      for (const std::size_t i : compared) places.push_back(places_[i]);
      std::ranges::sort(places);
      places.erase(std::unique(places.begin(), places.end()), places.end());
      for (const std::size_t place : places)
        asked.emplace_back(roots_[place].second, roots_[place].first);
    }
    ComplexArray<double> roots(asked.size());
    try {
      table_source(source.name).fill(asked, format, roots.re.data(), roots.im.data());
    } catch (const InputError&) {
      return {};
    }
    Likeness like{.source = source, .compared = compared.size()};
    std::vector<std::complex<double>> rest(compared.size()), errors(compared.size());
    for (std::size_t c = 0; c < compared.size(); ++c) {
      const std::size_t i = compared[c];
      const std::size_t at =
          by_entry ? c
                   : static_cast<std::size_t>(std::ranges::lower_bound(places, places_[i]) -
                                              places.begin());
      const std::complex<double> own = error(i);
      rest[c] = table_.present(table_.entry(i) -
                               std::complex<double>{roots.re[at], table_.made_conjugate(i)
                                                                      ? -roots.im[at]
                                                                      : roots.im[at]});
      if (format_.is_fixed()) rest[c] = less_saturation(table_.entry(i), rest[c]);
      errors[c] = own - rest[c];
      const bool equal = larger_part(rest[c]) == 0;
      like.equal += equal;
      like.erring += larger_part(own) > 0;
      like.erring_equal += equal && larger_part(own) > 0;
    }
    like.rest = spread(std::move(rest), ulp());
    like.source_error = spread(std::move(errors), ulp());
    return like;
  }

  /// How a source accounts for the table's errors, if it does.
  enum class Account { equal, within_ulp, mostly_equal, remains, none };
  Account account_of(const Likeness& like) const {
    constexpr double far_smaller = 8;
    if (like.equal == like.compared) return Account::equal;
    if (like.rest.largest <= held_ulp()) return Account::within_ulp;
    if (4 * like.erring_equal >= 3 * like.erring && like.erring > 0) return Account::mostly_equal;
    return like.rest.most_rms * far_smaller <= own_.most_rms ? Account::remains : Account::none;
  }

 private:
  /// value less something, 0 in a part that is the largest number for something larger.
  std::complex<double> less_saturation(std::complex<double> value,
                                       std::complex<double> rest) const {
    const double largest = max_finite(format_);
    const auto part = [&](double x, double difference) {
      const bool saturated = std::abs(x) == largest && std::abs(x - difference) > largest;
      return saturated ? 0 : difference;
    };
    return {part(value.real(), rest.real()), part(value.imag(), rest.imag())};
  }

  const FileTable& table_;
  Format format_;
  HeldFormat held_;
  std::vector<std::size_t> entries_, places_;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> roots_{};  ///< order, exponent; each once
  std::vector<std::size_t> off_{};
  std::size_t erring_ = 0;
  Spread own_{};
};

bool has_rows(const FileTable& table) { return table.layout().extents.size() == 2; }

/// Row and column of entry i of a matrix, its place in a vector.
std::vector<std::string> place_of(const FileTable& table, std::size_t i) {
  if (!has_rows(table)) return {std::to_string(i)};
  const std::size_t columns = table.layout().extents[1];
  return {std::to_string(i / columns), std::to_string(i % columns)};
}

/// Of the angle of entry i, not reduced.
double turns_of(const FileTable& table, std::size_t i) {
  const RootIndex root = table.root(i);
  return static_cast<double>(root.exponent()) / static_cast<double>(root.order);
}

/// How far moduli are from 1, in ulp: rms without the 1 % of entries that are off most.
double modulus_error(const FileTable& table, const TableJudge& judge,
                     const std::vector<std::size_t>& entries) {
  std::vector<std::complex<double>> errors;
  for (const std::size_t i : entries) errors.emplace_back(std::abs(table.entry(i)) - 1);
  return spread(std::move(errors), judge.ulp()).most_rms;
}

/// A text about moduli that drift, as in tables whose entries are products of earlier ones.
std::string drift_text(const FileTable& table, const TableJudge& judge, double most) {
  if (table.parts() != FileTable::Parts::both) return "";
  std::vector<std::size_t> low, high;
  double least = 1;
  double largest = 1;
  for (const std::size_t i : judge.entries()) {
    const double turns = turns_of(table, i);
    if (turns < most / 4) low.push_back(i);
    if (turns >= most - most / 4) high.push_back(i);
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
  double most = 0;
  for (const std::size_t i : judge.entries()) most = std::max(most, turns_of(table, i));
  const std::string drift = drift_text(table, judge, most);
  if (most < 1 || !may_be_angles || table.parts() != FileTable::Parts::both) return drift;
  std::vector<std::size_t> far;
  std::vector<std::complex<double>> near_errors, far_errors;
  for (const std::size_t i : judge.entries()) {
    const double turns = turns_of(table, i);
    if (turns < 1) near_errors.push_back(judge.error(i));
    if (turns < most / 2) continue;
    far.push_back(i);
    far_errors.push_back(judge.error(i));
  }
  const Spread near = spread(std::move(near_errors), judge.ulp());
  const Spread rest = spread(std::move(far_errors), judge.ulp());
  if (!(rest.rms > 8 * std::max(near.rms, 0.3))) return drift;
  if (modulus_error(table, judge, far) > rest.most_rms / 4) return drift;
  const bool squares = table.shape() == FileTable::Shape::chirp;
  const bool is_matrix = table.shape() == FileTable::Shape::matrix;
  return drift + fmt::format(
                     "Errors grow with {}: rms {} ulp in the first turn, {} ulp in the upper half "
                     "of all angles.\nAngles that are not reduced err like this: take {} before "
                     "the angle is formed.\n",
                     squares           ? "j^2"
                     : has_rows(table) ? "k j"
                                       : "the exponent",
                     short_number(near.rms), short_number(rest.rms),
                     squares     ? fmt::format("j^2 mod {}", table.order())
                     : is_matrix ? "k j mod n"
                                 : fmt::format("the exponent mod {}", table.order()));
}

/// "A", "A and B", "A, B and 3 more".
std::string few_of(const std::vector<std::string>& names) {
  constexpr std::size_t most = 3;
  std::string text = names.front();
  for (std::size_t i = 1; i < std::min(most, names.size()); ++i)
    text += (i + 1 == names.size() ? " and " : ", ") + names[i];
  return names.size() > most ? fmt::format("{} and {} more", text, names.size() - most) : text;
}

/// What entry i is in place of its root, and a word for all that err alike.
struct Mistake {
  std::string kind{};
  std::string says{};  ///< empty: not known
};

/// "W_64^3".
std::string root_name(std::uint64_t exponent, std::uint64_t order) {
  return fmt::format("W_{}^{}", order, exponent);
}

/// Of an entry that is off by far.
Mistake mistake_of(const FileTable& table, const TableJudge& judge, std::size_t i) {
  if (table.parts() != FileTable::Parts::both) return {};
  const std::complex<double> value = table.entry(i);
  const std::complex<double> exact = value - table.error(i);
  const double near = 2 * judge.held_ulp() * judge.ulp();
  const auto is = [&](std::complex<double> other) { return std::abs(value - other) <= near; };
  if (value == 0.0) return {"0", "0"};
  const std::uint64_t order = table.order();
  const std::uint64_t exponent = table.layout().exponent(table.made(i));
  const double spacing = 2 * std::numbers::pi / static_cast<double>(order);
  // Which root it is, where roots are farther apart than what rounding does.
  const double turn = -std::arg(value) / (2 * std::numbers::pi);
  const auto nearest =
      static_cast<std::uint64_t>(std::llround((turn + 1) * static_cast<double>(order))) % order;
  const bool is_root = std::abs(std::abs(value) - 1) <= near;
  const auto ahead = static_cast<std::int64_t>((nearest + order - exponent) % order);
  const std::int64_t steps = 2 * ahead > static_cast<std::int64_t>(order)
                                 ? ahead - static_cast<std::int64_t>(order)
                                 : ahead;
  const std::string way =
      fmt::format("{} {} {}", std::abs(steps), std::abs(steps) == 1 ? "step" : "steps",
                  steps > 0 ? "further" : "back");
  const truth::ComplexDoubleDouble found = table.exact(nearest);
  const bool is_other = spacing > 4 * near && is({found.re.hi, found.im.hi}) && steps != 0;
  const std::string other =
      root_name(nearest, order) + ", should be " + root_name(exponent, order) + ": " + way;
  const auto copied = [&]() -> std::string {
    const std::size_t row = has_rows(table) ? table.layout().extents[1] : table.size();
    for (const std::size_t step : {std::size_t{1}, row})
      for (const std::size_t j : {i - step, i + step}) {
        if (j >= table.size() || table.entry(j) != value) continue;
        return fmt::format("equal to entry {}",
                           has_rows(table)
                               ? fmt::format("({})", fmt::join(place_of(table, j), ", "))
                               : std::to_string(j));
      }
    return "";
  };
  constexpr std::int64_t few = 2;
  if (is_other && std::abs(steps) <= few) {
    const std::string copy = copied();
    return {way, copy.empty() ? other : other + ", " + copy};
  }
  const std::pair<const char*, std::complex<double>> changes[] = {
      {"the conjugate", std::conj(exact)},          {"negated", -exact},
      {"the negated conjugate", -std::conj(exact)}, {"(im, re)", {exact.imag(), exact.real()}},
      {"(-im, re)", {-exact.imag(), exact.real()}}, {"(im, -re)", {exact.imag(), -exact.real()}},
  };
  for (const auto& [name, changed] : changes)
    if (is(changed)) return {name, fmt::format("{} of {}", name, root_name(exponent, order))};
  if (const std::string copy = copied(); !copy.empty()) return {"a neighbour", copy};
  if (is_other) return {way, other};
  if (is_root && steps != 0)
    return {"another angle",
            fmt::format("about {}, should be {}: {}, give or take {}", root_name(nearest, order),
                        root_name(exponent, order), way, short_number(std::ceil(near / spacing)))};
  const std::complex<double> factor = value / exact;
  if (std::abs(factor.imag()) <= near && std::abs(factor.real() - 1) > near)
    return {"a factor",
            fmt::format("{} times {}", short_number(factor.real(), 5), root_name(exponent, order))};
  for (const auto& [name, x, y] :
       {std::tuple("re", value.real() - exact.real(), value.imag() - exact.imag()),
        std::tuple("im", value.imag() - exact.imag(), value.real() - exact.real())})
    if (std::abs(y) <= near)
      return {
          std::string(name) + " alone is off",
          fmt::format("off in {} alone, by {} ulp of {}", name,
                      short_number(x / (judge.held_ulp() * judge.ulp())), to_string(judge.held()))};
  return {};
}

/// Which entries are off by far, and what they have in common.
std::string off_text(const FileTable& table, const TableJudge& judge) {
  const std::vector<std::size_t>& off = judge.off();
  if (off.empty()) return "";
  const auto place = [&](std::size_t i) {
    return has_rows(table) ? fmt::format("({})", fmt::join(place_of(table, i), ", "))
                           : std::to_string(i);
  };
  if (off.size() == 1) {
    const Mistake mistake = mistake_of(table, judge, off.front());
    return fmt::format("Entry {} alone is off by far more than the others{}.\n", place(off.front()),
                       mistake.says.empty() ? "" : ": it is " + mistake.says);
  }
  std::string where = attribution::pattern_of(off, table.size());
  if (has_rows(table)) {
    const std::size_t columns = table.layout().extents[1];
    const auto share = [&](auto index) {
      return std::ranges::all_of(off,
                                 [&](std::size_t i) { return index(i) == index(off.front()); });
    };
    std::vector<std::string> places;
    for (const std::size_t i : off) places.push_back(place(i));
    if (share([&](std::size_t i) { return i / columns; }))
      where = fmt::format("all in row k = {}", off.front() / columns);
    else if (share([&](std::size_t i) { return i % columns; }))
      where = fmt::format("all in column j = {}", off.front() % columns);
    else if (off.size() > 2 && off.back() - off.front() + 1 == off.size())
      where = place(off.front()) + " to " + place(off.back()) + ", row by row";
    else
      where = few_of(places);
  }
  std::map<std::string, std::size_t> kinds;
  for (const std::size_t i : off) ++kinds[mistake_of(table, judge, i).kind];
  const auto usual =
      std::ranges::max_element(kinds, {}, [](const auto& each) { return each.second; });
  const bool is_known = !usual->first.empty() && 4 * usual->second >= 3 * off.size();
  return fmt::format("{} entries are off by far more than the others: {}{}.\n", off.size(), where,
                     !is_known ? ""
                     : usual->second == off.size()
                         ? "; all: " + usual->first
                         : fmt::format("; {} of them: {}", usual->second, usual->first));
}

/// A text about roundings that all go one way.
std::string direction_text(const FileTable& table, const TableJudge& judge) {
  constexpr std::size_t least = 16;
  std::size_t parts = 0, towards_zero = 0, down = 0, beyond_half = 0;
  const double ulp = judge.held_ulp() * judge.ulp();
  for (const std::size_t i : judge.entries()) {
    const std::complex<double> error = judge.error(i);
    // The file's own sign tells up from down.
    const std::complex<double> value = table.entry(i);
    for (const auto& [x, rest, sign] :
         {std::tuple(value.real(), error.real(), 1),
          std::tuple(value.imag(), error.imag(), table.conjugated() ? -1 : 1)}) {
      if (std::abs(rest) <= 0x1p-60 || std::abs(rest) >= 1.01 * ulp) continue;
      ++parts;
      towards_zero += (x - rest) * rest < 0;
      down += sign * rest < 0;
      beyond_half += std::abs(rest) > ulp / 2;
    }
  }
  if (parts < least || 8 * beyond_half < parts) return "";
  const std::string of = to_string(judge.held());
  if (100 * towards_zero >= 99 * parts)
    return fmt::format("Parts are cut toward zero to {}, not rounded to nearest.\n", of);
  if (100 * down >= 99 * parts)
    return fmt::format("Parts are rounded down to {}, not to nearest.\n", of);
  return "";
}

/// A text about errors that are one factor of all entries, one angle, or an angle in proportion.
std::string trend_text(const FileTable& table, const TableJudge& judge) {
  if (table.parts() != FileTable::Parts::both || table.square() != FileTable::Square::exact ||
      table.shape() == FileTable::Shape::nearest)
    return "";
  std::vector<std::complex<double>> ratios;
  std::vector<double> turns;
  auto off = judge.off().begin();
  for (const std::size_t i : judge.entries()) {
    if (off != judge.off().end() && *off == i) {
      ++off;
      continue;
    }
    const std::complex<double> exact = table.entry(i) - table.error(i);
    ratios.push_back(judge.error(i) * std::conj(exact));
    turns.push_back(turns_of(table, i));
  }
  const auto count = static_cast<double>(ratios.size());
  constexpr double least = 8;
  if (count < least) return "";
  double factor = 0, angle = 0, slope = 0, squares = 0, all = 0;
  for (std::size_t i = 0; i < ratios.size(); ++i) {
    factor += ratios[i].real() / count;
    angle += ratios[i].imag() / count;
    slope += ratios[i].imag() * turns[i];
    squares += turns[i] * turns[i];
    all += std::norm(ratios[i]);
  }
  slope /= std::max(squares, std::numeric_limits<double>::min());
  const auto left = [&](auto model) {
    double sum = 0;
    for (std::size_t i = 0; i < ratios.size(); ++i) sum += std::norm(ratios[i] - model(i));
    return std::sqrt(sum / all);
  };
  const double usual = std::sqrt(all / count);
  const double ulp = judge.held_ulp() * judge.ulp();
  if (!(usual > ulp)) return "";
  // What is left may be roundings, which have 0.41 ulp, rms, of both parts.
  constexpr double rounding_ulp = 0.45;
  const double explained = std::max(0.4, rounding_ulp * ulp / usual);
  using std::complex;
  if (left([&](std::size_t) { return complex<double>(factor, 0); }) <= explained)
    return fmt::format("All entries carry one factor, {:.9g}{}.\n", 1 + factor,
                       judge.format().is_fixed() &&
                               std::abs(1 + factor - max_finite(judge.format())) < judge.ulp() / 4
                           ? fmt::format(": about the largest number of {}, which stands for 1",
                                         to_string(judge.format()))
                           : "");
  if (left([&](std::size_t i) { return complex<double>(0, slope * turns[i]); }) <= explained) {
    const double relative = -slope / (2 * std::numbers::pi);
    return fmt::format(
        "Angles are off in proportion: by the factor 1 {} {}, as with pi = {:.9g}.\n",
        relative < 0 ? "-" : "+", short_number(std::abs(relative)),
        std::numbers::pi * (1 + relative));
  }
  if (left([&](std::size_t) { return complex<double>(0, angle); }) <= explained)
    return fmt::format(
        "All angles are off by {} radian, {} steps {} on the circle.\n",
        short_number(std::abs(angle)),
        short_number(std::abs(angle) * static_cast<double>(table.order()) / (2 * std::numbers::pi)),
        angle < 0 ? "further" : "back");
  return "";
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
  const bool two_indices = table.root(0).two && table.square() == FileTable::Square::exact;
  std::vector<Alike> all;
  const std::vector<std::size_t> compared = judge.spread_entries();
  const auto add = [&](const Named& source) {
    auto like = judge.likeness(source, judge.held(), compared);
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
    // Recurrences make whole circles, which take long for a small part of a large one.
    constexpr std::uint64_t short_circle = std::uint64_t{1} << 18;
    const bool recurs = source.name.starts_with("recurrence");
    if (recurs && table.order() > std::max<std::uint64_t>(short_circle, 8 * table.size())) continue;
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
                            nearest.like.equal, nearest.like.compared, rounded);
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
  const std::string compared =
      nearest.like.compared == judge.entries().size()
          ? ""
          : fmt::format("Sources, in {} entries spread over the table:\n", nearest.like.compared);
  std::string text = compared + text::terminal_table({cells, 1}) +
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
        fmt::format("All {}entries are numbers of {}: the precision of {}, in {}.\n",
                    judge.not_held() > 0 ? fmt::format("but {} ", judge.not_held()) : "",
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
  using Shape = FileTable::Shape;
  constexpr std::uint64_t longest = 8192;  // of n^2 products
  // A chirp needs twiddles besides, the twiddles of a four-step FFT smaller tables.
  if (table.shape() == Shape::chirp || table.shape() == Shape::product ||
      table.shape() == Shape::nearest)
    return "";
  const auto takes = [&](const char* name) {
    return algorithm_named(name).model.unsupported(table.order()).empty();
  };
  const bool matrix = table.shape() == Shape::matrix;
  if (!matrix && takes("radix2-dit")) return "radix2-dit";
  if (!matrix && takes("mixed-radix")) return "mixed-radix";
  return table.order() > longest ? "" : matrix ? "dft-gemm" : "direct";
}

/// A transform with this table and with exact ones.
std::string cost_text(const FileTable& table, const std::string& name, Context& context) {
  const std::string algorithm = algorithm_for(table);
  if (algorithm.empty()) return "";
  constexpr const char* not_measured = "Its effect on a transform is not measured";
  if (table.conjugated() || table.swapped())
    return fmt::format("{}, since a case takes {}.\n", not_measured,
                       table.swapped() ? "parts in the order (re, im)" : "angles of the sign -");
  if (table.parts() != FileTable::Parts::both)
    return fmt::format("{}, since a case takes both parts.\n", not_measured);
  if (table.shape() == FileTable::Shape::part && table.size() < table.order() / 2)
    return fmt::format("{}, since {} reads half the circle.\n", not_measured, algorithm);
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
    if (row.status == Status::skipped)
      return fmt::format("{}: {}.\n", not_measured, printable(row.message));
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
  std::string csv = has_rows(table) ? "k,j," : "j,";
  csv += "re,im,exact_re,exact_im,error,error_ulp\n";
  for (const std::size_t i : judge.entries()) {
    const std::complex<double> value = table.entry(i);
    const std::complex<double> error = judge.error(i);
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
    if (has_rows(table) || *axis == 'j') names.insert(names.begin(), axis);
  std::vector<std::string> mistakes(count);
  for (std::size_t i = 0; i < count; ++i)
    if (std::ranges::binary_search(judge.off(), worst[i]))
      mistakes[i] = mistake_of(table, judge, worst[i]).says;
  const bool some_known =
      std::ranges::any_of(mistakes, [](const auto& says) { return !says.empty(); });
  if (some_known) names.push_back("it is");
  std::vector<text::TextCells> cells{names};
  const int digits = table.format() == fp64 ? 17 : 9;
  const auto complex_text = [digits](std::complex<double> z) {
    return fmt::format("{0:.{2}g}{1:+.{2}g}i", z.real(), z.imag(), digits);
  };
  for (auto i = worst.begin(); i != end; ++i) {
    const std::complex<double> value = table.entry(*i);
    const std::complex<double> error = judge.error(*i);
    text::TextCells line = place_of(table, *i);
    for (const std::string& cell :
         {complex_text(value), complex_text(value - error), text::error_text(std::abs(error)),
          short_number(judge.error_ulp(*i))})
      line.push_back(cell);
    if (some_known) line.push_back(mistakes[static_cast<std::size_t>(i - worst.begin())]);
    cells.push_back(line);
  }
  return text::terminal_table({cells, 0});
}

/// Whether the file holds words of fixed point.
bool holds_words(const TablesArguments& arguments) {
  if (!arguments.words.format.empty() || !arguments.words.layout.empty() ||
      is_word_file(arguments.file))
    return true;
  if (arguments.format.empty() || !format_named(arguments.format, read_list).is_fixed())
    return false;
  const std::string bytes = read_file(arguments.file);
  return is_npy(bytes) && is_integer_npy(bytes, arguments.file);
}

/// "file:PATH?hash=..." with the keys of words.
std::string table_file_name(const TablesArguments& arguments) {
  std::string name = file_input_name(arguments.file);
  if (holds_words(arguments)) {
    NamedWords words = arguments.words;
    if (words.format.empty()) words.format = arguments.format;
    const auto form = word_form_named(words);
    require(form.has_value(), arguments.file,
            ": holds words of fixed point: name their format, as in --words q1.15");
    name += "?" + word_keys(*form);
  }
  if (!arguments.dtype.empty()) name += "?dtype=" + arguments.dtype;
  return with_file_hash(name);
}

ExitCode judge_table(const TablesArguments& arguments, Context& context) {
  if (arguments.what != "error")
    throw unknown_name("question on tables", arguments.what, {"error"});
  check_outputs(arguments.csv, "");
  const std::string name = table_file_name(arguments);
  const FileTable table(std::string_view(name).substr(file_kind.size()), nullptr,
                        arguments.order == 0 ? std::nullopt : std::optional(arguments.order));
  const Format format =
      arguments.format.empty() ? table.format() : format_named(arguments.format, read_list);
  if (!format.is_fixed()) truth::require_table_format(format);
  const TableJudge judge(table, format);
  const Spread& own = judge.own();
  const bool good = own.largest <= arguments.max_ulp;
  const ExitCode code = good ? ExitCode::ok : ExitCode::gate_failed;
  if (arguments.csv == "-") {
    context.out << csv_of(table, judge);
    return code;
  }
  const auto exact = *judge.likeness({"exact", ""}, format, judge.entries());
  const std::vector<Alike> all = likenesses(table, judge);
  const auto line = [&](const char* title, const Spread& of) {
    return fmt::format("{:<20}largest {} ulp = {}, rms {} ulp = {}\n", title,
                       short_number(of.largest), text::error_text(of.largest * judge.ulp()),
                       short_number(of.rms), text::error_text(of.rms * judge.ulp()));
  };
  context.out << printable(table.path()) << ": " << table.text() << ", " << table.storage()
              << "\n\n"
              << line("error of a part", own) << line("correctly rounded", exact.source_error)
              << fmt::format(
                     "equal to that       {} of {}\n", exact.equal,
                     table.size() == 1 ? "1 entry" : std::to_string(table.size()) + " entries")
              << fmt::format("ulp: the step of {} below 1, {}; of an entry, its larger part's\n\n",
                             to_string(format), text::error_text(judge.ulp()))
              << worst_text(table, judge, arguments.limit) << '\n'
              << off_text(table, judge) << precision_text(table, judge)
              << direction_text(table, judge) << trend_text(table, judge)
              << likeness_text(judge, all)
              << growth_text(table, judge, may_be_angles(judge, all.front())) << '\n'
              << cost_text(table, name, context)
              << fmt::format("\n{}  largest error {} ulp, limit {}\n", good ? "pass" : "FAIL",
                             short_number(own.largest), exact_number(arguments.max_ulp));
  if (!arguments.csv.empty()) replace_file(arguments.csv, csv_of(table, judge));
  return code;
}

}  // namespace

void add_tables_command(CLI::App& app, Context& context) {
  Command command(
      app, "tables", "Check the table of another program",
      "Examples:\n"
      "  fftprec tables error w.npy                 twiddles, a chirp or a DFT matrix\n"
      "  fftprec tables error w.hex --format q1.15  words of fixed point\n"
      "  fftprec tables error dft.npy --max-ulp 0.5 --csv entries.csv\n"
      "  fftprec run -a algorithm=dft-gemm -a n=1024 -a tables=file:dft.npy,exact\n"
      "The values tell the layout: a circle or a part of it, with any order, stride and "
      "offset, or\nbit-reversed; a chirp; a DFT matrix; n1 x n2 twiddles of a four-step "
      "FFT; the stages of an FFT\none after the other. Real numbers are (re, im) in "
      "pairs or halves, or cosines or sines alone.\n"
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
  command
      .add("--order N", arguments->order,
           "Judge each entry by the nearest root of order N,\nwhatever the order of entries is")
      .range(std::uint64_t{1}, std::uint64_t{1} << 40);
  add_words(command, arguments->words);
  command.add("--dtype DTYPE", arguments->dtype, "Type of an array of plain bytes: bfloat16, ...");
  command.add("--csv FILE|-", arguments->csv, "Every entry, or - in place of the text");
  command.run(context, [arguments, &context] { return judge_table(*arguments, context); });
}

}  // namespace fftprec::commands
