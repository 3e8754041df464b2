#include "algorithms/theory/refinement.hpp"

#include "algorithms/theory/roundings.hpp"

namespace fftprec {

/// X' = X + F(x - G(X)), with relative errors of at most b of X, f of F and b' of G, growth c, in
/// fp32 outside: X = Fx + E1, G(X) = F^-1 X + E2, |E2| <= b'(1 + c b)|x|, so the residual is r =
/// -F^-1 E1 - E2, |r| <= c b + |E2|, and F(r) = -E1 - F E2 + E3: E1 cancels, but the error of G
/// stays, grown to c |E2|; then |E3| <= f |r|, and the fp32 roundings of the residual and of the
/// sum. What G does not see of E1 is not cancelled: at most b. Random: E2 alone.
ErrorBound refined_error(const ErrorBound& before, const ErrorBound& forward,
                         const ErrorBound& backward, double growth) {
  const double u = 0x1p-24;
  const ErrorBound inverse = (1 + growth * before.worst) * (growth * backward);
  const double seen = growth * before.worst + inverse.worst;
  const double unseen = growth > 1 ? before.worst : 0;
  const double residual = (1 + u) * seen;
  const ErrorBound rest(growth * u * seen);
  return compose(unseen + inverse + rest + forward.worst * residual,
                 ErrorBound(repeated_error(u, 2)));
}

/// X + F(x - G(X)): what F errs by it takes back, but for its own error of the residual, which is
/// the sum of both errors; what G errs by stays; the residual and the sum are fp32.
double refined_variance(double before, double forward, double backward) {
  return backward + forward * (before + backward) + value_variance(0x1p-24);
}

}  // namespace fftprec
