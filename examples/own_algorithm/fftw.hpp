/// FFTW as a function that fftprec can call from several threads.
#pragma once

#include <fftw3.h>

#include <complex>
#include <fftprec/fftprec.hpp>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <utility>

/// Keeps a plan for each length and direction until the program ends. FFTW_MEASURE tries several,
/// so bits may differ from run to run; errors do not by much.
class MyFftw {
 public:
  void operator()(std::span<std::complex<float>> x, fftprec::Direction direction) const {
    auto* data = reinterpret_cast<fftwf_complex*>(x.data());
    fftwf_execute_dft(plan(static_cast<int>(x.size()), direction), data, data);
    if (direction == fftprec::Direction::inverse)
      for (auto& value : x) value /= static_cast<float>(x.size());
  }

 private:
  fftwf_plan plan(int n, fftprec::Direction direction) const {
#ifdef WRONG_SIGN
    const int sign = direction == fftprec::Direction::forward ? FFTW_BACKWARD : FFTW_FORWARD;
#else
    const int sign = direction == fftprec::Direction::forward ? FFTW_FORWARD : FFTW_BACKWARD;
#endif
    const std::lock_guard lock(plans_->planner);
    fftwf_plan& plan = plans_->made[{n, sign}];
    if (plan == nullptr) {
      fftwf_complex* scratch = fftwf_alloc_complex(static_cast<std::size_t>(n));
      plan = fftwf_plan_dft_1d(n, scratch, scratch, sign, FFTW_MEASURE | FFTW_UNALIGNED);
      fftwf_free(scratch);
    }
    return plan;
  }

  struct Plans {
    std::mutex planner;  ///< FFTW makes plans in one thread at a time
    std::map<std::pair<int, int>, fftwf_plan> made;
  };
  std::shared_ptr<Plans> plans_ = std::make_shared<Plans>();  ///< shared by all copies
};
