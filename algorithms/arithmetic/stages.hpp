/// Stages: an algorithm marks its place in the flow of data, for traces and predictions; and the
/// sources of error that may be on in a stage.
#pragma once

#include <array>
#include <cmath>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace fftprec {

/// Sources of error in the operations of an arithmetic.
enum class ErrorSource : unsigned {
  input,            ///< the input's rounding to the storage format
  tables,           ///< entries of tables that are not the true ones
  products,         ///< elementwise products, as the mode forms them
  additions,        ///< elementwise sums
  words,            ///< matrix product: operands are cut into words
  accumulation,     ///< matrix product: sums in PSUM, and outside of it
  matrix_products,  ///< matrix product: products are rounded before they are added
  storage,          ///< results rounded to the storage format, and evictions to narrower ones
};

/// A source of errors by its name.
struct NamedSource {
  ErrorSource source;
  std::string_view name;
};
inline constexpr std::array<NamedSource, 8> all_error_sources = {
    {{ErrorSource::input, "input rounding"},
     {ErrorSource::tables, "tables"},
     {ErrorSource::products, "element products"},
     {ErrorSource::additions, "additions"},
     {ErrorSource::words, "operand words"},
     {ErrorSource::accumulation, "accumulation"},
     {ErrorSource::matrix_products, "product rounding"},
     {ErrorSource::storage, "storage and eviction"}}};

/// A set of sources.
class ErrorSources {
 public:
  constexpr ErrorSources() = default;
  static constexpr ErrorSources all() { return ErrorSources(0xff); }
  static constexpr ErrorSources only(ErrorSource source) { return ErrorSources(bit(source)); }
  static constexpr ErrorSources of(std::initializer_list<ErrorSource> sources) {
    ErrorSources set;
    for (const ErrorSource source : sources) set.bits_ |= bit(source);
    return set;
  }
  static constexpr ErrorSources all_but(ErrorSource source) {
    return ErrorSources(all().bits_ & ~bit(source));
  }

  constexpr bool has(ErrorSource source) const { return (bits_ & bit(source)) != 0; }
  constexpr bool has_all(ErrorSources others) const { return (others.bits_ & ~bits_) == 0; }
  constexpr bool has_any(ErrorSources others) const { return (others.bits_ & bits_) != 0; }
  friend constexpr bool operator==(ErrorSources, ErrorSources) = default;

 private:
  explicit constexpr ErrorSources(unsigned bits) : bits_(bits) {}
  static constexpr unsigned bit(ErrorSource source) { return 1u << static_cast<unsigned>(source); }

  unsigned bits_ = 0;
};

/// One stage of the scope around it. Stages follow one another by `index`, which titles show in
/// place of a '#' in `name`.
struct StageMark {
  std::size_t index;
  std::string_view name;  ///< a literal

  friend auto operator<=>(const StageMark&, const StageMark&) = default;
};

/// The stages around an operation, the outermost first. Paths compare in the order in which data
/// meet them; the order of blocks of data does not matter.
using StagePath = std::vector<StageMark>;

/// The mark of the product that ends a transform whose norm divides.
inline constexpr std::string_view norm_scaling = "scaling by the norm";

/// The marks of what happens to input and result around a transform, and the latter's number.
inline constexpr std::string_view input_rounding = "input rounding";
inline constexpr std::string_view result_rounding = "result rounding";
inline constexpr std::size_t last_stage = std::size_t{1} << 31;

/// "forward FFT | stage 3".
inline std::string title_of(const StagePath& path) {
  std::string title;
  for (const auto& [index, name] : path) {
    if (!title.empty()) title += " | ";
    const std::size_t number = name.find('#');
    title += name.substr(0, number);
    if (number == std::string_view::npos) continue;
    title += std::to_string(index);
    title += name.substr(number + 1);
  }
  return title;
}

/// The result of `make`, called within a stage: tables that a constructor makes belong to the stage
/// that uses them.
template <class Marked, class Make>
auto in_stage(const Marked& marked, std::string_view name, std::size_t index, Make make) {
  const auto mark = marked.stage(name, index);
  return make();
}

/// A mark without a trace. The destructor avoids warnings of an unused variable.
struct NoStage {
  ~NoStage() {}
  template <class Data, class Place>
  void leaves(const Data&, Place) const {}
};

class StageScope;
class FlowRecorder;

/// The stage of a running algorithm, and the sources of error that are on there. For one thread.
class StageTrace {
 public:
  using Choice = std::function<ErrorSources(const StagePath&)>;

  /// The operands of operations that have all errors of the machine.
  enum class Operands {
    on_grid,  ///< results of such operations: the bits are the machine's own
    any,      ///< any: the machine's errors are added to exact results (traced_arithmetic.hpp)
  };

  explicit StageTrace(Choice choice, Operands operands = Operands::on_grid)
      : choice_(std::move(choice)), operands_(operands) {
    moved();
  }

  /// Whether operations here are the machine's own.
  bool is_machine() const {
    return operands_ == Operands::on_grid && sources_ == ErrorSources::all();
  }

  StageScope enter(std::string_view name, std::size_t index);

  /// The sources of error that are on here.
  ErrorSources sources() const { return sources_; }
  /// Records an operation in this stage.
  void note() {
    if (!noted_) seen_.insert(path_);
    noted_ = true;
  }
  /// Records an operand of a machine's operation that is not on the operation's grid.
  void note_rounding() { rounded_ = true; }
  bool has_rounded() const { return rounded_; }
  /// The stages with an operation.
  const std::set<StagePath>& seen() const { return seen_; }

  /// Visits the results of stages: a value, and its place in the stage's array of the whole batch.
  /// The next stage continues from what the visit leaves in the value.
  using Visit = std::function<void(const StagePath&, std::size_t place, double& re, double& im)>;
  void visit(Visit visit) { visit_ = std::move(visit); }

  /// A result of fixed point that left the range, and its value before.
  struct Lost {
    StagePath path;
    std::size_t place = nowhere;  ///< in the stage's array; nowhere: the array does not have it
    bool is_imaginary = false;
    double value = 0;
  };
  static constexpr std::size_t nowhere = static_cast<std::size_t>(-1);

  /// From now on lists results that leave the range.
  void list_lost() {
    take_lost_ = [this](const void* at, double value) {
      if (!waiting_.empty() && lost_[waiting_.front().number].path != path_) waiting_.clear();
      waiting_.push_back({lost_.size(), at});
      lost_.push_back({path_, nowhere, false, value});
    };
  }
  /// For the loops of fixed point; null unless they are listed.
  const std::function<void(const void*, double)>* take_lost() const {
    return take_lost_ ? &take_lost_ : nullptr;
  }
  void note_lost(const Lost& lost) {
    if (take_lost_) lost_.push_back(lost);
  }
  const std::vector<Lost>& lost() const { return lost_; }

  /// The exponents of the blocks that a stage begins, in their order.
  void note_exponent(int exponent) { exponents_[path_].push_back(exponent); }
  const std::map<StagePath, std::vector<int>>& exponents() const { return exponents_; }

  /// With a recorder, which must outlive the trace, an arithmetic notes its operations there
  /// instead of carrying them out (flow_recorder.hpp).
  void record(FlowRecorder* recorder) { recorder_ = recorder; }
  FlowRecorder* recorder() const { return recorder_; }

 private:
  friend class StageScope;
  void leave() {
    path_.pop_back();
    moved();
  }
  void moved() {
    sources_ = choice_(path_);
    noted_ = false;
  }

  Choice choice_;
  Operands operands_;
  Visit visit_{};
  std::function<void(const void*, double)> take_lost_{};
  std::vector<Lost> lost_{};
  struct Waiting {
    std::size_t number;  ///< in lost_
    const void* at;
  };
  std::vector<Waiting> waiting_{};  ///< of this stage, until its array is known
  std::map<StagePath, std::vector<int>> exponents_{};
  FlowRecorder* recorder_ = nullptr;
  StagePath path_{};
  std::set<StagePath> seen_{};
  ErrorSources sources_{};
  bool noted_ = false;
  bool rounded_ = false;
};

/// A stage, from its construction to its end.
class StageScope {
 public:
  /// Without a trace it does nothing.
  explicit StageScope(StageTrace* trace) : trace_(trace) {}
  StageScope(const StageScope&) = delete;
  StageScope& operator=(const StageScope&) = delete;
  ~StageScope() {
    if (trace_ != nullptr) trace_->leave();
  }

  /// The elements of a view are the stage's results at place(row, col).
  template <class Data, class Place>
  void leaves(const Data& data, Place place) const {
    if (trace_ == nullptr) return;
    if (!trace_->waiting_.empty()) locate(data, place);
    if (!trace_->visit_) return;
    const auto replace = [](auto& part, double value) {
      using Real = std::remove_reference_t<decltype(part)>;
      const auto now = static_cast<double>(part);
      if (now != value || std::signbit(now) != std::signbit(value)) part = Real(value);
    };
    for (std::size_t row = 0; row < data.rows; ++row)
      for (std::size_t col = 0; col < data.cols; ++col) {
        auto& re = data.re[row * data.stride + col];
        auto& im = data.im[row * data.stride + col];
        auto now = std::pair(static_cast<double>(re), static_cast<double>(im));
        trace_->visit_(trace_->path_, place(row, col), now.first, now.second);
        replace(re, now.first);
        replace(im, now.second);
      }
  }

 private:
  /// Gives results that left the range their places.
  template <class Data, class Place>
  void locate(const Data& data, Place place) const {
    std::erase_if(trace_->waiting_, [&](const StageTrace::Waiting& one) {
      StageTrace::Lost& lost = trace_->lost_[one.number];
      for (const bool imaginary : {false, true}) {
        const auto first = reinterpret_cast<std::uintptr_t>(imaginary ? data.im : data.re);
        const auto at = reinterpret_cast<std::uintptr_t>(one.at);
        if (at < first) continue;
        const std::size_t offset = (at - first) / sizeof(*data.re);
        const std::size_t row = offset / data.stride;
        const std::size_t col = offset % data.stride;
        if (row >= data.rows || col >= data.cols) continue;
        lost.place = place(row, col);
        lost.is_imaginary = imaginary;
        return true;
      }
      return false;
    });
  }

  StageTrace* trace_;
};

inline StageScope StageTrace::enter(std::string_view name, std::size_t index) {
  path_.push_back({index, name});
  moved();
  return StageScope(this);
}

}  // namespace fftprec
