/// The processes that `mpirun` has started together with this one.
///
/// MPI is touched only where mpirun has started several: a program that is built with it starts
/// alone as fast as one that is not.
#pragma once

#include <memory>

#include "reports/mpi/post.hpp"

namespace fftprec {

class Ranks {
 public:
  /// Joins the others, for which it waits. Throws InputError in a build without MPI if there are
  /// others: each of them would run everything.
  Ranks();

  /// Parts from the others, for which it waits. If an exception passes, all others are ended, but
  /// for the first process's, which ends by itself what it has begun.
  ~Ranks();
  Ranks(const Ranks&) = delete;
  Ranks& operator=(const Ranks&) = delete;

  int count() const;  ///< 1: alone
  int own() const;    ///< from 0

  /// For the thread that made this.
  Post post();

  /// Parts from the others and ends the process with code 0 as it is, threads that go on included.
  [[noreturn]] void leave_process();

 private:
  struct Connection;
  std::unique_ptr<Connection> connection_;  ///< null: alone
};

}  // namespace fftprec
