#include "arith/truth/expansion_fourier.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <list>
#include <mutex>
#include <utility>
#include <variant>

#include "arith/truth/expansion_stockham.hpp"
#include "arith/truth/radius.hpp"

namespace fftprec::truth {
namespace {

constexpr std::size_t elements_at_once = std::size_t{1} << 16;
constexpr std::size_t elements_kept = std::size_t{1} << 22;  ///< in tables of cached transforms
constexpr std::size_t transforms_kept = 32;

template <class View, class ConstView>
void multiply(const View& x, const ConstView& t, std::size_t count, Isa isa) {
  with_tables<ExpansionTables>(isa, [&](auto tables) { tables.multiply(x, t, count); });
}

/// Any length, as Bluestein in fourier.hpp: three transforms of length m = 2^t >= 2n-1.
template <class Array>
class ExpansionBluestein {
 public:
  using View = ViewOf<Array>;

  explicit ExpansionBluestein(std::size_t n)
      : n_(n), m_(std::bit_ceil(2 * n - 1)), fft_(m_), chirp_(n), spectrum_(m_) {
    const ExpansionRoots<Array> roots(2 * n);
    std::size_t square = 0;  // j^2 mod 2n
    for (std::size_t j = 0; j < n; ++j) {
      const auto c = roots(square);
      chirp_.set(j, c);
      for (const std::size_t place : {j, (m_ - j) % m_}) spectrum_.set(place, {c.re, -c.im});
      square = (square + 2 * j + 1) % (2 * n);
    }
    fft_(view(spectrum_), m_, 1, {});
    const double scale = 1 / static_cast<double>(m_);  // a power of two
    for_each_plane(view(spectrum_), [&](double* plane) {
      for (std::size_t k = 0; k < m_; ++k) plane[k] *= scale;
    });
  }

  void operator()(View x, std::size_t size, std::size_t stride, const Loops& loops) const {
    const std::size_t lines = size / n_;
    const std::size_t together = std::clamp<std::size_t>(elements_at_once / m_, 1, lines);
    Array padded(together * m_);
    for (std::size_t first = 0; first < lines; first += together) {
      const std::size_t count = std::min(together, lines - first);
      for (std::size_t i = 0; i < count; ++i) load(x, first + i, stride, padded, i * m_, loops);
      const View z = view(padded);
      fft_(z, count * m_, 1, loops);
      for (std::size_t i = 0; i < count; ++i)
        multiply(from(z, i * m_), view(spectrum_), m_, loops.isa);
      fft_(exchanged(z), count * m_, 1, loops);
      for (std::size_t i = 0; i < count; ++i) {
        multiply(from(z, i * m_), view(chirp_), n_, loops.isa);
        copy(from(z, i * m_), 1, from(x, start(first + i, stride)), stride);
      }
    }
  }

  double radius() const { return bluestein_radius<Array>(n_, m_, fft_.radius()); }
  std::string name() const { return "bluestein over " + std::to_string(m_); }

 private:
  std::size_t start(std::size_t line, std::size_t stride) const {
    return line / stride * n_ * stride + line % stride;
  }

  void copy(View in, std::size_t in_step, View out, std::size_t out_step) const {
    for_each_plane(in, out, [&](const double* source, double* target) {
      for (std::size_t j = 0; j < n_; ++j) target[j * out_step] = source[j * in_step];
    });
  }

  void load(View x, std::size_t line, std::size_t stride, Array& padded, std::size_t first,
            const Loops& loops) const {
    const View z = from(view(padded), first);
    copy(from(x, start(line, stride)), stride, z, 1);
    for_each_plane(z, [&](double* plane) { std::fill(plane + n_, plane + m_, 0.0); });
    multiply(z, view(chirp_), n_, loops.isa);
  }

  std::size_t n_;
  std::size_t m_;
  ExpansionStockham<Array> fft_;
  Array chirp_;     ///< exp(-pi i j^2/n), j < n
  Array spectrum_;  ///< transform of its conjugate, divided by m
};

template <class Array>
using Engine = std::variant<ExpansionStockham<Array>, ExpansionBluestein<Array>>;

template <class Array>
Engine<Array> engine_for(std::size_t n) {
  if (std::has_single_bit(n)) return ExpansionStockham<Array>(n);
  return ExpansionBluestein<Array>(n);
}

}  // namespace

template <class Array>
struct ExpansionFourier<Array>::Plan {
  std::size_t n;
  Engine<Array> engine;
};

template <class Array>
ExpansionFourier<Array>::ExpansionFourier(std::size_t n)
    : plan_(new Plan{n, engine_for<Array>(n)}) {}

template <class Array>
ExpansionFourier<Array>::~ExpansionFourier() = default;

template <class Array>
void ExpansionFourier<Array>::operator()(Array& x, std::size_t stride, const Loops& loops) const {
  assert(x.size() % (plan_->n * stride) == 0);
  std::visit([&](const auto& engine) { engine(view(x), x.size(), stride, loops); }, plan_->engine);
}

template <class Array>
double ExpansionFourier<Array>::radius() const {
  return std::visit([](const auto& engine) { return engine.radius(); }, plan_->engine);
}

template <class Array>
std::size_t ExpansionFourier<Array>::size() const {
  return plan_->n;
}

template <class Array>
std::string ExpansionFourier<Array>::name() const {
  if (const auto* bluestein = std::get_if<ExpansionBluestein<Array>>(&plan_->engine))
    return bluestein->name();
  return "stockham";
}

template <class Array>
std::shared_ptr<const ExpansionFourier<Array>> cached_expansion_fourier(std::size_t n) {
  static std::mutex mutex;
  static std::list<std::shared_ptr<const ExpansionFourier<Array>>> kept;  // latest use first

  const std::lock_guard lock(mutex);
  const auto found =
      std::find_if(kept.begin(), kept.end(), [n](const auto& plan) { return plan->size() == n; });
  if (found != kept.end()) {
    kept.splice(kept.begin(), kept, found);
    return kept.front();
  }
  kept.push_front(std::make_shared<const ExpansionFourier<Array>>(n));
  std::size_t elements = 0;
  std::size_t count = 0;
  for (auto plan = kept.begin(); plan != kept.end(); ++count) {
    elements += (*plan)->size();
    const bool too_many = count >= transforms_kept || elements > elements_kept;
    plan = too_many && count > 0 ? kept.erase(plan) : std::next(plan);
  }
  return kept.front();
}

template class ExpansionFourier<ComplexPairs>;
template class ExpansionFourier<ComplexTriples>;
template std::shared_ptr<const PairFourier> cached_expansion_fourier<ComplexPairs>(std::size_t n);
template std::shared_ptr<const TripleFourier> cached_expansion_fourier<ComplexTriples>(
    std::size_t n);

}  // namespace fftprec::truth
