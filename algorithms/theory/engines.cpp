/// Matrix products on the vector engine, in fp64 on the host, of residues, and in tensor engines.
#include "algorithms/theory/engines.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "algorithms/arithmetic/machine_gemm.hpp"
#include "algorithms/arithmetic/shared_exponent.hpp"
#include "algorithms/theory/roundings.hpp"
#include "algorithms/theory/schemes.hpp"
#include "algorithms/theory/units.hpp"
#include "algorithms/theory/words.hpp"
#include "arith/formats/round.hpp"
#include "arith/splitting/slices.hpp"

namespace fftprec {

namespace {

double root(std::size_t n) { return std::sqrt(static_cast<double>(n)); }

/// Integers times powers of two, and sums of doubles: what is below the normal numbers of fp64.
constexpr double small_in_fp64 = 0x1p-1040;

}  // namespace

/// Proof: each output part errs by gamma sum_k |x_ik||w_kj| at most, gamma as in
/// AccumulatingTheory, both parts by sqrt(2) gamma ||x_i|| ||w_j||, all outputs by sqrt(2) gamma
/// ||x||_F ||W||_F; the parts that words leave out likewise, without the sqrt(2). An r x r DFT
/// matrix has ||W||_F = r and ||x W||_F = sqrt(r) ||x||_F: products_bound is sqrt(r) times that.
/// Squares are relative to ||x||_F ||W||_F already: ||z W||_2 <= ||z||_2 ||W||_F.
ErrorBound EngineTheory::computed_bound(std::size_t depth) const {
  const ErrorBound error = any_matrix_bound(depth);
  return {error.worst / root(depth), error.certain / root(depth), error.square};
}

KernelCalls EngineTheory::calls() const { return {.tensor = 1, .vector = 0}; }

Format EngineTheory::table_word() const { return word_of(arithmetic_.matrices()); }

namespace {

class VectorTheory final : public EngineTheory {
 public:
  explicit VectorTheory(const ArithmeticSpec& arithmetic)
      : EngineTheory(arithmetic), scheme_(scheme_theory(arithmetic)) {}

 private:
  ErrorBound bound(std::size_t r, double mu) const override { return scheme_->dot_error(r, mu); }
  ErrorBound any_matrix_bound(std::size_t depth) const override { return bound(depth, 0); }
  /// Both parts of `depth` values meet a part of the result.
  double small_error(std::size_t depth) const override {
    const SmallErrors small = scheme_->small_errors();
    return 2 * static_cast<double>(depth) * (small.product + small.sum);
  }
  double variance(const TableStatistics& table, std::size_t r, const SumData& data) const override {
    return scheme_->dot_variance(table, r, data);
  }
  double table_variance(const TableStatistics& table, std::size_t) const override {
    return scheme_->table_variance(table);
  }
  double imaginary_variance(std::size_t r) const override {
    return scheme_->dot_imaginary_variance(r);
  }
  ErrorSources sources() const override {
    return ErrorSources::of({ErrorSource::products, ErrorSource::additions});
  }
  Cost cost(std::uint64_t depth, std::uint64_t outputs, std::uint64_t rows) const override {
    return scheme_->dot_cost(outputs * rows, depth);
  }
  KernelCalls calls() const override { return {.tensor = 0, .vector = 1}; }
  Format table_word() const override { return unit_theory(arithmetic_)->table_word(); }

  std::unique_ptr<const SchemeTheory> scheme_;
};

/// y = x W with ||x W|| = sqrt(r) ||x||. Two parts, each relative to ||y||:
/// - tables: ||x dW|| <= ||x|| ||dW||_F <= ||x|| r mu: sqrt(r) mu.
/// - sums: an output part is a sum of 2r real products, each met by one product rounding u_p and by
///   gamma of the accumulation; |error| <= gamma sum |x_k||w_kj| <= gamma (1 + mu) sqrt(r) ||x|| in
///   each part, sqrt(2) over both, sqrt(r) over all outputs: sqrt(2r) gamma. (Blanchard, Higham,
///   Lopez, Mary, Pranesh, SISC 42(3), 2020.) Gamma counts every rounding on the way of a product:
///   accumulation, eviction, what a decorator adds, the sum of the terms outside. Phases of a
///   fidelity are matmuls whose products, of one sign, add up to the product but for fidelity_error
///   of it.
/// Words: the parts left out act like table errors, sqrt(r) times their size; the terms formed have
/// the sizes of their words (word_norms). Where sizes are norms of vectors, sum |x_k||w_kj| is
/// at most the product of the norms, and the same follows.
/// Residues: the sums of the rounded integers are exact, the result is rounded to fp64.
/// Squares: at every step what the accumulators hold is z W, z those of the data, or of their
/// parts, that are summed so far. All z of one step have disjoint parts of the data, so a rounding
/// met by every product adds u^2 r ||x||^2 at most, with tables off by mu in the 2-norm (1 +
/// sqrt(r) mu)^2 times that; words but the first, which are no DFT, count by their size, and what
/// errors before it add by the worst case: `partial`. So a depth of d adds d u^2 to the squares,
/// where the worst case has d u sqrt(2r).
class AccumulatingTheory : public EngineTheory {
 public:
  using EngineTheory::EngineTheory;

  double small_error(std::size_t depth) const override {
    return 2 * static_cast<double>(depth) * small_in_fp64;
  }
  ErrorBound bound(std::size_t r, double mu) const override {
    const ErrorBound sums = products_bound(r, mu, Factors::roots);
    return ErrorBound{root(r) * mu + (1 + mu) * sums.worst, root(r) * mu + (1 + mu) * sums.certain,
                      sums.square} +
           ErrorBound(shared_operand_error(r));
  }
  double table_variance(const TableStatistics& table, std::size_t r) const override {
    return table.variance() + left_out_at(table, r, fp64.precision).factor;
  }
  double words_variance(const TableStatistics& factors, std::size_t depth) const override {
    const LeftOut words = left_out_at(factors, depth, fp64.precision);
    return words.factor + words.rest;
  }

 protected:
  /// The sums of factors off by mu, without the factors' own errors: relative to ||x|| sqrt(r) and
  /// an r-th part of ||W||_F^2 = r^2, as `bound` has it.
  virtual ErrorBound products_bound(std::size_t r, double mu, Factors factors) const = 0;
  virtual LeftOut left_out_at(const TableStatistics& factors, std::size_t depth,
                              int data_bits) const {
    return left_out(words_at(arithmetic_, depth), arithmetic_, factors, depth, data_bits);
  }
  virtual double shared_operand_error(std::size_t /*r*/) const { return 0; }

  /// Products of words whose norms these are, each met by roundings of `gamma`, and one cast of the
  /// result that errs by `of_result`.
  static ErrorBound sums_bound(const WordNorms& norms, const ErrorBound& gamma, std::size_t r,
                               double mu, double of_result = 0) {
    const auto whole = [&](double of_sums) {
      return compose(root(r) * norms.left_out + root(2 * r) * norms.formed * of_sums, of_result);
    };
    const double worst = whole(gamma.worst);
    const double partial = 1 + root(r) * ((1 + mu) * norms.formed - 1) + (1 + mu) * worst;
    return {worst, whole(gamma.certain * (1 + gamma.worst)), gamma.square * square(partial)};
  }
  static std::uint64_t products_of(std::uint64_t matmuls, std::uint64_t elements,
                                   std::uint64_t depth) {
    return 4 * matmuls * elements * depth;
  }

 private:
  ErrorBound any_matrix_bound(std::size_t depth) const override {
    return products_bound(depth, 0, Factors::any);
  }
};

/// One fp64 chain per part.
class HostTheory final : public AccumulatingTheory {
  using AccumulatingTheory::AccumulatingTheory;
  /// With that of its product a term meets 2r roundings, as in a chain of 2r FMAs.
  ErrorBound products_bound(std::size_t r, double mu, Factors factors) const override {
    const ErrorBound once = random_rounding(unit_roundoff(fp64));
    return sums_bound(word_norms(words_at(arithmetic_, r), arithmetic_, r, factors),
                      compose(once, repeated_error(once, 2 * r - 1)), r, mu);
  }
  LeftOut left_out_at(const TableStatistics&, std::size_t, int) const override { return {}; }
  /// Of FMAs only the first rounds a product alone.
  double variance(const TableStatistics& table, std::size_t r, const SumData& data) const override {
    const bool fused = arithmetic_.machine().fp64_matmul == Fp64Matmul::fma;
    const double products = fused ? 1 / products_of_column(r - data.zeros, r, data.parts) : 1;
    const int bits = bits_of_products(table, data.bits);
    const double rounded = bits <= fp64.precision ? 0 : products * table.nontrivial;
    return table.variance() + host_additions(r, data, bits) + rounded * value_variance(0x1p-53);
  }
  double imaginary_variance(std::size_t r) const override {
    return host_additions(r, {}, 2 * fp64.precision) / 8;
  }
  Cost cost(std::uint64_t depth, std::uint64_t outputs, std::uint64_t rows) const override {
    const std::uint64_t products = products_of(1, outputs * rows, depth);
    return {{products, products, 0}, products, 0};
  }
};

/// The sizes into which tiles cut `size`, each with how often it occurs.
struct Tiling {
  std::uint64_t size;
  std::uint64_t count;
};
std::array<Tiling, 2> tilings(std::uint64_t size, std::uint64_t tile) {
  return {{{tile, size / tile}, {size % tile, size % tile == 0 ? 0u : 1u}}};
}

/// One real matmul of K <= k_tile over all its tiles, and one copy of its result out of PSUM.
EngineCycles matmul_cycles(std::uint64_t outputs, std::uint64_t rows, const Machine& machine) {
  EngineCycles cycles;
  for (const Tiling& m : tilings(outputs, machine.m_tile))
    for (const Tiling& n : tilings(rows, machine.n_tile)) {
      const std::uint64_t count = m.count * n.count;
      cycles.tensor += count * std::max(std::min(shortest_instruction, m.size), n.size);
      cycles.vector += count * std::max(shortest_instruction, n.size);
    }
  return cycles;
}

/// Passes over K-tiles, with one copy of each part of the result out of PSUM per eviction.
Cost with_passes(Cost cost, std::uint64_t matmuls, std::uint64_t evictions, std::uint64_t depth,
                 std::uint64_t outputs, std::uint64_t rows, const Machine& machine) {
  const std::uint64_t tiles = ceil_divided(depth, machine.k_tile);
  const EngineCycles once = matmul_cycles(outputs, rows, machine);
  cost.matmul_passes = 4 * matmuls * tiles * ceil_divided(outputs, machine.m_tile) *
                       ceil_divided(rows, machine.n_tile);
  cost.cycles = {4 * matmuls * tiles * once.tensor, 2 * evictions * once.vector};
  return cost;
}

/// 8-bit residues: the sums of the rounded integers are exact, the result is rounded to fp64.
class IntegerTheory final : public AccumulatingTheory {
  using AccumulatingTheory::AccumulatingTheory;
  ErrorBound products_bound(std::size_t r, double, Factors factors) const override {
    const WordNorms norms = word_norms(words_at(arithmetic_, r), arithmetic_, r, factors);
    return compose(ErrorBound(root(r) * norms.left_out), random_rounding(unit_roundoff(fp64)));
  }
  double variance(const TableStatistics& table, std::size_t r, const SumData& data) const override {
    const LeftOut words = left_out_at(table, r, data.bits);
    return table.variance() + words.factor + words.rest + value_variance(0x1p-53);
  }
  /// Every modulus is a term, and nothing is summed outside.
  Cost cost(std::uint64_t depth, std::uint64_t outputs, std::uint64_t rows) const override {
    const std::uint64_t moduli = arithmetic_.matrices().moduli();
    const std::uint64_t products = products_of(moduli, outputs * rows, depth);
    return with_passes({{products, products, 0}, products, 0}, moduli, 1, depth, outputs, rows,
                       arithmetic_.machine());
  }
};

/// A sum of terms outside of PSUM: one addition of a term to those before.
struct TermErrors {
  ErrorBound bound;
  double variance;
  double small;  ///< absolute
};

/// Pairs: DWPlusFP, 2u^2 (arith/splitting/slices.hpp); the error of the high sum, uniform, is the
/// low word, and rounds.
TermErrors term_errors(TermSum sum, const ArithmeticSpec& arithmetic) {
  const double small_in_fp32 = small_error(fp32, Rounding::rz);
  switch (sum) {
    case TermSum::in_pairs:
      return {2 * 0x1p-24 * 0x1p-24, word_pair_variance, small_in_fp32};
    case TermSum::in_fp64:
      return {random_rounding(unit_roundoff(fp64)), value_variance(0x1p-53), small_in_fp64};
    default:
      return {unit_theory(arithmetic)->fp32_sum(), value_variance(0x1p-24), small_in_fp32};
  }
}

/// What a decorator does to results that have left PSUM.
const ProductDecorator::Evicted& evicted_changes(const ArithmeticSpec& arithmetic) {
  static const ProductDecorator::Evicted none;
  const ProductDecorator* decorator = arithmetic.decorator();
  return decorator && decorator->evicted ? *decorator->evicted : none;
}

class TensorTheory final : public AccumulatingTheory {
  using AccumulatingTheory::AccumulatingTheory;
  ErrorBound products_bound(std::size_t r, double mu, Factors factors) const override {
    const GemmScheme& gemm = arithmetic_.matrices();
    const Machine& machine = arithmetic_.machine();
    const WordNorms norms = word_norms(words_at(arithmetic_, r), arithmetic_, r, factors);
    const bool exact = gemm.data().kind == WordKind::slices && slice_bits(arithmetic_, r).exact;
    const ProductModel& product = gemm.accumulate().product;
    ErrorBound gamma;
    if (!exact) {
      const ErrorBound once = product_roundoff(gemm) > 0
                                  ? rounding_error(product.format, product.rounding)
                                  : ErrorBound();
      gamma = compose(once, accumulation_error(arithmetic_, r));
    }
    const double phases = fidelity_error(machine.fidelity, gemm.operands().precision);
    gamma = compose(gamma, machine.fidelity == Fidelity::whole ? phases : not_modelled(phases));
    if (machine.eviction != fp32)
      gamma =
          compose(gamma, rounding_error(machine.eviction, machine.casts, machine.stochastic_bits));
    gamma = compose(gamma, ErrorBound(evicted_changes(arithmetic_).term_error));
    if (gemm.evict_each()) {
      const std::size_t evictions = stretches(arithmetic_, r).size() * gemm.terms().size();
      gamma =
          compose(gamma, repeated_error(term_errors(gemm.sum(), arithmetic_).bound, evictions - 1));
    }
    return sums_bound(norms, gamma, r, mu, evicted_changes(arithmetic_).sum_error);
  }

  /// Data that share an exponent e reach the engine as 2^-e x, where 2^e < 2L/top, L the largest
  /// part of the N values and top as operand_top has it. What the engine errs by in each of 2N
  /// parts, a, is 2^e a in the result: over all of them at most sqrt(2N) 2a/top ||x||, and the
  /// result's norm is sqrt(r) ||x||.
  double shared_operand_error(std::size_t r) const override {
    if (!operands_share_exponent(arithmetic_)) return 0;
    const std::size_t values = arithmetic_.lines().n * arithmetic_.lines().batch;
    if (values == 0) return unknown;
    const double per_output = 2 * static_cast<double>(values) / static_cast<double>(r);
    return std::sqrt(per_output) * 2 * operand_small_error(r) / operand_top(arithmetic_, r);
  }

  /// Results leave a shared exponent in fp32.
  double small_error(std::size_t depth) const override {
    return operands_share_exponent(arithmetic_) ? min_normal(fp32) : operand_small_error(depth);
  }
  /// Of the data as the engine takes them: both parts of `depth` of them meet a part of the result,
  /// each in as many terms as there are products of words; factors are at most 1, and what
  /// their words lose is a share of that.
  double operand_small_error(std::size_t depth) const {
    const GemmScheme& gemm = arithmetic_.matrices();
    const Machine& machine = arithmetic_.machine();
    const double products = 2 * static_cast<double>(depth);
    const double terms = static_cast<double>(gemm.terms().size());
    const double evictions = static_cast<double>(stretches(arithmetic_, depth).size()) * terms;
    double evicted =
        machine.eviction == fp32 ? 0 : fftprec::small_error(machine.eviction, machine.casts);
    evicted += evicted_changes(arithmetic_).small_error;
    const double left = evictions * (evicted + 2 * term_errors(gemm.sum(), arithmetic_).small);
    if (gemm.data().kind == WordKind::slices) return products * small_in_fp64 + left;
    const double count = products * terms * static_cast<double>(phases(machine.fidelity)) + 2;
    return products * fftprec::small_error(gemm.data(), arithmetic_.operation_format(),
                                           gemm.accumulate().flush_inputs) +
           count * term_small_error(gemm, machine) + left;
  }

  double variance(const TableStatistics& table, std::size_t r, const SumData& data) const override {
    const GemmScheme& gemm = arithmetic_.matrices();
    const LeftOut words = left_out_at(table, r, data.bits);
    // Products with 1, -1, i, -i have no more digits than the data's words.
    const bool all = gemm.data().first().precision > gemm.accumulate().product.format.precision;
    return table.variance() + words.factor + words.rest +
           psum_additions(arithmetic_, r, data).variance +
           (all ? 1 : table.nontrivial) * product_rounding_variance(gemm) + after_psum(table, r);
  }
  /// What happens to terms once they leave PSUM. Those of residuals: the leading one first. Those
  /// of slices: the leading one last, whose stretches of k let the sum grow step by step.
  double after_psum(const TableStatistics& table, std::size_t r) const {
    const GemmScheme& gemm = arithmetic_.gemm();
    const Machine& machine = arithmetic_.machine();
    double variance = 0;
    if (machine.eviction != fp32)
      variance += expected_rounding(machine.eviction, machine.casts).variance;
    if (!gemm.evict_each()) return variance;
    variance += evicted_changes(arithmetic_).variance;
    const std::size_t tiles = gemm.evict_tiles() ? (r + machine.k_tile - 1) / machine.k_tile : 1;
    const double once = term_errors(gemm.sum(), arithmetic_).variance;
    if (gemm.data().kind != WordKind::slices)
      return variance + rounded_terms(gemm, arithmetic_, table, r, once);
    return variance + (static_cast<double>(tiles) + 1) / 2 * once;
  }
  /// The loss by accumulators that truncate.
  double bias(const TableStatistics& table, std::size_t r, const SumData& data) const override {
    const Machine& machine = arithmetic_.machine();
    const double evicted =
        machine.eviction == fp32 ? 0 : expected_rounding(machine.eviction, machine.casts).bias;
    return table.loss + psum_additions(arithmetic_, r, data).bias + evicted +
           left_out_at(table, r, fp64.precision).bias;
  }
  double variance_unless_stored() const override {
    const bool cuts = arithmetic_.stores().in_passes() &&
                      !std::holds_alternative<BlockStorage>(arithmetic_.storage());
    return cuts ? value_variance(unit_roundoff(arithmetic_.storage_format())) : 0;
  }
  /// Hermitian data give conjugate pairs of terms, k and r - k, and the errors of the table, of
  /// words left out and of rounded data come in such pairs and stay. A sum of the first k of the
  /// real parts has variance k up to r/2, then r/2 + 3 (k - r/2), in the mean 3/8 of the last, 2 r,
  /// where that of independent terms is half of it: of what the sums round 3/4 stays. One chain of
  /// all products with real parts, then all with imaginary ones has in the mean (3/8 + 1 + 3/8)/4,
  /// so 7/8 stays.
  double imaginary_variance(std::size_t r) const override {
    const bool one_chain = arithmetic_.machine().across_tiles == AcrossTiles::through;
    return psum_additions(arithmetic_, r).variance / (one_chain ? 8 : 4);
  }

  /// One real matmul of every term per part and K-tile: K products and K sums per element, and one
  /// sum per tile into a PSUM that is not empty. Terms, and K-tiles that leave PSUM by themselves,
  /// are summed outside. The cost of cutting operands into words is not counted.
  Cost cost(std::uint64_t depth, std::uint64_t outputs, std::uint64_t rows) const override {
    const Machine& machine = arithmetic_.machine();
    const GemmScheme& scheme = arithmetic_.matrices();
    const std::uint64_t elements = outputs * rows;
    const std::uint64_t terms = scheme.terms().size();
    const std::uint64_t matmuls = terms * phases(machine.fidelity);
    const std::uint64_t products = products_of(matmuls, elements, depth);
    const std::uint64_t tiles = ceil_divided(depth, machine.k_tile);
    const bool evicted = scheme.evict_each();
    const std::uint64_t evictions = evicted ? terms * (scheme.evict_tiles() ? tiles : 1) : 1;
    const bool separate = machine.across_tiles == AcrossTiles::tile_then_add;
    const std::uint64_t into_psum = separate ? 2 * elements * (2 * matmuls * tiles - evictions) : 0;
    const std::uint64_t term_sums = evicted ? 2 * elements * (evictions - 1) : 0;
    const bool rounded = product_roundoff(scheme) > 0;
    Cost cost{{products, products + into_psum + term_sums, rounded ? products : 0}, products, 0};
    cost = with_passes(cost, matmuls, evictions, depth, outputs, rows, machine);
    cost.cycles.vector += on_vector_engine({{0, term_sums, 0}, 0, 0}, 2 * elements).cycles.vector;
    return cost;
  }
  /// Every term that leaves PSUM by itself is a call, however many tiles it has.
  KernelCalls calls() const override {
    const GemmScheme& scheme = arithmetic_.matrices();
    return {.tensor = scheme.evict_each() ? scheme.terms().size() : 1, .vector = 0};
  }
};

}  // namespace

std::unique_ptr<const EngineTheory> vector_engine_theory(const ArithmeticSpec& arithmetic) {
  return std::make_unique<VectorTheory>(arithmetic);
}

std::unique_ptr<const EngineTheory> engine_theory(const ArithmeticSpec& arithmetic) {
  using Theory = std::unique_ptr<const EngineTheory>;
  return arithmetic.matrices().visit(Overloaded{
      [&](const TensorProducts&) -> Theory { return std::make_unique<TensorTheory>(arithmetic); },
      [&](const HostProducts&) -> Theory { return std::make_unique<HostTheory>(arithmetic); },
      [&](const ResidueProducts&) -> Theory { return std::make_unique<IntegerTheory>(arithmetic); },
      [&](const auto&) -> Theory { return vector_engine_theory(arithmetic); }});
}

}  // namespace fftprec
