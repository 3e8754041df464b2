#include "experiments/measure_result.hpp"

#include "arith/error.hpp"
#include "experiments/transform_entry.hpp"

namespace fftprec {

namespace {

/// The batch whose operands have `size` elements in all.
std::uint64_t batch_of(const TransformEntry& transform, std::size_t n, std::size_t size) {
  const auto operands = [&](std::size_t batch) {
    return transform.make_input("dc", n, batch, 0).size();
  };
  const std::size_t one = operands(1);
  const std::size_t item = operands(2) - one;
  if (size >= one && (size - one) % item == 0) return 1 + (size - one) / item;
  throw InputError(transform.name + " of n = " + std::to_string(n) + " takes " +
                   std::to_string(one) + " values, and " + std::to_string(item) +
                   " for each further item; the input holds " + std::to_string(size));
}

}  // namespace

void set_errors(Row& row, const truth::Errors& errors) {
  row.err_l2_rel = errors.l2_rel;
  row.err_linf_rel = errors.linf_rel;
  row.err_l1_rel = errors.l1_rel;
  row.err_re_max_rel = errors.re_max_rel;
  row.err_im_max_rel = errors.im_max_rel;
  row.err_max_ulp = errors.max_ulp;
  row.err_rms_ulp = errors.rms_ulp;
  row.bits_l2 = errors.bits_l2;
}

Row measure_result(const ForeignResult& result, const truth::TruthOptions& options) {
  const TransformEntry transform = transform_named(result.transform);
  Row row;
  row.where.transform = result.transform;
  row.where.n = result.n;
  if (row.where.n == 0) row.where.n = result.input.shape.empty() ? 1 : result.input.shape.back();
  row.where.batch = batch_of(transform, row.where.n, result.input.values.size());
  const truth::Truth truth =
      transform.truth(result.input.values, row.where.n, row.where.batch, options);
  require(result.output.values.size() == truth.hi.size(),
          result.transform + " of n = " + std::to_string(row.where.n) + ", batch " +
              std::to_string(row.where.batch) + ", gives " + std::to_string(truth.hi.size()) +
              " values; the output holds " + std::to_string(result.output.values.size()));
  set_errors(row, truth::measure(result.output.values, truth, result.format, options.isa));
  row.truth_bits = static_cast<std::uint64_t>(truth.bits);
  row.truth_tier = truth.tier;
  return row;
}

}  // namespace fftprec
