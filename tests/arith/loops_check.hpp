/// Every loop of a table of elementwise loops beside its judge, bit for bit, on each instruction
/// set.
#pragma once

#include <functional>

#include "tests/arith/vector_judge.hpp"

namespace fftprec::testing {

/// Loops of a scheme beside what they should compute.
template <class Real>
class LoopsCheck {
 public:
  using Product = std::function<Point(VectorJudge&, const Words&, Point)>;
  using Terms = std::vector<std::pair<Words, Point>>;
  using Sum = std::function<Point(VectorJudge&, Point, const Terms&)>;
  static constexpr std::size_t rows = 3;
  static constexpr std::size_t cols =
      261;  // more than a block, and no multiple of a vector's width

  LoopsCheck(ElementScheme scheme, VectorEngine engine, const Format& format, Product product)
      : scheme_(scheme), engine_(engine), format_(format), product_(std::move(product)) {
    sum_ = [this](VectorJudge& judge, Point start, const Terms& terms) {
      for (const auto& [w, x] : terms) start = judge.add(start, product_(judge, w, x));
      return start;
    };
  }
  /// Sums over k that are not made of plain additions.
  LoopsCheck& sums(Sum sum) {
    sum_ = std::move(sum);
    return *this;
  }
  /// Table entries as words of this format, so many of them.
  LoopsCheck& words(std::size_t count, const Format& word) {
    words_ = count;
    word_ = word;
    return *this;
  }

  /// Expects the judge's bits of every loop on every instruction set.
  void run(Values values) const {
    const Data data(*this, values);
    const std::vector<Truth> truths = all_truths(data);
    for (const Isa isa : available_isas()) {
      const ComplexKernels<Real> loops = complex_kernels<Real>(scheme_, engine_, isa);
      for (const Truth& truth : truths) {
        SCOPED_TRACE(::testing::Message() << truth.name << ", " << name_of(values) << " values, "
                                          << fftprec::name_of(isa) << ", seed 17");
        ComplexArray<Real> top = data.a, bottom = data.b;
        truth.loop(loops, view(top), view(bottom));
        if (!same_points(top, truth.top, data) || !same_points(bottom, truth.bottom, data)) return;
      }
    }
  }

 private:
  struct Data {
    ComplexArray<Real> a, b, w;
    Data(const LoopsCheck& check, Values values) {
      Draw draw(check.format_, values);
      a = draw.array<Real>(rows * cols);
      b = draw.array<Real>(rows * cols);
      Draw words(check.words_ == 1 ? check.format_ : check.word_, values);
      w = words.array<Real>(check.words_ * rows * cols);
    }
  };
  struct Truth {
    const char* name;
    std::function<void(const ComplexKernels<Real>&, View<Real>, View<Real>)> loop;
    std::vector<Point> top, bottom;
  };

  static View<Real> view(ComplexArray<Real>& x) {
    return {x.re.data(), x.im.data(), rows, cols, cols};
  }
  static View<const Real> constant(View<Real> x) { return {x.re, x.im, rows, cols, cols}; }
  static Point at(const ComplexArray<Real>& x, std::size_t i) {
    return {static_cast<double>(x.re[i]), static_cast<double>(x.im[i])};
  }
  Words words_at(const ComplexArray<Real>& w, std::size_t i) const {
    Words words;
    for (std::size_t k = 0; k < words_; ++k) words.push_back(at(w, k * rows * cols + i));
    return words;
  }

  std::vector<Truth> all_truths(const Data& data) const {
    using Loops = ComplexKernels<Real>;
    using V = View<Real>;
    VectorJudge judge(format_, engine_);
    const ComplexArray<Real>* w = &data.w;
    const FactorView<Real> each{w->re.data(), w->im.data(), cols, 1, rows * cols};
    const FactorView<Real> per_row{w->re.data(), w->im.data(), 1, 0, rows * cols};
    std::vector<Truth> truths;
    const auto truth = [&](const char* name, auto loop, auto point) {
      Truth next{name, loop, {}, {}};
      for (std::size_t i = 0; i < rows * cols; ++i) {
        const auto [top, bottom] = point(i);
        next.top.push_back(top);
        next.bottom.push_back(bottom);
      }
      truths.push_back(std::move(next));
    };
    const auto a = [&](std::size_t i) { return at(data.a, i); };
    const auto b = [&](std::size_t i) { return at(data.b, i); };
    using Two = std::pair<Point, Point>;

    for (const bool one : {false, true}) {
      const FactorView<Real> factors = one ? per_row : each;
      const auto product = [&, one](std::size_t i, Point x) {
        return product_(judge, words_at(*w, one ? i / cols : i), x);
      };
      truth(
          "multiply", [=](const Loops& loops, V, V bottom) { loops.multiply(bottom, factors); },
          [&](std::size_t i) {
            return Two{a(i), product(i, b(i))};
          });
      truth(
          "butterfly",
          [=](const Loops& loops, V top, V bottom) { loops.butterfly(top, bottom, factors); },
          [&](std::size_t i) {
            const Point t = product(i, b(i));
            return Two{judge.add(a(i), t), judge.subtract(a(i), t)};
          });
      truth(
          "butterfly_dif",
          [=](const Loops& loops, V top, V bottom) { loops.butterfly_dif(top, bottom, factors); },
          [&](std::size_t i) {
            return Two{judge.add(a(i), b(i)), product(i, judge.subtract(a(i), b(i)))};
          });
    }
    truth(
        "multiply_accumulate",
        [=](const Loops& loops, V top, V bottom) {
          loops.multiply_accumulate(top, {bottom.re, bottom.im, rows, rows, cols}, each);
        },
        [&](std::size_t i) {
          Terms terms;
          for (std::size_t k = 0; k < rows; ++k)
            terms.emplace_back(words_at(*w, k * cols + i % cols), b(i / cols * cols + k));
          return Two{sum_(judge, a(i), terms), b(i)};
        });
    truth(
        "accumulate_columns",
        [=](const Loops& loops, V top, V bottom) { loops.accumulate_columns(top, each, bottom); },
        [&](std::size_t i) {
          Terms terms;
          for (std::size_t k = 0; k < rows; ++k)
            terms.emplace_back(words_at(*w, k * cols + i / cols), b(k * cols + i % cols));
          return Two{sum_(judge, a(i), terms), b(i)};
        });
    truth(
        "add",
        [](const Loops& loops, V top, V bottom) {
          loops.add(top, constant(top), constant(bottom));
        },
        [&](std::size_t i) {
          return Two{judge.add(a(i), b(i)), b(i)};
        });
    truth(
        "subtract",
        [](const Loops& loops, V top, V bottom) {
          loops.subtract(top, constant(top), constant(bottom));
        },
        [&](std::size_t i) {
          return Two{judge.subtract(a(i), b(i)), b(i)};
        });
    truth(
        "sum_difference",
        [](const Loops& loops, V top, V bottom) { loops.sum_difference(top, bottom); },
        [&](std::size_t i) {
          return Two{judge.add(a(i), b(i)), judge.subtract(a(i), b(i))};
        });
    truth(
        "sum_difference_rotated",
        [](const Loops& loops, V top, V bottom) { loops.sum_difference_rotated(top, bottom); },
        [&](std::size_t i) {
          const Point x = a(i), y = b(i);
          return Two{{judge.add(x.re, y.im), judge.subtract(x.im, y.re)},
                     {judge.subtract(x.re, y.im), judge.add(x.im, y.re)}};
        });
    truth(
        "rotate_eighth",
        [](const Loops& loops, V top, V bottom) {
          loops.rotate_eighth(top, false);
          loops.rotate_eighth(bottom, true);
        },
        [&](std::size_t i) {
          const Point x = a(i), y = b(i);
          return Two{{judge.add(x.re, x.im), judge.subtract(x.im, x.re)},
                     {judge.subtract(y.re, y.im), judge.add(y.im, y.re)}};
        });
    const Real factor = data.b.re[1];
    truth(
        "scale", [=](const Loops& loops, V top, V) { loops.scale(top, factor); },
        [&](std::size_t i) {
          const double f = static_cast<double>(factor);
          return Two{{judge.multiply(f, a(i).re), judge.multiply(f, a(i).im)}, b(i)};
        });
    return truths;
  }

  static bool same_points(const ComplexArray<Real>& x, const std::vector<Point>& truth,
                          const Data& data) {
    for (std::size_t i = 0; i < rows * cols; ++i) {
      const Point got = at(x, i);
      EXPECT_TRUE(same_value(got.re, truth[i].re)) << "real part" << show_at(data, i);
      EXPECT_TRUE(same_value(got.im, truth[i].im)) << "imaginary part" << show_at(data, i);
      if (::testing::Test::HasFailure()) return false;
    }
    return true;
  }
  static std::string show_at(const Data& data, std::size_t i) {
    const auto point = [](Point x) { return show(x.re) + " + i " + show(x.im); };
    return " of element " + std::to_string(i) + "\n  a = " + point(at(data.a, i)) +
           "\n  b = " + point(at(data.b, i)) + "\n  w = " + point(at(data.w, i)) +
           "\n  w of its row = " + point(at(data.w, i / cols));
  }

  ElementScheme scheme_;
  VectorEngine engine_;
  Format format_;
  Format word_ = format_;
  std::size_t words_ = 1;
  Product product_;
  Sum sum_;
};

inline Point plain_product(VectorJudge& judge, const Words& w, Point x) {
  return judge.multiply(w[0], x);
}

}  // namespace fftprec::testing
