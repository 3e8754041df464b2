#include "experiments/faults/faults.hpp"

#include "algorithms/arithmetic/cast.hpp"
#include "algorithms/theory/roundings.hpp"

namespace fftprec {

namespace {

/// Cut words are no residuals to a compiler.
void lose_residuals(OperandWords& words) {
  if (words.kind != WordKind::values || words.rounding != Rounding::rne) return;
  words.zeros = words.total() - 1;
  words.count = 1;
}

void elide(ProductDecorator& decorator, Elision elided) {
  const bool data = elided != Elision::table;
  const bool table = elided != Elision::data;
  decorator.words = [=](WordProducts& words) {
    if (data) lose_residuals(words.data);
    if (table) lose_residuals(words.factor);
  };
  if (data)
    decorator.element_data = [](View<float> x, const Format& word, Isa isa) {
      round_rows(x, word, Cast{}, isa);
    };
}

ProductDecorator::Evicted demoted(Demotion demotion, const Machine& machine) {
  const auto demote = [machine](View<float> x, std::uint64_t& step, Isa isa) {
    round_rows(x, bf16, cast_of(machine, step++), isa);
  };
  const double error = rounding_error(bf16, machine.casts).worst;
  ProductDecorator::Evicted evicted{.small_error = small_error(bf16, machine.casts),
                                    .variance = expected_rounding(bf16, machine.casts).variance};
  if (demotion == Demotion::sum) {
    evicted.sum = demote;
    evicted.sum_error = error;
    return evicted;
  }
  evicted.term = [=](View<float> term, std::size_t which, std::uint64_t& step, Isa isa) {
    if (demotion == Demotion::terms || which == 0) demote(term, step, isa);
  };
  evicted.term_error = error;
  return evicted;
}

}  // namespace

/// A misread term is missing, and another one stands in its place. The misread word holds a part of
/// the right word's values, so the other term is at most as large: twice the term at most. It has
/// half the power, since every other k reads zero and the rest read the words of other k: 1 + 1/2.
std::shared_ptr<const ProductDecorator> decorator_of(const Faults& faults, const Machine& machine) {
  if (faults == Faults{}) return nullptr;
  ProductDecorator decorator;
  if (faults.elided != Elision::none) elide(decorator, faults.elided);
  if (faults.misread) decorator.later_words = {misread_words, 2, 1 + 0.5};
  if (faults.demotion != Demotion::none) decorator.evicted = demoted(faults.demotion, machine);
  return std::make_shared<const ProductDecorator>(std::move(decorator));
}

ComplexArray<float> misread_words(const ComplexArray<float>& planes, const WordShape& shape) {
  ComplexArray<float> seen(planes.size());
  for (std::size_t word = 0; word < planes.size() / shape.size(); ++word)
    for (std::size_t i = 0; i < shape.free; ++i)
      for (std::size_t k = 1; k < shape.depth; k += 2) {
        const std::size_t line = word * shape.size() + i * shape.free_step;
        const std::size_t from = line + (k - 1) / 2 * shape.k_step;
        seen.re[line + k * shape.k_step] = planes.re[from];
        seen.im[line + k * shape.k_step] = planes.im[from];
      }
  return seen;
}

}  // namespace fftprec
