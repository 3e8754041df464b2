/// What a device computes: the machine that gives the same bits in every probe, which probes decide
/// its parameters, what stays open; or that none fits, with the smallest probe that says so.
///
/// The search takes the table of parameters as data: a new parameter is searched as it is.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "experiments/identify/probes.hpp"

namespace fftprec::identify {

/// A batch and what the device gave for it, m x n.
struct Answer {
  Batch batch;
  std::vector<float> d;
};

/// One parameter of a machine that fits.
struct Decision {
  std::string key;
  std::string value;
  std::string nearest{};            ///< the other value that differs in the fewest outputs, ...
  std::size_t outputs = 0;          ///< ... how many those are ...
  std::string batch{};              ///< ... and where most of them are; empty: no value differs
  std::vector<std::string> open{};  ///< other values that agree in every output
  std::string next{};               ///< a batch that tells one of those, if any does: ...
  std::size_t next_k = 0;           ///< ... one that has no answer, or, where this is not 0, ...
                                    ///< ... one of that k, which is not among the probes
  bool stopped = false;             ///< at `most_products`: other values were not looked at
};

/// One output in which no machine agrees with the device.
struct Failure {
  struct Product {
    std::size_t k;
    float a;
    float b;
  };
  std::string batch;
  std::size_t row = 0;
  std::size_t column = 0;
  std::vector<Product> products{};  ///< those that are not zero
  std::optional<float> c{};
  float device = 0;
  float machine = 0;    ///< of the nearest machine
  bool shrunk = false;  ///< the device was asked for less, and these products are needed
};

/// Outputs of one batch.
struct BatchResult {
  std::string name;
  std::size_t outputs = 0;
  std::size_t differ = 0;      ///< from the machine; any NaN equals any NaN
  std::size_t zero_signs = 0;  ///< of those that agree: zeros of the other sign
};

struct Identification {
  bool fits = false;
  bool stopped = false;                      ///< the search ended at `most_products`
  NamedMachine machine{};                    ///< of the fewest settings that fits, or the nearest
  std::vector<std::string> presets{};        ///< all that fit
  std::vector<std::string> but_for_signs{};  ///< else those that fit but for signs of zeros
  std::vector<BatchResult> batches{};
  std::vector<Decision> decisions{};  ///< where a machine fits
  std::optional<Failure> failure{};   ///< where none does
};

/// What multiplies: D of a batch.
using Device = std::function<std::vector<float>(const Batch&)>;

struct IdentifyOptions {
  Operands operands{};
  std::vector<Batch> unanswered{};  ///< batches that could be run next
  Device device{};                  ///< asked for less where nothing fits; or nothing
  bool decide = true;               ///< fill `decisions`
  unsigned threads = 2;             ///< same answer with any number
  /// The search ends after so many products, 60 s on two cores where only the definition serves;
  /// so does what decides.
  std::uint64_t most_products = 4'000'000'000;
};

/// Throws InputError if there is no answer, for a d that is not m x n and for operands that no
/// preset takes.
Identification identify(const std::vector<Answer>& answers, const IdentifyOptions& options);

/// Groups of presets that give equal bits in every batch, so that no batch tells them apart.
std::vector<std::vector<std::string>> preset_groups(const Operands& operands,
                                                    const std::vector<Batch>& batches);

/// x in binary, "-1.011p-3" for -1.375 * 2^-3: significand and exponent; or "inf", "nan".
std::string binary(double x);

/// The exact sum of c and the products of a probe, in binary.
std::string exact_sum(const Failure& failure);

}  // namespace fftprec::identify
