/// The parameters of a machine as a table: one list for parsing, printing, canonical names and
/// documentation.
///
/// A name is PRESET or PRESET{key=value,...}: the preset with these parameters; spaces do not
/// count. Values are set in the order of the table. A parameter of the tensor engine's units is set
/// in every unit that reads it. `product` skips the unit for fp32 operands unless fp32_matmul is
/// native, since products of halves of fp32 operands are exact.
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

/// The possible values of a parameter: names, a range of numbers, formats, or several of these.
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
  fp32_operands,     ///< of fp32 operands
  equal_operands,    ///< of operands in one format
  narrowed_results,  ///< with results narrower than fp32
  nothing,           ///< none: sizes of tiles of outputs, vectors, integers, random bits
};

/// One parameter. `Named`: Machine, or a struct derived from it.
template <class Named>
struct ParameterOf {
  std::string key;
  std::string meaning;  ///< one line, with the unit
  ParameterValues values;
  std::string confidence;  ///< of the value that `trn` has: D, M, I or U
  ShownBy shown_by = ShownBy::products;
  std::string needs{};  ///< the setting without which it is not read; empty: none
  /// The value as canonical text; "bf16, fp16: 16; tf32: 8" where units differ; or `unread`.
  std::function<std::string(const Named&)> text{};
  /// Throws InputError for an impossible value, listing the possible ones. `validate` checks
  /// ranges.
  std::function<void(Named&, std::string_view)> set{};
};

using MachineParameter = ParameterOf<Machine>;

/// The preset whose summary names the device `name` ("H100", "h100") as a whole word with a digit;
/// empty if there is none.
std::string preset_of_device(std::string_view name);

/// All parameters, in the order in which names list them.
const std::vector<MachineParameter>& machine_parameters();

/// The canonical name of a machine: the preset from which it differs in the fewest parameters (of
/// equals the first of machines()), then these parameters in the order of the table. The name and
/// summary of the machine are ignored. Throws InputError if it is not a preset with parameters.
std::string canonical_name(const Machine& machine);

/// Throws InputError, with the reason, for values that are out of range or contradict each other.
/// It calls validate(AccumulatorModel) for every unit, then checks the machine as a whole.
void validate(const Machine& machine);

/// A parameter with the value that a machine gives it, for printing.
struct MachineRow {
  std::string key;
  std::string value;
  std::string meaning;
  std::string values;      ///< possible values
  std::string confidence;  ///< if the machine derives from trn and has its value; else empty
  bool as_trn;             ///< the value is that of trn
};

/// Every parameter of `machine`, in the order of the table.
std::vector<MachineRow> describe(const Machine& machine);

}  // namespace fftprec
