#include "arith/formats/complex_array.hpp"

#include <cstdint>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace fftprec {
namespace {

constexpr std::size_t large_page = std::size_t{2} << 20;
constexpr std::align_val_t cache_line{64};

}  // namespace

/// From the heap, aligned no further than to a cache line: then the heap keeps what is freed for
/// the next array of that size. Aligned to large pages each array would be a mapping of its own,
/// and a sweep would spend a third of its time on clearing their pages.
void* allocate_long(std::size_t bytes) {
  void* storage = ::operator new(bytes, cache_line);
#if defined(__linux__)
  const std::size_t before =
      (large_page - reinterpret_cast<std::uintptr_t>(storage) % large_page) % large_page;
  if (bytes >= before + large_page)  // a wish: nothing is lost if it is not granted
    ::madvise(static_cast<char*>(storage) + before, (bytes - before) / large_page * large_page,
              MADV_HUGEPAGE);
#endif
  return storage;
}

void deallocate_long(void* storage) { ::operator delete(storage, cache_line); }

}  // namespace fftprec
