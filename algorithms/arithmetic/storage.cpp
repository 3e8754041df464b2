#include "algorithms/arithmetic/storage.hpp"

#include <charconv>

#include "arith/support/error.hpp"

namespace fftprec {

namespace {

constexpr std::string_view pass = "pass:";
constexpr std::size_t most_stages = 64;
constexpr std::string_view of_input = "input:2^";
constexpr std::string_view halved = "stage:1/2";
constexpr std::string_view root_halved = "stage:1/sqrt2";
constexpr std::string_view by_block = "block";
constexpr std::string_view shifted = "shift:";
constexpr int most_exponent = 64;

/// The whole of `text` after `prefix` as a number in first..last; `expected` says of what.
template <class Number>
Number number_after(std::string_view prefix, std::string_view text, Number first, Number last,
                    const std::string& expected) {
  Number number{};
  const char* end = text.data() + text.size();
  const auto read = std::from_chars(text.data() + prefix.size(), end, number);
  require(read.ec == std::errc() && read.ptr == end && number >= first && number <= last, "'", text,
          "': ", expected);
  return number;
}

ScalePolicy::Shifts shifts_of(std::string_view name) {
  const std::string_view digits = name.substr(shifted.size());
  ScalePolicy::Shifts shifts{};
  require(!digits.empty() && digits.size() <= shifts.size() &&
              digits.find_first_not_of("0123456789") == std::string_view::npos,
          "'", name, "': a shift has 1..", std::to_string(shifts.size()),
          " digits, bits before each level of radix 2, as in shift:01");
  for (std::size_t i = 0; i < shifts.size(); ++i)
    shifts[i] = static_cast<std::uint8_t>(digits[std::min(i, digits.size() - 1)] - '0');
  return shifts;
}

/// Without digits that repeat the one before them to the end.
std::string digits_of(const ScalePolicy::Shifts& shifts) {
  std::string digits;
  for (const std::uint8_t shift : shifts) digits += static_cast<char>('0' + shift);
  const std::size_t other = digits.find_last_not_of(digits.back());
  return digits.substr(0, other == std::string::npos ? 1 : other + 2);
}

}  // namespace

RoundingPoints rounding_points_named(std::string_view name) {
  if (name == "op") return {};
  if (name == "stage") return {1};
  if (name == "ends") return {RoundingPoints::one_pass};
  if (!name.starts_with(pass))
    throw unknown_name("rounding_points", name, {"op", "stage", "pass:K", "ends"});
  return {number_after(pass, name, std::size_t{1}, most_stages,
                       "a pass has 1.." + std::to_string(most_stages) + " stages, as in pass:3")};
}

ScalePolicy scale_policy_named(std::string_view name) {
  using Stages = ScalePolicy::Stages;
  if (name == "none") return {};
  if (name == halved) return {.stages = Stages::halved};
  if (name == root_halved) return {.stages = Stages::root_halved};
  if (name == by_block) return {.stages = Stages::block};
  if (name.starts_with(shifted)) return {.stages = Stages::shifted, .shifts = shifts_of(name)};
  if (!name.starts_with(of_input))
    throw unknown_name("scale", name,
                       {"none", "input:2^K", std::string(halved), std::string(root_halved),
                        "shift:01", std::string(by_block), "input:2^K+stage:1/2"});
  if (const std::size_t plus = name.find('+'); plus != name.npos) {
    ScalePolicy both = scale_policy_named(name.substr(plus + 1));
    require(both.stages != Stages::whole, "scale '", name, "': after + comes a scale of stages");
    both.input = scale_policy_named(name.substr(0, plus)).input;
    return both;
  }
  const std::string most = std::to_string(most_exponent);
  return {number_after(of_input, name, -most_exponent, most_exponent,
                       "input is scaled by 2^-" + most + " .. 2^" + most + ", as in input:2^-4")};
}

std::string name_of(const ScalePolicy& policy) {
  constexpr std::string_view of_stages[] = {"", halved, root_halved, by_block, shifted};
  std::string stages(of_stages[static_cast<std::size_t>(policy.stages)]);
  if (policy.stages == ScalePolicy::Stages::shifted) stages += digits_of(policy.shifts);
  if (policy.input == 0) return stages.empty() ? "none" : stages;
  return std::string(of_input) + std::to_string(policy.input) + (stages.empty() ? "" : "+") +
         stages;
}

std::string name_of(const RoundingPoints& policy) {
  switch (policy.stages) {
    case 0:
      return "op";
    case 1:
      return "stage";
    case RoundingPoints::one_pass:
      return "ends";
    default:
      return std::string(pass) + std::to_string(policy.stages);
  }
}

const std::vector<NamedPolicy>& all_rounding_points() {
  static const std::vector<NamedPolicy> all = {
      {"op", "after every operation"},
      {"stage", "after every stage; fp32 within it"},
      {"pass:3", "after every third stage of an FFT, and at its end; pass:K for any K"},
      {"ends", "input and result only"},
  };
  return all;
}

const std::vector<NamedPolicy>& scale_policies() {
  static const std::vector<NamedPolicy> all = {
      {"none", "data are not scaled"},
      {"input:2^-4",
       "operands are multiplied by 2^-4 before they are stored, results by 2^4; input:2^K for any "
       "K"},
      {halved,
       "data are multiplied by 1/2 before a radix-2 stage, 1/r before one of radix r: no sum "
       "grows"},
      {root_halved, "data are multiplied by 1/sqrt 2, or 1/sqrt r: the size of noise stays"},
      {"shift:01",
       "digit i is the right shift before radix-2 level i, the last digit repeats; a radix-8 stage "
       "has three levels; the result is not divided by n again"},
      {by_block, "data share an exponent: in a stage in fixed point, else where passes are stored"},
  };
  return all;
}

}  // namespace fftprec
