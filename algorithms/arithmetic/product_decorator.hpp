/// A hook in the products of an arithmetic: what something around the hardware, such as a compiler
/// or a kernel, does to their operands and results, and which errors it adds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>

#include "algorithms/arithmetic/gemm_scheme.hpp"
#include "arith/formats/complex_array.hpp"
#include "arith/formats/views.hpp"
#include "arith/support/isa.hpp"

namespace fftprec {

/// A matrix that is to be cut into words: element (k, free) at k * k_step + free * free_step.
struct WordShape {
  std::size_t depth;
  std::size_t free;
  std::size_t k_step;
  std::size_t free_step;

  std::size_t size() const { return depth * free; }
};

/// Empty functions change nothing. All but `words` act on split products alone, whose terms leave
/// PSUM one by one.
struct ProductDecorator {
  /// Changes the words into which operands of matrix products and of split products are cut.
  std::function<void(WordProducts& words)> words{};
  /// x <- the data that an elementwise product takes in place of x. `word`: format of the words.
  std::function<void(View<float> x, const Format& word, Isa isa)> element_data{};

  /// What the terms after the first read.
  struct LaterWords {
    /// The data words that they read in place of `words`, one plane per word.
    std::function<ComplexArray<float>(const ComplexArray<float>& words, const WordShape& shape)>
        read;
    double worst;     ///< largest error of a term, relative to the largest value that it can have
    double variance;  ///< of its error, relative to the mean square of the term
  };
  std::optional<LaterWords> later_words{};

  /// What becomes of results that have left PSUM. `step` counts the uses of random bits.
  struct Evicted {
    /// Changes term number `which`.
    std::function<void(View<float> term, std::size_t which, std::uint64_t& step, Isa isa)> term{};
    /// Changes the sum of all terms.
    std::function<void(View<float> sum, std::uint64_t& step, Isa isa)> sum{};
    double term_error = 0;   ///< largest relative error that `term` adds
    double sum_error = 0;    ///< and that `sum` adds
    double small_error = 0;  ///< largest absolute error of a result near zero
    double variance = 0;     ///< of either error, relative to the mean square of the result
  };
  std::optional<Evicted> evicted{};
};

}  // namespace fftprec
