/// Runs the products of `fftprec probe` on tensor cores, by one instruction:
///
///   probe INSTRUCTION DIR
///
/// Writes DIR/NAME/D.npy beside each A.npy; `fftprec identify DIR` reads them.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <limits>
#include <optional>

#include "npy.hpp"
#include "tiles.hpp"

namespace fftprec::probe {
namespace {

/// The bits of x, or nothing where the format has no such number.
std::optional<std::uint32_t> encode(const Operand& format, float x) {
  const std::uint32_t sign_bit = 1u << (format.exponent_bits + format.fraction_bits);
  const std::uint32_t top = ((1u << format.exponent_bits) - 1) << format.fraction_bits;
  std::uint32_t magnitude = 0;
  if (std::isnan(x)) {
    magnitude = sign_bit - 1;
  } else if (std::isinf(x)) {
    if (!format.infinities) return std::nullopt;
    magnitude = top;
  } else if (x != 0) {
    const int exponent = std::max(std::ilogb(x), format.smallest_exponent());
    const double scaled =
        std::ldexp(std::abs(static_cast<double>(x)), format.fraction_bits - exponent);
    const int field = exponent - format.smallest_exponent();
    if (scaled != std::floor(scaled) || field >= 1 << format.exponent_bits) return std::nullopt;
    // The leading bit of a normal number counts the field up by one.
    magnitude = (static_cast<std::uint32_t>(field) << format.fraction_bits) +
                static_cast<std::uint32_t>(scaled);
    if (magnitude >= (format.infinities ? top : sign_bit - 1)) return std::nullopt;
  }
  return (magnitude | (std::signbit(x) ? sign_bit : 0u)) << format.ignored_bits();
}

/// The value of an accumulator, fp32 or fp16.
float decode(const Operand& format, std::uint32_t bits) {
  if (format.storage_bits == 32) return std::bit_cast<float>(bits);
  const std::uint32_t fraction = bits & 0x3ffu;
  const int field = static_cast<int>(bits >> 10 & 0x1fu);
  float magnitude = 0;
  if (field == 31)
    magnitude = fraction == 0 ? std::numeric_limits<float>::infinity()
                              : std::numeric_limits<float>::quiet_NaN();
  else
    magnitude = std::ldexp(static_cast<float>(field == 0 ? fraction : fraction + 1024u),
                           std::max(field, 1) - 25);
  return bits >> 15 != 0 ? -magnitude : magnitude;
}

std::uint32_t encoded(const Operand& format, const Matrix& matrix, std::size_t i, std::size_t j) {
  const float x = matrix.values[i * matrix.columns + j];
  const std::optional<std::uint32_t> bits = encode(format, x);
  if (!bits)
    throw std::runtime_error("element (" + std::to_string(i) + ", " + std::to_string(j) +
                             ") = " + std::to_string(x) + " is no " + std::string(format.name));
  return *bits;
}

std::size_t tiles_of(std::size_t size, std::size_t tile) { return (size + tile - 1) / tile; }

/// Rows of A, or columns of B, in tiles of `tile` of them; what a tile has too much is zero.
template <class Bits>
std::vector<std::uint32_t> packed(const Instruction& instruction, std::size_t count,
                                  std::size_t depth, std::size_t tile, const Bits& bits) {
  const auto k = static_cast<std::size_t>(instruction.k);
  const auto words = static_cast<std::size_t>(instruction.words());
  const std::size_t steps = tiles_of(depth, k);
  const std::size_t per_word = k / words;
  std::vector<std::uint32_t> result(tiles_of(count, tile) * steps * tile * words);
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t l = 0; l < depth; ++l) {
      const std::size_t place = ((i / tile * steps + l / k) * tile + i % tile) * words;
      result[place + l % k / per_word] |= bits(i, l) << (l % per_word * 32 / per_word);
    }
  return result;
}

Matrix product(const Instruction& instruction, const Matrix& a, const Matrix& b, const Matrix* c) {
  if (a.columns != b.rows || (c != nullptr && (c->rows != a.rows || c->columns != b.columns)))
    throw std::runtime_error("the shapes of A, B and C do not fit");
  const auto rows = static_cast<std::size_t>(instruction.rows());
  constexpr std::size_t columns = tile_columns;
  Tiles tiles{tiles_of(a.rows, rows),
              tiles_of(b.columns, columns),
              tiles_of(a.columns, static_cast<std::size_t>(instruction.k)),
              packed(instruction, a.rows, a.columns, rows,
                     [&](std::size_t i, std::size_t l) { return encoded(instruction.a, a, i, l); }),
              packed(instruction, b.columns, b.rows, columns,
                     [&](std::size_t j, std::size_t l) { return encoded(instruction.b, b, l, j); }),
              {}};
  tiles.c.resize(tiles.row_tiles * tiles.column_tiles * rows * columns);
  const auto place = [&](std::size_t i, std::size_t j) {
    return ((i / rows * tiles.column_tiles + j / columns) * rows + i % rows) * columns +
           j % columns;
  };
  Matrix d{a.rows, b.columns, std::vector<float>(a.rows * b.columns)};
  for (std::size_t i = 0; c != nullptr && i < d.rows; ++i)
    for (std::size_t j = 0; j < d.columns; ++j)
      tiles.c[place(i, j)] = encoded(instruction.accumulator, *c, i, j);

  const std::vector<std::uint32_t> result = run(instruction, tiles);

  for (std::size_t i = 0; i < d.rows; ++i)
    for (std::size_t j = 0; j < d.columns; ++j)
      d.values[i * d.columns + j] = decode(instruction.accumulator, result[place(i, j)]);
  return d;
}

/// Returns: the number of products.
std::size_t answer(const Instruction& instruction, const std::filesystem::path& directory) {
  std::size_t answered = 0;
  for (const auto& entry : std::filesystem::directory_iterator(directory)) {
    const std::string folder = entry.path().string();
    if (!std::filesystem::exists(folder + "/A.npy")) continue;
    std::filesystem::remove(folder + "/D.npy");
    const bool with_c = std::filesystem::exists(folder + "/C.npy");
    try {
      const Matrix c = with_c ? read_npy(folder + "/C.npy") : Matrix{};
      if (std::any_of(c.values.begin(), c.values.end(),
                      [&](float x) { return !encode(instruction.accumulator, x); })) {
        std::printf("%s: left out, C is no %s\n", folder.c_str(),
                    std::string(instruction.accumulator.name).c_str());
        continue;
      }
      write_npy(folder + "/D.npy", product(instruction, read_npy(folder + "/A.npy"),
                                           read_npy(folder + "/B.npy"), with_c ? &c : nullptr));
    } catch (const std::runtime_error& error) {
      throw std::runtime_error(folder + ": " + error.what());
    }
    ++answered;
  }
  if (answered == 0) throw std::runtime_error(directory.string() + ": no folder with an A.npy");
  return answered;
}

}  // namespace
}  // namespace fftprec::probe

int main(int count, char** arguments) {
  using namespace fftprec::probe;
  const Instruction* instruction = count == 3 ? find_instruction(arguments[1]) : nullptr;
  if (instruction == nullptr) {
    std::fprintf(stderr, "usage: probe INSTRUCTION DIR\ninstructions:\n");
    for (const Instruction& known : instructions)
      std::fprintf(stderr, "  %s\n", std::string(known.name).c_str());
    return 2;
  }
  try {
    std::printf("%zu products by %s\n", answer(*instruction, arguments[2]), arguments[1]);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "probe: %s\n", error.what());
    return 1;
  }
}
