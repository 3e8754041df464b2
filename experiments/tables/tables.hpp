/// Table sources by name: the origin of an algorithm's roots of unity, and their errors.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "algorithms/arithmetic/roots.hpp"
#include "algorithms/arithmetic/tables.hpp"
#include "arith/formats/complex_array.hpp"
#include "arith/formats/format.hpp"
#include "arith/support/framing.hpp"
#include "experiments/support/lru_cache.hpp"
#include "experiments/support/names.hpp"
#include "experiments/tables/file_table.hpp"
#include "experiments/tables/recurrences.hpp"

namespace fftprec {

/// The source whose entries are correctly rounded, once.
inline constexpr std::string_view exact_tables = "exact";

/// Data shared by tables and computed once: all roots of one order in one format, jittered cosines
/// and sines, cosines and sines in fp64, tables from files, and windows. The most recently used are
/// kept: `circle_bytes` of circles, 32 MiB of jittered parts, 96 MiB of parts in fp64, 16 files and
/// 64 MiB of windows. Safe to share between threads.
class TableMemory {
 public:
  using Circle = ComplexArray<double>;
  using Turns = ComplexArray<float>;
  using Window = std::vector<double>;

  explicit TableMemory(std::shared_ptr<FileMemory> of_files = nullptr,
                       std::size_t circle_bytes = std::size_t{32} << 20)
      : circles_(circle_bytes), of_files_(std::move(of_files)) {}

  /// The circle by a recurrence, or with each entry correctly rounded if there is none.
  std::shared_ptr<const Circle> get(std::optional<Recurrence> by, std::uint64_t order,
                                    const Format& format);
  /// How often a circle was computed; evicted circles are computed again.
  std::uint64_t circles_made() const { return circles_.made(); }

  /// exp(i angle) of each angle, its parts in fp32 off by up to one place, by draw `jitter`.
  std::shared_ptr<const Turns> jittered_turns(const std::vector<float>& angles,
                                              std::uint64_t jitter);

  /// exp(i angle) of each angle, its parts correctly rounded to fp64.
  std::shared_ptr<const Circle> turns_in_fp64(const std::vector<double>& angles);

  /// The table with a name "file:...". Throws as FileTable does.
  std::shared_ptr<const FileTable> file(std::string_view name);

  /// The exact window of each frame, and 1 over the sum of its squares at each sample, 0 where no
  /// frame reaches. The reciprocals throw as truth::window_sums does.
  std::shared_ptr<const Window> window(const Framing& framing, const Format& format);
  std::shared_ptr<const Window> reciprocals(const Framing& framing, const Format& format);

 private:
  using WindowKey = std::tuple<fftprec::Window, std::size_t, std::size_t, int, int,
                               const NumberSystem*, std::size_t, std::size_t, bool>;
  using Key = std::tuple<std::optional<Recurrence>, std::uint64_t, int, int, int, bool,
                         const NumberSystem*>;
  LruCache<Key, Circle> circles_;
  LruCache<std::pair<std::uint64_t, std::vector<float>>, Turns> turns_{std::size_t{32} << 20};
  LruCache<std::vector<double>, Circle> turns_in_fp64_{std::size_t{96} << 20};
  LruCache<std::string, FileTable> files_{16};
  LruCache<WindowKey, Window> windows_{std::size_t{64} << 20};  ///< and reciprocals
  std::shared_ptr<FileMemory> of_files_;                        ///< or null
};

/// The source of that name. fl rounds to fp32; e and order are the exponent and order of a root:
///   exact         exp(-2 pi i e/order), each part rounded once to the format
///   fp32-angle    angle = fl(fl(fl(2 pi) fl(e)) / fl(order)), with e not reduced; or for tables
///                 that are usually made so (RootIndex::usual), with e = row column,
///                 fl(fl(fl(fl(2 pi) fl(row)) fl(column)) / fl(order));
///                 fl(cos angle) - i fl(sin angle), then to the format
///   fp32-reduced  fp32-angle with e mod order for e
///   fp64-angle    fp32-angle with angle, cosine and sine in fp64
///   bf16-angle    fp32-angle with the angle rounded to bf16
///   recurrence    w_j, j = e mod order, from earlier ones (recurrences.hpp), computed in fp32,
///                 then to the format
///   file:PATH     the entries of a .npy file (FileTable), rounded to the format
/// Keys: ":order=ORDER" after fp32-angle, fp64-angle and bf16-angle, for all of their tables:
/// product (e first), row-column, or column-row (angle times column, then times row).
/// ":jitter=K" after fp32 and bf16 angles: draw K of cosines and sines that are off by up to one
/// unit in the last place of fp32, as those of a function library may be. Equal angles have equal
/// changes; 0 and 1 at the angle 0 stay.
/// ":by=RECURRENCE" after recurrence, default multiplication. ":in=FORMAT" after recurrence and
/// exact: the format in which entries are made before they are rounded to the format of the table;
/// default fp32 for recurrence, the format of the table (`mode`) for exact. A fixed-point format
/// means the floating-point format with as many digits below 1.
/// fp32-angle rounds as a Python number times a float32 tensor does: first the number to fp32, then
/// the product and the quotient.
/// In fixed point with more digits than a double holds, `exact` is also rounded once; other sources
/// are rounded from fp32 or fp64.
/// The function is safe to call from several threads. Roots of `exact` and `recurrence` are looked
/// up in `memory`, or in the function's own memory if there is none. Throws InputError for an
/// unknown name; for a file what FileTable throws, and for angles of the sign +. The function
/// throws
/// InputError for order = 0 and a format without 1/2 and 1, and NotApplicable for a root that a
/// file does not hold, or orders above 2^22 by a recurrence.
RootFunction table_source(std::string_view name, std::shared_ptr<TableMemory> memory = nullptr);

/// The name of a source taken apart.
struct TableName {
  std::string_view source;
  std::uint64_t jitter;             ///< K; 0: none
  std::optional<AngleOrder> order;  ///< none: the usual order of each table
  Recurrence by = Recurrence::multiplication;
  std::optional<Format> in = std::nullopt;  ///< none: the format of the table
};

/// Throws InputError for an unknown source, key, order, recurrence or format, a K that is not a
/// whole number from 1 to 2^24, and for the key of a source that does not take it.
TableName table_name(std::string_view name);

/// Whether entries are cosines of an angle, so that ":jitter=K" may follow. Throws InputError for
/// an unknown source.
bool takes_cosines(std::string_view source);

std::vector<Named> list_tables();

/// Every source to compare a table of unknown origin with, including keys: each order of angles,
/// each recurrence, and entries made in fp64, fp32, fp16 or bf16. No files, no jitter.
std::vector<Named> table_candidates();

/// Bounds |w^ - w| over the tables of a source, entries rounded to the format.
using TableErrorBound = std::function<double(const TableExtent&, const Format&)>;

/// The bound for a source; tables.cpp has the proofs. Files are looked up in `memory`. Throws
/// InputError for an unknown source.
TableErrorBound table_error_bound(std::string_view source,
                                  std::shared_ptr<TableMemory> memory = nullptr);

/// Random changes by up to one unit in the last place, such as the difference between a function
/// library and correct rounding: draw k of one use.
struct Jitter {
  std::uint64_t k = 0;       ///< 0: nothing moves
  std::uint64_t stream = 0;  ///< identifies the jittered data: a seed, a table
};

/// x, or one of its two neighbours in fp32, each with probability 1/3: a function of (k, stream,
/// counter). Zeros stay: every library computes them exactly.
float jittered(float x, const Jitter& jitter, std::uint64_t counter);

}  // namespace fftprec
