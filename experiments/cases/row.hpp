/// A row: the measured result of one case, as results.csv holds it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "arith/truth/metrics.hpp"
#include "arith/truth/truth.hpp"
#include "experiments/cases/case.hpp"

namespace fftprec {

enum class Status {
  ok,       ///< measured
  skipped,  ///< the combination has no meaning; `message` says why
  failed,   ///< an exception; `message` is its text
};

/// "ok", "skipped" or "failed".
std::string_view name_of(Status status);

/// Throws InputError for any other name.
Status status_named(std::string_view name);

/// The tier called "mpfr", "dd" or "gmp". Throws InputError for any other name.
truth::Tier tier_named(std::string_view name);

struct SeedStatistics;

/// An absent optional is an empty cell: not measured, or no theorem applies.
struct Row {
  SharedCase where{};
  std::optional<double> err_l2_rel{};      ///< ||y-t||_2 / ||t||_2
  std::optional<double> err_linf_rel{};    ///< max|y-t| / max|t|, complex magnitudes
  std::optional<double> err_l1_rel{};      ///< ||y-t||_1 / ||t||_1
  std::optional<double> err_linf_abs{};    ///< max|y-t|, complex magnitudes
  std::optional<double> err_mean_rel{};    ///< mean over elements of |y-t| / |t|
  std::optional<double> err_re_max_rel{};  ///< largest elementwise relative error, real parts
  std::optional<double> err_im_max_rel{};  ///< largest elementwise relative error, imaginary parts
  std::optional<double> err_max_ulp{};     ///< ulp of the output format at the true value
  std::optional<double> err_rms_ulp{};
  std::optional<double> err_roundtrip_l2_rel{};  ///< ||inverse(y)-x||_2 / ||x||_2, x the input
  std::optional<double> bits_l2{};               ///< -log2(err_l2_rel): bits correct
  std::optional<double> snr_db{};                ///< -20 log10(err_l2_rel)
  std::optional<double> snr_no_gain_db{};        ///< snr_db against gain t instead of t
  std::optional<double> gain{};                  ///< Re <y,t> / <t,t>: 1 unless results are biased
  std::optional<double> bound_l2_rel{};          ///< worst case, a theorem evaluated
  std::string bound_name{};                      ///< which theorem
  std::optional<double> bound_prob_l2_rel{};     ///< exceeded with probability 1e-6 at most
  std::optional<double> expected_l2_rel{};       ///< RMS model for random input
  std::optional<double> expected_gain{};         ///< RMS model of gain
  // Of products of whole numbers.
  std::optional<double> bound_linf_abs{};       ///< worst case of err_linf_abs, a theorem evaluated
  std::optional<double> bound_prob_linf_abs{};  ///< exceeded with probability 1e-6 at most
  std::optional<double> expected_linf_abs{};    ///< law of random digits
  std::optional<double> failure_prob{};         ///< that a result errs by 1/2 or more, by that law
  std::optional<std::uint64_t> wrong_coefficients{};  ///< results that err by 1/2 or more
  std::optional<std::uint64_t> coefficient_bits{};    ///< of the largest exact result
  std::optional<std::uint64_t> overflows{};           ///< parts of results beyond the format
  std::optional<std::uint64_t> underflows{};  ///< parts below the format, of input and result
  std::optional<std::uint64_t> truth_bits{};
  std::optional<truth::Tier> truth_tier{};
  std::optional<std::uint64_t> matmul_passes{};
  std::optional<std::uint64_t> real_multiplications{};
  std::optional<std::uint64_t> time_ns{};
  std::string output_hash{};  ///< XXH3-64 of the output, NaNs made canonical
  Status status = Status::ok;
  std::string message{};
  /// Of a row that stands for several seeds; the other fields are then those of the worst seed.
  std::shared_ptr<const SeedStatistics> over_seeds{};
};

/// What tells the rows of a run apart: the case; of a row with statistics over seeds, with seed 0.
SharedCase identity_of(const Row& row);

/// Copies each measure into the column of its name; leaves the others.
void set_errors(Row& row, const truth::Errors& errors);

/// Counts results that err by 1/2 or more, or are not finite, and sets the bits of the largest
/// exact one; leaves both empty unless all exact results are whole.
void set_wrong_coefficients(Row& row, const ComplexArray<double>& y, const truth::Truth& truth);

/// Fills the truth's columns of a row whose errors are set. Sets `message` if the truth has too few
/// digits for err_l2_rel.
void set_truth(Row& row, const truth::Truth& truth);

}  // namespace fftprec
