/// The instructions themselves: one warp or warpgroup per tile, operands laid out as PTX asks.
///
/// Rows of A and columns of B are 32-bit words: 8 of them (32 bytes) for a full instruction, 4 for
/// the k8 shapes of 16-bit operands. In words, all operand formats share one fragment layout.
#include <cuda_runtime.h>

#include <stdexcept>
#include <string>
#include <utility>

#include "tiles.hpp"

namespace fftprec::probe {
namespace {

/// Tiles in the memory of the device; d has the layout of c.
struct DeviceTiles {
  const std::uint32_t* a;
  const std::uint32_t* b;
  const std::uint32_t* c;
  std::uint32_t* d;
  std::size_t steps;
};

/// A thread's part of C and D: four fp32 words, or the same four values as fp16 in two words.
template <bool half>
struct Fragment {
  std::uint32_t word[half ? 2 : 4] = {};

  static __device__ int place(int i, int row, int column) {
    return (row + i / 2 * 8) * tile_columns + column + i % 2;
  }
  __device__ void load(const std::uint32_t* tile, int row, int column) {
    for (int i = 0; i < 4; ++i)
      word[half ? i / 2 : i] |= tile[place(i, row, column)] << (half ? i % 2 * 16 : 0);
  }
  __device__ void store(std::uint32_t* tile, int row, int column) const {
    for (int i = 0; i < 4; ++i)
      tile[place(i, row, column)] = half ? word[i / 2] >> i % 2 * 16 & 0xffffu : word[half ? 0 : i];
  }
};

template <int index>
inline constexpr std::string_view name_at = instructions[index].name;
template <int index>
inline constexpr bool half_at = instructions[index].accumulator.storage_bits == 16;

/// Whether this compilation is for a GPU that has the instruction; wgmma wants sm_90a by name.
template <int index>
__device__ constexpr bool compiled_at() {
#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
  return true;
#elif defined(__CUDA_ARCH__)
  return instructions[index].path != Path::wgmma &&
         instructions[index].capability <= __CUDA_ARCH__ / 10;
#else
  return false;
#endif
}

// PTX text must be a literal, hence macros.
#define FFTPREC_MMA(kind)                                                                        \
  asm volatile("mma.sync.aligned." kind " {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};" \
               : "+r"(w[0]), "+r"(w[1]), "+r"(w[2]), "+r"(w[3])                                  \
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]))
#define FFTPREC_MMA_INTO_FP16(kind)                                                  \
  asm volatile("mma.sync.aligned." kind " {%0,%1}, {%2,%3,%4,%5}, {%6,%7}, {%0,%1};" \
               : "+r"(w[0]), "+r"(w[1])                                              \
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]))
#define FFTPREC_MMA_16_BYTES(kind)                                                      \
  asm volatile("mma.sync.aligned." kind " {%0,%1,%2,%3}, {%4,%5}, {%6}, {%0,%1,%2,%3};" \
               : "+r"(w[0]), "+r"(w[1]), "+r"(w[2]), "+r"(w[3])                         \
               : "r"(a[0]), "r"(a[1]), "r"(b[0]))
// All scales are 1; 16-bit operands also say that neither is transposed.
#define FFTPREC_WGMMA_INTO_FP16(kind, transposed)                                            \
  asm volatile("wgmma.mma_async.sync.aligned." kind " {%0,%1}, %2, %3, 1,1,1" transposed ";" \
               : "+r"(w[0]), "+r"(w[1])                                                      \
               : "l"(a), "l"(b))
#define FFTPREC_WGMMA(kind, transposed)                                                            \
  asm volatile("wgmma.mma_async.sync.aligned." kind " {%0,%1,%2,%3}, %4, %5, 1,1,1" transposed ";" \
               : "+r"(w[0]), "+r"(w[1]), "+r"(w[2]), "+r"(w[3])                                    \
               : "l"(a), "l"(b))

/// d <- d + a b by one mma.sync.
template <int index>
__device__ void mma(Fragment<half_at<index>>& d, const std::uint32_t* a, const std::uint32_t* b) {
  std::uint32_t* w = d.word;
  if constexpr (name_at<index> == "mma_m16n8k16_bf16")
    FFTPREC_MMA("m16n8k16.row.col.f32.bf16.bf16.f32");
  else if constexpr (name_at<index> == "mma_m16n8k8_bf16")
    FFTPREC_MMA_16_BYTES("m16n8k8.row.col.f32.bf16.bf16.f32");
  else if constexpr (name_at<index> == "mma_m16n8k16_fp16")
    FFTPREC_MMA("m16n8k16.row.col.f32.f16.f16.f32");
  else if constexpr (name_at<index> == "mma_m16n8k8_fp16")
    FFTPREC_MMA_16_BYTES("m16n8k8.row.col.f32.f16.f16.f32");
  else if constexpr (name_at<index> == "mma_m16n8k16_fp16_into_fp16")
    FFTPREC_MMA_INTO_FP16("m16n8k16.row.col.f16.f16.f16.f16");
  else if constexpr (name_at<index> == "mma_m16n8k8_tf32")
    FFTPREC_MMA("m16n8k8.row.col.f32.tf32.tf32.f32");
  else if constexpr (name_at<index> == "mma_m16n8k32_e4m3")
    FFTPREC_MMA("m16n8k32.row.col.f32.e4m3.e4m3.f32");
  else if constexpr (name_at<index> == "mma_m16n8k32_e4m3_e5m2")
    FFTPREC_MMA("m16n8k32.row.col.f32.e4m3.e5m2.f32");
  else if constexpr (name_at<index> == "mma_m16n8k32_e5m2_e4m3")
    FFTPREC_MMA("m16n8k32.row.col.f32.e5m2.e4m3.f32");
  else if constexpr (name_at<index> == "mma_m16n8k32_e4m3_into_fp16")
    FFTPREC_MMA_INTO_FP16("m16n8k32.row.col.f16.e4m3.e4m3.f16");
  else if constexpr (name_at<index> == "mma_m16n8k32_e5m2_into_fp16")
    FFTPREC_MMA_INTO_FP16("m16n8k32.row.col.f16.e5m2.e5m2.f16");
  else {
    static_assert(name_at<index> == "mma_m16n8k32_e5m2");
    FFTPREC_MMA("m16n8k32.row.col.f32.e5m2.e5m2.f32");
  }
}

/// d <- d + a b by one wgmma of shared-memory descriptors.
template <int index>
__device__ void wgmma(Fragment<half_at<index>>& d, std::uint64_t a, std::uint64_t b) {
  std::uint32_t* w = d.word;
  if constexpr (name_at<index> == "wgmma_m64n8k16_bf16")
    FFTPREC_WGMMA("m64n8k16.f32.bf16.bf16", ",0,0");
  else if constexpr (name_at<index> == "wgmma_m64n8k16_fp16")
    FFTPREC_WGMMA("m64n8k16.f32.f16.f16", ",0,0");
  else if constexpr (name_at<index> == "wgmma_m64n8k16_fp16_into_fp16")
    FFTPREC_WGMMA_INTO_FP16("m64n8k16.f16.f16.f16", ",0,0");
  else if constexpr (name_at<index> == "wgmma_m64n8k8_tf32")
    FFTPREC_WGMMA("m64n8k8.f32.tf32.tf32", "");
  else if constexpr (name_at<index> == "wgmma_m64n8k32_e4m3_e5m2")
    FFTPREC_WGMMA("m64n8k32.f32.e4m3.e5m2", "");
  else if constexpr (name_at<index> == "wgmma_m64n8k32_e5m2_e4m3")
    FFTPREC_WGMMA("m64n8k32.f32.e5m2.e4m3", "");
  else if constexpr (name_at<index> == "wgmma_m64n8k32_e4m3_into_fp16")
    FFTPREC_WGMMA_INTO_FP16("m64n8k32.f16.e4m3.e4m3", "");
  else if constexpr (name_at<index> == "wgmma_m64n8k32_e5m2_into_fp16")
    FFTPREC_WGMMA_INTO_FP16("m64n8k32.f16.e5m2.e5m2", "");
  else if constexpr (name_at<index> == "wgmma_m64n8k32_e4m3")
    FFTPREC_WGMMA("m64n8k32.f32.e4m3.e4m3", "");
  else {
    static_assert(name_at<index> == "wgmma_m64n8k32_e5m2");
    FFTPREC_WGMMA("m64n8k32.f32.e5m2.e5m2", "");
  }
}

/// One warp per tile of 16 x 8: block (i, j) has the rows of tile i and the columns of tile j.
template <int index>
__global__ void run_mma(DeviceTiles tiles) {
  if constexpr (compiled_at<index>()) {
    constexpr int rows = instructions[index].rows();
    constexpr int words = instructions[index].words();
    const int group = static_cast<int>(threadIdx.x) / 4;
    const int member = static_cast<int>(threadIdx.x) % 4;
    const std::size_t tile = std::size_t{blockIdx.x} * gridDim.y + blockIdx.y;
    Fragment<half_at<index>> d;
    d.load(tiles.c + tile * rows * tile_columns, group, 2 * member);
#pragma unroll 1
    for (std::size_t step = 0; step < tiles.steps; ++step) {
      const std::uint32_t* a = tiles.a + (blockIdx.x * tiles.steps + step) * rows * words;
      const std::uint32_t* b = tiles.b + (blockIdx.y * tiles.steps + step) * tile_columns * words;
      std::uint32_t a_words[4] = {};
      std::uint32_t b_words[2] = {};
      for (int part = 0; part < words / 4; ++part) {
        a_words[2 * part] = a[group * words + member + 4 * part];
        a_words[2 * part + 1] = a[(group + 8) * words + member + 4 * part];
        b_words[part] = b[group * words + member + 4 * part];
      }
      mma<index>(d, a_words, b_words);
    }
    d.store(tiles.d + tile * rows * tile_columns, group, 2 * member);
  } else {
    __trap();
  }
}

/// Shared-memory matrix without swizzle, K-major: core matrices of 8 rows x 16 bytes, the two of
/// a row group 128 bytes apart, row groups 256 bytes apart.
__device__ inline std::uint64_t descriptor(const void* shared) {
  const auto address = static_cast<std::uint64_t>(__cvta_generic_to_shared(shared));
  const std::uint64_t along_k = 128;
  const std::uint64_t along_rows = 256;
  return ((address & 0x3ffffu) >> 4) | (along_k >> 4) << 16 | (along_rows >> 4) << 32;
}

__device__ inline void store_core(std::uint32_t* shared, const std::uint32_t* source, int rows) {
  for (int i = static_cast<int>(threadIdx.x); i < rows * 8; i += 128) {
    const int row = i / 8;
    const int word = i % 8;
    shared[row / 8 * 64 + word / 4 * 32 + row % 8 * 4 + word % 4] = source[i];
  }
}

/// One warpgroup per tile of 64 x 8.
template <int index>
__global__ void __launch_bounds__(128, 1) run_wgmma(DeviceTiles tiles) {
  if constexpr (compiled_at<index>()) {
    constexpr int rows = instructions[index].rows();
    constexpr int words = 8;
    static_assert(words == instructions[index].words());
    __shared__ __align__(256) std::uint32_t a_shared[rows * words];
    __shared__ __align__(256) std::uint32_t b_shared[tile_columns * words];
    const int lane = static_cast<int>(threadIdx.x) % 32;
    const int row = static_cast<int>(threadIdx.x) / 32 * 16 + lane / 4;
    const int column = 2 * (lane % 4);
    const std::size_t tile = std::size_t{blockIdx.x} * gridDim.y + blockIdx.y;
    Fragment<half_at<index>> d;
    d.load(tiles.c + tile * rows * tile_columns, row, column);
#pragma unroll 1
    for (std::size_t step = 0; step < tiles.steps; ++step) {
      store_core(a_shared, tiles.a + (blockIdx.x * tiles.steps + step) * rows * words, rows);
      store_core(b_shared, tiles.b + (blockIdx.y * tiles.steps + step) * tile_columns * words,
                 tile_columns);
      // The tensor core reads through the asynchronous proxy, which does not see plain stores.
      asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
      __syncthreads();
      asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
      wgmma<index>(d, descriptor(a_shared), descriptor(b_shared));
      asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
      asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
      __syncthreads();
    }
    d.store(tiles.d + tile * rows * tile_columns, row, column);
  } else {
    __trap();
  }
}

void check(cudaError_t status, const char* what) {
  if (status != cudaSuccess)
    throw std::runtime_error(std::string(what) + ": " + cudaGetErrorString(status));
}

/// Device memory that frees itself.
class Buffer {
 public:
  explicit Buffer(const std::vector<std::uint32_t>& from) {
    check(cudaMalloc(&data_, from.size() * 4), "cudaMalloc");
    check(cudaMemcpy(data_, from.data(), from.size() * 4, cudaMemcpyHostToDevice), "upload");
  }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  ~Buffer() { cudaFree(data_); }
  std::uint32_t* data() const { return data_; }

 private:
  std::uint32_t* data_ = nullptr;
};

template <int index>
void launch(DeviceTiles tiles, dim3 grid) {
  if constexpr (instructions[index].path == Path::wgmma)
    run_wgmma<index><<<grid, 128>>>(tiles);
  else
    run_mma<index><<<grid, 32>>>(tiles);
}

}  // namespace

std::vector<std::uint32_t> run(const Instruction& instruction, const Tiles& tiles) {
  int major = 0;
  int minor = 0;
  check(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0), "device");
  check(cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, 0), "device");
  const int capability = 10 * major + minor;
  if (capability < instruction.capability ||
      (instruction.path == Path::wgmma && capability != instruction.capability))
    throw std::runtime_error("this GPU, sm_" + std::to_string(capability) + ", has no " +
                             std::string(instruction.name));
  const Buffer a(tiles.a);
  const Buffer b(tiles.b);
  const Buffer c(tiles.c);
  const Buffer d(tiles.c);
  const DeviceTiles on_device{a.data(), b.data(), c.data(), d.data(), tiles.steps};
  const dim3 grid(static_cast<unsigned>(tiles.row_tiles),
                  static_cast<unsigned>(tiles.column_tiles));
  [&]<int... index>(std::integer_sequence<int, index...>) {
    ((instruction.name == name_at<index> ? launch<index>(on_device, grid) : void()), ...);
  }
  (std::make_integer_sequence<int, static_cast<int>(instructions.size())>{});
  check(cudaGetLastError(), "launch");
  check(cudaDeviceSynchronize(), "kernel");
  std::vector<std::uint32_t> result(tiles.c.size());
  check(cudaMemcpy(result.data(), d.data(), result.size() * 4, cudaMemcpyDeviceToHost), "download");
  return result;
}

}  // namespace fftprec::probe
