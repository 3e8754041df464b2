#include "experiments/rows/set_errors.hpp"

namespace fftprec {

void set_errors(Row& row, const truth::Errors& errors) {
  row.err_l2_rel = errors.l2_rel;
  row.err_linf_rel = errors.linf_rel;
  row.err_l1_rel = errors.l1_rel;
  row.err_re_max_rel = errors.re_max_rel;
  row.err_im_max_rel = errors.im_max_rel;
  row.err_max_ulp = errors.max_ulp;
  row.err_rms_ulp = errors.rms_ulp;
  row.bits_l2 = errors.bits_l2;
}

}  // namespace fftprec
