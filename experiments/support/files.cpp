#include "experiments/support/files.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

#include "arith/support/error.hpp"

namespace fftprec {

std::string read_file(const std::filesystem::path& path) {
  const auto failed = [&path] {
    return InputError(path.string() + ": cannot be read: " + std::strerror(errno));
  };
  const auto close = [](std::FILE* file) { std::fclose(file); };
  const std::unique_ptr<std::FILE, decltype(close)> file(std::fopen(path.c_str(), "rb"), close);
  if (!file) throw failed();
  std::string text;
  std::string block(1 << 16, '\0');
  while (const std::size_t count = std::fread(block.data(), 1, block.size(), file.get()))
    text.append(block, 0, count);
  if (std::ferror(file.get())) throw failed();
  return text;
}

}  // namespace fftprec
