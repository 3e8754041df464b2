#include "arith/formats/number_families.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "arith/support/error.hpp"
#include "arith/support/keyed_values.hpp"

namespace fftprec {

namespace {

using NewSystem = std::unique_ptr<NumberSystem>;

/// The number at the front of `text`, which is then gone.
std::optional<int> leading_number(std::string_view& text) {
  int number = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
  if (read.ec != std::errc() || number < 0) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(read.ptr - text.data()));
  return number;
}

/// The width after `kind`, checked; nothing for another kind of name.
std::optional<int> width_after(std::string_view kind, std::string_view text, int first, int last) {
  std::string_view digits = text.substr(std::min(kind.size(), text.size()));
  if (!text.starts_with(kind) || digits.empty()) return std::nullopt;
  const std::optional<int> bits = leading_number(digits);
  if (!bits || !digits.empty()) return std::nullopt;
  require(*bits >= first && *bits <= last, "format '", text, "': ", kind, "s have ", first, " to ",
          last, " bits");
  return bits;
}

/// The place of 2^e among the codes of positN: a run of k + 1 ones or -k zeros for the regime k,
/// the bit that ends it, two bits of e mod 4.
double posit_place(int bits, int e) {
  const int regime = e >= 0 ? e / 4 : -((3 - e) / 4);
  const double exponent = e - 4 * regime;
  if (regime >= 0)
    return std::ldexp(1, bits - 1) - std::ldexp(1, bits - 2 - regime) +
           std::ldexp(exponent, bits - 5 - regime);
  return std::ldexp(1, bits - 2 + regime) + std::ldexp(exponent, bits - 4 + regime);
}

/// positN, N = 3..32: a regime, two bits of exponent, and the rest (Posit Standard 2022).
NewSystem make_posit(std::string_view name) {
  const auto bits = width_after("posit", name, 3, 32);
  if (!bits) return nullptr;
  const int highest = 4 * (*bits - 2);
  std::vector<double> places;
  for (int e = -highest; e <= highest; ++e) places.push_back(posit_place(*bits, e));
  return tapered_system(std::string(name),
                        std::to_string(*bits) + "-bit posit (Posit Standard 2022)", *bits, -highest,
                        std::move(places));
}

/// Of takumN: a bit of direction, three of the regime r, r bits of characteristic.
double takum_place(int bits, int e) {
  const auto size = static_cast<unsigned>(e >= 0 ? e + 1 : -e);
  const int regime = static_cast<int>(std::bit_width(size)) - 1;
  const int power = 1 << regime;
  const double direction = e >= 0 ? 8 + regime : 7 - regime;
  const double characteristic = e >= 0 ? e + 1 - power : e + 2 * power - 1;
  return std::ldexp(direction, bits - 5) + std::ldexp(characteristic, bits - 5 - regime);
}

/// takumN, N = 6..32: linear takums (Hunhold 2024).
NewSystem make_takum(std::string_view name) {
  const auto bits = width_after("takum", name, 6, 32);
  if (!bits) return nullptr;
  std::vector<double> places;
  for (int e = -255; e <= 254; ++e) places.push_back(takum_place(*bits, e));
  return tapered_system(std::string(name),
                        std::to_string(*bits) + "-bit linear takum (Hunhold 2024)", *bits, -255,
                        std::move(places));
}

/// What a name of P3109 says.
struct P3109 {
  int k = 0;
  int p = 0;
  bool is_signed = true;
  bool extended = true;
  std::string overflow = "infinity";

  std::string name() const {
    return "binary" + std::to_string(k) + "p" + std::to_string(p) + (is_signed ? "s" : "u") +
           (extended ? "e" : "f") + (overflow == "infinity" ? "" : ":" + overflow);
  }
};

NewSystem system_of_p3109(const P3109& form) {
  const int most = form.is_signed ? form.k - 1 : form.k;
  const std::string name = form.name();
  require(form.k >= 3 && form.k <= 16 && form.p >= 1 && form.p <= most, name,
          ": IEEE P3109 has K = 3..16 bits, and precisions 1..K-1 if signed, else 1..K");
  const int exponent_bits = most - form.p + 1;
  const int bias = 1 << (exponent_bits - 1);
  auto system = std::make_unique<NumberSystem>();
  system->name = name;
  system->summary = std::to_string(form.k) + " bits: " + std::to_string(form.p) + " significant" +
                    (form.is_signed ? "" : ", no sign") + (form.extended ? "" : ", no infinity") +
                    " (IEEE P3109)";
  system->bits = form.k;
  system->ends.is_signed = form.is_signed;
  system->precision = form.p;
  const std::uint64_t codes = std::uint64_t{1} << most;
  const std::uint64_t infinite = form.is_signed ? codes - 1 : codes - 2;
  system->nan_code = form.is_signed ? codes : codes - 1;
  system->emin = 1 - bias;
  const int quantum = system->emin - form.p + 1;
  system->lowest = quantum - 64;
  const double normal = std::ldexp(1.0, form.p - 1);
  for (int e = system->lowest; e <= system->emin + (1 << exponent_bits); ++e)
    system->places.push_back(e < system->emin ? std::ldexp(1.0, e - quantum)
                                              : (e - system->emin + 1) * normal);
  system->ends.least = 0;
  system->least_positive = std::ldexp(1.0, quantum);
  system->largest_code = form.extended ? infinite - 1 : infinite;
  system->emax = scaled_value_of_code(system->largest_code, *system).exponent;
  system->ends.largest = value_of_code(system->largest_code, *system);
  constexpr double unbounded = std::numeric_limits<double>::infinity();
  const bool is_unbounded = form.extended && form.overflow == "infinity";
  system->ends.overflow_becomes = is_unbounded ? unbounded : system->ends.largest;
  system->ends.odd_overflow_becomes =
      system->largest_code % 2 == 1 ? system->ends.largest : system->ends.overflow_becomes;
  system->ends.infinity_becomes =
      form.extended && form.overflow != "saturate" ? unbounded : system->ends.largest;
  system->beyond_fp64 = exponent_bits > 10;
  complete(*system);
  return system;
}

constexpr const char* known_overflows =
    "infinity, saturate or propagate (OvfInf, SatFinite, SatPropagate)";

/// The name of what happens to an overflow, also by the standard's own name; empty for another.
std::string overflow_named(std::string_view text) {
  for (const auto& [name, standard] :
       {std::pair("infinity", "OvfInf"), {"saturate", "SatFinite"}, {"propagate", "SatPropagate"}})
    if (text == name || text == standard) return name;
  return "";
}

/// Of "binaryKpPse" and so on, which the standard begins with a capital.
std::optional<P3109> standard_name(std::string_view text) {
  const std::string_view name = text;
  constexpr std::string_view binary = "binary";
  if (!text.starts_with(binary) && !text.starts_with("Binary")) return std::nullopt;
  text.remove_prefix(binary.size());
  const std::optional<int> k = leading_number(text);
  if (!k || !text.starts_with('p')) return std::nullopt;
  text.remove_prefix(1);
  const std::optional<int> p = leading_number(text);
  if (!p) return std::nullopt;
  const std::string_view kind = text.substr(0, 2);
  text.remove_prefix(kind.size());
  const std::string overflow = text.empty() ? "infinity" : overflow_named(text.substr(1));
  require((kind == "se" || kind == "sf" || kind == "ue" || kind == "uf") &&
              (text.empty() || (text[0] == ':' && !overflow.empty())),
          "format '", name,
          "': the form is binaryKpPse, -sf, -ue or -uf, also with :OVERFLOW after it: ",
          known_overflows);
  return P3109{*k, *p, kind[0] == 's', kind[1] == 'e', overflow};
}

std::optional<P3109> keyed_name(std::string_view text) {
  if (!text.starts_with("p3109(")) return std::nullopt;
  const std::string what = "format '" + std::string(text) + "'";
  const std::string form = "p3109(k=8,p=3,sign=signed,domain=extended,overflow=infinity)";
  P3109 result;
  for (auto [key, value] :
       keyed_values(text, {"k", "p", "sign", "domain", "overflow"}, 2, what, form)) {
    const auto one_of = [&, &key = key, &value = value](std::string_view yes, std::string_view no) {
      require(value == yes || value == no, what, ": ", key, " is ", yes, " or ", no);
      return value == yes;
    };
    if (key == "k" || key == "p") {
      const std::optional<int> number = leading_number(value);
      require(number && value.empty(), what, ": ", key, " is a number; the form is ", form);
      (key == "k" ? result.k : result.p) = *number;
    }
    if (key == "sign") result.is_signed = one_of("signed", "unsigned");
    if (key == "domain") result.extended = one_of("extended", "finite");
    if (key == "overflow") {
      result.overflow = overflow_named(value);
      require(!result.overflow.empty(), what, ": overflow is ", known_overflows);
    }
  }
  return result;
}

/// binaryKpPse, ...sf, ...ue, ...uf, K = 3..16: K bits, precision P, signed or unsigned, extended
/// by infinities or finite (IEEE P3109, https://github.com/P3109/Public). A result that overflows
/// becomes an infinity; with :saturate after the name the largest value; with :propagate the
/// largest value unless an operand is infinite. The standard's names OvfInf, SatFinite and
/// SatPropagate are accepted, and so is p3109(k=K,p=P,sign=signed,domain=extended,
/// overflow=infinity).
NewSystem make_p3109(std::string_view name) {
  std::optional<P3109> form = standard_name(name);
  if (!form) form = keyed_name(name);
  return form ? system_of_p3109(*form) : nullptr;
}

/// Systems by their names. Their values never change.
struct MadeSystems {
  struct Made {
    NewSystem system;
    const NumberFamily* family;
  };
  std::mutex mutex;
  std::map<std::string, Made, std::less<>> by_name;
};

MadeSystems& made_systems() {
  static MadeSystems made;
  return made;
}

}  // namespace

const std::vector<NumberFamily>& number_families() {
  static const std::vector<NumberFamily> families = {
      {.form = "positN",
       .meaning = "N = 3..32 bits, two of exponent (Posit Standard 2022)",
       .examples = {"posit8", "posit16", "posit32"},
       .mode = "posit16",
       .has_quire = true,
       .make = make_posit},
      {.form = "takumN",
       .meaning = "N = 6..32 bits (linear takums, Hunhold 2024)",
       .examples = {"takum8", "takum16", "takum32"},
       .mode = "takum16",
       .has_quire = false,
       .make = make_takum},
      {.form = "binaryKpPse",
       .meaning =
           "K = 3..16 bits, P significant (IEEE P3109); s: signed, u: not; e: infinities, "
           "f: none; :saturate and :propagate after it; also p3109(k=8,p=4,overflow=saturate)",
       .examples = {"binary4p2sf", "binary8p1se", "binary8p3se", "binary8p3se:saturate",
                    "binary8p4se", "binary8p4se:propagate", "binary8p4sf", "binary16p11se",
                    "binary8p3ue"},
       .mode = {},
       .has_quire = false,
       .make = make_p3109},
  };
  return families;
}

const NumberSystem* number_system_named(std::string_view name, ListReader read) {
  MadeSystems& made = made_systems();
  const std::lock_guard lock(made.mutex);
  if (const auto found = made.by_name.find(name); found != made.by_name.end())
    return found->second.system.get();
  const auto keep = [&](NewSystem system, const NumberFamily* family) {
    const std::string its_name = system->name;
    return made.by_name.try_emplace(its_name, MadeSystems::Made{std::move(system), family})
        .first->second.system.get();
  };
  if (read && name.starts_with("file:")) return keep(read(std::string(name)), nullptr);
  for (const NumberFamily& family : number_families())
    if (NewSystem system = family.make(name)) return keep(std::move(system), &family);
  return nullptr;
}

const NumberFamily* family_of(const NumberSystem& system) {
  MadeSystems& made = made_systems();
  const std::lock_guard lock(made.mutex);
  const auto found = made.by_name.find(system.name);
  return found == made.by_name.end() ? nullptr : found->second.family;
}

}  // namespace fftprec
