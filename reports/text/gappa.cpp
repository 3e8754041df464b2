#include "reports/text/gappa.hpp"

#include <fmt/format.h>

#include <cmath>
#include <map>
#include <utility>
#include <vector>

#include "arith/support/error.hpp"
#include "experiments/support/decimal.hpp"

namespace fftprec::text {

namespace {

using attribution::RealOperations;
using attribution::RealRoot;
using attribution::RealRounding;
using attribution::RealTerm;
using attribution::RealValue;

/// A number exactly: "181b-8", in decimal digits a whole number times a power of two.
std::string exact(double x) {
  if (x == 0) return "0";
  int exponent = 0;
  const double fraction = std::frexp(x, &exponent);
  auto whole = static_cast<std::int64_t>(std::ldexp(fraction, 53));
  exponent -= 53;
  while (whole % 2 == 0) {
    whole /= 2;
    ++exponent;
  }
  return exponent == 0 ? fmt::format("{}", whole) : fmt::format("{}b{}", whole, exponent);
}

std::string_view direction_of(Rounding rounding) {
  switch (rounding) {
    case Rounding::rne:
      return "ne";
    case Rounding::rna:
      return "na";
    case Rounding::rnu:
      return "nu";
    case Rounding::rz:
      return "zr";
    case Rounding::ru:
      return "up";
    case Rounding::rd:
      return "dn";
    case Rounding::odd:
      return "od";
    case Rounding::sr:
      break;
  }
  throw NotApplicable("Gappa has no random rounding");
}

std::string function_of(const RealRounding& rounding) {
  const Format& format = rounding.format;
  const int least = quantum_exponent(format);
  const std::string_view direction = direction_of(rounding.rounding);
  return format.is_fixed() ? fmt::format("fixed<{},{}>", least, direction)
                           : fmt::format("float<{},{},{}>", format.precision, least, direction);
}

class Script {
 public:
  Script(const RealOperations& operations, const GappaRequest& request)
      : operations_(operations), request_(request) {}

  std::string text() {
    std::string head = fmt::format(
        "# {}\n# v: computed, e: exact, with the real cosines cosK_N = cos(2 pi K/N); r: "
        "roundings.\n"
        "# Goals: the errors of the real and the imaginary part of each result, in turn.\n"
        "# That no value leaves the range of its format is assumed.\n",
        request_.title);
    if (request_.bound)
      head += fmt::format("# fftprec's bound of |v - e|: {} ({})\n",
                          shortest(request_.bound->value), request_.bound->theorem);
    std::string definitions;
    for (std::size_t i = 0; i < operations_.values.size(); ++i) define(i, definitions);
    for (std::size_t i = 0; i < operations_.roundings.size(); ++i)
      if (definitions.find(fmt::format("r{}(", i)) != std::string::npos)
        head += fmt::format("@r{} = {};\n", i, function_of(operations_.roundings[i]));
    return head + definitions + "\n{\n" + hypotheses() + " ->\n" + goals() + "\n}\n";
  }

 private:
  static std::string input_name(std::size_t part) {
    return fmt::format("x{}{}", part / 2, part % 2 == 0 ? "re" : "im");
  }

  /// An exact factor of a term without its sign: a number, or the name of a root. Also of 1, so
  /// that computed and exact expressions have one shape, by which Gappa compares them.
  std::string exact_factor(const RealTerm& term, bool& is_negative) {
    if (!term.root) {
      is_negative = term.factor < 0;
      return exact(std::abs(term.factor));
    }
    is_negative = term.root->is_negative;
    std::string name = fmt::format("cos{}_{}", term.root->exponent, term.root->order);
    roots_[name] = {term.root->exponent, term.root->order};
    return name;
  }

  static void append(std::string& sum, bool is_negative, const std::string& factor,
                     const std::string& value) {
    const std::string product = factor == "1" ? value : factor + " * " + value;
    const bool is_first = sum.empty();
    sum += is_negative ? (is_first ? "-" : " - ") : (is_first ? "" : " + ");
    sum += is_first && is_negative && factor != "1" ? "(" + product + ")" : product;
  }

  /// The name of an expression; a new one, with its definition, unless it has one already. Gappa
  /// takes equal expressions for one.
  std::string named(const std::string& expression, char kind, std::string& definitions) {
    const bool is_name = expression.find_first_of(" (-") == std::string::npos;
    if (is_name && expression != "0") return expression;
    const auto [known, is_new] =
        names_.try_emplace(expression, fmt::format("{}{}", kind, names_.size()));
    if (is_new) definitions += fmt::format("{} = {};\n", known->second, expression);
    return known->second;
  }

  /// The names of value i, computed and exact.
  void define(std::size_t i, std::string& definitions) {
    if (i < 2 * operations_.inputs) {
      computed_.push_back(input_name(i));
      exact_.push_back(input_name(i));
      return;
    }
    const RealValue& value = operations_.values[i];
    std::string computed, ideal;
    for (const RealTerm& term : value.terms) {
      append(computed, term.factor < 0, exact(std::abs(term.factor)), computed_[term.value]);
      bool is_negative = false;
      const std::string factor = exact_factor(term, is_negative);
      append(ideal, is_negative, factor, exact_[term.value]);
    }
    for (std::string* none : {&computed, &ideal})
      if (none->empty()) *none = "0";
    computed_.push_back(named(fmt::format("r{}({})", value.rounding, computed), 'v', definitions));
    exact_.push_back(named(ideal, 'e', definitions));
  }

  std::string hypotheses() const {
    std::string all;
    const auto add = [&](const std::string& what) {
      all += (all.empty() ? "   " : "\n/\\ ") + what;
    };
    for (std::size_t i = 0; i < 2 * operations_.inputs; ++i) {
      if (request_.input.size() == 0) {
        const std::string end = exact(request_.range);
        add(fmt::format("{} in [-{}, {}]", input_name(i), end, end));
        continue;
      }
      const auto& parts = i % 2 == 0 ? request_.input.re : request_.input.im;
      const std::string value = exact(parts[i / 2]);
      add(fmt::format("{} in [{}, {}]", input_name(i), value, value));
    }
    for (const auto& [name, root] : roots_) {
      const attribution::RootEnclosure enclosure = attribution::enclosure_of(root);
      add(fmt::format("{0} in [{1}b-{3}, {2}b-{3}]", name, enclosure.low, enclosure.high,
                      attribution::root_bits));
    }
    return all;
  }

  std::string goals() const {
    if (request_.proves_bound && !request_.bound)
      throw NotApplicable("there is no bound to prove; --gappa error asks for the least one");
    std::string all;
    for (const std::uint32_t output : operations_.outputs) {
      const std::string error = fmt::format("{} - {}", computed_[output], exact_[output]);
      const std::string goal =
          request_.proves_bound ? fmt::format("|{}| <= {}", error, shortest(request_.bound->value))
                                : error + " in ?";
      all += (all.empty() ? "   " : "\n/\\ ") + goal;
    }
    return all;
  }

  const RealOperations& operations_;
  const GappaRequest& request_;
  std::map<std::string, RealRoot> roots_{};
  std::map<std::string, std::string> names_{};  ///< of expressions
  std::vector<std::string> computed_{};         ///< the names of values
  std::vector<std::string> exact_{};
};

}  // namespace

std::string gappa_script(const RealOperations& operations, const GappaRequest& request) {
  return Script(operations, request).text();
}

}  // namespace fftprec::text
