/// The elementwise operations of FFTs, written once for all that judge loops.
#pragma once

namespace fftprec::testing {

/// visit(name, whether it takes factors, call, element) for each operation: call(loops, a, b,
/// factors) runs it on two arrays, and element(judge, a, b, w) is what it makes of one element of
/// each with the factor w. A judge adds, subtracts and scales its points, forms product(w, b), and
/// turns them by -i.
template <class Visit>
void each_element_operation(Visit visit) {
  visit(
      "multiply", true, [](auto& loops, auto, auto b, auto w) { return loops.multiply(b, w); },
      [](auto& judge, auto&, auto& b, const auto& w) { b = judge.product(w, b); });
  visit(
      "butterfly", true,
      [](auto& loops, auto a, auto b, auto w) { return loops.butterfly(a, b, w); },
      [](auto& judge, auto& a, auto& b, const auto& w) {
        const auto t = judge.product(w, b), x = a;
        a = judge.add(x, t);
        b = judge.subtract(x, t);
      });
  visit(
      "butterfly_dif", true,
      [](auto& loops, auto a, auto b, auto w) { return loops.butterfly_dif(a, b, w); },
      [](auto& judge, auto& a, auto& b, const auto& w) {
        const auto x = a, y = b;
        a = judge.add(x, y);
        b = judge.product(w, judge.subtract(x, y));
      });
  visit(
      "add", false, [](auto& loops, auto a, auto b, auto) { return loops.add(a, b); },
      [](auto& judge, auto& a, auto& b, const auto&) { a = judge.add(a, b); });
  visit(
      "sum_difference", false,
      [](auto& loops, auto a, auto b, auto) { return loops.sum_difference(a, b); },
      [](auto& judge, auto& a, auto& b, const auto&) {
        const auto x = a, y = b;
        a = judge.add(x, y);
        b = judge.subtract(x, y);
      });
  visit(
      "sum_difference_rotated", false,
      [](auto& loops, auto a, auto b, auto) { return loops.sum_difference_rotated(a, b); },
      [](auto& judge, auto& a, auto& b, const auto&) {
        const auto x = a, y = judge.turned(b);
        a = judge.add(x, y);
        b = judge.subtract(x, y);
      });
  visit(
      "rotate_eighth", false,
      [](auto& loops, auto a, auto, auto) { return loops.rotate_eighth(a, false); },
      [](auto& judge, auto& a, auto&, const auto&) { a = judge.add(a, judge.turned(a)); });
  visit(
      "rotate_eighth, conjugate", false,
      [](auto& loops, auto a, auto, auto) { return loops.rotate_eighth(a, true); },
      [](auto& judge, auto& a, auto&, const auto&) { a = judge.subtract(a, judge.turned(a)); });
  visit(
      "scale", false, [](auto& loops, auto a, auto, auto) { return loops.scale(a); },
      [](auto& judge, auto& a, auto&, const auto&) { a = judge.scaled(a); });
}

}  // namespace fftprec::testing
