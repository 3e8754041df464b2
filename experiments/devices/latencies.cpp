#include "experiments/devices/latencies.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "algorithms/arithmetic/modes.hpp"
#include "arith/support/error.hpp"
#include "experiments/support/decimal.hpp"

namespace fftprec::devices {

namespace {

constexpr std::string_view header = "hardware,algorithm,mode,n,batch,time_us,note";

std::uint64_t count_from(std::string_view text, const std::string& place) {
  const std::optional<std::uint64_t> value = parse_unsigned(text);
  if (!value || *value == 0)
    throw InputError(place + "'" + std::string(text) + "' is not a number from 1 on");
  return *value;
}

double time_from(std::string_view text, const std::string& place) {
  const std::optional<double> value = parse_double(text);
  if (!value || !(*value > 0))
    throw InputError(place + "'" + std::string(text) + "' is not a time above 0");
  return *value;
}

Latency latency_from(std::string_view line, const std::string& place) {
  std::array<std::string_view, 7> cells;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const std::size_t comma = i + 1 < cells.size() ? line.find(',') : line.size();
    if (comma == std::string_view::npos)
      throw InputError(place + "has " + std::to_string(i + 1) + " cells, not " +
                       std::to_string(cells.size()));
    cells[i] = line.substr(0, comma);
    line.remove_prefix(std::min(comma + 1, line.size()));
  }
  return {.hardware = std::string(cells[0]),
          .algorithm = std::string(cells[1]),
          .mode = shown_mode(cells[2]),
          .n = count_from(cells[3], place),
          .batch = count_from(cells[4], place),
          .time_us = time_from(cells[5], place),
          .note = std::string(cells[6])};
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

void check_hardware(std::string_view name) {
  constexpr std::string_view names[] = {"trn1", "trn2", "trn3"};
  index_named(names, "hardware", name);
}

bool is_trainium(std::string_view machine) { return machine.starts_with("trn"); }

std::optional<PublishedTime> published_time(const Case& where, std::string_view hardware) {
  if (where.transform != Case().transform || !is_trainium(where.machine)) return {};
  const Latency* below = nullptr;
  const Latency* above = nullptr;
  for (const Latency& latency : published_latencies()) {
    if (latency.hardware != hardware || latency.algorithm != where.algorithm ||
        latency.mode != where.mode || latency.batch != where.batch)
      continue;
    if (latency.n <= where.n && (!below || latency.n > below->n)) below = &latency;
    if (latency.n >= where.n && (!above || latency.n < above->n)) above = &latency;
  }
  if (!below || !above) return {};
  if (below == above) return PublishedTime{below->time_us, false, below->note};
  const auto log_of = [](std::uint64_t n) { return std::log(static_cast<double>(n)); };
  const double share = (log_of(where.n) - log_of(below->n)) / (log_of(above->n) - log_of(below->n));
  const double us = below->time_us * std::pow(above->time_us / below->time_us, share);
  const std::string& note = below->note.empty() ? above->note : below->note;
  return PublishedTime{us, true, note};
}

}  // namespace fftprec::devices
