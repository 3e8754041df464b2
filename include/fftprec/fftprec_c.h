/// fftprec for C, and for every language that can call C: round arrays, compute transforms in an
/// emulated arithmetic, compute certified exact transforms, measure the error of a result.
///
/// Names are those of the command line: `fftprec list modes`, algorithms, machines, transforms, ...
/// Arrays belong to the caller. A complex number is its real part, then its imaginary part, so an
/// array of `count` complex numbers has 2*count doubles. A double holds every float exactly. Real
/// data (the input of rfft, the output of irfft) have imaginary parts of zero. The items of a batch
/// follow one another; with several axes the last one varies fastest.
///
/// A function that returns FFTPREC_OK has set its outputs. A function that returns another
/// fftprec_status has not changed them, and fftprec_last_error() gives the reason. Functions may be
/// called from several threads at once. The bits of a result depend only on the arguments.
///
/// Functions, their arguments and the numbers of fftprec_status stay stable between versions.
/// Structs grow at their end, and the caller sets their first member to the size it was compiled
/// with, so older callers keep working. FFTPREC_C_VERSION grows with each addition; a removal would
/// change the name of the shared library.
#pragma once

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { FFTPREC_C_VERSION = 3 };

typedef enum fftprec_status {
  FFTPREC_OK = 0,
  FFTPREC_BAD_INPUT = 1,       ///< an unknown name, a size that does not fit, NULL, NaN
  FFTPREC_NOT_APPLICABLE = 2,  ///< each name is known, but the combination makes no sense
  FFTPREC_NO_MEMORY = 3,
  FFTPREC_FAILED = 4  ///< subnormals are flushed, rounding is not to nearest; other errors
} fftprec_status;

/// FFTPREC_C_VERSION of the loaded library.
int32_t fftprec_c_version(void);

/// The version of the program, "0.1.0".
const char* fftprec_version(void);

/// Why this thread's last call failed: place, value, and the known names. "" if it did not fail.
/// Valid until this thread's next call.
const char* fftprec_last_error(void);

/// out[i] = x[i] rounded once; out may be x. Shapes: x and out hold `count` real numbers. format:
/// "bf16", ..., "custom(p=5,emin=-14,emax=15)". rounding: NULL is "rne". bits, in 1..53 ("sr:b",
/// "sr:c": 1..52), and seed: the random bits of stochastic rounding; other roundings ignore them.
/// BAD_INPUT: unknown names; in fftprec_roundf a format with values that no float has.
fftprec_status fftprec_round(const double* x, size_t count, double* out, const char* format,
                             const char* rounding, int32_t bits, uint64_t seed);
fftprec_status fftprec_roundf(const float* x, size_t count, float* out, const char* format,
                              const char* rounding, int32_t bits, uint64_t seed);

/// The case to compute. NULL and 0 mean the default, and a NULL fftprec_case means all defaults.
typedef struct fftprec_case {
  size_t size;                  ///< sizeof(fftprec_case)
  const char* transform;        ///< "fft"; keys follow the name, "fft2:rows=8"
  const char* algorithm;        ///< "radix2-dit"
  const char* mode;             ///< "fp32"
  const char* machine;          ///< "trn"; "file:machine.toml" as `fftprec identify` writes it
  const char* tables;           ///< "exact"
  uint64_t n;                   ///< length; 0: the input is one item (spectra: of the even length)
  uint64_t batch;               ///< items; 0: as many as the input holds
  const char* rounding_points;  ///< "op"; since version 2
  const char* scale;            ///< "none"; since version 2
} fftprec_case;

/// The number of complex results from an input of `count` complex numbers, and the number of items.
/// BAD_INPUT: an unknown transform, or a count that does not fit n; the message lists counts that
/// fit.
fftprec_status fftprec_sizes(const fftprec_case* which, size_t count, size_t* output_count,
                             size_t* items);

/// y = the result of the algorithm for x, in the mode on the machine: the bits of
/// `fftprec compute`. Rounds: as the emulated arithmetic does; double words once more, to double.
/// Shapes: x of `count`, y of `output_count` complex numbers, by fftprec_sizes. BAD_INPUT: as
/// fftprec_sizes; another output_count; unknown names; infinities and NaN. NOT_APPLICABLE: for
/// example a length that the algorithm does not support.
fftprec_status fftprec_compute(const fftprec_case* which, const double* x, size_t count, double* y,
                               size_t output_count);

/// The exact transform of x: |value + lo - exact| <= radius[i] for every element of item i.
/// bits: floor(-log2(r)), r the largest relative error of value + lo in the 2-norm.
/// Shapes: value and lo of `output_count` complex numbers, radius of `items` real numbers, by
/// fftprec_sizes. lo, radius and bits may be NULL. Only transform, n and batch of `which` matter.
/// BAD_INPUT: as fftprec_compute.
fftprec_status fftprec_truth(const fftprec_case* which, const double* x, size_t count,
                             double* value, double* lo, size_t output_count, double* radius,
                             size_t items, int32_t* bits);

/// `fftprec list metrics` explains each.
typedef struct fftprec_metrics {
  size_t size;  ///< sizeof(fftprec_metrics), set before the call
  double err_l2_rel;
  double err_linf_rel;
  double err_l1_rel;
  double err_re_max_rel;
  double err_im_max_rel;
  double err_max_ulp;
  double err_rms_ulp;
  double bits_l2;
  double snr_db;
  double gain;
  int64_t truth_bits;
  const char* suspicion;   ///< the likely cause of a large error, or ""; this and the next are
  const char* not_finite;  ///< valid until this thread's next call. Where y is not finite, or ""
  double err_linf_abs;     ///< from here on since version 3
  double err_mean_rel;
  double snr_no_gain_db;
} fftprec_metrics;

/// The error of y, the result of any program, against the exact transform of x. norm: "backward"
/// (or NULL), "ortho" or "forward". format: the format of the ulp metrics; NULL is "fp64". Shapes
/// and `which`: as fftprec_truth; y may hold infinities and NaN. BAD_INPUT: as fftprec_truth.
fftprec_status fftprec_measure(const fftprec_case* which, const double* y, size_t output_count,
                               const double* x, size_t count, const char* norm, const char* format,
                               fftprec_metrics* metrics);

#ifdef __cplusplus
}
#endif
