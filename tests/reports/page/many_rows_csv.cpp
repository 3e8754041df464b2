/// many_rows_csv COUNT: a results.csv of so many rows that were never run.
#include <cstdlib>
#include <iostream>

#include "reports/results/csv.hpp"
#include "tests/support/many_rows.hpp"

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  const auto count = static_cast<std::size_t>(std::strtoull(argv[1], nullptr, 10));
  std::cout << fftprec::results::csv_text(fftprec::testing::many_rows(count));
  return std::cout.flush() ? 0 : 1;
}
