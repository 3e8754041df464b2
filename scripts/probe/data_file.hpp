/// The data files: one instruction per file, one vector per line, bits in hexadecimal.
///
///   # key value                     any number of these first; `# instruction NAME` is required
///   name c a b d                    a and b: all operands in order of k, fixed digits each, joined
#pragma once

#include <istream>
#include <ostream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "scripts/probe/vector.hpp"

namespace fftprec::probe {

struct Result {
  Vector vector;
  std::uint32_t d = 0;
};

struct DataFile {
  std::vector<std::pair<std::string, std::string>> header;
  const Instruction* instruction = nullptr;
  std::vector<Result> results;
};

inline void append_hex(std::string& text, std::uint32_t bits, int storage_bits) {
  for (int shift = storage_bits - 4; shift >= 0; shift -= 4)
    text += "0123456789abcdef"[(bits >> shift) & 15u];
}

inline std::string hex(std::uint32_t bits, int storage_bits) {
  std::string text;
  append_hex(text, bits, storage_bits);
  return text;
}

inline std::string hex(const std::vector<std::uint32_t>& words, int storage_bits) {
  std::string text;
  for (const std::uint32_t word : words) append_hex(text, word, storage_bits);
  return text;
}

inline std::uint32_t parse_hex(const std::string& text) {
  std::uint32_t bits = 0;
  if (text.empty() || text.size() > 8) throw std::runtime_error("not a word: '" + text + "'");
  for (const char letter : text) {
    const std::size_t digit = std::string("0123456789abcdef").find(letter);
    if (digit == std::string::npos) throw std::runtime_error("not hexadecimal: '" + text + "'");
    bits = bits * 16 + static_cast<std::uint32_t>(digit);
  }
  return bits;
}

inline std::vector<std::uint32_t> parse_words(const std::string& text, int storage_bits) {
  const auto digits = static_cast<std::size_t>(storage_bits / 4);
  if (text.size() % digits != 0) throw std::runtime_error("operands cut short: '" + text + "'");
  std::vector<std::uint32_t> words;
  for (std::size_t first = 0; first < text.size(); first += digits)
    words.push_back(parse_hex(text.substr(first, digits)));
  return words;
}

inline void write(std::ostream& out, const DataFile& file) {
  for (const auto& [key, value] : file.header) out << "# " << key << ' ' << value << '\n';
  out << "# instruction " << file.instruction->name << '\n';
  const int operand = file.instruction->operand.storage_bits;
  const int accumulator = file.instruction->accumulator.storage_bits;
  for (const Result& result : file.results)
    out << result.vector.name << ' ' << hex(result.vector.c, accumulator) << ' '
        << hex(result.vector.a, operand) << ' ' << hex(result.vector.b, operand) << ' '
        << hex(result.d, accumulator) << '\n';
}

/// Throws std::runtime_error, with the line, where the text is no data file.
inline DataFile read(std::istream& in) {
  DataFile file;
  std::string line;
  std::size_t number = 0;
  while (std::getline(in, line)) {
    ++number;
    const std::string where = "line " + std::to_string(number) + ": ";
    std::istringstream words(line);
    if (line.starts_with("# ")) {
      std::string hash;
      std::string key;
      std::string value;
      words >> hash >> key >> std::ws;
      std::getline(words, value);
      if (key == "instruction")
        file.instruction = find_instruction(value);
      else
        file.header.emplace_back(key, value);
      continue;
    }
    if (file.instruction == nullptr)
      throw std::runtime_error(where + "no known instruction named before the first vector");
    std::string name;
    std::string c;
    std::string a;
    std::string b;
    std::string d;
    std::string rest;
    if (!(words >> name >> c >> a >> b >> d) || words >> rest)
      throw std::runtime_error(where + "not five fields");
    const int storage = file.instruction->operand.storage_bits;
    Result result{{name, parse_hex(c), parse_words(a, storage), parse_words(b, storage)},
                  parse_hex(d)};
    const auto k = static_cast<std::size_t>(file.instruction->k);
    if (result.vector.a.size() != result.vector.b.size() || result.vector.a.empty() ||
        result.vector.a.size() % k != 0)
      throw std::runtime_error(where + "operands are no multiple of k, or a and b differ");
    file.results.push_back(std::move(result));
  }
  if (file.results.empty()) throw std::runtime_error("no vectors");
  return file;
}

}  // namespace fftprec::probe
