#include "experiments/devices/latencies.hpp"

#include <algorithm>
#include <array>
#include <charconv>

#include "arith/support/error.hpp"
#include "experiments/support/decimal.hpp"

namespace fftprec {

namespace {

constexpr std::string_view header = "generation,algorithm,mode,n,batch,time_us,fitted,note";

std::uint64_t count_from(std::string_view text, const std::string& place) {
  std::uint64_t value = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || stop != text.data() + text.size() || value == 0)
    throw InputError(place + "'" + std::string(text) + "' is no number from 1 on");
  return value;
}

double time_from(std::string_view text, const std::string& place) {
  const std::optional<double> value = parse_double(text);
  if (!value || !(*value > 0))
    throw InputError(place + "'" + std::string(text) + "' is no time above 0");
  return *value;
}

Latency latency_from(std::string_view line, const std::string& place) {
  std::array<std::string_view, 8> cells;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const std::size_t comma = i + 1 < cells.size() ? line.find(',') : line.size();
    if (comma == std::string_view::npos)
      throw InputError(place + "has " + std::to_string(i + 1) + " cells, not " +
                       std::to_string(cells.size()));
    cells[i] = line.substr(0, comma);
    line.remove_prefix(std::min(comma + 1, line.size()));
  }
  if (cells[6] != "yes" && cells[6] != "no")
    throw InputError(place + "fitted is '" + std::string(cells[6]) + "', not yes or no");
  return {.generation = std::string(cells[0]),
          .algorithm = std::string(cells[1]),
          .mode = std::string(cells[2]),
          .n = count_from(cells[3], place),
          .batch = count_from(cells[4], place),
          .time_us = time_from(cells[5], place),
          .fitted = cells[6] == "yes",
          .note = std::string(cells[7])};
}

}  // namespace

std::vector<Latency> parse_latencies(std::string_view csv, std::string_view name) {
  std::vector<Latency> latencies;
  bool begun = false;
  for (std::size_t number = 1; !csv.empty(); ++number) {
    const std::size_t end = std::min(csv.find('\n'), csv.size());
    const std::string_view line = csv.substr(0, end);
    csv.remove_prefix(std::min(end + 1, csv.size()));
    if (line.empty() || line.front() == '#') continue;
    const std::string place = std::string(name) + ":" + std::to_string(number) + ": ";
    if (begun) {
      latencies.push_back(latency_from(line, place));
      continue;
    }
    if (line != header) throw InputError(place + "the header is not " + std::string(header));
    begun = true;
  }
  if (!begun) throw InputError(std::string(name) + ": has no header " + std::string(header));
  return latencies;
}

}  // namespace fftprec
