/// Where vectors stand in memory.
#include "arith/formats/complex_array.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <set>
#include <vector>

namespace fftprec::testing {

namespace {

/// In how many places twenty vectors of one size stand, each freed before the next, with something
/// small kept from the time of each.
template <class Vector>
std::size_t places_of_twenty() {
  std::set<const void*> places;
  std::vector<std::unique_ptr<char[]>> kept;
  for (int i = 0; i < 20; ++i) {
    const Vector x(1 << 14);
    places.insert(x.data());
    kept.push_back(std::make_unique<char[]>(40));
  }
  return places.size();
}

}  // namespace

TEST(AlignedVector, StartsOnACacheLine) {
  for (const std::size_t size : {1u, 3u, 100u, 5u << 20}) {
    const AlignedVector<float> x(size);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(x.data()) % 64, 0u) << size;
  }
}

TEST(AlignedVector, TakesThePlaceOfAFreedOneAsOthersDo) {
  EXPECT_LE(places_of_twenty<AlignedVector<float>>(), places_of_twenty<std::vector<float>>());
}

}  // namespace fftprec::testing
