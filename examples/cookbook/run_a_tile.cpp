/// One tile of a tensor engine, bit for bit: 1 and 127 products of 3/4 ulp each, so that every
/// machine shows how it adds.
#include <cstdio>
#include <fftprec/fftprec.hpp>
#include <string>
#include <vector>

int main() {
  constexpr std::size_t k = 128;  // products of a sum: the rows of the array
  std::vector<float> stationary(k, 0x1.8p-12F), moving(k, 0x1p-12F);  // k x 1 each
  stationary[0] = moving[0] = 1;
  constexpr double ulp = 0x1p-23;

  for (const std::string name : {"trn", "trn-rz", "trn-tree", "nv-volta", "nv-hopper", "tpu"}) {
    const fftprec::Machine machine = fftprec::machine_named(name);
    const fftprec::Format operands = name == "nv-volta" ? fftprec::fp16 : fftprec::bf16;
    float psum = 0;
    fftprec::tensor_unit(machine, operands)
        .matmul({.stationary = stationary.data(),
                 .stationary_k = 1,
                 .stationary_m = 1,
                 .moving = moving.data(),
                 .moving_stride = 1,
                 .psum = &psum,
                 .psum_stride = 1,
                 .m = 1,
                 .n = 1,
                 .k = k,
                 .negate = false,
                 .accumulate = false});
    std::printf("%-10s 1 + %6.2f ulp\n", name.c_str(), (static_cast<double>(psum) - 1) / ulp);
  }
  std::printf("%-10s 1 + %6.2f ulp\n", "exact", 127 * 0.75);
}

// It prints:
//     trn        1 + 127.00 ulp
//     trn-rz     1 +   0.00 ulp
//     trn-tree   1 +  95.00 ulp
//     nv-volta   1 +   0.00 ulp
//     nv-hopper  1 +  95.00 ulp
//     tpu        1 + 127.00 ulp
//     exact      1 +  95.25 ulp
