#include <sndfile.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>
#include <vector>

#include "arith/support/error.hpp"
#include "experiments/files/sample_files.hpp"

namespace fftprec {
namespace {

InputError bad_wav(std::string_view name, const std::string& what) {
  return InputError(std::string(name) + ": " + what);
}

std::size_t size_at(std::string_view bytes, std::size_t at) {
  std::size_t size = 0;
  for (std::size_t i = 0; i < 4; ++i)
    size |= std::size_t{static_cast<unsigned char>(bytes[at + i])} << (8 * i);
  return size;
}

/// The number of bytes in the data chunk. libsndfile takes a chunk that ends beyond the file for a
/// shorter one, so it is looked for here.
std::size_t data_bytes(std::string_view bytes, std::string_view name) {
  constexpr std::size_t chunk_header = 8;  // four letters and a size
  std::size_t at = 12;                     // behind RIFF, a size, WAVE
  while (bytes.size() >= chunk_header && at <= bytes.size() - chunk_header) {
    const std::size_t size = size_at(bytes, at + 4);
    const std::size_t there = bytes.size() - at - chunk_header;
    if (bytes.substr(at).starts_with("data")) {
      if (size > there)
        throw bad_wav(name, "is cut short: its data take " + std::to_string(size) + " bytes, " +
                                std::to_string(there) + " are there");
      return size;
    }
    at += chunk_header + size + size % 2;
  }
  throw bad_wav(name, "is cut short: it has no data chunk");
}

/// The bytes of a file as libsndfile reads them.
struct WavBytes {
  std::string_view bytes;
  sf_count_t at = 0;
};

SF_VIRTUAL_IO memory_io() {
  SF_VIRTUAL_IO io{};
  io.get_filelen = [](void* user) {
    return static_cast<sf_count_t>(static_cast<WavBytes*>(user)->bytes.size());
  };
  io.seek = [](sf_count_t offset, int whence, void* user) {
    auto& memory = *static_cast<WavBytes*>(user);
    const auto size = static_cast<sf_count_t>(memory.bytes.size());
    const sf_count_t base = whence == SEEK_SET ? 0 : whence == SEEK_CUR ? memory.at : size;
    memory.at = std::clamp<sf_count_t>(base + offset, 0, size);
    return memory.at;
  };
  io.read = [](void* to, sf_count_t count, void* user) {
    auto& memory = *static_cast<WavBytes*>(user);
    const auto rest = static_cast<sf_count_t>(memory.bytes.size()) - memory.at;
    const sf_count_t taken = std::clamp<sf_count_t>(count, 0, rest);
    std::memcpy(to, memory.bytes.data() + memory.at, static_cast<std::size_t>(taken));
    memory.at += taken;
    return taken;
  };
  io.write = [](const void*, sf_count_t, void*) { return sf_count_t{0}; };
  io.tell = [](void* user) { return static_cast<WavBytes*>(user)->at; };
  return io;
}

std::size_t sample_bytes(const SF_INFO& info, std::string_view name) {
  switch (info.format & SF_FORMAT_SUBMASK) {
    case SF_FORMAT_PCM_U8:
      return 1;
    case SF_FORMAT_PCM_16:
      return 2;
    case SF_FORMAT_PCM_24:
      return 3;
    case SF_FORMAT_PCM_32:
    case SF_FORMAT_FLOAT:
      return 4;
    case SF_FORMAT_DOUBLE:
      return 8;
    default:
      break;
  }
  SF_FORMAT_INFO format{};
  format.format = info.format & SF_FORMAT_SUBMASK;
  const bool named = sf_command(nullptr, SFC_GET_FORMAT_INFO, &format, sizeof format) == 0;
  throw bad_wav(name, std::string("is a WAV file of ") + (named ? format.name : "unknown") +
                          " samples; known: PCM of 8, 16, 24 or 32 bits, float and double");
}

}  // namespace

Samples parse_wav(std::string_view bytes, std::string_view name, std::size_t channel) {
  if (!is_wav(bytes)) throw bad_wav(name, "is no WAV file: it does not begin with RIFF and WAVE");
  const std::size_t data = data_bytes(bytes, name);
  WavBytes memory{bytes};
  SF_VIRTUAL_IO io = memory_io();
  SF_INFO info{};
  const std::unique_ptr<SNDFILE, decltype(&sf_close)> file(
      sf_open_virtual(&io, SFM_READ, &info, &memory), &sf_close);
  if (!file) throw bad_wav(name, std::string("cannot be read as WAV: ") + sf_strerror(nullptr));

  const auto channels = static_cast<std::size_t>(info.channels);
  const std::size_t frame_bytes = sample_bytes(info, name) * channels;
  if (data == 0) throw bad_wav(name, "holds no samples");
  if (data % frame_bytes != 0)
    throw bad_wav(name, "is damaged: its " + std::to_string(data) +
                            " bytes of data are no whole number of samples, which take " +
                            std::to_string(frame_bytes) + " bytes in all channels");
  const std::size_t frames = data / frame_bytes;
  if (channel >= channels)
    throw bad_wav(name, "has no channel " + std::to_string(channel) + "; it has " +
                            std::to_string(channels) + ", counted from 0");

  Samples samples{ComplexArray<double>(frames), {frames}};
  constexpr std::size_t block_frames = 4096;
  std::vector<double> block(std::min(block_frames, frames) * channels);
  for (std::size_t first = 0; first < frames; first += block_frames) {
    const std::size_t count = std::min(block_frames, frames - first);
    const auto wanted = static_cast<sf_count_t>(count);
    if (sf_readf_double(file.get(), block.data(), wanted) != wanted)
      throw bad_wav(name, "cannot be read to its end: " + std::string(sf_strerror(file.get())));
    for (std::size_t i = 0; i < count; ++i) {
      const double value = block[i * channels + channel];
      if (!std::isfinite(value))
        throw bad_wav(name, "sample " + std::to_string(first + i) + " is infinite or not a number");
      samples.values.re[first + i] = value;
    }
  }
  return samples;
}

std::string sndfile_version() {
  const std::string_view text = sf_version_string();  // with the name before it
  return std::string(text.substr(text.find('-') + 1));
}

}  // namespace fftprec
