/// Gate files: [[gate]] tables in TOML, as the rules they state.
///
///     [[gate]]
///     name = "ozaki-below-bf16"
///     kind = "order"
///     source = "two parts hold 16 bits of each operand, one part 8"
///     left = "mode=ozaki"
///     right = "mode=bf16"
///     where = ["algorithm=dft-gemm", "n>=64"]     # one filter, or a list that must all hold
///
/// `source` may also be written `reason`. Which keys a kind takes: gate_kinds().
#pragma once

#include <filesystem>
#include <string_view>
#include <vector>

#include "reports/gates/gate.hpp"

namespace fftprec {

/// Throws InputError("NAME:LINE:COLUMN: ...") for malformed TOML, an unknown key, kind, metric or
/// axis (with the nearest known one), a value of the wrong type, a missing key, two gates of one
/// name, or no gate at all.
std::vector<Gate> parse_gates(std::string_view text, std::string_view name);

/// parse_gates of a file. A baseline is looked up beside the gate file: the path in the gate is
/// made to begin there. Throws InputError also if the file cannot be read.
std::vector<Gate> read_gates(const std::filesystem::path& path);

}  // namespace fftprec
