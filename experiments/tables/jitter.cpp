#include "experiments/tables/jitter.hpp"

#include <bit>
#include <string>
#include <vector>

#include "arith/formats/round.hpp"
#include "arith/support/error.hpp"
#include "experiments/cases/name_keys.hpp"
#include "experiments/inputs/inputs.hpp"

namespace fftprec {

namespace {

struct Request {
  std::uint64_t k;
  std::string input;
};

Request parse(std::string_view keys) {
  const std::string owner = "input jitter";
  const std::vector<Key> values = with_values({{"k", "1"}, {"inner", ""}}, keys, owner);
  Request request{whole_number(values[0], owner), values[1].value};
  require(!request.input.empty(), "input jitter: say of what, as in jitter:k=1:inner=torch_randn");
  require(!request.input.starts_with("file:"),
          "input jitter: the values of a file are known, so they are not moved");
  return request;
}

}  // namespace

float jittered(float x, const Jitter& jitter, std::uint64_t counter) {
  if (jitter.k == 0 || x == 0) return x;
  const std::uint64_t random =
      random_bits({.bits = 32, .seed = jitter.k, .stream = jitter.stream}, counter) >> 32;
  const auto third = static_cast<std::uint32_t>(3 * random >> 32);
  // Patterns of one sign are ordered as magnitudes are: one up or down is the next number.
  return std::bit_cast<float>(std::bit_cast<std::uint32_t>(x) + third - 1);
}

ComplexArray<double> jittered_input(std::string_view keys, std::size_t n, std::size_t batch,
                                    std::uint64_t seed) {
  const Request request = parse(keys);
  ComplexArray<double> x = make_input(request.input, n, batch, seed);
  const Jitter jitter{request.k, seed};
  const auto moved = [&jitter](double value, std::uint64_t counter) {
    return static_cast<double>(jittered(static_cast<float>(value), jitter, counter));
  };
  for (std::size_t i = 0; i < x.size(); ++i) {
    x.re[i] = moved(x.re[i], 2 * i);
    x.im[i] = moved(x.im[i], 2 * i + 1);
  }
  return x;
}

void check_jittered_input(std::string_view keys) { check_input_name(parse(keys).input); }

}  // namespace fftprec
