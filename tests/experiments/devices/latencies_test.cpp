/// Published latencies: how they are read, and what they say of a case.
#include "experiments/devices/latencies.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "arith/support/error.hpp"
#include "tests/support/error_text.hpp"

namespace fftprec::devices {
namespace {

using testing::error_text;

TEST(Latencies, AreReadWithTheirPlace) {
  const std::string header = "# source\nhardware,algorithm,mode,n,batch,time_us,note\n";
  const auto parsed = parse_latencies(header + "trn1,dft-gemm,bf16,64,2,1.5,old, older\n", "x");
  ASSERT_EQ(parsed.size(), 1u);
  EXPECT_EQ(parsed[0].batch, 2u);
  EXPECT_EQ(parsed[0].time_us, 1.5);
  EXPECT_EQ(parsed[0].note, "old, older");
  struct Mistake {
    const char* line;
    const char* says;
  };
  for (const Mistake& mistake : {Mistake{"trn1,dft-gemm", "x:3: has 2 cells, not 7"},
                                 {"a,b,c,0,1,1,", "x:3: '0' is not a number from 1 on"},
                                 {"a,b,c,64,x,1,", "x:3: 'x' is not a number from 1 on"},
                                 {"a,b,c,64,1,-1,", "x:3: '-1' is not a time above 0"},
                                 {"a,b,c,64,1,nan,", "x:3: 'nan' is not a time above 0"}})
    EXPECT_EQ(error_text([&] { parse_latencies(header + mistake.line, "x"); }), mistake.says);
  EXPECT_THROW(parse_latencies("", "x"), InputError);
  EXPECT_THROW(parse_latencies("n,batch\n", "x"), InputError);
}

TEST(PublishedTime, LiesOnAStraightLineBetweenPublishedLengths) {
  // 64 is halfway between 16 and 256 in its logarithm, 512 between 256 and
  // 1024.
  const auto time = published_time({.algorithm = "radix2-dit", .mode = "fp32", .n = 512}, "trn1");
  const auto bf16 = published_time({.algorithm = "dft-gemm", .mode = "bf16", .n = 128}, "trn1");
  const auto old = published_time({.algorithm = "dft-gemm", .mode = "fp32", .n = 512}, "trn1");

  ASSERT_TRUE(time && bf16 && old);
  EXPECT_NEAR(time->us, std::sqrt(6067.0 * 7399.0), 1e-9 * time->us);
  EXPECT_TRUE(time->interpolated);
  EXPECT_EQ(time->note, "");
  EXPECT_NEAR(bf16->us, std::sqrt(1179.0 * 1300.0), 1e-9 * bf16->us);
  EXPECT_EQ(old->note, "older SDK");
}

TEST(PublishedTime, IsEmptyWhereNothingIsPublished) {
  const Case known{.algorithm = "dft-gemm", .mode = "bf16", .n = 64};
  ASSERT_TRUE(published_time(known, "trn1"));
  EXPECT_TRUE(published_time(
      {.algorithm = "dft-gemm", .mode = "bf16", .machine = "trn-rz", .n = 64}, "trn1"));
  EXPECT_FALSE(published_time(known, "trn3"));
  const Case others[] = {
      {.algorithm = "dft-gemm", .mode = "bf16", .n = 32},
      {.algorithm = "dft-gemm", .mode = "bf16", .n = 512},
      {.algorithm = "dft-gemm", .mode = "bf16", .n = 64, .batch = 2},
      {.algorithm = "dft-gemm", .mode = "kahan", .n = 64},
      {.algorithm = "stockham-r4", .mode = "bf16", .n = 64},
      {.transform = "ifft", .algorithm = "dft-gemm", .mode = "bf16", .n = 64},
      {.algorithm = "dft-gemm", .mode = "bf16", .machine = "nv-hopper", .n = 64}};
  for (const Case& where : others) EXPECT_FALSE(published_time(where, "trn1")) << command_of(where);
}

}  // namespace
}  // namespace fftprec::devices
