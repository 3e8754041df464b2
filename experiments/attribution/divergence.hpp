/// The stage at which another program's FFT leaves the arithmetic of a case, and the fault there.
///
/// Each stage is judged from the program's own data before it, so one fault is one finding. Where
/// the data have the emulation's bits, nothing is left to judge. Elsewhere the error of each
/// element is compared with the standard deviation that rounding gives it: the stage's operations
/// with every product, sum and table entry rounded once, or what the emulation itself shows if that
/// is more.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "arith/formats/complex_array.hpp"
#include "experiments/attribution/culprit.hpp"
#include "experiments/attribution/flow.hpp"
#include "experiments/cases/case.hpp"

namespace fftprec::attribution {

/// The program's data at a cut of the flow, of the whole batch, in the order of the cut.
struct OwnStage {
  std::string name;  ///< of its file
  std::size_t cut;
  ComplexArray<double> values;
};

struct StageVerdict {
  std::string name;
  std::string title;                   ///< of the cut
  std::size_t size = 0;                ///< elements
  std::optional<std::size_t> equal{};  ///< elements with the emulation's bits; none: not emulated
  std::string different{};             ///< the others: "12 values, all 1 mod 4"
  double rms = 0;                      ///< of the errors, in standard deviations of rounding
  double worst = 0;                    ///< the largest, likewise
  std::size_t worst_place = 0;
  FlowValue own{};  ///< there
  FlowValue expected{};
  std::size_t outliers = 0;
  /// Whether the data are the emulation's, computed from the program's data before the stage.
  bool has_same_bits() const { return equal && *equal == size; }
  bool is_faulty = false;  ///< there are outliers, or all results together show a wrong entry
};

struct Divergence {
  std::vector<StageVerdict> stages;
  std::optional<std::size_t> first_faulty{};
  Culprit culprit{};  ///< if a stage is faulty
  double limit = 0;   ///< errors above this many standard deviations are not rounding
  std::string way{};  ///< the way_of_bits of only_other_bits(), if there is one
  /// Where no stage is faulty and some have other bits: the case's machine with other casts that
  /// gives every bit of all stages, or empty.
  std::string machine{};

  /// The one stage that has other bits than the emulation, where all others, if there are any, have
  /// its bits and rounding explains the difference.
  std::optional<std::size_t> only_other_bits() const;
};

struct DivergenceOptions {
  /// The probability that rounding alone makes any of the errors look like a fault, if they are
  /// normal.
  double probability = 1e-9;
  /// The program's roundings may be this many times as large as the emulation's.
  double factor = 1.5;
};

/// Judges the stages in the order of their cuts. Throws InputError for arrays of a wrong size, and
/// as flow_of does.
Divergence find_divergence(const Case& where, const CaseFlow& flow,
                           const ComplexArray<double>& input, const std::vector<OwnStage>& own,
                           const DivergenceOptions& options = {});

/// Where an array of the program lies in the flow: element i of the cut is the array's element
/// places[i].
struct Placement {
  std::size_t cut = 0;
  std::string order;
  std::vector<std::size_t> places;
  double agreement = 0;  ///< the part of the elements that lie near the computed ones
};

/// The order of that name for n elements: "natural", "bit-reversed", "RxC", for which an array of R
/// rows and C columns is the transposed cut, or a list of places. Throws InputError for others.
std::vector<std::size_t> places_in_order(const std::string& order, std::size_t n);

/// The place of an array among the cuts after `from`, from the program's data `before` there: the
/// first cut and order in which nearly all elements agree with what is computed. Where there is
/// none it is the next stage, in the order that agrees best, or, where none is clearly better, in
/// `order`. With `in_turn` the next stage comes first, as where there are as many arrays as stages:
/// a fault may then make the array look like another cut. None if no stage has that size. Orders
/// tried are `order`, natural, bit-reversed, and RxC for every divisor R of the length.
std::optional<Placement> find_placement(const CaseFlow& flow, std::size_t from,
                                        const ComplexArray<double>& before,
                                        const ComplexArray<double>& values,
                                        const std::string& order, bool in_turn);

}  // namespace fftprec::attribution
