#include "experiments/cases/axes.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

#include "arith/support/error.hpp"
#include "experiments/files/format_file.hpp"
#include "experiments/support/decimal.hpp"
#include "experiments/support/names.hpp"

namespace fftprec {

std::vector<std::uint64_t> smooth_numbers(std::uint64_t first, std::uint64_t last) {
  std::vector<std::uint64_t> numbers = {1};
  for (const std::uint64_t prime : {2u, 3u, 5u, 7u})
    for (std::size_t i = 0; i < numbers.size(); ++i)  // grows: each is multiplied again
      if (numbers[i] <= last / prime) numbers.push_back(numbers[i] * prime);
  std::erase_if(numbers, [=](std::uint64_t n) { return n < first || n > last; });
  std::ranges::sort(numbers);
  return numbers;
}

std::vector<std::uint64_t> primes(std::uint64_t first, std::uint64_t last) {
  assert(last < std::uint64_t{1} << 32);
  first = std::max<std::uint64_t>(first, 2);
  if (last < first) return {};
  // Eratosthenes, on this segment only; a composite factor crosses out what its primes do.
  std::vector<bool> composite(last - first + 1);
  for (std::uint64_t factor = 2; factor * factor <= last; ++factor)
    for (std::uint64_t multiple = std::max(factor, (first - 1) / factor + 1) * factor;
         multiple <= last; multiple += factor)
      composite[multiple - first] = true;
  std::vector<std::uint64_t> numbers;
  for (std::size_t i = 0; i < composite.size(); ++i)
    if (!composite[i]) numbers.push_back(first + i);
  return numbers;
}

namespace {

constexpr std::uint64_t most_of_a_range = 1'000'000;

/// A closed arithmetic progression of integers.
struct Range {
  std::uint64_t first;
  std::uint64_t last;
  std::uint64_t step = 1;
};

bool holds_integers(std::size_t axis) { return holds_numbers(axis_columns()[axis]); }

InputError bad_value(std::size_t axis, std::string_view text, std::string_view reason) {
  return InputError("axis '" + std::string(axis_columns()[axis].name) + "': '" + std::string(text) +
                    "' " + std::string(reason));
}

std::uint64_t integer_in(std::size_t axis, std::string_view item, std::string_view text) {
  if (const auto value = parse_count(trimmed(text))) return *value;
  throw bad_value(axis, item,
                  "is not an integer in 0..2^64-1 (1024, 2^10, 1k, 1e4), a range A..B or [A:B]");
}

/// "7", "1..20", "0..100..10", "[3:20]" or "[0:100:10]".
Range range_in(std::size_t axis, std::string_view item) {
  std::string_view rest = item;
  std::string_view separator = "..";
  if (rest.starts_with('[') && rest.ends_with(']')) {
    rest = rest.substr(1, rest.size() - 2);
    separator = ":";
  }
  std::vector<std::uint64_t> parts;
  for (;;) {
    const std::size_t end = rest.find(separator);
    parts.push_back(integer_in(axis, item, rest.substr(0, end)));
    if (end == std::string_view::npos) break;
    rest.remove_prefix(end + separator.size());
  }
  if (parts.size() == 1) return {parts[0], parts[0]};
  if (parts.size() > 3) throw bad_value(axis, item, "has more parts than first, last and step");
  const Range range{parts[0], parts[1], parts.size() == 3 ? parts[2] : 1};
  if (range.step == 0) throw bad_value(axis, item, "has step 0");
  if (range.first > range.last) throw bad_value(axis, item, "is an empty range");
  return range;
}

void check_width(const Range& range, std::size_t axis, std::string_view item) {
  if ((range.last - range.first) / range.step >= most_of_a_range)
    throw bad_value(axis, item, "has more than " + std::to_string(most_of_a_range) + " values");
}

/// The integers of the range, or two to their power.
std::vector<std::uint64_t> progression(const Range& range, bool pow2, std::size_t axis,
                                       std::string_view item) {
  if (pow2 && range.last >= 64) throw bad_value(axis, item, "is an exponent beyond 63");
  check_width(range, axis, item);
  std::vector<std::uint64_t> values;
  for (std::uint64_t i = 0; i <= (range.last - range.first) / range.step; ++i) {
    const std::uint64_t value = range.first + i * range.step;
    values.push_back(pow2 ? std::uint64_t{1} << value : value);
  }
  return values;
}

/// The numbers of the range that are smooth, or prime; there must be one.
std::vector<std::uint64_t> members(const Range& range, bool smooth, std::size_t axis,
                                   std::string_view item) {
  if (range.step != 1) throw bad_value(axis, item, "has a step, and smooth and primes take none");
  if (!smooth) {
    check_width(range, axis, item);
    if (range.last >= std::uint64_t{1} << 32)
      throw bad_value(axis, item, "goes beyond 2^32, below which primes are found");
  }
  std::vector<std::uint64_t> values =
      smooth ? smooth_numbers(range.first, range.last) : primes(range.first, range.last);
  if (values.empty())
    throw bad_value(axis, item, smooth ? "holds no 7-smooth number" : "holds no prime");
  return values;
}

}  // namespace

std::span<const Column> axis_columns() { return columns().subspan(1, axis_count); }

const std::vector<std::string>& axis_names() {
  static const std::vector<std::string> names = names_by(axis_columns(), &Column::name);
  return names;
}

std::size_t axis_index(std::string_view name) {
  const std::span<const Column> axes = axis_columns();
  const auto found =
      std::ranges::find_if(axes, [&](const Column& axis) { return is_called(axis, name); });
  if (found == axes.end()) throw unknown_name("axis", name, axis_names());
  return static_cast<std::size_t>(found - axes.begin());
}

const std::vector<std::string>& axis_modifiers() {
  static const std::vector<std::string> modifiers = {"pow2", "smooth", "primes"};
  return modifiers;
}

std::vector<std::string> axis_values(std::size_t axis, std::string_view modifier,
                                     std::string_view item) {
  if (!modifier.empty()) index_named(axis_modifiers(), "modifier of an axis", modifier);
  if (item.empty()) throw bad_value(axis, item, "is no value");
  if (!holds_integers(axis)) {
    if (!modifier.empty()) throw bad_value(axis, modifier, "is a modifier of integer axes only");
    return {std::string(item)};
  }
  const Range range = range_in(axis, item);
  std::vector<std::string> values;
  for (const std::uint64_t value : modifier == "smooth" || modifier == "primes"
                                       ? members(range, modifier == "smooth", axis, item)
                                       : progression(range, modifier == "pow2", axis, item)) {
    if (value < axis_columns()[axis].axis->least)
      throw bad_value(axis, item, "contains 0; it is at least 1");
    values.push_back(std::to_string(value));
  }
  return values;
}

std::string canonical_value(std::size_t axis, const std::string& value) {
  const Axis& facts = *axis_columns()[axis].axis;
  const std::string named = facts.of_file == nullptr ? value : facts.of_file(value);
  if (facts.canonical == nullptr) return named;
  try {
    return facts.canonical(named);
  } catch (const InputError&) {  // whoever checks names says why
    return named;
  }
}

std::string check_axis_value(std::size_t axis, const std::string& value,
                             const CheckNames& check_names) {
  const std::string named = canonical_value(axis, value);
  Row row;
  axis_columns()[axis].parse(row, named);
  check_names(row.where);
  return axis_columns()[axis].axis->adds_hash
             ? with_file_hash(with_format_hashes(named), check_names.files())
             : named;
}

void set_axis(Axes& axes, std::string_view assignment, const CheckNames& check_names) {
  const std::size_t equals = assignment.find('=');
  if (equals == std::string_view::npos)
    throw InputError("'" + std::string(assignment) + "' is no axis; expected AXIS=VALUES");
  std::string_view name = trimmed(assignment.substr(0, equals));
  std::string_view modifier;
  if (const std::size_t open = name.find('['); open != std::string_view::npos) {
    if (!name.ends_with(']') || open + 2 == name.size())
      throw InputError("'" + std::string(name) + "' is no axis; expected AXIS or AXIS[MODIFIER]");
    modifier = name.substr(open + 1, name.size() - open - 2);
    name = name.substr(0, open);
  }
  const std::size_t axis = axis_index(name);
  std::vector<std::string> values;
  for (const std::string& item : split_list(assignment.substr(equals + 1)))
    for (std::string& value : axis_values(axis, modifier, item)) {
      if (!holds_integers(axis)) value = check_axis_value(axis, value, check_names);
      values.push_back(std::move(value));
    }
  axes.values[axis] = std::move(values);
}

void normalise(std::vector<Case>& cases) {
  std::ranges::sort(cases);
  cases.erase(std::unique(cases.begin(), cases.end()), cases.end());
}

}  // namespace fftprec
