/// The fuzzer's check on the built-in sweeps and gates, on small files with every key, and on
/// mutations of them that are the same every time.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "arith/support/error.hpp"
#include "experiments/gates/gate.hpp"
#include "experiments/sweeps/sweep.hpp"
#include "tests/fuzz/fuzz.hpp"

namespace fftprec::testing {
namespace {

const std::vector<std::string>& small_files() {
  static const std::vector<std::string> files{
      "name = \"a\"\nquestion = \"b?\"\ngates = \"g.toml\"\nmetrics = [\"err_max_ulp\"]\n"
      "[defaults]\nmachine = \"trn{psum=bf16}\"\n[axes]\nmode = [\"fp32\", \"bf16\"]\n"
      "n = { smooth = [60, 512] }\nseed = { range = [1, 9, 2] }\n[[sweep]]\ntables = \"exact\"\n"
      "[[exclude]]\nwhere = \"mode=bf16 and n>400\"\n[[exclude]]\nn = [64, 128]\n"
      "[[include]]\nn = \"3..5\"\n[[plot]]\ntitle = \"t\"\nkind = \"heatmap\"\nx = \"n\"\n"
      "y = \"err_l2_rel\"\nseries = \"algorithm\"\nfilter = \"mode=fp32\"\n",
      "[axes]\nn = { primes = [61, 509] }\nbatch = { pow2 = [0, 2] }\ninput = \"wide:phi=4\"\n",
      "\xEF\xBB\xBF[axes]\r\nn = 64\r\n",
      "[[gate]]\nname = \"a\"\nkind = \"order\"\nsource = \"s\"\nleft = \"mode=ozaki\"\n"
      "right = [\"mode=bf16\", \"n>=64\"]\nfactor = 0.5\nover = [\"input\", \"seed\"]\n"
      "[[gate]]\nname = \"b\"\nkind = \"max\"\nreason = \"r\"\nmetric = \"err_l2_rel\"\n"
      "limit = 1e-3\nwhere = \"mode=bf16\"\n"
      "[[gate]]\nname = \"c\"\nkind = \"slope\"\nsource = \"s\"\nmetric = \"err_l2_rel\"\nmin = "
      "0\nmax = 0.75\n"
      "[[gate]]\nname = \"d\"\nkind = \"baseline\"\nsource = \"s\"\nmetric = "
      "\"err_l2_rel\"\nbaseline = \"rows.csv\"\n"
      "worse = 1.5\nbetter = 2\ncomplete = true\n",
  };
  return files;
}

/// With the built-in files, which are longer.
std::vector<std::string> all_files() {
  std::vector<std::string> files = small_files();
  for (const BuiltinSweep& builtin : builtin_sweeps())
    for (const std::string_view text : {builtin.toml, builtin.gates})
      if (!text.empty()) files.emplace_back(text);
  return files;
}

TEST(TomlFuzz, TheCorpusHoldsAndIsRead) {
  for (const std::string& text : all_files()) {
    fuzz_once(text);
    if (text.find("[[gate]]") == std::string::npos)
      EXPECT_NO_THROW(parse_sweep(text, "x.toml", [](const Case&) {})) << text;
    else
      EXPECT_NO_THROW(gates::parse_gates(text, "x.toml")) << text;
  }
}

TEST(TomlFuzz, EveryTruncationOfTheCorpusHolds) { fuzz_truncations(small_files()); }

TEST(TomlFuzz, FourThousandMutationsHold) {
  fuzz_mutations(all_files(), "'\"{}[]=.,# \n\r\\0123456789-+eE_:<>\xef\xbb\xbf", 4000);
}

}  // namespace
}  // namespace fftprec::testing
