#include "arith/truth/audit.hpp"

#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "arith/truth/audit_sums.hpp"

namespace fftprec::truth {
namespace {

constexpr int probes = 1;
constexpr int direct_sums = 1;

double distance(const ComplexReal& a, const ComplexReal& b) {
  Real re(ComplexReal::precision);
  Real im(ComplexReal::precision);
  mpfr_sub(re, a.re, b.re, MPFR_RNDN);
  mpfr_sub(im, a.im, b.im, MPFR_RNDN);
  mpfr_hypot(re, re, im, MPFR_RNDU);
  return mpfr_get_d(re, MPFR_RNDU);
}

CertificateError refuted(const std::string& what, double difference, double allowed) {
  return CertificateError("truth: " + what + " differs by " + std::to_string(difference / allowed) +
                          " times what is certified: the computation or the memory is at fault");
}

/// A transform and its result.
struct Subject {
  const ComplexPairs& x;
  const ComplexPairs& y;
  std::size_t n;
  std::size_t stride;

  std::size_t lines() const { return x.size() / n; }
  std::size_t start(std::size_t line) const { return line / stride * n * stride + line % stride; }
};

/// Between frequencies s and s + 1. z^k = 1 for no k < n, so that no two outputs could be
/// exchanged unseen: 2s + 1 is prime to n.
std::size_t random_frequency(std::size_t n, std::mt19937_64& generator) {
  std::size_t s = generator() % n;
  while (std::gcd(2 * s + 1, n) != 1) s = generator() % n;
  return s;
}

double tone_difference(const Subject& subject, std::size_t s, std::mt19937_64& generator,
                       const Loops& loops) {
  const auto& [x, y, n, stride] = subject;
  std::vector<unsigned> factors(subject.lines(), 0);
  for (std::size_t l = 1; l < factors.size(); ++l)
    factors[l] = static_cast<unsigned>(generator() % line_factors);
  const ComplexReal tone = exact_root(2 * n - (2 * s + 1), 2 * n);
  return distance(tone_sum({y, 0, n, stride, factors}, tone, loops),
                  cotangent_sum({x, 0, n, stride, factors}, s, loops));
}

void probe(const Subject& subject, std::mt19937_64& generator, double allowed, const Loops& loops) {
  std::size_t s = random_frequency(subject.n, generator);
  if (tone_difference(subject, s, generator, loops) <= allowed) return;
  s = random_frequency(subject.n, generator);
  const double difference = tone_difference(subject, s, generator, loops);
  if (difference <= allowed) return;
  throw refuted("the tone above frequency " + std::to_string(s), difference, allowed);
}

void sum_directly(const Subject& subject, std::mt19937_64& generator, double allowed,
                  const Loops& loops) {
  const std::size_t n = subject.n;
  const std::size_t start = subject.start(generator() % subject.lines());
  const std::size_t k = generator() % n;
  const std::vector<unsigned> alone(1, 0);
  const bool contiguous = subject.stride == 1;
  ComplexPairs gathered(contiguous ? 0 : n);
  for (std::size_t j = 0; j < gathered.size(); ++j)
    gathered.set(j, subject.x.at(start + j * subject.stride));
  const WeighedLines line{contiguous ? subject.x : gathered, contiguous ? start : 0, n, 1, alone};
  const ComplexReal expected = tone_sum(line, exact_root(k, n), loops);
  const ComplexReal found = element_sum({subject.y, start + k * subject.stride, 1, 1, alone}, 0);
  const double difference = distance(found, expected);
  if (difference > allowed) throw refuted("output " + std::to_string(k), difference, allowed);
}

}  // namespace

void audit(const ComplexPairs& x, const ComplexPairs& y, std::size_t n, std::size_t stride,
           double allowed, const Loops& loops) {
  const MpfrCacheScope scope;
  const Subject subject{x, y, n, stride};
  std::mt19937_64 generator(n + x.size());
  for (int i = 0; i < probes; ++i) probe(subject, generator, allowed, loops);
  for (int i = 0; i < direct_sums; ++i) sum_directly(subject, generator, allowed, loops);
}

}  // namespace fftprec::truth
