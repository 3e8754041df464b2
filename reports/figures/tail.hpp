/// The kind `tail`: the share of seeds whose error is at least x, from rows with statistics over
/// seeds, beside the normal law, the expected error and the bounds.
#pragma once

#include "reports/figures/plot_kind.hpp"

namespace fftprec::figures {

/// Errors are shown in units of the expected error, where the row has one for this metric, or else
/// of the median over seeds. The bounds of err_l2_rel are named below each panel.
PlotKind tail_kind();

}  // namespace fftprec::figures
