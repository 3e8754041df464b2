/// Inputs by name: every value is an fp32 number, made without libm, the same on every machine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "arith/complex_array.hpp"

namespace fftprec {

/// batch transforms of length n of the input `name`, "NAME" or "NAME:key=value,key=value"; the
/// names and their keys are those of list_inputs(), the formulas stand in inputs_random.hpp and
/// inputs_signals.hpp.
/// Rounds: each step once, in fp32; logarithm, exponential, cosine and sine are correctly rounded.
/// Throws InputError for an unknown name or key, a value that is no number or out of range, n = 0,
/// batch = 0; NotApplicable for torch_randn with n * batch < 16.
ComplexArray<double> make_input(std::string_view name, std::size_t n, std::size_t batch,
                                std::uint64_t seed);

/// Throws what make_input would throw for a bad name, key or value, without making anything.
void check_input_name(std::string_view name);

}  // namespace fftprec
