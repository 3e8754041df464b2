/// The preset x86-avx512bf16 against VDPBF16PS of the processor that runs the test, bit for bit; a
/// NaN equals any NaN. Skipped where the processor has no AVX512-BF16.
#include <gtest/gtest.h>

#if defined(__x86_64__)

#include <cpuid.h>
#include <immintrin.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <random>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "arith/machines/machine.hpp"
#include "experiments/identify/identify.hpp"

namespace fftprec::testing {
namespace {

constexpr unsigned pairs_seed = 20;
constexpr std::size_t lanes = 16;
constexpr std::size_t rows = 16;
constexpr std::size_t columns = 64;

std::uint32_t bits_of(float x) { return __builtin_bit_cast(std::uint32_t, x); }
float from_bits(std::uint32_t bits) { return __builtin_bit_cast(float, bits); }
bool is_nan(std::uint32_t bits) { return (bits & 0x7fffffffu) > 0x7f800000u; }

/// Two bf16 numbers as the instruction takes them, the even k in the lower half.
std::uint32_t pair_of(float even, float odd) { return bits_of(even) >> 16 | bits_of(odd); }

/// c(i, j) += the products of a(i) and b(j), one pair of k after the other, by the instruction.
__attribute__((target("avx512f,avx512bf16"), noinline)) void run_silicon(
    std::vector<std::uint32_t>& c, const std::vector<std::uint32_t>& a,
    const std::vector<std::uint32_t>& b, std::size_t pairs) {
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < columns; j += lanes) {
      std::uint32_t* const at = &c[i * columns + j];
      __m512 sum = _mm512_castsi512_ps(_mm512_loadu_si512(at));
      for (std::size_t p = 0; p < pairs; ++p) {
        const __m512i left = _mm512_set1_epi32(static_cast<int>(a[p * rows + i]));
        const __m512i right = _mm512_loadu_si512(&b[p * columns + j]);
        sum = _mm512_dpbf16_ps(sum, __builtin_bit_cast(__m512bh, left),
                               __builtin_bit_cast(__m512bh, right));
      }
      _mm512_storeu_si512(at, _mm512_castps_si512(sum));
    }
}

/// "AuthenticAMD family 26 model 2".
std::string processor() {
  unsigned a = 0, b = 0, c = 0, d = 0;
  __get_cpuid(0, &a, &b, &c, &d);
  std::string name;
  for (const unsigned word : {b, d, c})
    for (unsigned shift = 0; shift < 32; shift += 8) name += static_cast<char>(word >> shift & 255);
  __get_cpuid(1, &a, &b, &c, &d);
  const unsigned family = (a >> 8 & 15) + ((a >> 8 & 15) == 15 ? a >> 20 & 255 : 0);
  const unsigned model = (a >> 4 & 15) + (a >> 12 & 0xf0);
  return name + " family " + std::to_string(family) + " model " + std::to_string(model);
}

class Avx512Bf16 : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!__builtin_cpu_supports("avx512bf16"))
      GTEST_SKIP() << "this processor has no AVX512-BF16: " << processor();
    std::printf("[ ran on   ] %s\n", processor().c_str());
  }
};

/// What a class of vectors is made of.
struct Class {
  const char* name;
  int lowest;     ///< exponent of a, biased
  int width;      ///< of each exponent's range
  int product;    ///< exponent of the largest products, not biased
  int lowest_c;   ///< exponent of c, biased
  int zeros;      ///< low bits of a significand that are zero, of 7
  bool specials;  ///< a third are infinities, NaNs, zeros and subnormals
};

constexpr Class classes[] = {
    {"random bits", 0, 256, 0, 0, 0, false},
    {"near exponents", 124, 8, 4, 128, 0, false},
    {"wide exponents", 110, 24, 0, 110, 0, false},
    {"ties", 126, 4, -24, 126, 5, false},
    {"products beyond half an ulp", 126, 2, -25, 126, 3, false},
    {"subnormal operands", 0, 3, 0, 100, 0, false},
    {"subnormal products", 60, 16, -130, 0, 0, false},
    {"results around the flush", 60, 8, -127, 0, 0, false},
    {"results just below the flush", 60, 8, -151, 0, 6, false},
    {"c just above the flush", 60, 6, -152, 1, 6, false},
    {"overflow", 190, 4, 126, 251, 0, false},
    {"infinities and NaNs", 100, 60, 20, 100, 0, true},
};

class Vectors {
 public:
  explicit Vectors(const Class& of) : class_(of), random_(pairs_seed) {}

  /// A bf16 number with an exponent from `lowest` on.
  float operand(int lowest) {
    std::uint32_t bits = word();
    if (class_.width < 256) {
      bits &= 0x80000000u | (0x7f0000u << class_.zeros & 0x7f0000u);
      bits |= exponent(lowest + below(class_.width));
    }
    if (class_.specials) bits = special(bits);
    return from_bits(bits & 0xffff0000u);
  }

  /// c: of the class, the same with a short significand, or what one of the first products nearly
  /// cancels.
  float c(float even, float odd) {
    std::uint32_t bits = word();
    const std::uint32_t kind = word() % 4;
    if (class_.width < 256) {
      bits &= kind == 1 ? 0x80000007u : 0x807fffffu;
      bits |= exponent(class_.lowest_c + below(class_.width));
    }
    if (class_.specials) bits = special(bits);
    if (kind >= 2 && even == even && odd == odd)
      bits = bits_of(kind == 2 ? -even : -odd) ^ word() % 4;
    return from_bits(bits);
  }

 private:
  std::uint32_t word() { return static_cast<std::uint32_t>(random_()); }
  int below(int width) { return static_cast<int>(word() % static_cast<std::uint32_t>(width)); }

  static std::uint32_t exponent(int biased) {
    return static_cast<std::uint32_t>(std::clamp(biased, 0, 254)) << 23;
  }

  std::uint32_t special(std::uint32_t bits) {
    switch (word() % 16) {
      case 0:
      case 1:
        return (bits & 0x80000000u) | 0x7f800000u;
      case 2:
        return bits | 0x7f800000u;
      case 3:
        return bits & 0x80000000u;
      case 4:
        return bits & 0x807fffffu;
      default:
        return bits;
    }
  }

  const Class& class_;
  std::mt19937_64 random_;
};

/// What the unit and the instruction get.
struct Columns {
  std::vector<float> a, b, c;  ///< k x rows, k x columns, rows x columns
};

Columns columns_of(const Class& of, Vectors& vectors, std::size_t k) {
  Columns made;
  for (std::size_t i = 0; i < k * rows; ++i) made.a.push_back(vectors.operand(of.lowest));
  // Biased exponents of products: those of a and b less 127.
  const int other = of.product + 254 - of.lowest - of.width + 1;
  for (std::size_t i = 0; i < k * columns; ++i) made.b.push_back(vectors.operand(other));
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < columns; ++j)
      made.c.push_back(vectors.c(made.a[i] * made.b[j], made.a[rows + i] * made.b[columns + j]));
  return made;
}

std::vector<std::uint32_t> paired(const std::vector<float>& all, std::size_t k, std::size_t width) {
  std::vector<std::uint32_t> pairs;
  for (std::size_t p = 0; p < k; p += 2)
    for (std::size_t i = 0; i < width; ++i)
      pairs.push_back(pair_of(all[p * width + i], all[(p + 1) * width + i]));
  return pairs;
}

std::vector<std::uint32_t> silicon(const Columns& of, std::size_t k) {
  std::vector<std::uint32_t> sums;
  for (const float c : of.c) sums.push_back(bits_of(c));
  run_silicon(sums, paired(of.a, k, rows), paired(of.b, k, columns), k / 2);
  return sums;
}

std::vector<float> emulated(const TensorUnit& unit, const Columns& of, std::size_t k) {
  std::vector<float> psum = of.c;
  Matmul<float> call{};
  call.stationary = of.a.data();
  call.stationary_k = rows;
  call.stationary_m = 1;
  call.moving = of.b.data();
  call.moving_stride = call.psum_stride = call.n = columns;
  call.psum = psum.data();
  call.m = rows;
  call.k = k;
  call.accumulate = true;
  unit.matmul(call);
  return psum;
}

std::string shown(const Columns& of, std::size_t k, std::size_t element) {
  std::ostringstream text;
  text << std::hex << "c " << bits_of(of.c[element]);
  for (std::size_t p = 0; p < k; ++p)
    text << ", k = " << p << ": " << bits_of(of.a[p * rows + element / columns]) << " * "
         << bits_of(of.b[p * columns + element % columns]);
  return text.str() + "; seed " + std::to_string(pairs_seed) + ", " + processor();
}

/// `rounds` matrices of columns of k products, by the preset and by the instruction.
void compare(const Class& of, std::size_t k, int rounds, Isa isa) {
  const TensorUnit unit = tensor_unit(machine_named("x86-avx512bf16"), bf16, isa);
  Vectors vectors(of);
  for (int round = 0; round < rounds; ++round) {
    const Columns made = columns_of(of, vectors, k);
    const std::vector<std::uint32_t> expected = silicon(made, k);
    const std::vector<float> sums = emulated(unit, made, k);
    for (std::size_t i = 0; i < sums.size(); ++i) {
      if (is_nan(expected[i]) && sums[i] != sums[i]) continue;
      ASSERT_EQ(bits_of(sums[i]), expected[i]) << of.name << ": " << shown(made, k, i);
    }
  }
}

TEST_F(Avx512Bf16, HasTheBitsOfThePresetForEveryClassOfPairs) {
  // 12 classes of 850 matrices of 1024 sums: 10^7.
  for (const Class& each : classes) compare(each, 2, 850, best_isa());
}

TEST_F(Avx512Bf16, HasTheBitsOfThePresetForColumnsOfPairs) {
  for (const Isa isa : available_isas())
    for (const Class& each : classes) compare(each, 32, 10, isa);
}

/// By its products alone, as anybody would ask a device.
TEST_F(Avx512Bf16, IsWhatIdentifyFinds) {
  std::vector<identify::Answer> answers;
  for (identify::Batch& batch : identify::probe_batches({.depths = {16, 128}})) {
    ASSERT_EQ(batch.n, columns);
    std::vector<float> d;
    for (std::size_t first = 0; first < batch.m; first += rows) {
      std::vector<std::uint32_t> sums(rows * columns), a;
      for (std::size_t i = 0; !batch.c.empty() && i < sums.size(); ++i)
        sums[i] = bits_of(batch.c[first * columns + i]);
      for (std::size_t k = 0; k < batch.k; k += 2)
        for (std::size_t i = first; i < first + rows; ++i)
          a.push_back(pair_of(batch.a[i * batch.k + k], batch.a[i * batch.k + k + 1]));
      run_silicon(sums, a, paired(batch.b, batch.k, columns), batch.k / 2);
      for (const std::uint32_t sum : sums) d.push_back(from_bits(sum));
    }
    answers.push_back({std::move(batch), std::move(d)});
  }

  const identify::Identification found = identify::identify(answers, {.decide = false});

  EXPECT_TRUE(found.fits);
  EXPECT_EQ(found.machine.name, "x86-avx512bf16");
}

}  // namespace
}  // namespace fftprec::testing

#else

TEST(Avx512Bf16, HasTheBitsOfThePresetForEveryClassOfPairs) {
  GTEST_SKIP() << "this is no x86 processor";
}

#endif
