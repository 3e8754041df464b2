/// Names a program that only offers an FFT: the algorithm, mode, tables and machine that give its
/// bits.
///
/// Evidence is read first: digits of the results give their format, rows and columns of the DFT
/// matrix the table. Candidates that fit the evidence run before others, on one row of noise at the
/// shortest length; those that agree run on all rows and at the other lengths. A search ends where
/// some candidate fits; what else has these bits is then sought among its neighbours, cases that
/// differ from it in one name.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "arith/formats/format.hpp"
#include "experiments/cases/case.hpp"
#include "experiments/identify/fft_probes.hpp"
#include "experiments/identify/own_tables.hpp"

namespace fftprec::identify {

/// A table source compared with entries of the DFT matrix.
struct TableReading {
  std::string source;
  std::size_t row = 0;               ///< equal entries of those that the impulse at 1 gives
  std::size_t column = 0;            ///< of outputs 1 of all impulses
  std::size_t equal = 0;             ///< of all that were compared
  std::vector<std::string> alike{};  ///< sources with equal entries
};

/// What the outputs of one length show before anything is compared with them.
struct FftEvidence {
  std::size_t n = 0;
  std::size_t rows = 0;
  int bits = 0;                        ///< most significant bits of a part
  double error = 0;                    ///< ||device - exact||_2 / ||exact||_2 of the noise
  std::string suspicion{};             ///< the likely cause if outputs are far off, or empty
  std::size_t row_entries = 0;         ///< compared for TableReading::row
  std::size_t column_entries = 0;      ///< for TableReading::column
  std::size_t entries = 0;             ///< for TableReading::equal
  std::vector<TableReading> tables{};  ///< the best first

  /// The share of the row or of the column that a source has, whichever is larger.
  double share(const TableReading& of) const;
  /// The readings that have that share of what the best one has, or more.
  std::vector<TableReading> best_tables(double of_best = 1) const;
};

/// A case that gives every part of every row at some lengths.
struct FftName {
  Case where;  ///< its n is not read
  /// In place of its tables, by the length: the program's own, in files.
  std::map<std::size_t, std::string> own_tables{};
  bool wider = false;                  ///< only its results are rounded to the outputs' format
  std::vector<std::size_t> lengths{};  ///< where it fits, ascending
  std::vector<Case> twins{};           ///< cases with equal bits there, the plainest first
};

/// A case beside all outputs of one length.
struct FftNear {
  Case where;
  bool own_table = false;  ///< in place of its tables the program's own
  std::size_t rows = 0;    ///< equal in every part
  std::size_t equal = 0;   ///< parts
  std::size_t parts = 0;
  double distance = 0;  ///< ||device - case||_2 / ||device||_2
};

/// What a search left out at one length, for the time that it takes.
struct FftLeftOut {
  std::size_t n = 0;
  std::set<std::string> algorithms{};  ///< whose products or table entries grow as n^2
  std::set<std::string> few_tables{};  ///< those that had only tables that the evidence names
  std::size_t tables = 0;              ///< sources that the evidence does not name, for all others
  bool modes = false;                  ///< modes other than plain ones, and machines
  std::size_t candidates = 0;          ///< that came after the work for this length was done
  std::size_t own_tables = 0;  ///< plans with the program's own twiddles that fit no shorter length

  friend bool operator==(const FftLeftOut&, const FftLeftOut&) = default;
};

struct FftIdentification {
  Format result = fp32;  ///< the narrowest usual format that holds all outputs
  Format table = fp32;   ///< likewise the outputs of impulses
  std::vector<FftEvidence> lengths{};
  std::size_t tried = 0;               ///< candidates, at all lengths together
  std::vector<FftLeftOut> left_out{};  ///< of lengths at which something was
  std::vector<FftName> names{};        ///< the first fits most lengths, the next most of the others
  struct Unnamed {
    std::size_t n = 0;
    /// Those that explain most rows in every bit first, then those with most equal parts.
    std::vector<FftNear> nearest{};
  };
  std::vector<Unnamed> unnamed{};  ///< lengths that nothing fits
  /// A length at which some twins of the first name differ from it, and how many; 0: none known.
  std::size_t telling_length = 0;
  std::size_t told_apart = 0;

  bool fits() const { return unnamed.empty(); }
};

/// How the program's own twiddles are read, and the files that are written of them.
struct OwnTableAccess {
  AskImpulses ask{};  ///< for rows of impulses that are not among the answers, if it can be asked
  std::function<std::filesystem::path(std::size_t n)> file{};  ///< empty: they are not looked for
};

/// Files are written only of tables that give all bits of some algorithm, where those of table
/// sources do not. Requires: answers, lengths ascending.
FftIdentification identify_fft(std::span<const FftAnswer> answers,
                               const OwnTableAccess& own_tables = {});

}  // namespace fftprec::identify
