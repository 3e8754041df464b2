/// Where the rows of a run go, and whether the run is to end.
#pragma once

#include <exception>

#include "experiments/sweeps/run.hpp"

namespace fftprec {

/// The first exception of on_row ends a run, after what is running has finished. Not synchronised.
class RowSink {
 public:
  explicit RowSink(const RunOptions& options) : options_(options) {}

  /// Gives the row to on_row, unless that has thrown before.
  void give(const Row& row) {
    if (error_) return;
    try {
      options_.on_row(row);
    } catch (...) {
      error_ = std::current_exception();
    }
  }

  bool stopped() const { return error_ || (options_.stop && options_.stop->load()); }

  /// Throws what on_row has thrown.
  void rethrow() const {
    if (error_) std::rethrow_exception(error_);
  }

 private:
  const RunOptions& options_;
  std::exception_ptr error_;
};

}  // namespace fftprec
