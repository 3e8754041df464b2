#include "reports/commands/usage_message.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <utility>

#include "arith/support/error.hpp"

namespace fftprec {

namespace {

std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options())
    for (const auto& [dashes, list] :
         {std::pair{"--", option->get_lnames()}, std::pair{"-", option->get_snames()}})
      for (const std::string& name : list) names.push_back(dashes + name);
  return names;
}

/// "name a command: ..." or "gate: run is missing (what it is)"; empty if nothing is missing.
std::string what_is_missing(const CLI::App& app, const std::vector<std::string>& commands) {
  const std::vector<const CLI::App*> used = app.get_subcommands(nullptr);
  const auto command =
      std::find_if(used.begin(), used.end(), [](const CLI::App* each) { return each->parsed(); });
  if (command == used.end()) {
    std::string list;
    for (const std::string& name : commands) list += (list.empty() ? "" : ", ") + name;
    return "name a command: " + list;
  }
  for (const CLI::Option* option : (*command)->get_options())
    if (option->get_required() && option->count() == 0)
      return (*command)->get_name() + ": " + option->get_name() + " is missing (" +
             option->get_description() + ")";
  return {};
}

}  // namespace

std::string usage_message(const CLI::App& app, const CLI::ParseError& error,
                          const std::vector<std::string>& argv) {
  std::vector<std::string> commands;
  for (const CLI::App* command : app.get_subcommands({})) commands.push_back(command->get_name());
  if (argv.size() > 1 && !argv[1].starts_with('-') &&
      std::find(commands.begin(), commands.end(), argv[1]) == commands.end())
    return unknown_name("command", argv[1], commands).what();
  for (const CLI::App* command : app.get_subcommands())
    for (const std::string& rest : command->remaining())
      if (rest.starts_with('-')) return unknown_name("option", rest, option_names(*command)).what();
  if (error.get_name() == "RequiredError")
    if (const std::string missing = what_is_missing(app, commands); !missing.empty())
      return missing;
  return error.what();
}

}  // namespace fftprec
