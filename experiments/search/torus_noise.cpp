#include "experiments/search/torus_noise.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "arith/support/error.hpp"
#include "arith/truth/metrics.hpp"
#include "experiments/cases/evaluate.hpp"
#include "experiments/inputs/inputs.hpp"
#include "experiments/support/decimal.hpp"
#include "experiments/support/names.hpp"
#include "experiments/sweeps/run.hpp"

namespace fftprec::search {

namespace {

constexpr std::string_view torus = "torus";

/// Significant bits of the doubles that inputs consist of.
constexpr std::size_t most_element_bits = 53;

std::size_t element_bits(const ExternalProduct& product) {
  return std::min(product.bits, most_element_bits);
}

/// The errors of results that the phase adds: N/2 for each binary secret, and its own.
double errors_of_phase(const ExternalProduct& product, std::size_t n) {
  return 1 + static_cast<double>(product.dimension) * static_cast<double>(n) / 2;
}

}  // namespace

double ExternalProduct::noise(double relative_error, std::size_t n) const {
  const double digits = static_cast<double>(base) * static_cast<double>(base) / 12;
  const double result = static_cast<double>(terms()) * static_cast<double>(n) * digits / 12;
  return relative_error * std::sqrt(errors_of_phase(*this, n) * result);
}

ExternalProduct external_product_named(std::string_view name) {
  const std::string owner = "exact --given " + std::string(torus);
  const auto [kind, text] = split_name(name);
  require(kind == torus, "exact: ", name, " is no torus");
  const std::vector<Key> keys =
      with_values({{"bits", "64"}, {"base", ""}, {"levels", "1"}, {"dimension", "1"}}, text, owner);
  constexpr std::uint64_t most = std::uint64_t{1} << 52;
  const std::optional<std::uint64_t> base = parse_count(keys[1].value);
  require(base && *base >= 2 && *base <= most, owner, ": base='", keys[1].value,
          "' is no whole number from 2 to 2^52, such as 2^23");
  const auto count = [&](const Key& key) {
    return static_cast<std::size_t>(whole_number(key, owner, 64));
  };
  return {
      .bits = count(keys[0]), .base = *base, .levels = count(keys[2]), .dimension = count(keys[3])};
}

Case with_external_product(const Case& where, const ExternalProduct& product) {
  constexpr std::string_view digits = "integers";
  const auto refuse = [&] {
    throw InputError(
        "exact: --given torus is of transform=product:negacyclic or product:negacyclic:half, not " +
        where.transform);
  };
  if (split_name(where.transform).name != "product") refuse();
  KeyedChange transform(list_transforms(), where.transform, "transform");
  const std::string form = transform["form"];
  if (form == "pair" || transform.reset("form").text() != "product:negacyclic") refuse();
  require(where.input == digits || where.input == Case{}.input,
          "exact: --given torus sets the input, so input=", where.input, " is too much");
  Case with = where;
  with.transform = transform.set("form", form).set("terms", std::to_string(product.terms())).text();
  with.input = canonical_input("integers:bits=" + std::to_string(element_bits(product)) +
                               ":inner=integers:mod=" + std::to_string(product.base));
  return with;
}

TorusNoise torus_noise(Session& session, const Case& where, const ExternalProduct& product,
                       const ExactRequest& request) {
  TorusNoise noise;
  double squares = 0;
  std::size_t results = 0;
  const auto take = [&](const FinishedCase& finished) {
    const Row& row = finished.row;
    if (row.status != Status::ok || !row.err_l2_rel) throw NotApplicable(row.message);
    const ComplexArray<double>& truth = finished.problem->truth.hi;
    const double error = *row.err_l2_rel * truth::l2_norm(truth);
    squares += error * error;
    results += truth.size();
    if (row.expected_l2_rel) noise.expected = product.noise(*row.expected_l2_rel, where.n);
  };
  run_seeds(session, where, request, RowExtent::whole, take);
  const double unit = std::ldexp(1.0, -static_cast<int>(element_bits(product)));
  noise.measured =
      unit * std::sqrt(errors_of_phase(product, where.n) * squares / static_cast<double>(results));
  return noise;
}

}  // namespace fftprec::search
