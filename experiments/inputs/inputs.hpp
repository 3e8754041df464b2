/// Inputs by name. Those that are made hold fp32 numbers only, made without libm, the same on every
/// machine; those that are read from a file hold what the file holds, which may be any finite
/// double.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "arith/formats/complex_array.hpp"
#include "experiments/support/names.hpp"

namespace fftprec {

/// batch transforms of length n of the input `name`, "NAME", "NAME:key=value,key=value" or
/// "file:PATH?key=value&key=value", "jitter:k=K:inner=NAME" (k from 1 to 2^24, 1 if not given;
/// NAME is no file) or "rounded:to=FORMAT:inner=NAME" (bf16 if not given); what follows `inner=` is
/// a whole name. The names and their keys are those of list_inputs(), the formulas stand in
/// inputs_random.hpp and inputs_signals.hpp, the files in file_values.hpp. Rounds: each step once,
/// in fp32; logarithm, exponential, cosine and sine are correctly rounded. A file's values are not
/// rounded. Throws InputError for an unknown name or key, a value that is no number or out of
/// range, n = 0, batch = 0, a file that cannot be read; NotApplicable for torch_randn with n *
/// batch < 16 and for a file with less than n * batch values.
ComplexArray<double> make_input(std::string_view name, std::size_t n, std::size_t batch,
                                std::uint64_t seed);

/// Throws what make_input would throw for a bad name, key, value or file, without making anything;
/// a file is read for it.
void check_input_name(std::string_view name);

std::vector<Named> list_inputs();

}  // namespace fftprec
