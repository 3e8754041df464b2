#include "experiments/inputs/inputs.hpp"

#include <algorithm>
#include <charconv>
#include <string>
#include <vector>

#include "arith/formats/round.hpp"
#include "arith/support/error.hpp"
#include "experiments/files/file_values.hpp"
#include "experiments/inputs/inputs_random.hpp"
#include "experiments/inputs/inputs_signals.hpp"
#include "experiments/support/decimal.hpp"
#include "experiments/support/names.hpp"
#include "experiments/tables/tables.hpp"

namespace fftprec {
namespace {

/// A key of an input, with its default and the range of its values.
struct Parameter {
  std::string name;
  double value;
  double smallest;
  double largest;
};

struct Shape {
  std::size_t n;
  std::size_t batch;
  std::uint64_t seed;
  std::size_t count() const { return n * batch; }
};

/// An input whose text after the colon is not a list of numbers.
struct FromText {
  ComplexArray<double> (*make)(std::string_view text, std::size_t n, std::size_t batch,
                               std::uint64_t seed);
  void (*check)(std::string_view text);
};

/// An input: what `fftprec list inputs` says of it, its keys, and how it is made. Without `make`
/// it is made from the text that follows the colon.
struct Kind {
  std::string name;
  std::string summary;
  std::vector<Parameter> parameters;
  ComplexArray<double> (*make)(const Shape&, const std::vector<Parameter>&);
  FromText from_text{};
};

using Parameters = std::vector<Parameter>;

/// x with each value replaced by change(value, number of values before it).
template <class Change>
ComplexArray<double> changed(ComplexArray<double> x, Change change) {
  for (std::size_t i = 0; i < x.size(); ++i) {
    x.re[i] = change(x.re[i], 2 * i);
    x.im[i] = change(x.im[i], 2 * i + 1);
  }
  return x;
}

struct JitterRequest {
  std::uint64_t k;
  std::string input;
};

JitterRequest parse_jitter(std::string_view keys) {
  const std::string owner = "input jitter";
  const std::vector<Key> values = with_values({{"k", "1"}, {"inner", ""}}, keys, owner);
  JitterRequest request{whole_number(values[0], owner), values[1].value};
  require(!request.input.empty(), "input jitter: say of what, as in jitter:k=1:inner=torch_randn");
  require(!request.input.starts_with("file:"),
          "input jitter: the values of a file are known, so they are not moved");
  return request;
}

/// n * batch values of the input that `keys` names, "k=K:inner=INPUT", rounded to fp32 and
/// jittered; what follows `inner=` is a whole name. `seed` is the input's and the jitter's stream.
ComplexArray<double> jittered_input(std::string_view keys, std::size_t n, std::size_t batch,
                                    std::uint64_t seed) {
  const JitterRequest request = parse_jitter(keys);
  const Jitter jitter{request.k, seed};
  return changed(make_input(request.input, n, batch, seed),
                 [&jitter](double value, std::uint64_t counter) {
                   return static_cast<double>(jittered(static_cast<float>(value), jitter, counter));
                 });
}

void check_jittered_input(std::string_view keys) { check_input_name(parse_jitter(keys).input); }

struct RoundRequest {
  Format format;
  std::string input;
};

RoundRequest parse_rounded(std::string_view keys) {
  const std::string owner = "input rounded";
  const std::vector<Key> values = with_values({{"to", "bf16"}, {"inner", ""}}, keys, owner);
  RoundRequest request{format_named(values[0].value), values[1].value};
  require(!request.input.empty(),
          "input rounded: say what is rounded, as in rounded:to=bf16:inner=gaussian");
  return request;
}

/// n * batch values of the input that `keys` names, "to=FORMAT:inner=INPUT", each rounded to the
/// nearest of the format.
ComplexArray<double> rounded_input(std::string_view keys, std::size_t n, std::size_t batch,
                                   std::uint64_t seed) {
  const RoundRequest request = parse_rounded(keys);
  return changed(make_input(request.input, n, batch, seed),
                 [&request](double value, std::uint64_t) {
                   return round(value, request.format, Rounding::rne);
                 });
}

void check_rounded_input(std::string_view keys) { check_input_name(parse_rounded(keys).input); }

const std::vector<Kind>& kinds() {
  static const std::vector<Kind> all{
      {"torch_randn",
       "standard normal reals as torch.randn draws them; n * batch >= 16",
       {},
       [](const Shape& s, const Parameters&) { return torch_randn(s.count(), s.seed); }},
      {"gaussian",
       "both parts standard normal",
       {},
       [](const Shape& s, const Parameters&) { return gaussian(s.count(), s.seed); }},
      {"uniform",
       "both parts uniform in [-1, 1)",
       {},
       [](const Shape& s, const Parameters&) { return uniform(s.count(), s.seed); }},
      {"impulse",
       "1 at position seed mod n, else 0",
       {},
       [](const Shape& s, const Parameters&) { return impulse(s.n, s.batch, s.seed); }},
      {"tone",
       "exp(2 pi i f j/n) with f = seed mod n",
       {},
       [](const Shape& s, const Parameters&) { return tone(s.n, s.batch, s.seed); }},
      {"wide",
       "(u - 1/2) exp(phi g): magnitudes over a wide range; key phi in 0..10, default 4",
       {{"phi", 4, 0, 10}},
       [](const Shape& s, const Parameters& p) { return wide(s.count(), s.seed, p[0].value); }},
      {"cancelling",
       "1 + 2^-12 noise: all outputs but the first are sums that cancel",
       {},
       [](const Shape& s, const Parameters&) { return cancelling(s.count(), s.seed); }},
      {"chirp",
       "exp(i pi j^2/n)",
       {},
       [](const Shape& s, const Parameters&) { return chirp(s.n, s.batch); }},
      {"dc",
       "1 everywhere",
       {},
       [](const Shape& s, const Parameters&) { return constant(s.n, s.batch); }},
      {"ramp", "j/n", {}, [](const Shape& s, const Parameters&) { return ramp(s.n, s.batch); }},
      {"image",
       "grey values in [0, 1] of a made-up picture, square or twice as wide",
       {},
       [](const Shape& s, const Parameters&) { return image(s.n, s.batch, s.seed); }},
      {"probe_product",
       "1 + 2^-7 everywhere: whether products are exact",
       {},
       [](const Shape& s, const Parameters&) { return probe_product(s.n, s.batch); }},
      {"probe_rounding",
       "1, then 1.5 2^-24: how sums round; ones if the seed is odd",
       {},
       [](const Shape& s, const Parameters&) { return probe_rounding(s.n, s.batch, s.seed); }},
      {"probe_order",
       "2^24, 1, 0, ..., -2^24: in which order sums run; ones if the seed is odd",
       {},
       [](const Shape& s, const Parameters&) { return probe_order(s.n, s.batch, s.seed); }},
      {"file",
       "file:PATH[?offset=0&channel=0&dtype=D]: values of a NumPy .npy file or a WAV recording",
       {},
       nullptr,
       {[](std::string_view place, std::size_t n, std::size_t batch, std::uint64_t) {
          return file_input(place, n, batch);
        },
        check_file_input}},
      {"jitter",
       "jitter:k=1:inner=INPUT: INPUT with every value moved by -1, 0 or 1 unit in the last place "
       "of "
       "fp32; draw k",
       {},
       nullptr,
       {jittered_input, check_jittered_input}},
      {"rounded",
       "rounded:to=FORMAT:inner=INPUT: INPUT with every value rounded to the format; truth and "
       "errors "
       "are then those of what is stored",
       {},
       nullptr,
       {rounded_input, check_rounded_input}},
  };
  return all;
}

/// Puts "key=value" into its place.
void assign(std::string_view text, std::string_view input, Parameters& parameters) {
  const std::size_t equals = std::min(text.find('='), text.size());
  const std::string_view key = text.substr(0, equals);
  const auto parameter = std::find_if(parameters.begin(), parameters.end(),
                                      [&](const Parameter& p) { return p.name == key; });
  if (parameter == parameters.end()) {
    std::vector<std::string> known;
    for (const Parameter& p : parameters) known.push_back(p.name);
    throw unknown_name("key of input " + std::string(input), key, known);
  }
  const std::string_view number = text.substr(std::min(equals + 1, text.size()));
  const char* end = number.data() + number.size();
  const auto [stop, error] = std::from_chars(number.data(), end, parameter->value);
  const bool good = error == std::errc{} && stop == end &&
                    parameter->value >= parameter->smallest &&
                    parameter->value <= parameter->largest;
  if (!good)
    throw InputError("input " + std::string(input) + ": " + std::string(text) +
                     " is not a number in " + shortest(parameter->smallest) + " .. " +
                     shortest(parameter->largest));
}

/// A name taken apart.
struct Request {
  const Kind& kind;
  Parameters parameters;
  std::string_view text;  ///< after the colon
};

Request parse(std::string_view text) {
  const std::size_t colon = text.find(':');
  const std::string_view name = text.substr(0, colon);
  const Kind& kind = item_named(kinds(), "input", name);
  Request request{kind, kind.parameters, text.substr(std::min(name.size() + 1, text.size()))};
  if (colon == std::string_view::npos || !kind.make) return request;
  for (std::string_view rest = text.substr(colon + 1);;) {
    const std::size_t comma = rest.find(',');
    assign(rest.substr(0, comma), name, request.parameters);
    if (comma == std::string_view::npos) return request;
    rest.remove_prefix(comma + 1);
  }
}

}  // namespace

ComplexArray<double> make_input(std::string_view name, std::size_t n, std::size_t batch,
                                std::uint64_t seed) {
  require(n >= 1 && batch >= 1, "make_input: n and batch must be at least 1");
  const Request request = parse(name);
  if (!request.kind.make) return request.kind.from_text.make(request.text, n, batch, seed);
  return request.kind.make({n, batch, seed}, request.parameters);
}

void check_input_name(std::string_view name) {
  const Request request = parse(name);
  if (!request.kind.make) request.kind.from_text.check(request.text);
}

std::vector<Named> list_inputs() { return named(kinds()); }

}  // namespace fftprec
