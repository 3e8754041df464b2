#include "experiments/fftw/fftw_plan.hpp"

namespace fftprec {

MakeFft<MachineArithmetic<double>> make_fftw_f128() { return {}; }

}  // namespace fftprec
