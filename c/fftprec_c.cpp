/// The functions of <fftprec/fftprec_c.h>: they convert arguments for the library, and exceptions
/// to codes and texts.
#include <fftprec/fftprec_c.h>

#include <algorithm>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <new>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>

#include "arith/kernels/round_array.hpp"
#include "arith/support/error.hpp"
#include "arith/support/floating_point.hpp"
#include "experiments/files/format_file.hpp"
#include "experiments/files/machine_file.hpp"
#include "experiments/testing/measure_result.hpp"
#include "experiments/testing/signal.hpp"
#include "reports/results/environment.hpp"

namespace fftprec::c {

namespace {

thread_local std::string last_error;
thread_local std::string last_suspicion;
thread_local std::string last_not_finite;

fftprec_status failed(fftprec_status status, const char* why) noexcept {
  try {
    last_error = why;
  } catch (const std::bad_alloc&) {
    last_error = "no memory";  // short enough to need no allocation
  }
  return status;
}

/// Calls `work` if results can be trusted; no exception leaves this function.
template <class Work>
fftprec_status guarded(const Work& work) noexcept {
  try {
    for (const std::string& problem : check_floating_point_environment())
      throw std::runtime_error("this thread's arithmetic: " + problem);
    work();
    last_error.clear();
    return FFTPREC_OK;
  } catch (const NotApplicable& error) {
    return failed(FFTPREC_NOT_APPLICABLE, error.what());
  } catch (const InputError& error) {
    return failed(FFTPREC_BAD_INPUT, error.what());
  } catch (const std::bad_alloc&) {
    return failed(FFTPREC_NO_MEMORY, "no memory");
  } catch (const std::length_error&) {  // more than any memory could hold
    return failed(FFTPREC_NO_MEMORY, "no memory");
  } catch (const std::exception& error) {
    return failed(FFTPREC_FAILED, error.what());
  } catch (...) {
    return failed(FFTPREC_FAILED, "an error without a text");
  }
}

template <class T>
T* not_null(T* pointer, const char* name) {
  require(pointer != nullptr, name, " is NULL");
  return pointer;
}

std::string text_or(const char* text, const std::string& by_default) {
  return text == nullptr ? by_default : text;
}

/// `first`: the size of the struct in version 1, its smallest.
void check_size(const char* name, std::size_t given, std::size_t first) {
  require(given >= first, name, ": size is ", given, ", at least ", first, " is needed");
}

/// The caller's struct, which may be of another version: members that it lacks are zero, members
/// that are unknown here must be zero.
fftprec_case known_part(const fftprec_case& from) {
  fftprec_case known{};
  check_size("fftprec_case", from.size, offsetof(fftprec_case, batch) + sizeof known.batch);
  std::memcpy(&known, &from, std::min(from.size, sizeof known));
  const auto* bytes = reinterpret_cast<const unsigned char*>(&from);
  for (std::size_t i = sizeof known; i < from.size; ++i)
    require(bytes[i] == 0, "fftprec_case: a member is set that version ", FFTPREC_C_VERSION,
            " does not know");
  return known;
}

Case case_on(const fftprec_case* which, std::size_t count) {
  const fftprec_case given = which == nullptr ? fftprec_case{} : known_part(*which);
  const Case usual;
  Case where = case_of(text_or(given.transform, usual.transform), given.n, {count}, count);
  require(given.batch == 0 || given.batch == where.batch, "the input holds ", where.batch,
          " items, and batch is ", given.batch);
  where.algorithm = text_or(given.algorithm, usual.algorithm);
  where.mode = text_or(given.mode, usual.mode);
  where.machine = machine_of_file(text_or(given.machine, usual.machine));
  where.tables = text_or(given.tables, usual.tables);
  where.rounding_points = text_or(given.rounding_points, usual.rounding_points);
  where.scale = text_or(given.scale, usual.scale);
  return where;
}

std::size_t output_count_of(const Case& where) {
  return where.batch * output_size(transform_named(where.transform), where.n);
}

void check_count(const char* name, std::size_t given, std::size_t wanted, const Case& where) {
  require(given == wanted, name, " is ", given, ", but ", where.transform, " of n = ", where.n,
          ", batch ", where.batch, ", gives ", wanted);
}

ComplexArray<double> values_of(const double* x, std::size_t count, const char* name) {
  not_null(x, name);
  return Signal(std::span(reinterpret_cast<const std::complex<double>*>(x), count)).values();
}

void store(const ComplexArray<double>& values, double* out) {
  interleave(values, std::span(reinterpret_cast<std::complex<double>*>(out), values.size()));
}

ForeignProblem problem_of(const fftprec_case* which, const double* x, std::size_t count) {
  ComplexArray<double> input = values_of(x, count, "x");
  const Case where = case_on(which, count);
  return foreign_problem(where.transform, where.n, {.values = std::move(input), .shape = {count}});
}

template <class Real>
fftprec_status round(const Real* x, std::size_t count, Real* out, const char* format,
                     const char* rounding, std::int32_t bits, std::uint64_t seed) {
  return guarded([&] {
    const std::span<const Real> in(not_null(x, "x"), count);
    const NamedRounding& how = rounding_entry(text_or(rounding, "rne"));
    round_array(in, std::span(not_null(out, "out"), count),
                format_named(not_null(format, "format"), read_list), how.rounding, best_isa(),
                StochasticRounding{.bits = bits, .seed = seed, .variant = how.variant});
  });
}

}  // namespace

}  // namespace fftprec::c

using namespace fftprec;
using namespace fftprec::c;

int32_t fftprec_c_version(void) { return FFTPREC_C_VERSION; }
const char* fftprec_version(void) { return results::build_info().version.data(); }
const char* fftprec_last_error(void) { return last_error.c_str(); }

fftprec_status fftprec_round(const double* x, size_t count, double* out, const char* format,
                             const char* rounding, int32_t bits, uint64_t seed) {
  return c::round(x, count, out, format, rounding, bits, seed);
}
fftprec_status fftprec_roundf(const float* x, size_t count, float* out, const char* format,
                              const char* rounding, int32_t bits, uint64_t seed) {
  return c::round(x, count, out, format, rounding, bits, seed);
}

fftprec_status fftprec_sizes(const fftprec_case* which, size_t count, size_t* output_count,
                             size_t* items) {
  return guarded([&] {
    not_null(output_count, "output_count");
    not_null(items, "items");
    const Case where = case_on(which, count);
    *output_count = output_count_of(where);
    *items = where.batch;
  });
}

fftprec_status fftprec_compute(const fftprec_case* which, const double* x, size_t count, double* y,
                               size_t output_count) {
  return guarded([&] {
    not_null(y, "y");
    const ComplexArray<double> input = values_of(x, count, "x");
    const Case where = case_on(which, count);
    check_count("output_count", output_count, output_count_of(where), where);
    store(run_in_mode(algorithm_named(where.algorithm), where, input).values, y);
  });
}

fftprec_status fftprec_truth(const fftprec_case* which, const double* x, size_t count,
                             double* value, double* lo, size_t output_count, double* radius,
                             size_t items, int32_t* bits) {
  return guarded([&] {
    not_null(value, "value");
    const ForeignProblem asked = problem_of(which, x, count);
    const truth::Truth& exact = asked.problem.truth;
    check_count("output_count", output_count, exact.hi.size(), asked.where);
    if (radius != nullptr) {
      check_count("items", items, asked.where.batch, asked.where);
      std::copy(exact.element_radius.begin(), exact.element_radius.end(), radius);
    }
    store(exact.hi, value);
    if (lo != nullptr) store(exact.lo, lo);
    if (bits != nullptr) *bits = exact.bits;
  });
}

fftprec_status fftprec_measure(const fftprec_case* which, const double* y, size_t output_count,
                               const double* x, size_t count, const char* norm, const char* format,
                               fftprec_metrics* metrics) {
  return guarded([&] {
    fftprec_metrics found{};
    check_size("fftprec_metrics", not_null(metrics, "metrics")->size,
               offsetof(fftprec_metrics, not_finite) + sizeof found.not_finite);
    const ComplexArray<double> output = values_of(y, output_count, "y");
    ForeignProblem asked = problem_of(which, x, count);
    asked = in_norm(std::move(asked), norm_named(text_or(norm, "backward")));
    const Format steps = format_named(text_or(format, "fp64"), read_list);
    const Row row = measure_result(asked, output, steps);
    last_suspicion = suspicion(asked, output, steps);
    last_not_finite = non_finite(asked, output);
    found = {.size = metrics->size,
             .err_l2_rel = row.err_l2_rel.value(),
             .err_linf_rel = row.err_linf_rel.value(),
             .err_l1_rel = row.err_l1_rel.value(),
             .err_re_max_rel = row.err_re_max_rel.value(),
             .err_im_max_rel = row.err_im_max_rel.value(),
             .err_max_ulp = row.err_max_ulp.value(),
             .err_rms_ulp = row.err_rms_ulp.value(),
             .bits_l2 = row.bits_l2.value(),
             .snr_db = row.snr_db.value(),
             .gain = row.gain.value(),
             .truth_bits = asked.problem.truth.bits,
             .suspicion = last_suspicion.c_str(),
             .not_finite = last_not_finite.c_str(),
             .err_linf_abs = row.err_linf_abs.value(),
             .err_mean_rel = row.err_mean_rel.value(),
             .snr_no_gain_db = row.snr_no_gain_db.value()};
    std::memcpy(metrics, &found, std::min(metrics->size, sizeof found));
  });
}
