#include "experiments/inputs/inputs.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "arith/formats/format.hpp"
#include "arith/formats/round.hpp"
#include "arith/support/error.hpp"
#include "experiments/files/file_values.hpp"
#include "experiments/files/format_file.hpp"
#include "experiments/inputs/generators.hpp"
#include "experiments/support/decimal.hpp"
#include "experiments/support/names.hpp"
#include "experiments/tables/tables.hpp"
#include "experiments/tables/weights.hpp"

namespace fftprec {
namespace {

struct Shape {
  std::size_t n;
  std::size_t batch;
  std::uint64_t seed;
  std::size_t count() const { return n * batch; }
};

using Files = std::shared_ptr<FileMemory>;

/// An input: what `fftprec list inputs` says of it, and how it is made, of one with keys from their
/// values, of a file from the text behind the colon.
struct Kind {
  std::string name;
  std::string summary;
  ComplexArray<double> (*make)(const Shape&);
  std::vector<Key> keys{};
  Input::Make (*from_keys)(const std::vector<Key>& values, const Files& files) = nullptr;
  bool is_law = false;  ///< its keys are fp32 numbers, and one at its default changes nothing
};

/// x with each value replaced by change(value, number of values before it).
template <class Change>
ComplexArray<double> changed(ComplexArray<double> x, Change change) {
  for (std::size_t i = 0; i < x.size(); ++i) {
    x.re[i] = change(x.re[i], 2 * i);
    x.im[i] = change(x.im[i], 2 * i + 1);
  }
  return x;
}

/// The input `wide` with the spread `phi`.
Input::Make wide_input(const std::vector<Key>& values, const Files&) {
  const std::string& text = values[0].value;
  const std::optional<double> phi = parse_double(text);
  require(phi && *phi >= 0 && *phi <= 10, "input wide: phi=", text, " is not a number in 0 .. 10");
  return [phi = *phi](std::size_t n, std::size_t batch, std::uint64_t seed) {
    return wide(n * batch, seed, phi);
  };
}

/// The value of a key, rounded to fp32, -0 as 0.
float fp32_number(const Key& key, const std::string& owner) {
  const std::optional<double> value = parse_double(key.value);
  require(value && std::fabs(*value) <= max_finite(fp32), owner, ": ", key.name, "='", key.value,
          "' is not a number that fp32 holds");
  return static_cast<float>(*value) + 0.0F;
}

Input::Make uniform_input(const std::vector<Key>& values, const Files&) {
  const std::string owner = "input uniform";
  const float low = fp32_number(values[0], owner);
  const float high = fp32_number(values[1], owner);
  require(low < high && std::isfinite(high - low), owner, ": low=", values[0].value,
          " to high=", values[1].value, " is no range of fp32");
  return [low, high](std::size_t n, std::size_t batch, std::uint64_t seed) {
    return uniform(n * batch, seed, low, high);
  };
}

Input::Make gaussian_input(const std::vector<Key>& values, const Files&) {
  const std::string owner = "input gaussian";
  const float mean = fp32_number(values[0], owner);
  const float deviation = fp32_number(values[1], owner);
  constexpr float largest = 7;  // no draw is farther out
  require(deviation >= 0, owner, ": deviation=", values[1].value, " is below 0");
  require(std::isfinite(std::fabs(mean) + largest * deviation), owner, ": mean=", values[0].value,
          " and deviation=", values[1].value, " exceed the range of fp32");
  return [mean, deviation](std::size_t n, std::size_t batch, std::uint64_t seed) {
    return gaussian(n * batch, seed, mean, deviation);
  };
}

/// The input that `inner` names, rounded to fp32 and moved by draw `k`. The seed is the input's and
/// the jitter's stream.
Input::Make jittered_input(const std::vector<Key>& values, const Files& files) {
  const std::uint64_t k = whole_number(values[0], "input jitter");
  const std::string& inner = values[1].value;
  require(!inner.empty(), "input jitter: needs an inner input, as in jitter:k=1:inner=torch_randn");
  require(!inner.starts_with("file:"),
          "input jitter: the values of a file are exact, so they take no jitter");
  return
      [k, make = input_named(inner, files)](std::size_t n, std::size_t batch, std::uint64_t seed) {
        return changed(make(n, batch, seed), [&](double value, std::uint64_t counter) {
          return static_cast<double>(jittered(static_cast<float>(value), {k, seed}, counter));
        });
      };
}

/// Values that are infinite have no transform to be compared with.
void refuse_infinities(const ComplexArray<double>& x, const std::string& name,
                       const Format& format) {
  std::size_t beyond = 0;
  for (const auto* part : {&x.re, &x.im})
    for (const double value : *part) beyond += std::isfinite(value) ? 0 : 1;
  if (beyond > 0)
    throw NotApplicable("input " + name + " has " + std::to_string(beyond) + " of " +
                        std::to_string(2 * x.size()) + " parts beyond " + to_string(format) +
                        ", which ends at " + short_number(max_finite(format), 4) +
                        ": an infinite input has no transform");
}

/// The input that `inner` names, each value rounded to the nearest of the format `to`.
Input::Make rounded_input(const std::vector<Key>& values, const Files& files) {
  const Format format = format_named(values[0].value, read_list);
  require(!values[1].value.empty(),
          "input rounded: needs an inner input, as in rounded:to=bf16:inner=gaussian");
  return [format, name = "rounded:to=" + values[0].value + ":inner=" + values[1].value,
          make = input_named(values[1].value, files)](std::size_t n, std::size_t batch,
                                                      std::uint64_t seed) {
    ComplexArray<double> x = changed(make(n, batch, seed), [&](double value, std::uint64_t) {
      return round(value, format, Rounding::rne);
    });
    refuse_infinities(x, name, format);
    return x;
  };
}

/// The value of `inner` where a second operand has the law of the first.
constexpr std::string_view of_itself = "itself";

/// The largest digit: with its sign it fits into a double.
constexpr std::size_t most_bits = 53;

std::optional<std::uint64_t> optional_number(const Key& key, const std::string& owner,
                                             std::uint64_t largest,
                                             const std::string& alternative) {
  if (key.value == alternative) return std::nullopt;
  return whole_number(key, owner, largest, "nor " + alternative);
}

/// Of a digit of so many bits, or of the residues modulo `mod`: from 0 on, or about 0.
IntegerLaw::Range digit_range(double values, bool is_signed) {
  const double least = is_signed ? -std::floor(values / 2) : 0;
  return {least, least + values - 1};
}

IntegerLaw integer_law(const std::vector<Key>& values, std::size_t n) {
  const std::string owner = "input integers";
  const std::size_t bits = whole_number(values[0], owner, most_bits);
  const bool is_signed = choice_of(values[1], owner) == 0;
  const auto mod = optional_number(values[2], owner, std::uint64_t{1} << most_bits, "none");
  const auto exponent = optional_number(values[3], owner, std::uint64_t{1} << 40, "none");
  IntegerLaw law;
  law.pattern = static_cast<IntegerLaw::Pattern>(choice_of(values[4], owner));
  require(!(mod && exponent), owner,
          ": mod and exponent each set the range, so one of them is too "
          "many");
  if (!exponent) {
    const IntegerLaw::Range range = digit_range(
        mod ? static_cast<double>(*mod) : std::ldexp(1.0, static_cast<int>(bits)), is_signed);
    law.range = [range](std::size_t) { return range; };
    return law;
  }
  if (n > 0) {
    const std::uint64_t most = (*exponent + n - 1) / n;
    if (*exponent < n || most > most_bits)
      throw NotApplicable(owner + ": exponent=" + values[3].value +
                          " gives the n = " + std::to_string(n) + " digits " +
                          std::to_string(*exponent / n) + " to " + std::to_string(most) +
                          " bits, and a digit has 1 to " + std::to_string(most_bits));
  }
  law.range = [e = *exponent, n, is_signed](std::size_t j) {
    const auto width = static_cast<int>(first_bit(e, n, j + 1) - first_bit(e, n, j));
    return digit_range(std::ldexp(1.0, width), is_signed);
  };
  return law;
}

/// Whether balanced digits are an even number and so few that their mean of -1/2 counts.
bool is_lopsided(const std::vector<Key>& values) {
  const std::string owner = "input integers";
  if (values[3].value != "none") return false;
  const std::uint64_t count =
      optional_number(values[2], owner, std::uint64_t{1} << most_bits, "none")
          .value_or(std::uint64_t{1} << whole_number(values[0], owner, most_bits));
  return count % 2 == 0 && count < 16;
}

Input::Make integers_input(const std::vector<Key>& values, const Files&) {
  integer_law(values, 0);  // a bad value is an error at once
  return [values](std::size_t n, std::size_t batch, std::uint64_t seed) {
    return integers(n, batch, seed, integer_law(values, n));
  };
}

Input::Make input_of_file(std::string_view place, const Files& files) {
  check_file_input(place, files.get());
  return [where = std::string(place), files](std::size_t n, std::size_t batch, std::uint64_t) {
    return file_input(where, n, batch, files.get());
  };
}

const std::vector<Kind>& kinds() {
  static const std::vector<Kind> all{
      {"torch_randn", "standard normal reals as torch.randn draws them; n * batch >= 16",
       [](const Shape& s) { return torch_randn(s.count(), s.seed); }},
      {"torch_rand", "reals uniform in [0, 1) as torch.rand draws them",
       [](const Shape& s) { return torch_rand(s.count(), s.seed); }},
      {"gaussian",
       "both parts normal",
       nullptr,
       {{"mean", "0"}, {"deviation", "1"}},
       gaussian_input,
       true},
      {"uniform",
       "both parts uniform in [low, high)",
       nullptr,
       {{"low", "-1"}, {"high", "1"}},
       uniform_input,
       true},
      {"impulse", "1 at position seed mod n, else 0",
       [](const Shape& s) { return impulse(s.n, s.batch, s.seed); }},
      {"tone", "exp(2 pi i f j/n) with f = seed mod n",
       [](const Shape& s) { return tone(s.n, s.batch, s.seed); }},
      {"wide",
       "(u - 1/2) exp(phi g): magnitudes over a wide range; phi in 0..10",
       nullptr,
       {{"phi", "4"}},
       wide_input},
      {"cancelling", "1 + 2^-12 noise: all outputs but the first are sums that cancel",
       [](const Shape& s) { return cancelling(s.count(), s.seed); }},
      {"chirp", "exp(i pi j^2/n)", [](const Shape& s) { return chirp(s.n, s.batch); }},
      {"dc", "1 everywhere", [](const Shape& s) { return constant(s.n, s.batch); }},
      {"ramp", "j/n", [](const Shape& s) { return ramp(s.n, s.batch); }},
      {"image", "grey values in [0, 1] of a made-up picture, square or twice as wide",
       [](const Shape& s) { return image(s.n, s.batch, s.seed); }},
      {"probe_product", "1 + 2^-7 everywhere: whether products are exact",
       [](const Shape& s) { return probe_product(s.n, s.batch); }},
      {"probe_rounding", "1, then 1.5 2^-24: how sums round; ones if the seed is odd",
       [](const Shape& s) { return probe_rounding(s.n, s.batch, s.seed); }},
      {"probe_order", "2^24, 1, 0, ..., -2^24: in which order sums run; ones if the seed is odd",
       [](const Shape& s) { return probe_order(s.n, s.batch, s.seed); }},
      {"file",
       "file:PATH[?offset=0&channel=0&dtype=D]: values of a NumPy .npy file or a WAV recording",
       nullptr},
      {"integers",
       "whole numbers of `bits` bits, or modulo `mod`, or the digits of a number modulo 2^exponent "
       "- 1; `inner`: the second operand of a product",
       nullptr,
       {{"bits", "16", {}, "1 to 53"},
        {"sign", "balanced", {"balanced", "unsigned"}},
        {"mod", "none", {}, "none, or up to 2^53"},
        {"exponent", "none", {}, "none, or up to 2^40"},
        {"pattern", "random", {"random", "limit", "signs", "alternating"}},
        {"inner", std::string(of_itself), {}, "an input, or itself"}},
       integers_input},
      {"jitter",
       "the input `inner` with every value moved by -1, 0 or 1 unit in the last place of fp32; "
       "draw "
       "k",
       nullptr,
       {{"k", "1", {}, "1 to 2^24"}, {"inner", ""}},
       jittered_input},
      {"rounded",
       "the input `inner` with every value rounded to the format `to`; truth and errors are then "
       "those of what is stored",
       nullptr,
       {{"to", "bf16", {}, "a format"}, {"inner", ""}},
       rounded_input},
  };
  return all;
}

Input::Make values_of(const Kind& kind, std::string_view text, const Files& files) {
  if (kind.name == "file") return input_of_file(text, files);
  const std::vector<Key> values = with_values(kind.keys, text, "input " + kind.name);
  if (kind.from_keys) return kind.from_keys(values, files);
  return [make = kind.make](std::size_t n, std::size_t batch, std::uint64_t seed) {
    return make({n, batch, seed});
  };
}

/// The shortest decimal that reads back as the float.
std::string shortest_float(float value) {
  std::array<char, 32> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value).ptr;
  return {text.data(), end};
}

}  // namespace

Input input_named(std::string_view name, const std::shared_ptr<FileMemory>& files) {
  const auto [base, text] = split_name(name);
  const Kind& kind = item_named(kinds(), "input", base);
  Input::Make values = values_of(kind, text, files ? files : file_memory());
  if (name.size() == base.size() + 1) throw unknown_name("key of input " + kind.name, text, {});
  Input input{[values = std::move(values)](std::size_t n, std::size_t batch, std::uint64_t seed) {
                require(n >= 1 && batch >= 1, "make_input: n and batch must be at least 1");
                return values(n, batch, seed);
              },
              name.starts_with(file_kind)};
  if (kind.from_keys == integers_input)
    if (const std::string inner = with_values(kind.keys, text, "input integers").back().value;
        inner != of_itself)
      input.second = std::make_shared<const Input>(input_named(inner, files));
  return input;
}

ComplexArray<double> make_input(std::string_view name, std::size_t n, std::size_t batch,
                                std::uint64_t seed) {
  return input_named(name)(n, batch, seed);
}

std::string canonical_input(std::string_view name) {
  const auto [base, text] = split_name(name);
  const Kind& kind = item_named(kinds(), "input", base);
  const std::string owner = "input " + kind.name;
  if (kind.from_keys == integers_input) {
    std::vector<Key> values = with_values(kind.keys, text, owner);
    if (std::string& inner = values.back().value; inner != of_itself)
      inner = canonical_input(inner);
    return spelled(kind.name, kind.keys, values);
  }
  const bool has_inner = !kind.keys.empty() && kind.keys.back().name == "inner";
  if (has_inner) {
    const std::string inner = with_values(kind.keys, text, owner).back().value;
    return std::string(name.substr(0, name.size() - inner.size())) + canonical_input(inner);
  }
  if (!kind.is_law) return std::string(name);
  std::string canonical = kind.name;
  const std::vector<Key> values = with_values(kind.keys, text, owner);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const float value = fp32_number(values[i], owner);
    if (value != fp32_number(kind.keys[i], owner))
      canonical += ":" + values[i].name + "=" + shortest_float(value);
  }
  return canonical;
}

bool has_mean(std::string_view name) {
  const auto [base, text] = split_name(name);
  const auto kind = std::ranges::find(kinds(), base, &Kind::name);
  if (kind == kinds().end() || kind->keys.empty()) return base == "torch_rand";
  const std::string owner = "input " + kind->name;
  const std::vector<Key> values = with_values(kind->keys, text, owner);
  if (kind->from_keys == integers_input) {
    const std::string& inner = values.back().value;
    const bool is_random = values[4].value == "random" || values[4].value == "signs";
    const bool is_apart = values[1].value == "unsigned" || is_lopsided(values);
    return (is_random && is_apart) || (inner != of_itself && has_mean(inner));
  }
  if (values.back().name == "inner") return has_mean(values.back().value);
  if (base == "gaussian") return fp32_number(values[0], owner) != 0;
  return base == "uniform" && fp32_number(values[0], owner) != -fp32_number(values[1], owner);
}

std::vector<IntegerLaw::Range> digit_ranges(std::string_view input, std::size_t n,
                                            std::size_t operands) {
  const auto [base, text] = split_name(input);
  const Kind& kind = item_named(kinds(), "input", base);
  if (kind.from_keys != integers_input) return {};
  const std::vector<Key> values = with_values(kind.keys, text, "input integers");
  const IntegerLaw law = integer_law(values, n);
  std::vector<IntegerLaw::Range> ranges;
  for (std::size_t j = 0; j < n; ++j) ranges.push_back(law.range(j));
  if (operands == 1) return ranges;
  const std::string& inner = values.back().value;
  const std::vector<IntegerLaw::Range> others =
      inner == of_itself ? ranges : digit_ranges(inner, n, 1);
  if (others.empty()) return {};
  ranges.insert(ranges.end(), others.begin(), others.end());
  return ranges;
}

std::vector<Named> list_inputs() { return named(kinds()); }

}  // namespace fftprec
