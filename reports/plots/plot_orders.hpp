/// The order of names in legends and tables: that of the registry, in which `fftprec list` shows
/// them.
#pragma once

#include "reports/plots/plot_figure.hpp"

namespace fftprec {

NameOrders registry_orders();

}  // namespace fftprec
