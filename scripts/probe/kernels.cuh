/// The instructions themselves: one warp or warpgroup per tile, operands laid out as PTX asks.
///
/// Rows of A and columns of B are 32-bit words: 8 of them (32 bytes) for a full instruction, 4 for
/// the k8 shapes of 16-bit operands. In words, all operand formats share one fragment layout.
#pragma once

#include <cstdint>

#include "scripts/probe/instructions.hpp"

namespace fftprec::probe {

constexpr int tile_columns = 8;

/// Tiles in memory, in words: A[steps][rows][words], B[steps][8][words], C and D [rows][8].
struct Tiles {
  const std::uint32_t* a;
  const std::uint32_t* b;
  const std::uint32_t* c;
  std::uint32_t* d;
  int steps;
};

constexpr int words_per_row(const Instruction& instruction) {
  return instruction.k * instruction.operand.storage_bits / 32;
}

constexpr int rows_of(const Instruction& instruction) {
  return instruction.path == Path::wgmma ? 64 : 16;
}

/// A thread's part of C and D: four fp32 words, or the same four values as fp16 in two words.
template <bool half>
struct Fragment {
  std::uint32_t word[half ? 2 : 4];

  __device__ void load(const std::uint32_t* tile, int row, int column) {
    const std::uint32_t* upper = tile + row * tile_columns + column;
    const std::uint32_t* lower = upper + 8 * tile_columns;
    if constexpr (half) {
      word[0] = upper[0] | upper[1] << 16;
      word[1] = lower[0] | lower[1] << 16;
    } else {
      word[0] = upper[0];
      word[1] = upper[1];
      word[2] = lower[0];
      word[3] = lower[1];
    }
  }
  __device__ void store(std::uint32_t* tile, int row, int column) const {
    std::uint32_t* upper = tile + row * tile_columns + column;
    std::uint32_t* lower = upper + 8 * tile_columns;
    if constexpr (half) {
      upper[0] = word[0] & 0xffffu;
      upper[1] = word[0] >> 16;
      lower[0] = word[1] & 0xffffu;
      lower[1] = word[1] >> 16;
    } else {
      upper[0] = word[0];
      upper[1] = word[1];
      lower[0] = word[2];
      lower[1] = word[3];
    }
  }
};

template <int index>
inline constexpr std::string_view name_at = hopper_instructions[index].name;
template <int index>
inline constexpr bool half_at = hopper_instructions[index].accumulator.storage_bits == 16;

/// d <- d + a b by one mma.sync. PTX text must be a literal, hence one statement per instruction.
template <int index>
__device__ void mma(Fragment<half_at<index>>& d, const std::uint32_t* a, const std::uint32_t* b) {
  std::uint32_t* w = d.word;
  if constexpr (name_at<index> == "mma_m16n8k16_bf16")
    asm volatile(
        "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 "
        "{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
        : "+r"(w[0]), "+r"(w[1]), "+r"(w[2]), "+r"(w[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
  else if constexpr (name_at<index> == "mma_m16n8k8_bf16")
    asm volatile(
        "mma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32 "
        "{%0,%1,%2,%3}, {%4,%5}, {%6}, {%0,%1,%2,%3};"
        : "+r"(w[0]), "+r"(w[1]), "+r"(w[2]), "+r"(w[3])
        : "r"(a[0]), "r"(a[1]), "r"(b[0]));
  else if constexpr (name_at<index> == "mma_m16n8k16_fp16")
    asm volatile(
        "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
        "{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
        : "+r"(w[0]), "+r"(w[1]), "+r"(w[2]), "+r"(w[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
  else if constexpr (name_at<index> == "mma_m16n8k8_fp16")
    asm volatile(
        "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 "
        "{%0,%1,%2,%3}, {%4,%5}, {%6}, {%0,%1,%2,%3};"
        : "+r"(w[0]), "+r"(w[1]), "+r"(w[2]), "+r"(w[3])
        : "r"(a[0]), "r"(a[1]), "r"(b[0]));
  else if constexpr (name_at<index> == "mma_m16n8k16_fp16_into_fp16")
    asm volatile(
        "mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 "
        "{%0,%1}, {%2,%3,%4,%5}, {%6,%7}, {%0,%1};"
        : "+r"(w[0]), "+r"(w[1])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
  else if constexpr (name_at<index> == "mma_m16n8k8_tf32")
    asm volatile(
        "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 "
        "{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
        : "+r"(w[0]), "+r"(w[1]), "+r"(w[2]), "+r"(w[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
  else if constexpr (name_at<index> == "mma_m16n8k32_e4m3")
    asm volatile(
        "mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32 "
        "{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
        : "+r"(w[0]), "+r"(w[1]), "+r"(w[2]), "+r"(w[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
  else {
    static_assert(name_at<index> == "mma_m16n8k32_e5m2");
    asm volatile(
        "mma.sync.aligned.m16n8k32.row.col.f32.e5m2.e5m2.f32 "
        "{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
        : "+r"(w[0]), "+r"(w[1]), "+r"(w[2]), "+r"(w[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
  }
}

/// d <- d + a b by one wgmma of shared-memory descriptors; all scales are 1.
template <int index>
__device__ void wgmma(Fragment<half_at<index>>& d, std::uint64_t a, std::uint64_t b) {
  std::uint32_t* w = d.word;
  if constexpr (name_at<index> == "wgmma_m64n8k16_bf16")
    asm volatile(
        "wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%0,%1,%2,%3}, %4, %5, 1,1,1,0,0;"
        : "+r"(w[0]), "+r"(w[1]), "+r"(w[2]), "+r"(w[3])
        : "l"(a), "l"(b));
  else if constexpr (name_at<index> == "wgmma_m64n8k16_fp16")
    asm volatile(
        "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0,%1,%2,%3}, %4, %5, 1,1,1,0,0;"
        : "+r"(w[0]), "+r"(w[1]), "+r"(w[2]), "+r"(w[3])
        : "l"(a), "l"(b));
  else if constexpr (name_at<index> == "wgmma_m64n8k16_fp16_into_fp16")
    asm volatile("wgmma.mma_async.sync.aligned.m64n8k16.f16.f16.f16 {%0,%1}, %2, %3, 1,1,1,0,0;"
                 : "+r"(w[0]), "+r"(w[1])
                 : "l"(a), "l"(b));
  else if constexpr (name_at<index> == "wgmma_m64n8k8_tf32")
    asm volatile("wgmma.mma_async.sync.aligned.m64n8k8.f32.tf32.tf32 {%0,%1,%2,%3}, %4, %5, 1,1,1;"
                 : "+r"(w[0]), "+r"(w[1]), "+r"(w[2]), "+r"(w[3])
                 : "l"(a), "l"(b));
  else if constexpr (name_at<index> == "wgmma_m64n8k32_e4m3")
    asm volatile("wgmma.mma_async.sync.aligned.m64n8k32.f32.e4m3.e4m3 {%0,%1,%2,%3}, %4, %5, 1,1,1;"
                 : "+r"(w[0]), "+r"(w[1]), "+r"(w[2]), "+r"(w[3])
                 : "l"(a), "l"(b));
  else {
    static_assert(name_at<index> == "wgmma_m64n8k32_e5m2");
    asm volatile("wgmma.mma_async.sync.aligned.m64n8k32.f32.e5m2.e5m2 {%0,%1,%2,%3}, %4, %5, 1,1,1;"
                 : "+r"(w[0]), "+r"(w[1]), "+r"(w[2]), "+r"(w[3])
                 : "l"(a), "l"(b));
  }
}

/// One warp per tile of 16 x 8.
template <int index>
__global__ void run_mma(Tiles tiles) {
  constexpr int rows = rows_of(hopper_instructions[index]);
  constexpr int words = words_per_row(hopper_instructions[index]);
  const int group = static_cast<int>(threadIdx.x) / 4;
  const int member = static_cast<int>(threadIdx.x) % 4;
  const std::size_t tile = blockIdx.x;
  const std::size_t steps = static_cast<std::size_t>(tiles.steps);
  Fragment<half_at<index>> d;
  d.load(tiles.c + tile * rows * tile_columns, group, 2 * member);
#pragma unroll 1
  for (std::size_t step = 0; step < steps; ++step) {
    const std::uint32_t* a = tiles.a + (tile * steps + step) * rows * words;
    const std::uint32_t* b = tiles.b + (tile * steps + step) * tile_columns * words;
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
__global__ void __launch_bounds__(128, 1) run_wgmma(Tiles tiles) {
  constexpr int rows = rows_of(hopper_instructions[index]);
  constexpr int words = 8;
  static_assert(words == words_per_row(hopper_instructions[index]));
  __shared__ __align__(256) std::uint32_t a_shared[rows * words];
  __shared__ __align__(256) std::uint32_t b_shared[tile_columns * words];
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const int row = static_cast<int>(threadIdx.x) / 32 * 16 + lane / 4;
  const int column = 2 * (lane % 4);
  const std::size_t tile = blockIdx.x;
  const std::size_t steps = static_cast<std::size_t>(tiles.steps);
  Fragment<half_at<index>> d;
  d.load(tiles.c + tile * rows * tile_columns, row, column);
#pragma unroll 1
  for (std::size_t step = 0; step < steps; ++step) {
    store_core(a_shared, tiles.a + (tile * steps + step) * rows * words, rows);
    store_core(b_shared, tiles.b + (tile * steps + step) * tile_columns * words, tile_columns);
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
}

}  // namespace fftprec::probe
