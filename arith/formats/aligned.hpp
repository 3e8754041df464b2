/// Vectors whose storage starts on a cache line, so that no vector load crosses one.
#pragma once

#include <cstddef>
#include <new>
#include <vector>

namespace fftprec {

/// Memory for long arrays, which asks for large pages where the system offers them on request: a
/// loop that strides through an array then misses few translations of addresses.
void* allocate_long(std::size_t bytes);
void deallocate_long(void* storage);

template <class T>
struct CacheLineAllocator {
  using value_type = T;
  static constexpr std::align_val_t alignment{64};
  static constexpr std::size_t long_bytes = std::size_t{4} << 20;

  CacheLineAllocator() = default;
  template <class U>
  explicit CacheLineAllocator(const CacheLineAllocator<U>&) {}

  T* allocate(std::size_t count) {
    const std::size_t bytes = count * sizeof(T);
    return static_cast<T*>(bytes < long_bytes ? ::operator new(bytes, alignment)
                                              : allocate_long(bytes));
  }
  void deallocate(T* storage, std::size_t count) {
    if (count * sizeof(T) < long_bytes)
      ::operator delete(storage, alignment);
    else
      deallocate_long(storage);
  }

  friend bool operator==(const CacheLineAllocator&, const CacheLineAllocator&) { return true; }
};

template <class T>
using AlignedVector = std::vector<T, CacheLineAllocator<T>>;

}  // namespace fftprec
