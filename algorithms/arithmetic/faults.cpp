#include "algorithms/arithmetic/faults.hpp"

#include "algorithms/arithmetic/arithmetic.hpp"
#include "algorithms/arithmetic/cast.hpp"

namespace fftprec {

void FaultyProducts::lose_residuals(View<float> x) const {
  round_rows(x, arithmetic_.split.word, Cast{}, isa_);
}

void FaultyProducts::demote(View<float> x, std::uint64_t& step) const {
  round_rows(x, bf16, cast_of(arithmetic_.machine, step++), isa_);
}

void FaultyProducts::multiply(const MachineGemm<float>& gemm, View<float> out, View<float> x,
                              const FactorTable<float>& w, bool data_moves,
                              std::uint64_t& step) const {
  const auto sides = gemm.sides_of(x, w, data_moves);
  auto later = sides;  // as terms after the first see them
  ComplexArray<float> misread;
  if (arithmetic_.faults.misread) {
    misread = misread_words(sides.cut.planes, sides.shape);
    later.data.re = misread.re.data();
    later.data.im = misread.im.data();
  }
  ComplexArray<float> array(out.rows * out.cols);
  const View<float> term = view_of(array, out.rows, out.cols);
  const std::vector<SplitTerm>& terms = arithmetic_.gemm.terms;
  for (std::size_t i = 0; i < terms.size(); ++i) {
    gemm.evict(term, i == 0 ? sides : later, terms[i], {0, sides.shape.depth}, step);
    if (demotes(i)) demote(term, step);
    gemm.add_term(out, term, {}, i == 0);
  }
  if (arithmetic_.faults.demotion == Demotion::sum) demote(out, step);
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
