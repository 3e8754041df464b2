/// Every loop of a table of elementwise loops beside its judge, bit for bit, on each instruction
/// set.
#pragma once

#include <functional>

#include "tests/arith/vector_judge.hpp"
#include "tests/support/element_operations.hpp"

namespace fftprec::testing {

/// The loops of a table, called by each_element_operation; `scale` is by a real factor.
template <class Real>
struct LoopCalls {
  const ComplexKernels<Real>& loops;
  Real factor;

  void multiply(View<Real> x, FactorView<Real> w) { loops.multiply(x, w); }
  void butterfly(View<Real> x, View<Real> y, FactorView<Real> w) { loops.butterfly(x, y, w); }
  void butterfly_dif(View<Real> x, View<Real> y, FactorView<Real> w) {
    loops.butterfly_dif(x, y, w);
  }
  void add(View<Real> x, View<Real> y) { loops.add(x, constant(x), constant(y)); }
  void sum_difference(View<Real> x, View<Real> y) { loops.sum_difference(x, y); }
  void sum_difference_rotated(View<Real> x, View<Real> y) { loops.sum_difference_rotated(x, y); }
  void rotate_eighth(View<Real> x, bool conjugate) { loops.rotate_eighth(x, conjugate); }
  void scale(View<Real> x) { loops.scale(x, factor); }

  static View<const Real> constant(View<Real> x) { return {x.re, x.im, x.rows, x.cols, x.stride}; }
};

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

  void run() const {
    for (const Values values : {Values::normal, Values::wide, Values::special}) run(values);
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
  /// What each_element_operation asks.
  struct ElementJudge {
    VectorJudge& steps;
    const Product& of;
    double factor;

    Point add(Point x, Point y) { return steps.add(x, y); }
    Point subtract(Point x, Point y) { return steps.subtract(x, y); }
    Point product(const Words& w, Point x) { return of(steps, w, x); }
    Point turned(Point x) { return {x.im, -x.re}; }
    Point scaled(Point x) { return {steps.multiply(factor, x.re), steps.multiply(factor, x.im)}; }
  };
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

    const Real factor = data.b.re[1];
    each_element_operation([&](const char* name, bool has_factor, auto call, auto element) {
      for (const bool one : {false, true}) {
        if (one && !has_factor) continue;
        const FactorView<Real> factors = one ? per_row : each;
        truth(
            name,
            [=](const Loops& loops, V top, V bottom) {
              LoopCalls<Real> calls{loops, factor};
              call(calls, top, bottom, factors);
            },
            [&, one](std::size_t i) {
              Two two{a(i), b(i)};
              ElementJudge of_element{judge, product_, static_cast<double>(factor)};
              element(of_element, two.first, two.second, words_at(*w, one ? i / cols : i));
              return two;
            });
      }
    });
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
        "subtract",
        [](const Loops& loops, V top, V bottom) {
          loops.subtract(top, LoopCalls<Real>::constant(top), LoopCalls<Real>::constant(bottom));
        },
        [&](std::size_t i) {
          return Two{judge.subtract(a(i), b(i)), b(i)};
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
