#include "experiments/sweeps/failure.hpp"

#include <exception>
#include <new>
#include <stdexcept>

#include "arith/support/error.hpp"

namespace fftprec {

Failure current_failure() {
  try {
    throw;
  } catch (const NotApplicable& reason) {
    return {Status::skipped, reason.what()};
  } catch (const std::bad_alloc&) {
    return {Status::failed, "not enough memory"};
  } catch (const std::length_error&) {
    return {Status::failed, "not enough memory: more values than a vector can hold"};
  } catch (const std::exception& error) {
    return {Status::failed, error.what()};
  } catch (...) {
    return {Status::failed, "an exception of unknown type"};
  }
}

Row row_without_result(const Case& where, const Failure& failure) {
  Row row{.where = where};
  row.status = failure.status;
  row.message = failure.message;
  return row;
}

}  // namespace fftprec
