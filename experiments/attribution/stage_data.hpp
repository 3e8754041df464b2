/// The data after each stage of a case, with the bits of its mode on its machine.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "algorithms/arithmetic/stages.hpp"
#include "arith/formats/complex_array.hpp"
#include "arith/support/isa.hpp"
#include "experiments/cases/case.hpp"
#include "experiments/cases/evaluate.hpp"
#include "experiments/cases/session.hpp"
#include "experiments/files/sample_files.hpp"

namespace fftprec::attribution {

/// The data after a stage, in the order in which the algorithm stores them.
struct StageData {
  std::string title;
  ComplexArray<double> values;  ///< of the whole batch, scaled as the stages scale them
  /// Of the blocks of fixed point with scale=block, as the machine chose them; of blocks of
  /// integers that lie one after the other, those with
  /// which the largest word has its highest bit.
  std::optional<BlockExponents> exponents{};
  StagePath path{};
};

/// Data of another program after stages, by the paths of the stages.
using OwnData = std::map<StagePath, ComplexArray<double>>;

/// A run of a case's first transform.
struct EmulatedRun {
  ComplexArray<double> input;     ///< as the mode stores it
  std::vector<StageData> stages;  ///< those that leave a complete array, in the order of the data
  Output output;
};

/// Runs the case once. Each stage continues from own[path], the data of another program after it,
/// where there are some: then the difference between a stage and its own data arises in that stage
/// alone. Throws NotApplicable, with the reason, if the case has no meaning; InputError for unknown
/// names, and for own data of another size or of a stage without a complete array.
EmulatedRun emulated_run(const Case& where, const ComplexArray<double>& input,
                         const OwnData& own = {}, Isa isa = best_isa());

/// The input of the case as the mode stores it.
ComplexArray<double> stored_input(const Case& where, const ComplexArray<double>& input);

/// Results times the scale that the stages give them (result_scale).
ComplexArray<double> as_stages_scale(ComplexArray<double> results, double scale);

/// The exponents that a trace noted for `size` values; nothing if it noted none, or none that share
/// the values evenly.
std::optional<BlockExponents> noted_exponents(const std::vector<int>& noted, std::size_t size);

/// The exponents of blocks of integers that the values are stored in; nothing if the arithmetic has
/// no such blocks, or they do not lie one after the other.
std::optional<BlockExponents> integer_exponents(const CasePlan& plan,
                                                const ComplexArray<double>& values,
                                                std::size_t line);

/// The data after each stage of the case's first transform. The order: for radix2-dit and recursive
/// after the bit reversal of the input, for radix2-dif before the bit reversal of the result, for
/// the stockham algorithms element (l, m) of n/M x M, which is the DFT of x[m], x[m + M], ... at
/// frequency l. The stages of a chirp are its products and those of its inner FFTs, each of the
/// length of its own data. Stages without a complete array are omitted.
/// Throws as emulated_run, and NotApplicable if no stage has an array.
std::vector<StageData> stage_data(const Case& where, const ComplexArray<double>& input,
                                  const OwnData& own = {}, Isa isa = best_isa());

}  // namespace fftprec::attribution
