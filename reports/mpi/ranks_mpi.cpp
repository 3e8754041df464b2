#include <mpi.h>

#include <cstdlib>
#include <exception>
#include <list>
#include <string>

#include "arith/support/error.hpp"
#include "reports/mpi/ranks.hpp"
#include "reports/mpi/started_by_mpirun.hpp"

namespace fftprec {

namespace {

constexpr int tag = 0;

/// Kept until it has gone: nobody waits for who receives it, who may be sending too.
struct Sending {
  MPI_Request request{};
  std::string text;
};

}  // namespace

struct Ranks::Connection {
  int count = 1;
  int own = 0;
  std::list<Sending> sending{};

  void send(int to, std::string text) {
    for (auto each = sending.begin(); each != sending.end();) {
      int gone = 0;
      MPI_Test(&each->request, &gone, MPI_STATUS_IGNORE);
      each = gone ? sending.erase(each) : std::next(each);
    }
    Sending& letter = sending.emplace_back();
    letter.text = std::move(text);
    MPI_Isend(letter.text.data(), static_cast<int>(letter.text.size()), MPI_CHAR, to, tag,
              MPI_COMM_WORLD, &letter.request);
  }

  void close() {
    for (Sending& letter : sending) MPI_Wait(&letter.request, MPI_STATUS_IGNORE);
    MPI_Finalize();
  }

  std::optional<Letter> receive() {
    int arrived = 0;
    MPI_Status status;
    MPI_Iprobe(MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, &arrived, &status);
    if (!arrived) return std::nullopt;
    int size = 0;
    MPI_Get_count(&status, MPI_CHAR, &size);
    Letter letter{status.MPI_SOURCE, std::string(static_cast<std::size_t>(size), '\0')};
    MPI_Recv(letter.text.data(), size, MPI_CHAR, letter.from, tag, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
    return letter;
  }
};

Ranks::Ranks() {
  if (!started_by_mpirun()) return;
  int provided = MPI_THREAD_SINGLE;
  MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided);
  if (provided < MPI_THREAD_FUNNELED)
    throw InputError("this MPI cannot be used by a program with threads");
  connection_ = std::make_unique<Connection>();
  MPI_Comm_size(MPI_COMM_WORLD, &connection_->count);
  MPI_Comm_rank(MPI_COMM_WORLD, &connection_->own);
}

Ranks::~Ranks() {
  if (!connection_) return;
  // Without the others knowing of it they would wait for this one forever.
  if (connection_->own > 0 && std::uncaught_exceptions() > 0) MPI_Abort(MPI_COMM_WORLD, 1);
  connection_->close();
}

void Ranks::leave_process() {
  if (connection_) connection_->close();
  std::_Exit(0);
}

int Ranks::count() const { return connection_ ? connection_->count : 1; }
int Ranks::own() const { return connection_ ? connection_->own : 0; }

Post Ranks::post() {
  return {count(),
          [connection = connection_.get()](int to, std::string text) {
            connection->send(to, std::move(text));
          },
          [connection = connection_.get()] { return connection->receive(); }};
}

}  // namespace fftprec
