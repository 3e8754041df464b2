#include "experiments/cases/case_list.hpp"

#include <algorithm>
#include <numeric>
#include <string_view>
#include <tuple>
#include <utility>

#include "arith/support/error.hpp"
#include "experiments/cases/columns.hpp"
#include "experiments/support/decimal.hpp"

namespace fftprec {

namespace {

template <class T>
void sort_unique(std::vector<T>& values) {
  std::ranges::sort(values);
  values.erase(std::unique(values.begin(), values.end()), values.end());
}

InputError too_many(std::uint64_t most) {
  return InputError("the axes make more than " + std::to_string(most) +
                    " cases; split them into several runs");
}

std::size_t batch_axis() {
  static const std::size_t axis = axis_index("batch");
  return axis;
}

std::size_t seed_axis() {
  static const std::size_t axis = axis_index("seed");
  return axis;
}

/// The axes in the order in which their values change, the slowest first.
std::array<std::size_t, axis_count> axes_in(CaseOrder order) {
  std::array<std::size_t, axis_count> axes{};
  std::iota(axes.begin(), axes.end(), std::size_t{0});
  if (order == CaseOrder::results) return axes;
  static const std::array problem = {axis_index("transform"), axis_index("n"), batch_axis(),
                                     axis_index("input"), seed_axis()};
  std::ranges::stable_sort(axes, {}, [](std::size_t axis) {
    return std::ranges::find(problem, axis) - problem.begin();
  });
  return axes;
}

bool before(const SharedCase& a, const SharedCase& b, CaseOrder order) {
  if (order == CaseOrder::problems) {
    const auto key = [](const SharedCase& c) {
      return std::tuple(std::string_view(c.transform()), c.n(), c.batch(),
                        std::string_view(c.input()), c.seed());
    };
    if (const auto compared = key(a) <=> key(b); compared != 0) return compared < 0;
  }
  return a < b;
}

/// Whether a filter depends on this axis.
bool reads(const Filter& filter, std::size_t axis) {
  return std::ranges::any_of(filter.conditions, [axis](const Condition& condition) {
    return condition.column->name == axis_columns()[axis].name ||
           condition.column->name == "case_id";
  });
}

}  // namespace

void CaseList::add(const Axes& axes, const Filter& all, const std::vector<Filter>& excluded) {
  const auto one_reads = [&](std::size_t axis) {
    return reads(all, axis) ||
           std::ranges::any_of(excluded, [axis](const Filter& f) { return reads(f, axis); });
  };
  Block block{.all = all,
              .excluded = excluded,
              .reads_seed = one_reads(seed_axis()),
              .reads_batch = one_reads(batch_axis()),
              .first_place = places_};
  std::uint64_t count = 1;
  for (std::size_t axis = 0; axis < axis_count; ++axis) {
    const Column& column = axis_columns()[axis];
    std::vector<std::string>& names = block.names[axis];
    Row row;
    names.push_back(column.text(row));
    if (!axes.values[axis].empty()) names.clear();
    for (const std::string& value : axes.values[axis]) {
      column.parse(row, value);
      names.push_back(column.text(row));
    }
    if (holds_numbers(column))
      for (const std::string& name : std::exchange(names, {}))
        block.numbers[axis].push_back(*parse_unsigned(name));
    sort_unique(names);
    sort_unique(block.numbers[axis]);
    if (block.values(axis) > (most_places - places_) / count) throw too_many(most_places);
    count *= block.values(axis);
  }
  places_ += count;
  blocks_.push_back(std::move(block));
}

std::uint64_t CaseList::Block::places() const {
  std::uint64_t count = 1;
  for (std::size_t axis = 0; axis < axis_count; ++axis) count *= values(axis);
  return count;
}

bool CaseList::Block::keeps(const SharedCase& where) const {
  if (all.conditions.empty() && excluded.empty()) return true;
  const Row row{.where = where};
  return matches(all, row) &&
         std::ranges::none_of(excluded, [&row](const Filter& f) { return matches(f, row); });
}

std::span<const std::uint64_t> CaseList::common_seeds() const {
  const auto differs = [this](const Block& block) {
    return block.reads_seed || block.numbers[seed_axis()] != blocks_.front().numbers[seed_axis()];
  };
  if (blocks_.empty() || std::ranges::any_of(blocks_, differs)) return {};
  return blocks_.front().numbers[seed_axis()];
}

CaseList CaseList::of_seeds(std::size_t first, std::size_t count) const {
  const auto seeds = common_seeds().subspan(first, count);
  CaseList result;
  for (Block block : blocks_) {
    const std::uint64_t others = block.places() / block.numbers[seed_axis()].size();
    block.numbers[seed_axis()].assign(seeds.begin(), seeds.end());
    block.first_place = result.places_;
    result.places_ += others * count;
    result.blocks_.push_back(std::move(block));
  }
  return result;
}

std::vector<Case> CaseList::all() const {
  std::uint64_t count = 0;
  for (Walk at = walk(CaseOrder::results); !at.at_end(); at.advance())
    if (++count > most_cases) throw too_many(most_cases);
  std::vector<Case> cases;
  cases.reserve(count);
  for (Walk at = walk(CaseOrder::results); !at.at_end(); at.advance()) cases.push_back(at.where());
  return cases;
}

CaseList::Walk CaseList::walk(CaseOrder order) const { return Walk(*this, order); }

CaseList::Cursor::Cursor(const Block& block, CaseOrder order)
    : block_(&block), axes_(axes_in(order)), place_(block.first_place) {
  std::uint64_t stride = 1;
  for (std::size_t axis = axis_count; axis-- > 0;) {
    strides_[axis] = stride;
    stride *= block.values(axis);
  }
  settle();
}

void CaseList::Cursor::advance() {
  if (step()) settle();
}

/// To the next combination.
bool CaseList::Cursor::step() {
  for (std::size_t i = axis_count; i-- > 0;) {
    const std::size_t axis = axes_[i];
    if (++digits_[axis] < block_->values(axis)) {
      place_ += strides_[axis];
      return true;
    }
    place_ -= (digits_[axis] - 1) * strides_[axis];
    digits_[axis] = 0;
  }
  at_end_ = true;
  return false;
}

/// Makes the case of the combination, and goes on until one is kept.
void CaseList::Cursor::settle() {
  constexpr std::size_t most_known = 1 << 16;
  do {
    const std::uint64_t of_names = place_ - digits_[batch_axis()] * strides_[batch_axis()] -
                                   digits_[seed_axis()] * strides_[seed_axis()];
    if (known_.size() > most_known) known_.clear();
    const auto [at, is_new] = known_.try_emplace(of_names);
    if (is_new) at->second = known();
    where_ = SharedCase(at->second.names, block_->numbers[batch_axis()][digits_[batch_axis()]],
                        block_->numbers[seed_axis()][digits_[seed_axis()]]);
    if (is_kept(at->second)) return;
  } while (step());
}

bool CaseList::Cursor::is_kept(const Known& known) const {
  return block_->reads_seed || block_->reads_batch ? block_->keeps(where_) : known.kept;
}

CaseList::Cursor::Known CaseList::Cursor::known() const {
  Row row;
  for (std::size_t axis = 0; axis < axis_count; ++axis)
    if (axis != batch_axis() && axis != seed_axis())
      axis_columns()[axis].parse(row, block_->names[axis].empty()
                                          ? std::to_string(block_->numbers[axis][digits_[axis]])
                                          : block_->names[axis][digits_[axis]]);
  const auto names = std::make_shared<Case>(row.where);
  return {names, block_->keeps(SharedCase(names, 1, 0))};
}

CaseList::Walk::Walk(const CaseList& list, CaseOrder order) : order_(order) {
  for (const Block& block : list.blocks_) cursors_.emplace_back(block, order);
  choose();
}

/// The first of the least cases: a case of several blocks has its place in the first of them.
void CaseList::Walk::choose() {
  current_ = nullptr;
  for (const Cursor& cursor : cursors_)
    if (!cursor.at_end() && (!current_ || before(cursor.where(), current_->where(), order_)))
      current_ = &cursor;
}

void CaseList::Walk::advance() {
  if (cursors_.size() > 1) {
    const SharedCase last = where();
    for (Cursor& cursor : cursors_)
      if (!cursor.at_end() && cursor.where() == last) cursor.advance();
  } else {
    cursors_.front().advance();
  }
  choose();
}

std::vector<Case> expand(const Axes& axes) {
  CaseList cases;
  cases.add(axes);
  return cases.all();
}

}  // namespace fftprec
