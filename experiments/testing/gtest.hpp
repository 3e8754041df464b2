/// The matchers as GoogleTest assertions of one line:
///
///     EXPECT_FFT_ERROR_BELOW(y, x, "err_l2_rel", 2e-7);
///     EXPECT_TRANSFORM_ERROR_BELOW("rfft", y, x, "err_l2_rel", 2e-7);
#pragma once

#include <gtest/gtest.h>

#include <exception>
#include <sstream>
#include <string>

#include "experiments/testing/matchers.hpp"

namespace fftprec {

/// Whether `output` is the transform of `input`, one item, with the metric at most `limit`. For the
/// macros below. Errors in the arguments are failures with a message, too.
template <class Output, class Input>
::testing::AssertionResult transform_error_below(const char*, const char* output_text,
                                                 const char* input_text, const char*, const char*,
                                                 const std::string& transform, const Output& output,
                                                 const Input& input, const std::string& metric,
                                                 double limit) {
  std::ostringstream why;
  try {
    const Signal given(input);
    if (IsTransformOf(transform, given).within(metric, limit).MatchAndExplain(output, &why))
      return ::testing::AssertionSuccess();
  } catch (const std::exception& error) {
    why << error.what();
  }
  return ::testing::AssertionFailure()
         << output_text << " is not the " << transform << " of " << input_text << ": " << why.str();
}

template <class Output, class Input>
::testing::AssertionResult fft_error_below(const char* output_text, const char* input_text,
                                           const char* metric_text, const char* limit_text,
                                           const Output& output, const Input& input,
                                           const std::string& metric, double limit) {
  return transform_error_below("", output_text, input_text, metric_text, limit_text, "fft", output,
                               input, metric, limit);
}

}  // namespace fftprec

#define EXPECT_FFT_ERROR_BELOW(output, input, metric, limit) \
  EXPECT_PRED_FORMAT4(::fftprec::fft_error_below, output, input, metric, limit)
#define ASSERT_FFT_ERROR_BELOW(output, input, metric, limit) \
  ASSERT_PRED_FORMAT4(::fftprec::fft_error_below, output, input, metric, limit)
#define EXPECT_TRANSFORM_ERROR_BELOW(transform, output, input, metric, limit) \
  EXPECT_PRED_FORMAT5(::fftprec::transform_error_below, transform, output, input, metric, limit)
#define ASSERT_TRANSFORM_ERROR_BELOW(transform, output, input, metric, limit) \
  ASSERT_PRED_FORMAT5(::fftprec::transform_error_below, transform, output, input, metric, limit)
