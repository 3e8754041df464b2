/// Stages: how an algorithm says where in the flow of its data it is, for arithmetics and
/// predictors that want to know; and the sources of error that may be on there.
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <functional>
#include <initializer_list>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fftprec {

/// What makes the operations of an arithmetic inexact.
enum class ErrorSource : unsigned {
  input,            ///< the input's rounding to the storage format
  tables,           ///< entries of tables that are not the true ones
  products,         ///< elementwise products, as the mode forms them
  additions,        ///< elementwise sums
  words,            ///< of a matrix product: what its operands lose when they are cut into words
  accumulation,     ///< of a matrix product: sums in PSUM, and outside, of what leaves it
  matrix_products,  ///< of a matrix product: products that are rounded before they are added
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
/// meet them, whatever the order in which blocks of the data are worked on.
using StagePath = std::vector<StageMark>;

/// The mark of the product that ends a transform whose norm divides.
inline constexpr std::string_view norm_scaling = "scaling by the norm";

/// The marks of what happens to input and result around a transform, and the latter's number.
inline constexpr std::string_view input_rounding = "input rounding";
inline constexpr std::string_view result_rounding = "result rounding";
inline constexpr std::size_t last_stage = std::size_t{1} << 32;

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

/// What `make` gives, within a stage: what a constructor prepares belongs to the stage that uses
/// it.
template <class Marked, class Make>
auto in_stage(const Marked& marked, std::string_view name, std::size_t index, Make make) {
  const auto mark = marked.stage(name, index);
  return make();
}

/// What an algorithm gets for a mark where nobody wants to know. The destructor keeps compilers
/// from calling it an unused variable.
struct NoStage {
  ~NoStage() {}
  template <class Data, class Place>
  void leaves(const Data&, Place) const {}
};

class StageScope;

/// Where an algorithm is, and what is inexact there. For one thread.
class StageTrace {
 public:
  using Choice = std::function<ErrorSources(const StagePath&)>;

  /// What operations of a machine with all of its errors are applied to.
  enum class Operands {
    on_grid,  ///< results of such operations, so that they are the machine's own in every bit
    any,      ///< anything: the machine's errors are added to exact results (traced_arithmetic.hpp)
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

  /// What is inexact here.
  ErrorSources sources() const { return sources_; }
  /// Something was done here.
  void note() {
    if (!noted_) seen_.insert(path_);
    noted_ = true;
  }
  /// An operand of a machine's operation was not on the grid that it takes.
  void note_rounding() { rounded_ = true; }
  bool has_rounded() const { return rounded_; }
  /// Where something was done.
  const std::set<StagePath>& seen() const { return seen_; }

  /// Gets what stages leave: a value and its place in the stage's array of the whole batch.
  using Keep = std::function<void(const StagePath&, std::size_t place, double re, double im)>;
  void keep(Keep keep) { keep_ = std::move(keep); }

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
  Keep keep_{};
  StagePath path_{};
  std::set<StagePath> seen_{};
  ErrorSources sources_{};
  bool noted_ = false;
  bool rounded_ = false;
};

/// A stage, from its construction to its end.
class StageScope {
 public:
  /// A null trace does not want to know.
  explicit StageScope(StageTrace* trace) : trace_(trace) {}
  StageScope(const StageScope&) = delete;
  StageScope& operator=(const StageScope&) = delete;
  ~StageScope() {
    if (trace_ != nullptr) trace_->leave();
  }

  /// The elements of a view hold what the stage makes of place(row, col).
  template <class Data, class Place>
  void leaves(const Data& data, Place place) const {
    if (trace_ == nullptr || !trace_->keep_) return;
    for (std::size_t row = 0; row < data.rows; ++row)
      for (std::size_t col = 0; col < data.cols; ++col)
        trace_->keep_(trace_->path_, place(row, col), data.re[row * data.stride + col],
                      data.im[row * data.stride + col]);
  }

 private:
  StageTrace* trace_;
};

inline StageScope StageTrace::enter(std::string_view name, std::size_t index) {
  path_.push_back({index, name});
  moved();
  return StageScope(this);
}

}  // namespace fftprec
