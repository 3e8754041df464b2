/// What an FFT of unknown origin is compared with: the names of algorithms with their keys, of
/// modes and of machines.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "arith/formats/format.hpp"
#include "experiments/cases/case.hpp"

namespace fftprec::identify {

/// Every FFT with every combination of values of its keys, a key at its default left out; the
/// plainest names of each algorithm first. A key whose values cannot be listed keeps its default,
/// but for `inner`, which also takes the names `inner`. Mixed radices have the plans of
/// libraries. Algorithms that choose others for each
/// length, or share a batch among cores, have the bits of others and are left out.
std::vector<std::string> algorithm_candidates(std::span<const std::string> inner = {});

/// Modes, each with a machine and rounding points, likely ones first.
struct ModeCandidates {
  std::vector<Case> own{};    ///< plain arithmetic in the format of the results
  std::vector<Case> wider{};  ///< in a wider one, so that only results are in the format
  std::vector<Case> others{};
};

/// Those whose results, rounded to `result`, may have this many significant bits; entries of their
/// tables seem to be of the format `table`. They run on `ieee`.
ModeCandidates mode_candidates(const Format& result, const Format& table, int bits);

/// The significant bits of stored data; results of matrix products may have more.
int stored_bits(const std::string& mode);

/// Whether the mode computes with more digits than `result` holds, so that rounding its results to
/// that format loses some.
bool is_wider(const std::string& mode, const Format& result);

/// Whether the mode has the vector operations of a plain one, so that it differs from that only in
/// matrix products.
bool matters_to_matrices_alone(const std::string& mode);

/// How plain a name is: by the keys and settings in it. Less is plainer.
std::size_t keys_in(const Case& where);

}  // namespace fftprec::identify
