/// The parameters of a machine as a table: one list for parsing, printing, canonical names and
/// documentation.
///
/// A name is PRESET or PRESET{key=value,...}: the preset with these parameters set; spaces do not
/// count. Values are set in the order of the table. A parameter of the tensor engine's units is set
/// in every unit that reads it; `product` leaves out the unit for fp32 operands unless fp32_matmul
/// is native, since halves of fp32 operands multiply exactly.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "arith/machines/machine.hpp"

namespace fftprec {

/// The value of a parameter that nothing reads, such as a segment's length without segments.
inline constexpr std::string_view unread = "-";

/// Whole numbers from `least` to `most`.
struct WholeRange {
  std::int64_t least;
  std::uint64_t most;
};

/// What a parameter can be: one of some names, a number of a range, a format, or one of several of
/// these.
struct ParameterValues {
  std::vector<std::string> names{};  ///< also single numbers
  std::optional<WholeRange> range{};
  bool any_format = false;

  /// "rne, rz", "0, 8..160" or "exact, or a format".
  std::string text() const;
  bool holds_zero() const;
};

/// Which products of two real matrices can show the value of a parameter.
enum class ShownBy {
  products,          ///< any
  fp32_operands,     ///< those of fp32 operands
  equal_operands,    ///< those of operands in one format
  narrowed_results,  ///< those whose results are narrower than fp32
  nothing,  ///< none: sizes of tiles of outputs, vectors, integers, random bits, faults of software
};

/// One parameter.
struct MachineParameter {
  std::string key;
  std::string meaning;  ///< one line, with the unit
  ParameterValues values;
  std::string confidence;  ///< of the value that `trn` has: D, M, I or U
  ShownBy shown_by = ShownBy::products;
  std::string needs{};  ///< what else must be set for it to be read; empty: nothing
  /// The value as canonical text; "bf16, fp16: 16; tf32: 8" where units differ; or `unread`.
  std::function<std::string(const NamedMachine&)> text{};
  /// Throws InputError for an impossible value, listing the possible ones, but not yet for a value
  /// out of range.
  std::function<void(NamedMachine&, std::string_view)> set{};
};

/// The preset whose summary names the device `name`, "H100" or "h100": a whole word with a digit;
/// empty if there is none.
std::string preset_of_device(std::string_view name);

/// All parameters, in the order in which names list them.
const std::vector<MachineParameter>& machine_parameters();

/// The canonical name of a machine: the preset from which it differs in the fewest parameters (the
/// first of machines() among equals), then these parameters in the order of the table. The
/// machine's own name and summary do not matter. Throws InputError if it is not a preset with
/// parameters set.
std::string canonical_name(const NamedMachine& machine);

/// Throws InputError, with the reason, for values that are out of range or contradict each other:
/// by validate(AccumulatorModel) for every unit, and for the machine as a whole.
void validate(const Machine& machine);

/// A parameter with the value that a machine gives it, for printing.
struct MachineRow {
  std::string key;
  std::string value;
  std::string meaning;
  std::string values;      ///< possible values
  std::string confidence;  ///< of a value that is trn's, on a machine derived from trn; else empty
  bool as_trn;             ///< the value is trn's
};

/// Every parameter of `machine`, in the order of the table.
std::vector<MachineRow> describe(const NamedMachine& machine);

}  // namespace fftprec
