#include "experiments/algorithms/algorithm_entry.hpp"

#include <utility>

#include "algorithms/arithmetic/modes.hpp"
#include "arith/support/error.hpp"

namespace fftprec {

namespace {

/// Makers that throw, but none for stages that are traced.
InEachArithmetic<MakeFft> refusing(const std::string& reason) {
  const auto refuse = [reason]<class Arithmetic>(const Arithmetic&, std::size_t, Direction,
                                                 const RootFunction&) -> Fft<Arithmetic> {
    throw NotApplicable(reason);
  };
  return InEachArithmetic<MakeFft>([&]<class A>() -> MakeFft<A> {
    if constexpr (std::is_same_v<A, TracedArithmetic>)
      return {};
    else
      return refuse;
  });
}

/// The entry of a peer for this mode. Its makers throw.
AlgorithmEntry peer_of(const std::string& mode, const std::string& name, std::string summary) {
  AlgorithmEntry entry{.name = name, .summary = std::move(summary)};
  entry.make = refusing(name + " stands for mode " + mode + " alone");
  entry.model.unsupported = [name](std::size_t n) { return n >= 1 ? "" : name + " needs n >= 1"; };
  entry.inapplicable = [name, mode = shown_mode(mode)](const Mode& asked, std::string_view tables) {
    if (asked.name != mode) return name + " stands for mode " + mode + " alone";
    if (tables != "exact") return name + " has its own tables";
    return std::string();
  };
  return entry;
}

}  // namespace

AlgorithmEntry whole_entry(std::string name, std::string summary, WholeFunction whole) {
  AlgorithmEntry entry{.name = name, .summary = std::move(summary)};
  entry.make = refusing(name + " computes whole transforms, whose tables and steps are not known");
  entry.whole = std::move(whole);
  entry.model.unsupported = [name](std::size_t n) { return n >= 1 ? "" : name + " needs n >= 1"; };
  entry.inapplicable = [name](const Mode& mode, std::string_view tables) -> std::string {
    if (to_string(storage_format(mode)) != shown_mode(mode.name))
      return name +
             " has its own arithmetic: it stands for modes named after a format, such as "
             "fp32, fp16 and q1.15, not for mode " +
             mode.name;
    if (tables != "exact") return name + " has its own tables";
    return "";
  };
  entry.cuts_batch = "may work on one transform after the other";
  return entry;
}

AlgorithmEntry peer_entry(std::string name, std::string summary,
                          MakeFft<MachineArithmetic<float>> make) {
  AlgorithmEntry entry = peer_of("fp32", name, std::move(summary));
  entry.make.in<MachineArithmetic<float>>() = std::move(make);
  return entry;
}
AlgorithmEntry peer_entry(std::string name, std::string summary,
                          MakeFft<MachineArithmetic<double>> make) {
  AlgorithmEntry entry = peer_of("fp64", name, std::move(summary));
  entry.make.in<MachineArithmetic<double>>() = std::move(make);
  return entry;
}

}  // namespace fftprec
