/// fft, rfft, hfft, their forms over several axes and their inverses: transforms over axes.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <string_view>

#include "algorithms/transforms/separable.hpp"
#include "arith/support/error.hpp"
#include "arith/truth/metrics.hpp"
#include "arith/truth/transforms.hpp"
#include "experiments/inputs/inputs.hpp"
#include "experiments/transforms/registry.hpp"

namespace fftprec {

namespace {

constexpr std::size_t largest_item = std::size_t{1} << 24;

constexpr std::size_t most_axes = 5;

/// The axes of an item.
struct TransformAxes {
  Lengths named{0};      ///< 0 stands for n, which the last one always is
  std::string suffix{};  ///< what of them the name of the inverse carries: ":rows=32"
  Norm norm = Norm::backward;

  Lengths lengths(std::size_t n) const {
    Lengths lengths = named;
    std::ranges::replace(lengths, std::size_t{0}, n);
    return lengths;
  }

  /// Why an item of that n is not made, or an empty string: it has more than 2^24 elements.
  std::string too_large(std::size_t n) const {
    std::size_t left = largest_item;
    for (const std::size_t length : lengths(n)) left /= length;
    return named.size() == 1 || left > 0 ? ""
                                         : fmt::format("an item of {} has more than 2^24 elements",
                                                       fmt::join(lengths(n), " x "));
  }

  /// lengths(n). Throws NotApplicable if it is too large.
  Lengths checked_lengths(std::size_t n) const {
    if (const std::string reason = too_large(n); !reason.empty()) throw NotApplicable(reason);
    return lengths(n);
  }
};

/// How a name's keys become axes.
struct AxesOfKeys {
  std::vector<Key> keys;  ///< the one that says the axes, or none
  std::function<TransformAxes(const std::string& transform, const std::vector<Key>&)> axes;
  std::string (*value)(const Lengths& lengths) = nullptr;  ///< of that key, for these axes
  bool any_axes = false;                                   ///< it also says how many
};

/// Makes an entry over axes; gets the name of its inverse.
using EntryOverAxes = TransformEntry (*)(const TransformAxes&, const std::string& inverse);

/// A transform and its inverse, with equal keys.
struct TransformPair {
  std::string forward;
  std::string forward_summary;
  EntryOverAxes make_forward;
  std::string inverse;
  std::string inverse_summary;
  EntryOverAxes make_inverse;
  AxesOfKeys axes;
};

/// An entry without its input, its truth and the reference of its bound.
TransformEntry over_axes(const TransformAxes& axes, RealSide real, const std::string& inverse,
                         Direction direction) {
  const Dft dft(direction, axes.norm);
  TransformEntry entry;
  entry.inverse = inverse + axes.suffix;
  const bool from_data = (real == RealSide::input) == (direction == Direction::forward);
  entry.whole_name = real == RealSide::none ? "fft" : from_data ? "rfft" : "hfft";
  entry.dft = dft;
  entry.unsupported = [axes](const AlgorithmEntry& algorithm, std::size_t n) {
    if (std::string reason = axes.too_large(n); !reason.empty()) return reason;
    if (std::string reason = unsupported_norm(algorithm, axes.norm); !reason.empty()) return reason;
    return unsupported_axis(axes.lengths(n), algorithm.model);
  };
  entry.make = made_by_plan([=]<class A>(const A& arithmetic, std::size_t n,
                                         const SourceTables& tables, const MakeFft<A>& fft) {
    return std::make_shared<const SeparableFft<A>>(arithmetic, axes.lengths(n), real, dft,
                                                   tables.roots, fft);
  });
  entry.predict = [=](const Predictor& predictor, const auto& algorithm, auto n, auto batch) {
    return predict_separable(predictor.of(dft), axes.lengths(n), real, batch, algorithm.model);
  };
  return entry;
}

/// One axis of n; no keys.
AxesOfKeys one_axis() {
  return {{}, [](const std::string&, const auto&) { return TransformAxes{}; }};
}

/// An item of n columns and as many rows, or as the key `rows` says, 1..2^24.
AxesOfKeys two_axes() {
  return {{{"rows", "n"}},
          [](const std::string& transform, const std::vector<Key>& keys) -> TransformAxes {
            const Key& rows = keys.at(0);
            if (rows.value == "n") return {.named = {0, 0}};
            return {.named = {static_cast<std::size_t>(
                                  whole_number(rows, "transform " + transform, largest_item)),
                              0},
                    .suffix = ":rows=" + rows.value};
          },
          [](const Lengths& lengths) {
            return lengths.at(0) == lengths.at(1) ? "" : std::to_string(lengths.at(0));
          }};
}

/// Of "4x6xn". Throws InputError unless it is a list of 1..2^24 and n, at most five, the last one
/// n.
Lengths listed_lengths(const Key& key, const std::string& owner) {
  Lengths lengths;
  for (std::string_view rest = key.value; !rest.empty();) {
    const std::string_view one = rest.substr(0, rest.find('x'));
    lengths.push_back(
        one == "n" ? 0 : whole_number({key.name, std::string(one)}, owner, largest_item, "nor n"));
    rest.remove_prefix(std::min(one.size() + 1, rest.size()));
  }
  require(lengths.size() <= most_axes && lengths.back() == 0 && key.value.ends_with('n'), owner,
          ": ", key.name, "='", key.value, "' is not a list of at most ", most_axes,
          " lengths that ends in n, as 4x6xn");
  return lengths;
}

/// As many axes of n as the key `dims` says, 1..5, by default 3; or axes of the lengths that it
/// lists.
AxesOfKeys many_axes() {
  return {{{"dims", "3"}},
          [](const std::string& transform, const std::vector<Key>& keys) -> TransformAxes {
            const std::string owner = "transform " + transform;
            const Key& dims = keys.at(0);
            const bool is_list = dims.value.find_first_of("xn") != std::string::npos;
            return {.named = is_list
                                 ? listed_lengths(dims, owner)
                                 : Lengths(whole_number(dims, owner, most_axes, "nor 4x6xn"), 0),
                    .suffix = ":dims=" + dims.value};
          },
          [](const Lengths& lengths) {
            if (std::ranges::adjacent_find(lengths, std::not_equal_to<>()) == lengths.end())
              return std::to_string(lengths.size());
            std::string list;
            for (std::size_t axis = 0; axis + 1 < lengths.size(); ++axis)
              list += std::to_string(lengths[axis]) + "x";
            return list + "n";
          },
          true};
}

/// With the truth of its norm.
TransformEntry normed(TransformEntry entry, const TransformAxes& axes) {
  entry.truth = [backward = entry.truth, dft = *entry.dft, axes](
                    const ComplexArray<double>& input, std::size_t n, std::size_t batch,
                    const truth::TruthOptions& options) {
    return truth::in_norm(backward(input, n, batch, options), dft, elements(axes.lengths(n)));
  };
  return entry;
}

TransformFamily family(const std::string& name, const std::string& summary, EntryOverAxes make,
                       const std::string& other, AxesOfKeys axes_of) {
  const std::string axes_key = axes_of.keys.empty() ? "" : axes_of.keys.front().name;
  axes_of.keys.push_back(norm_key());
  return {name,
          summary,
          axes_of.keys,
          [=](const std::vector<Key>& values) {
            TransformAxes axes = axes_of.axes(name, values);
            axes.norm = norm_named(values.back().value);
            if (axes.norm == Norm::backward) return make(axes, other);
            axes.suffix += ":norm=" + values.back().value;
            return normed(make(axes, other), axes);
          },
          axes_key,
          axes_of.value,
          axes_of.any_axes};
}

template <Direction direction>
TransformEntry complex_transform(const TransformAxes& axes, const std::string& inverse) {
  TransformEntry entry = over_axes(axes, RealSide::none, inverse, direction);
  entry.one_fft = axes.named.size() == 1;
  entry.item_shape = [axes](std::size_t n) { return ItemShape{axes.lengths(n), axes.lengths(n)}; };
  entry.make_input = [axes](const Input& input, auto n, auto batch, auto seed) {
    return input(elements(axes.checked_lengths(n)), batch, seed);
  };
  entry.truth = [axes](const auto& input, std::size_t n, auto, const auto& options) {
    return axes.named.size() == 1 ? truth::dft(input, n, direction, options)
                                  : truth::dft_nd(input, axes.lengths(n), direction, options);
  };
  return entry;
}

/// Where the element whose indices are all negated stands. Index i of an item of `lengths`.
std::size_t mirrored(std::size_t i, const Lengths& lengths) {
  std::size_t result = 0;
  std::size_t stride = 1;
  for (std::size_t axis = lengths.size(); axis-- > 0;) {
    const std::size_t k = i % lengths[axis];
    result += stride * ((lengths[axis] - k) % lengths[axis]);
    stride *= lengths[axis];
    i /= lengths[axis];
  }
  return result;
}

/// Makes one item a spectrum of real data: in the planes 0 and n/2 of the last axis, which are
/// their own mirror images, the first of two mirrored elements is copied onto the second (and the
/// second back onto the first, which changes nothing).
void make_consistent(double* re, double* im, const Lengths& lengths) {
  const std::size_t half = half_length(lengths.back());
  const Lengths others(lengths.begin(), lengths.end() - 1);
  for (std::size_t row = 0; row < elements(others); ++row)
    for (std::size_t k = 0; k < half; ++k) {
      if (2 * k % lengths.back() != 0) continue;
      const std::size_t here = row * half + k;
      const std::size_t there = mirrored(row, others) * half + k;
      re[there] = re[here];
      im[there] = there == here ? 0 : -im[here];
    }
}

/// A one-sided spectrum may have half the energy of the data and all the energy of an error.
const double half_growth = std::sqrt(2.0);

ComplexArray<double> real_input(const TransformAxes& axes, const Input& input, std::size_t n,
                                std::size_t batch, std::uint64_t seed) {
  ComplexArray<double> x = input(elements(axes.checked_lengths(n)), batch, seed);
  drop_imaginary(x);
  return x;
}

ComplexArray<double> hermitian_input(const TransformAxes& axes, const Input& input, std::size_t n,
                                     std::size_t batch, std::uint64_t seed) {
  const Lengths lengths = axes.checked_lengths(n);
  const std::size_t item = elements(half_lengths(lengths));
  ComplexArray<double> x = input(item, batch, seed);
  for (std::size_t first = 0; first < x.size(); first += item)
    make_consistent(x.re.data() + first, x.im.data() + first, lengths);
  return x;
}

/// rfft and its forms; ihfft as the inverse direction.
template <Direction direction>
TransformEntry from_real(const TransformAxes& axes, const std::string& inverse) {
  TransformEntry entry = over_axes(axes, RealSide::input, inverse, direction);
  entry.real_input = true;
  entry.item_shape = [axes](std::size_t n) {
    return ItemShape{axes.lengths(n), half_lengths(axes.lengths(n))};
  };
  entry.make_input = [axes](const Input& input, auto n, auto batch, auto seed) {
    return real_input(axes, input, n, batch, seed);
  };
  entry.truth = [axes](const auto& input, std::size_t n, auto, const auto& options) {
    return direction == Direction::forward ? truth::rfft_nd(input, axes.lengths(n), options)
                                           : truth::ihfft(input, n, options);
  };
  entry.growth = half_growth;
  entry.most_reference = half_growth;
  // The two-sided spectrum, of which the output is a part.
  entry.reference_norm = [axes, dft = *entry.dft](const auto& input, std::size_t n, auto) {
    return truth::l2_norm(input) * dft.gain(elements(axes.lengths(n)));
  };
  return entry;
}

/// irfft and its forms; hfft as the forward direction.
template <Direction direction>
TransformEntry to_real(const TransformAxes& axes, const std::string& inverse) {
  TransformEntry entry = over_axes(axes, RealSide::output, inverse, direction);
  entry.real_output = true;
  entry.item_shape = [axes](std::size_t n) {
    return ItemShape{half_lengths(axes.lengths(n)), axes.lengths(n)};
  };
  entry.growth = half_growth;
  entry.make_input = [axes](const Input& input, auto n, auto batch, auto seed) {
    return hermitian_input(axes, input, n, batch, seed);
  };
  entry.truth = [axes](const auto& input, std::size_t n, auto, const auto& options) {
    return direction == Direction::forward ? truth::hfft(input, n, options)
                                           : truth::irfft_nd(input, axes.lengths(n), options);
  };
  return entry;
}

}  // namespace

Key norm_key() { return {"norm", "backward", {"backward", "ortho", "forward"}}; }

Norm norm_named(std::string_view name) {
  return static_cast<Norm>(index_named(norm_key().choices, "norm", name));
}

std::string unsupported_norm(const AlgorithmEntry& algorithm, Norm norm) {
  if (norm == Norm::backward || algorithm.is_predictable()) return "";
  return "algorithm " + algorithm.name + " divides the inverse by n: norm=backward";
}

std::vector<TransformFamily> fourier_transforms() {
  constexpr EntryOverAxes fft = complex_transform<Direction::forward>;
  constexpr EntryOverAxes ifft = complex_transform<Direction::inverse>;
  constexpr EntryOverAxes rfft = from_real<Direction::forward>;
  constexpr EntryOverAxes irfft = to_real<Direction::inverse>;
  const std::vector<TransformPair> pairs{
      {"fft", "sum over j of x_j exp(-2 pi i jk/n)", fft, "ifft",
       "sum over j of x_j exp(+2 pi i jk/n), divided by n", ifft, one_axis()},
      {"fft2", "fft along both axes of n x n, or rows x n", fft, "ifft2",
       "ifft along both axes of n x n, or rows x n", ifft, two_axes()},
      {"fftn", "fft along all axes of n x n x n; dims in 1..5, or as 4x6xn", fft, "ifftn",
       "ifft along all axes of n x n x n; dims as fftn", ifft, many_axes()},
      {"rfft", "the first n/2 + 1 outputs of fft for n real values", rfft, "irfft",
       "n real values from the n/2 + 1 outputs of rfft", irfft, one_axis()},
      {"rfft2", "rfft along the n columns, fft along the rows", rfft, "irfft2",
       "ifft along the rows, irfft along the n columns", irfft, two_axes()},
      {"rfftn", "rfft along the last axis, fft along the others; dims as fftn", rfft, "irfftn",
       "ifft along all axes but the last, then irfft; dims as fftn", irfft, many_axes()},
      {"hfft", "n real values: fft of the Hermitian extension of n/2 + 1",
       to_real<Direction::forward>, "ihfft", "the first n/2 + 1 outputs of ifft for n real values",
       from_real<Direction::inverse>, one_axis()},
  };
  std::vector<TransformFamily> families;
  for (const TransformPair& pair : pairs) {
    families.push_back(
        family(pair.forward, pair.forward_summary, pair.make_forward, pair.inverse, pair.axes));
    families.push_back(
        family(pair.inverse, pair.inverse_summary, pair.make_inverse, pair.forward, pair.axes));
  }
  return families;
}

}  // namespace fftprec
