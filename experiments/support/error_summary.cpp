#include "experiments/support/error_summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/math/distributions/binomial.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <cassert>
#include <charconv>
#include <cmath>
#include <iterator>
#include <limits>
#include <vector>

#include "arith/support/error.hpp"
#include "experiments/support/decimal.hpp"

namespace fftprec {

namespace {

using Integer = boost::multiprecision::cpp_int;

constexpr double unbounded = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr int unit_exponent = -1074;  // of the least double
constexpr int bins_per_octave = ErrorSummary::bins_per_octave;

/// The least doubles that are at least 2^(k/64), k = 0 .. 63.
constexpr double steps[] = {
    0x1p0,
    0x1.02c9a3e778061p0,
    0x1.059b0d3158575p0,
    0x1.0874518759bc9p0,
    0x1.0b5586cf98910p0,
    0x1.0e3ec32d3d1a3p0,
    0x1.11301d0125b51p0,
    0x1.1429aaea92de0p0,
    0x1.172b83c7d517bp0,
    0x1.1a35beb6fcb76p0,
    0x1.1d4873168b9abp0,
    0x1.2063b88628cd7p0,
    0x1.2387a6e756239p0,
    0x1.26b4565e27cdep0,
    0x1.29e9df51fdee2p0,
    0x1.2d285a6e4030cp0,
    0x1.306fe0a31b716p0,
    0x1.33c08b2641700p0,
    0x1.371a7373aa9cbp0,
    0x1.3a7db34e59ff7p0,
    0x1.3dea64c123423p0,
    0x1.4160a21f72e2ap0,
    0x1.44e086061892ep0,
    0x1.486a2b5c13cd1p0,
    0x1.4bfdad5362a28p0,
    0x1.4f9b2769d2ca7p0,
    0x1.5342b569d4f82p0,
    0x1.56f4736b527dbp0,
    0x1.5ab07dd48542ap0,
    0x1.5e76f15ad2149p0,
    0x1.6247eb03a5585p0,
    0x1.6623882552225p0,
    0x1.6a09e667f3bcdp0,
    0x1.6dfb23c651a2fp0,
    0x1.71f75e8ec5f74p0,
    0x1.75feb564267c9p0,
    0x1.7a11473eb0187p0,
    0x1.7e2f336cf4e63p0,
    0x1.82589994cce13p0,
    0x1.868d99b4492edp0,
    0x1.8ace5422aa0dcp0,
    0x1.8f1ae99157737p0,
    0x1.93737b0cdc5e5p0,
    0x1.97d829fde4e50p0,
    0x1.9c49182a3f091p0,
    0x1.a0c667b5de565p0,
    0x1.a5503b23e255dp0,
    0x1.a9e6b5579fdc0p0,
    0x1.ae89f995ad3aep0,
    0x1.b33a2b84f15fbp0,
    0x1.b7f76f2fb5e47p0,
    0x1.bcc1e904bc1d3p0,
    0x1.c199bdd85529dp0,
    0x1.c67f12e57d14cp0,
    0x1.cb720dcef906ap0,
    0x1.d072d4a07897cp0,
    0x1.d5818dcfba488p0,
    0x1.da9e603db3286p0,
    0x1.dfc97337b9b5fp0,
    0x1.e502ee78b3ff7p0,
    0x1.ea4afa2a490dap0,
    0x1.efa1bee615a28p0,
    0x1.f50765b6e4541p0,
    0x1.fa7c1819e90d9p0,
};
static_assert(std::size(steps) == bins_per_octave);

/// The bin of a finite error above 0.
int bin_of(double error) {
  int exponent = 0;
  const double fraction = 2 * std::frexp(error, &exponent);
  const auto step = std::ranges::upper_bound(steps, fraction) - 1;
  return bins_per_octave * (exponent - 1) + static_cast<int>(step - std::begin(steps));
}

/// The least double in a bin, or the least above all bins.
double start_of(int bin) {
  const int octave =
      bin >= 0 ? bin / bins_per_octave : -((bins_per_octave - 1 - bin) / bins_per_octave);
  return std::ldexp(steps[bin - bins_per_octave * octave], octave);
}

/// Of a finite double >= 0: significand 2^shift units of 2^-1074.
struct Units {
  std::uint64_t significand;
  unsigned shift;
};
Units in_units(double value) {
  int exponent = 0;
  const double fraction = std::frexp(value, &exponent);
  const int least = std::max(exponent - 53, unit_exponent);
  return {static_cast<std::uint64_t>(std::ldexp(fraction, exponent - least)),
          static_cast<unsigned>(least - unit_exponent)};
}

/// value 2^exponent + a part of a last digit if there is a `rest`, rounded to nearest, ties to
/// even. Requires: `value` has at least 55 bits unless it is 0.
double rounded(Integer value, int exponent, bool rest) {
  if (value == 0) return 0;
  const int bits = static_cast<int>(msb(value)) + 1;
  const int digits = std::min(53, bits + exponent - unit_exponent);
  const int cut = bits - digits;
  Integer kept = value >> cut;
  const Integer lost = value - (kept << cut);
  const Integer half = Integer(1) << (cut - 1);
  if (lost > half || (lost == half && (rest || bit_test(kept, 0)))) ++kept;
  return std::ldexp(static_cast<double>(static_cast<std::uint64_t>(kept)), exponent + cut);
}

/// numerator / denominator 2^exponent, correctly rounded, or the root of that.
double quotient(const Integer& numerator, const Integer& denominator, int exponent, bool root) {
  if (numerator == 0) return 0;
  const int needed = root ? 2 * 64 : 64;
  int shift =
      std::max(0, needed + static_cast<int>(msb(denominator)) - static_cast<int>(msb(numerator)));
  if (root && (exponent - shift) % 2 != 0) ++shift;
  Integer rest;
  Integer value;
  divide_qr(Integer(numerator << shift), denominator, value, rest);
  if (!root) return rounded(value, exponent - shift, rest != 0);
  // The root of the leading digits is the beginning of the root; the other digits only decide ties.
  const int surplus = std::max(0, static_cast<int>(msb(value)) - needed) & ~1;
  if (surplus > 0) {
    if (static_cast<int>(lsb(value)) < surplus) rest = 1;
    value >>= surplus;
    shift -= surplus;
  }
  Integer lost;
  const Integer half = sqrt(value, lost);
  return rounded(half, (exponent - shift) / 2, rest != 0 || lost != 0);
}

/// As str(0, std::ios_base::hex), in a time that is linear.
std::string hexadecimal(const Integer& value) {
  std::string digits;
  export_bits(value, std::back_inserter(digits), 4);
  for (char& digit : digits) digit = "0123456789abcdef"[static_cast<unsigned char>(digit)];
  return digits;
}

/// Takes the larger error, of equal ones the one with the smaller seed.
void keep_larger(std::optional<SeededError>& largest, const SeededError& other) {
  if (!largest || other.error > largest->error ||
      (other.error == largest->error && other.seed < largest->seed))
    largest = other;
}

std::vector<std::string> pieces_of(std::string_view text, char separator) {
  std::vector<std::string> pieces;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(separator), text.size());
    pieces.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return pieces;
}

// What texts consist of: words "key=value" with these keys, in this order.
constexpr std::string_view text_keys[] = {"count", "infinite", "zeros", "smallest", "largest",
                                          "worst", "seed",     "sum",   "squares",  "bins"};

std::uint64_t count_from(std::string_view text, std::string_view whole) {
  const auto value = parse_unsigned(text);
  require(value.has_value(), "not a summary of errors: '", whole, "'");
  return *value;
}

double error_from(std::string_view text, std::string_view whole) {
  const auto value = parse_double(text);
  require(value && *value >= 0, "not a summary of errors: '", whole, "'");
  return *value;
}

Integer integer_from(std::string_view text, std::string_view whole) {
  const bool is_hexadecimal =
      !text.empty() && text.find_first_not_of("0123456789ABCDEFabcdef") == std::string_view::npos;
  require(is_hexadecimal, "not a summary of errors: '", whole, "'");
  return Integer("0x" + std::string(text));
}

}  // namespace

void ErrorSummary::add(double error, std::uint64_t seed) {
  require(!(error < 0), "ErrorSummary: an error is negative: ", shortest(error));
  const bool is_finite = std::isfinite(error);
  keep_larger(largest_, {is_finite ? error : unbounded, seed});
  ++count_;
  if (!is_finite) {
    ++infinite_;
    return;
  }
  smallest_ = std::min(smallest_, error);
  largest_finite_ = std::max(largest_finite_, error);
  const Units units = in_units(error);
  sum_ += Integer(units.significand) << units.shift;
  squares_ += Integer(units.significand) * units.significand << (2 * units.shift);
  if (error == 0)
    ++zeros_;
  else
    ++bins_[bin_of(error)];
}

void ErrorSummary::merge(const ErrorSummary& other) {
  if (other.largest_) keep_larger(largest_, *other.largest_);
  count_ += other.count_;
  infinite_ += other.infinite_;
  zeros_ += other.zeros_;
  smallest_ = std::min(smallest_, other.smallest_);
  largest_finite_ = std::max(largest_finite_, other.largest_finite_);
  sum_ += other.sum_;
  squares_ += other.squares_;
  for (const auto& [bin, errors] : other.bins_) bins_[bin] += errors;
}

double ErrorSummary::mean() const {
  if (count_ == 0) return nan;
  if (infinite_ > 0) return unbounded;
  return quotient(sum_, count_, unit_exponent, false);
}

double ErrorSummary::deviation() const {
  if (count_ < 2 || infinite_ > 0) return nan;
  const Integer n = count_;
  return quotient(n * squares_ - sum_ * sum_, n * (n - 1), 2 * unit_exponent, true);
}

Enclosure ErrorSummary::mean_interval(double confidence) const {
  if (count_ < 2 || infinite_ > 0) return {0, unbounded};
  const auto n = static_cast<double>(count_);
  const double t = boost::math::quantile(boost::math::students_t(n - 1), (1 + confidence) / 2);
  const double half = t * deviation() / std::sqrt(n);
  return {std::max(0.0, mean() - half), mean() + half};
}

Enclosure ErrorSummary::at_rank(std::uint64_t rank) const {
  assert(rank >= 1 && rank <= count_);
  if (rank > count_ - infinite_) return {unbounded, unbounded};
  if (rank == count_ - infinite_) return {largest_finite_, largest_finite_};
  if (rank == 1) return {smallest_, smallest_};
  if (rank <= zeros_) return {0, 0};
  std::uint64_t below = zeros_;
  for (const auto& [bin, errors] : bins_) {
    below += errors;
    if (rank <= below)
      return {std::max(smallest_, start_of(bin)), std::min(largest_finite_, start_of(bin + 1))};
  }
  return {largest_finite_, largest_finite_};
}

Enclosure ErrorSummary::quantile(unsigned per_mille) const {
  assert(per_mille > 0 && per_mille <= 1000 && count_ > 0);
  const std::uint64_t whole = count_ / 1000;
  const std::uint64_t rest = count_ % 1000;
  return at_rank(std::max<std::uint64_t>(1, whole * per_mille + (rest * per_mille + 999) / 1000));
}

Enclosure ErrorSummary::quantile_interval(unsigned per_mille, double confidence) const {
  assert(per_mille > 0 && per_mille <= 1000 && count_ > 0);
  const QuantileRanks ranks = quantile_ranks(count_, per_mille / 1000.0, confidence);
  return {ranks.low == 0 ? 0 : at_rank(ranks.low).low,
          ranks.high > count_ ? unbounded : at_rank(ranks.high).high};
}

std::vector<ErrorSummary::Share> ErrorSummary::tail() const {
  std::vector<Share> shares;
  if (count_ == infinite_) return shares;
  shares.push_back({smallest_, count_});
  std::uint64_t left = count_ - zeros_;
  const auto add = [&](double error) {
    if (error > shares.back().error && error < largest_finite_) shares.push_back({error, left});
  };
  for (const auto& [bin, errors] : bins_) {
    add(start_of(bin));
    left -= errors;
    add(start_of(bin + 1));
  }
  if (largest_finite_ > smallest_) shares.push_back({largest_finite_, infinite_ + 1});
  return shares;
}

std::uint64_t ErrorSummary::above(double x) const {
  std::uint64_t errors = infinite_;
  if (largest_finite_ <= x) return errors;
  for (const auto& [bin, count] : bins_)
    if (start_of(bin + 1) > x) errors += count;
  return errors;
}

std::string ErrorSummary::to_text() const {
  std::string bins;
  for (const auto& [bin, errors] : bins_)
    bins += fmt::format("{}{}:{}", bins.empty() ? "" : "+", bin, errors);
  const SeededError worst = largest_.value_or(SeededError{0, 0});
  const std::string values[] = {std::to_string(count_),     std::to_string(infinite_),
                                std::to_string(zeros_),     shortest(smallest_),
                                shortest(largest_finite_),  shortest(worst.error),
                                std::to_string(worst.seed), hexadecimal(sum_),
                                hexadecimal(squares_),      bins};
  std::string text;
  for (std::size_t i = 0; i < std::size(text_keys); ++i)
    text += fmt::format("{}{}={}", text.empty() ? "" : " ", text_keys[i], values[i]);
  return text;
}

ErrorSummary ErrorSummary::from_text(std::string_view text) {
  std::vector<std::string> values;
  for (const std::string& word : pieces_of(text, ' ')) {
    const bool known = values.size() < std::size(text_keys) &&
                       word.starts_with(std::string(text_keys[values.size()]) + "=");
    require(known, "not a summary of errors: '", text, "'");
    values.push_back(word.substr(text_keys[values.size()].size() + 1));
  }
  require(values.size() == std::size(text_keys), "not a summary of errors: '", text, "'");
  ErrorSummary summary;
  summary.count_ = count_from(values[0], text);
  summary.infinite_ = count_from(values[1], text);
  summary.zeros_ = count_from(values[2], text);
  summary.smallest_ = error_from(values[3], text);
  summary.largest_finite_ = error_from(values[4], text);
  if (summary.count_ > 0)
    summary.largest_ = {error_from(values[5], text), count_from(values[6], text)};
  summary.sum_ = integer_from(values[7], text);
  summary.squares_ = integer_from(values[8], text);
  std::uint64_t errors = summary.infinite_ + summary.zeros_;
  for (const std::string& pair : pieces_of(values[9], '+')) {
    const std::size_t colon = pair.find(':');
    require(colon != std::string::npos, "not a summary of errors: '", text, "'");
    int bin = 0;
    const auto [end, problem] = std::from_chars(pair.data(), pair.data() + colon, bin);
    require(problem == std::errc() && end == pair.data() + colon, "not a summary of errors: '",
            text, "'");
    errors += summary.bins_[bin] = count_from(std::string_view(pair).substr(colon + 1), text);
  }
  require(errors == summary.count_, "summary of errors: its bins hold ", std::to_string(errors),
          " of ", std::to_string(summary.count_), " errors");
  return summary;
}

QuantileRanks quantile_ranks(std::uint64_t count, double p, double confidence) {
  using boost::math::binomial;
  using boost::math::cdf;
  using boost::math::complement;
  const double side = (1 - confidence) / 2;
  const auto least =
      [count](auto holds) {  // the smallest rank in 1 .. count + 1 from which it holds
        std::uint64_t low = 1;
        std::uint64_t high = count + 1;
        while (low < high) {
          const std::uint64_t middle = low + (high - low) / 2;
          if (holds(middle))
            high = middle;
          else
            low = middle + 1;
        }
        return low;
      };
  if (p >= 1) return {0, count + 1};
  const binomial below(static_cast<double>(count), p);
  // The quantile is below the error of rank r if at most r - 1 errors are below the quantile.
  return {least([&](std::uint64_t r) { return cdf(below, static_cast<double>(r - 1)) > side; }) - 1,
          least([&](std::uint64_t r) {
            return cdf(complement(below, static_cast<double>(r - 1))) <= side;
          })};
}

}  // namespace fftprec
