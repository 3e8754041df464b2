#include "experiments/inputs/inputs_file.hpp"

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
#include "experiments/inputs/sample_files.hpp"
#include "experiments/support/files.hpp"
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
};

InputError bad_locator(std::string_view text, const std::string& what) {
  return InputError("input 'file:" + std::string(text) + "': " + what);
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
  if (key != "offset" && key != "channel") {
    const std::string where = "key of input 'file:" + std::string(locator) + "'";
    throw unknown_name(where, key, {"offset", "channel", "dtype"});
  }
  const std::string_view number = text.substr(std::min(equals + 1, text.size()));
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

/// The file of a locator, from a cache: every case that uses it asks for it.
std::shared_ptr<const Samples> samples_of(const Locator& locator) {
  using Key = std::tuple<std::string, std::size_t, std::string, Stamp>;
  constexpr std::size_t capacity_bytes = std::size_t{1} << 27;  // of files; decoded up to 16 times
  static LruCache<Key, Samples> cache(capacity_bytes);
  const Stamp stamp = checked_stamp(locator.path);
  return cache.get(Key{locator.path, locator.channel, locator.dtype, stamp}, stamp.size, [&] {
    return parsed(read_file(locator.path), locator.path, locator.channel, {.dtype = locator.dtype});
  });
}

std::shared_ptr<const Samples> checked_samples(const Locator& locator) {
  auto samples = samples_of(locator);
  const std::size_t size = samples->values.size();
  if (locator.offset >= size)
    throw InputError(locator.path + ": offset " + std::to_string(locator.offset) +
                     " is beyond its " + std::to_string(size) + " values");
  return samples;
}

}  // namespace

Samples read_samples(const std::filesystem::path& path, std::size_t channel,
                     const NpyReading& how) {
  checked_stamp(path);
  return parsed(read_file(path), path.string(), channel, how);
}

ComplexArray<double> file_input(std::string_view locator, std::size_t n, std::size_t batch) {
  const Locator where = locator_named(locator);
  const auto samples = checked_samples(where);
  const ComplexArray<double>& all = samples->values;
  const std::size_t there = all.size() - where.offset;
  if (batch > there / n)
    throw NotApplicable(where.path + ": " + std::to_string(n) + " * " + std::to_string(batch) +
                        " values wanted from offset " + std::to_string(where.offset) + " on, " +
                        std::to_string(there) + " are there");
  return part_of(all, where.offset, n * batch);
}

std::string file_input_name(const std::filesystem::path& path) {
  std::string name = "file:";
  for (const char byte : path.string()) {
    const bool special = std::string_view("%?,{}[]() '").find(byte) != std::string_view::npos;
    constexpr std::string_view digits = "0123456789ABCDEF";
    const auto code = static_cast<unsigned char>(byte);
    name += special ? std::string{'%', digits[code / 16], digits[code % 16]} : std::string(1, byte);
  }
  return name;
}

void check_file_input(std::string_view locator) { checked_samples(locator_named(locator)); }

}  // namespace fftprec
