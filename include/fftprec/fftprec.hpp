/// fftprec as a library. The names below stay stable between versions; everything else in the
/// installed headers, under fftprec/detail, may change.
///
/// Arrays
///   round(x, bf16)                      a span of float or double, each value rounded once
///   format_named(name, read_list)       any format by its name, or a list of values in a file
///   Emulated<bf16>                      a number type that rounds after every operation
///   ComplexArray<Real>                  real parts and imaginary parts in two arrays
/// A tile of a tensor engine
///   machine_named("trn{psum=bf16}")     hardware by its name
///   tensor_unit(machine, bf16)          its matmul into PSUM, bit for bit
/// Truth and errors
///   truth::dft(x, n, direction)         the certified transform
///   truth::measure(y, truth, bf16)      norms, ulps and gain of a result, against the truth
///   foreign_problem("rfft", n, {x})     input and truth of any transform
///   measure_result(problem, y, fp32)    a row of results.csv
///   predict_result(row, problem, case)  bound and expected error of a named case
///   Signal(x).values()                  any range of numbers as a ComplexArray<double>
/// Algorithms: class templates over an ArrayArithmetic
///   run_in_mode<MyFft>("ozaki", "trn", x)
///   register_algorithm<MyFft>("mine", "what it is")
///   main(argc, argv)                    the program, with the registered algorithms
///
/// GoogleTest matchers are in fftprec/gtest.hpp.
#pragma once

#include "algorithms/arithmetic/arithmetic.hpp"
#include "algorithms/theory/predictor.hpp"
#include "arith/formats/emulated.hpp"
#include "arith/kernels/round_array.hpp"
#include "arith/machines/machine.hpp"
#include "arith/support/error.hpp"
#include "arith/truth/metrics.hpp"
#include "arith/truth/transforms.hpp"
#include "experiments/algorithms/registry.hpp"
#include "experiments/files/format_file.hpp"
#include "experiments/inputs/inputs.hpp"
#include "experiments/testing/measure_result.hpp"
#include "experiments/testing/signal.hpp"
#include "reports/main.hpp"
