#include "experiments/files/words.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <string>
#include <utility>

#include "algorithms/arithmetic/modes.hpp"
#include "arith/splitting/residues.hpp"
#include "arith/support/error.hpp"
#include "experiments/support/decimal.hpp"
#include "experiments/support/files.hpp"
#include "experiments/support/printable.hpp"

namespace fftprec {

namespace {

struct NamedLayout {
  std::string_view name;
  WordLayout layout;
};

constexpr std::array<NamedLayout, 4> layouts = {{{"interleaved", WordLayout::interleaved},
                                                 {"packed", WordLayout::packed},
                                                 {"split", WordLayout::split},
                                                 {"real", WordLayout::real}}};

struct NamedInteger {
  std::string_view name;
  std::size_t bytes;
};

constexpr std::string_view exponents_header = "first,re,im\n";

constexpr std::array<NamedInteger, 4> integer_names = {
    {{"int8", 1}, {"int16", 2}, {"int32", 4}, {"int64", 8}}};

std::string range_of(const Format& format) {
  return to_string(format) + ", " + exact_number(min_finite(format)) + " .. " +
         exact_number(max_finite(format)) + " in steps of 2^" +
         std::to_string(quantum_exponent(format));
}

/// The word with the lowest bits of `bits`.
std::int64_t extended(std::uint64_t bits, const Format& format) {
  const int width = width_of(format);
  const bool negative = format.grid == Grid::fixed && (bits >> (width - 1) & 1) != 0;
  return static_cast<std::int64_t>(negative && width < 64 ? bits - (std::uint64_t{1} << width)
                                                          : bits);
}

std::uint64_t low_bits(std::int64_t word, int width) {
  return static_cast<std::uint64_t>(word) & ((std::uint64_t{1} << width) - 1);
}

// Text.

InputError bad_line(const std::string& name, std::size_t line, const std::string& what) {
  return InputError(name + ":" + std::to_string(line) + ": " + what);
}

/// A word of a file, with the line that it is on.
template <class Number>
struct PlacedNumber {
  Number number;
  std::size_t line;
};

/// PartWords between blanks and line ends, comments left out.
class HexReader {
 public:
  HexReader(std::string_view text, const std::string& name) : text_(text), name_(name) {}

  /// The words of `width` bits, with two parts if `packed`.
  std::vector<PlacedNumber<Uint128>> words(int width, bool packed) {
    std::vector<PlacedNumber<Uint128>> all;
    while (skip_blanks()) {
      const std::string_view token = take_token();
      if (token.front() == '@')
        check_address(token.substr(1), all.size());
      else
        all.push_back({number(token, width, packed), line_});
    }
    return all;
  }

 private:
  static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

  /// Whether there is anything after blanks and comments.
  bool skip_blanks() {
    while (at_ < text_.size()) {
      const std::string_view rest = text_.substr(at_);
      if (rest.starts_with("//")) {
        at_ = std::min(text_.find('\n', at_), text_.size());
      } else if (rest.starts_with("/*")) {
        const std::size_t end = text_.find("*/", at_ + 2);
        if (end == text_.npos) throw bad_line(name_, line_, "the comment has no end");
        line_ += static_cast<std::size_t>(std::ranges::count(text_.substr(at_, end - at_), '\n'));
        at_ = end + 2;
      } else if (is_blank(text_[at_])) {
        line_ += text_[at_] == '\n' ? 1 : 0;
        ++at_;
      } else {
        return true;
      }
    }
    return false;
  }

  std::string_view take_token() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && !is_blank(text_[at_]) && text_[at_] != '/') ++at_;
    if (at_ == begin) throw bad_line(name_, line_, "'/' begins no comment");
    return text_.substr(begin, at_ - begin);
  }

  InputError bad_token(std::string_view token, const std::string& why) const {
    return bad_line(name_, line_, "'" + printable(token, 40) + "' " + why);
  }

  void check_address(std::string_view digits, std::size_t next) const {
    std::size_t address = 0;
    const char* const end = digits.data() + digits.size();
    const auto [stop, error] = std::from_chars(digits.data(), end, address, 16);
    if (error != std::errc{} || stop != end) throw bad_token(digits, "is no hexadecimal address");
    if (address != next)
      throw bad_line(name_, line_,
                     "address " + std::to_string(address) + " follows " + std::to_string(next) +
                         " words: words are left out or twice");
  }

  Uint128 number(std::string_view token, int width, bool packed) const {
    if (token.front() == ':')
      throw bad_token(token, "is a record of Intel HEX; words stand one a line, as for $readmemh");
    const int all = packed ? 2 * width : width;
    Uint128 value = 0;
    int digits = 0;
    for (const char c : token) {
      if (c == '_') continue;
      const char small = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
      if (small == 'x' || small == 'z')
        throw bad_token(token, "has the digit '" + std::string(1, c) + "', which is undefined");
      const int digit = small >= '0' && small <= '9'   ? small - '0'
                        : small >= 'a' && small <= 'f' ? small - 'a' + 10
                                                       : -1;
      if (digit < 0) throw bad_token(token, "is no hexadecimal number");
      if (++digits > 32) throw bad_token(token, "has more than 32 digits");
      value = value << 4 | static_cast<unsigned>(digit);
    }
    if (digits == 0) throw bad_token(token, "has no digits");
    const Uint128 above = value >> all;
    const int more = std::max(4 * digits - all, 0);
    const bool continues =
        !packed && above == (Uint128{1} << more) - 1 && (value >> (all - 1) & 1) != 0;
    if (above != 0 && !continues)
      throw bad_token(token, "has more than " + std::to_string(all) + " bits");
    return continues ? value & ((Uint128{1} << all) - 1) : value;
  }

  std::string_view text_;
  const std::string& name_;
  std::size_t at_ = 0;
  std::size_t line_ = 1;
};

/// The whole numbers of the lines of a .csv file, `columns` in each. Names may stand in the first.
std::vector<PlacedNumber<std::int64_t>> csv_numbers(std::string_view text, const std::string& name,
                                                    std::size_t columns) {
  std::vector<PlacedNumber<std::int64_t>> numbers;
  std::size_t line = 0;
  while (!text.empty()) {
    ++line;
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view row = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (row.ends_with('\r')) row.remove_suffix(1);
    if (row.find_first_not_of(" \t") == row.npos) continue;
    const bool has_names = line == 1 && row.find_first_of("0123456789") == row.npos;
    std::size_t cells = 0;
    for (std::string_view rest = row;; ++cells) {
      const std::size_t comma = std::min(rest.find(','), rest.size());
      std::string_view cell = rest.substr(0, comma);
      cell.remove_prefix(std::min(cell.find_first_not_of(" \t"), cell.size()));
      cell = cell.substr(0, cell.find_last_not_of(" \t") + 1);
      std::int64_t number = 0;
      const char* const last = cell.data() + cell.size();
      const auto [stop, error] = std::from_chars(cell.data(), last, number);
      if (!has_names && (error != std::errc{} || stop != last))
        throw bad_line(name, line, "'" + printable(cell, 40) + "' is no whole number");
      if (!has_names) numbers.push_back({number, line});
      if (comma == rest.size()) break;
      rest.remove_prefix(comma + 1);
    }
    if (cells + 1 != columns)
      throw bad_line(name, line,
                     "has " + counted(cells + 1, "number") + ", not " + std::to_string(columns));
  }
  return numbers;
}

/// The parts of one file, by their words.
struct PartWords {
  std::vector<std::int64_t> re{};
  std::vector<std::int64_t> im{};
  std::vector<std::size_t> shape{};  ///< of an array
};

/// Takes words to parts, one after the other.
class Sorter {
 public:
  Sorter(const WordForm& form, std::string name) : form_(form), name_(std::move(name)) {}

  void add(std::int64_t word, std::size_t line) {
    try {
      value_of_word(word, form_.format);
    } catch (const InputError& error) {
      throw line > 0 ? bad_line(name_, line, error.what())
                     : InputError(name_ + ": word " + std::to_string(count_) + ": " + error.what());
    }
    const bool is_re = form_.layout != WordLayout::interleaved || count_ % 2 == 0;
    (is_re ? words_.re : words_.im).push_back(word);
    ++count_;
  }
  void add_packed(Uint128 both) {
    const int width = width_of(form_.format);
    const Uint128 mask = (Uint128{1} << width) - 1;
    words_.re.push_back(extended(static_cast<std::uint64_t>(both >> width & mask), form_.format));
    words_.im.push_back(extended(static_cast<std::uint64_t>(both & mask), form_.format));
  }
  PartWords finish(std::vector<std::size_t> shape) {
    require(form_.layout != WordLayout::interleaved || count_ % 2 == 0, name_, ": ",
            std::to_string(count_),
            " words are no pairs of a real and an imaginary part; numbers without imaginary parts "
            "have the layout real");
    words_.shape = std::move(shape);
    return std::move(words_);
  }

 private:
  const WordForm& form_;
  std::string name_;
  PartWords words_{};
  std::size_t count_ = 0;
};

PartWords words_of_array(std::string_view bytes, const std::string& name, const WordForm& form) {
  IntegerArray array = parse_integer_npy(bytes, name);
  Sorter sorter(form, name);
  const int width = width_of(form.format);
  if (form.layout == WordLayout::packed) {
    require(2 * width <= 64, name, ": two parts of ", to_string(form.format),
            " do not fit an integer of 64 bits");
    for (const std::int64_t number : array.numbers)
      sorter.add_packed(static_cast<std::uint64_t>(number));
  } else {
    for (const std::int64_t number : array.numbers) sorter.add(number, 0);
  }
  if (form.layout == WordLayout::interleaved) {
    if (!array.shape.empty() && array.shape.back() == 2 && array.shape.size() > 1)
      array.shape.pop_back();
    else if (!array.shape.empty())
      array.shape.back() /= 2;
  }
  return sorter.finish(std::move(array.shape));
}

PartWords words_of_text(std::string_view text, const std::string& name, const WordForm& form,
                        bool is_csv) {
  Sorter sorter(form, name);
  const bool packed = form.layout == WordLayout::packed;
  if (is_csv) {
    require(!packed, name,
            ": a .csv file holds no packed words; layouts of .csv: interleaved, "
            "split, real");
    const std::size_t columns = form.layout == WordLayout::interleaved ? 2 : 1;
    for (const auto& [number, line] : csv_numbers(text, name, columns)) sorter.add(number, line);
  } else {
    for (const auto& [bits, line] : HexReader(text, name).words(width_of(form.format), packed)) {
      if (packed)
        sorter.add_packed(bits);
      else
        sorter.add(extended(static_cast<std::uint64_t>(bits), form.format), line);
    }
  }
  return sorter.finish({});
}

void check_fixed(const Format& format) {
  require(format.is_fixed(), "words are of fixed point, as q1.15, not ", to_string(format));
}

/// The exponents of value i.
std::pair<int, int> exponents_at(const WordForm& form, std::size_t i) {
  if (!form.exponents) return {0, 0};
  const std::size_t block = i / form.exponents->size;
  return {form.exponents->re[block], form.exponents->im[block]};
}

/// `place` begins the message.
void check_exponents(const WordForm& form, std::size_t count, const std::string& place) {
  if (!form.exponents) return;
  const std::size_t size = form.exponents->size;
  const std::size_t blocks = form.exponents->re.size();
  require(size > 0 && blocks == form.exponents->im.size() &&
              blocks == count / size + (count % size > 0 ? 1 : 0),
          place, counted(blocks, "exponent"), " of blocks of ", counted(size, "value"),
          " are for another number of values than ", std::to_string(count));
}

std::string hex_line(std::uint64_t re, std::uint64_t im, int width, bool packed) {
  const int bits = packed ? 2 * width : width;
  Uint128 word = packed ? Uint128{re} << width | im : Uint128{re};
  std::string line(static_cast<std::size_t>((bits + 3) / 4), '0');
  for (std::size_t i = line.size(); i-- > 0; word >>= 4)
    line[i] = "0123456789abcdef"[static_cast<unsigned>(word & 15)];
  return line + "\n";
}

std::string integers_of(const std::vector<std::int64_t>& numbers, std::vector<std::size_t> shape,
                        int width, std::size_t bytes) {
  const std::size_t least = width <= 8 ? 1 : width <= 16 ? 2 : width <= 32 ? 4 : 8;
  require(width <= 64, "words of ", std::to_string(width), " bits do not fit an integer of 64");
  require(bytes == 0 || bytes >= least, "words of ", std::to_string(width), " bits do not fit int",
          std::to_string(8 * bytes));
  return integer_npy_bytes({numbers, std::move(shape)}, bytes == 0 ? least : bytes);
}

/// One file of words: of pairs if `im` is there.
std::string text_of_words(const PartWords& words, const std::filesystem::path& name,
                          const WordForm& form, std::size_t bytes) {
  const int width = width_of(form.format);
  const bool packed = form.layout == WordLayout::packed;
  const bool pairs = form.layout == WordLayout::interleaved;
  const std::string ending = name.extension().string();
  const std::size_t count = words.re.size();
  if (ending == ".npy") {
    std::vector<std::int64_t> numbers = words.re;
    std::vector<std::size_t> shape = words.shape.empty() ? std::vector{count} : words.shape;
    if (packed)
      for (std::size_t i = 0; i < count && 2 * width <= 64; ++i)
        numbers[i] = extended(low_bits(words.re[i], width) << width | low_bits(words.im[i], width),
                              fixed_format(1, 2 * width - 1));
    if (pairs) {
      numbers.clear();
      for (std::size_t i = 0; i < count; ++i)
        numbers.insert(numbers.end(), {words.re[i], words.im[i]});
      shape.push_back(2);
    }
    return integers_of(numbers, std::move(shape), packed ? 2 * width : width, bytes);
  }
  std::string text;
  if (ending == ".csv") {
    require(!packed,
            "a .csv file holds no packed words; layouts of .csv: interleaved, split, real");
    text = pairs ? "re,im\n" : "word\n";
    for (std::size_t i = 0; i < count; ++i)
      text += std::to_string(words.re[i]) + (pairs ? "," + std::to_string(words.im[i]) : "") + "\n";
    return text;
  }
  if (ending == ".mem")
    text = "// " + std::to_string(packed ? 2 * width : width) + " bits, " + to_string(form.format) +
           ", " + std::string(name_of(form.layout)) + "\n";
  for (std::size_t i = 0; i < count; ++i) {
    text += hex_line(low_bits(words.re[i], width),
                     words.im.empty() ? 0 : low_bits(words.im[i], width), width, packed);
    if (pairs) text += hex_line(low_bits(words.im[i], width), 0, width, false);
  }
  return text;
}

}  // namespace

WordLayout word_layout_named(std::string_view name) {
  return item_named(layouts, "layout of words", name).layout;
}

std::string_view name_of(WordLayout layout) {
  return layouts[static_cast<std::size_t>(layout)].name;
}

std::int64_t word_of_value(double value, const Format& format, int exponent) {
  check_fixed(format);
  const double own = std::ldexp(value, -exponent);
  const double steps = std::ldexp(own, -quantum_exponent(format));
  require(steps == std::trunc(steps) && own >= min_finite(format) && own <= max_finite(format),
          exact_number(value), exponent == 0 ? "" : " 2^-(" + std::to_string(exponent) + ")",
          " is no value of ", range_of(format));
  return extended(code_of_value(own, format), format);
}

double value_of_word(std::int64_t word, const Format& format, int exponent) {
  check_fixed(format);
  const double own = std::ldexp(static_cast<double>(word), quantum_exponent(format));
  require(own >= min_finite(format) && own <= max_finite(format), "word ", std::to_string(word),
          " is beyond ", to_string(format), ", which has ", std::to_string(width_of(format)),
          " bits", format.grid == Grid::fixed ? "" : " without a sign");
  return std::ldexp(own, exponent);
}

bool is_word_file(const std::filesystem::path& path) {
  const std::string ending = path.extension().string();
  return ending == ".hex" || ending == ".mem" || ending == ".csv";
}

std::size_t bytes_of_integer(std::string_view dtype) {
  const auto found = std::ranges::find(integer_names, dtype, &NamedInteger::name);
  return found == integer_names.end() ? 0 : found->bytes;
}

std::vector<std::filesystem::path> files_of_words(const std::filesystem::path& name,
                                                  WordLayout layout) {
  if (layout != WordLayout::split) return {name};
  std::vector<std::filesystem::path> files;
  for (const char* part : {"_re", "_im"}) {
    std::filesystem::path file = name;
    file.replace_filename(name.stem().string() + part + name.extension().string());
    files.push_back(std::move(file));
  }
  return files;
}

Samples parse_words(const std::vector<std::string>& contents, const std::filesystem::path& name,
                    const WordForm& form) {
  check_fixed(form.format);
  const std::vector<std::filesystem::path> files = files_of_words(name, form.layout);
  std::vector<PartWords> parts;
  for (std::size_t i = 0; i < files.size(); ++i) {
    const std::string file = files[i].string();
    parts.push_back(is_word_file(name)
                        ? words_of_text(contents[i], file, form, name.extension() == ".csv")
                        : words_of_array(contents[i], file, form));
  }
  PartWords words = std::move(parts.front());
  if (form.layout == WordLayout::split) {
    words.im = std::move(parts.back().re);
    require(words.im.size() == words.re.size(), files[0].string(), " and ", files[1].string(),
            " hold ", std::to_string(words.re.size()), " and ", std::to_string(words.im.size()),
            " words");
  }
  const std::size_t count = words.re.size();
  require(count > 0, name.string(), ": holds no words");
  check_exponents(form, count, name.string() + ": ");
  if (words.shape.empty()) words.shape = {count};
  Samples samples{.values = ComplexArray<double>(count),
                  .shape = std::move(words.shape),
                  .dtype = to_string(form.format),
                  .format = form.format};
  for (std::size_t i = 0; i < count; ++i) {
    const auto [re, im] = exponents_at(form, i);
    samples.values.re[i] = value_of_word(words.re[i], form.format, re);
    if (!words.im.empty()) samples.values.im[i] = value_of_word(words.im[i], form.format, im);
  }
  return samples;
}

std::vector<std::string> word_contents(const ComplexArray<double>& values,
                                       const std::filesystem::path& name, const WordForm& form,
                                       const std::vector<std::size_t>& shape, std::size_t bytes) {
  check_exponents(form, values.size(), "");
  PartWords words{.shape = shape};
  const bool real = form.layout == WordLayout::real;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto [re, im] = exponents_at(form, i);
    try {
      words.re.push_back(word_of_value(values.re[i], form.format, re));
      if (!real) words.im.push_back(word_of_value(values.im[i], form.format, im));
      require(!real || values.im[i] == 0, "the imaginary part ", exact_number(values.im[i]),
              " has no place in words of real numbers");
    } catch (const InputError& error) {
      throw InputError("value " + std::to_string(i) + ": " + error.what());
    }
  }
  if (form.layout != WordLayout::split) return {text_of_words(words, name, form, bytes)};
  return {text_of_words({.re = std::move(words.re), .shape = shape}, name, form, bytes),
          text_of_words({.re = std::move(words.im), .shape = shape}, name, form, bytes)};
}

void write_word_files(const ComplexArray<double>& values, const std::filesystem::path& name,
                      const WordForm& form, const std::vector<std::size_t>& shape,
                      std::size_t bytes) {
  std::vector<std::string> contents;
  try {
    contents = word_contents(values, name, form, shape, bytes);
  } catch (const InputError& error) {
    throw InputError(name.string() + ": " + error.what());
  }
  const std::vector<std::filesystem::path> files = files_of_words(name, form.layout);
  for (std::size_t i = 0; i < files.size(); ++i) replace_file(files[i], contents[i]);
  const std::filesystem::path exponents = exponents_beside(name);
  if (form.exponents)
    replace_file(exponents, exponents_csv(*form.exponents));
  else if (std::filesystem::is_regular_file(exponents) &&
           read_file(exponents).starts_with(exponents_header))
    std::filesystem::remove(exponents);
}

std::optional<Format> word_format_of(std::string_view mode) {
  if (mode.empty()) return std::nullopt;
  try {
    const Mode found = mode_named(mode);
    if (const auto* fixed = found.as<FixedScheme>()) return fixed->storage;
    const auto* blocks = found.as<BlockScheme>();
    if (blocks == nullptr) return std::nullopt;
    const Format& element = blocks->block.element;
    if (element != integer_element(element.precision + 1)) return std::nullopt;
    return fixed_format(2, element.precision - 1);
  } catch (const InputError&) {
    return std::nullopt;
  }
}

std::optional<WordForm> word_form_named(const NamedWords& names, std::string_view mode) {
  const std::optional<Format> format =
      names.format.empty() ? word_format_of(mode) : format_named(names.format);
  if (!format) {
    require(names.layout.empty() && names.exponents.empty(),
            "layout and exponents are of words: name their format, as q1.15");
    return std::nullopt;
  }
  check_fixed(*format);
  WordForm form{.format = *format};
  if (!names.layout.empty()) form.layout = word_layout_named(names.layout);
  if (!names.exponents.empty())
    form.exponents = parse_exponents(read_file(names.exponents), names.exponents);
  return form;
}

std::optional<WordForm> input_words(const NamedWords& names, std::string_view mode, bool is_real) {
  std::optional<WordForm> form = word_form_named(names, mode);
  if (form && names.layout.empty() && is_real) form->layout = WordLayout::real;
  return form;
}

std::optional<WordForm> result_words(const NamedWords& names, std::string_view mode, bool is_real) {
  std::optional<WordForm> form = input_words(names, mode, is_real);
  if (form && form->layout == WordLayout::real && !is_real) form->layout = WordLayout::interleaved;
  return form;
}

std::filesystem::path exponents_beside(const std::filesystem::path& name) {
  std::filesystem::path path = name;
  return path.replace_extension(".exponents.csv");
}

std::string exponents_file(const std::filesystem::path& name, const std::string& named) {
  if (!named.empty()) return named;
  const std::filesystem::path beside = exponents_beside(name);
  return std::filesystem::exists(beside) ? beside.string() : "";
}

std::string exponents_csv(const BlockExponents& exponents) {
  std::string text(exponents_header);
  for (std::size_t i = 0; i < exponents.re.size(); ++i)
    text += std::to_string(i * exponents.size) + "," + std::to_string(exponents.re[i]) + "," +
            std::to_string(exponents.im[i]) + "\n";
  return text;
}

BlockExponents parse_exponents(std::string_view csv, std::string_view name) {
  constexpr int most = 1000;
  BlockExponents exponents;
  const std::vector<PlacedNumber<std::int64_t>> cells = csv_numbers(csv, std::string(name), 3);
  require(!cells.empty(), name, ": holds no exponents");
  for (std::size_t i = 0; i < cells.size(); i += 3) {
    const std::size_t block = i / 3;
    if (block == 1)
      exponents.size = static_cast<std::size_t>(std::max<std::int64_t>(cells[i].number, 1));
    for (std::size_t j = 1; j <= 2; ++j)
      if (std::abs(cells[i + j].number) > most)
        throw bad_line(std::string(name), cells[i].line, "an exponent is not in -1000 .. 1000");
    if (cells[i].number != static_cast<std::int64_t>(block * exponents.size))
      throw bad_line(std::string(name), cells[i].line,
                     "block " + std::to_string(block) + " begins at " +
                         std::to_string(cells[i].number) + ", not at " +
                         std::to_string(block * exponents.size) + ": blocks are of one size");
    exponents.re.push_back(static_cast<int>(cells[i + 1].number));
    exponents.im.push_back(static_cast<int>(cells[i + 2].number));
  }
  if (exponents.re.size() == 1) exponents.size = static_cast<std::size_t>(-1);
  return exponents;
}

}  // namespace fftprec
