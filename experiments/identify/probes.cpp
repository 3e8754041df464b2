#include "experiments/identify/probes.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <random>

#include "algorithms/arithmetic/machine_gemm.hpp"
#include "arith/formats/round.hpp"
#include "arith/support/error.hpp"
#include "experiments/support/names.hpp"

namespace fftprec::identify {

namespace {

constexpr std::size_t most_bytes = std::size_t{64} << 20;

/// Random values of operands, and where rows put them.
class Maker {
 public:
  Maker(const Operands& operands, std::size_t seed) : operands_(operands), random_(seed) {}

  std::size_t below(std::size_t count) { return static_cast<std::size_t>(random_() % count); }
  int between(int least, int most) {
    return least + static_cast<int>(below(static_cast<std::size_t>(most - least + 1)));
  }
  bool one_in(std::size_t count) { return below(count) == 0; }
  double sign() { return one_in(2) ? -1 : 1; }

  /// In [1, 2), of at most `bits` bits.
  double significand(int bits) {
    const std::uint64_t ulps = std::uint64_t{1} << (bits - 1);
    return 1 + static_cast<double>(random_() % ulps) / static_cast<double>(ulps);
  }
  double any_bits() { return significand(operands_.a.precision); }
  /// With either sign, drawn first: the order of draws in one expression is the compiler's choice.
  double signed_significand(int bits) {
    const double side = sign();
    return side * significand(bits);
  }
  double signed_bits() { return signed_significand(operands_.a.precision); }

  const Operands& operands() const { return operands_; }

 private:
  Operands operands_;
  std::mt19937_64 random_;
};

/// x as an operand: cut to the format, and to its largest value.
float operand(double x, const Format& format) {
  const double most = max_finite(format);
  return static_cast<float>(round(std::clamp(x, -most, most), format, Rounding::rz));
}

/// Half the smallest number of fp16 is 2^half_center.
constexpr int half_center = -25;

/// A product of about value 2^exponent at k. Braces draw from the left with every compiler.
struct Term {
  int exponent;
  double value;
  std::size_t k;
};

/// The rows of a batch: element k of row i is a multiple of 2^exponent, as a product with a column
/// of ones. Formats of few exponents get B of large and of small magnitude in turn, so that
/// products reach twice their range.
class Rows {
 public:
  /// Products lie around 2^`center`, half of which B takes; around half_center, every second
  /// element of B is the smallest of its format.
  Rows(Batch& batch, Maker& make, int center)
      : batch_(batch), of_a_(make.operands().a), make_(make) {
    const Format& format = make.operands().b;
    const bool narrow = std::min(of_a_.emax, format.emax) < 30;
    for (std::size_t k = 0; k < batch.k; ++k) {
      const int alternating = k % 2 == 0 ? format.emax - 1 : format.emin + 1;
      scales_.push_back(narrow && center == 0 ? alternating
                        : center == half_center && k % 2 == 1
                            ? quantum_exponent(format)
                            : std::clamp(center / 2, format.emin, format.emax - 1));
    }
  }

  std::size_t size() const { return batch_.m; }
  std::size_t depth() const { return batch_.k; }
  int scale(std::size_t k) const { return scales_[k]; }

  void put(std::size_t i, const Term& term) {
    batch_.a[i * batch_.k + term.k] =
        operand(std::ldexp(term.value, term.exponent - scales_[term.k]), of_a_);
  }

  /// An operand that is no number, somewhere.
  void put_special(std::size_t i, double value) {
    batch_.a[i * batch_.k + make_.below(batch_.k)] = static_cast<float>(value);
  }

  /// A place in [first, first + count) where a product of 2^exponent can stand, if there is one.
  std::size_t place(int exponent, std::size_t first, std::size_t count) {
    std::size_t k = first;
    for (int tries = 0; tries < 16; ++tries) {
      k = first + make_.below(count);
      const int needed = exponent - scales_[k];
      if (needed >= of_a_.emin && needed <= of_a_.emax) break;
    }
    return k;
  }
  std::size_t place(int exponent) { return place(exponent, 0, batch_.k); }

 private:
  Batch& batch_;
  Format of_a_;
  Maker& make_;
  std::vector<int> scales_{};
};

/// An exponent on either side of the smallest normal operand.
int around_smallest(const Format& format, Maker& make) {
  return format.emin + (make.one_in(2) ? -make.between(1, format.precision) : make.between(0, 3));
}

/// Columns of B: ones of which some are zero; with signs; with one significand per column; with a
/// significand for every element. The first column has only ones. All are multiplied by the scale
/// of the row, or lie around the smallest normal operand.
void fill_columns(Batch& batch, Maker& make, const Rows& rows, bool smallest) {
  const Format& format = make.operands().b;
  for (std::size_t j = 0; j < batch.n; ++j) {
    const double significand = make.significand(format.precision);
    for (std::size_t k = 0; k < batch.k; ++k) {
      const int exponent = smallest ? around_smallest(format, make) : rows.scale(k);
      double value = 1;
      if (j % 4 == 0 && j > 0) value = make.one_in(4) ? 0 : 1;
      if (j % 4 == 1) value = make.sign();
      if (j % 4 == 2) value = significand;
      if (j % 4 == 3) value = make.signed_significand(format.precision);
      batch.b[k * batch.n + j] = operand(std::ldexp(value, exponent), format);
    }
  }
}

using FillRows = void (*)(Rows& rows, Maker& make);

/// One way of filling batches.
struct Family {
  const char* name;
  const char* meaning;
  FillRows fill;
  enum { small_only, every_depth } depths = small_only;
  enum { zero, half, subnormal, top } center = zero;  ///< of the products' magnitudes
  enum { no_c, random_c, aligned_c, special_c } c = no_c;
  bool mixed_only = false;  ///< asks of B what another family asks of A
};

void fill_random(Rows& rows, Maker& make) {
  constexpr int spreads[] = {0, 2, 6, 12, 24};
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (std::size_t k = 0; k < rows.depth(); ++k)
      rows.put(i, {make.between(-spreads[i % 5], 0), make.signed_bits(), k});
}

void fill_products(Rows& rows, Maker& make) {
  for (std::size_t i = 0; i < rows.size(); ++i) rows.put(i, {0, make.signed_bits(), rows.place(0)});
}

void fill_ties(Rows& rows, Maker& make) {
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const int below = -1 - static_cast<int>(i * 7 % 30);
    const double side = make.sign();
    rows.put(i, {below, side, rows.place(below)});
    if (i % 3 != 0) rows.put(i, {below - 5, make.sign(), rows.place(below - 5)});
    rows.put(i, {0, make.one_in(2) ? 1 : 1.5, rows.place(0)});
  }
}

/// Large terms cancel and leave what the alignment kept of small ones, in windows of 2 to k terms.
void fill_alignment(Rows& rows, Maker& make) {
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::size_t window = std::min(std::size_t{4} << i % 4, rows.depth());
    const std::size_t first = window * make.below(rows.depth() / window);
    const int below = -6 - static_cast<int>(i * 11 % 36);
    for (const double part : {1.0, 0.5})
      rows.put(i, {below, make.sign() * part, rows.place(below, first, window)});
    const double large = make.one_in(2) ? 1 : make.any_bits();
    const std::size_t up = rows.place(0, first, window);
    std::size_t down = rows.place(0, first, window);
    if (down == up) down = up == first ? first + 1 : up - 1;
    rows.put(i, {0, large, up});
    rows.put(i, {0, -large, down});
  }
}

/// Exponent of the large term of row i of the families `order` and `c_order`: C and the term that
/// cancels it have the same.
int large_exponent(std::size_t i) {
  constexpr int exponents[] = {24, 25, 26, 30, 12, 8};
  return exponents[i % 6];
}

/// Ones that are lost beside a large term, and not before it came or after it went.
void fill_order(Rows& rows, Maker& make) {
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const bool whole = make.one_in(2);
    for (std::size_t k = 0; k < rows.depth(); ++k)
      rows.put(i, {0, whole ? 1 : make.signed_bits(), k});
    const int size = large_exponent(i);
    const std::size_t up = rows.place(size);
    std::size_t down = rows.place(size);
    if (down == up) down = up == 0 ? 1 : up - 1;
    rows.put(i, {size, 1, up});
    if (i % 4 != 0) rows.put(i, {size, -1, down});
  }
}

/// One term and many that are a little more than half its last place, or a quarter.
void fill_growth(Rows& rows, Maker& make) {
  constexpr int lasts[] = {-24, -25, -12, -9, -23};
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const int last = lasts[i % 5];
    const double tiny = i % 2 == 0 ? 1 : make.any_bits();
    for (std::size_t k = 0; k < rows.depth(); ++k) rows.put(i, {last, tiny, k});
    rows.put(i, {0, make.sign(), rows.place(0)});
  }
}

void fill_cancelling(Rows& rows, Maker& make) {
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const int spread = static_cast<int>(i % 4) * 8;
    for (std::size_t k = 0; k < rows.depth(); ++k)
      rows.put(i, {-make.between(0, spread) - 8, make.signed_bits(), k});
    for (std::size_t pair = 0; pair < rows.depth() / 4; ++pair) {
      const double large = make.any_bits();
      const int exponent = make.between(0, spread);
      rows.put(i, {exponent, large, rows.place(exponent)});
      rows.put(i, {exponent, -large, rows.place(exponent)});
    }
  }
}

/// Operands of A below the smallest normal one.
void fill_subnormal_operands(Rows& rows, Maker& make) {
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (std::size_t k = 0; k < rows.depth(); ++k) {
      const int exponent = around_smallest(make.operands().a, make);
      rows.put(i, {exponent + rows.scale(k), make.signed_bits(), k});
    }
}

/// Operands of A around 1, whatever B's are.
void fill_normal_operands(Rows& rows, Maker& make) {
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (std::size_t k = 0; k < rows.depth(); ++k)
      rows.put(i, {rows.scale(k), make.signed_bits(), k});
}

/// Sums around the smallest normal result.
void fill_subnormal_sums(Rows& rows, Maker& make) {
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const int top = -118 - static_cast<int>(i * 5 % 34);
    const bool sparse = i % 2 == 0;
    for (std::size_t k = 0; k < rows.depth(); ++k)
      if (!sparse || make.one_in(4))
        rows.put(i, {top - make.between(0, i % 3 == 0 ? 24 : 4), make.signed_bits(), k});
  }
}

/// Sums of a few of fp16's smallest numbers, half of one, and something far below.
void fill_half_sums(Rows& rows, Maker& make) {
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto even = [&] { return 2 * make.below(rows.depth() / 2); };
    rows.put(i, {half_center + 1, static_cast<double>(make.between(-3, 3)), even()});
    rows.put(i, {half_center, make.sign(), even()});
    rows.put(i, {half_center - 1 - static_cast<int>(i % 23), make.sign(), even() + 1});
  }
}

/// Sums that pass the largest result, some only on the way, and products beyond it.
void fill_overflow(Rows& rows, Maker& make) {
  const int most = std::min(127, make.operands().a.emax + make.operands().b.emax);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const int top = most - static_cast<int>(i % 6) + (i % 12 < 2 ? 1 : 0);
    const bool mixed = i % 2 == 0;
    for (std::size_t k = 0; k < rows.depth(); ++k)
      if (make.one_in(3))
        rows.put(i, {top - make.between(0, 2), mixed ? make.signed_bits() : make.any_bits(), k});
  }
}

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

bool has_infinities(const Format& format) { return format.overflow == Overflow::infinity; }
bool has_nan(const Format& format) { return format.overflow != Overflow::saturate; }

/// Signed zeros, and infinities and NaN where the format has them.
void fill_special(Rows& rows, Maker& make) {
  const Format& format = make.operands().a;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (std::size_t k = 0; k < rows.depth(); ++k)
      rows.put(i, {0, i % 4 == 0 ? -0.0 : make.signed_bits(), k});
    if (i % 4 == 0) continue;
    if (has_infinities(format)) {
      rows.put_special(i, make.sign() * infinity);
      if (i % 4 == 2) rows.put_special(i, -infinity);
    }
    if (i % 4 == 3 && has_nan(format)) rows.put_special(i, not_a_number);
  }
}

/// Special values in B, if its format differs from that of A: an infinity in every fourth column, a
/// NaN in the next.
void fill_special_columns(Batch& batch, Maker& make) {
  const Format& format = make.operands().b;
  for (std::size_t j = 0; j < batch.n; ++j) {
    float& element = batch.b[make.below(batch.k) * batch.n + j];
    if (j % 4 == 1 && has_infinities(format)) element = static_cast<float>(make.sign() * infinity);
    if (j % 4 == 2 && has_nan(format)) element = static_cast<float>(not_a_number);
  }
}

constexpr Family families[] = {
    {"random", "Random operands: the order and every rounding of a sum.", fill_random,
     Family::every_depth},
    {"products", "One product alone: whether products are exact, and the format of results.",
     fill_products},
    {"ties", "Terms at half the last place of each format: rounding and width of sums.", fill_ties},
    {"alignment", "Large terms that cancel beside small ones: bits that an alignment keeps.",
     fill_alignment},
    {"order", "Ones around a large term: order, blocks and tiles, since ones beside it are lost.",
     fill_order, Family::every_depth},
    {"growth", "Many terms of half a last place: rounding to nearest grows, cutting does not.",
     fill_growth, Family::every_depth},
    {"cancelling", "Random terms with their opposites: what is left of lost bits.", fill_cancelling,
     Family::every_depth},
    {"subnormal_operands", "Operands below the smallest normal one: kept or taken as zero.",
     fill_subnormal_operands},
    {"subnormal_operands_b", "Operands of B below its smallest normal one.", fill_normal_operands,
     Family::small_only, Family::zero, Family::no_c, true},
    {"subnormal_sums", "Sums below 2^-126: kept or flushed, and the lowest alignment.",
     fill_subnormal_sums, Family::small_only, Family::subnormal},
    {"subnormal_sums_fp16", "Sums below 2^-24: ties of fp16 results, and the lowest alignment.",
     fill_half_sums, Family::small_only, Family::half},
    {"overflow", "Sums and products beyond the largest number: infinity or the largest number.",
     fill_overflow, Family::small_only, Family::top},
    {"special", "Signed zeros, infinities and NaN.", fill_special},
    {"c_random", "C beside random products: when C joins.", fill_random, Family::every_depth,
     Family::zero, Family::random_c},
    {"c_order", "A large C that one product cancels: which blocks and tiles follow C.", fill_order,
     Family::every_depth, Family::zero, Family::aligned_c},
    {"c_alignment", "C beside large terms that cancel: bits of C that an alignment keeps.",
     fill_alignment, Family::small_only, Family::zero, Family::random_c},
    {"c_subnormal", "C below 2^-126: kept or taken as zero.", fill_subnormal_sums,
     Family::small_only, Family::subnormal, Family::random_c},
    {"c_overflow", "C near the largest number.", fill_overflow, Family::small_only, Family::top,
     Family::random_c},
    {"c_special", "C zero of either sign, infinite or NaN.", fill_special, Family::small_only,
     Family::zero, Family::special_c},
};

/// Products around it; nothing is there for operands that do not reach it.
int center_of(const Family& family) {
  switch (family.center) {
    case Family::half:
      return half_center;
    case Family::subnormal:
      return -136;
    case Family::top:
      return 126;
    default:
      return 0;
  }
}

bool reaches(const Operands& operands, const Family& family) {
  if (family.mixed_only && operands.a == operands.b) return false;
  const auto& [a, b] = operands;
  if (family.center == Family::half)
    return std::max(a.emax, b.emax) < 30 && quantum_exponent(a) + quantum_exponent(b) < half_center;
  return family.center != Family::subnormal || a.emin + b.emin < -126;
}

void fill_c(Batch& batch, Maker& make, const Family& family) {
  batch.c.resize(batch.m * batch.n);
  const double specials[] = {0.0, -0.0, infinity, -infinity, not_a_number, 1.0};
  for (std::size_t i = 0; i < batch.m; ++i)
    for (std::size_t j = 0; j < batch.n; ++j) {
      double value = make.signed_significand(j % 2 == 0 ? 24 : 4);
      if (family.c == Family::special_c)
        value = specials[make.below(6)];
      else if (family.c == Family::aligned_c)
        value = std::ldexp(make.one_in(2) ? -1.0 : 1.0, large_exponent(i));
      else if (family.center == Family::subnormal)
        value = std::ldexp(value, -make.between(116, 149));
      else if (family.center == Family::top)
        value = std::ldexp(value, make.between(122, 127));
      else
        value = std::ldexp(value, make.between(-12, 6));
      batch.c[i * batch.n + j] = static_cast<float>(round(value, fp32, Rounding::rz));
    }
}

Batch batch_of(const Family& family, const ProbeOptions& options, std::size_t k, std::size_t seed) {
  Batch batch{family.name + ("_k" + std::to_string(k)), family.meaning, options.m, options.n, k};
  batch.a.resize(batch.m * k);
  batch.b.resize(k * batch.n);
  Maker make(options.operands, seed);
  Rows rows(batch, make, center_of(family));
  family.fill(rows, make);
  fill_columns(batch, make, rows, family.mixed_only);
  if (family.fill == fill_special && options.operands.a != options.operands.b)
    fill_special_columns(batch, make);
  if (family.c != Family::no_c) fill_c(batch, make, family);
  return batch;
}

void validate(const ProbeOptions& options) {
  for (const Format& operands : {options.operands.a, options.operands.b}) {
    validate(operands);
    require(!operands.system, "operands ", operands, ": no matrix unit takes a number system");
    require(fits<float>(operands) || operands == fp32, "operands ", operands,
            " are wider than fp32");
  }
  const auto check = [](const char* name, std::size_t size, std::size_t least) {
    require(size >= least && size <= largest_probe, name, "=", size, " is not in ", least, "..",
            largest_probe);
  };
  check("m", options.m, 8);
  check("n", options.n, 8);
  require(!options.depths.empty(), "no k is given");
  for (const std::size_t k : options.depths) check("k", k, 4);
}

}  // namespace

Operands operands_named(std::string_view text) {
  const std::vector<std::string> names = split_list(text);
  require(names.size() <= 2,
          "operands '" + std::string(text) + "': A and B have two formats at most");
  return {format_named(names.front()), format_named(names.back())};
}

std::string to_string(const Operands& operands) {
  return to_string(operands.a) + (operands.a == operands.b ? "" : "," + to_string(operands.b));
}

std::vector<Batch> probe_batches(const ProbeOptions& options) {
  validate(options);
  std::vector<std::size_t> depths = options.depths;
  std::ranges::sort(depths);
  depths.erase(std::unique(depths.begin(), depths.end()), depths.end());
  std::vector<Batch> batches;
  std::size_t bytes = 0;
  for (const std::size_t k : depths)
    for (const Family& family : families) {
      if (k != depths.front() && family.depths == Family::small_only) continue;
      if (!reaches(options.operands, family)) continue;
      batches.push_back(batch_of(family, options, k, batches.size() + 1));
      const Batch& last = batches.back();
      bytes += sizeof(float) * (last.a.size() + last.b.size() + last.c.size());
      require(bytes <= most_bytes, "probes of these sizes exceed 64 MB; take fewer m, n or k");
    }
  return batches;
}

std::vector<float> product_on(const Machine& machine, const Operands& operands, const Batch& batch,
                              Part part) {
  Fp32Passes passes = fp32_passes(machine.fp32_matmul);
  if (operands.a != fp32) passes = {operands.a};
  const Isa isa = best_isa();
  const bool mixed = operands.a != operands.b;
  const AccumulatorModel model = mixed ? accumulator_for(machine, operands.a, operands.b)
                                       : accumulator_for(machine, passes.operands);
  const TensorUnit unit = tensor_unit(machine, model, isa);
  const std::size_t rows = (batch.m + part.row_step - 1) / part.row_step;
  const std::size_t columns = part.columns == 0 ? batch.n : std::min(part.columns, batch.n);

  WordPlanes still{batch.a.data(), nullptr, 0, 1, part.row_step * batch.k};
  WordPlanes moving{batch.b.data(), nullptr, 0, batch.n, 1};
  ComplexArray<float> a, b;  // words of what the unit does not take as it is
  if (passes.operands != operands.a) {
    const auto words_of = [&](const float* x, std::size_t stride, std::size_t height,
                              std::size_t width, const WordShape& shape) {
      ComplexArray<float> values(height * width);
      for (std::size_t i = 0; i < height; ++i)
        std::copy_n(x + i * stride, width, values.re.data() + i * width);
      return cut_into_words(values, shape, fftprec::words_of(passes), isa).planes;
    };
    a = words_of(still.re, still.free_step, rows, batch.k, {batch.k, rows, 1, batch.k});
    b = words_of(moving.re, batch.n, batch.k, columns, {batch.k, columns, columns, 1});
    still = {a.re.data(), nullptr, rows * batch.k, 1, batch.k};
    moving = {b.re.data(), nullptr, batch.k * columns, columns, 1};
  }

  std::vector<float> d(rows * columns);
  const bool through = machine.across_tiles == AcrossTiles::through;
  // A fixed point takes every bit of C that it aligns; an addition takes two of its own format.
  const bool rounded = through && unit.model.sum != BlockSum::aligned;
  const Format& entered = rounded ? unit.model.format : fp32;
  for (std::size_t i = 0; i < d.size() && !batch.c.empty(); ++i) {
    const float c = batch.c[i / columns * part.row_step * batch.n + i % columns];
    const double held = round(static_cast<double>(c), entered, Rounding::rne);
    d[i] = static_cast<float>(round(held, machine.psum, Rounding::rne));
  }
  TensorProduct(machine, unit, isa)
      .run({d.data(), nullptr, rows, columns, columns}, still, moving, false,
           {.first = 0, .count = batch.k, .imaginary = false, .onto = !batch.c.empty()},
           passes.terms, 0);
  return d;
}

}  // namespace fftprec::identify
