/// Sources of tables: algorithms ask them for roots of unity and windows, and compute none
/// themselves.
#pragma once

#include <complex>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "arith/formats/format.hpp"
#include "arith/support/framing.hpp"

namespace fftprec {

/// How an angle of two indices is formed; rounded angles depend on it: the exact product of the
/// indices first, or the angle times one index and then times the other, which rounds twice.
enum class AngleOrder { product, row_column, column_row };

/// A root of unity: exp(-2 pi i row column/order).
///
/// The indices are the algorithm's own, and their product is *not* reduced modulo the order (k j of
/// a DFT matrix, j j of a chirp): some table sources form the angle from the whole product, and the
/// rounding error of that angle grows with its size.
struct RootIndex {
  RootIndex() = default;
  /// Of one index.
  constexpr RootIndex(std::uint64_t exponent, std::uint64_t of_order)
      : row(exponent), order(of_order) {}
  /// Of two; `usual` is the order in which code that makes such a table takes them
  /// (docs/numerics.md).
  constexpr RootIndex(std::uint64_t row_, std::uint64_t column_, std::uint64_t of_order,
                      AngleOrder usual_)
      : row(row_), column(column_), order(of_order), usual(usual_), two(true) {}

  constexpr std::uint64_t exponent() const { return row * column; }

  std::uint64_t row = 0;
  std::uint64_t column = 1;
  std::uint64_t order = 1;
  AngleOrder usual = AngleOrder::product;
  bool two = false;  ///< row and column are known: the root has a place in a DFT matrix
};

/// Gives roots of unity, each part on the grid of a format: many at once, since tables are long.
/// Safe to call from several threads if the function behind it is.
class RootFunction {
 public:
  RootFunction() = default;

  /// From a function of arrays: function(roots, format, re, im) sets re[i] and im[i] to roots[i].
  template <class Function>
  requires std::invocable < const Function&, std::span<const RootIndex>,
  const Format&, double*, double* > RootFunction(Function function) : fill_(std::move(function)) {}

  /// From a function of one root: function(exponent, order, format).
  template <class Function>
  requires std::invocable<const Function&, std::uint64_t, std::uint64_t, const Format&>
  RootFunction(Function function)
      : fill_([function = std::move(function)](std::span<const RootIndex> roots,
                                               const Format& format, double* re, double* im) {
          for (std::size_t i = 0; i < roots.size(); ++i) {
            const std::complex<double> root = function(roots[i].exponent(), roots[i].order, format);
            re[i] = root.real();
            im[i] = root.imag();
          }
        }) {}

  explicit operator bool() const { return static_cast<bool>(fill_); }

  /// The same roots by angles that are not reduced.
  RootFunction not_reduced() const {
    RootFunction other = *this;
    other.reduces_ = false;
    return other;
  }
  /// Whether roots whose exponents differ by multiples of the order are the same.
  bool reduces() const { return reduces_; }

  /// The same roots, beside others for the constants of small DFTs.
  RootFunction with_literals(const RootFunction& literals) const {
    RootFunction other = *this;
    other.literals_ = std::make_shared<const RootFunction>(literals);
    return other;
  }
  /// The roots from which programs take constants that they write as literals: by default these.
  const RootFunction& literals() const { return literals_ ? *literals_ : *this; }

  /// re[i], im[i] <- roots[i].
  void fill(std::span<const RootIndex> roots, const Format& format, double* re, double* im) const {
    fill_(roots, format, re, im);
  }

  std::complex<double> operator()(std::uint64_t exponent, std::uint64_t order,
                                  const Format& format) const {
    const RootIndex root{exponent, order};
    double re = 0;
    double im = 0;
    fill_({&root, 1}, format, &re, &im);
    return {re, im};
  }

 private:
  std::function<void(std::span<const RootIndex>, const Format&, double* re, double* im)> fill_;
  bool reduces_ = true;
  std::shared_ptr<const RootFunction> literals_{};
};

/// A real table, its entries rounded to a format.
using RealTable = std::function<std::vector<double>(const Format&)>;

/// Windows and what undoes them, as a table source gives them. An empty one serves for costs alone.
struct WindowSource {
  /// The window as it stands in a frame: n values, 0 outside of its own window_length.
  std::function<std::vector<double>(const Framing&, const Format&)> window;
  /// 1/s_i for each of `length` samples, s_i the sum of the squared windows over it; 0 where no
  /// frame reaches.
  std::function<std::vector<double>(const Framing&, const Format&)> reciprocals;
  /// mu >= |w^_j - w_j|.
  std::function<double(const Framing&, const Format&)> window_error;
  /// delta >= |r^_i - r_i| / r_i.
  std::function<double(const Framing&, const Format&)> reciprocal_error;
};

}  // namespace fftprec
