#include "algorithms/theory/bounds.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "algorithms/arithmetic/machine_gemm.hpp"
#include "algorithms/arithmetic/shared_exponent.hpp"
#include "algorithms/theory/accumulators.hpp"
#include "algorithms/theory/schemes.hpp"
#include "algorithms/theory/storage_errors.hpp"
#include "arith/splitting/residues.hpp"
#include "arith/splitting/slices.hpp"

namespace fftprec {

namespace {

constexpr double u32 = 0x1p-24;

double root(std::size_t n) { return std::sqrt(static_cast<double>(n)); }

bool on_vector_engine(const ArithmeticSpec& arithmetic) {
  return arithmetic.type() == ArithmeticType::floats && arithmetic.operation_format() == fp32;
}

/// What a fault of software adds by a cast to bf16, where it does: relative to a term, or to the
/// sum of all terms.
double demotion_error(const ArithmeticSpec& arithmetic, bool of_sum) {
  const Demotion demotion = arithmetic.faults().demotion;
  if (demotion == Demotion::none || of_sum != (demotion == Demotion::sum)) return 0;
  return arithmetic.is_split() ? rounding_error(bf16, arithmetic.machine().casts).worst : 0;
}

}  // namespace

std::span<const SplitTerm> misread_terms(const GemmScheme& words,
                                         const ArithmeticSpec& arithmetic) {
  if (!arithmetic.faults().misread || !words.evict_each() || !arithmetic.is_split()) return {};
  return std::span(words.terms()).subspan(1);
}

ErrorBound rounding_error(const Format& format, Rounding rounding, int random_bits) {
  const double nearest = unit_roundoff(format);
  const ErrorBound once = random_rounding(is_nearest(rounding) ? nearest : 2 * nearest);
  if (rounding == Rounding::sr)
    return {once.worst, std::ldexp(once.worst, -random_bits), once.square};
  return rounding == Rounding::rne ? once : not_modelled(once);
}

FixedErrors fixed_errors(const Format& format, Rounding rounding, int bits) {
  if (bits <= 0) return {};
  const double quantum = power_of_two(quantum_exponent(format));
  const double step = std::ldexp(1.0, -bits);
  const double half_open = (1 - square(step)) / 12;
  const double cut = (1 - step) / 2;
  FixedErrors once{.largest = is_nearest(rounding) ? 0.5 : 1 - step, .variance = half_open};
  switch (rounding) {
    case Rounding::rne:
      once.variance = 1 / 12.0 + square(step) / 6;
      break;
    case Rounding::rnu:
      once.mean = step / 2;
      break;
    case Rounding::rna:
      once.outwards = step / 2;
      break;
    case Rounding::rd:
      once.mean = -cut;
      break;
    case Rounding::ru:
      once.mean = cut;
      break;
    case Rounding::rz:
      once.outwards = -cut;
      break;
    case Rounding::odd:
      once.variance = 1 / 3.0 - step / 2 + square(step) / 6;
      break;
    case Rounding::sr:
      once.variance = 2 * half_open;
      break;
  }
  return {once.largest * quantum, once.variance * square(quantum), once.mean * quantum,
          once.outwards * quantum};
}

FixedErrors fixed_errors(const ArithmeticSpec& arithmetic, int bits) {
  if (!arithmetic.storage_format().is_fixed()) return {.largest = small_errors(arithmetic).store};
  return fixed_errors(arithmetic.storage_format(), arithmetic.machine().casts, bits);
}

FixedErrors errors_next_to_one(const ArithmeticSpec& arithmetic) {
  const double quantum = power_of_two(quantum_exponent(arithmetic.storage_format()));
  const auto taken = [&](double share, double variance = 0) {
    return FixedErrors{.variance = variance * square(quantum), .outwards = -share * quantum};
  };
  switch (arithmetic.machine().casts) {
    case Rounding::rz:
      return taken(1);
    case Rounding::rd:
    case Rounding::ru:
      return taken(0.5);
    case Rounding::odd:
      return taken(0.25, 0.25 * 0.75);
    default:
      return {};
  }
}

RealErrors real_errors(const ArithmeticSpec& arithmetic) {
  if (arithmetic.on_integers()) return {0, 0, 0};
  const double nearest = unit_roundoff(arithmetic.operation_format());
  const ErrorBound store = store_of(arithmetic).bound(arithmetic);
  const bool on_floats = arithmetic.type() == ArithmeticType::floats;
  if (arithmetic.type() == ArithmeticType::pairs)
    return {store, not_modelled(5 * u32 * u32), not_modelled(3 * u32 * u32 / (1 - 4 * u32))};
  if (!on_vector_engine(arithmetic)) {
    // Other stores than to nearest even round what an fp32 operation has rounded to nearest; of
    // number systems that no float holds they round the exact result.
    const bool casts = arithmetic.machine().casts != Rounding::rne;
    const ErrorBound operation =
        casts && on_floats ? compose(store, random_rounding(u32))
        : casts && arithmetic.operation_format() == arithmetic.storage_format()
            ? store
            : random_rounding(nearest);
    return {store, operation, operation};
  }
  const VectorEngine& engine = arithmetic.machine().vector;
  const Format product{engine.product_bits, fp32.emin, fp32.emax};
  return {store, rounding_error(product, engine.product_rounding),
          rounding_error(fp32, engine.sum_rounding)};
}

double small_error(const Format& format, Rounding rounding) {
  if (format.is_fixed()) return 0;
  const double smallest = min_subnormal(format);
  return is_nearest(rounding) && smallest > min_subnormal(fp64) ? smallest / 2 : smallest;
}

namespace {

/// Error of a value of a format that is split into words: the first word errs by its own rounding;
/// the next ones, held times 2^scale, hold that error up to their own.
double small_error(const OperandWords& words, const Format& source, bool flushes) {
  if (words.kind == WordKind::slices) return 0;  // integers of any unit
  if (words.kind == WordKind::blocks) return small_error(words.block);
  const double lost = words.format == source ? 0 : small_error(words.format, words.rounding);
  const double flushed = flushes ? min_normal(words.format) : 0;
  double all = 0;
  for (std::size_t i = 0; i < words.count; ++i)
    all += std::ldexp(lost + flushed, -words.scale * static_cast<int>(i));
  return all;
}

}  // namespace

SmallErrors small_errors(const ArithmeticSpec& arithmetic) {
  const Format& storage = arithmetic.operation_format();
  if (arithmetic.least_error() > 0) {
    const double of_operations =
        storage == arithmetic.storage_format() ? arithmetic.least_error() : 0;
    return {arithmetic.least_error(), of_operations, of_operations};
  }
  const Rounding casts = arithmetic.machine().casts;
  SmallErrors small{.store = store_of(arithmetic).small_error(arithmetic)};
  if (storage.is_fixed()) return small;
  if (arithmetic.type() == ArithmeticType::pairs) {
    small.product = 8 * small_error(fp32, Rounding::rne);
    return small;
  }
  if (on_vector_engine(arithmetic)) {
    const VectorEngine& engine = arithmetic.machine().vector;
    // A flush takes both operands and the result.
    const double flushed = engine.flush ? 3 * min_normal(fp32) : 0;
    const double once =
        small_error({engine.product_bits, fp32.emin, fp32.emax}, engine.product_rounding);
    small.product = theory_of(arithmetic.product()).float_products(arithmetic) * (once + flushed);
    small.sum = flushed;
    if (arithmetic.is_split())
      small.product += small_error(element_words(arithmetic).data(), storage, false);
    return small;
  }
  // Computed in the carrier, then stored: to nearest in one rounding or two.
  const Format carrier = wide_format(arithmetic.type());
  const double once = storage == carrier ? 0 : small_error(storage, casts);
  small.product = theory_of(arithmetic.product()).float_products(arithmetic) *
                  (once + small_error(carrier, Rounding::rne));
  small.sum = storage.subnormals && !storage.tapers() ? 0 : once;
  return small;
}

bool products_are_narrow(const ArithmeticSpec& arithmetic) {
  return on_vector_engine(arithmetic) && arithmetic.machine().vector.product_bits < fp32.precision;
}

namespace {

/// One addition outside of PSUM, of a term to the sum of those before.
/// Pairs: DWPlusFP, 2u^2 (arith/splitting/slices.hpp).
ErrorBound term_sum_error(const ArithmeticSpec& arithmetic) {
  switch (arithmetic.gemm().sum()) {
    case TermSum::in_pairs:
      return 2 * u32 * u32;
    case TermSum::in_fp64:
      return random_rounding(unit_roundoff(fp64));
    default:
      return on_vector_engine(arithmetic) ? real_errors(arithmetic).sum : random_rounding(u32);
  }
}

/// c_i with |word i of v| <= c_i |v| and r with |v - sum of words| <= r |v|.
struct Sizes {
  std::vector<double> words;
  double rest;
};

/// Words of single values of `source` bits. Rounded residuals: each word settles p + 1 bits, the
/// first p (split.hpp). Cut ones: p bits each, the first p - 1, and nothing is left of a value
/// of as many bits as the words hold.
Sizes value_sizes(const OperandWords& words, int source) {
  const bool cut = words.rounding == Rounding::rz;
  const auto after = [&](std::size_t count) {
    const int bits = words.bits_of(count);
    const int settled = cut ? bits - 1 : bits + static_cast<int>(count) - 1;
    return (cut ? bits : settled) >= source ? 0 : std::ldexp(1.0, -settled);
  };
  Sizes result{{1 + after(1)}, after(words.count)};
  for (std::size_t i = 1; i < words.count; ++i) result.words.push_back(after(i) + after(i + 1));
  return result;
}

/// Slices: after i of them at most slice_truncation(i, bits) 2^E is left of each of the 2 depth
/// parts, where 2^E <= 2 max |part|; so slice i, which is no larger, and the rest have at most the
/// norm 2 sqrt(2 depth) slice_truncation(i, bits) relative to that of the vector. Of roots
/// |part| < 2, so 2^E <= 2, and the norm is sqrt(depth): 2 sqrt(2) slice_truncation(i, bits).
Sizes slice_sizes(std::size_t count, int bits, std::size_t depth, Factors factors) {
  const double parts = factors == Factors::roots ? 2 : 2 * static_cast<double>(depth);
  const auto after = [&](std::size_t slices) {
    return 2 * std::sqrt(parts) * slice_truncation(slices, bits);
  };
  Sizes result{{1 + after(1)}, after(count)};
  for (std::size_t i = 1; i < count; ++i) result.words.push_back(after(i));
  return result;
}

/// Blocks: each part errs by at most e = block_error of the largest part in its block, which is at
/// most the norm of the block: e sqrt(block) in all. Roots: every part by e, their norm is
/// sqrt(depth): e sqrt(2).
Sizes block_sizes(const BlockFormat& block, std::size_t depth, Factors factors) {
  const double length =
      factors == Factors::roots ? 2 : static_cast<double>(std::min(block.block, depth));
  const double rest = block_error(block) * std::sqrt(length);
  return {{1 + rest}, rest};
}

/// The sizes of one side for sums of length `depth`; words that are zero have none.
Sizes sizes_of(const OperandWords& words, const Format& source, std::size_t depth,
               Factors factors) {
  switch (words.kind) {
    case WordKind::slices:
      return slice_sizes(words.count, words.bits, depth, factors);
    case WordKind::blocks:
      return block_sizes(words.block, depth, factors);
    default:
      break;
  }
  Sizes sizes = value_sizes(words, source.precision);
  sizes.words.resize(words.total());
  return sizes;
}

}  // namespace

/// Left out are products of words that are not kept, and words that are not there. A misread term
/// is missing, and one of at most its size is there in its place: the misread word holds a part of
/// the right one's values. Words that are cut, not rounded, have the sign of the value, so all
/// products of words together are at most |w| |x|.
WordNorms word_norms(const GemmScheme& words, const ArithmeticSpec& arithmetic, std::size_t depth,
                     Factors factors) {
  const Sizes data = sizes_of(words.data(), arithmetic.operation_format(), depth, Factors::any);
  const Sizes factor = sizes_of(words.factor(), arithmetic.table_format(), depth, factors);
  const auto size = [&](SplitTerm term) {
    return factor.words[term.factor] * data.words[term.data];
  };
  WordNorms norms{0, compose(factor.rest, data.rest)};
  for (const SplitTerm& term : words.terms()) norms.kept += size(term);
  if (words.data().rounding == Rounding::rz) norms.kept = 1;
  for (std::size_t f = 0; f < words.factor().total(); ++f)
    for (std::size_t d = 0; d < words.data().total(); ++d)
      if (std::ranges::count(words.terms(), SplitTerm{f, d}) == 0) norms.left_out += size({f, d});
  for (const SplitTerm& term : misread_terms(words, arithmetic)) norms.left_out += 2 * size(term);
  return norms;
}

namespace {

/// Of the data as the engine takes them: both parts of `depth` of them meet a part of the result,
/// each in as many terms as there are kept products of words; factors are at most 1, and what their
/// words lose is a share of that.
double engine_small_error(const ArithmeticSpec& arithmetic, std::size_t depth) {
  const GemmScheme& gemm = arithmetic.matrices();
  const double products = 2 * static_cast<double>(depth);
  if (gemm.engine() == Engine::vector) {
    const SmallErrors small = small_errors(arithmetic);
    return products * (small.product + small.sum);
  }
  // Integers times powers of two, and sums of doubles.
  constexpr double in_fp64 = 0x1p-1040;
  if (gemm.engine() != Engine::tensor) return products * in_fp64;
  const Machine& machine = arithmetic.machine();
  const double terms = static_cast<double>(gemm.terms().size());
  const double evictions = static_cast<double>(stretches(arithmetic, depth).size()) * terms;
  const double of_terms =
      gemm.sum() == TermSum::in_fp64 ? in_fp64 : small_error(fp32, Rounding::rz);
  double evicted = machine.eviction == fp32 ? 0 : small_error(machine.eviction, machine.casts);
  if (arithmetic.faults().demotion != Demotion::none) evicted += small_error(bf16, machine.casts);
  const double left = evictions * (evicted + 2 * of_terms);
  if (gemm.data().kind == WordKind::slices) return products * in_fp64 + left;
  const double count = products * terms * static_cast<double>(phases(machine.fidelity)) + 2;
  return products * small_error(gemm.data(), arithmetic.operation_format(),
                                gemm.accumulate().flush_inputs) +
         count * term_small_error(gemm, machine) + left;
}

/// Data that share an exponent e reach the engine as 2^-e x, where 2^e < 2L/top, L the largest part
/// of the N values and top as operand_top has it. What the engine errs by in each of 2N parts, a,
/// is 2^e a in the result: over all of them at most sqrt(2N) 2a/top ||x||, and the result's norm is
/// sqrt(r) ||x||.
double shared_operand_error(const ArithmeticSpec& arithmetic, std::size_t r) {
  if (!operands_share_exponent(arithmetic)) return 0;
  const std::size_t values = arithmetic.lines().n * arithmetic.lines().batch;
  if (values == 0) return unknown;
  const double per_output = 2 * static_cast<double>(values) / static_cast<double>(r);
  return std::sqrt(per_output) * 2 * engine_small_error(arithmetic, r) / operand_top(arithmetic, r);
}

}  // namespace

double gemm_small_error(const ArithmeticSpec& arithmetic, std::size_t depth) {
  // The results leave their exponent in fp32.
  return operands_share_exponent(arithmetic) ? min_normal(fp32)
                                             : engine_small_error(arithmetic, depth);
}

namespace {

/// The words of a matrix product for sums of length `depth`. Residues stand for integers of as many
/// bits as the moduli leave: one slice.
GemmScheme words_at(const ArithmeticSpec& arithmetic, std::size_t depth) {
  const GemmScheme& gemm = arithmetic.matrices();
  if (gemm.engine() != Engine::integer)
    return gemm.with_words(data_words(arithmetic, depth), factor_words(arithmetic, depth));
  const OperandWords integers{.kind = WordKind::slices, .bits = residue_bits(depth, gemm.moduli())};
  return gemm.with_words(integers, integers);
}

/// The sums of a matrix product on a tensor, integer or host engine, for factors off by mu, and
/// their own errors left out: relative to ||x|| sqrt(r) and an r-th part of ||W||_F^2 = r^2, as
/// gemm_error says.
ErrorBound products_error(const ArithmeticSpec& arithmetic, std::size_t r, double mu,
                          Factors factors) {
  const GemmScheme& gemm = arithmetic.matrices();
  const Machine& machine = arithmetic.machine();
  const WordNorms norms = word_norms(words_at(arithmetic, r), arithmetic, r, factors);
  if (gemm.engine() == Engine::integer)
    return compose(ErrorBound(root(r) * norms.left_out), random_rounding(unit_roundoff(fp64)));
  const bool exact = gemm.data().kind == WordKind::slices && slice_bits(arithmetic, r).exact;
  const ProductModel& product = gemm.accumulate().product;
  ErrorBound once = random_rounding(product_roundoff(gemm));
  if (once.worst > 0 && gemm.engine() == Engine::tensor)
    once = rounding_error(product.format, product.rounding);
  ErrorBound gamma = exact ? 0 : compose(once, accumulation_error(arithmetic, r));
  if (gemm.engine() == Engine::tensor) {
    const double phases = fidelity_error(machine.fidelity, gemm.operands().precision);
    gamma = compose(gamma, machine.fidelity == Fidelity::whole ? phases : not_modelled(phases));
  }
  if (gemm.engine() == Engine::tensor && machine.eviction != fp32)
    gamma =
        compose(gamma, rounding_error(machine.eviction, machine.casts, machine.stochastic_bits));
  gamma = compose(gamma, ErrorBound(demotion_error(arithmetic, false)));
  if (gemm.evict_each()) {
    const std::size_t evictions = stretches(arithmetic, r).size() * gemm.terms().size();
    gamma = compose(gamma, repeated_error(term_sum_error(arithmetic), evictions - 1));
  }
  const auto whole = [&](double of_sums) {
    return compose(root(r) * norms.left_out + root(2 * r) * norms.kept * of_sums,
                   demotion_error(arithmetic, true));
  };
  const double worst = whole(gamma.worst);
  const double partial = 1 + root(r) * ((1 + mu) * norms.kept - 1) + (1 + mu) * worst;
  return {worst, whole(gamma.certain * (1 + gamma.worst)), gamma.square * square(partial)};
}

}  // namespace

double repeated_error(double error, std::size_t count) {
  double result = 0;
  for (double power = error; count > 0; count /= 2, power = compose(power, power))
    if (count % 2 == 1) result = compose(result, power);
  return result;
}

ErrorBound repeated_error(const ErrorBound& error, std::size_t count) {
  const double worst = repeated_error(error.worst, count);
  return {worst, repeated_error(error.certain, count) * (1 + worst),
          static_cast<double>(count) * error.square * square(1 + worst)};
}

ErrorBound orthogonal_sum(const ErrorBound& a, const ErrorBound& b) {
  return {std::hypot(a.worst, b.worst), std::hypot(a.certain, b.certain), a.square + b.square};
}

ErrorBound larger(const ErrorBound& a, const ErrorBound& b) {
  const auto most = [](double x, double y) {
    return std::isnan(x) || std::isnan(y) ? unknown : std::max(x, y);
  };
  return {most(a.worst, b.worst), most(a.certain, b.certain), most(a.square, b.square)};
}

std::optional<double> ErrorBound::probable() const {
  constexpr double factor = 5.38678;  // sqrt(2 ln(2e6)), rounded up
  if (!(square > 0)) return std::nullopt;
  return std::min(worst, certain + factor * std::sqrt(square));
}

double rounded_table_error(const Format& format) {
  if (!format.is_fixed())
    return std::max(unit_roundoff(format), min_subnormal(format)) / std::sqrt(2.0);
  const double quantum = power_of_two(quantum_exponent(format));
  return quantum * (max_finite(format) < 1 ? std::sqrt(1.25) : std::sqrt(0.5));
}

/// y = x W with ||x W|| = sqrt(r) ||x||. Two parts, each relative to ||y||:
/// - tables: ||x dW|| <= ||x|| ||dW||_F <= ||x|| r mu: sqrt(r) mu.
/// - sums: an output part is a sum of 2r real products, each met by one product rounding u_p and by
///   gamma of the accumulation; |error| <= gamma sum |x_k||w_kj| <= gamma (1 + mu) sqrt(r) ||x|| in
///   each part, sqrt(2) over both, sqrt(r) over all outputs: sqrt(2r) gamma. (Blanchard, Higham,
///   Lopez, Mary, Pranesh, SISC 42(3), 2020.) Gamma counts every rounding on the way of a product:
///   accumulation, eviction, demotion, the sum of the terms outside. Phases of a fidelity are
///   matmuls whose products, of one sign, add up to the product but for fidelity_error of it.
/// Words: the parts left out act like table errors, sqrt(r) times their size; the kept terms have
/// the sizes of their words (word_norms). Where sizes are norms of vectors, sum |x_k||w_kj| is
/// at most the product of the norms, and the same follows.
/// Residues: the sums of the rounded integers are exact, the result is rounded to fp64.
/// Squares: at every step what the accumulators hold is z W, z those of the data, or of their
/// parts, that are summed so far. All z of one step have disjoint parts of the data, so a rounding
/// met by every product adds u^2 r ||x||^2 at most, with tables off by mu in the 2-norm (1 +
/// sqrt(r) mu)^2 times that; words but the first, which are no DFT, count by their size, and what
/// errors before it add by the worst case: `partial`. So a depth of d adds d u^2 to the squares,
/// where the worst case has d u sqrt(2r).
ErrorBound gemm_error(const ArithmeticSpec& arithmetic, std::size_t r, double mu) {
  const GemmScheme& gemm = arithmetic.matrices();
  if (gemm.engine() == Engine::vector) return dot_error(arithmetic, r, mu);
  const ErrorBound sums = products_error(arithmetic, r, mu, Factors::roots);
  return ErrorBound{root(r) * mu + (1 + mu) * sums.worst, root(r) * mu + (1 + mu) * sums.certain,
                    sums.square} +
         ErrorBound(shared_operand_error(arithmetic, r));
}

/// Proof: each output part errs by gamma sum_k |x_ik||w_kj| at most, gamma as in gemm_error, both
/// parts by sqrt(2) gamma ||x_i|| ||w_j||, all outputs by sqrt(2) gamma ||x||_F ||W||_F; the parts
/// that words leave out likewise, without the sqrt(2). An r x r DFT matrix has ||W||_F = r and ||x
/// W||_F = sqrt(r) ||x||_F: products_error is sqrt(r) times that. Squares are relative to ||x||_F
/// ||W||_F as they stand: ||z W||_2 <= ||z||_2 ||W||_F.
ErrorBound computed_gemm_error(const ArithmeticSpec& arithmetic, std::size_t depth) {
  const GemmScheme& gemm = arithmetic.matrices();
  const ErrorBound error = gemm.engine() == Engine::vector
                               ? dot_error(arithmetic, depth, 0)
                               : products_error(arithmetic, depth, 0, Factors::any);
  return {error.worst / root(depth), error.certain / root(depth), error.square};
}

/// X' = X + F(x - G(X)), with relative errors of at most b of X, f of F and b' of G, growth c, in
/// fp32 outside: X = Fx + E1, G(X) = F^-1 X + E2, |E2| <= b'(1 + c b)|x|, so the residual is r =
/// -F^-1 E1 - E2, |r| <= c b + |E2|, and F(r) = -E1 - F E2 + E3: E1 cancels, but the error of G
/// stays, grown to c |E2|; then |E3| <= f |r|, and the fp32 roundings of the residual and of the
/// sum. What G does not see of E1 is not cancelled: at most b. Random: E2 alone.
ErrorBound refined_error(const ErrorBound& before, const ErrorBound& forward,
                         const ErrorBound& backward, double growth) {
  const double u = 0x1p-24;
  const ErrorBound inverse = (1 + growth * before.worst) * (growth * backward);
  const double seen = growth * before.worst + inverse.worst;
  const double unseen = growth > 1 ? before.worst : 0;
  const double residual = (1 + u) * seen;
  const ErrorBound rest(growth * u * seen);
  return compose(unseen + inverse + rest + forward.worst * residual,
                 ErrorBound(repeated_error(u, 2)));
}
}  // namespace fftprec
