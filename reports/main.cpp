#include <iostream>

#include "reports/cli.hpp"

int main(int argc, char** argv) { return fftprec::run_cli(argc, argv, std::cout, std::cerr); }
