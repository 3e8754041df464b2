/// Errors measured on hardware, read from a file.
///
///     name = "trn1"
///     source = "who published it, where"
///     what = "what was run, on what"
///     hypotheses = ["H0", "H5"] # the built-in ones that apply; left out: all
///
///     [defaults]                # of every row
///     algorithm = "dft-gemm"
///     metric = "err_linf_rel"
///
///     [[row]]
///     mode = "ozaki"
///     n = 64
///     input = "torch_randn"
///     seed = 42                 # left out: not known
///     tables = "fp32-angle"     # left out: part of the search
///     value = "1.7e-3"          # a text, whose digits count, or a number and `digits`
///     alternatives = ["1.5e-3"] # other published values of this row
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "experiments/cases/axes.hpp"
#include "experiments/cases/columns.hpp"
#include "experiments/cases/row.hpp"
#include "experiments/support/published_value.hpp"

namespace fftprec::hypotheses {

struct MeasuredRow {
  Case where;  ///< its machine is searched for, and stays at the default here
  bool tables_known = false;
  bool seed_known = false;
  const Column* metric = nullptr;
  std::vector<PublishedValue> values;  ///< at least one; one of them is right
};

struct Measured {
  std::string name;  ///< default: the name of the file
  std::string source;
  std::string what;
  std::vector<std::string> hypotheses;  ///< ids; empty: all
  std::vector<MeasuredRow> rows;        ///< at least one
};

/// Throws InputError("SOURCE:LINE:COLUMN: ...") for malformed TOML, unknown keys, names and
/// metrics, a row without algorithm, mode, n, input, metric or value, impossible digits, and rows
/// that contradict or repeat each other.
Measured parse_measured(std::string_view toml, std::string_view source,
                        const CheckNames& check_names);

/// Which machine and tables the rows of a run have.
enum class RowNames {
  searched,  ///< unknown ones: the machine is ignored, as are tables named `own`
  kept,      ///< those that each row names
};

/// The measured rows of a run, each with err_l2_rel to four digits. Throws InputError for a name
/// that cannot be replayed, an error that is not finite, rows of two machines if that is searched
/// for, and if nothing was measured.
Measured measured_from(std::span<const Row> rows, const std::string& name,
                       const CheckNames& check_names, RowNames names = RowNames::searched);

/// "dft-gemm ozaki n=64", and everything that is not at its default.
std::string label(const MeasuredRow& row);

/// "1.5e-3 or 1.7e-3": the published values of the row.
std::string published_texts(const MeasuredRow& row);

/// A table that comes with the program.
struct BuiltinMeasured {
  std::string_view name;
  std::string_view toml;
};

std::span<const BuiltinMeasured> builtin_measured();

/// The built-in table of that name, or the file at that path. Throws InputError if it is neither.
Measured load_measured(const std::string& name_or_path, const CheckNames& check_names);

}  // namespace fftprec::hypotheses
