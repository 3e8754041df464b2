/// Makes data/recording.wav: a second and a half of sound that is like speech, for transforms of
/// short frames to have something real to look at.
///
///     make_recording FILE      writes 16 kHz, 16 bits, mono; the same bytes on every machine
///
/// It says "sa-i", waits, and says "shu-a": a source goes through resonators, as in Klatt,
/// "Software for a cascade/parallel formant synthesizer", J. Acoust. Soc. Am. 67 (1980), 971-995.
/// - Voice: pulses of glottal flow, 3 t^2 - 2 t^3 while it opens, 1 - t^2 while it closes
/// (Rosenberg,
///   J. Acoust. Soc. Am. 49 (1971), 583-590, type B and C), differenced, at a pitch that moves
///   between 95 and 165 Hz, through three resonators in a row: the formants of a vowel, after
///   Peterson and Barney, J. Acoust. Soc. Am. 24 (1952), 175-184.
/// - Fricative: noise of a linear congruential generator through one resonator.
/// Pitch, formants and loudness are lines between the times of a table.
/// No function of the C library is called on a number: sine and exponential are sums of + - * /,
/// each rounded once.
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>

namespace {

constexpr double rate_hz = 16000;
constexpr double pi = 0x1.921fb54442d18p+1;

/// exp(-x), 0 <= x <= 1: the power series of exp(x), summed from its small end, and its reciprocal.
double decay(double x) {
  double sum = 1;
  for (int k = 20; k >= 1; --k) sum = 1 + x / k * sum;
  return 1 / sum;
}

/// cos(x), 0 <= x <= pi: the power series, so nested that it is summed from its small end.
double cosine(double x) {
  double sum = 1;
  for (int k = 30; k >= 2; k -= 2) sum = 1 - x * x / (k * (k - 1)) * sum;
  return sum;
}

/// y = a x + b y' + c y'': a peak of the spectrum at a frequency, of a width, of gain 1 at 0 Hz.
class Resonator {
 public:
  double operator()(double x, double frequency_hz, double width_hz) {
    const double radius = decay(pi * width_hz / rate_hz);
    const double b = 2 * radius * cosine(2 * pi * frequency_hz / rate_hz);
    const double c = -radius * radius;
    const double y = (1 - b - c) * x + b * last_ + c * last_but_one_;
    last_but_one_ = last_;
    last_ = y;
    return y;
  }

 private:
  double last_ = 0;
  double last_but_one_ = 0;
};

/// Uniform in [-1, 1). Source: Haynes's multiplier in Knuth, The Art of Computer Programming 2
/// (1997), section 3.3.4, table 1.
class Noise {
 public:
  double operator()() {
    state_ = state_ * 6364136223846793005U + 1442695040888963407U;
    return static_cast<double>(static_cast<std::int64_t>(state_) >> 32) / 0x1p31;
  }

 private:
  std::uint64_t state_ = 1;
};

/// The flow of air through the glottis at phase 0 .. 1 of its cycle, 0 .. 1.
double glottal_flow(double phase) {
  constexpr double opened = 0.4;
  constexpr double closed = 0.56;
  if (phase >= closed) return 0;
  const double t = phase < opened ? phase / opened : (phase - opened) / (closed - opened);
  return phase < opened ? t * t * (3 - 2 * t) : 1 - t * t;
}

struct Moment {
  double time_s;
  double pitch_hz;
  std::array<double, 3> formants_hz;
  double voice;  ///< loudness of the vowel
  double hiss;   ///< of the fricative
  double hiss_hz;
};

constexpr std::array<double, 3> a{730, 1090, 2440};
constexpr std::array<double, 3> i{270, 2290, 3010};
constexpr std::array<double, 3> u{300, 870, 2240};

constexpr Moment score[] = {
    {0.00, 120, a, 0, 0, 5500},   {0.04, 120, a, 0, 1, 5500},   {0.14, 120, a, 0, 1, 5500},
    {0.17, 125, a, 0.8, 0, 5500}, {0.22, 150, a, 1, 0, 5500},   {0.36, 165, a, 1, 0, 5500},
    {0.46, 140, i, 1, 0, 5500},   {0.60, 120, i, 0.9, 0, 5500}, {0.68, 110, i, 0, 0, 5500},
    {0.82, 110, u, 0, 0, 2700},   {0.85, 110, u, 0, 1, 2700},   {0.95, 110, u, 0, 1, 2700},
    {0.98, 130, u, 0.8, 0, 2700}, {1.03, 150, u, 1, 0, 2700},   {1.14, 140, u, 1, 0, 2700},
    {1.24, 120, a, 1, 0, 2700},   {1.36, 105, a, 0.8, 0, 2700}, {1.46, 95, a, 0, 0, 2700},
    {1.50, 95, a, 0, 0, 2700},
};

Moment moment_at(double time_s) {
  std::size_t next = 1;
  while (next + 1 < std::size(score) && score[next].time_s <= time_s) ++next;
  const Moment& from = score[next - 1];
  const Moment& to = score[next];
  const double part = (time_s - from.time_s) / (to.time_s - from.time_s);
  const auto between = [part](double x, double y) { return x + part * (y - x); };
  Moment now{time_s,
             between(from.pitch_hz, to.pitch_hz),
             {},
             between(from.voice, to.voice),
             between(from.hiss, to.hiss),
             between(from.hiss_hz, to.hiss_hz)};
  for (std::size_t f = 0; f < now.formants_hz.size(); ++f)
    now.formants_hz[f] = between(from.formants_hz[f], to.formants_hz[f]);
  return now;
}

class Speaker {
 public:
  /// The next sample, about -1 .. 1.
  double operator()(const Moment& now) {
    phase_ += now.pitch_hz / rate_hz;
    if (phase_ >= 1) phase_ -= 1;
    const double flow = glottal_flow(phase_);
    double voice = now.voice * (flow - last_flow_);
    last_flow_ = flow;
    constexpr std::array<double, 3> widths_hz{60, 90, 150};
    for (std::size_t f = 0; f < vowel_.size(); ++f)
      voice = vowel_[f](voice, now.formants_hz[f], widths_hz[f]);
    const double hiss = fricative_(now.hiss * noise_(), now.hiss_hz, 1200);
    return 0.9 * voice + 0.03 * hiss;
  }

 private:
  double phase_ = 0;
  double last_flow_ = 0;
  std::array<Resonator, 3> vowel_;
  Resonator fricative_;
  Noise noise_;
};

std::string little(std::uint32_t value, int bytes) {
  std::string text;
  for (int at = 0; at < bytes; ++at) text += static_cast<char>(value >> (8 * at) & 0xff);
  return text;
}

/// A WAV file of one channel of 16-bit samples.
std::string wav(const std::string& data) {
  const auto size = static_cast<std::uint32_t>(data.size());
  const auto rate = static_cast<std::uint32_t>(rate_hz);
  return "RIFF" + little(36 + size, 4) + "WAVEfmt " + little(16, 4) + little(1, 2) + little(1, 2) +
         little(rate, 4) + little(2 * rate, 4) + little(2, 2) + little(16, 2) + "data" +
         little(size, 4) + data;
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 2) {
    std::fprintf(stderr, "usage: %s FILE\n", arguments[0]);
    return 2;
  }
  constexpr int samples = 24000;
  Speaker speaker;
  std::string data;
  for (int at = 0; at < samples; ++at) {
    const double sample = 0x1p15 * speaker(moment_at(at / rate_hz));
    if (!(sample > -0x1p15 && sample < 0x1p15 - 1)) {
      std::fprintf(stderr, "sample %d is too loud: %g\n", at, sample);
      return 1;
    }
    data += little(static_cast<std::uint32_t>(static_cast<std::int32_t>(sample)), 2);
  }
  std::ofstream file(arguments[1], std::ios::binary);
  if (!(file << wav(data)).flush()) {
    std::fprintf(stderr, "%s: cannot be written\n", arguments[1]);
    return 1;
  }
}
