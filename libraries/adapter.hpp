/// The protocol of docs/programs.md for adapters in C++: a request, its items, and the answer.
///
///   int main() {
///     return adapter::serve([](const adapter::Request& request) {
///       request.needs("fft", 1, {"fp32"});
///       return request.each<std::complex<float>>([](auto x, auto y) { ... });
///     });
///   }
#pragma once

#include <algorithm>
#include <complex>
#include <cstddef>
#include <cstring>
#include <initializer_list>
#include <iostream>
#include <span>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#ifndef LIBRARY_VERSION
#define LIBRARY_VERSION "of unknown version"  // scripts/libraries defines it
#endif

namespace adapter {

/// What a library does not offer; the row is skipped with it.
struct Refusal : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct Answer {
  std::string bytes;
  double scale = 1;  ///< the values are the results times this
};

struct Request {
  std::string transform;
  std::vector<std::size_t> lengths;  ///< of the real side; the last axis is the fastest
  bool inverse = false;
  std::string format;
  std::size_t batch = 0;
  std::string bytes;

  std::size_t n() const { return lengths.back(); }
  /// Points of an item.
  std::size_t points() const {
    std::size_t product = 1;
    for (const std::size_t length : lengths) product *= length;
    return product;
  }

  bool is(std::string_view asked, std::string_view of_format) const {
    return transform == asked && format == of_format;
  }

  /// Refuses another transform, more axes and other formats.
  void needs(std::string_view asked, std::size_t most_axes,
             std::initializer_list<std::string_view> formats) const {
    if (transform != asked || lengths.size() > most_axes ||
        std::find(formats.begin(), formats.end(), format) == formats.end())
      throw Refusal("no " + transform + " of " + std::to_string(lengths.size()) + " axes in " +
                    format);
  }

  /// Refuses unless `holds`.
  void needs(bool holds, const std::string& what) const {
    if (!holds) throw Refusal("needs " + what + ", got " + std::to_string(n()));
  }

  /// compute(x, y) for each item, x a span of `Value`s and y one of `Result`s. `scale`: see Answer.
  template <class Value, class Result = Value, class Compute>
  Answer each(Compute compute, double scale = 1) const {
    return each<Value, Result>(bytes.size() / sizeof(Value) / batch, result_size<Value, Result>(),
                               compute, scale);
  }

  /// As above, of results as large as the values, whose type the caller need not know.
  template <class Compute>
  Answer each_item(Compute compute, double scale = 1) const {
    const std::size_t size = bytes.size() / batch;
    return each<char, char>(size, size, compute, scale);
  }

 private:
  /// Of a real transform: n/2 + 1 complex values on the last axis for n real ones.
  template <class Value, class Result>
  std::size_t result_size() const {
    if constexpr (sizeof(Result) == 2 * sizeof(Value))
      return points() / n() * (n() / 2 + 1);
    else
      return points();
  }

  template <class Value, class Result, class Compute>
  Answer each(std::size_t in, std::size_t out, Compute compute, double scale) const {
    std::vector<Value> x(in * batch);
    std::vector<Result> y(out * batch);
    std::memcpy(static_cast<void*>(x.data()), bytes.data(), bytes.size());
    for (std::size_t item = 0; item < batch; ++item)
      compute(std::span(x).subspan(item * in, in), std::span(y).subspan(item * out, out));
    Answer answer{std::string(y.size() * sizeof(Result), '\0'), scale};
    std::memcpy(answer.bytes.data(), static_cast<const void*>(y.data()), answer.bytes.size());
    return answer;
  }
};

/// Answers requests until the input ends.
template <class Compute>
int serve(Compute compute) {
  std::ios::sync_with_stdio(false);
  std::cout << "fftprec-program 1 " LIBRARY_VERSION << std::endl;
  std::string lengths, direction;
  std::size_t size = 0;
  for (Request request; std::cin >> request.transform >> lengths >> direction >> request.format >>
                        request.batch >> size;) {
    request.inverse = direction == "inverse";
    request.lengths.clear();
    std::replace(lengths.begin(), lengths.end(), 'x', ' ');
    std::istringstream each(lengths);
    for (std::size_t length = 0; each >> length;) request.lengths.push_back(length);
    std::cin.get();  // the end of the line
    request.bytes.resize(size);
    std::cin.read(request.bytes.data(), static_cast<std::streamsize>(size));
    try {
      const Answer answer = compute(std::as_const(request));
      std::cout.precision(17);
      std::cout << "ok " << answer.bytes.size();
      if (answer.scale != 1) std::cout << ' ' << answer.scale;
      std::cout << '\n' << answer.bytes;
    } catch (const Refusal& reason) {
      std::cout << "no " << reason.what() << '\n';
    }
    std::cout.flush();
  }
  return 0;
}

/// The number of points where an inverse does not divide by it: the scale of its results.
inline double undivided(const Request& request) {
  return request.inverse ? static_cast<double>(request.points()) : 1;
}

}  // namespace adapter
