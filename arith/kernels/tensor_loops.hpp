/// A whole matmul of a tensor engine: the sums of an accumulator model, by a fast loop if one gives
/// the bits of the definition, else by the definition; and their accumulation in PSUM.
#pragma once

#include "arith/accumulators/tensor_unit.hpp"
#include "arith/formats/round.hpp"
#include "arith/kernels/aligned_loops.hpp"
#include "arith/kernels/exact_loops.hpp"
#include "arith/kernels/ordered_loops.hpp"

namespace fftprec {

/// Chooses among the loops of one instruction set.
template <class Tag>
struct ModelLoops {
  /// psum(i, j) (+)= the model's sum over k of stationary(k, i) * moving(k, j), with c the old
  /// psum, or 0 without accumulate.
  /// Requires: a model that validate() accepts, operands and psum on its grids.
  static void matmul(const AccumulatorModel& model, const Matmul<float>& call) {
    matmul(model, call, products_of(model, call));
  }

  /// Properties of all products of a matmul.
  struct Products {
    bool are_floats = false;    ///< each is zero or a normal float, and exact in one
    int moving_exponent = 127;  ///< largest exponent of `moving`
  };

  /// As above, for a part of a matmul whose products_of are `products`.
  static void matmul(const AccumulatorModel& model, const Matmul<float>& call,
                     const Products& products) {
    const bool one_limit = !model.operands_of_b || !model.flush_inputs;
    if (call.k == 0 || !one_limit ||
        !(uncut(model, call) || aligned(model, call) || before_c(model, call) ||
          exact(model, call) || ordered(model, call, products)))
      sum_by_definition(model, call);
  }

  /// Reads all operands. Sets only the properties that a loop needs.
  static Products products_of(const AccumulatorModel& model, const Matmul<float>& call) {
    if (model.sum == BlockSum::aligned || model.sum == BlockSum::exact) return {};
    if (model.operands.precision > 12 || is_fused(model) || is_plain_fp32(model)) return {};
    const std::uint32_t limit = __builtin_bit_cast(std::uint32_t, flush_limit(model));
    const Range a = range_of(call.stationary, call.k, call.stationary_k, call.m, call.stationary_m,
                             limit > 0 ? limit : 1);
    const Range b = range_of(call.moving, call.k, call.moving_stride, call.n, 1, a.flush_limit);
    return {.are_floats = a.low() >= -126 && b.low() >= -126 && a.low() + b.low() >= -126 &&
                          a.high() + b.high() + 2 < 128,
            .moving_exponent = b.high()};
  }

 private:
  template <Rounding R>
  struct As {
    static constexpr Rounding rounding = R;
  };

  /// Calls run(As<R>{}) with the rounding of the model.
  template <class Run>
  static bool with_rounding(Rounding rounding, Run run) {
    if (rounding == Rounding::rz) return run(As<Rounding::rz>{});
    return rounding == Rounding::odd ? run(As<Rounding::odd>{}) : run(As<Rounding::rne>{});
  }

  static bool uncut(const AccumulatorModel& model, const Matmul<float>& call) {
    return with_rounding(model.rounding, [&](auto as) {
      using Loops = UncutLoops<Tag, decltype(as)::rounding>;
      if (!Loops::covers(model)) return false;
      Loops::matmul(model, call);
      return true;
    });
  }

  static bool aligned(const AccumulatorModel& model, const Matmul<float>& call) {
    using enum Rounding;
    return aligned_as<rz, false, Cut::toward_zero>(model, call) ||
           aligned_as<rne, true, Cut::toward_zero>(model, call) ||
           aligned_as<rne, false, Cut::toward_zero>(model, call) ||
           aligned_as<rz, false, Cut::floor>(model, call) ||
           aligned_as<rne, false, Cut::floor>(model, call);
  }

  template <Rounding R, bool late, Cut cut>
  static bool aligned_as(const AccumulatorModel& model, const Matmul<float>& call) {
    using Loops = AlignedLoops<Tag, R, late, cut>;
    if (!Loops::covers(model)) return false;
    Loops::matmul(model, call);
    return true;
  }

  /// Sums blocks before c is added: into a small tile, which is then added to PSUM.
  static bool before_c(const AccumulatorModel& model, const Matmul<float>& call) {
    if (model.addend != AddendPosition::after || !same_format(model.format, fp32) ||
        model.flush_inputs || model.flush_outputs)
      return false;
    constexpr std::size_t rows = 32, cols = 256;
    alignas(64) float tile[rows * cols];
    AccumulatorModel inside = model;
    inside.addend = AddendPosition::early;
    inside.block = model.segment;
    for (std::size_t k = 0; k < call.k; k += model.block)
      for (std::size_t i = 0; i < call.m; i += rows)
        for (std::size_t j = 0; j < call.n; j += cols) {
          Matmul<float> part = call.part(i, call.m - i < rows ? call.m - i : rows, j,
                                         call.n - j < cols ? call.n - j : cols, k,
                                         call.k - k < model.block ? call.k - k : model.block);
          float* const psum = part.psum;
          part.psum = tile;
          part.psum_stride = cols;
          part.accumulate = false;
          matmul(inside, part, {});
          for (std::size_t r = 0; r < part.m; ++r)
            for (std::size_t x = 0; x < part.n; ++x) {
              float& sum = psum[r * call.psum_stride + x];
              sum = (k > 0 || call.accumulate ? sum : 0.0f) + tile[r * cols + x];
            }
        }
    return true;
  }

  static bool exact(const AccumulatorModel& model, const Matmul<float>& call) {
    return with_rounding(model.rounding, [&](auto as) {
      using Loops = ExactLoops<Tag, decltype(as)::rounding>;
      if (!Loops::covers(model)) return false;
      Loops::matmul(model, call);
      return true;
    });
  }

  static bool ordered(const AccumulatorModel& model, const Matmul<float>& call,
                      const Products& products) {
    if (model.sum == BlockSum::aligned || model.sum == BlockSum::exact) return false;
#if defined(__FMA__)
    if (is_fused(model) && model.rounding == Rounding::rne) return run(model, FusedNearest{}, call);
#endif
#if defined(__AVX512F__)
    if (is_fused(model)) return run(model, FusedTowardZero{}, call);
#endif
    if (is_plain_fp32(model)) return run(model, UnfusedUnit<FloatProduct, NearestAdd>{}, call);
    if (!products.are_floats) return wide(model, call);
    if (is_plain(model) && model.rounding != Rounding::odd)
      return rounded_chain(model, call, products) || rounded_products(model, call);
    if (!model.product.exact && !rounds_to_fp32(model.product)) return wide(model, call);
    return with_rounding(model.rounding, [&](auto as) {
      constexpr Rounding R = decltype(as)::rounding;
      if (same_format(model.format, fp32)) {
        const GeneralAdd<R> addition{.flush_operands_below = flush_limit(model),
                                     .flush_below = model.flush_outputs ? 0x1p-126f : 0.0f};
        return run(model, UnfusedUnit<FloatProduct, GeneralAdd<R>>{{}, addition}, call);
      }
      if (model.format.precision > 22 || model.flush_inputs || model.flush_outputs ||
          model.overflow_to_infinity)
        return wide(model, call);
      const NarrowAdd<R> addition{rounding_grid<float>(model.format)};
      return run(model, UnfusedUnit<FloatProduct, NarrowAdd<R>>{{}, addition}, call);
    });
  }

  template <class Unit>
  static bool run(const AccumulatorModel& model, const Unit& unit, const Matmul<float>& call) {
    OrderedLoops<Tag, Unit>::matmul(model, unit, call);
    return true;
  }

  /// Plain fp32 chains, rne or rz, of products that are floats and rounded as normal numbers.
  static bool rounded_chain(const AccumulatorModel& model, const Matmul<float>& call,
                            const Products& products) {
    const Format& format = model.product.format;
    if (model.product.exact || format.emin != fp32.emin || format.emax != fp32.emax) return false;
    if (model.sum != BlockSum::sequential || model.addend != AddendPosition::early) return false;
    if (format.precision < 2 || products.moving_exponent >= 102 + format.precision) return false;
    if (call.accumulate && has_negative_zero(call)) return false;
    return with_rounding(model.product.rounding, [&](auto of_product) {
      return with_rounding(model.rounding, [&](auto of_sum) {
        constexpr Rounding P = decltype(of_product)::rounding, R = decltype(of_sum)::rounding;
        if constexpr (RoundedChainLoops<Tag, P, R>::exists)
          return RoundedChainLoops<Tag, P, R>::matmul(format.precision, call), true;
        return false;
      });
    });
  }

  static bool has_negative_zero(const Matmul<float>& call) {
    std::uint32_t found = 0;
    for (std::size_t i = 0; i < call.m; ++i) {
      const float* row = call.psum + i * call.psum_stride;
      for (std::size_t j = 0; j < call.n; ++j)
        found |= __builtin_bit_cast(std::uint32_t, row[j]) == 0x80000000u ? 1u : 0u;
    }
    return found != 0;
  }

  /// Plain fp32 sums, rne or rz, of products that are floats, kept or rounded.
  static bool rounded_products(const AccumulatorModel& model, const Matmul<float>& call) {
    const RoundedProducts products = RoundedProducts::of(model.product);
    if (model.rounding == Rounding::rne) {
      if (products.how == RowRounding::none)
        return run(model, UnfusedUnit<FloatProduct, NearestAdd>{}, call);
      if (products.how == RowRounding::bf16_rne)
        return run(model, UnfusedUnit<Bf16Product, NearestAdd>{}, call);
      if (products.how == RowRounding::bf16_rz)
        return run(model, UnfusedUnit<Bf16CutProduct, NearestAdd>{}, call);
      return run(model, RowUnit<RoundedProducts, NearestAdd>{products, {}}, call);
    }
#if defined(__AVX512F__)
    if (model.sum != BlockSum::pairwise) return run(model, RoundedTowardZero{{}, products}, call);
#endif
    if (products.how == RowRounding::none)
      return run(model, UnfusedUnit<FloatProduct, TowardZeroAdd>{}, call);
#if !defined(__AVX512F__)
    if (products.how == RowRounding::bf16_rne)
      return run(model, UnfusedUnit<Bf16Product, TowardZeroAdd>{}, call);
    if (products.how == RowRounding::bf16_rz)
      return run(model, UnfusedUnit<Bf16CutProduct, TowardZeroAdd>{}, call);
#endif
    return run(model, RowUnit<RoundedProducts, TowardZeroAdd>{products, {}}, call);
  }

  /// Everything but trees over exact products.
  static bool wide(const AccumulatorModel& model, const Matmul<float>& call) {
    const ProductModel& product = model.product;
    if (product.exact && model.sum == BlockSum::pairwise) return false;
    WideProducts products{.flush_operands_below = flush_limit(model),
                          .infinite_from = model.product_overflow ? 0x1p128 : __builtin_inf()};
    if (!product.exact) {
      Format format = product.format;
      if (model.flush_outputs) format.emin = -900;
      products.how = product.rounding == Rounding::rne ? RowRounding::rne : RowRounding::rz;
      products.rounding = {.grid = rounding_grid<double>(format),
                           .least = model.flush_outputs ? min_normal(product.format) : 0.0,
                           .largest = 0x1p1000};
    }
    return with_rounding(model.rounding, [&](auto as) {
      const WideAdd<decltype(as)::rounding> addition{flush_limit(model), FinalRounding::of(model)};
      return run(model, RowUnit<WideProducts, decltype(addition)>{products, addition}, call);
    });
  }

  /// Whether it is fp32_product, which is exact for narrow operands.
  static bool rounds_to_fp32(const ProductModel& product) {
    return !product.exact && same_format(product.format, fp32) && product.rounding == Rounding::rne;
  }

  /// Whether the format is fp32 without flushing and without a special rule for overflow.
  static bool is_plain(const AccumulatorModel& model) {
    return same_format(model.format, fp32) && !model.flush_outputs && !model.flush_inputs &&
           (!model.overflow_to_infinity || model.rounding == Rounding::rne);
  }

  /// Whether the steps of a chain are fused instructions of this instruction set.
  static bool is_fused(const AccumulatorModel& model) {
#if defined(__AVX512F__)
    const bool rounds = model.rounding != Rounding::odd;
#elif defined(__FMA__)
    const bool rounds = model.rounding == Rounding::rne;
#else
    const bool rounds = false;
#endif
    return rounds && is_plain(model) && model.product.exact && !model.product_overflow &&
           model.sum != BlockSum::pairwise;
  }

  /// Whether a step is a float multiplication and a float addition, for all operands.
  static bool is_plain_fp32(const AccumulatorModel& model) {
    return is_plain(model) && rounds_to_fp32(model.product) && model.rounding == Rounding::rne;
  }

  /// The limit below which operands count as zero.
  static float flush_limit(const AccumulatorModel& model) {
    return model.flush_inputs ? static_cast<float>(min_normal(model.operands)) : 0.0f;
  }

  /// The smallest and the largest magnitude of operands that are not zero or flushed, as bits.
  struct Range {
    std::uint32_t flush_limit;
    std::uint32_t excess = 0x7f800000u - flush_limit;  ///< of the smallest over the limit
    std::uint32_t largest = 0;

    /// Below the limit the excess wraps to more than any other.
    [[gnu::always_inline]] void include(float x) {
      const std::uint32_t magnitude = __builtin_bit_cast(std::uint32_t, x) & 0x7fffffffu;
      const std::uint32_t over = magnitude - flush_limit;
      excess = over < excess ? over : excess;
      largest = magnitude > largest ? magnitude : largest;
    }
    int low() const { return static_cast<int>((flush_limit + excess) >> 23) - 127; }
    int high() const {
      return largest < flush_limit ? -127 : static_cast<int>(largest >> 23) - 127;
    }
  };

  static Range range_of(const float* first, std::size_t rows, std::size_t row_stride,
                        std::size_t cols, std::size_t col_stride, std::uint32_t limit) {
    if (col_stride != 1 && row_stride == 1)
      return range_of(first, cols, col_stride, rows, row_stride, limit);
    Range range{.flush_limit = limit};
    for (std::size_t r = 0; r < rows; ++r) {
      const float* row = first + r * row_stride;
      if (col_stride == 1)
        for (std::size_t c = 0; c < cols; ++c) range.include(row[c]);
      else
        for (std::size_t c = 0; c < cols; ++c) range.include(row[c * col_stride]);
    }
    return range;
  }
};

/// TensorUnit::matmul for one instruction set. Sums that cannot be made directly in PSUM are made
/// in a small tile on the stack, one block of PSUM after the other.
template <class Tag>
struct PsumLoops {
  using Products = typename ModelLoops<Tag>::Products;

  static void matmul(const TensorUnit& unit, const Matmul<float>& call) {
    const bool adds = call.accumulate && unit.across_tiles == AcrossTiles::tile_then_add;
    if (!adds && same_format(unit.psum, fp32)) return ModelLoops<Tag>::matmul(unit.model, call);
    const AccumulatorModel adder = psum_adder(unit.model);
    const PsumLoops loops{unit, adder, FinalRounding::of(adder), adds};
    const Products products = ModelLoops<Tag>::products_of(unit.model, call);
    for (std::size_t j = 0; j < call.n; j += block_cols)
      for (std::size_t i = 0; i < call.m; i += block_rows) loops.block(call, i, j, products);
  }

  const TensorUnit& unit;
  const AccumulatorModel& adder;
  FinalRounding adder_rounding;
  bool adds;

 private:
  static constexpr std::size_t block_rows = 32;
  static constexpr std::size_t block_cols = 256;

  void block(const Matmul<float>& call, std::size_t i, std::size_t j,
             const Products& products) const {
    alignas(64) float tile[block_rows * block_cols];
    Matmul<float> inner = call.part(i, call.m - i < block_rows ? call.m - i : block_rows, j,
                                    call.n - j < block_cols ? call.n - j : block_cols, 0, call.k);
    float* psum = inner.psum;
    inner.psum = tile;
    inner.psum_stride = block_cols;
    inner.accumulate = call.accumulate && !adds;
    if (inner.accumulate)
      for (std::size_t r = 0; r < inner.m; ++r)
        for (std::size_t x = 0; x < inner.n; ++x)
          tile[r * block_cols + x] = psum[r * call.psum_stride + x];
    ModelLoops<Tag>::matmul(unit.model, inner, products);
    for (std::size_t r = 0; r < inner.m; ++r) {
      float* sums = tile + r * block_cols;
      float* to = psum + r * call.psum_stride;
      if (adds) add(sums, to, inner.n);
      if (!same_format(unit.psum, fp32))
        narrow(sums, inner.n, call.step, inner.element + r * call.psum_stride);
      for (std::size_t x = 0; x < inner.n; ++x) to[x] = sums[x];
    }
  }

  /// sums(x) <- psum(x) + sums(x), by psum_adder.
  void add(float* __restrict sums, const float* __restrict psum, std::size_t cols) const {
    const bool plain = !adder.flush_outputs && !adder.flush_inputs;
    if (plain && adder.rounding == Rounding::rne)
      for (std::size_t x = 0; x < cols; ++x) sums[x] = psum[x] + sums[x];
    else if (plain && adder.rounding == Rounding::rz && !adder.overflow_to_infinity)
      for (std::size_t x = 0; x < cols; ++x) sums[x] = add_toward_zero(psum[x], sums[x]);
    else if (adder.rounding == Rounding::rne)
      add_wide<Rounding::rne>(sums, psum, cols);
    else if (adder.rounding == Rounding::rz)
      add_wide<Rounding::rz>(sums, psum, cols);
    else
      add_wide<Rounding::odd>(sums, psum, cols);
  }

  template <Rounding R>
  void add_wide(float* __restrict sums, const float* __restrict psum, std::size_t cols) const {
    const WideAdd<R> wide{adder.flush_inputs ? 0x1p-126f : 0.0f, adder_rounding};
    for (std::size_t x = 0; x < cols; ++x)
      sums[x] = wide.add(static_cast<double>(wide.operand(psum[x])),
                         static_cast<double>(wide.operand(sums[x])));
  }

  /// Rounds x to PSUM's format: to nearest, through psum_via, or stochastically with counters from
  /// `first` on.
  void narrow(float* x, std::size_t cols, std::uint64_t step, std::uint64_t first) const {
    if (unit.psum_rounding == Rounding::sr) {
      const RoundingGrid<double> grid = rounding_grid<double>(unit.psum);
      const StochasticRounding random{unit.stochastic_bits, unit.stochastic_seed, step,
                                      unit.stochastic_variant};
      for (std::size_t c = 0; c < cols; ++c)
        x[c] = static_cast<float>(
            round_with_bits(static_cast<double>(x[c]), grid, random_bits(random, first + c)));
    } else {
      if (!same_format(unit.psum_via, fp32)) to_nearest(x, cols, unit.psum_via);
      to_nearest(x, cols, unit.psum);
    }
  }

  void to_nearest(float* x, std::size_t cols, const Format& format) const {
    const RoundingGrid<float> grid = rounding_grid<float>(format);
    if (unit.psum_rounding == Rounding::rna)
      for (std::size_t c = 0; c < cols; ++c) x[c] = round_to_grid<Rounding::rna, false>(x[c], grid);
    else
      for (std::size_t c = 0; c < cols; ++c) x[c] = round_to_grid<Rounding::rne, false>(x[c], grid);
  }
};

}  // namespace fftprec
