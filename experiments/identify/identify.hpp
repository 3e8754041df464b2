/// Identifies a device: the machine that gives equal bits in every probe, the probes that decide
/// its parameters, and open parameters; or that no machine fits, with the smallest probe that shows
/// it.
///
/// The search reads the table of parameters, so a new parameter needs no further code.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "experiments/identify/probes.hpp"

namespace fftprec::identify {

/// A batch and the device's result, m x n.
struct Answer {
  Batch batch;
  std::vector<float> d;
};

/// One parameter of a machine that fits.
struct Decision {
  std::string key;
  std::string value;
  std::string nearest{};    ///< the other value that differs in the fewest outputs, ...
  std::size_t outputs = 0;  ///< ... their number ...
  std::string batch{};      ///< ... and the batch with most of them; empty: no value differs
  std::vector<std::string> open{};  ///< other values that agree in every output
  std::string next{};               ///< a batch that distinguishes one of them, if any: ...
  std::size_t next_k = 0;           ///< ... one that has no answer, or, where this is not 0, ...
                                    ///< ... one of that k, which is not among the probes
  bool stopped = false;             ///< at `most_products`: other values were not tried
};

/// An output in which no machine agrees with the device.
struct Failure {
  struct Product {
    std::size_t k;
    float a;
    float b;
  };
  std::string batch;
  std::size_t row = 0;
  std::size_t column = 0;
  std::vector<Product> products{};  ///< the nonzero products
  std::optional<float> c{};
  float device = 0;
  float machine = 0;  ///< of the nearest machine
};

/// Outputs of one batch.
struct BatchResult {
  std::string name;
  std::size_t outputs = 0;
  std::size_t differ = 0;      ///< from the machine; any NaN equals any NaN
  std::size_t zero_signs = 0;  ///< among equal ones: zeros of the other sign
};

struct Identification {
  bool fits = false;
  bool stopped = false;                ///< the search ended at `most_products`
  Machine machine{};                   ///< the fitting one with the fewest settings, or the nearest
  std::vector<std::string> presets{};  ///< all that fit
  std::vector<std::string> up_to_sign{};  ///< else those that fit except for signs of zeros
  std::vector<BatchResult> batches{};
  std::vector<Decision> decisions{};  ///< if a machine fits
  std::optional<Failure> failure{};   ///< if none fits
};

struct IdentifyOptions {
  Operands operands{};
  std::vector<Batch> unanswered{};  ///< batches without a result
  bool decide = true;               ///< fill `decisions`
  unsigned threads = 2;             ///< the answer does not depend on it
  /// The search ends after this many products: 60 s on two cores if only the definition can compute
  /// them. The search for `decisions` has the same limit.
  std::uint64_t most_products = 4'000'000'000;
};

/// Throws InputError if there is no answer, for a d that is not m x n and for operands that no
/// preset takes.
Identification identify(const std::vector<Answer>& answers, const IdentifyOptions& options);

/// Groups of presets with equal bits in every batch, which no batch distinguishes.
std::vector<std::vector<std::string>> preset_groups(const Operands& operands,
                                                    const std::vector<Batch>& batches);

/// x in binary, "-1.011p-3" for -1.375 * 2^-3: significand and exponent; or "inf", "nan".
std::string binary(double x);

/// The exact sum of c and the products of a probe, in binary.
std::string exact_sum(const Failure& failure);

}  // namespace fftprec::identify
