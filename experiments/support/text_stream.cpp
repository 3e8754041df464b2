#include "experiments/support/text_stream.hpp"

#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <new>
#include <string>
#include <utility>
#include <variant>

#include "arith/support/error.hpp"

namespace fftprec {

namespace {

constexpr std::size_t piece_bytes = std::size_t{1} << 17;

/// zlib's windowBits: 15 is the largest window, 16 more means a gzip header.
constexpr int gzip_window = 15 + 16;

const unsigned char* unsigned_bytes(std::string_view bytes) {
  return reinterpret_cast<const unsigned char*>(bytes.data());
}

struct GzipCompressor {
  GzipCompressor() {
    constexpr int usual_memory = 8;
    if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, gzip_window, usual_memory,
                     Z_DEFAULT_STRATEGY) != Z_OK)
      throw std::bad_alloc();
  }
  ~GzipCompressor() { deflateEnd(&stream); }
  GzipCompressor(const GzipCompressor&) = delete;
  GzipCompressor& operator=(const GzipCompressor&) = delete;

  /// Requires: at most piece_bytes of text.
  void put(std::string_view text, bool last, std::string& block, const Compressor::Sink& sink) {
    stream.next_in = const_cast<unsigned char*>(unsigned_bytes(text));
    stream.avail_in = static_cast<unsigned>(text.size());
    do {
      stream.next_out = reinterpret_cast<unsigned char*>(block.data());
      stream.avail_out = static_cast<unsigned>(block.size());
      deflate(&stream, last ? Z_FINISH : Z_NO_FLUSH);
      sink({block.data(), block.size() - stream.avail_out});
    } while (stream.avail_out == 0);
  }

  z_stream stream{};
};

struct ZstdCompressor {
  ZstdCompressor() : context(ZSTD_createCCtx()) {
    if (context == nullptr) throw std::bad_alloc();
    ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1);
  }
  ~ZstdCompressor() { ZSTD_freeCCtx(context); }
  ZstdCompressor(const ZstdCompressor&) = delete;
  ZstdCompressor& operator=(const ZstdCompressor&) = delete;

  void put(std::string_view text, bool last, std::string& block, const Compressor::Sink& sink) {
    ZSTD_inBuffer in{text.data(), text.size(), 0};
    for (bool all = false; !all;) {
      ZSTD_outBuffer out{block.data(), block.size(), 0};
      const std::size_t left =
          ZSTD_compressStream2(context, &out, &in, last ? ZSTD_e_end : ZSTD_e_continue);
      if (ZSTD_isError(left)) throw std::bad_alloc();  // the one error that valid calls leave
      sink({block.data(), out.pos});
      all = last ? left == 0 : in.pos == in.size;
    }
  }

  ZSTD_CCtx* context;
};

struct NoCompressor {
  void put(std::string_view text, bool, std::string&, const Compressor::Sink& sink) { sink(text); }
};

/// What a decoder says after a step.
struct Decoded {
  std::size_t read = 0;
  std::size_t written = 0;
  const char* damage = nullptr;
};

struct GzipDecoder {
  static constexpr const char* name = "gzip";

  GzipDecoder() {
    if (inflateInit2(&stream, gzip_window) != Z_OK) throw std::bad_alloc();
  }
  ~GzipDecoder() { inflateEnd(&stream); }
  GzipDecoder(const GzipDecoder&) = delete;
  GzipDecoder& operator=(const GzipDecoder&) = delete;

  Decoded decode(std::string_view in, std::string& out) {
    if (whole && !in.empty()) inflateReset(&stream);  // another member follows
    stream.next_in = const_cast<unsigned char*>(unsigned_bytes(in));
    stream.avail_in = static_cast<unsigned>(in.size());
    stream.next_out = reinterpret_cast<unsigned char*>(out.data());
    stream.avail_out = static_cast<unsigned>(out.size());
    const int result = whole && in.empty() ? Z_STREAM_END : inflate(&stream, Z_NO_FLUSH);
    whole = result == Z_STREAM_END;
    Decoded step{in.size() - stream.avail_in, out.size() - stream.avail_out, nullptr};
    if (result != Z_OK && result != Z_STREAM_END && result != Z_BUF_ERROR)
      step.damage = stream.msg != nullptr ? stream.msg : zError(result);
    return step;
  }

  z_stream stream{};
  bool whole = false;  ///< a member has just ended
};

struct ZstdDecoder {
  static constexpr const char* name = "zstd";

  ZstdDecoder() : context(ZSTD_createDCtx()) {
    if (context == nullptr) throw std::bad_alloc();
  }
  ~ZstdDecoder() { ZSTD_freeDCtx(context); }
  ZstdDecoder(const ZstdDecoder&) = delete;
  ZstdDecoder& operator=(const ZstdDecoder&) = delete;

  Decoded decode(std::string_view bytes, std::string& text) {
    ZSTD_inBuffer in{bytes.data(), bytes.size(), 0};
    ZSTD_outBuffer out{text.data(), text.size(), 0};
    if (whole && bytes.empty()) return {};
    const std::size_t result = ZSTD_decompressStream(context, &out, &in);
    whole = result == 0;
    return {in.pos, out.pos, ZSTD_isError(result) ? ZSTD_getErrorName(result) : nullptr};
  }

  ZSTD_DCtx* context;
  bool whole = false;  ///< a frame has just ended
};

Compression compression_of_bytes(std::string_view bytes) {
  if (bytes.starts_with("\x1f\x8b")) return Compression::gzip;
  const bool skippable = bytes.size() >= 4 && (bytes[0] & 0xf0) == 0x50 &&
                         bytes.substr(1, 3) == "\x2a\x4d\x18";  // as pzstd begins
  return skippable || bytes.starts_with("\x28\xb5\x2f\xfd") ? Compression::zstd : Compression::none;
}

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};

}  // namespace

Compression compression_of(const std::filesystem::path& path) {
  const std::filesystem::path end = path.extension();
  if (end == ".gz") return Compression::gzip;
  return end == ".zst" ? Compression::zstd : Compression::none;
}

struct Compressor::State {
  std::variant<NoCompressor, GzipCompressor, ZstdCompressor> method{};
  std::string block = std::string(piece_bytes, '\0');
  Sink sink;

  void put(std::string_view text, bool last) {
    std::visit([&](auto& compressor) { compressor.put(text, last, block, sink); }, method);
  }
};

Compressor::Compressor(Compression compression, Sink sink) : state_(std::make_unique<State>()) {
  if (compression == Compression::gzip) state_->method.emplace<GzipCompressor>();
  if (compression == Compression::zstd) state_->method.emplace<ZstdCompressor>();
  state_->sink = [put = std::move(sink)](std::string_view bytes) {
    if (!bytes.empty()) put(bytes);
  };
}

Compressor::~Compressor() = default;
Compressor::Compressor(Compressor&&) noexcept = default;
Compressor& Compressor::operator=(Compressor&&) noexcept = default;

void Compressor::write(std::string_view text) {
  for (; !text.empty(); text.remove_prefix(std::min(text.size(), piece_bytes)))
    state_->put(text.substr(0, piece_bytes), false);
}

void Compressor::finish() { state_->put({}, true); }

TextWriter::TextWriter(const std::filesystem::path& path)
    : file_(std::make_unique<OutputFile>(path)),
      compressor_(compression_of(path),
                  [file = file_.get()](std::string_view bytes) { file->write(bytes); }) {}

void TextWriter::finish() {
  compressor_.finish();
  file_->finish();
}

void replace_text(const std::filesystem::path& path, std::string_view text) {
  TextWriter writer(path);
  writer.write(text);
  writer.finish();
}

struct TextReader::State {
  std::filesystem::path path{};  ///< of a file; empty for bytes in memory
  std::string_view all{};        ///< the bytes in memory
  std::string name{};
  std::unique_ptr<std::FILE, CloseFile> file{};
  std::string block{};              ///< bytes of the file
  std::string_view left{};          ///< those that are still to be decoded
  std::uint64_t bytes_decoded = 0;  ///< of the file
  std::string text = std::string(piece_bytes, '\0');
  bool more_is_ready = false;  ///< text that did not fit
  std::variant<std::monostate, GzipDecoder, ZstdDecoder> decoder{};
  std::optional<InputError> damage{};  ///< after which the decoder is not asked again

  InputError error(const std::string& what) const { return InputError(name + ": " + what); }

  InputError damaged(const std::string& what) { return damage.emplace(error(what)); }

  InputError unreadable() const {
    return error(std::string("cannot be read: ") + std::strerror(errno));
  }

  void open_file() {
    file.reset(std::fopen(path.c_str(), "rb"));
    if (!file) throw unreadable();
    block.resize(piece_bytes);
    read_block();
  }

  void read_block() {
    left = {};
    if (!file) return;
    const std::size_t count = std::fread(block.data(), 1, block.size(), file.get());
    if (count == 0 && std::ferror(file.get())) throw unreadable();
    left = std::string_view(block).substr(0, count);
  }

  void recognise() {
    const Compression compression = compression_of_bytes(left);
    if (compression == Compression::gzip) decoder.emplace<GzipDecoder>();
    if (compression == Compression::zstd) decoder.emplace<ZstdDecoder>();
  }

  std::string_view next() {
    if (damage) throw *damage;
    return std::visit([this](auto& method) { return next(method); }, decoder);
  }

  std::string_view next(std::monostate) {
    if (left.empty()) read_block();
    const std::string_view piece = left.substr(0, piece_bytes);
    left.remove_prefix(piece.size());
    return piece;
  }

  template <class Decoder>
  std::string_view next(Decoder& method) {
    while (true) {
      if (left.empty() && !more_is_ready) read_block();
      if (left.empty() && !more_is_ready) {
        if (!method.whole)
          throw damaged(std::string("the ") + method.name + " data are cut off after byte " +
                        std::to_string(bytes_decoded));
        return {};
      }
      const Decoded step = method.decode(left.substr(0, piece_bytes), text);
      left.remove_prefix(step.read);
      bytes_decoded += step.read;
      if (step.damage != nullptr)
        throw damaged(std::string("the ") + method.name + " data are damaged at byte " +
                      std::to_string(bytes_decoded) + ": " + step.damage);
      more_is_ready = step.written == text.size();
      if (step.written > 0) return std::string_view(text).substr(0, step.written);
    }
  }
};

TextReader::TextReader(const std::filesystem::path& path) : state_(std::make_unique<State>()) {
  state_->path = path;
  state_->name = path.string();
  state_->open_file();
  state_->recognise();
}

TextReader::TextReader(std::string_view bytes, std::string_view name)
    : state_(std::make_unique<State>()) {
  state_->all = state_->left = bytes;
  state_->name = name;
  state_->recognise();
}

TextReader::~TextReader() = default;
TextReader::TextReader(TextReader&&) noexcept = default;
TextReader& TextReader::operator=(TextReader&&) noexcept = default;

std::string_view TextReader::next() { return state_->next(); }

std::optional<TextReader> TextReader::again() const {
  if (!state_->file) return TextReader(state_->all, state_->name);
  if (!std::filesystem::is_regular_file(state_->path)) return std::nullopt;
  return TextReader(state_->path);
}

std::string read_text(const std::filesystem::path& path) {
  TextReader reader(path);
  std::string text;
  for (std::string_view piece = reader.next(); !piece.empty(); piece = reader.next()) text += piece;
  return text;
}

}  // namespace fftprec
