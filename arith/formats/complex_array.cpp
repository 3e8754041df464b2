#include "arith/formats/complex_array.hpp"

#include <cstdint>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace fftprec {
namespace {

constexpr std::size_t cache_line = 64;
constexpr std::size_t large_page = std::size_t{2} << 20;
constexpr std::size_t long_bytes = 2 * large_page;

/// Bytes from `address` to the next multiple of `alignment`: 1 to `alignment`.
std::size_t bytes_to_next(const void* address, std::size_t alignment) {
  return alignment - reinterpret_cast<std::uintptr_t>(address) % alignment;
}

/// A wish: nothing is lost if it is not granted. Requires: storage at the beginning of a large
/// page.
void ask_for_large_pages([[maybe_unused]] char* storage, [[maybe_unused]] std::size_t bytes) {
#if defined(__linux__)
  ::madvise(storage, bytes / large_page * large_page, MADV_HUGEPAGE);
#endif
}

}  // namespace

/// From the plain heap, with the place of its block before it. The heap then gives what is freed to
/// the next array of that size; of aligned blocks, glibc before 2.38 does not find one again, and a
/// sweep held eight times what it needed. Long arrays begin on a large page: at most
/// their ends are on small ones.
void* allocate_cache_lines(std::size_t bytes) {
  static_assert(__STDCPP_DEFAULT_NEW_ALIGNMENT__ >= sizeof(void*));  // as far apart, at the least
  const bool is_long = bytes >= long_bytes;
  const std::size_t alignment = is_long ? large_page : cache_line;
  char* const block = static_cast<char*>(::operator new(bytes + alignment));
  char* const storage = block + bytes_to_next(block, alignment);
  reinterpret_cast<void**>(storage)[-1] = block;
  if (is_long) ask_for_large_pages(storage, bytes);
  return storage;
}

void deallocate_cache_lines(void* storage) { ::operator delete(static_cast<void**>(storage)[-1]); }

}  // namespace fftprec
