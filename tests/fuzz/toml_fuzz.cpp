/// What must hold of the readers of sweeps and gates: they throw nothing but an InputError that
/// names the file and a place in it, once; what they return can be used: the cases are sorted,
/// without duplicates, and each is made of names that were checked.
#include <algorithm>

#include "arith/support/error.hpp"
#include "experiments/gates/gate.hpp"
#include "experiments/sweeps/sweep.hpp"
#include "tests/fuzz/fuzz.hpp"

namespace fftprec::testing {
namespace {

/// "fuzz.toml:LINE:COLUMN: ..."
void check_message(const std::string& whole) {
  const std::string_view name = "fuzz.toml:";
  must(whole.starts_with(name), "an error names the file: " + whole);
  std::string_view message = whole;
  message.remove_prefix(name.size());
  const auto digits = [&] {
    const std::size_t count = std::min(message.find_first_not_of("0123456789"), message.size());
    must(count > 0 && message.substr(count).starts_with(':'),
         "an error names line and column: " + whole);
    must(message[0] != '0', "lines and columns begin at 1: " + whole);
    message.remove_prefix(count + 1);
  };
  digits();
  digits();
  must(!message.starts_with(" fuzz.toml:"), "an error names its place once: " + whole);
}

/// As a run does, but for the names, which stand for all others.
void check_case_names(const Case& where) {
  if (where.mode.starts_with("un")) throw unknown_name("mode", where.mode, {"fp32", "bf16"});
}

/// The number of cases before duplicates go, at most `limit`.
std::size_t size_of(const Axes& axes, std::size_t limit) {
  std::size_t size = 1;
  for (const auto& values : axes.values)
    size = std::min(limit, size * std::max<std::size_t>(values.size(), 1));
  return size;
}

void check_sweep(std::string_view text) {
  const Sweep sweep = parse_sweep(text, "fuzz.toml", check_case_names);
  must(!sweep.blocks.empty(), "a sweep has a block");
  must(sweep.text == text, "a sweep keeps its text");
  plots_of(sweep);
  const std::size_t few = 10000;
  std::size_t size = 0;
  for (const Axes& block : sweep.blocks) size += size_of(block, few);
  for (const Axes& block : sweep.include) size += size_of(block, few);
  if (size >= few) return;  // right or not, it takes long
  const std::vector<Case> cases = cases_of(sweep);
  must(std::is_sorted(cases.begin(), cases.end()), "cases are sorted");
  must(std::adjacent_find(cases.begin(), cases.end()) == cases.end(), "no case is there twice");
  for (const Case& where : cases)
    must(where.n >= 1 && where.batch >= 1 && !where.mode.starts_with("un"), "cases are checked");
}

void check_gates(std::string_view text) {
  const std::vector<gates::Gate> gates = gates::parse_gates(text, "fuzz.toml");
  must(!gates.empty(), "a gate file has a gate");
  for (const gates::Gate& gate : gates)
    must(!gate.name.empty() && !gate.kind.empty() && !gate.source.empty(),
         "a gate says what it is");
}

template <class Read>
void only_input_errors(Read&& read) {
  try {
    read();
  } catch (const InputError& error) {
    check_message(error.what());
  }
}

}  // namespace
}  // namespace fftprec::testing

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace fftprec::testing;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  only_input_errors([text] { check_sweep(text); });
  only_input_errors([text] { check_gates(text); });
  return 0;
}
