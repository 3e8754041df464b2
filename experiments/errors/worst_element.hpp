/// Which element of a result errs most.
#pragma once

#include <complex>
#include <cstddef>
#include <string>

#include "arith/formats/format.hpp"
#include "arith/truth/truth.hpp"
#include "experiments/rows/columns.hpp"

namespace fftprec {

struct WorstElement {
  std::size_t item;   ///< of the batch
  std::size_t index;  ///< within the item
  std::complex<double> computed;
  std::complex<double> exact;  ///< rounded to double
};

/// "output 17 of item 0: (1.5, 2), where (1.25, 2) is true".
std::string text_of(const WorstElement& worst);

/// The first element that is not finite, if there is one. Else the one that decides an elementwise
/// metric (err_re_max_rel, err_im_max_rel, the ulp metrics), and for all others the one with the
/// largest |computed - exact|; the first of equals.
/// Requires: y of the truth's size, which is not 0.
WorstElement worst_element(const ComplexArray<double>& y, const truth::Truth& truth,
                           const Column& metric, const Format& format);

}  // namespace fftprec
