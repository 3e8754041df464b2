#include "experiments/inputs/inputs.hpp"

#include <optional>
#include <string>
#include <vector>

#include "arith/formats/round.hpp"
#include "arith/support/error.hpp"
#include "experiments/files/file_values.hpp"
#include "experiments/files/format_file.hpp"
#include "experiments/inputs/generators.hpp"
#include "experiments/support/decimal.hpp"
#include "experiments/support/names.hpp"
#include "experiments/tables/tables.hpp"

namespace fftprec {
namespace {

struct Shape {
  std::size_t n;
  std::size_t batch;
  std::uint64_t seed;
  std::size_t count() const { return n * batch; }
};

using Files = std::shared_ptr<FileMemory>;

/// An input: what `fftprec list inputs` says of it, and how it is made, of one with keys as the
/// text behind the colon says.
struct Kind {
  std::string name;
  std::string summary;
  ComplexArray<double> (*make)(const Shape&);
  Input::Make (*from_text)(std::string_view text, const Files& files) = nullptr;
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

/// The input `wide` with the spread that `keys` give, "phi=PHI".
Input::Make wide_input(std::string_view keys, const Files&) {
  const std::string text = with_values({{"phi", "4"}}, keys, "input wide").front().value;
  const std::optional<double> phi = parse_double(text);
  require(phi && *phi >= 0 && *phi <= 10, "input wide: phi=", text, " is not a number in 0 .. 10");
  return [phi = *phi](std::size_t n, std::size_t batch, std::uint64_t seed) {
    return wide(n * batch, seed, phi);
  };
}

/// The input that `keys` names, "k=K:inner=INPUT", rounded to fp32 and jittered; what follows
/// `inner=` is a whole name. The seed is the input's and the jitter's stream.
Input::Make jittered_input(std::string_view keys, const Files& files) {
  const std::string owner = "input jitter";
  const std::vector<Key> values = with_values({{"k", "1"}, {"inner", ""}}, keys, owner);
  const std::uint64_t k = whole_number(values[0], owner);
  const std::string& inner = values[1].value;
  require(!inner.empty(), "input jitter: say of what, as in jitter:k=1:inner=torch_randn");
  require(!inner.starts_with("file:"),
          "input jitter: the values of a file are known, so they are not moved");
  return
      [k, make = input_named(inner, files)](std::size_t n, std::size_t batch, std::uint64_t seed) {
        return changed(make(n, batch, seed), [&](double value, std::uint64_t counter) {
          return static_cast<double>(jittered(static_cast<float>(value), {k, seed}, counter));
        });
      };
}

/// The input that `keys` names, "to=FORMAT:inner=INPUT", each value rounded to the nearest of the
/// format.
Input::Make rounded_input(std::string_view keys, const Files& files) {
  const std::string owner = "input rounded";
  const std::vector<Key> values = with_values({{"to", "bf16"}, {"inner", ""}}, keys, owner);
  const Format format = format_named(values[0].value, read_list);
  require(!values[1].value.empty(),
          "input rounded: say what is rounded, as in rounded:to=bf16:inner=gaussian");
  return [format, make = input_named(values[1].value, files)](std::size_t n, std::size_t batch,
                                                              std::uint64_t seed) {
    return changed(make(n, batch, seed), [&](double value, std::uint64_t) {
      return round(value, format, Rounding::rne);
    });
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
      {"gaussian", "both parts standard normal",
       [](const Shape& s) { return gaussian(s.count(), s.seed); }},
      {"uniform", "both parts uniform in [-1, 1)",
       [](const Shape& s) { return uniform(s.count(), s.seed); }},
      {"impulse", "1 at position seed mod n, else 0",
       [](const Shape& s) { return impulse(s.n, s.batch, s.seed); }},
      {"tone", "exp(2 pi i f j/n) with f = seed mod n",
       [](const Shape& s) { return tone(s.n, s.batch, s.seed); }},
      {"wide", "(u - 1/2) exp(phi g): magnitudes over a wide range; key phi in 0..10, default 4",
       nullptr, wide_input},
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
       nullptr, input_of_file},
      {"jitter",
       "jitter:k=1:inner=INPUT: INPUT with every value moved by -1, 0 or 1 unit in the last place "
       "of "
       "fp32; draw k",
       nullptr, jittered_input},
      {"rounded",
       "rounded:to=FORMAT:inner=INPUT: INPUT with every value rounded to the format; truth and "
       "errors "
       "are then those of what is stored",
       nullptr, rounded_input},
  };
  return all;
}

}  // namespace

Input input_named(std::string_view name, const std::shared_ptr<FileMemory>& files) {
  const auto [base, text] = split_name(name);
  const Kind& kind = item_named(kinds(), "input", base);
  Input::Make values;
  if (kind.from_text) {
    values = kind.from_text(text, files ? files : file_memory());
  } else {
    with_values({}, text, "input " + kind.name);  // none is known
    values = [make = kind.make](std::size_t n, std::size_t batch, std::uint64_t seed) {
      return make({n, batch, seed});
    };
  }
  if (name.size() == base.size() + 1) throw unknown_name("key of input " + kind.name, text, {});
  return {[values = std::move(values)](std::size_t n, std::size_t batch, std::uint64_t seed) {
            require(n >= 1 && batch >= 1, "make_input: n and batch must be at least 1");
            return values(n, batch, seed);
          },
          name.starts_with(file_kind)};
}

ComplexArray<double> make_input(std::string_view name, std::size_t n, std::size_t batch,
                                std::uint64_t seed) {
  return input_named(name)(n, batch, seed);
}

std::vector<Named> list_inputs() { return named(kinds()); }

}  // namespace fftprec
