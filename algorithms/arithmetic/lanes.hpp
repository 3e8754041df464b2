/// Scalar types of the reference arithmetic that are no formats: doubles rounded to odd, and
/// several numbers side by side.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>

#include "arith/formats/eft.hpp"

namespace fftprec {

/// A double whose operations round to odd: one more rounding, to at most 50 bits, then equals one
/// rounding of the exact result (eft.hpp).
struct OddDouble {
  double value;

  OddDouble() = default;
  explicit OddDouble(double x) : value(x) {}
  explicit operator double() const { return value; }

  friend bool operator==(OddDouble a, OddDouble b) = default;
  friend bool operator<(OddDouble a, OddDouble b) { return a.value < b.value; }
  friend OddDouble operator+(OddDouble a, OddDouble b) {
    return OddDouble(sum_to_odd(a.value, b.value));
  }
  friend OddDouble operator-(OddDouble a, OddDouble b) { return a + -b; }
  friend OddDouble operator*(OddDouble a, OddDouble b) {
    return OddDouble(product_to_odd(a.value, b.value));
  }
  friend OddDouble operator/(OddDouble a, OddDouble b) {
    return OddDouble(quotient_to_odd(a.value, b.value));
  }
  friend OddDouble sqrt(OddDouble a) { return OddDouble(square_root_to_odd(a.value)); }
  friend OddDouble fma(OddDouble a, OddDouble b, OddDouble c) {
    return OddDouble(product_sum_to_odd(a.value, b.value, c.value));
  }
  OddDouble operator-() const { return OddDouble(-value); }
};

/// Several numbers. Operations act on each of them alone, so that compilers vectorise them.
template <class T>
struct Lanes {
  static constexpr std::size_t width = 32;
  std::array<T, width> lane;

  Lanes() = default;
  explicit Lanes(double x) { lane.fill(T(x)); }
  explicit Lanes(const std::array<T, width>& values) : lane(values) {}

  /// operation(a, b, ...) in each lane.
  template <class Operation, class... Operands>
  static Lanes lanewise(Operation operation, const Operands&... operands) {
    Lanes result;
    for (std::size_t l = 0; l < width; ++l) result.lane[l] = operation(operands.lane[l]...);
    return result;
  }
  friend bool operator==(const Lanes&, const Lanes&) = default;
  friend Lanes operator+(const Lanes& a, const Lanes& b) {
    return lanewise([](const T& x, const T& y) { return x + y; }, a, b);
  }
  friend Lanes operator-(const Lanes& a, const Lanes& b) {
    return lanewise([](const T& x, const T& y) { return x - y; }, a, b);
  }
  friend Lanes operator*(const Lanes& a, const Lanes& b) {
    return lanewise([](const T& x, const T& y) { return x * y; }, a, b);
  }
  Lanes operator-() const {
    return lanewise([](const T& x) { return -x; }, *this);
  }
  friend Lanes fma(const Lanes& a, const Lanes& b, const Lanes& c) {
    return lanewise([](const T& x, const T& y, const T& z) { return fma(x, y, z); }, a, b, c);
  }
};

/// The indices of `count` elements at equal distances in an array.
struct LaneRange {
  std::size_t count;
  std::size_t first;
  std::size_t step = 1;

  std::size_t operator[](std::size_t l) const { return first + l * step; }
  friend LaneRange operator*(const LaneRange& a, std::size_t by) {
    return {a.count, a.first * by, a.step * by};
  }
  friend LaneRange operator+(const LaneRange& a, std::size_t b) {
    return {a.count, a.first + b, a.step};
  }
  friend LaneRange operator+(std::size_t a, const LaneRange& b) { return b + a; }
};

/// The indices of `count` elements anywhere.
struct LaneIndices {
  std::size_t count = 0;
  std::array<std::size_t, Lanes<double>::width> lane;

  std::size_t operator[](std::size_t l) const { return lane[l]; }
  friend LaneIndices operator*(const LaneIndices& a, std::size_t by) {
    return each(a, [by](std::size_t index, std::size_t) { return index * by; });
  }
  friend LaneIndices operator+(const LaneIndices& a, std::size_t b) {
    return each(a, [b](std::size_t index, std::size_t) { return index + b; });
  }
  friend LaneIndices operator+(std::size_t a, const LaneIndices& b) { return b + a; }
  friend LaneIndices operator+(const LaneIndices& a, const LaneIndices& b) {
    return each(a, [&b](std::size_t index, std::size_t l) { return index + b.lane[l]; });
  }

 private:
  template <class Operation>
  static LaneIndices each(const LaneIndices& a, Operation operation) {
    LaneIndices result;
    result.count = a.count;
    for (std::size_t l = 0; l < a.count; ++l) result.lane[l] = operation(a.lane[l], l);
    return result;
  }
};

/// The places of consecutive elements of an operation.
struct LanePlaces {
  std::size_t first;
  std::size_t count;
};

/// How elements of arrays become numbers: one element a number.
template <class T>
struct Holds {
  template <class Stored>
  static T load(const Stored* x, std::size_t at) {
    return T(x[at]);
  }
  template <class Stored>
  static void store(const T& value, Stored* x, std::size_t at) {
    x[at] = Stored(value);
  }
  template <class Operation, class... Operands>
  static T lanewise(Operation operation, const Operands&... operands) {
    return operation(operands...);
  }
  /// Calls visit(row, column, place) for all elements of a matrix, in order.
  template <class Visit>
  static void each(std::size_t rows, std::size_t cols, Visit visit) {
    for (std::size_t i = 0; i < rows; ++i)
      for (std::size_t j = 0; j < cols; ++j) visit(i, j, i * cols + j);
  }
};

/// One element a lane. An element at a single index is in all lanes.
template <class T>
struct Holds<Lanes<T>> {
  template <class Stored>
  static Lanes<T> load(const Stored* x, std::size_t at) {
    return Lanes<T>(static_cast<double>(x[at]));
  }
  template <class Stored, class Indices>
  static Lanes<T> load(const Stored* x, const Indices& at) {
    Lanes<T> values(0.0);
    copy(at, [&](std::size_t l, std::size_t index) { values.lane[l] = T(x[index]); });
    return values;
  }
  template <class Stored, class Indices>
  static void store(const Lanes<T>& values, Stored* x, const Indices& at) {
    copy(at, [&](std::size_t l, std::size_t index) {
      x[index] = static_cast<Stored>(static_cast<double>(values.lane[l]));
    });
  }
  template <class Operation, class... Operands>
  static Lanes<T> lanewise(Operation operation, const Operands&... operands) {
    return Lanes<T>::lanewise(operation, operands...);
  }
  /// Lanes lie in one row of a matrix, or, where rows are short, in several.
  template <class Visit>
  static void each(std::size_t rows, std::size_t cols, Visit visit) {
    constexpr std::size_t width = Lanes<T>::width;
    if (cols < width / 2) return across_rows(rows, cols, visit);
    for (std::size_t i = 0; i < rows; ++i)
      for (std::size_t j = 0; j < cols; j += width) {
        const LaneRange columns{std::min(width, cols - j), j};
        visit(i, columns, LanePlaces{i * cols + j, columns.count});
      }
  }

 private:
  template <class Visit>
  static void across_rows(std::size_t rows, std::size_t cols, Visit visit) {
    const std::size_t size = rows * cols;
    for (std::size_t first = 0; first < size; first += Lanes<T>::width) {
      LaneIndices of_row, of_col;
      of_row.count = of_col.count = std::min(Lanes<T>::width, size - first);
      for (std::size_t l = 0; l < of_row.count; ++l) {
        of_row.lane[l] = (first + l) / cols;
        of_col.lane[l] = (first + l) % cols;
      }
      visit(of_row, of_col, LanePlaces{first, of_row.count});
    }
  }

  /// Calls copy(lane, index) for all, with constants where loops become vectors.
  template <class Copy>
  static void copy(const LaneRange& at, Copy copy_one) {
    if (at.count == Lanes<T>::width && at.step == 1)
      for (std::size_t l = 0; l < Lanes<T>::width; ++l) copy_one(l, at.first + l);
    else
      for (std::size_t l = 0; l < at.count; ++l) copy_one(l, at[l]);
  }
  template <class Copy>
  static void copy(const LaneIndices& at, Copy copy_one) {
    for (std::size_t l = 0; l < at.count; ++l) copy_one(l, at[l]);
  }
};

}  // namespace fftprec
