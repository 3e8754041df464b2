/// The worst element of a result: the one that decides an error measure, and its true value.
#pragma once

#include <complex>
#include <cstddef>
#include <string>

#include "arith/formats/format.hpp"
#include "arith/truth/truth.hpp"
#include "experiments/cases/columns.hpp"
#include "experiments/cases/evaluate.hpp"

namespace fftprec::attribution {

/// Computed minus true values, (y - hi) - lo, with a relative error of 2^-52. Requires: equal
/// sizes.
ComplexArray<double> differences(const ComplexArray<double>& y, const truth::Truth& truth);

struct WorstElement {
  std::size_t item;               ///< of the batch
  std::size_t index;              ///< within the item
  std::complex<double> computed;  ///< rounded to double
  std::complex<double> exact;     ///< rounded to double
};

/// "output 17 of item 0: (1.5, 2), where (1.25, 2) is true".
std::string text_of(const WorstElement& worst);

/// The first element that is not finite, if there is one. Else the element that decides an
/// elementwise metric (err_re_max_rel, err_im_max_rel, the ulp metrics); for all other metrics the
/// element with the largest |computed - exact|. The first of equals. Requires: y has the size of
/// the truth, which is not 0.
WorstElement worst_element(const ComplexArray<double>& y, const truth::Truth& truth,
                           const Column& metric, const Format& format);

/// An element and how far off it is.
struct WorstOutput : WorstElement {
  std::complex<double> error;  ///< computed minus true value
  double rel_to_largest;       ///< |error| / max|t|; err_linf_rel for the worst element
  double part_rel;             ///< the larger relative error of its two parts
  double ulp;  ///< the larger error of its two parts, in steps of the result's format
};

/// The element with the largest |error|, and the element with the largest relative error of a part,
/// found by worst_element. Requires: equal sizes, at least one element.
struct WorstOutputs {
  WorstOutput by_magnitude;
  WorstOutput by_part;
};
WorstOutputs worst_outputs(const Output& output, const truth::Truth& truth, const Format& format);

}  // namespace fftprec::attribution
