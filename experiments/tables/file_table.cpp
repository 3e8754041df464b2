#include "experiments/tables/file_table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "arith/formats/round.hpp"
#include "arith/support/error.hpp"
#include "experiments/files/file_values.hpp"

namespace fftprec {

namespace {

using LayoutShape = TableLayout::Shape;
using Parts = FileTable::Parts;

/// Largest distance from a root. An unrelated value has a distance of about 1.
constexpr double near_a_root = 0.25;

/// How the numbers of an array are parts of entries.
struct Packing {
  std::string name{};                ///< after the type of the numbers
  std::vector<std::size_t> shape{};  ///< of the array of entries
  Parts parts = Parts::both;
  double price = 0;
  /// Of parts along an axis: entries along it, and numbers from one index of it to the next.
  std::size_t along = 0;
  std::size_t inner = 1;
  bool pairs = false;

  std::complex<double> entry(const Samples& samples, std::size_t i) const {
    const ComplexArray<double>& values = samples.values;
    if (parts == Parts::cosines) return values.re[i];
    if (parts == Parts::sines) return {0, values.re[i]};
    if (along == 0) return {values.re[i], values.im[i]};
    const std::size_t at = i / inner % along;
    const std::size_t line = i / inner / along;
    const std::size_t re = (2 * along * line + (pairs ? 2 * at : at)) * inner + i % inner;
    return {values.re[re], values.re[re + (pairs ? 1 : along) * inner]};
  }
};

bool is_complex(const Samples& samples) {
  return samples.dtype.starts_with('c') ||
         std::ranges::any_of(samples.values.im, [](double im) { return im != 0; });
}

std::vector<Packing> packings_of(const Samples& samples) {
  const std::vector<std::size_t>& shape = samples.shape;
  if (is_complex(samples)) return {{.shape = shape}};
  std::vector<Packing> all;
  const auto add = [&](std::size_t axis, bool pairs) {
    if (shape[axis] % 2 != 0) return;
    std::vector<std::size_t> of_entries = shape;
    of_entries[axis] /= 2;
    std::size_t inner = 1;
    for (std::size_t i = axis + 1; i < shape.size(); ++i) inner *= shape[i];
    all.push_back(
        {.name = pairs ? ", pairs (re, im)" : ", all real parts, then all imaginary parts",
         .shape = std::move(of_entries),
         .along = shape[axis] / 2,
         .inner = inner,
         .pairs = pairs});
  };
  const std::size_t last = shape.size() - 1;
  add(last, true);
  if (shape[0] > 2 || last > 0) add(0, false);
  if (last > 0 && shape[last] > 2) add(last, false);
  constexpr std::size_t least_of_one_part = 8;
  if (samples.values.size() < least_of_one_part) return all;
  all.push_back({.name = ", cosines alone", .shape = shape, .parts = Parts::cosines, .price = 4.5});
  all.push_back({.name = ", sines alone", .shape = shape, .parts = Parts::sines, .price = 4.5});
  return all;
}

/// The sign of the angles and the order of the parts.
struct Reading {
  bool conjugated;
  bool swapped;
  double price;

  std::complex<double> operator()(std::complex<double> stored) const {
    const double re = swapped ? stored.imag() : stored.real();
    const double im = swapped ? stored.real() : stored.imag();
    return {re, conjugated ? 0 - im : im};
  }
};
constexpr Reading readings[] = {
    {false, false, 0}, {true, false, 0.5}, {false, true, 3}, {true, true, 3.5}};

/// All that is decided about a table.
struct Choice {
  const Packing* packing;
  Reading reading;
  TableLayout layout;
  double bits;  ///< log2 of the mean distance, with the prices; the least is best
};

double price_of(const Choice& choice) {
  return choice.layout.price + choice.packing->price + choice.reading.price;
}

/// Twice the ulp of the narrowest usual format that holds nine of ten parts.
double rounding_noise(const Samples& samples) {
  constexpr double of_fp64 = 0x1p-49;  // that of root_in_fp64, too
  if (samples.format.is_fixed()) return 2 * power_of_two(quantum_exponent(samples.format));
  constexpr std::size_t taken = 512;
  const auto places = sample_places(samples.values.size(), taken);
  for (const Format& format : {bf16, fp16, fp32}) {
    if (format.precision >= samples.format.precision) break;
    const auto holds = [&](double part) { return round(part, format, Rounding::rne) == part; };
    const auto held = std::ranges::count_if(places, [&](std::size_t i) {
      return holds(samples.values.re[i]) && holds(samples.values.im[i]);
    });
    if (10 * static_cast<std::size_t>(held) >= 9 * places.size()) return 2 * unit_roundoff(format);
  }
  return std::max(2 * unit_roundoff(samples.format), of_fp64);
}

/// The distances of entries from the roots of a layout.
class Fit {
 public:
  Fit(const Samples& samples, double noise)
      : samples_(samples),
        floor_(noise / 4),
        price_scale_(std::min(1.0, -std::log2(noise) / bits_of_prices)) {}

  double distance(const Choice& choice, std::size_t i) const {
    std::complex<double> value = choice.reading(choice.packing->entry(samples_, i));
    if (choice.layout.made_conjugate(i)) value = std::conj(value);
    const RootIndex root = choice.layout.made(i);
    const std::complex<double> rest = value - root_in_fp64(root.exponent(), root.order);
    if (choice.packing->parts == Parts::cosines) return std::abs(rest.real());
    if (choice.packing->parts == Parts::sines) return std::abs(rest.imag());
    return std::abs(rest);
  }

  double bits(const Choice& choice, const std::vector<std::size_t>& places) const {
    double sum = 0;
    for (const std::size_t i : places)
      sum += std::log2(std::clamp(distance(choice, i), floor_, 2.0));
    return sum / static_cast<double>(places.size()) + scaled_price(choice);
  }

  double scaled_price(const Choice& choice) const { return price_scale_ * price_of(choice); }

  /// The number of entries that are far from their roots, and the first.
  std::pair<std::size_t, std::size_t> far(const Choice& choice, std::size_t size) const {
    std::size_t count = 0;
    std::size_t first = 0;
    for (std::size_t i = size; i-- > 0;)
      if (!(distance(choice, i) <= near_a_root)) {
        ++count;
        first = i;
      }
    return {count, first};
  }

 private:
  /// Prices are for entries with so many correct bits; those with fewer pay in proportion.
  static constexpr double bits_of_prices = 24;

  const Samples& samples_;
  double floor_;  ///< half an ulp
  double price_scale_;
};

constexpr const char* known_layouts =
    "known: a circle, its first half, quarter or eighth, m entries of any order, stride and "
    "offset, "
    "bit-reversed; a chirp; a DFT matrix; n1 x n2 twiddles of a four-step FFT; the stages of an "
    "FFT "
    "one after the other; also with the sign +, with parts exchanged, and as real numbers: (re, "
    "im) "
    "in pairs or halves, cosines or sines alone";

std::string dtype_text(const Samples& samples) {
  const std::string& dtype = samples.dtype;
  if (dtype == "c8") return "complex64";
  if (dtype == "c16") return "complex128";
  if (dtype.size() == 2 && dtype[0] == 'f') return "float" + std::to_string(8 * (dtype[1] - '0'));
  return dtype;
}

}  // namespace

FileTable::FileTable(std::string_view locator, FileMemory* memory,
                     std::optional<std::uint64_t> nearest_of) {
  NamedSamples file = file_array(locator, memory);
  path_ = std::move(file.path);
  samples_ = std::move(file.samples);
  require(!samples_->dtype.empty(), path_, ": is a recording; a table is an array or words");
  require(!samples_->shape.empty(), path_,
          ": has shape (); a table is an array with at least one axis");
  recognise(nearest_of);
  for (std::size_t i = 0; i < size(); ++i)
    largest_error_ = std::max(largest_error_, std::abs(error(i)));
  largest_error_ = largest_error_ * (1 + 0x1p-50) + 0x1p-100;
  if (shape() == LayoutShape::listed || shape() == LayoutShape::nearest) index_roots();
}

void FileTable::recognise(std::optional<std::uint64_t> nearest_of) {
  const Samples& samples = *samples_;
  const ComplexArray<double>& values = samples.values;
  // Nine of ten equal entries fit many layouts.
  for (const std::size_t usual : {std::size_t{0}, values.size() / 2}) {
    std::size_t equal = 0;
    for (std::size_t i = 0; i < values.size(); ++i)
      equal += values.re[i] == values.re[usual] && values.im[i] == values.im[usual];
    require(values.size() == 1 || 10 * equal < 9 * values.size(), path_,
            ": is no table of roots of unity: ", std::to_string(equal), " of ",
            std::to_string(values.size()), " numbers are equal");
  }

  constexpr std::size_t sampled = 512;
  const double noise = rounding_noise(samples);
  const Fit fit(samples, noise);
  const std::vector<Packing> packings = packings_of(samples);
  const auto entries_of = [&](const Packing& packing, const Reading& reading) {
    return TableEntries{
        packing.shape,
        [&packing, &samples, reading](std::size_t i) { return reading(packing.entry(samples, i)); },
        noise};
  };
  std::vector<Choice> choices;
  for (const Packing& packing : packings) {
    const std::size_t size = entries_of(packing, readings[0]).size();
    const auto places = sample_places(size, sampled);
    const auto consider = [&](const Reading& reading, TableLayout layout) {
      Choice choice{&packing, reading, std::move(layout), 0};
      choice.bits = fit.bits(choice, places);
      choices.push_back(std::move(choice));
    };
    const std::vector<TableLayout> layouts =
        nearest_of ? std::vector<TableLayout>{} : layouts_of(packing.shape);
    for (const Reading& reading : readings) {
      const bool both = packing.parts == Parts::both;
      if (!both && (reading.swapped || (reading.conjugated && packing.parts == Parts::cosines)))
        continue;
      for (const TableLayout& layout : layouts) consider(reading, layout);
      if (!both) continue;
      if (nearest_of && !reading.conjugated && !reading.swapped)
        consider(reading, nearest_layout(entries_of(packing, reading), *nearest_of));
      if (!nearest_of)
        for (TableLayout& layout : fitted_layouts(entries_of(packing, reading)))
          consider(reading, std::move(layout));
    }
  }
  require(!choices.empty(), path_, ": holds ", std::to_string(values.size()),
          " real numbers, which are no pairs; ", known_layouts);
  // What is nearly as good by a part of the entries is compared by all.
  std::ranges::stable_sort(choices, {}, &Choice::bits);
  constexpr double nearly = 1;
  const std::size_t all = values.size();
  std::size_t close = 1;
  while (all > sampled && close < choices.size() &&
         choices[close].bits <= choices.front().bits + nearly)
    ++close;
  for (std::size_t i = 0; close > 1 && i < close; ++i) {
    const std::size_t size = entries_of(*choices[i].packing, readings[0]).size();
    choices[i].bits = fit.bits(choices[i], sample_places(size, size));
  }
  std::stable_sort(choices.begin(), choices.begin() + static_cast<std::ptrdiff_t>(close),
                   [](const Choice& a, const Choice& b) { return a.bits < b.bits; });

  // An unlikely layout has to fit well; one that is likely may be a table with large errors.
  constexpr double unlikely = 2;
  constexpr double fits_well = -4;
  const auto accepted = [&](const Choice& choice) {
    const std::size_t size = entries_of(*choice.packing, readings[0]).size();
    if (nearest_of) return true;
    const double fitted = choice.bits - fit.scaled_price(choice);
    if (choice.layout.tight && fitted > std::log2(noise / 2)) return false;
    return (price_of(choice) < unlikely || fitted <= fits_well) &&
           2 * fit.far(choice, size).first < size;
  };
  const auto fitting = std::ranges::find_if(choices, accepted);
  std::optional<Choice> chosen;
  if (fitting != choices.end()) chosen = std::move(*fitting);
  if (!chosen) {
    for (const Packing& packing : packings) {
      if (packing.parts != Parts::both || nearest_of) continue;
      const TableEntries entries = entries_of(packing, readings[0]);
      const auto order = nearest_order(entries);
      if (!order) continue;
      chosen = {&packing, readings[0], nearest_layout(entries, *order), 0};
      break;
    }
  }
  if (!chosen) {
    const Choice& best = choices.front();
    const std::size_t size = entries_of(*best.packing, readings[0]).size();
    const auto [count, first] = fit.far(best, size);
    throw InputError(fmt::format(
        "{}: is no table of roots of unity: {} of {} entries, first entry {}, are more than 1/4 "
        "from "
        "the nearest kind of table, roots of order {}; {}. For another order of entries name N: "
        "--order N judges each by the nearest root of order N",
        path_, count, size, first, best.layout.order, known_layouts));
  }
  layout_ = std::move(chosen->layout);
  conjugated_ = chosen->reading.conjugated;
  swapped_ = chosen->reading.swapped;
  parts_ = chosen->packing->parts;
  storage_ = dtype_text(samples) + chosen->packing->name;
  if (swapped_) storage_ += ", exchanged: (im, re)";
  exact_ = std::make_shared<truth::PairRoots>(layout_.order);
  if (chosen->packing->along == 0 && parts_ == Parts::both) {
    values_ = {samples_, &samples_->values};
    return;
  }
  ComplexArray<double> unpacked(entries_of(*chosen->packing, readings[0]).size());
  for (std::size_t i = 0; i < unpacked.size(); ++i) {
    std::complex<double> value = chosen->packing->entry(samples, i);
    const truth::ComplexDoubleDouble root = exact(layout_.exponent(made(i)));
    const bool negated = conjugated_ != made_conjugate(i);
    if (parts_ == Parts::cosines) value.imag(negated ? -root.im.hi : root.im.hi);
    if (parts_ == Parts::sines) value.real(root.re.hi);
    unpacked.re[i] = value.real();
    unpacked.im[i] = value.imag();
  }
  values_ = std::make_shared<const ComplexArray<double>>(std::move(unpacked));
}

std::string FileTable::text() const {
  std::string text = layout_.text;
  const std::size_t sign = text.find("exp(-");
  if (conjugated_ && sign != text.npos) text[sign + 4] = '+';
  return text;
}

std::complex<double> FileTable::entry(std::size_t i) const {
  return Reading{conjugated_, swapped_, 0}({values_->re[i], values_->im[i]});
}

std::complex<double> FileTable::present(std::complex<double> z) const {
  return {parts_ == Parts::sines ? 0 : z.real(), parts_ == Parts::cosines ? 0 : z.imag()};
}

std::complex<double> FileTable::error(std::size_t i) const {
  const std::complex<double> value = entry(i);
  const truth::ComplexDoubleDouble root = exact(layout_.exponent(this->root(i)));
  return present(
      {(value.real() - root.re.hi) - root.re.lo, (value.imag() - root.im.hi) - root.im.lo});
}

/// A root of a lower order also counts as one of the whole order, unless that has its own: stages
/// whose twiddles come from recurrences have different ones.
void FileTable::index_roots() {
  const auto key = [&](std::size_t i) {
    return std::pair(root(i).order, root(i).exponent() % root(i).order);
  };
  for (std::size_t i = 0; i < size(); ++i) listed_.push_back({key(i), i});
  std::ranges::sort(listed_);
  auto all = listed_;
  for (std::size_t i = 0; i < size(); ++i) {
    const std::pair lifted(order(), layout_.exponent(root(i)));
    if (!std::ranges::binary_search(listed_, lifted, {},
                                    [](const auto& each) { return each.first; }))
      all.push_back({lifted, i});
  }
  std::ranges::sort(all);
  listed_ = std::move(all);
}

FileTable::Place FileTable::place(const RootIndex& root) const {
  const bool by_row = shape() == LayoutShape::matrix || shape() == LayoutShape::product;
  if (shape() == LayoutShape::chirp) {
    if (root.order == order() && root.row == root.column && root.row < size())
      return {root.row, false};
    throw NotApplicable(fmt::format(
        "{}: holds only the chirp of n = {}; the case needs another root", path_, size()));
  }
  if (by_row) {
    const std::size_t rows = layout_.extents[0];
    const std::size_t columns = layout_.extents[1];
    if (root.two && root.order == order()) {
      if (root.row < rows && root.column < columns)
        return {root.row * columns + root.column, false};
      if (rows != columns && root.column < rows && root.row < columns)
        return {root.column * columns + root.row, false};
    }
    const std::string matrix =
        shape() == LayoutShape::matrix ? "the DFT matrix" : "row times column";
    const std::string order_text = " of order " + std::to_string(root.order);
    throw NotApplicable(
        path_ + ": holds only " + matrix + " of order " + std::to_string(order()) + "; " +
        (root.two ? fmt::format("entry ({}, {}) of {}{}", root.row, root.column, matrix, order_text)
                  : "a root" + order_text + " without row and column") +
        " is asked for");
  }
  if (order() % root.order != 0)
    throw NotApplicable(path_ + ": holds roots of order " + std::to_string(order()) +
                        " and its divisors; one of order " + std::to_string(root.order) +
                        " is asked for");
  const std::uint64_t own = root.exponent() % root.order;
  const std::uint64_t exponent = own * (order() / root.order);
  const bool is_listed = !listed_.empty();
  const auto find = [&](std::uint64_t of, std::uint64_t e) -> std::optional<std::size_t> {
    if (!is_listed) return e < size() ? std::optional<std::size_t>(e) : std::nullopt;
    const auto found = std::ranges::lower_bound(listed_, std::pair(of, e), {},
                                                [](const auto& each) { return each.first; });
    if (found == listed_.end() || found->first != std::pair(of, e)) return {};
    return found->second;
  };
  if (is_listed)
    if (const auto at = find(root.order, own)) return {*at, false};
  if (const auto at = find(order(), exponent)) return {*at, false};
  // The other half of the circle has the opposite sign.
  if (order() % 2 == 0)
    if (const auto at = find(order(), (exponent + order() / 2) % order())) return {*at, true};
  throw NotApplicable(fmt::format("{}: lacks the root exp(-2 pi i {}/{}), which the case needs",
                                  path_, own, root.order));
}

void FileTable::fill(std::span<const RootIndex> roots, const Format& format, double* re,
                     double* im) const {
  if (parts_ != Parts::both)
    throw NotApplicable(path_ + ": holds " + (parts_ == Parts::cosines ? "cosines" : "sines") +
                        " alone; a case needs both");
  for (std::size_t i = 0; i < roots.size(); ++i) {
    const auto [at, negative] = place(roots[i]);
    const std::complex<double> stored = entry(at);
    const std::complex<double> value = negative ? -stored : stored;
    re[i] = round(value.real(), format, Rounding::rne) + 0.0;  // no zero of a table is negative
    im[i] = round(value.imag(), format, Rounding::rne) + 0.0;
  }
}

}  // namespace fftprec
