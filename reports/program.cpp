#include "reports/main.hpp"

int main(int argc, char** argv) { return fftprec::main(argc, argv); }
