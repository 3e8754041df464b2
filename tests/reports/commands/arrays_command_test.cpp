/// `fftprec input` and `fftprec compute`: arrays that are a case's own in every bit.
#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <complex>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "arith/truth/roots.hpp"
#include "experiments/algorithms/registry.hpp"
#include "experiments/cases/evaluate.hpp"
#include "experiments/files/file_values.hpp"
#include "experiments/inputs/inputs.hpp"
#include "experiments/support/files.hpp"
#include "experiments/support/hash.hpp"
#include "experiments/transforms/registry.hpp"
#include "reports/commands/commands.hpp"
#include "tests/support/command_line.hpp"
#include "tests/support/fragments.hpp"
#include "tests/support/mpfr_judge.hpp"
#include "tests/support/sample_files.hpp"
#include "tests/support/temporary_directory.hpp"

namespace fftprec::commands {
namespace {

using ::testing::ElementsAre;
using ::testing::ElementsAreArray;
using testing::exits;
using testing::holds;
using ::testing::StartsWith;
using testing::Words;

class Arrays : public ::testing::Test {
 protected:
  std::string at(const std::string& name) const { return (directory_.path() / name).string(); }

  static testing::Outcome line(Words words) {
    return testing::run_line(std::move(words), real_case_functions());
  }
  testing::Outcome input(Words words) const {
    words.insert(words.begin(), "input");
    words.insert(words.end(), {"-o", at("x.npy")});
    return line(std::move(words));
  }
  testing::Outcome compute(const Words& axes, const Words& more = {}) const {
    Words words{"compute", "-o", at("y.npy")};
    for (const std::string& axis : axes) words.insert(words.end(), {"-a", axis});
    words.insert(words.end(), more.begin(), more.end());
    return line(std::move(words));
  }
  Samples read(const std::string& name) const { return read_samples(at(name)); }

  testing::TemporaryDirectory directory_;
};

TEST_F(Arrays, OfAnInputAreThatOfTheCase) {
  for (const std::string kind : {"gaussian", "wide:phi=2", "wide", "cancelling", "torch_randn",
                                 "jitter:k=4:inner=gaussian", "impulse"}) {
    EXPECT_THAT(input({kind, "-n", "64", "--batch", "3", "--seed", "7"}), exits(0));
    EXPECT_EQ(read("x.npy").values, make_input(kind, 64, 3, 7)) << kind;
    EXPECT_THAT(read("x.npy").shape, ElementsAre(3, 64));
  }
}

TEST_F(Arrays, HaveTheAxesOfTheirTransformAndAreRealWhereItIs) {
  struct Form {
    const char* transform;
    std::vector<std::size_t> input;
    std::vector<std::size_t> output;
    const char* input_dtype;
    const char* output_dtype;
  };
  const std::vector<Form> forms = {
      {"fft", {2, 16}, {2, 16}, "<c8", "<c8"},
      {"ifft", {2, 16}, {2, 16}, "<c8", "<c8"},
      {"rfft", {2, 16}, {2, 9}, "<f4", "<c8"},
      {"irfft", {2, 9}, {2, 16}, "<c8", "<f4"},
      {"fft2:rows=8", {2, 8, 16}, {2, 8, 16}, "<c8", "<c8"},
      {"rfft2:rows=8", {2, 8, 16}, {2, 8, 9}, "<f4", "<c8"},
      {"fftn:dims=3", {2, 16, 16, 16}, {2, 16, 16, 16}, "<c8", "<c8"},
      {"dct2", {2, 16}, {2, 16}, "<f4", "<f4"},
      {"stft:hop=4:length=64", {2, 64}, {2, 17, 9}, "<f4", "<c8"},
      {"istft:hop=4:length=64", {2, 17, 9}, {2, 64}, "<c8", "<f4"},
  };
  for (const Form& form : forms) {
    SCOPED_TRACE(form.transform);
    EXPECT_THAT(input({"gaussian", "-n", "16", "--batch", "2", "--transform", form.transform}),
                exits(0));
    EXPECT_EQ(read("x.npy").shape, form.input);
    EXPECT_THAT(read_file(at("x.npy")), holds(form.input_dtype));
    EXPECT_THAT(compute({std::string("transform=") + form.transform, "n=16", "batch=2"}), exits(0));
    EXPECT_EQ(read("y.npy").shape, form.output);
    EXPECT_THAT(read_file(at("y.npy")), holds(form.output_dtype));
  }
}

TEST_F(Arrays, OfAnInputAreDescribedBesideIt) {
  input({"wide:phi=2", "-n", "64", "--transform", "rfft", "--seed", "9"});
  EXPECT_THAT(read_file(at("x.toml")), holds("[[result]]\n"));
  EXPECT_THAT(read_file(at("x.toml")),
              holds("transform = \"rfft\"\nn = 64\nbatch = 1\ninput = \"wide:phi=2\"\nseed = 9"));
  EXPECT_THAT(read_file(at("x.toml")), holds(array_hash(read("x.npy").values)));
}

TEST_F(Arrays, AreOfTheDtypeAskedForOrRefused) {
  EXPECT_EQ(input({"impulse", "-n", "8", "--dtype", "bfloat16"}).code, 0);
  EXPECT_THAT(read_file(at("x.npy")), holds("'bfloat16'"));
  EXPECT_THAT(input({"gaussian", "-n", "8", "--dtype", "bfloat16"}),
              exits(2).err(holds("x.npy: value 0", "is none of dtype bfloat16")));
}

TEST_F(Arrays, AreRefusedByName) {
  EXPECT_THAT(line({"input", "gaussian", "-n", "8", "-o", at("x.txt")}).err,
              holds("expected a name that ends in .npy"));
  EXPECT_THAT(line({"input", "gausian", "-n", "8", "-o", at("x.npy")}).err,
              holds("did you mean 'gaussian'"));
  EXPECT_EQ(input({"torch_randn", "-n", "8"}).code, to_int(ExitCode::nothing_matched));
  EXPECT_EQ(compute({"algorithm=radix2-dit", "n=12"}).code, to_int(ExitCode::nothing_matched));
  EXPECT_EQ(compute({"n=8,16"}).code, to_int(ExitCode::usage));
  EXPECT_EQ(compute({"algorithm=direct", "n=8", "mode=double"}, {"--stages", at("stages")}).code,
            to_int(ExitCode::nothing_matched));
}

/// A case of every kind, by a counter.
Case made_up_case(std::uint64_t number) {
  std::uint64_t state = number * 6364136223846793005u + 1442695040888963407u;
  const auto one_of = [&](const std::vector<Named>& names) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return names[(state >> 33) % names.size()].name;
  };
  Case where;
  where.transform = number % 3 == 0 ? one_of(list_transforms()) : "fft";
  where.algorithm = one_of(list_algorithms());
  where.mode = one_of(list_modes());
  where.machine = one_of(list_machines());
  where.tables = number % 4 == 0 ? "fp32-angle" : "exact";
  where.n = std::array{8u, 12u, 15u, 16u, 32u, 64u}[state % 6];
  where.batch = 1 + number % 3;
  where.seed = number;
  return where;
}

TEST_F(Arrays, OfResultsHaveTheHashOfTheirRow) {
  constexpr std::size_t wanted = 200;
  std::size_t compared = 0;
  std::set<std::string> algorithms;
  std::set<std::string> modes;
  for (std::uint64_t number = 0; compared < wanted; ++number) {
    ASSERT_LT(number, 20 * wanted);
    const Case where = made_up_case(number);
    Row row;
    try {
      row = evaluate(where);
    } catch (const InputError&) {
      continue;
    }
    if (row.status != Status::ok) continue;
    SCOPED_TRACE(command_of(where));
    Words axes;
    for (const Column& axis : axis_columns())
      axes.push_back(std::string(axis.name) + "=" + axis.text(Row{.where = where}));
    ASSERT_THAT(compute(axes, {"--output-lo", at("lo.npy"), "--truth", at("t.npy"), "--truth-lo",
                               at("l.npy"), "--radius", at("r.npy")}),
                exits(0).out(row.output_hash));
    const ComplexArray<double> rest = read("lo.npy").values;
    if (rest == ComplexArray<double>(rest.size()) && where.mode != "doubleword") {
      EXPECT_EQ(array_hash(read_samples(at("y.npy"), 0, {.finite = false}).values),
                row.output_hash);
    }
    const truth::Truth truth = make_problem(problem_key(where)).truth;
    EXPECT_EQ(read("t.npy").values, truth.hi);
    EXPECT_EQ(read("l.npy").values, truth.lo);
    EXPECT_THAT(read("r.npy").values.re, ElementsAreArray(truth.element_radius));
    ++compared;
    algorithms.insert(where.algorithm);
    modes.insert(where.mode);
  }
  EXPECT_GT(algorithms.size(), 15u);
  EXPECT_GT(modes.size(), 20u);
}

/// Complex numbers in MPFR, row-major: the judge of truths, summed from definitions alone.
struct Exact {
  static constexpr mpfr_prec_t bits = 300;

  explicit Exact(std::vector<std::size_t> of_shape) : shape(std::move(of_shape)) {
    std::size_t size = 1;
    for (const std::size_t extent : shape) size *= extent;
    re = std::vector<testing::Wide>(size, testing::Wide(bits));
    im = std::vector<testing::Wide>(size, testing::Wide(bits));
  }
  explicit Exact(const Samples& x) : Exact(x.shape) {
    for (std::size_t i = 0; i < re.size(); ++i) {
      mpfr_set_d(re[i].get(), x.values.re[i], MPFR_RNDN);
      mpfr_set_d(im[i].get(), x.values.im[i], MPFR_RNDN);
    }
  }

  std::vector<std::size_t> shape;
  std::vector<testing::Wide> re;
  std::vector<testing::Wide> im;
};

/// Calls `each(from, to, stride)` for every line along the axis: where it begins in arrays that
/// have `before` and `after` elements there, and how far they are apart.
template <class Each>
void for_lines(const std::vector<std::size_t>& shape, std::size_t axis, std::size_t before,
               std::size_t after, Each each) {
  std::size_t stride = 1;
  for (std::size_t i = axis + 1; i < shape.size(); ++i) stride *= shape[i];
  std::size_t blocks = 1;
  for (std::size_t i = 0; i < axis; ++i) blocks *= shape[i];
  for (std::size_t block = 0; block < blocks; ++block)
    for (std::size_t i = 0; i < stride; ++i)
      each(block * before * stride + i, block * after * stride + i, stride);
}

/// y_k = sum over j of x_j exp(2 pi i turns(j, k) / whole) along an axis, for k below `outputs`.
template <class Turns>
Exact summed(const Exact& x, std::size_t axis, std::size_t outputs, std::size_t whole,
             Turns turns) {
  std::vector<testing::Wide> cosine(whole, testing::Wide(Exact::bits));
  std::vector<testing::Wide> sine(whole, testing::Wide(Exact::bits));
  for (std::size_t i = 0; i < whole; ++i) {
    testing::Wide angle(Exact::bits + 20);
    mpfr_const_pi(angle.get(), MPFR_RNDN);
    mpfr_mul_ui(angle.get(), angle.get(), 2 * i, MPFR_RNDN);
    mpfr_div_ui(angle.get(), angle.get(), whole, MPFR_RNDN);
    mpfr_sin_cos(sine[i].get(), cosine[i].get(), angle.get(), MPFR_RNDN);
  }
  const std::size_t inputs = x.shape[axis];
  std::vector<std::size_t> shape = x.shape;
  shape[axis] = outputs;
  Exact y(shape);
  for_lines(x.shape, axis, inputs, outputs,
            [&](std::size_t from, std::size_t to, std::size_t stride) {
              for (std::size_t k = 0; k < outputs; ++k)
                for (std::size_t j = 0; j < inputs; ++j) {
                  const std::size_t turn = turns(j, k) % whole;
                  mpfr_srcptr re = x.re[from + j * stride].get();
                  mpfr_srcptr im = x.im[from + j * stride].get();
                  mpfr_ptr sum_re = y.re[to + k * stride].get();
                  mpfr_ptr sum_im = y.im[to + k * stride].get();
                  testing::Wide part(Exact::bits);
                  mpfr_fmms(part.get(), re, cosine[turn].get(), im, sine[turn].get(), MPFR_RNDN);
                  mpfr_add(sum_re, sum_re, part.get(), MPFR_RNDN);
                  mpfr_fmma(part.get(), re, sine[turn].get(), im, cosine[turn].get(), MPFR_RNDN);
                  mpfr_add(sum_im, sum_im, part.get(), MPFR_RNDN);
                }
            });
  return y;
}

Exact forward(const Exact& x, std::size_t axis, std::size_t outputs) {
  const std::size_t n = x.shape[axis];
  return summed(x, axis, outputs, n, [n](auto j, auto k) { return (n - j) * k; });
}

Exact inverse(const Exact& x, std::size_t axis, std::size_t outputs) {
  const std::size_t n = x.shape[axis];
  Exact y = summed(x, axis, outputs, n, [](auto j, auto k) { return j * k; });
  for (std::vector<testing::Wide>* part : {&y.re, &y.im})
    for (testing::Wide& value : *part) mpfr_div_ui(value.get(), value.get(), n, MPFR_RNDN);
  return y;
}

/// n elements along the last axis, of which x has the first n/2 + 1.
Exact hermitian(const Exact& x, std::size_t n) {
  std::vector<std::size_t> shape = x.shape;
  shape.back() = n;
  Exact y(shape);
  for_lines(x.shape, shape.size() - 1, x.shape.back(), n,
            [&](std::size_t from, std::size_t to, std::size_t) {
              for (std::size_t k = 0; k < n; ++k) {
                const bool mirrored = 2 * k > n;
                const std::size_t source = from + (mirrored ? n - k : k);
                mpfr_set(y.re[to + k].get(), x.re[source].get(), MPFR_RNDN);
                if (k == 0 || 2 * k == n) continue;
                mpfr_mul_si(y.im[to + k].get(), x.im[source].get(), mirrored ? -1 : 1, MPFR_RNDN);
              }
            });
  return y;
}

Exact real_part(Exact y, long scale = 1) {
  for (testing::Wide& value : y.re) mpfr_mul_si(value.get(), value.get(), scale, MPFR_RNDN);
  for (testing::Wide& value : y.im) mpfr_set_zero(value.get(), 1);
  return y;
}

/// Frames of n under the periodic Hann window, centred on multiples of `hop`; the signal is
/// reflected at its ends.
Exact framed(const Exact& x, std::size_t n, std::size_t hop) {
  const std::size_t batch = x.shape[0];
  const std::size_t length = x.shape[1];
  const std::size_t frames = (length + n / 2 * 2 - n) / hop + 1;
  Exact y({batch, frames, n});
  for (std::size_t i = 0; i < y.re.size(); ++i) {
    const std::size_t j = i % n;
    const auto place = static_cast<long>(i / n % frames * hop + j) - static_cast<long>(n / 2);
    const long last = static_cast<long>(length) - 1;
    const auto source = static_cast<std::size_t>(last - std::labs(last - std::labs(place)));
    testing::Wide window(Exact::bits);
    mpfr_const_pi(window.get(), MPFR_RNDN);
    mpfr_mul_ui(window.get(), window.get(), j, MPFR_RNDN);
    mpfr_div_ui(window.get(), window.get(), n, MPFR_RNDN);
    mpfr_sin(window.get(), window.get(), MPFR_RNDN);
    mpfr_sqr(window.get(), window.get(), MPFR_RNDN);
    mpfr_mul(y.re[i].get(), window.get(), x.re[i / n / frames * length + source].get(), MPFR_RNDN);
  }
  return y;
}

/// What docs/transforms.md says that the transform is.
Exact by_definition(const std::string& transform, const Exact& x, std::size_t n) {
  const std::string name = transform.substr(0, transform.find(':'));
  const std::size_t half = n / 2 + 1;
  const std::size_t last = x.shape.size() - 1;
  if (name == "dct2")
    return real_part(summed(x, 1, n, 4 * n, [](auto j, auto k) { return k * (2 * j + 1); }), 2);
  if (name == "dct3") {
    Exact doubled = x;
    for (std::size_t i = 0; i < x.re.size(); ++i)
      if (i % n != 0) mpfr_mul_ui(doubled.re[i].get(), x.re[i].get(), 2, MPFR_RNDN);
    return real_part(summed(doubled, 1, n, 4 * n, [](auto j, auto k) { return j * (2 * k + 1); }));
  }
  if (name == "stft") return forward(framed(x, n, 4), 2, half);
  if (name == "hfft") return real_part(forward(hermitian(x, n), 1, n));
  if (name == "ihfft") return inverse(x, 1, half);
  const bool backward = name.find("ifft") == 0 || name.find("irfft") == 0;
  const bool to_half = name.find("rfft") == 0;
  Exact y = x;
  for (std::size_t axis = 1; axis < last; ++axis)
    y = backward ? inverse(y, axis, x.shape[axis]) : forward(y, axis, x.shape[axis]);
  if (name.find("irfft") == 0) return real_part(inverse(hermitian(y, n), last, n));
  return backward ? inverse(y, last, n) : forward(y, last, to_half ? half : n);
}

TEST_F(Arrays, OfTruthsAreAsFarFromTheDefinitionAsTheirRadiusAtMost) {
  std::uint64_t seed = 0;
  for (const std::string transform :
       {"fft", "ifft", "fft2", "ifft2:rows=3", "fftn:dims=2", "ifftn:dims=3", "rfft", "irfft",
        "rfft2:rows=5", "irfft2:rows=4", "rfftn:dims=2", "irfftn:dims=2", "hfft", "ihfft", "dct2",
        "dct3", "stft:hop=4:length=40"})
    for (const std::size_t n : {7u, 12u})
      for (const std::string kind :
           {n == 7 ? "gaussian" : "cancelling", n == 7 ? "tone" : "wide"}) {
        const std::string length = std::to_string(n);
        input({kind, "-n", length, "--batch", "2", "--seed", std::to_string(++seed), "--transform",
               transform});
        const testing::Outcome outcome =
            compute({"transform=" + transform, "algorithm=dft-gemm", "mode=double", "n=" + length},
                    {"--input", at("x.npy"), "--truth", at("t.npy"), "--truth-lo", at("l.npy"),
                     "--radius", at("r.npy")});
        ASSERT_EQ(outcome.code, 0) << transform << ", n = " << n << ": " << outcome.err;
        const ComplexArray<double> hi = read("t.npy").values;
        const ComplexArray<double> lo = read("l.npy").values;
        const ComplexArray<double> radius = read("r.npy").values;

        const Exact exact = by_definition(transform, Exact(read("x.npy")), n);

        ASSERT_EQ(hi.size(), exact.re.size()) << transform << ", n = " << n;
        for (std::size_t i = 0; i < hi.size(); ++i) {
          testing::Wide off_re(Exact::bits);
          testing::Wide off_im(Exact::bits);
          mpfr_sub_d(off_re.get(), exact.re[i].get(), hi.re[i], MPFR_RNDN);
          mpfr_sub_d(off_re.get(), off_re.get(), lo.re[i], MPFR_RNDN);
          mpfr_sub_d(off_im.get(), exact.im[i].get(), hi.im[i], MPFR_RNDN);
          mpfr_sub_d(off_im.get(), off_im.get(), lo.im[i], MPFR_RNDN);
          mpfr_hypot(off_re.get(), off_re.get(), off_im.get(), MPFR_RNDU);
          // The judge itself errs by less than 2^-280 of the largest output.
          ASSERT_LE(mpfr_get_d(off_re.get(), MPFR_RNDU),
                    radius.re[i / (hi.size() / radius.size())] + 0x1p-250)
              << transform << " of " << kind << ", n = " << n << ", seed " << seed << ", output "
              << i << ": " << hi.re[i] << " " << hi.im[i];
        }
      }
}

TEST_F(Arrays, OfAFileAreThoseOfTheKindThatItHolds) {
  const Words axes{"algorithm=stockham-r4", "mode=bf16"};
  input({"gaussian", "-n", "64", "--batch", "3", "--seed", "5"});
  compute(axes, {"--input", at("x.npy")});
  const ComplexArray<double> of_file = read("y.npy").values;
  compute({"algorithm=stockham-r4", "mode=bf16", "n=64", "batch=3", "seed=5"});
  EXPECT_EQ(read("y.npy").values, of_file);
  EXPECT_THAT(compute({"algorithm=stockham-r2", "mode=bf16", "n=32"}, {"--input", at("x.npy")}),
              exits(0));
  EXPECT_THAT(read("y.npy").shape, ElementsAre(6, 32));
  EXPECT_THAT(compute({"input=gaussian"}, {"--input", at("x.npy")}).err, holds("name two inputs"));
}

TEST_F(Arrays, OfAFileOfBytesAloneAreReadAsTheDtypeAskedFor) {
  std::string data;
  for (const std::uint64_t code : {0x3f80u, 0x4000u, 0xbf80u, 0u}) data += testing::little(code, 2);
  testing::write_text(at("x.npy"), testing::npy_file(testing::npy_header("|V2", "(4,)"), data));
  EXPECT_THAT(compute({"algorithm=direct"}, {"--input", at("x.npy"), "--input-dtype", "bfloat16"}),
              exits(0));
  EXPECT_EQ(read("y.npy").values.re[0], 2);  // 1 + 2 - 1 + 0
}

using Stage = std::vector<std::complex<float>>;

/// Radix-2 decimation in time as a textbook has it: bit reversal, then butterflies in fp32. In the
/// stage with distance `wrong_half` one factor is wrong.
std::vector<Stage> textbook_stages(const ComplexArray<double>& x, std::size_t wrong_half = 0) {
  const std::size_t n = x.size();
  Stage a(n);
  for (std::size_t i = 0; i < n; ++i) {
    std::size_t reversed = 0;
    for (std::size_t bit = 1; bit < n; bit *= 2) reversed = 2 * reversed + ((i / bit) & 1);
    a[reversed] = {static_cast<float>(x.re[i]), static_cast<float>(x.im[i])};
  }
  std::vector<Stage> stages;
  for (std::size_t half = 1; half < n; half *= 2) {
    for (std::size_t group = 0; group < n; group += 2 * half)
      for (std::size_t j = 0; j < half; ++j) {
        // One wrong factor: that of the place before.
        const std::size_t index = half == wrong_half && j == 1 ? 0 : j;
        const std::complex<double> root = truth::root_of_unity(index, 2 * half, fp32);
        const auto re = static_cast<float>(root.real());
        const auto im = static_cast<float>(root.imag());
        const std::complex<float> top = a[group + j];
        const std::complex<float> low = a[group + j + half];
        const float product_re = low.real() * re - low.imag() * im;
        const float product_im = low.real() * im + low.imag() * re;
        a[group + j] = {top.real() + product_re, top.imag() + product_im};
        a[group + j + half] = {top.real() - product_re, top.imag() - product_im};
      }
    stages.push_back(a);
  }
  return stages;
}

TEST_F(Arrays, OfStagesAreThoseOfTheTextbook) {
  for (const std::string algorithm : {"radix2-dit", "recursive"}) {
    for (const std::size_t n : {2u, 8u, 64u, 512u}) {
      const std::string length = "n=" + std::to_string(n);
      const std::string folder = at("dit" + std::to_string(n));
      ASSERT_THAT(compute({"algorithm=" + algorithm, "mode=fast", length}, {"--stages", folder}),
                  exits(0));
      const auto stages = textbook_stages(make_input("gaussian", n, 1, 1));
      for (std::size_t s = 0; s < stages.size(); ++s) {
        const std::string number = (s < 9 ? "0" : "") + std::to_string(s + 1);
        const ComplexArray<double> data = read_samples(folder + "/stage_" + number + ".npy").values;
        for (std::size_t i = 0; i < n; ++i) {
          ASSERT_EQ(data.re[i], static_cast<double>(stages[s][i].real())) << n << " " << s;
          ASSERT_EQ(data.im[i], static_cast<double>(stages[s][i].imag())) << n << " " << s;
        }
      }
    }
  }
}

TEST_F(Arrays, DivergeAtTheStageWithAWrongFactorAndNowhereWithout) {
  const Words words{"diverge", "--stages",  at("mine"), "-a",   "algorithm=radix2-dit",
                    "-a",      "mode=fast", "-a",       "n=256"};
  const auto write = [&](std::size_t wrong_half, float last_bit) {
    const std::vector<Stage> stages =
        textbook_stages(make_input("gaussian", 256, 1, 1), wrong_half);
    std::filesystem::create_directory(at("mine"));
    for (std::size_t s = 0; s < stages.size(); ++s) {
      std::string data;
      for (const std::complex<float> value : stages[s])
        data += testing::little(value.real() * last_bit) + testing::little(value.imag());
      testing::write_text(at("mine/stage_0" + std::to_string(s + 1) + ".npy"),
                          testing::npy_file(testing::npy_header("<c8", "(1, 256)"), data));
    }
  };
  write(0, 1);
  EXPECT_THAT(line(words), exits(0).out(holds("same values", "no divergence")));
  write(0, 1 + 0x1p-23F);  // other bits, but not more than rounding
  EXPECT_THAT(line(words), exits(0).out("within rounding"));
  write(16, 1);
  EXPECT_THAT(
      line(words),
      exits(to_int(ExitCode::gate_failed)).out("diverges at butterflies, stage 5 (stage_05.npy)"));
  std::filesystem::remove(at("mine/stage_05.npy"));
  const testing::Outcome missing = line(words);
  EXPECT_THAT(missing.err, holds("butterflies, stage 5 is not judged"));
  EXPECT_THAT(missing.out, holds("diverges at butterflies, stage 6"));
}

TEST_F(Arrays, ThatAreNoNumbersDiverge) {
  compute({"algorithm=dft-gemm", "n=8"}, {"--stages", at("mine")});
  std::string data;
  for (int i = 0; i < 8; ++i) data += testing::little(HUGE_VALF) + testing::little(0.F);
  testing::write_text(at("mine/stage_01.npy"),
                      testing::npy_file(testing::npy_header("<c8", "(1, 8)"), data));
  EXPECT_THAT(line({"diverge", "--stages", at("mine"), "-a", "algorithm=dft-gemm", "-a", "n=8"}),
              exits(to_int(ExitCode::gate_failed)));
}

TEST_F(Arrays, OfTheLastStageAreTheResultWhereThatIsInOrder) {
  for (const std::string algorithm :
       {"radix2-dit", "recursive", "stockham-r2", "stockham-r4", "stockham-r8", "stockham-mixed",
        "mixed-radix", "four-step", "dft-gemm"})
    for (const std::string n : {"64", "4096"}) {
      SCOPED_TRACE(algorithm + " " + n);
      const std::string folder = at(algorithm + n);
      ASSERT_THAT(compute({"algorithm=" + algorithm, "mode=bf16", "n=" + n, "batch=3"},
                          {"--stages", folder}),
                  exits(0));
      std::set<std::filesystem::path> files;
      for (const auto& entry : std::filesystem::directory_iterator(folder))
        if (entry.path().extension() == ".npy") files.insert(entry.path());
      EXPECT_EQ(read_samples(*files.rbegin()).values, read("y.npy").values);
      EXPECT_THAT(read_samples(*files.begin()).shape, ElementsAre(3, std::stoul(n)));
      EXPECT_THAT(read_file(folder + "/stages.csv"), StartsWith("file,stage\nstage_01.npy,"));
    }
}

}  // namespace
}  // namespace fftprec::commands
