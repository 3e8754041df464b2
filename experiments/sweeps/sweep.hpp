/// A sweep: an experiment as data, read from a TOML file or built in.
///
///     name = "psum_width"
///     question = "How narrow may the PSUM be before a bf16 FFT loses a bit?"
///     gates = "gates.toml"                # optional, beside the sweep file
///     metrics = ["err_max_ulp"]           # drawn against n beside err_l2_rel
///
///     [defaults]                          # one value each, for axes that no block names
///     machine = "trn3-bf16psum"
///
///     [axes]                              # shared by every block
///     mode = ["bf16", "ozaki"]
///     n = { pow2 = [3, 12] }              # or 64, [64, 128], "64,128", { range = [1, 20] },
///                                         # { smooth = [60, 512] }, { primes = [3, 97] }
///
///     [[sweep]]                           # optional blocks, each on top of [axes]
///     algorithm = "dft-gemm"
///
///     [[exclude]]                         # cases to leave out: values of axes, or a filter
///     where = "algorithm=dft-gemm and n>1024"
///
///     [[include]]                         # further cases, on top of [axes]
///     n = 4096
///
///     [[plot]]                            # kept as data for the renderer
///     x = "n"
///     y = "err_l2_rel"
///     series = "mode"
///     panel = "algorithm"                 # or "none"
///     kind = "lines"                      # a kind of plot that the renderer knows
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "experiments/cases/axes.hpp"
#include "experiments/cases/case_list.hpp"
#include "experiments/cases/filter.hpp"

namespace fftprec {

/// The contents of a figure of rows: a [[plot]] of a sweep, the [figure] of a claim, the options of
/// a command. Empty fields have the defaults of the kind. The axes named in x, series and panel
/// spread the rows out; the others are pooled or fixed. Columns and filters are checked where they
/// are read, the kind by the renderer.
struct FigureRequest {
  std::string name{};  ///< of the files, without ending
  std::string title{};
  std::string y{};  ///< a column of numbers, or a computed quantity
  std::string x{};  ///< likewise
  std::string series{};
  std::string panel{};  ///< "none": one panel
  Selection where = {};
  std::string kind = "lines";
  bool own_y_range =
      false;            ///< one y range per panel, which shows small differences within a panel
  std::string place{};  ///< of the kind, "SOURCE:LINE:COLUMN: ", or empty
};

/// The request with aliases of columns replaced by their names.
FigureRequest in_shown_names(FigureRequest request);

/// Whether every panel has its own scale: "shared" or "panel".
bool own_scale_named(std::string_view name);

struct Sweep {
  std::string name;
  std::string question;
  std::string gates;                 ///< path of a gate file, relative to the sweep file, or empty
  std::string builtin_gates;         ///< the rules of a built-in sweep (TOML), or empty
  std::vector<Axes> blocks;          ///< their union is the sweep; at least one
  std::vector<Filter> exclude;       ///< cases that match any of these are left out of the blocks
  std::vector<Axes> include;         ///< added after the exclusions
  std::vector<std::string> metrics;  ///< columns of numbers
  std::vector<FigureRequest> plots;
  std::string text;  ///< the TOML it came from
};

/// Reads a sweep. Throws InputError("SOURCE:LINE:COLUMN: ...") for malformed TOML, unknown keys,
/// names, and values that an axis cannot hold.
Sweep parse_sweep(std::string_view toml, std::string_view source, const CheckNames& check_names);

Sweep load_sweep(const std::filesystem::path& path, const CheckNames& check_names);

/// The cases of the sweep for which `filter` holds. An axis in `overrides` replaces the axis in
/// every block.
CaseList case_list(const Sweep& sweep, const Axes& overrides = {}, const Filter& filter = {});

/// All cases of the sweep in the order of results.csv.
std::vector<Case> cases_of(const Sweep& sweep);

/// The figures of the sweep: its plots, then lines against n of each metric that no plot shows.
/// (err_l2_rel is always drawn.)
std::vector<FigureRequest> plots_of(const Sweep& sweep);

/// A sweep that comes with the program.
struct BuiltinSweep {
  std::string_view name;
  std::string_view toml;
  std::string_view gates;  ///< gates/NAME.toml, or empty
};

std::span<const BuiltinSweep> builtin_sweeps();

/// Throws InputError for an unknown name.
const BuiltinSweep& builtin_sweep(std::string_view name);

/// A request for cases: a sweep, axes on top of it, and filters.
struct CaseRequest {
  std::string sweep;                 ///< a TOML file, the name of a built-in sweep, or empty
  std::vector<std::string> axes;     ///< "AXIS=VALUES"
  std::vector<std::string> filters;  ///< all must hold; on axes only
};

struct Plan {
  Sweep sweep;
  CaseList cases;
  std::uint64_t count = 0;  ///< of the cases; may be 0
};

/// Throws InputError for anything unknown or malformed, for an axis that is given twice, and for a
/// request without sweep and axes.
Plan plan_cases(const CaseRequest& request, const CheckNames& check_names);

/// The plan of `sweep`, with the axes and filters of a request.
Plan plan_cases(Sweep sweep, const std::vector<std::string>& axes,
                const std::vector<std::string>& filters, const CheckNames& check_names);

}  // namespace fftprec
