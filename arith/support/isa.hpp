/// The instruction sets that the inner loops are compiled for, and the choice among them.
///
/// Every kernel source is compiled once per instruction set and exports its loops under the tag
/// type of that set. All of them give the same bits (a test compares them); only speed differs.
#pragma once

#include <string_view>
#include <vector>

namespace fftprec {

enum class Isa { baseline, avx2, avx512 };

/// Tag types, one per instruction set: a template that names one has symbols of its own, so the
/// linker can never put AVX-512 code in place of baseline code.
namespace isa {
struct baseline;
struct avx2;
struct avx512;
}  // namespace isa

/// The instruction sets that this build has and this processor can run, slowest first.
/// Throws std::runtime_error if there is none.
const std::vector<Isa>& available_isas();

/// The fastest instruction set, the default of every kernel.
Isa best_isa();

/// "baseline", "avx2" or "avx512".
std::string_view name_of(Isa isa);

/// The instruction set of that name.
/// Throws std::invalid_argument for a name that is unknown or cannot run here, and lists those
/// that can.
Isa isa_named(std::string_view name);

}  // namespace fftprec
