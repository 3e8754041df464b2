/// A program for the tests of programs: sums by the definition in double, or a mistake that
/// adapters make, by the first argument.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <complex>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <numbers>
#include <string>
#include <thread>
#include <vector>

namespace {

using Complex = std::complex<double>;

template <class Real>
std::vector<Complex> spectrum(const std::vector<std::complex<Real>>& x, std::size_t n, int sign) {
  std::vector<Complex> y(x.size());
  for (std::size_t first = 0; first < x.size(); first += n)
    for (std::size_t k = 0; k < n; ++k)
      for (std::size_t j = 0; j < n; ++j)
        y[first + k] += Complex(x[first + j]) * std::polar(1.0, sign * 2 * std::numbers::pi *
                                                                    static_cast<double>(j * k % n) /
                                                                    static_cast<double>(n));
  return y;
}

template <class Real>
void answer(const std::string& mistake, std::string bytes, std::size_t n, bool inverse) {
  std::vector<std::complex<Real>> x(bytes.size() / sizeof(std::complex<Real>));
  std::memcpy(static_cast<void*>(x.data()), bytes.data(), bytes.size());
  const int sign = (inverse ? 1 : -1) * (mistake == "sign" ? -1 : 1);
  std::vector<Complex> y = spectrum(x, n, sign);
  const double length = static_cast<double>(n);
  const bool divides = (inverse && mistake != "unscaled" && mistake != "announced") ||
                       (!inverse && mistake == "scaled");
  for (std::size_t k = 0; k < y.size(); ++k)
    x[k] = std::complex<Real>(divides ? y[k] / length : y[k]);
  if (mistake == "shifted")
    for (std::size_t first = 0; first < x.size(); first += n)
      std::rotate(x.begin() + static_cast<std::ptrdiff_t>(first),
                  x.begin() + static_cast<std::ptrdiff_t>(first + (n + 1) / 2),
                  x.begin() + static_cast<std::ptrdiff_t>(first + n));
  const std::size_t size = mistake == "truncated" ? bytes.size() / 2 : bytes.size();
  std::cout << "ok " << size;
  if (mistake == "announced" && inverse) std::cout << ' ' << n;
  std::cout << '\n';
  std::cout.write(reinterpret_cast<const char*>(x.data()), static_cast<std::streamsize>(size));
  if (mistake == "chatter") std::cout << "done\n";
}

/// The spectrum of real values: n/2 + 1 complex ones, packed in n real ones as many libraries do,
/// or whole.
void answer_real(const std::string& mistake, const std::string& bytes, std::size_t n) {
  std::vector<double> x(bytes.size() / sizeof(double));
  std::memcpy(x.data(), bytes.data(), bytes.size());
  const std::vector<Complex> whole =
      spectrum(std::vector<Complex>(x.begin(), x.end()), n, mistake == "sign" ? 1 : -1);
  std::vector<double> y;
  for (std::size_t first = 0; first < whole.size(); first += n)
    for (std::size_t k = 0; k < (mistake == "whole" ? n : n / 2 + 1); ++k) {
      y.push_back(whole[first + k].real());
      if (mistake != "packed" || k % (n / 2) > 0) y.push_back(whole[first + k].imag());
    }
  std::cout << "ok " << y.size() * sizeof(double) << '\n';
  std::cout.write(reinterpret_cast<const char*>(y.data()),
                  static_cast<std::streamsize>(y.size() * sizeof(double)));
}

}  // namespace

int main(int argc, char** argv) {
  const std::string mistake = argc > 1 ? argv[1] : "";
  if (mistake == "silent") std::this_thread::sleep_for(std::chrono::hours(1));
  if (mistake == "greets-wrongly") std::cout << "Welcome!\n" << std::flush;
  if (mistake == "does-not-start") {
    std::cerr << "libfft.so.3: cannot open shared object file\n";
    return 127;
  }
  std::cout << "fftprec-program 1 sums 2.5 (" << mistake << ")\n" << std::flush;
  std::string transform, lengths, direction, format, rest;
  std::size_t batch = 0, size = 0;
  while (std::cin >> transform >> lengths >> direction >> format >> batch >> size) {
    std::getline(std::cin, rest);
    std::string bytes(size, '\0');
    std::cin.read(bytes.data(), static_cast<std::streamsize>(size));
    const std::size_t n = std::strtoull(lengths.c_str(), nullptr, 10);
    const bool inverse = direction == "inverse";
    if (mistake == "echo") {
      std::cout << "ok " << size << '\n' << bytes << std::flush;
      continue;
    }
    if (n == 13) {  // of which every kind may die
      std::cerr << "starting\nno plan for 13\n\n";
      if (mistake == "aborts") std::abort();
      if (mistake == "hangs") std::this_thread::sleep_for(std::chrono::hours(1));
      if (mistake == "exits") return 3;
      if (mistake == "says-nonsense") std::cout << "result:\n" << std::flush;
    }
    const bool takes_reals = mistake == "packed" || mistake == "whole" || mistake == "reals";
    if (takes_reals && transform == "rfft" && !inverse && format == "fp64")
      answer_real(mistake, bytes, n);
    else if (transform != "fft" || lengths.find('x') != lengths.npos)
      std::cout << "no only fft of one axis\n";
    else if (inverse && mistake == "forward-only")
      std::cout << "no there is no inverse\n";
    else if (format == "fp64")
      answer<double>(mistake, bytes, n, inverse);
    else if (format == "fp32")
      answer<float>(mistake, bytes, n, inverse);
    else
      std::cout << "no only fp32 and fp64\n";
    std::cout << std::flush;
  }
}
