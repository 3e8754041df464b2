#include "experiments/fftw/fftw_plan.hpp"

namespace fftprec {

MakeFft<MachineArithmetic<float>> make_fftw_f32() { return {}; }
MakeFft<MachineArithmetic<double>> make_fftw_f64() { return {}; }

}  // namespace fftprec
