/// Test vectors: what hardware reads in a case, and what it must give, in the machine's own bits.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "arith/formats/complex_array.hpp"
#include "arith/formats/format.hpp"
#include "experiments/attribution/stage_data.hpp"
#include "experiments/cases/session.hpp"

namespace fftprec::attribution {

/// A result that left the range of fixed point.
struct Overflow {
  std::string stage;                   ///< its title
  std::optional<std::size_t> place{};  ///< in the stage's array; empty: the array does not have it
  bool is_imaginary = false;
  double value = 0;   ///< before it was brought into the range
  double beyond = 0;  ///< by how much it is beyond the largest or below the least value
};

/// The data of one input, with the scale of the case.
struct TestVectors {
  ComplexArray<double> input;  ///< as it is stored
  std::optional<BlockExponents> input_exponents{};
  std::vector<StageData> stages{};
  std::string no_stages{};  ///< why there are none
  ComplexArray<double> output{};
  std::optional<BlockExponents> output_exponents{};
  std::uint64_t overflow_count = 0;
  std::string output_hash{};  ///< of the row of the case
};

/// Runs the case on `input`. Throws NotApplicable if it has no meaning.
TestVectors vectors_of(const CasePlan& plan, const ComplexArray<double>& input);

/// The results that leave the range when the case runs on `input`, in the order in which they do.
/// Those that a later operation moves to another array have no place; those of roundings that
/// store passes are not listed. Throws NotApplicable if the case has no meaning.
std::vector<Overflow> overflows_of(const CasePlan& plan, const ComplexArray<double>& input);

/// A stage of fixed point beside the same stage computed with 50 bits and exact tables.
struct FixedStage {
  std::string title;
  double snr_db;  ///< as the columns, for the data after the stage
  double gain;
  std::size_t overflows;                           ///< results of this stage that left the range
  std::optional<std::pair<int, int>> exponents{};  ///< of its blocks, the least and the largest
};

/// Every stage with an array, in order. Throws NotApplicable, with the reason, if there is none,
/// and for modes that are not fixed point or whose data take too many bits before the point.
std::vector<FixedStage> fixed_stages(const CasePlan& plan, const ComplexArray<double>& input);

/// Results as the machine holds them: times the scale that run_case removes. A scale that is no
/// power of two was divided out with a rounding far below a quantum.
ComplexArray<double> with_scale(const CasePlan& plan, const ComplexArray<double>& results);

/// The entries of all tables, one table after the other, in the order in which the algorithm makes
/// and keeps them, and their format. In radix2-dit and radix2-dif the stage with butterflies at
/// distance h reads entries h, h + 1, ..., 2h - 1, and none reads entry 0. Throws NotApplicable for
/// a transform that is not one FFT per item, whose tables have several directions.
struct TableEntries {
  ComplexArray<double> values{};
  Format format = fp32;
};
TableEntries tables_of(const CasePlan& plan);

}  // namespace fftprec::attribution
