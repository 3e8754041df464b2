#include "reports/results/csv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <compare>
#include <cstdint>
#include <deque>
#include <optional>
#include <utility>

#include "arith/support/error.hpp"
#include "experiments/cases/axes.hpp"
#include "experiments/cases/columns.hpp"
#include "experiments/cases/seed_reduction.hpp"
#include "experiments/support/decimal.hpp"
#include "experiments/support/hash.hpp"
#include "experiments/support/text_stream.hpp"

namespace fftprec::results {

namespace {

InputError error_at(std::string_view name, std::size_t line, const std::string& message) {
  return InputError(std::string(name) + ":" + std::to_string(line) + ": " + message);
}

/// The characters at which the search for the end of a plain cell stops: the end, a quote, and 0,
/// which stands behind the text.
constexpr std::array<bool, 256> ends_plain_cell = [] {
  std::array<bool, 256> ends{};
  for (const char c : {',', '\n', '"', '\0'}) ends[static_cast<unsigned char>(c)] = true;
  return ends;
}();

/// Cuts CSV text into records; a quoted cell may hold line ends. Keeps one record at a time.
class Records {
 public:
  Records(TextReader text, std::string_view name) : text_(std::move(text)), name_(name) {
    constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
    read_piece();
    if (rest().starts_with(byte_order_mark)) position_ += byte_order_mark.size();
  }

  /// Lines at the beginning that start with #.
  void skip_comments() {
    while (!at_end() && buffer_[position_] == '#') {
      std::size_t end = buffer_.find('\n', position_);
      for (; end == std::string::npos && !ended_; end = buffer_.find('\n', position_)) read_piece();
      position_ = std::min(end, buffer_.size());
      take('\n');
    }
  }

  bool at_end() {
    while (position_ == buffer_.size() && !ended_) read_piece();
    return position_ == buffer_.size();
  }

  const std::string& name() const { return name_; }
  std::size_t line() const { return first_line_; }  ///< where the last record began
  bool torn() const { return torn_; }               ///< the last record has no line end

  /// The cells of the next record, until the one after it is asked for.
  std::span<const std::string_view> next() {
    first_line_ = line_;
    // A record that the text at hand holds in part is cut again with more of it.
    for (std::size_t begin = position_; !cut(); begin = position_) {
      position_ = begin;
      line_ = first_line_;
      const std::size_t tried = rest().size();
      if (tried > most_record_bytes)
        throw error_at(name_, first_line_,
                       "a record of more than " + std::to_string(most_record_bytes) +
                           " bytes: a quote may lack its partner");
      do read_piece();
      while (!ended_ && rest().size() < 2 * tried);
    }
    if (torn_ && !at_end()) throw error_at(name_, line_, "text after a closing quote");
    return {cells_.data(), count_};
  }

  /// The hash of the whole text, of which the rest is read.
  std::string hash() {
    while (!ended_) {
      position_ = buffer_.size();
      read_piece();
    }
    return hash_.digits();
  }

  /// The same text from its beginning, if it can be read again.
  std::optional<Records> again() const {
    std::optional<TextReader> text = text_.again();
    return text ? std::optional<Records>(std::in_place, std::move(*text), name_) : std::nullopt;
  }

 private:
  static constexpr std::size_t most_record_bytes = std::size_t{1} << 24;

  std::string_view rest() const { return std::string_view(buffer_).substr(position_); }

  /// Drops what was read before position_.
  void read_piece() {
    buffer_.erase(0, position_);
    position_ = 0;
    const std::string_view piece = text_.next();
    hash_.add(piece);
    buffer_ += piece;
    ended_ = piece.empty();
  }

  bool take(char wanted) {
    if (position_ == buffer_.size() || buffer_[position_] != wanted) return false;
    if (wanted == '\n') ++line_;
    ++position_;
    return true;
  }

  /// Cuts one record. False if more text is needed for it.
  bool cut() {
    count_ = 0;
    do {
      if (count_ == cells_.size()) {
        cells_.emplace_back();
        unquoted_.emplace_back();
      }
      cells_[count_] = take('"') ? quoted_cell(unquoted_[count_]) : plain_cell();
      ++count_;
    } while (take(','));
    take('\r');
    torn_ = !take('\n');
    return !torn_ || ended_ || position_ != buffer_.size();
  }

  std::string_view plain_cell() {
    const char* const begin = buffer_.data() + position_;
    const char* const last = buffer_.data() + buffer_.size();
    const char* end = begin;
    while (true) {
      while (!ends_plain_cell[static_cast<unsigned char>(*end)]) ++end;
      if (*end != '\0' || end == last) break;
      ++end;
    }
    if (*end == '"') throw error_at(name_, line_, "a quote within an unquoted cell");
    std::string_view plain(begin, static_cast<std::size_t>(end - begin));
    if (end != last && *end == '\n' && plain.ends_with('\r')) plain.remove_suffix(1);
    position_ += plain.size();
    return plain;
  }

  /// The rest of a quoted cell. Without its closing quote the text is at its end, so the record
  /// is torn.
  std::string_view quoted_cell(std::string& cell) {
    cell.clear();
    while (position_ != buffer_.size()) {
      const char c = buffer_[position_];
      take(c);
      if (c == '"' && !take('"')) break;
      cell += c;
    }
    return cell;
  }

  TextReader text_;
  std::string name_;
  std::string buffer_{};
  std::size_t position_ = 0;
  bool ended_ = false;  ///< the buffer holds the last of the text
  TextHash hash_{};
  std::size_t line_ = 1;
  std::size_t first_line_ = 1;
  bool torn_ = false;
  std::size_t count_ = 0;
  std::vector<std::string_view> cells_{};  ///< these two are kept for their memory
  std::deque<std::string> unquoted_{};
};

/// The columns that the header names, in its order.
std::vector<const Column*> columns_of(std::span<const std::string_view> header) {
  std::vector<const Column*> order;
  for (const std::string_view column_name : header) {
    const Column& column = column_named(column_name);
    if (std::ranges::find(order, &column) != order.end())
      throw InputError("column '" + std::string(column_name) + "' appears twice");
    order.push_back(&column);
  }
  const auto check_has = [&order](const Column& column) {
    if (std::ranges::find(order, &column) == order.end())
      throw InputError("column '" + std::string(column.name) + "' is missing");
  };
  for (const Column& column : columns())
    if (!column.later) check_has(column);
  const auto is_statistic = [](const Column* column) { return is_statistics_column(*column); };
  if (std::ranges::none_of(order, is_statistic)) return order;
  check_has(statistics_columns().front());
  for (const Column& error : columns()) {
    if (!error.is_error) continue;
    const std::span<const Column> statistics = statistics_of(error);
    const auto is_own = [statistics](const Column* column) {
      return column >= statistics.data() && column < statistics.data() + statistics.size();
    };
    if (std::ranges::any_of(order, is_own)) check_has(statistics.back());
  }
  return order;
}

constexpr std::string_view quoted_characters = ",\"\r\n";

/// As a cell from which the very text is read back.
std::string quoted(std::string text) {
  if (text.find_first_of(quoted_characters) == std::string::npos) return text;
  std::string cell = "\"";
  for (const char c : text) {
    if (c == '"') cell += '"';
    cell += c;
  }
  return cell + '"';
}

/// Numbers need no quotes.
void append_cell(std::string& line, const Column& column, const Row& row) {
  const std::size_t begin = line.size();
  column.append(line, row);
  if (column.metric || line.find_first_of(quoted_characters, begin) == std::string::npos) return;
  std::string text = line.substr(begin);
  line.erase(begin);
  line += quoted(std::move(text));
}

void append_cells(std::string& line, std::span<const Column> of, const Row& row) {
  for (const Column& column : of) {
    append_cell(line, column, row);
    line += ',';
  }
}

}  // namespace

std::string csv_cell(std::string text) {
  if (text.size() > 1 && std::string_view("=+-@\t\r").find(text[0]) != std::string_view::npos &&
      !parse_double(text))
    text.insert(0, "'");
  return quoted(std::move(text));
}

std::string csv_line(const std::vector<std::string>& texts) {
  std::string line;
  for (const std::string& text : texts) line += csv_cell(text) + ",";
  line.back() = '\n';
  return line;
}

namespace {

/// Of statistics over seeds of these metrics.
template <class Visit>
void each_seed_column(std::span<const Column* const> summarised, SeedColumns which, Visit visit) {
  if (summarised.empty()) return;
  visit(statistics_columns().front());
  for (const Column* metric : summarised)
    for (const Column& column : statistics_of(*metric))
      if (which == SeedColumns::all || !follows_from_summary(column)) visit(column);
}

void append_seed_cells(std::string& line, const Row& row, SeedColumns which) {
  if (row.over_seeds)
    each_seed_column(summarised_metrics(row), which, [&](const Column& column) {
      append_cells(line, {&column, 1}, row);
    });
}

template <class Rows, class RowOf>
std::string text_of_rows(const Rows& rows, RowOf row_of) {
  const std::vector<const Column*> summarised =
      rows.empty() ? std::vector<const Column*>() : summarised_metrics(row_of(*rows.begin()));
  std::string text = csv_header(summarised);
  RowWriter writer;
  for (const auto& each : rows) {
    const Row& row = row_of(each);
    if (summarised_metrics(row) != summarised)
      throw InputError("rows with different statistics over seeds do not fit into one file");
    writer.append(text, row);
  }
  return text;
}

}  // namespace

std::string csv_header(std::span<const Column* const> summarised, SeedColumns which) {
  std::string line;
  const auto append = [&line](const Column& column) {
    if (!line.empty()) line += ',';
    line += column.name;
  };
  for (const Column& column : columns()) append(column);
  each_seed_column(summarised, which, append);
  return line + '\n';
}

std::string to_csv(const Row& row, SeedColumns which) {
  std::string line;
  append_cells(line, columns(), row);
  append_seed_cells(line, row, which);
  line.back() = '\n';
  return line;
}

void RowWriter::append(std::string& text, const Row& row, SeedColumns which) {
  static const std::size_t seed = 1 + axis_index("seed");
  const std::span<const Column> all = columns();
  if (before_seed_.empty() || !row.where.shares_names(last_) ||
      row.where.batch() != last_.batch()) {
    before_seed_.clear();
    after_seed_ = ",";
    append_cells(before_seed_, all.subspan(1, seed - 1), row);
    append_cells(after_seed_, all.subspan(seed + 1, axis_count - seed), row);
    last_ = row.where;
  }
  text += ids_.id_of(row.where);
  text += ',';
  text += before_seed_;
  append_number(text, row.where.seed());
  text += after_seed_;
  append_cells(text, all.subspan(1 + axis_count), row);
  append_seed_cells(text, row, which);
  text.back() = '\n';
}

std::string csv_text(std::span<const Row> rows) {
  return text_of_rows(rows, [](const Row& row) -> const Row& { return row; });
}

std::string csv_text(const std::map<SharedCase, Row>& rows) {
  return text_of_rows(rows, [](const auto& entry) -> const Row& { return entry.second; });
}

class RowReader::State {
 public:
  State(Records records, Duplicates duplicates)
      : records_(std::move(records)),
        unique_(duplicates == Duplicates::refuse),
        keeps_ids_(unique_ && !records_.again()) {}

  const Row* next() {
    if (order_.empty()) read_names();
    if (records_.at_end()) {
      check_kept_ids();
      return nullptr;
    }
    const std::span<const std::string_view> cells = next_cells();
    try {
      read_row(cells);
      if (unique_) check_unique();
    } catch (const InputError& error) {
      throw error_at(records_.name(), records_.line(), error.what());
    }
    ++count_;
    return &row_;
  }

  std::string hash() { return records_.hash(); }

 private:
  struct Id {
    std::uint64_t number;
    std::size_t line;

    friend auto operator<=>(const Id&, const Id&) = default;
  };

  std::span<const std::string_view> next_cells() {
    const std::span<const std::string_view> cells = records_.next();
    if (records_.torn())
      throw error_at(records_.name(), records_.line(),
                     "the last line has no end: the file is cut off");
    return cells;
  }

  void read_names() {
    records_.skip_comments();
    if (records_.at_end())
      throw error_at(records_.name(), 1, "the file is empty; expected the line of column names");
    const std::span<const std::string_view> cells = next_cells();
    try {
      order_ = columns_of(cells);
    } catch (const InputError& error) {
      throw error_at(records_.name(), records_.line(), error.what());
    }
    cells_above_.resize(order_.size());
    has_statistics_ = std::ranges::any_of(
        order_, [](const Column* column) { return is_statistics_column(*column); });
  }

  /// Cells that are as in the row above need not be parsed again.
  void read_row(std::span<const std::string_view> cells) {
    if (cells.size() != order_.size())
      throw InputError(std::to_string(cells.size()) + " cells; expected " +
                       std::to_string(order_.size()));
    std::string_view id;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      if (order_[i] == &columns().front()) id = cells[i];
      if (count_ > 0 && cells[i] == cells_above_[i]) continue;
      try {
        order_[i]->parse(row_, cells[i]);
      } catch (const InputError& error) {
        throw InputError("column '" + std::string(order_[i]->name) + "': " + error.what());
      }
      cells_above_[i] = cells[i];
    }
    if (has_statistics_) check_statistics(cells);
    id_ = ids_.id_of(row_.where);
    if (!id.empty() && id != id_ && id != id_.substr(1))  // old files leave out the letter
      throw InputError("column 'case_id': '" + std::string(id) + "' belongs to another case than " +
                       command_of(row_.where));
  }

  void check_statistics(std::span<const std::string_view> cells) const {
    for (std::size_t i = 0; i < cells.size(); ++i)
      if (const Column& column = *order_[i];
          is_statistics_column(column) && !follows_from_summary(column) && cells[i].empty())
        throw InputError("column '" + std::string(column.name) + "': is empty");
    const SeedStatistics& statistics = *row_.over_seeds;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const Column& column = *order_[i];
      if (!is_statistics_column(column)) continue;
      if (std::string text = column.text(row_); cells[i] != text)
        throw InputError("column '" + std::string(column.name) + "': '" + std::string(cells[i]) +
                         "' is not what the summary of the row gives: " + text);
    }
    const bool fits = statistics.seeds.contains(row_.where.seed()) &&
                      std::ranges::all_of(statistics.metrics, [&](const MetricSummary& summary) {
                        return summary.errors.count() <= statistics.seeds.size();
                      });
    if (!fits) throw InputError("column 'seeds': its seeds are not those of the row");
  }

  /// While rows are sorted, a second row of a case follows the first. From the first row that is
  /// out of order on, the ids of all rows are kept.
  void check_unique() {
    if (!keeps_ids_) {
      const SharedCase where = identity_of(row_);
      const std::strong_ordering order = last_ <=> where;
      if (count_ > 0 && order == 0)
        throw InputError("repeats the case of line " + std::to_string(last_line_) + ": " +
                         command_of(row_.where));
      if (count_ == 0 || order < 0) {
        last_ = where;
        last_line_ = records_.line();
        return;
      }
      keeps_ids_ = true;
      kept_ids_ = ids_above();
    }
    kept_ids_.push_back(id());
  }

  Id id() const {
    std::uint64_t number = 0;
    const std::string id(row_.over_seeds ? case_id(identity_of(row_)) : std::string(id_));
    std::from_chars(id.data() + 1, id.data() + id.size(), number, 16);
    return {number, records_.line()};
  }

  /// Reads the rows above again.
  std::deque<Id> ids_above() const {
    State above(records_.again().value(), Duplicates::keep);
    std::deque<Id> ids;
    while (ids.size() < count_ && above.next() != nullptr) ids.push_back(above.id());
    return ids;
  }

  void check_kept_ids() {
    std::ranges::sort(kept_ids_);
    const auto twin = std::ranges::adjacent_find(kept_ids_, {}, &Id::number);
    if (twin == kept_ids_.end()) return;
    throw error_at(records_.name(), (twin + 1)->line,
                   fmt::format("repeats the case of line {}: {}", twin->line, name_of(*twin)));
  }

  /// The command of the case, or its id where the text cannot be read again.
  std::string name_of(const Id& id) const {
    if (std::optional<Records> records = records_.again()) {
      State rows(*std::move(records), Duplicates::keep);
      while (const Row* row = rows.next())
        if (rows.records_.line() == id.line) return command_of(row->where);
    }
    return fmt::format("x{:016x}", id.number);
  }

  Records records_;
  bool unique_;
  bool keeps_ids_;  ///< from the start where the text cannot be read again
  std::vector<const Column*> order_{};
  bool has_statistics_ = false;
  Row row_{};
  std::vector<std::string> cells_above_{};
  std::size_t count_ = 0;  ///< of rows before this one
  CaseIds ids_{};
  std::string_view id_{};      ///< of row_
  SharedCase last_{};          ///< of the row above, while rows are sorted
  std::size_t last_line_ = 0;  ///< its line
  std::deque<Id> kept_ids_{};
};

RowReader::RowReader(const std::filesystem::path& file, Duplicates duplicates)
    : state_(std::make_unique<State>(Records(TextReader(file), file.string()), duplicates)) {}

RowReader::RowReader(std::string_view text, std::string_view name, Duplicates duplicates)
    : state_(std::make_unique<State>(Records(TextReader(text, name), name), duplicates)) {}

RowReader::~RowReader() = default;
RowReader::RowReader(RowReader&&) noexcept = default;
RowReader& RowReader::operator=(RowReader&&) noexcept = default;

const Row* RowReader::next() {
  try {
    return state_->next();
  } catch (const InputError&) {
    state_->hash();  // throws of damaged compression, which may have made what looks malformed
    throw;
  }
}

std::string RowReader::hash() { return state_->hash(); }

std::vector<Record> parse_records(std::string_view text, std::string_view name) {
  std::vector<Record> all;
  Records records(TextReader(text, name), name);
  records.skip_comments();
  while (!records.at_end()) {
    const std::span<const std::string_view> cells = records.next();
    if (!all.empty() && cells.size() != all.front().cells.size())
      throw error_at(name, records.line(),
                     std::to_string(cells.size()) + " cells; expected " +
                         std::to_string(all.front().cells.size()));
    all.push_back({records.line(), {cells.begin(), cells.end()}});
  }
  return all;
}

std::vector<Row> parse_csv(std::string_view text, std::string_view name, Duplicates duplicates) {
  std::vector<Row> rows;
  NamePool names;
  RowReader reader(text, name, duplicates);
  while (const Row* row = reader.next()) {
    rows.push_back(*row);
    rows.back().where = names.shared(row->where);
  }
  return rows;
}

}  // namespace fftprec::results
