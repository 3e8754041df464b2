/// What the processes of one run say to each other.
///
/// The first process has the cases and keeps the rows. The others have slots, one a thread, each of
/// which asks for a portion of cases, evaluates it and asks again:
///
///     to the first     ask SLOT       give me a portion; that of before, if any, is done with
///                      row SLOT       one row of the portion
///                      gave_up SLOT   of its portion no more will come; hand out the rest again
///                      gone           the last word: no portion of this process will be done
///     from the first   cases SLOT     a portion
///                      stop           begin no further case
///                      end            nothing is left to do
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "experiments/rows/row.hpp"

namespace fftprec {

enum class Verb { ask, row, gave_up, gone, cases, stop, end };

struct Message {
  Verb verb = Verb::end;
  std::uint64_t slot = 0;
  std::vector<Row> rows{};  ///< of cases: those without results
};

/// Rows as in results.csv, which loses nothing.
std::string text_of(const Message& message);

/// Throws InputError for anything else than what text_of gives.
Message parse_message(std::string_view text);

}  // namespace fftprec
