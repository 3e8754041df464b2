/// Runs probe vectors and random tiles on the tensor cores and keeps inputs and output bits.
///
///   probe OUT_DIR [RANDOM_PER_CLASS] [KEPT_PER_CLASS] [SEED]
///
/// Writes OUT_DIR/<instruction>.txt (data_file.hpp) with all probes and the first KEPT random
/// vectors of every class, and OUT_DIR/summary.txt with the counts of differences from model.hpp.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "scripts/probe/data_file.hpp"
#include "scripts/probe/edges.hpp"
#include "scripts/probe/kernels.cuh"
#include "scripts/probe/model.hpp"
#include "scripts/probe/random_tiles.hpp"

namespace fftprec::probe {

void check(cudaError_t status, const char* what) {
  if (status != cudaSuccess)
    throw std::runtime_error(std::string(what) + ": " + cudaGetErrorString(status));
}

/// Device memory that frees itself.
class Buffer {
 public:
  explicit Buffer(std::size_t words) : words_(words) {
    check(cudaMalloc(&data_, words * sizeof(std::uint32_t)), "cudaMalloc");
  }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  ~Buffer() { cudaFree(data_); }
  std::uint32_t* data() const { return data_; }
  void upload(const std::vector<std::uint32_t>& from) {
    check(cudaMemcpy(data_, from.data(), words_ * 4, cudaMemcpyHostToDevice), "upload");
  }
  void download(std::vector<std::uint32_t>& to) const {
    check(cudaMemcpy(to.data(), data_, words_ * 4, cudaMemcpyDeviceToHost), "download");
  }

 private:
  std::uint32_t* data_ = nullptr;
  std::size_t words_;
};

template <int index>
void launch_at(Tiles tiles, unsigned count) {
  if constexpr (hopper_instructions[index].path == Path::wgmma)
    run_wgmma<index><<<count, 128>>>(tiles);
  else
    run_mma<index><<<count, 32>>>(tiles);
}

template <int... index>
void launch(const Instruction& instruction, Tiles tiles, unsigned count,
            std::integer_sequence<int, index...>) {
  ((instruction.name == hopper_instructions[index].name ? launch_at<index>(tiles, count) : void()),
   ...);
  check(cudaGetLastError(), "launch");
}

/// Operands of one instruction in their words, lowest k in the lowest bits.
void pack(const std::vector<std::uint32_t>& operands, std::size_t first, const Instruction& what,
          std::uint32_t* words) {
  const int per_word = 32 / what.operand.storage_bits;
  for (int i = 0; i < what.k; ++i)
    words[i / per_word] |= operands[first + static_cast<std::size_t>(i)]
                           << (i % per_word * what.operand.storage_bits);
}

/// d of every vector. Vector v sits in column v mod 8 of its tile and in a row that moves from tile
/// to tile; all other rows are zero.
/// Requires: the vectors chain the same number of instructions.
std::vector<std::uint32_t> run_device(const Instruction& instruction,
                                      const std::vector<Vector>& vectors) {
  const std::size_t k = static_cast<std::size_t>(instruction.k);
  const std::size_t steps = vectors.front().a.size() / k;
  const std::size_t rows = static_cast<std::size_t>(rows_of(instruction));
  const std::size_t words = static_cast<std::size_t>(words_per_row(instruction));
  const std::size_t tiles = (vectors.size() + tile_columns - 1) / tile_columns;
  const auto row_of = [&](std::size_t v) {
    return (v % tile_columns + v / tile_columns * tile_columns) % rows;
  };
  std::vector<std::uint32_t> a(tiles * steps * rows * words);
  std::vector<std::uint32_t> b(tiles * steps * tile_columns * words);
  std::vector<std::uint32_t> c(tiles * rows * tile_columns);
  for (std::size_t v = 0; v < vectors.size(); ++v) {
    const std::size_t tile = v / tile_columns;
    const std::size_t column = v % tile_columns;
    for (std::size_t step = 0; step < steps; ++step) {
      pack(vectors[v].a, step * k, instruction,
           &a[((tile * steps + step) * rows + row_of(v)) * words]);
      pack(vectors[v].b, step * k, instruction,
           &b[((tile * steps + step) * tile_columns + column) * words]);
    }
    c[(tile * rows + row_of(v)) * tile_columns + column] = vectors[v].c;
  }
  Buffer device_a(a.size());
  Buffer device_b(b.size());
  Buffer device_c(c.size());
  Buffer device_d(c.size());
  device_a.upload(a);
  device_b.upload(b);
  device_c.upload(c);
  launch(
      instruction,
      {device_a.data(), device_b.data(), device_c.data(), device_d.data(), static_cast<int>(steps)},
      static_cast<unsigned>(tiles),
      std::make_integer_sequence<int, static_cast<int>(hopper_instructions.size())>{});
  check(cudaDeviceSynchronize(), "kernel");
  device_d.download(c);
  std::vector<std::uint32_t> d;
  for (std::size_t v = 0; v < vectors.size(); ++v)
    d.push_back(c[(v / tile_columns * rows + row_of(v)) * tile_columns + v % tile_columns]);
  return d;
}

/// Vectors whose model answer is not d. Spread over the processor's cores: the model is slow.
std::size_t count_differences(const Instruction& instruction, const std::vector<Vector>& vectors,
                              const std::vector<std::uint32_t>& d) {
  const std::size_t workers = std::max(1u, std::thread::hardware_concurrency());
  std::vector<std::size_t> differences(workers);
  std::vector<std::thread> threads;
  for (std::size_t w = 0; w < workers; ++w)
    threads.emplace_back([&, w] {
      for (std::size_t v = w; v < vectors.size(); v += workers)
        if (run_chain(instruction, vectors[v].a, vectors[v].b, vectors[v].c) != d[v])
          ++differences[w];
    });
  for (std::thread& thread : threads) thread.join();
  std::size_t total = 0;
  for (const std::size_t part : differences) total += part;
  return total;
}

void keep(DataFile& file, const std::vector<Vector>& vectors, const std::vector<std::uint32_t>& d,
          std::size_t count) {
  for (std::size_t v = 0; v < vectors.size() && v < count; ++v)
    file.results.push_back({vectors[v], d[v]});
}

void run_instruction(const Instruction& instruction, DataFile& file, std::ostream& summary,
                     std::size_t random, std::size_t kept, std::uint64_t seed) {
  const auto report = [&](std::string_view kind, std::size_t differences, std::size_t count) {
    summary << instruction.name << ' ' << kind << ": " << differences << " of " << count
            << " differ from the model\n";
  };
  // Chained vectors have another length, so they take a launch of their own.
  std::vector<Vector> single;
  std::vector<Vector> chained;
  for (Vector& vector : probe_vectors(instruction))
    (vector.a.size() == static_cast<std::size_t>(instruction.k) ? single : chained)
        .push_back(std::move(vector));
  for (const std::vector<Vector>* probes : {&single, &chained}) {
    if (probes->empty()) continue;
    const std::vector<std::uint32_t> d = run_device(instruction, *probes);
    report(probes == &single ? "probes" : "chained probes",
           count_differences(instruction, *probes, d), probes->size());
    keep(file, *probes, d, probes->size());
  }
  constexpr std::size_t batch = 65536;
  for (const std::string_view kind : random_classes) {
    Random stream = random_stream(seed, instruction.name, kind);
    std::size_t differences = 0;
    for (std::size_t done = 0; done < random; done += batch) {
      std::vector<Vector> vectors;
      while (vectors.size() < batch && done + vectors.size() < random)
        vectors.push_back(random_vector(instruction, kind, stream));
      const std::vector<std::uint32_t> d = run_device(instruction, vectors);
      differences += count_differences(instruction, vectors, d);
      if (done == 0) keep(file, vectors, d, kept);
    }
    report(kind, differences, random);
  }
}

void run(const std::string& directory, std::size_t random, std::size_t kept, std::uint64_t seed) {
  cudaDeviceProp properties;
  int driver = 0;
  int runtime = 0;
  check(cudaGetDeviceProperties(&properties, 0), "cudaGetDeviceProperties");
  check(cudaDriverGetVersion(&driver), "cudaDriverGetVersion");
  check(cudaRuntimeGetVersion(&runtime), "cudaRuntimeGetVersion");
  const std::time_t now = std::time(nullptr);
  char date[32];
  std::strftime(date, sizeof date, "%Y-%m-%d", std::gmtime(&now));
  // The runtime knows the driver's interface alone; Linux tells its own version.
  std::string driver_version = "unknown";
  if (std::ifstream file("/proc/driver/nvidia/version"); file) std::getline(file, driver_version);
  const std::vector<std::pair<std::string, std::string>> header{
      {"device", properties.name},
      {"capability", std::to_string(properties.major) + "." + std::to_string(properties.minor)},
      {"driver", driver_version},
      {"cuda_driver_interface", std::to_string(driver)},
      {"cuda_runtime", std::to_string(runtime)},
      {"date", date},
      {"seed", std::to_string(seed)}};
  std::ofstream summary(directory + "/summary.txt");
  for (const auto& [key, value] : header) summary << "# " << key << ' ' << value << '\n';
  for (const Instruction& instruction : hopper_instructions) {
    DataFile file{header, &instruction, {}};
    run_instruction(instruction, file, summary, random, kept, seed);
    std::ofstream out(directory + "/" + std::string(instruction.name) + ".txt");
    write(out, file);
    if (!out.flush()) throw std::runtime_error("cannot write into " + directory);
  }
  if (!summary.flush()) throw std::runtime_error("cannot write into " + directory);
}

}  // namespace fftprec::probe

int main(int count, char** arguments) {
  if (count < 2 || count > 5) {
    std::fprintf(stderr, "usage: probe OUT_DIR [RANDOM_PER_CLASS] [KEPT_PER_CLASS] [SEED]\n");
    return 2;
  }
  const auto number = [&](int index, std::uint64_t otherwise) {
    return index < count ? std::strtoull(arguments[index], nullptr, 10) : otherwise;
  };
  try {
    fftprec::probe::run(arguments[1], number(2, 1000000), number(3, 100), number(4, 1));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "probe: %s\n", error.what());
    return 1;
  }
}
