#include "experiments/files/file_values.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <compare>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "arith/formats/complex_array.hpp"
#include "arith/support/error.hpp"
#include "experiments/files/sample_files.hpp"
#include "experiments/files/words.hpp"
#include "experiments/support/files.hpp"
#include "experiments/support/hash.hpp"
#include "experiments/support/lru_cache.hpp"
#include "experiments/support/printable.hpp"

namespace fftprec {
namespace {

constexpr std::size_t largest_file_bytes = std::size_t{1} << 31;

/// What changes when the file does: device, number, size and time of change.
struct Stamp {
  std::uint64_t device;
  std::uint64_t inode;
  std::uint64_t size;
  std::int64_t seconds;
  std::int64_t nanoseconds;

  friend auto operator<=>(const Stamp&, const Stamp&) = default;
};

/// Opening what is no regular file could wait for ever, so it is looked at first.
Stamp checked_stamp(const std::filesystem::path& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0)
    throw InputError(path.string() + ": cannot be read: " + std::strerror(errno));
  if (!S_ISREG(status.st_mode))
    throw InputError(path.string() + ": is " +
                     (S_ISDIR(status.st_mode) ? "a directory" : "no regular file") +
                     "; expected a .npy, WAV, .hex, .mem or .csv file");
  const auto size = static_cast<std::uint64_t>(status.st_size);
  if (size == 0)
    throw InputError(path.string() + ": is empty; expected a .npy, WAV, .hex, .mem or .csv file");
  if (size > largest_file_bytes)
    throw InputError(path.string() + ": has " + std::to_string(size) + " bytes; at most " +
                     std::to_string(largest_file_bytes) + " are read");
  return {status.st_dev, status.st_ino, size, status.st_mtim.tv_sec, status.st_mtim.tv_nsec};
}

/// The form with its exponents, if it lacks them and they lie beside the words.
WordForm with_exponents(WordForm form, const std::filesystem::path& name) {
  if (form.exponents) return form;
  if (const std::string file = exponents_file(name); !file.empty())
    form.exponents = parse_exponents(read_file(file), file);
  return form;
}

/// `contents`: those of files_of_words, or of one other file.
Samples parsed(const std::vector<std::string>& contents, const std::string& name,
               std::size_t channel, const NpyReading& how) {
  const std::string& bytes = contents.front();
  if (is_word_file(name)) {
    require(how.words.has_value(), name,
            ": holds words of fixed point: name their format, as in words=q1.15 or --words q1.15");
    return parse_words(contents, name, with_exponents(*how.words, name));
  }
  if (how.words && is_npy(bytes) && (contents.size() > 1 || is_integer_npy(bytes, name)))
    return parse_words(contents, name, with_exponents(*how.words, name));
  if (is_wav(bytes)) return parse_wav(bytes, name, channel);
  if (!is_npy(bytes)) {
    const bool zip = bytes.starts_with("PK");
    throw InputError(name + ": is neither a .npy nor a WAV file" +
                     (zip ? " but an archive, as .npz is; save one array with numpy.save"
                          : "; it begins with '" + printable(bytes.substr(0, 12)) + "'"));
  }
  if (channel != 0) throw InputError(name + ": an array has no channels; channel is a key of WAV");
  return parse_npy(bytes, name, how);
}

struct Locator {
  std::string path;
  std::size_t offset = 0;
  std::size_t channel = 0;
  std::string dtype{};
  std::string words{};      ///< the format of integers
  std::string layout{};     ///< of words; empty: interleaved
  std::string exponents{};  ///< the file of their exponents
  std::string hash{};       ///< what the file's content must have; empty: any
};

InputError bad_locator(std::string_view text, const std::string& what) {
  return InputError("'" + std::string(file_kind) + std::string(text) + "': " + what);
}

/// Every %XX of `text` replaced by its byte.
std::string decoded(std::string_view text, std::string_view locator) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      result += text[i];
      continue;
    }
    const std::string_view digits = text.substr(i + 1, 2);
    unsigned char byte = 0;
    const char* const end = digits.data() + digits.size();
    const auto [stop, error] = std::from_chars(digits.data(), end, byte, 16);
    if (digits.size() != 2 || error != std::errc{} || stop != end || byte == 0)
      throw bad_locator(locator, "'%" + std::string(digits) +
                                     "' is no byte %01 .. %FF; a '%' itself is written %25");
    result += static_cast<char>(byte);
    i += 2;
  }
  return result;
}

void assign(std::string_view text, std::string_view locator, Locator& result) {
  const std::size_t equals = std::min(text.find('='), text.size());
  const std::string_view key = text.substr(0, equals);
  for (const auto& [name, value] :
       {std::pair{"dtype", &Locator::dtype}, std::pair{"words", &Locator::words},
        std::pair{"layout", &Locator::layout}, std::pair{"exponents", &Locator::exponents}})
    if (key == name && equals < text.size()) {
      result.*value = decoded(text.substr(equals + 1), locator);
      return;
    }
  if (key != "offset" && key != "channel" && key != "hash") {
    const std::string where = "key of '" + std::string(file_kind) + std::string(locator) + "'";
    throw unknown_name(where, key,
                       {"offset", "channel", "dtype", "words", "layout", "exponents", "hash"});
  }
  const std::string_view number = text.substr(std::min(equals + 1, text.size()));
  if (key == "hash") {
    if (number.size() != 16 || number.find_first_not_of("0123456789abcdef") != number.npos)
      throw bad_locator(locator, std::string(text) + " is not 16 hexadecimal digits");
    result.hash = number;
    return;
  }
  std::size_t& value = key == "offset" ? result.offset : result.channel;
  const char* const end = number.data() + number.size();
  const auto [stop, error] = std::from_chars(number.data(), end, value);
  if (error != std::errc{} || stop != end)
    throw bad_locator(locator, std::string(text) + " is no integer from 0 on");
}

Locator locator_named(std::string_view text) {
  const std::size_t question = text.find('?');
  Locator locator{decoded(text.substr(0, question), text)};
  if (locator.path.empty()) throw bad_locator(text, "has no path; expected file:PATH");
  if (question == std::string_view::npos) return locator;
  for (std::string_view rest = text.substr(question + 1);;) {
    const std::size_t separator = rest.find('&');
    assign(rest.substr(0, separator), text, locator);
    if (separator == std::string_view::npos) return locator;
    rest.remove_prefix(separator + 1);
  }
}

/// The form of the words, but for their exponents.
std::optional<WordForm> word_form(const Locator& locator) {
  return word_form_named({.format = locator.words, .layout = locator.layout});
}

/// The file of exponents that belongs to a locator's words, or "".
std::string exponents_of(const Locator& locator, bool has_words) {
  return has_words ? exponents_file(locator.path, locator.exponents) : locator.exponents;
}

/// All files that a locator names: those of its values, then that of exponents.
std::vector<std::filesystem::path> files_of(const Locator& locator,
                                            const std::optional<WordForm>& words) {
  std::vector<std::filesystem::path> files =
      files_of_words(locator.path, words ? words->layout : WordLayout::interleaved);
  if (const std::string exponents = exponents_of(locator, words.has_value()); !exponents.empty())
    files.emplace_back(exponents);
  return files;
}

/// Whether its words are pairs.
bool is_interleaved(const Locator& locator) {
  const std::optional<WordForm> words = word_form(locator);
  return words && words->layout == WordLayout::interleaved;
}

struct FileContent {
  Samples samples;
  std::string hash;  ///< of all bytes of the file, or of its files
};

FileContent content_of(const Locator& locator) {
  std::optional<WordForm> words = word_form(locator);
  std::vector<std::string> contents;
  TextHash hash;
  for (const std::filesystem::path& file : files_of(locator, words)) {
    contents.push_back(read_file(file));
    hash.add(contents.back());
  }
  if (const std::string exponents = exponents_of(locator, words.has_value()); !exponents.empty()) {
    require(words.has_value(), locator.path,
            ": exponents are of words: name their format by words");
    words->exponents = parse_exponents(contents.back(), exponents);
    contents.pop_back();
  }
  return {parsed(contents, locator.path, locator.channel,
                 {.dtype = locator.dtype, .words = std::move(words)}),
          hash.digits()};
}

}  // namespace

class FileMemory {
 public:
  std::shared_ptr<const FileContent> get(const Locator& locator) {
    std::vector<Stamp> stamps;
    std::size_t size = 0;
    for (const std::filesystem::path& file : files_of(locator, word_form(locator))) {
      stamps.push_back(checked_stamp(file));
      size += stamps.back().size;
    }
    const std::vector<std::string> names{locator.path, locator.dtype, locator.words, locator.layout,
                                         locator.exponents};
    return kept_.get({names, locator.channel, stamps}, std::max(size, least_bytes),
                     [&] { return content_of(locator); });
  }

 private:
  using Key = std::tuple<std::vector<std::string>, std::size_t, std::vector<Stamp>>;
  static constexpr std::size_t capacity_bytes = std::size_t{1} << 27;  // decoded up to 16 times
  static constexpr std::size_t least_bytes = std::size_t{1} << 20;     // so 128 files at most

  LruCache<Key, FileContent> kept_{capacity_bytes};
};

std::shared_ptr<FileMemory> file_memory() { return std::make_shared<FileMemory>(); }

namespace {

std::shared_ptr<const FileContent> checked_file(const Locator& locator, FileMemory* memory) {
  auto content = memory ? memory->get(locator) : FileMemory().get(locator);
  if (!locator.hash.empty() && locator.hash != content->hash)
    throw InputError(locator.path + ": has changed: its content has the hash " + content->hash +
                     ", the case needs " + locator.hash);
  const std::size_t size = content->samples.values.size();
  if (locator.offset >= size)
    throw InputError(locator.path + ": offset " + std::to_string(locator.offset) +
                     " is beyond its " + std::to_string(size) + " values");
  return content;
}

}  // namespace

Samples read_samples(const std::filesystem::path& path, std::size_t channel,
                     const NpyReading& how) {
  std::vector<std::string> contents;
  for (const std::filesystem::path& file :
       files_of_words(path, how.words ? how.words->layout : WordLayout::interleaved)) {
    checked_stamp(file);
    contents.push_back(read_file(file));
  }
  return parsed(contents, path.string(), channel, how);
}

ComplexArray<double> file_input(std::string_view locator, std::size_t n, std::size_t batch,
                                FileMemory* memory) {
  const Locator where = locator_named(locator);
  const auto content = checked_file(where, memory);
  const ComplexArray<double>& all = content->samples.values;
  const std::size_t there = all.size() - where.offset;
  if (batch > there / n)
    throw NotApplicable(where.path + ": " + std::to_string(n) + " * " + std::to_string(batch) +
                        " values are needed from offset " + std::to_string(where.offset) +
                        " on, but " + std::to_string(there) + " are there" +
                        (is_interleaved(where) ? "; if its words are of real numbers, say "
                                                 "layout=real"
                                               : ""));
  return part_of(all, where.offset, n * batch);
}

NamedSamples file_array(std::string_view locator, FileMemory* memory) {
  const Locator where = locator_named(locator);
  if (where.offset != 0 || where.channel != 0)
    throw bad_locator(
        locator, "the whole array is taken: keys are dtype, words, layout, exponents and hash");
  const auto content = checked_file(where, memory);
  return {where.path, {content, &content->samples}};
}

namespace {

std::string encoded(const std::string& text) {
  std::string name;
  for (const char byte : text) {
    const bool special = std::string_view("%?&,{}[]() '").find(byte) != std::string_view::npos;
    constexpr std::string_view digits = "0123456789ABCDEF";
    const auto code = static_cast<unsigned char>(byte);
    name += special ? std::string{'%', digits[code / 16], digits[code % 16]} : std::string(1, byte);
  }
  return name;
}

}  // namespace

std::string file_input_name(const std::filesystem::path& path) {
  return std::string(file_kind) + encoded(path.string());
}

std::string word_keys(const WordForm& form, const std::filesystem::path& exponents) {
  return "words=" + to_string(form.format) + "&layout=" + std::string(name_of(form.layout)) +
         (exponents.empty() ? "" : "&exponents=" + encoded(exponents.string()));
}

std::string path_of_file(std::string_view name) {
  const std::string_view locator = name.substr(file_kind.size());
  return locator_named(locator.substr(0, locator.find('?'))).path;
}

void check_file_input(std::string_view locator, FileMemory* memory) {
  checked_file(locator_named(locator), memory);
}

std::string with_file_hash(const std::string& name, FileMemory* memory) {
  if (!name.starts_with(file_kind)) return name;
  const Locator locator = locator_named(std::string_view(name).substr(file_kind.size()));
  if (!locator.hash.empty()) return name;
  const bool has_keys = name.find('?') != std::string::npos;
  return name + (has_keys ? '&' : '?') + "hash=" + checked_file(locator, memory)->hash;
}

std::string without_file_hash(const std::string& name) {
  const std::size_t key = name.find("hash=", name.find('?'));
  if (!name.starts_with(file_kind) || key == std::string::npos) return name;
  const std::size_t end = std::min(name.find('&', key), name.size());
  // The separator before the key goes with it, or the one behind it if others follow.
  return end == name.size() ? name.substr(0, key - 1) : name.substr(0, key) + name.substr(end + 1);
}

}  // namespace fftprec
