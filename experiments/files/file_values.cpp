#include "experiments/files/file_values.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <compare>
#include <cstdint>
#include <cstring>
#include <string>
#include <tuple>

#include "arith/formats/complex_array.hpp"
#include "arith/support/error.hpp"
#include "experiments/files/sample_files.hpp"
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
                     "; expected a .npy or WAV file");
  const auto size = static_cast<std::uint64_t>(status.st_size);
  if (size == 0) throw InputError(path.string() + ": is empty; expected a .npy or WAV file");
  if (size > largest_file_bytes)
    throw InputError(path.string() + ": has " + std::to_string(size) + " bytes; at most " +
                     std::to_string(largest_file_bytes) + " are read");
  return {status.st_dev, status.st_ino, size, status.st_mtim.tv_sec, status.st_mtim.tv_nsec};
}

Samples parsed(const std::string& bytes, const std::string& name, std::size_t channel,
               const NpyReading& how = {}) {
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
  std::string hash{};  ///< what the file's content must have; empty: any
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
  if (key == "dtype" && equals < text.size()) {
    result.dtype = text.substr(equals + 1);
    return;
  }
  if (key != "offset" && key != "channel" && key != "hash") {
    const std::string where = "key of '" + std::string(file_kind) + std::string(locator) + "'";
    throw unknown_name(where, key, {"offset", "channel", "dtype", "hash"});
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

struct FileContent {
  Samples samples;
  std::string hash;  ///< of all bytes of the file
};

}  // namespace

class FileMemory {
 public:
  std::shared_ptr<const FileContent> get(const Locator& locator) {
    const Stamp stamp = checked_stamp(locator.path);
    return kept_.get({locator.path, locator.channel, locator.dtype, stamp},
                     std::max<std::size_t>(stamp.size, least_bytes), [&] {
                       const std::string bytes = read_file(locator.path);
                       return FileContent{
                           parsed(bytes, locator.path, locator.channel, {.dtype = locator.dtype}),
                           text_hash(bytes)};
                     });
  }

 private:
  using Key = std::tuple<std::string, std::size_t, std::string, Stamp>;
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
  checked_stamp(path);
  return parsed(read_file(path), path.string(), channel, how);
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
                        " on, but " + std::to_string(there) + " are there");
  return part_of(all, where.offset, n * batch);
}

NamedSamples file_array(std::string_view locator, FileMemory* memory) {
  const Locator where = locator_named(locator);
  if (where.offset != 0 || where.channel != 0 || !where.dtype.empty())
    throw bad_locator(locator, "the whole array is taken: the only key is hash");
  const auto content = checked_file(where, memory);
  return {where.path, {content, &content->samples}};
}

std::string file_input_name(const std::filesystem::path& path) {
  std::string name(file_kind);
  for (const char byte : path.string()) {
    const bool special = std::string_view("%?,{}[]() '").find(byte) != std::string_view::npos;
    constexpr std::string_view digits = "0123456789ABCDEF";
    const auto code = static_cast<unsigned char>(byte);
    name += special ? std::string{'%', digits[code / 16], digits[code % 16]} : std::string(1, byte);
  }
  return name;
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
