#include "reports/results/csv.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <unordered_map>
#include <utility>

#include "arith/support/error.hpp"
#include "experiments/cases/columns.hpp"
#include "experiments/support/decimal.hpp"

namespace fftprec::results {

namespace {

InputError error_at(std::string_view name, std::size_t line, const std::string& message) {
  return InputError(std::string(name) + ":" + std::to_string(line) + ": " + message);
}

/// Cuts CSV text into records; a quoted cell may hold line ends.
class Records {
 public:
  Records(std::string_view text, std::string_view name) : text_(text), name_(name) {}

  /// Lines at the beginning that start with #.
  void skip_comments() {
    while (!at_end() && text_[position_] == '#') {
      position_ = std::min(text_.find('\n', position_), text_.size());
      take('\n');
    }
  }

  bool at_end() const { return position_ == text_.size(); }
  std::size_t line() const { return first_line_; }  ///< where the last record began
  bool torn() const { return torn_; }               ///< the last record has no line end

  /// The cells of the next record, until the one after it is asked for.
  const std::vector<std::string>& next() {
    first_line_ = line_;
    std::size_t count = 0;
    do {
      if (count == cells_.size()) cells_.emplace_back();
      read_cell(cells_[count++]);
    } while (take(','));
    cells_.resize(count);
    take('\r');
    torn_ = !take('\n');
    if (torn_ && !at_end()) throw error_at(name_, line_, "text after a closing quote");
    return cells_;
  }

 private:
  bool take(char wanted) {
    if (at_end() || text_[position_] != wanted) return false;
    if (wanted == '\n') ++line_;
    ++position_;
    return true;
  }

  void read_cell(std::string& cell) {
    if (take('"')) return read_quoted(cell);
    std::size_t end = position_;
    while (end < text_.size() && text_[end] != ',' && text_[end] != '\n') {
      if (text_[end] == '"') throw error_at(name_, line_, "a quote within an unquoted cell");
      ++end;
    }
    std::string_view plain = text_.substr(position_, end - position_);
    if (end < text_.size() && text_[end] == '\n' && plain.ends_with('\r')) plain.remove_suffix(1);
    position_ += plain.size();
    cell = plain;
  }

  /// The rest of a quoted cell. Without its closing quote the text is at its end, so the record
  /// is torn.
  void read_quoted(std::string& cell) {
    cell.clear();
    while (!at_end()) {
      const char c = text_[position_];
      take(c);
      if (c == '"' && !take('"')) return;
      cell += c;
    }
  }

  std::string_view text_;
  std::string_view name_;
  std::size_t position_ = 0;
  std::size_t line_ = 1;
  std::size_t first_line_ = 1;
  bool torn_ = false;
  std::vector<std::string> cells_;  ///< kept, so that their memory serves every record
};

/// The columns that the header names, in its order.
std::vector<const Column*> columns_of(const std::vector<std::string>& header) {
  std::vector<const Column*> order;
  for (const std::string& column_name : header) {
    const Column& column = column_named(column_name);
    if (std::ranges::find(order, &column) != order.end())
      throw InputError("column '" + column_name + "' appears twice");
    order.push_back(&column);
  }
  for (const Column& column : columns())
    if (!column.later && std::ranges::find(order, &column) == order.end())
      throw InputError("column '" + std::string(column.name) + "' is missing");
  return order;
}

struct ReadRow {
  Row row;
  std::string id;  ///< its case_id
};

/// Requires as many cells as columns. `where` is a case with which it may share names.
ReadRow row_of(const std::vector<std::string>& cells, const std::vector<const Column*>& order,
               const SharedCase& where) {
  Row row{.where = where};
  std::string id;
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (order[i]->name == "case_id") id = cells[i];
    try {
      order[i]->parse(row, cells[i]);
    } catch (const InputError& error) {
      throw InputError("column '" + std::string(order[i]->name) + "': " + error.what());
    }
  }
  std::string own = case_id(row.where);
  if (!id.empty() && id != own && id != own.substr(1))  // old files leave out the letter
    throw InputError("column 'case_id': '" + id + "' belongs to another case than " +
                     command_of(row.where));
  return {std::move(row), std::move(own)};
}

/// On which line each case stands, where each may stand on one only.
class Lines {
 public:
  explicit Lines(Duplicates duplicates) : check_(duplicates == Duplicates::refuse) {}

  void add(const ReadRow& read, std::size_t line) {
    if (!check_) return;
    std::uint64_t id = 0;  // as a number: hashed and kept in half the time
    std::from_chars(read.id.data() + 1, read.id.data() + read.id.size(), id, 16);
    const auto [known, is_new] = line_of_.try_emplace(id, line);
    if (!is_new)
      throw InputError("repeats the case of line " + std::to_string(known->second) + ": " +
                       command_of(read.row.where));
  }

 private:
  bool check_;
  std::unordered_map<std::uint64_t, std::size_t> line_of_;
};

/// As a cell from which the very text is read back.
std::string quoted(std::string text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string cell = "\"";
  for (const char c : text) {
    if (c == '"') cell += '"';
    cell += c;
  }
  return cell + '"';
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

std::string csv_header() {
  std::string line;
  for (const Column& column : columns()) {
    if (!line.empty()) line += ',';
    line += column.name;
  }
  return line + '\n';
}

std::string to_csv(const Row& row) {
  std::string line;
  for (const Column& column : columns()) {
    if (&column != columns().data()) line += ',';
    line += quoted(column.text(row));
  }
  return line + '\n';
}

std::string csv_text(std::span<const Row> rows) {
  std::string text = csv_header();
  for (const Row& row : rows) text += to_csv(row);
  return text;
}

std::string csv_text(const std::map<SharedCase, Row>& rows) {
  std::string text = csv_header();
  for (const auto& [where, row] : rows) text += to_csv(row);
  return text;
}

std::vector<Record> parse_records(std::string_view text, std::string_view name) {
  std::vector<Record> all;
  Records records(text, name);
  records.skip_comments();
  while (!records.at_end()) {
    const std::vector<std::string>& cells = records.next();
    if (!all.empty() && cells.size() != all.front().cells.size())
      throw error_at(name, records.line(),
                     std::to_string(cells.size()) + " cells; expected " +
                         std::to_string(all.front().cells.size()));
    all.push_back({records.line(), cells});
  }
  return all;
}

std::vector<Row> parse_csv(std::string_view text, std::string_view name, Duplicates duplicates) {
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  if (text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
  std::vector<Row> rows;
  std::vector<const Column*> order;
  Lines lines(duplicates);
  NamePool names;
  Records records(text, name);
  records.skip_comments();
  if (records.at_end())
    throw error_at(name, 1, "the file is empty; expected the line of column names");
  while (!records.at_end()) {
    const std::vector<std::string>& cells = records.next();
    if (records.torn())
      throw error_at(name, records.line(), "the last line has no end: the file is cut off");
    try {
      if (order.empty()) {
        order = columns_of(cells);
        rows.reserve(static_cast<std::size_t>(std::ranges::count(text, '\n')));
        continue;
      }
      if (cells.size() != order.size())
        throw InputError(std::to_string(cells.size()) + " cells; expected " +
                         std::to_string(order.size()));
      ReadRow read = row_of(cells, order, rows.empty() ? SharedCase() : rows.back().where);
      lines.add(read, records.line());
      read.row.where = names.shared(read.row.where);
      rows.push_back(std::move(read.row));
    } catch (const InputError& error) {
      throw error_at(name, records.line(), error.what());
    }
  }
  return rows;
}

}  // namespace fftprec::results
