#include "reports/mpi/message.hpp"

#include <array>
#include <utility>

#include "arith/support/error.hpp"
#include "experiments/support/decimal.hpp"
#include "reports/results/csv.hpp"

namespace fftprec {

namespace {

constexpr std::array<std::pair<Verb, std::string_view>, 7> verbs = {{
    {Verb::ask, "ask"},
    {Verb::row, "row"},
    {Verb::gave_up, "gave_up"},
    {Verb::gone, "gone"},
    {Verb::cases, "cases"},
    {Verb::stop, "stop"},
    {Verb::end, "end"},
}};

}  // namespace

std::string text_of(const Message& message) {
  std::string text;
  for (const auto& [verb, name] : verbs)
    if (verb == message.verb) text = name;
  text += " " + std::to_string(message.slot) + "\n";
  if (message.rows.empty()) return text;
  text += csv_header();
  for (const Row& row : message.rows) text += to_csv(row);
  return text;
}

Message parse_message(std::string_view text) {
  const std::size_t end = std::min(text.find('\n'), text.size());
  const std::string_view line = text.substr(0, end);
  const std::size_t space = std::min(line.find(' '), line.size());
  const auto slot = parse_unsigned(line.substr(std::min(space + 1, line.size())));
  for (const auto& [verb, name] : verbs) {
    if (name != line.substr(0, space) || !slot || end == text.size()) continue;
    Message message{verb, *slot, {}};
    if (end + 1 < text.size()) message.rows = parse_csv(text.substr(end + 1), "message");
    return message;
  }
  throw InputError("'" + std::string(line) + "' is no message between processes");
}

}  // namespace fftprec
