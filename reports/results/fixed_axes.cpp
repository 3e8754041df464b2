#include "reports/results/fixed_axes.hpp"

#include <algorithm>
#include <cstdint>

#include "experiments/cases/axes.hpp"
#include "experiments/cases/columns.hpp"
#include "experiments/cases/filter.hpp"
#include "experiments/support/decimal.hpp"

namespace fftprec {

namespace {

using Rows = std::vector<const Row*>;

bool has_statistics(const Row* row) { return row->over_seeds != nullptr; }

/// The cells of a column. Neighbours mostly share their names, and then the cells of names.
class Cells {
 public:
  explicit Cells(std::string_view name)
      : column_(&column_named(name)),
        holds_names_(column_->axis && column_->axis->list != nullptr) {}

  /// Valid until the next call.
  const std::string& of(const Row& row) {
    if (is_known_ && holds_names_ && row.where.shares_names(last_)) return cell_;
    cell_.clear();
    column_->append(cell_, row);
    if (holds_names_) last_ = row.where;
    is_known_ = true;
    return cell_;
  }

 private:
  const Column* column_;
  bool holds_names_;
  bool is_known_ = false;
  SharedCase last_{};
  std::string cell_{};
};

/// The values of `axis` that every series has. Series of different inputs share no problem, so they
/// need no common seeds. Empty if no value is common to all.
std::set<std::string> common_names(const Rows& rows, const std::string& axis,
                                   const std::string& series) {
  if (series == "input") return {};
  Cells of_series(series), of_axis(axis);
  std::map<std::string, std::set<std::string>> by_series;
  for (const Row* row : rows) by_series[of_series.of(*row)].insert(of_axis.of(*row));
  std::set<std::string> common = names_of(rows, axis);
  for (const auto& [name, names] : by_series)
    std::erase_if(common,
                  [&names = names](const std::string& value) { return !names.contains(value); });
  return common;
}

/// Whether every length has its own value of `axis`, and only that.
bool follows_length(const Rows& rows, const std::string& axis) {
  Cells cells(axis);
  std::map<std::uint64_t, std::string> by_length;
  std::set<std::string> names;
  for (const Row* row : rows) {
    const std::string& name = cells.of(*row);
    if (by_length.try_emplace(row->where.n(), name).first->second != name) return false;
    names.insert(name);
  }
  return names.size() > 1 && names.size() == by_length.size();
}

}  // namespace

std::string fixed_value(const Rows& rows, const std::string& axis,
                        const std::set<std::string>& some) {
  Cells cells(axis);
  std::map<std::string, std::size_t> counts;
  for (const Row* row : rows)
    if (const std::string& name = cells.of(*row); some.empty() || some.contains(name))
      ++counts[name];
  const std::string usual = axis_text(Row{}, axis);
  if (counts.contains(usual)) return usual;
  return std::ranges::max_element(counts,
                                  [](const auto& a, const auto& b) { return a.second < b.second; })
      ->first;
}

bool is_default(const std::string& axis, const std::string& value) {
  return column_named(axis).axis->hidden_at_default && value == axis_text(Row{}, axis);
}

std::set<std::string> names_of(const std::vector<const Row*>& rows, const std::string& axis) {
  if (axis.empty()) return {std::string()};
  Cells cells(axis);
  std::set<std::string> names;
  std::string last;  // neighbours are mostly alike
  for (const Row* row : rows) {
    const std::string& name = cells.of(*row);
    if (!names.empty() && name == last) continue;
    names.insert(name);
    last = name;
  }
  return names;
}

NameOrders registry_orders() {
  NameOrders orders;
  for (const Column& column : axis_columns())
    if (column.axis->list != nullptr)
      orders[std::string(column.name)] = names_by(column.axis->list(), &Named::name);
  return orders;
}

std::vector<std::string> naming_axes(const std::set<std::string>& left_out) {
  std::vector<std::string> axes = {"algorithm", "mode"};
  for (const std::string& axis : axis_names())
    if (axis != axes[0] && axis != axes[1] && !left_out.contains(axis)) axes.push_back(axis);
  return axes;
}

std::vector<std::string> listed_names(const NameOrders& orders, const std::string& axis) {
  const auto found = orders.find(axis);
  return found == orders.end() ? std::vector<std::string>() : found->second;
}

std::string axis_text(const Row& row, const std::string& axis) {
  return axis.empty() ? std::string() : column_named(axis).text(row);
}

std::vector<std::string> ordered_names(const std::vector<const Row*>& rows, const std::string& axis,
                                       const NameOrders& orders) {
  const std::vector<std::string> listed = listed_names(orders, axis);
  const auto rank = [&listed](const std::string& name) {
    return std::ranges::find(listed, name) - listed.begin();
  };
  const std::set<std::string> names = names_of(rows, axis);
  std::vector<std::string> order(names.begin(), names.end());
  std::ranges::stable_sort(order, [&](const std::string& a, const std::string& b) {
    const auto number_a = parse_double(a);
    const auto number_b = parse_double(b);
    if (number_a && number_b) return *number_a < *number_b;
    return rank(a) < rank(b);
  });
  return order;
}

std::string FixedAxes::where() const {
  std::string text;
  for (const auto& [axis, names] : values)
    for (const std::string& name : names) text += (text.empty() ? "" : "\n") + axis + "=" + name;
  return text;
}

FixedAxes fix_axes(std::vector<const Row*> rows, const std::set<std::string>& spread,
                   const std::string& series) {
  FixedAxes axes;
  const auto add = [](std::string& list, const std::string& comma, const std::string& text) {
    list += (list.empty() ? "" : comma) + text;
  };
  const auto keep = [&](const std::string& axis, const std::set<std::string>& names) {
    axes.values[axis] = names;
    Cells cells(axis);
    std::erase_if(rows, [&](const Row* row) { return !names.contains(cells.of(*row)); });
  };
  for (const std::string& axis : axis_names()) {
    if (spread.contains(axis)) continue;
    if (axis == "seed" && std::ranges::any_of(rows, has_statistics)) {
      add(axes.held, ", ", "one row for all seeds");
      continue;
    }
    if (axis != "seed" && spread.contains("n") && follows_length(rows, axis)) {
      add(axes.held, ", ", axis + " by n");
      continue;
    }
    if (axis == "seed" || axis == "input") {
      std::set<std::string> common = common_names(rows, axis, series);
      if (axis == "input") common = {fixed_value(rows, axis, common)};
      if (!common.empty()) keep(axis, common);
      if (axis == "input") add(axes.held, ", ", axis + " " + *common.begin());
      if (const std::size_t names = names_of(rows, axis).size(); names > 1)
        add(axes.pooled, " and ", std::to_string(names) + " " + axis + "s");
      continue;
    }
    const std::string value = fixed_value(rows, axis);
    const bool leaves_out = names_of(rows, axis).size() > 1;
    keep(axis, {value});
    if (leaves_out || !is_default(axis, value)) add(axes.held, ", ", axis + " " + value);
  }
  return axes;
}

std::function<bool(const Row*)> row_filter(const FixedAxes& axes) {
  std::vector<std::pair<Cells, std::set<std::string>>> kept;
  for (const auto& [axis, names] : axes.values) kept.emplace_back(Cells(axis), names);
  return [kept](const Row* row) mutable {
    return std::ranges::all_of(
        kept, [row](auto& each) { return each.second.contains(each.first.of(*row)); });
  };
}

}  // namespace fftprec
