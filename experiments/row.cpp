#include "experiments/row.hpp"

#include "arith/error.hpp"

namespace fftprec {

std::string_view name_of(Status status) {
  switch (status) {
    case Status::skipped:
      return "skipped";
    case Status::failed:
      return "failed";
    case Status::ok:
      break;
  }
  return "ok";
}

Status status_named(std::string_view name) {
  for (const Status status : {Status::ok, Status::skipped, Status::failed})
    if (name_of(status) == name) return status;
  throw unknown_name("status", name, {"ok", "skipped", "failed"});
}

}  // namespace fftprec
