/// Eigen's FFT for fftprec: a program of docs/programs.md.
#include <complex>
#include <iostream>
#include <string>
#include <unsupported/Eigen/FFT>
#include <vector>

template <class Real>
void answer(std::size_t n, bool inverse, std::size_t bytes) {
  using Complex = std::complex<Real>;
  std::vector<Complex> all(bytes / sizeof(Complex)), x(n), y(n);
  std::cin.read(reinterpret_cast<char*>(all.data()), static_cast<std::streamsize>(bytes));
  Eigen::FFT<Real> fft;
  for (auto item = all.begin(); item != all.end(); item += static_cast<std::ptrdiff_t>(n)) {
    std::copy_n(item, n, x.begin());
    inverse ? fft.inv(y, x) : fft.fwd(y, x);  // inv divides by n
    std::copy_n(y.begin(), n, item);
  }
  std::cout << "ok " << bytes << '\n';
  std::cout.write(reinterpret_cast<const char*>(all.data()), static_cast<std::streamsize>(bytes));
}

int main() {
  std::cout << "fftprec-program 1 Eigen " << EIGEN_WORLD_VERSION << '.' << EIGEN_MAJOR_VERSION
            << '.' << EIGEN_MINOR_VERSION << std::endl;
  std::string transform, lengths, direction, format;
  std::size_t batch = 0, bytes = 0;
  while (std::cin >> transform >> lengths >> direction >> format >> batch >> bytes) {
    std::cin.get();  // the end of the line
    const bool one_axis = lengths.find('x') == std::string::npos;
    if (transform == "fft" && one_axis && format == "fp32")
      answer<float>(std::stoul(lengths), direction == "inverse", bytes);
    else if (transform == "fft" && one_axis && format == "fp64")
      answer<double>(std::stoul(lengths), direction == "inverse", bytes);
    else
      std::cin.ignore(static_cast<std::streamsize>(bytes)),
          std::cout << "no only fft of one axis in fp32 and fp64\n";
    std::cout.flush();
  }
}
