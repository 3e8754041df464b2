#include "arith/formats/round_array.hpp"

#include <algorithm>
#include <string>

#include "arith/formats/round_grid.hpp"
#include "arith/kernels/round_array.hpp"
#include "arith/support/error.hpp"

namespace fftprec {

namespace {

/// Checks what every form requires; true if there is nothing to round.
template <class Real>
bool is_copy(std::span<const Real> in, std::span<Real> out, const Format& format) {
  require(in.size() == out.size(), "round_array: in has " + std::to_string(in.size()) +
                                       " elements, out has " + std::to_string(out.size()));
  validate(format);
  if (format == fp64) {
    if (in.data() != out.data()) std::copy(in.begin(), in.end(), out.begin());
    return true;
  }
  require(fits<Real>(format), "round_array: " + to_string(format) +
                                  " is not within float's precision and exponents: use doubles");
  return in.empty();
}

void require_deterministic(Rounding rounding) {
  require(rounding != Rounding::sr, "round_array: sr needs a StochasticRounding and a counter");
}

void require_bits(const StochasticRounding& stochastic) {
  require(stochastic.bits >= 1 && stochastic.bits <= 53,
          "round_array: stochastic rounding takes 1 to 53 bits, not " +
              std::to_string(stochastic.bits));
}

}  // namespace

void round_array(std::span<const float> in, std::span<float> out, const Format& format,
                 Rounding rounding, Isa isa) {
  require_deterministic(rounding);
  if (is_copy(in, out, format)) return;
  with_tables<RoundTables>(isa, [&](auto tables) {
    tables.round_float(rounding)(in.data(), out.data(), in.size(), format);
  });
}

void round_array(std::span<const double> in, std::span<double> out, const Format& format,
                 Rounding rounding, Isa isa) {
  require_deterministic(rounding);
  if (is_copy(in, out, format)) return;
  with_tables<RoundTables>(isa, [&](auto tables) {
    tables.round_double(rounding)(in.data(), out.data(), in.size(), format);
  });
}

void round_array(std::span<const float> in, std::span<float> out, const Format& format,
                 const StochasticRounding& stochastic, std::uint64_t first_counter, Isa isa) {
  require_bits(stochastic);
  if (is_copy(in, out, format)) return;
  with_tables<RoundTables>(isa, [&](auto tables) {
    tables.stochastic_float(in.data(), out.data(), in.size(), format, stochastic, first_counter);
  });
}

void round_array(std::span<const double> in, std::span<double> out, const Format& format,
                 const StochasticRounding& stochastic, std::uint64_t first_counter, Isa isa) {
  require_bits(stochastic);
  if (is_copy(in, out, format)) return;
  with_tables<RoundTables>(isa, [&](auto tables) {
    tables.stochastic_double(in.data(), out.data(), in.size(), format, stochastic, first_counter);
  });
}

}  // namespace fftprec
