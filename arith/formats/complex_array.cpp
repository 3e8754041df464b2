#include "arith/formats/complex_array.hpp"

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace fftprec {
namespace {

constexpr std::align_val_t large_page{std::size_t{2} << 20};

}  // namespace

void* allocate_long(std::size_t bytes) {
  void* storage = ::operator new(bytes, large_page);
#if defined(__linux__)
  ::madvise(storage, bytes, MADV_HUGEPAGE);  // a wish: nothing is lost if it is not granted
#endif
  return storage;
}

void deallocate_long(void* storage) { ::operator delete(storage, large_page); }

}  // namespace fftprec
