#include "reports/results/csv.hpp"

#include <algorithm>
#include <ostream>

#include "arith/error.hpp"
#include "experiments/columns.hpp"
#include "experiments/files.hpp"

namespace fftprec {

namespace {

void append_cell(std::string& line, std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) {
    line += text;
    return;
  }
  line += '"';
  for (const char c : text) {
    if (c == '"') line += '"';
    line += c;
  }
  line += '"';
}

InputError error_at(std::string_view name, std::size_t line, const std::string& message) {
  return InputError(std::string(name) + ":" + std::to_string(line) + ": " + message);
}

/// Cuts CSV text into records; a quoted cell may hold line ends.
class Records {
 public:
  Records(std::string_view text, std::string_view name) : text_(text), name_(name) {}

  bool at_end() const { return position_ == text_.size(); }
  std::size_t line() const { return first_line_; }  ///< where the last record began
  bool torn() const { return torn_; }               ///< the last record has no line end

  std::vector<std::string> next() {
    first_line_ = line_;
    std::vector<std::string> cells;
    do cells.push_back(cell());
    while (take(','));
    take('\r');
    torn_ = !take('\n');
    if (torn_ && !at_end()) throw error_at(name_, line_, "text after a closing quote");
    return cells;
  }

 private:
  bool take(char wanted) {
    if (at_end() || text_[position_] != wanted) return false;
    if (wanted == '\n') ++line_;
    ++position_;
    return true;
  }

  std::string cell() {
    if (take('"')) return quoted();
    std::size_t end = text_.find_first_of(",\n", position_);
    if (end == std::string_view::npos) end = text_.size();
    std::string_view plain = text_.substr(position_, end - position_);
    if (end < text_.size() && text_[end] == '\n' && plain.ends_with('\r')) plain.remove_suffix(1);
    position_ += plain.size();
    if (plain.find('"') != std::string_view::npos)
      throw error_at(name_, line_, "a quote within an unquoted cell");
    return std::string(plain);
  }

  /// The rest of a quoted cell. Without its closing quote the text is at its end, so the record
  /// is torn.
  std::string quoted() {
    std::string cell;
    while (!at_end()) {
      const char c = text_[position_];
      take(c);
      if (c == '"' && !take('"')) return cell;
      cell += c;
    }
    return cell;
  }

  std::string_view text_;
  std::string_view name_;
  std::size_t position_ = 0;
  std::size_t line_ = 1;
  std::size_t first_line_ = 1;
  bool torn_ = false;
};

/// The columns that the header names, in its order.
std::vector<const Column*> columns_of(const std::vector<std::string>& header) {
  std::vector<const Column*> order;
  for (const std::string& column_name : header) {
    const Column& column = column_named(column_name);
    if (std::find(order.begin(), order.end(), &column) != order.end())
      throw InputError("column '" + column_name + "' appears twice");
    order.push_back(&column);
  }
  for (const Column& column : columns())
    if (std::find(order.begin(), order.end(), &column) == order.end())
      throw InputError("column '" + std::string(column.name) + "' is missing");
  return order;
}

/// Requires as many cells as columns.
Row row_of(const std::vector<std::string>& cells, const std::vector<const Column*>& order) {
  Row row;
  std::string id;
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (order[i]->name == "case_id") id = cells[i];
    try {
      order[i]->parse(row, cells[i]);
    } catch (const InputError& error) {
      throw InputError("column '" + std::string(order[i]->name) + "': " + error.what());
    }
  }
  if (!id.empty() && id != case_id(row.where))
    throw InputError("column 'case_id': '" + id + "' belongs to another case than " +
                     command_of(row.where));
  return row;
}

}  // namespace

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
    append_cell(line, column.text(row));
  }
  return line + '\n';
}

void write_csv(std::ostream& stream, std::span<const Row> rows) {
  // write() and not <<: a stream's width and locale have no say here.
  const auto put = [&stream](const std::string& line) {
    stream.write(line.data(), static_cast<std::streamsize>(line.size()));
  };
  put(csv_header());
  for (const Row& row : rows) put(to_csv(row));
}

std::vector<Row> parse_csv(std::string_view text, std::string_view name) {
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  if (text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
  std::vector<Row> rows;
  std::vector<const Column*> order;
  Records records(text, name);
  if (records.at_end())
    throw error_at(name, 1, "the file is empty; expected the line of column names");
  while (!records.at_end()) {
    const std::vector<std::string> cells = records.next();
    if (records.torn())
      throw error_at(name, records.line(), "the last line has no end: the file is cut off");
    try {
      if (order.empty()) {
        order = columns_of(cells);
        continue;
      }
      if (cells.size() != order.size())
        throw InputError(std::to_string(cells.size()) + " cells; expected " +
                         std::to_string(order.size()));
      rows.push_back(row_of(cells, order));
    } catch (const InputError& error) {
      throw error_at(name, records.line(), error.what());
    }
  }
  return rows;
}

std::vector<Row> read_csv(const std::filesystem::path& path) {
  return parse_csv(read_file(path), path.string());
}

}  // namespace fftprec
