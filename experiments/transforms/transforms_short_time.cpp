/// stft and istft.
#include <cmath>

#include "algorithms/transforms/short_time.hpp"
#include "arith/support/error.hpp"
#include "arith/truth/metrics.hpp"
#include "arith/truth/stft.hpp"
#include "arith/truth/transforms.hpp"
#include "experiments/inputs/inputs.hpp"
#include "experiments/tables/tables.hpp"
#include "experiments/transforms/registry.hpp"

namespace fftprec {

namespace {

/// The keys of both transforms. A value may be a number or depend on n.
std::vector<Key> short_time_keys() {
  return {{"hop", "n/4"},
          {"length", "16n"},
          {"window", "hann", {"rectangular", "hann", "hamming", "blackman", "bartlett"}},
          {"win", "n"},
          {"center", "1", {"0", "1"}},
          {"pad", "reflect", {"reflect", "constant", "replicate", "circular"}},
          norm_key()};
}

/// A count of samples, or the fraction or multiple of n that a key has by default.
struct SampleCount {
  std::size_t fixed = 0;  ///< 0: as the default says
  std::size_t times = 1;
  std::size_t divisor = 1;

  std::size_t of(std::size_t n) const {
    return fixed != 0 ? fixed : std::max<std::size_t>(times * n / divisor, 1);
  }
};

SampleCount sample_count(const std::string& owner, const Key& key, const std::string& by_default,
                         SampleCount derived) {
  if (key.value == by_default) return derived;
  derived.fixed = whole_number(key, owner, std::size_t{1} << 24, "nor " + by_default);
  return derived;
}

/// Framings by n, from the values of short_time_keys().
class Framings {
 public:
  Framings(const std::string& owner, const std::vector<Key>& keys)
      : hop_(sample_count(owner, keys[0], "n/4", {.divisor = 4})),
        length_(sample_count(owner, keys[1], "16n", {.times = 16})),
        window_(static_cast<Window>(choice_of(keys[2], owner))),
        win_(sample_count(owner, keys[3], "n", {})),
        center_(choice_of(keys[4], owner) == 1),
        padding_(static_cast<Padding>(choice_of(keys[5], owner))) {}

  Framing operator()(std::size_t n) const {
    return {.n = n,
            .hop = hop_.of(n),
            .length = length_.of(n),
            .window = window_,
            .window_length = win_.of(n),
            .center = center_,
            .padding = padding_};
  }

 private:
  SampleCount hop_;
  SampleCount length_;
  Window window_;
  SampleCount win_;
  bool center_;
  Padding padding_;
};

std::string unsupported_stft(const Framing& framing) { return unsupported_frames(framing); }

/// Judges overlaps by exact windows, each made once.
class Overlaps {
 public:
  std::string unsupported(const Framing& framing) const {
    if (std::string reason = unsupported_frames(framing); !reason.empty()) return reason;
    return unsupported_overlap(framing, *windows_->window(framing, fp64));
  }
  double least(const Framing& framing) const {
    return least_overlap(framing, *windows_->window(framing, fp64));
  }

 private:
  std::shared_ptr<TableMemory> windows_ = std::make_shared<TableMemory>();
};

/// framings(n), or the reason why there are none as NotApplicable.
template <class Unsupported>
Framing checked(const std::string& owner, const Framings& framings, std::size_t n,
                Unsupported unsupported) {
  const Framing framing = framings(n);
  if (const std::string reason = unsupported(framing); !reason.empty())
    throw NotApplicable(owner + ": " + reason);
  return framing;
}

/// g ||X|| of predict_stft.
double stft_reference(const ComplexArray<double>& input, const Framing& framing, Norm norm) {
  ComplexArray<double> frames = framed(input, framing);
  for (std::size_t i = 0; i < frames.size(); ++i) {
    const std::size_t j = i % framing.n;
    const bool under =
        j >= window_start(framing) && j < window_start(framing) + framing.window_length;
    if (!under) frames.re[i] = 0;
  }
  return Dft(Direction::forward, norm).gain(framing.n) * truth::l2_norm(frames);
}

/// g ||V|| / sqrt(s) of predict_istft.
double istft_reference(const ComplexArray<double>& input, const Framing& framing, Norm norm,
                       double least) {
  const auto n = static_cast<double>(framing.n);
  const double power = Dft(Direction::inverse, norm).power();
  const double divisor = power == 0 ? 1 / n : power == 1 ? n : 1;
  return truth::l2_norm(two_sided(input, framing.n)) / std::sqrt(divisor * least);
}

/// The common part of both transforms.
template <template <class> class ShortTime, class Unsupported>
TransformEntry entry_of(const Framings& framings, Norm norm, Unsupported unsupported) {
  TransformEntry entry;
  entry.framed = true;
  entry.unsupported = [=](const AlgorithmEntry& algorithm, std::size_t n) {
    std::string reason = algorithm.model.unsupported(n);
    if (reason.empty()) reason = unsupported_norm(algorithm, norm);
    return reason.empty() ? unsupported(framings(n)) : reason;
  };
  entry.make = made_by_plan([=]<class A>(const A& arithmetic, std::size_t n,
                                         const SourceTables& tables, const MakeFft<A>& fft) {
    return std::make_shared<const ShortTime<A>>(arithmetic, framings(n), tables.roots,
                                                tables.windows, fft, norm);
  });
  return entry;
}

TransformEntry stft(const std::vector<Key>& keys) {
  const Framings framings("transform stft", keys);
  const Norm norm = norm_named(keys.back().value);
  TransformEntry entry = entry_of<Stft>(framings, norm, unsupported_stft);
  entry.real_input = true;
  entry.item_shape = [framings](std::size_t n) {
    const Framing framing = framings(n);
    return ItemShape{{framing.length}, {framing.frames(), framing.bins()}};
  };
  entry.inverse = "istft";
  for (const Key& key : keys) entry.inverse += ":" + key.name + "=" + key.value;
  entry.unrefined =
      "istft undoes stft but not the reverse, since frames overlap: refinement "
      "would keep what the frames contradict each other in";
  entry.make_input = [framings](const Input& input, auto n, auto batch, auto seed) {
    const Framing framing = checked("stft", framings, n, unsupported_stft);
    ComplexArray<double> x = input(framing.length, batch, seed);
    drop_imaginary(x);
    return x;
  };
  entry.truth = [=](const auto& input, std::size_t n, auto, const auto& options) {
    return truth::in_norm(truth::stft(input, framings(n), options), {Direction::forward, norm}, n);
  };
  entry.reference_norm = [=](const auto& input, std::size_t n, auto) {
    return stft_reference(input, framings(n), norm);
  };
  entry.predict = [=](const Predictor& predictor, const auto& algorithm, auto n, auto batch) {
    return predict_stft(predictor.of({Direction::forward, norm}), framings(n), batch,
                        algorithm.model);
  };
  return entry;
}

/// Its input is random one-sided spectra, which are inconsistent where frames overlap. istft is
/// their least-squares inverse, so it has no inverse itself.
TransformEntry istft(const std::vector<Key>& keys) {
  const Framings framings("transform istft", keys);
  const Norm norm = norm_named(keys.back().value);
  const Overlaps overlaps;
  const auto unsupported = [overlaps](const Framing& framing) {
    return overlaps.unsupported(framing);
  };
  TransformEntry entry = entry_of<Istft>(framings, norm, unsupported);
  entry.real_output = true;
  entry.item_shape = [framings](std::size_t n) {
    const Framing framing = framings(n);
    return ItemShape{{framing.frames(), framing.bins()}, {framing.length}};
  };
  entry.make_input = [=](const Input& input, auto n, auto batch, auto seed) {
    const Framing framing = checked("istft", framings, n, unsupported);
    ComplexArray<double> x = input(framing.frames() * framing.bins(), batch, seed);
    for (std::size_t first = 0; first < x.size(); first += framing.bins()) {
      x.im[first] = 0;
      if (n % 2 == 0) x.im[first + n / 2] = 0;
    }
    return x;
  };
  entry.truth = [=](const auto& input, std::size_t n, auto, const auto& options) {
    return truth::in_norm(truth::istft(input, framings(n), options), {Direction::inverse, norm}, n);
  };
  entry.reference_norm = [=](const auto& input, std::size_t n, auto) {
    const Framing framing = framings(n);
    return istft_reference(input, framing, norm, overlaps.least(framing));
  };
  entry.predict = [=](const Predictor& predictor, const auto& algorithm, auto n, auto batch) {
    return predict_istft(predictor.of({Direction::inverse, norm}), framings(n), batch,
                         algorithm.model);
  };
  return entry;
}

}  // namespace

std::vector<TransformFamily> short_time_transforms() {
  return {
      {"stft", "one-sided spectra of windowed frames, as torch.stft", short_time_keys(), stft},
      {"istft", "least-squares inverse of stft by overlap-add, as torch.istft", short_time_keys(),
       istft},
  };
}

}  // namespace fftprec
