/// The kind `spectrum`: the error of each output. Its shape shows a bias, a tone or a floor.
#pragma once

#include <vector>

#include "experiments/cases/row.hpp"
#include "experiments/cases/session.hpp"
#include "reports/figures/plot_kind.hpp"

namespace fftprec::figures {

PlotKind spectrum_kind();

/// For each output k the mean of |y_k - t_k|^2 / max |t|^2 over the rows and the items of their
/// batches, with t the truth of an item and y in double. Runs the cases again. Requires: at least
/// one row, all measured, of one length.
std::vector<double> error_spectrum(Session& session, const std::vector<const Row*>& rows);

}  // namespace fftprec::figures
