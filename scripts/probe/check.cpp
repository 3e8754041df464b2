/// Compares data files of the probe with the model: plain C++, no CUDA.
///
///   check FILE...          every vector against model.hpp; exit 1 where one differs
///   check --vectors NAME   the probes of an instruction with the model's answers, as a data file
#include <exception>
#include <fstream>
#include <iostream>
#include <string>

#include "scripts/probe/data_file.hpp"
#include "scripts/probe/edges.hpp"
#include "scripts/probe/model.hpp"
#include "scripts/probe/random_tiles.hpp"

namespace fftprec::probe {

std::uint32_t expected(const Instruction& instruction, const Vector& vector) {
  return run_chain(instruction, vector.a, vector.b, vector.c);
}

/// The number of vectors that differ; the first few are printed with all their bits.
std::size_t check_file(const std::string& path) {
  std::ifstream in(path);
  if (!in) throw std::runtime_error("cannot open");
  const DataFile file = read(in);
  const int bits = file.instruction->accumulator.storage_bits;
  std::size_t differences = 0;
  constexpr std::size_t shown = 20;
  for (const Result& result : file.results) {
    const std::uint32_t model = expected(*file.instruction, result.vector);
    if (model == result.d) continue;
    if (++differences <= shown)
      std::cout << path << ": " << result.vector.name << " c " << hex(result.vector.c, bits)
                << " device " << hex(result.d, bits) << " model " << hex(model, bits) << '\n';
  }
  std::cout << path << ": " << differences << " of " << file.results.size()
            << " differ from the model\n";
  return differences;
}

/// Names the device "model", so that no such file passes for silicon.
bool print_vectors(const std::string& name) {
  const Instruction* instruction = find_instruction(name);
  if (instruction == nullptr) return false;
  DataFile file{{{"device", "model"}}, instruction, {}};
  for (Vector& vector : probe_vectors(*instruction)) {
    const std::uint32_t d = expected(*instruction, vector);
    file.results.push_back({std::move(vector), d});
  }
  for (const std::string_view kind : random_classes) {
    Random stream = random_stream(1, instruction->name, kind);
    for (int i = 0; i < 100; ++i) {
      Vector vector = random_vector(*instruction, kind, stream);
      const std::uint32_t d = expected(*instruction, vector);
      file.results.push_back({std::move(vector), d});
    }
  }
  write(std::cout, file);
  return true;
}

}  // namespace fftprec::probe

int main(int count, char** arguments) {
  using namespace fftprec::probe;
  if (count == 3 && std::string(arguments[1]) == "--vectors") {
    if (print_vectors(arguments[2])) return 0;
    std::cerr << "check: no such instruction; known:\n";
    for (const Instruction& instruction : hopper_instructions)
      std::cerr << "  " << instruction.name << '\n';
    return 2;
  }
  if (count < 2) {
    std::cerr << "usage: check FILE... | check --vectors INSTRUCTION\n";
    return 2;
  }
  std::size_t differences = 0;
  for (int i = 1; i < count; ++i) {
    try {
      differences += check_file(arguments[i]);
    } catch (const std::exception& error) {
      std::cerr << arguments[i] << ": " << error.what() << '\n';
      return 2;
    }
  }
  return differences == 0 ? 0 : 1;
}
