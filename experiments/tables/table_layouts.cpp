#include "experiments/tables/table_layouts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>
#include <numeric>
#include <set>
#include <utility>

namespace fftprec {

namespace {

using LayoutShape = TableLayout::Shape;
using Square = TableLayout::Square;
using Extents = std::vector<std::size_t>;
using Layouts = std::vector<TableLayout>;

/// j^2 in an integer of 32 bits, which wraps.
std::int64_t wrapped_square(std::uint64_t j, Square square) {
  const auto low = static_cast<std::uint32_t>(j * j);
  if (square == Square::uint32) return low;
  return static_cast<std::int32_t>(low);
}

/// The `digits` digits of i to the base 2^bits, in reverse.
std::size_t reversed(std::size_t i, int digits, int bits) {
  std::size_t result = 0;
  for (int digit = 0; digit < digits; ++digit, i >>= bits)
    result = result << bits | (i & ((std::size_t{1} << bits) - 1));
  return result;
}

int log2_of(std::size_t n) { return static_cast<int>(std::bit_width(n)) - 1; }

/// Entries 0 .. m-1 of a circle, and the chirp.
void add_vectors(Layouts& all, std::size_t m) {
  const std::uint64_t n = m;
  const auto exponents = [&](LayoutShape shape, std::uint64_t order, const std::string& part,
                             double price) {
    all.push_back({shape,
                   order,
                   fmt::format("{} twiddles, {}: entry j = exp(-2 pi i j/{})", m, part, order),
                   price,
                   {m},
                   [order](std::size_t i) {
                     return RootIndex{i, order};
                   }});
  };
  // Orders that are powers of 2 are likelier, so one entry more than such a part is, too.
  const bool one_more = m >= 5 && std::has_single_bit(m - 1);
  const double whole = one_more ? 1.5 : 0;
  const double one_after = one_more ? 0.5 : std::has_single_bit(m) ? 6 : 4;
  exponents(LayoutShape::circle, n, fmt::format("the full circle of order {}", n), whole);
  exponents(LayoutShape::half_circle, 2 * n,
            fmt::format("the first half of the circle of order {}", 2 * n), whole);
  const auto chirp = [&](Square square) {
    all.push_back({LayoutShape::chirp,
                   2 * n,
                   fmt::format("the chirp of n = {0}: entry j = exp(-pi i j^2/{0})", m),
                   1,
                   {m},
                   [n](std::size_t i) {
                     return RootIndex{i, i, 2 * n, AngleOrder::product};
                   },
                   square});
  };
  constexpr std::size_t longest_square = 46341;  // squares below 2^31
  chirp(Square::exact);
  if (m > longest_square) {
    chirp(Square::int32);
    chirp(Square::uint32);
  }
  struct Part {
    std::uint64_t of;
    const char* name;
  };
  for (const auto& [of, name] : {Part{4, "quarter"}, {8, "eighth"}, {16, "sixteenth"}})
    exponents(LayoutShape::part, of * n,
              fmt::format("the first {} of the circle of order {}", name, of * n), 4);
  if (m < 3) return;
  exponents(LayoutShape::part, n - 1,
            fmt::format("the full circle of order {} and its first entry again", n - 1), one_after);
  all.back().tight = !one_more;
  for (const auto& [of, name] : {Part{2, "half"}, {4, "quarter"}, {8, "eighth"}}) {
    exponents(LayoutShape::part, of * (n - 1),
              fmt::format("the first {} of the circle of order {} and the entry after it", name,
                          of * (n - 1)),
              one_after);
    all.back().tight = !one_more;
  }
  if (n % 3 == 0)
    exponents(LayoutShape::part, n / 3 * 4,
              fmt::format("the first three quarters of the circle of order {}", n / 3 * 4), 4);
  if (n % 7 == 0)
    exponents(LayoutShape::part, n / 7 * 8,
              fmt::format("the first seven eighths of the circle of order {}", n / 7 * 8), 4);
}

/// Parts of a circle with the digits of each place reversed.
void add_reversed_vectors(Layouts& all, std::size_t m) {
  for (const int bits : {1, 2}) {
    const int digits = log2_of(m) / bits;
    if (digits < 2 || m != std::size_t{1} << (digits * bits)) continue;
    for (const std::uint64_t of : {1U, 2U, 4U}) {
      const std::uint64_t order = of * m;
      const char* const part = of == 1   ? "the full"
                               : of == 2 ? "the first half of the"
                                         : "the first quarter of the";
      all.push_back(
          {LayoutShape::listed,
           order,
           fmt::format(
               "{} twiddles, {} circle of order {} in {}-reversed order: entry j = exp(-2 pi i "
               "r(j)/{}), r(j) = j with its {} digits to base {} reversed",
               m, part, order, bits == 1 ? "bit" : "digit", order, digits, 1 << bits),
           bits == 1 ? 4.0 : 5.0,
           {m},
           [order, digits, bits](std::size_t i) {
             return RootIndex{reversed(i, digits, bits), order};
           }});
    }
  }
}

/// The order in which a stage of radix r keeps its factors w^(q j), 0 < q < r.
enum class Factors { by_place, by_power };

/// The stages of an FFT of radix r one after the other; one of L butterflies has (r - 1) L factors
/// of order r L.
struct StageTables {
  std::uint64_t radix;
  std::uint64_t first;   ///< L of the shortest stage that has a table
  std::uint64_t points;  ///< of the transform
  bool rising;
  bool led;  ///< an entry that no stage reads stands first
  Factors factors;

  std::size_t size() const { return points - first + led; }

  RootIndex root(std::size_t i) const {
    if (led && i == 0) return {0, points};
    std::uint64_t at = i - led;
    std::uint64_t l = rising ? first : points / radix;
    for (; at >= (radix - 1) * l; l = rising ? l * radix : l / radix) at -= (radix - 1) * l;
    const bool by_place = factors == Factors::by_place;
    const std::uint64_t j = by_place ? at / (radix - 1) : at % l;
    const std::uint64_t q = 1 + (by_place ? at % (radix - 1) : at / l);
    return {q * j, radix * l};
  }

  std::string text() const {
    std::string text = fmt::format(
        "{} twiddles, the stages of an FFT of {} points of radix {} one after the other, from L = "
        "{} to {}",
        size(), points, radix, rising ? first : points / radix, rising ? points / radix : first);
    if (led) text += ", after an entry 1 that no stage reads";
    if (radix == 2) return text + ": entry j of a stage = exp(-2 pi i j/(2 L))";
    return text + fmt::format(": {} = exp(-2 pi i q j/({} L)), 0 < q < {}{}",
                              "entry (j, q) of a stage", radix, radix,
                              factors == Factors::by_place ? ", q fastest" : ", j fastest");
  }
};

void add_stages(Layouts& all, std::size_t m) {
  for (const std::uint64_t radix : {2U, 4U, 8U, 3U, 5U})
    for (const bool led : {false, true})
      for (const std::uint64_t first : {std::uint64_t{1}, radix}) {
        if (m <= (led ? 1U : 0U)) continue;
        const std::uint64_t points = m - led + first;
        std::uint64_t power = first * radix;
        while (power < points) power *= radix;
        if (power != points || points < radix * radix) continue;
        for (const bool rising : {true, false})
          for (const Factors factors : {Factors::by_place, Factors::by_power}) {
            if (radix == 2 && factors == Factors::by_power) continue;
            const StageTables stages{radix, first, points, rising, led, factors};
            all.push_back({LayoutShape::listed,
                           points,
                           stages.text(),
                           4.0 + (led ? 1 : 0) + (rising ? 0 : 0.5),
                           {m},
                           [stages](std::size_t i) { return stages.root(i); }});
          }
      }
}

/// A row of n/2 factors for each of the log2 n stages of radix 2.
void add_full_stages(Layouts& all, std::size_t m) {
  for (int bits = 3; bits < 40; ++bits) {
    const std::uint64_t half = std::uint64_t{1} << (bits - 1);
    if (half * static_cast<std::uint64_t>(bits) != m) continue;
    for (const bool rising : {true, false})
      for (const bool repeated : {true, false})
        all.push_back(
            {LayoutShape::listed,
             2 * half,
             fmt::format(
                 "{0} twiddles, {1} for each of the {2} stages of an FFT of {3} points of radix "
                 "2, from L = {4} to {5}: entry j of a stage = exp(-2 pi i {6}/(2 L))",
                 m, half, bits, 2 * half, rising ? 1 : half, rising ? half : 1,
                 repeated ? "(j mod L)" : fmt::format("floor(j L/{})", half)),
             5,
             {m},
             [half, bits, rising, repeated](std::size_t i) {
               const int stage = static_cast<int>(i / half);
               const std::uint64_t l = std::uint64_t{1} << (rising ? stage : bits - 1 - stage);
               const std::uint64_t j = i % half;
               return RootIndex{repeated ? j % l : j / (half / l), 2 * l};
             }});
  }
}

/// Rows and columns, in an array or one row after the other.
void add_products(Layouts& all, std::size_t rows, std::size_t columns, bool in_a_row) {
  const double more = in_a_row ? 3 : 0;
  const Extents extents = {rows, columns};
  const std::string kept = in_a_row ? ", row by row in one vector" : "";
  const std::uint64_t r = rows;
  const std::uint64_t c = columns;
  const auto add = [&](LayoutShape shape, std::uint64_t order, const std::string& name,
                       double price, const std::string& row, const std::string& column, auto row_of,
                       auto column_of) {
    all.push_back(
        {in_a_row ? LayoutShape::listed : shape, order,
         fmt::format("{}{}, entry (k, j) = exp(-2 pi i {} {}/{})", name, kept, row, column, order),
         price + more, extents, [order, c, row_of, column_of](std::size_t i) {
           return RootIndex{row_of(i / c), column_of(i % c), order, AngleOrder::product};
         }});
  };
  const auto same = [](std::uint64_t i) { return i; };
  const auto next = [](std::uint64_t i) { return i + 1; };
  if (r == c)
    add(LayoutShape::matrix, r, fmt::format("the DFT matrix of n = {}", r), 0, "k", "j", same,
        same);
  const std::string four_step = fmt::format("the {} x {} twiddles of a four-step FFT", r, c);
  add(LayoutShape::product, r * c, four_step, r == c ? 0.5 : 0, "k", "j", same, same);
  if (in_a_row) return;
  if (r != c)
    add(LayoutShape::product, std::max(r, c),
        fmt::format("the first {0} {2} of the DFT matrix of n = {1}", std::min(r, c),
                    std::max(r, c), r < c ? "rows" : "columns"),
        2, "k", "j", same, same);
  const std::string stage = fmt::format("the {} x {} twiddles of a stage of radix ", r, c);
  add(LayoutShape::listed, (r + 1) * c, stage + std::to_string(r + 1), 3, "(k + 1)", "j", next,
      same);
  add(LayoutShape::listed, r * (c + 1), stage + std::to_string(c + 1), 3, "k", "(j + 1)", same,
      next);
  const auto reversal = [](std::size_t extent) {
    const int digits = std::has_single_bit(extent) ? log2_of(extent) : 0;
    return [digits](std::uint64_t i) -> std::uint64_t { return reversed(i, digits, 1); };
  };
  const bool rows_reverse = std::has_single_bit(rows) && rows >= 4;
  const bool columns_reverse = std::has_single_bit(columns) && columns >= 4;
  for (const bool of_rows : {true, false})
    for (const bool of_columns : {true, false}) {
      if (!(of_rows || of_columns) || (of_rows && !rows_reverse) ||
          (of_columns && !columns_reverse))
        continue;
      for (const std::uint64_t order : {r * c, r}) {
        if (order == r && r != c) continue;
        const std::string name =
            (order == r ? fmt::format("the DFT matrix of n = {}", r) : four_step) +
            fmt::format(" with {} in bit-reversed order", of_rows && of_columns ? "rows and columns"
                                                          : of_rows             ? "rows"
                                                                                : "columns");
        const auto [row, column] = std::pair(of_rows ? "r(k)" : "k", of_columns ? "r(j)" : "j");
        const auto in_rows = reversal(of_rows ? rows : 0);
        const auto in_columns = reversal(of_columns ? columns : 0);
        const auto row_of = [in_rows, of_rows](std::uint64_t i) {
          return of_rows ? in_rows(i) : i;
        };
        const auto column_of = [in_columns, of_columns](std::uint64_t i) {
          return of_columns ? in_columns(i) : i;
        };
        add(LayoutShape::listed, order, name, 5, row, column, row_of, column_of);
      }
    }
}

/// A vector of m entries, `more` bits less likely than others.
void add_flat(Layouts& all, std::size_t m, double more) {
  const std::size_t first = all.size();
  add_vectors(all, m);
  add_reversed_vectors(all, m);
  add_stages(all, m);
  add_full_stages(all, m);
  for (std::size_t i = first; i < all.size(); ++i) {
    all[i].price += more;
    if (more == 0) continue;
    all[i].text = "row by row " + all[i].text;
    const bool by_place =
        all[i].shape == LayoutShape::circle || all[i].shape == LayoutShape::half_circle;
    if (by_place) all[i].shape = LayoutShape::part;
  }
}

/// shape without axes of length 1.
Extents squeezed(const Extents& shape) {
  Extents result;
  for (const std::size_t extent : shape)
    if (extent != 1) result.push_back(extent);
  return result.empty() ? Extents{1} : result;
}

std::size_t size_of(const Extents& shape) {
  return std::accumulate(shape.begin(), shape.end(), std::size_t{1}, std::multiplies<>());
}

/// Rows and columns of an array of two axes or more, by the axis at which it is divided.
std::vector<std::pair<std::size_t, std::size_t>> divisions(const Extents& shape) {
  std::vector<std::pair<std::size_t, std::size_t>> all;
  std::size_t rows = 1;
  for (std::size_t axis = 0; axis + 1 < shape.size(); ++axis) {
    rows *= shape[axis];
    all.emplace_back(rows, size_of(shape) / rows);
  }
  return all;
}

}  // namespace

RootIndex TableLayout::made(std::size_t i) const {
  if (square == Square::exact) return root(i);
  return {static_cast<std::uint64_t>(std::abs(wrapped_square(i, square))), order};
}

bool TableLayout::made_conjugate(std::size_t i) const {
  return square == Square::int32 && wrapped_square(i, square) < 0;
}

Layouts layouts_of(const Extents& shape) {
  const Extents axes = squeezed(shape);
  const std::size_t m = size_of(axes);
  Layouts all;
  if (axes.size() == 1) {
    // An array of one entry is a matrix if it has two axes.
    if (m == 1 && shape.size() == 2) add_products(all, 1, 1, false);
    add_flat(all, m, 0);
    constexpr std::size_t most_shapes = 64;
    std::size_t shapes = 0;
    for (std::size_t rows = 2; rows <= m / 2 && rows <= m / rows && shapes < most_shapes; ++rows) {
      if (m % rows != 0) continue;
      ++shapes;
      add_products(all, rows, m / rows, true);
      if (rows != m / rows) add_products(all, m / rows, rows, true);
    }
    return all;
  }
  for (const auto& [rows, columns] : divisions(axes)) add_products(all, rows, columns, false);
  add_flat(all, m, 3);
  return all;
}

std::size_t TableEntries::size() const { return size_of(shape); }

std::vector<std::size_t> sample_places(std::size_t size, std::size_t count) {
  std::vector<std::size_t> places;
  const std::size_t taken = std::min(size, count);
  // Blocks of equal length, each at another place within, so that no period is missed.
  for (std::size_t i = 0; i < taken; ++i) {
    const std::size_t from = size / taken * i + size % taken * i / taken;
    const std::size_t width = std::max<std::size_t>(size / taken, 1);
    places.push_back(from + (i * 40503 >> 4) % width);
  }
  return places;
}

std::complex<double> root_in_fp64(std::uint64_t exponent, std::uint64_t order) {
  const double turn = static_cast<double>(exponent % order) / static_cast<double>(order);
  const double angle = 2 * std::numbers::pi * turn;
  return {std::cos(angle), -std::sin(angle)};
}

namespace {

using RootValues = std::vector<std::complex<double>>;

double median_of(std::vector<double> x) {
  const auto middle = x.begin() + static_cast<std::ptrdiff_t>(x.size() / 2);
  std::nth_element(x.begin(), middle, x.end());
  return *middle;
}

/// exp(-2 pi i turns).
std::complex<double> turned(double turns) {
  const double angle = 2 * std::numbers::pi * (turns - std::floor(turns));
  return {std::cos(angle), -std::sin(angle)};
}

/// The turns of numbers that have about one angle, in [-1/2, 1/2], by the medians of their parts.
double usual_turns(const RootValues& values) {
  std::vector<double> re, im;
  for (const std::complex<double>& value : values) {
    re.push_back(value.real());
    im.push_back(value.imag());
  }
  return -std::atan2(median_of(std::move(im)), median_of(std::move(re))) / (2 * std::numbers::pi);
}

constexpr std::size_t pairs_taken = 1024;

/// Turns per step, where at(i, lag) turns by about `lag` steps, for i < count - lag: from a lag of
/// 1 to half of all, each tells the whole turns of the next.
template <class At>
double turns_per_step(std::size_t count, At at) {
  double step = 0;
  for (std::size_t lag = 1; lag == 1 || 2 * lag <= count; lag *= 2) {
    RootValues values;
    for (const std::size_t i : sample_places(count - lag, pairs_taken))
      values.push_back(at(i, lag));
    const double turns = usual_turns(values);
    const auto lags = static_cast<double>(lag);
    step = lag == 1 ? turns : (std::round(step * lags - turns) + turns) / lags;
  }
  return step;
}

/// Turns of the entries of an array with rows and columns:
/// product k j + row k + column j + constant.
struct Plane {
  double product = 0;
  double row = 0;
  double column = 0;
  double constant = 0;

  double turns(std::size_t k, std::size_t j) const {
    const auto x = static_cast<double>(k);
    const auto y = static_cast<double>(j);
    return (product * x + column) * y + row * x + constant;
  }
};

/// A plane with whole coefficients, in steps of the circle of that order.
struct WholePlane {
  std::uint64_t order;
  std::uint64_t product, row, column, constant;

  auto operator<=>(const WholePlane&) const = default;

  /// "k j", "(3 k j + k + 2)".
  std::string text(bool is_vector) const {
    std::string terms;
    int count = 0;
    const auto add = [&](std::uint64_t factor, const std::string& term) {
      if (factor == 0) return;
      const std::string number = factor == 1 && !term.empty() ? "" : std::to_string(factor);
      terms +=
          (count++ == 0 ? "" : " + ") + number + (number.empty() || term.empty() ? "" : " ") + term;
    };
    if (!is_vector && product == 1 && constant == row * column && row < 1000 && column < 1000) {
      const auto factor = [](const char* index, std::uint64_t plus) {
        return plus == 0 ? std::string(index) : fmt::format("({} + {})", index, plus);
      };
      return factor("k", column) + " " + factor("j", row);
    }
    add(product, "k j");
    add(row, "k");
    add(column, "j");
    add(constant, "");
    return count > 1 ? "(" + terms + ")" : terms;
  }
};

/// A plane, its price, and whether its order is no likely one.
struct LikelyPlane {
  WholePlane plane;
  double price;
  bool unlikely;
};

/// Whole planes of likely orders that are within the noise of `plane`.
std::vector<LikelyPlane> whole_planes(const Plane& plane, std::size_t rows, std::size_t columns,
                                      double noise) {
  constexpr double allowed = 4;  // times the noise
  const double tolerance = allowed * noise / (2 * std::numbers::pi);
  const auto r = static_cast<double>(rows);
  const auto c = static_cast<double>(columns);
  const double reach = plane.product * r * c > tolerance ? r * c : std::max(r, c);
  const double averaged = std::max(std::sqrt(std::min(r * c, 4096.0)) / 8, 1.0);
  const double largest = std::min(reach * averaged / (4 * tolerance), 0x1p24);
  constexpr double generic = 8;
  std::vector<std::pair<double, double>> orders;  // and their prices
  const std::uint64_t sizes[] = {rows,
                                 columns,
                                 rows * columns,
                                 rows * columns - columns,
                                 (rows + 1) * columns,
                                 rows * (columns + 1)};
  for (const std::uint64_t size : sizes)
    for (const std::uint64_t factor : {1U, 2U, 4U, 8U, 16U})
      orders.emplace_back(static_cast<double>(size * factor), 6);
  for (double power = 2; power <= largest; power *= 2) orders.emplace_back(power, 6);
  for (const double each : {plane.product, plane.column, plane.row, plane.constant})
    for (int steps = 1; steps <= 16 && each * reach > tolerance; ++steps)
      orders.emplace_back(std::round(steps / each), generic);
  std::ranges::sort(orders);
  std::vector<LikelyPlane> found;
  std::set<WholePlane> seen;
  for (const auto& [order, price] : orders) {
    if (order < 2 || order > largest) continue;
    constexpr double proportion = 1e-4;
    const bool is_likely = price < generic;
    double misfit = 0;
    const auto whole = [&, n = order](double turns, double steps) -> std::uint64_t {
      if (std::abs(turns) * steps <= tolerance) return 0;
      const double nearest = std::round(turns * n);
      const double off = std::abs(turns - nearest / n);
      // Angles that err in proportion do not hide a likely order.
      const bool nearly = is_likely && off <= proportion * std::abs(turns);
      misfit = std::max(misfit, std::min(off * steps / tolerance, nearly ? 1.0 : 2.0));
      return static_cast<std::uint64_t>(nearest < 0 ? nearest + n : nearest) %
             static_cast<std::uint64_t>(n);
    };
    WholePlane exact{static_cast<std::uint64_t>(order), whole(plane.product, r * c),
                     whole(plane.row, r), whole(plane.column, c), whole(plane.constant, 1)};
    if (misfit > 1 || (exact.product | exact.row | exact.column) == 0) continue;
    const std::uint64_t common =
        std::gcd(std::gcd(exact.order, exact.product),
                 std::gcd(std::gcd(exact.row, exact.column), exact.constant));
    for (std::uint64_t* each :
         {&exact.order, &exact.product, &exact.row, &exact.column, &exact.constant})
      *each /= common;
    const auto steps_of = [&](std::uint64_t each) {
      return each == 0 ? 0 : std::min(each, exact.order - each);
    };
    // Any angle is near some multiple of the step of a large order.
    constexpr std::uint64_t usual_stride = 16;
    const std::uint64_t stride =
        std::max({steps_of(exact.product), steps_of(exact.row), steps_of(exact.column)});
    if (stride > usual_stride && exact.order > 4 * rows * columns) continue;
    if (!seen.insert(exact).second) continue;
    const int terms =
        (exact.product != 0) + (exact.row != 0) + (exact.column != 0) + 4 * (exact.constant != 0);
    // Steps back are those of the other sign.
    const std::uint64_t leading = exact.product != 0  ? exact.product
                                  : exact.column != 0 ? exact.column
                                                      : exact.row;
    const double back = 2 * leading > exact.order ? 8 : 0;
    double large = 0;
    for (const std::uint64_t each : {exact.product, exact.row, exact.column, exact.constant})
      if (each > 0) large += std::log2(static_cast<double>(std::min(each, exact.order - each))) / 2;
    found.push_back({exact, price + terms + back + std::min(large, 4.0) + 4 * misfit, !is_likely});
    constexpr std::size_t most = 12;
    if (found.size() == most) break;
  }
  return found;
}

/// Sets the constant, and moves the coefficients by the least squares of the angles that are left,
/// but for entries that are off by far. Returns twice the median distance from the plane.
double refine(Plane& plane, const TableEntries& entries, std::size_t rows, std::size_t columns) {
  constexpr std::size_t taken = 4096;
  const auto places = sample_places(entries.size(), taken);
  RootValues rests;
  for (const std::size_t i : places)
    rests.push_back(entries.at(i) * std::conj(turned(plane.turns(i / columns, i % columns))));
  plane.constant = usual_turns(rests);
  std::vector<double> distances;
  for (const std::complex<double>& each : rests)
    distances.push_back(std::abs(each - turned(plane.constant)));
  const double noise = std::max(entries.noise, 2 * median_of(distances));
  // Rows and columns from their middles, in units of their extents: nearly orthogonal.
  const auto r = static_cast<double>(rows);
  const auto c = static_cast<double>(columns);
  const auto coordinates = [&](std::size_t i) {
    const double x = (static_cast<double>(i / columns) - (r - 1) / 2) / r;
    const double y = (static_cast<double>(i % columns) - (c - 1) / 2) / c;
    return std::array<double, 4>{1, x, y, x * y};
  };
  // Each coordinate in turn, as often as it takes for them to be nearly orthogonal.
  std::array<double, 4> moved{};
  constexpr int sweeps = 4;
  for (int sweep = 0; sweep < sweeps; ++sweep)
    for (std::size_t of = 0; of < moved.size(); ++of) {
      double sum = 0;
      double squares = 0;
      for (std::size_t p = 0; p < places.size(); ++p) {
        if (!(distances[p] <= 4 * noise)) continue;
        const auto at = coordinates(places[p]);
        const double angle = std::arg(rests[p] * std::conj(turned(plane.constant)));
        double left = -angle / (2 * std::numbers::pi);
        for (std::size_t other = 0; other < moved.size(); ++other) left -= moved[other] * at[other];
        sum += left * at[of];
        squares += at[of] * at[of];
      }
      if (squares > 0) moved[of] += sum / squares;
    }
  const double per_product = moved[3] / (r * c);
  plane.product += per_product;
  plane.row += moved[1] / r - per_product * (c - 1) / 2;
  plane.column += moved[2] / c - per_product * (r - 1) / 2;
  plane.constant += moved[0] - moved[1] / r * (r - 1) / 2 - moved[2] / c * (c - 1) / 2 +
                    per_product * (r - 1) / 2 * (c - 1) / 2;
  return noise;
}

void add_fitted(Layouts& all, const TableEntries& entries, std::size_t rows, std::size_t columns) {
  const auto at = [&](std::size_t k, std::size_t j) { return entries.at(k * columns + j); };
  Plane plane;
  const auto rest = [&](std::size_t k, std::size_t j) {
    return at(k, j) * std::conj(turned(plane.turns(k, j)));
  };
  if (rows > 1) {
    // The product's step from mixed differences of neighbouring rows, then of distant ones.
    std::size_t across = 1;
    const auto mixed = [&](std::size_t k, std::size_t down, std::size_t j, std::size_t right) {
      return rest(k + down, j + right) * std::conj(rest(k + down, j) * rest(k, j + right)) *
             rest(k, j);
    };
    plane.product = turns_per_step(columns, [&](std::size_t j, std::size_t lag) {
      return mixed(j * 7919 % (rows - 1), 1, j, lag);
    });
    across = std::max<std::size_t>(columns / 2, 1);
    const double finer = turns_per_step(rows, [&](std::size_t k, std::size_t lag) {
      return mixed(k, lag, k * 7919 % (columns - across), across);
    });
    plane.product += finer / static_cast<double>(across);
    plane.row = turns_per_step(rows, [&](std::size_t k, std::size_t lag) {
      const std::size_t j = k * 7919 % columns;
      return rest(k + lag, j) * std::conj(rest(k, j));
    });
  }
  plane.column = turns_per_step(columns, [&](std::size_t j, std::size_t lag) {
    const std::size_t k = j * 7919 % rows;
    return rest(k, j + lag) * std::conj(rest(k, j));
  });
  const double noise = std::max(entries.noise, refine(plane, entries, rows, columns));
  if (!(noise < 0.1)) return;
  const bool is_vector = rows == 1;
  for (const auto& [whole, price, unlikely] : whole_planes(plane, rows, columns, noise)) {
    const bool is_product = whole.product == 1 && (whole.row | whole.column | whole.constant) == 0;
    const bool is_part = is_vector && whole.column == 1 && whole.constant == 0;
    const std::string size =
        is_vector ? std::to_string(columns) : fmt::format("{} x {}", rows, columns);
    std::string text = fmt::format("{} twiddles of order {}", size, whole.order);
    if (is_part && columns < whole.order)
      text = fmt::format("{} twiddles, the beginning of the circle of order {}", size, whole.order);
    all.push_back(
        {is_product ? LayoutShape::product
         : is_part  ? LayoutShape::part
                    : LayoutShape::listed,
         whole.order,
         fmt::format("{}{} = exp(-2 pi i {}/{})", text, is_vector ? ": entry j" : ", entry (k, j)",
                     whole.text(is_vector), whole.order),
         price, is_vector ? Extents{columns} : Extents{rows, columns},
         [p = whole, columns](std::size_t i) -> RootIndex {
           const std::uint64_t k = i / columns;
           const std::uint64_t j = i % columns;
           if (p.product == 1 && p.constant == p.row * p.column)
             return {k + p.column, j + p.row, p.order, AngleOrder::product};
           return {(p.product * k + p.column) % p.order * j + p.row * k + p.constant, p.order};
         }});
    all.back().tight = unlikely;
  }
}

/// The exponent of the root of that order nearest to z.
std::uint64_t nearest_exponent(std::complex<double> z, std::uint64_t order) {
  const double turns = -std::arg(z) / (2 * std::numbers::pi);
  const double steps = std::round((turns - std::floor(turns)) * static_cast<double>(order));
  return static_cast<std::uint64_t>(steps) % order;
}

}  // namespace

Layouts fitted_layouts(const TableEntries& entries) {
  constexpr std::size_t least = 8;
  Layouts all;
  const Extents axes = squeezed(entries.shape);
  if (entries.size() < least) return all;
  if (axes.size() == 1)
    add_fitted(all, entries, 1, entries.size());
  else
    for (const auto& [rows, columns] : divisions(axes)) add_fitted(all, entries, rows, columns);
  return all;
}

TableLayout nearest_layout(const TableEntries& entries, std::uint64_t order) {
  std::vector<std::uint64_t> exponents;
  for (std::size_t i = 0; i < entries.size(); ++i)
    exponents.push_back(nearest_exponent(entries.at(i), order));
  const Extents axes = squeezed(entries.shape);
  return {LayoutShape::nearest,
          order,
          fmt::format("{} numbers in an order that is not known here; each is judged by the root "
                      "exp(-2 pi i e/{}) nearest to it",
                      entries.size(), order),
          0,
          axes.size() == 2 ? axes : Extents{entries.size()},
          [exponents = std::move(exponents), order](std::size_t i) {
            return RootIndex{exponents[i], order};
          }};
}

std::optional<std::uint64_t> nearest_order(const TableEntries& entries) {
  constexpr std::size_t least = 8;
  constexpr double largest_order = 0x1p16;
  constexpr double largest_chance = 0.25;  // that a number of modulus 1 is near
  const double near = 2 * entries.noise;
  const double limit = std::min(largest_order, largest_chance * std::numbers::pi / near);
  if (entries.size() < least) return {};
  // Turns; nothing for a number whose modulus is not near 1.
  std::vector<double> turns;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const std::complex<double> value = entries.at(i);
    const double turn = -std::arg(value) / (2 * std::numbers::pi);
    const bool is_unit = std::abs(std::abs(value) - 1) <= near;
    turns.push_back(is_unit ? turn - std::floor(turn) : std::numeric_limits<double>::quiet_NaN());
  }
  const auto fits = [&](std::uint64_t order, const std::vector<std::size_t>& places) {
    const std::size_t most = places.size() / 10;
    const auto n = static_cast<double>(order);
    const double near_turns = near / (2 * std::numbers::pi);
    std::size_t far = 0;
    std::set<double> met;
    for (const std::size_t i : places) {
      const double steps = std::round(turns[i] * n);
      if (std::abs(turns[i] - steps / n) <= near_turns) {
        if (met.size() < 3) met.insert(steps == n ? 0 : steps);
      } else if (++far > most) {
        return false;
      }
    }
    return met.size() >= 3;
  };
  constexpr std::size_t first_look = 64;
  const auto few = sample_places(entries.size(), first_look);
  const auto all = sample_places(entries.size(), entries.size());
  for (std::uint64_t order = 3; static_cast<double>(order) <= limit; ++order)
    if (fits(order, few) && fits(order, all)) return order;
  return {};
}

}  // namespace fftprec
