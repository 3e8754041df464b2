#include "algorithms/modes.hpp"

#include "arith/named.hpp"

namespace fftprec {

namespace {

constexpr SplitTerm whole_product[] = {{0, 0}};
constexpr SplitTerm four_passes[] = {{0, 0}, {1, 0}, {0, 1}, {1, 1}};

}  // namespace

const std::vector<Mode>& modes() {
  static const std::vector<Mode> all = {
      {.name = "fast", .summary = "fp32 storage and arithmetic, fp32 PSUM"},
      {.name = "kahan",
       .summary = "fp32; every real product of a complex product as a Dekker 2Prod pair",
       .product = ProductScheme::two_prod},
      {.name = "double", .summary = "fp64 throughout, on the host", .storage = fp64, .table = fp64},
      {.name = "bf16",
       .summary = "bf16 data and tables; matrix products into an fp32 PSUM with an fp32 result; "
                  "vector operations round to bf16 on store",
       .storage = bf16,
       .table = bf16,
       .product = ProductScheme::rounded_bf16},
      {.name = "bf16_refined",
       .summary = "bf16, then one step X <- X + F(x - F^-1(X)) with the residual in fp32",
       .storage = bf16,
       .table = bf16,
       .product = ProductScheme::rounded_bf16,
       .refinement_steps = 1},
      {.name = "ozaki",
       .summary = "fp32 split into 2 bf16 words each; 3 products, each evicted, summed in fp32",
       .product = ProductScheme::split3},
      {.name = "ozaki_hq",
       .summary = "tables in 2 bf16 words, data in 3; 6 products, each evicted, summed in fp32",
       .product = ProductScheme::split6},
  };
  return all;
}

const Mode& mode_named(std::string_view name) { return item_named(modes(), "mode", name); }

GemmScheme gemm_scheme(const Mode& mode, const Machine& machine) {
  switch (mode.product) {
    case ProductScheme::two_prod:
      return {.engine = Engine::vector, .terms = whole_product};
    case ProductScheme::rounded_bf16:
      return {.terms = whole_product};
    case ProductScheme::split3:
      return {.words = Words::bf16_words,
              .data_words = SplitThree::data_words,
              .factor_words = 2,
              .terms = SplitThree::terms,
              .evict_each = true};
    case ProductScheme::split6:
      return {.words = Words::bf16_words,
              .data_words = SplitSix::data_words,
              .factor_words = 2,
              .terms = SplitSix::terms,
              .evict_each = true};
    case ProductScheme::plain:
      break;
  }
  if (on_host(mode)) return {.engine = Engine::host, .terms = whole_product};
  if (machine.fp32_matmul == Fp32Matmul::native)
    return {.terms = whole_product, .wide_operands = true};
  return {.words = Words::slices12,
          .data_words = 2,
          .factor_words = 2,
          .terms = four_passes,
          .wide_operands = true};
}

}  // namespace fftprec
