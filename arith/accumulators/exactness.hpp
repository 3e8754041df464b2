/// Up to which size an accumulator model adds integers without any error: what error-free slicing
/// rests on.
#pragma once

#include "arith/accumulators/model.hpp"

namespace fftprec {

/// The largest B such that the model makes no error in any sum of products of which every sum of
/// some terms, c among them, is an integer below 2^B in magnitude, all times one power of two. By
/// induction that holds for a chain of blocks as well: the next c is such a sum. Magnitudes that
/// add up to 2^B are harmless too, since what reaches 2^B has no other terms beside it: so K
/// products of at most 2^b each are summed exactly if K 2^b <= 2^B.
///
/// Requires: no over- or underflow, that is normal operands (aligned models take the exponent of a
/// subnormal for emin), terms and sums within the format, and a unit of at least
/// 2^(lowest_exponent - fraction_bits).
///
/// Proof. Let the unit be 1 and p the precision of `format`. A result of a rounded addition is an
/// integer below 2^B: it is held, and no rounding changes it, if B <= p; 2^p + 1 is not held. A
/// product is such a sum by itself, so rounding products to p' bits is harmless if B <= p', and not
/// beyond. An aligned model cuts every term to multiples of 2^(e - F), where e is the exponent of a
/// term (or lowest_exponent): of normal operands it is at most that of the term's magnitude, and
/// one below it if the significands' product is at least 2, so e <= B - 1, and nothing is cut if
/// B - 1 <= F; a term 2^(F+1) beside one of 1 loses the latter. A late c is aligned with a sum of
/// products cut to late_fraction_bits >= F, likewise. The sums of what is left are exact, so the
/// final rounding is as above. Together: B = min(p, p', F + 1).
int exact_bits(const AccumulatorModel& model);

}  // namespace fftprec
