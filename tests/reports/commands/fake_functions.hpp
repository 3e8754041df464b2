/// Case functions that measure nothing: every row follows from its case, at once.
#pragma once

#include "arith/support/error.hpp"
#include "reports/commands/commands.hpp"

namespace fftprec::testing {

/// Knows the modes fast and bf16; err_l2_rel = n / 1024, bound_l2_rel = 16.
inline commands::CaseFunctions fake_functions() {
  return {
      .evaluate =
          [](const Case& where, const Problem&, Isa) {
            Row row;
            row.where = where;
            row.err_l2_rel = static_cast<double>(where.n) / 1024;
            row.bound_l2_rel = 16;
            row.output_hash = "00";
            return row;
          },
      .make_problem = [](const ProblemKey&, const truth::TruthOptions&,
                         TruthCache*) { return Problem{}; },
      .check_names =
          [](const Case& where) {
            if (where.mode != "fast" && where.mode != "bf16")
              throw unknown_name("mode", where.mode, {"fast", "bf16"});
          },
      .costs = {.of_case = [](const Case& where) { return static_cast<double>(where.n) * 1e9; }}};
}

}  // namespace fftprec::testing
