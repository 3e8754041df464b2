/// `fftprec claims`: settles published claims by experiment, and says how far each verdict is from
/// another one.
#pragma once

#include <CLI/CLI.hpp>
#include <atomic>
#include <functional>
#include <span>

#include "reports/claims/claim_settle.hpp"
#include "reports/commands/case_functions.hpp"
#include "reports/commands/command.hpp"

namespace fftprec {

/// Adds the subcommand. Exit codes: 0 all claims are settled, whatever the verdicts; 2 usage;
/// 3 a case failed or was skipped, so that a claim is not settled; 130 interrupted.
void add_claims_command(CLI::App& app, const CaseFunctions& functions, CommandContext& context);

/// Measures every case of the claims, each once, on `threads` threads. The evidence does not depend
/// on their number. Less than all if `stop` becomes true.
Evidence measure_claims(std::span<const Claim> claims, const CaseFunctions& functions,
                        unsigned threads, const std::atomic<bool>* stop = nullptr,
                        const std::function<void(const Row&)>& on_row = {},
                        TruthCache* cache = nullptr);

}  // namespace fftprec
