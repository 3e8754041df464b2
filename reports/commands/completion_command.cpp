/// `fftprec completion` and `fftprec man`: the description of the command line, for shells and as a
/// manual page.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <memory>
#include <ostream>
#include <sstream>

#include "arith/support/error.hpp"
#include "experiments/cases/axes.hpp"
#include "experiments/cases/columns.hpp"
#include "experiments/search/widths.hpp"
#include "experiments/support/printable.hpp"
#include "experiments/sweeps/sweep.hpp"
#include "reports/commands/options.hpp"
#include "reports/commands/show_command.hpp"
#include "reports/results/environment.hpp"

namespace fftprec::commands {

namespace {

struct DescribedOption {
  std::vector<std::string> names;  ///< "-o", "--output"; none of a positional argument
  std::string value;               ///< what help calls it; empty for a flag
  std::vector<std::string> words;  ///< what it can be, where that is a short list
  std::string help;                ///< one line
  std::string position{};          ///< the name of a positional argument
};

struct DescribedCommand {
  std::string name;
  std::string summary;
  std::string examples;
  std::vector<DescribedOption> options;
};

constexpr std::array<std::string_view, 3> completed_shells = {"bash", "zsh", "fish"};

using Words = std::vector<std::string>;

/// Names that a shell takes as one word, without forms such as custom(...).
Words plain_words(Words words) {
  std::erase_if(words,
                [](const std::string& word) { return word.find_first_of(":({,") != word.npos; });
  return words;
}

Words names_of_kind(std::string_view wanted) {
  for (const auto& [kind, names] : names_by_kind())
    if (kind == wanted) return plain_words(names);
  return {};
}

Words columns_named_if(bool are_wanted(const Column&)) {
  Words names;
  for (const Column& column : columns())
    if (are_wanted(column)) names.emplace_back(column.name);
  return names;
}

Words metric_names() {
  return columns_named_if([](const Column& column) { return column.metric; });
}

/// As the beginning of METRIC=LIMIT.
Words with_equals(Words words) {
  for (std::string& word : words) word += "=";
  return words;
}

Words kinds_with_names() {
  Words words;
  for (const auto& [kind, names] : names_by_kind())
    for (const std::string& each : plain_words(names)) words.push_back(kind + ":" + each);
  return words;
}

/// The words of "auto|mpfr|dd|gmp"; none of "DIR|none", which is no list of all values.
Words words_of_choice(const std::string& type) {
  Words words;
  std::istringstream text(type);
  for (std::string word; std::getline(text, word, '|');) words.push_back(word);
  const bool all_small =
      std::ranges::all_of(type, [](char c) { return c == '|' || (c >= 'a' && c <= 'z'); });
  return all_small && words.size() > 1 ? words : Words();
}

/// The words that can begin a value of a type in the help: for MODE or "MODE,..." the modes.
struct TypeWords {
  std::string_view type;
  Words (*words)();
};
constexpr TypeWords words_of_types[] = {
    {"AXIS=VALUE", [] { return with_equals(axis_names()); }},
    {"METRIC=LIMIT", [] { return with_equals(metric_names()); }},
    {"AXIS", [] { return axis_names(); }},
    {"METRIC", metric_names},
    {"COLUMN", [] { return columns_named_if(holds_numbers); }},
    {"WIDTH", search::free_width_names},
    {"SWEEP", [] { return names_by(builtin_sweeps(), &BuiltinSweep::name); }},
    {"SUBJECT", list_subjects},
    {"KIND:NAME", kinds_with_names},
};

Words words_of_type(const std::string& type) {
  for (const auto& [begin, words] : words_of_types)
    if (type.starts_with(begin)) return words();
  std::string kind = type.substr(0, type.find(','));
  for (char& c : kind)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  const Words names = names_of_kind(kind);
  return names.empty() ? words_of_choice(type) : names;
}

DescribedOption described_option(const CLI::Option& option) {
  DescribedOption result;
  for (const std::string& name : option.get_snames()) result.names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) result.names.push_back("--" + name);
  result.help = on_one_line(option.get_description());
  if (option.get_expected_min() > 0) result.value = option.get_type_name();
  result.words = words_of_type(result.value);
  if (result.names.empty()) result.position = option.get_name();
  return result;
}

std::vector<DescribedCommand> described_commands(const CLI::App& app) {
  std::vector<DescribedCommand> commands;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    DescribedCommand each{
        command->get_name(), command->get_description(), command->get_footer(), {}};
    for (const CLI::Option* option : command->get_options())
      each.options.push_back(described_option(*option));
    commands.push_back(std::move(each));
  }
  return commands;
}

/// In single quotes, for every one of the shells.
std::string quoted_for_shells(std::string text) {
  std::erase(text, '\'');
  return "'" + text + "'";
}

/// Options and first words of a command, in one list; of KIND:NAME, three words to bash, the first.
std::string words_text(const DescribedCommand& command) {
  Words words;
  for (const DescribedOption& option : command.options) {
    words.insert(words.end(), option.names.begin(), option.names.end());
    for (const std::string& word : option.names.empty() ? option.words : Words()) {
      const std::string first =
          word.substr(0, word.find(':')) + (word.find(':') == word.npos ? "" : ":");
      if (words.empty() || words.back() != first) words.push_back(first);
    }
  }
  return fmt::format("{}", fmt::join(words, " "));
}

/// The names of axes and of what `show` calls so, a line each, "KIND) assignment ;;".
std::string cases_of_kinds(std::string_view assignment_begin, std::string_view assignment_end) {
  std::string lines;
  for (const auto& [kind, names] : names_by_kind())
    lines += fmt::format("    {}) {}{}{} ;;\n", kind, assignment_begin,
                         fmt::join(plain_words(names), " "), assignment_end);
  return lines;
}

std::string bash_completion(const std::vector<DescribedCommand>& commands) {
  const std::vector<std::string> names = names_by(commands, &DescribedCommand::name);
  std::string values;
  std::string words;
  for (const DescribedCommand& command : commands) {
    words += fmt::format("    {}) words='{}' ;;\n", command.name, words_text(command));
    for (const DescribedOption& option : command.options)
      if (!option.names.empty() && !option.value.empty())
        values += fmt::format("    {}:{}) words='{}' ;;\n", command.name,
                              fmt::join(option.names, fmt::format("|{}:", command.name)),
                              fmt::join(option.words, " "));
  }
  return fmt::format(R"(# Completion of fftprec for bash: source <(fftprec completion bash)
_fftprec() {{
  local current=${{COMP_WORDS[COMP_CWORD]}} words= kind= before=
  if ((COMP_CWORD > 2)); then  # AXIS, =, VALUES are three words, and KIND, :, NAME
    if [[ $current == [=:] ]]; then
      kind=${{COMP_WORDS[COMP_CWORD - 1]}} current=
    elif [[ ${{COMP_WORDS[COMP_CWORD - 1]}} == [=:] ]]; then
      kind=${{COMP_WORDS[COMP_CWORD - 2]}}
    fi
    case $kind in
{}    esac
  fi
  if [[ $words ]]; then
    [[ $current != *,* ]] || before=${{current%,*}},
    COMPREPLY=($(compgen -P "$before" -W "$words" -- "${{current##*,}}"))
    return
  fi
  if ((COMP_CWORD == 1)); then
    COMPREPLY=($(compgen -W 'help {} --help --version' -- "$current"))
    return
  fi
  case ${{COMP_WORDS[1]}}:${{COMP_WORDS[COMP_CWORD - 1]}} in
{}    *) case ${{COMP_WORDS[1]}} in
    help) words='{}' ;;
{}    esac ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
  [[ ${{COMPREPLY[*]}} != *[=:] ]] || compopt -o nospace 2>/dev/null
}}
complete -o default -F _fftprec fftprec
)",
                     cases_of_kinds("words='", "'"), fmt::join(names, " "), values,
                     fmt::join(names, " "), words);
}

std::string zsh_completion(const std::vector<DescribedCommand>& commands) {
  std::string names;
  std::string cases;
  const auto entry = [](std::string name, std::string help) {
    for (std::size_t at = 0; (at = name.find(':', at)) != std::string::npos; at += 2)
      name.insert(at, "\\");
    return quoted_for_shells(name + ":" + help);
  };
  for (const DescribedCommand& command : commands) {
    names += "    " + entry(command.name, command.summary) + "\n";
    cases += fmt::format("  {})\n    words_of=(\n", command.name);
    std::string values;
    for (const DescribedOption& option : command.options) {
      for (const std::string& name : option.names)
        cases += "      " + entry(name, option.help) + "\n";
      if (option.names.empty())
        for (const std::string& word : option.words)
          cases += "      " + entry(word, option.position) + "\n";
      else if (!option.value.empty())
        values += fmt::format("    [[ $words[CURRENT-1] == ({}) ]] && value=1 values=({})\n",
                              fmt::join(option.names, "|"), fmt::join(option.words, " "));
    }
    cases += "    )\n" + values + "    ;;\n";
  }
  return fmt::format(R"(#compdef fftprec
# Completion of fftprec for zsh: in a folder of $fpath as _fftprec
_fftprec() {{
  local -a words_of values
  local value kind
  if (( CURRENT == 2 )); then
    words_of=(
    'help:Help on a command'
{}    )
    _describe command words_of
    return
  fi
  if [[ $words[CURRENT-1] == (-a|--axis) && $PREFIX == *=* ]]; then
    kind=${{PREFIX%%=*}}
    compset -P '*[=,]'
    case $kind in
{}    esac
    compadd -S '' -- $values
    return
  fi
  case $words[2] in
{}  esac
  if [[ -n $value ]]; then
    (( $#values )) || {{ _files; return }}
    [[ $values[1] == *= ]] && compadd -S '' -- $values || compadd -- $values
    return
  fi
  _describe word words_of
  _files
}}
_fftprec "$@"
)",
                     names, cases_of_kinds("values=(", ")"), cases);
}

/// "AXIS=NAME ..." of every axis that has names.
Words axes_with_names() {
  Words words;
  for (const std::string& axis : axis_names()) {
    words.push_back(axis + "=");
    for (const std::string& name : names_of_kind(axis)) words.push_back(axis + "=" + name);
  }
  return words;
}

std::string fish_completion(const std::vector<DescribedCommand>& commands) {
  std::string text =
      "# Completion of fftprec for fish: fftprec completion fish | source\n"
      "complete -c fftprec -n __fish_use_subcommand -f -a help -d 'Help on a command'\n";
  for (const DescribedCommand& command : commands) {
    text += fmt::format("complete -c fftprec -n __fish_use_subcommand -f -a {} -d {}\n",
                        command.name, quoted_for_shells(command.summary));
    const std::string begin =
        fmt::format("complete -c fftprec -n '__fish_seen_subcommand_from {}'", command.name);
    for (const DescribedOption& option : command.options) {
      text += begin;
      for (const std::string& name : option.names)
        text += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
      if (!option.value.empty() && !option.names.empty()) text += " -r";
      const bool takes_axes = option.value.starts_with("AXIS=");
      if (!option.words.empty())
        text += fmt::format("{} -a '{}'", option.names.empty() ? "" : " -f",
                            fmt::join(takes_axes ? axes_with_names() : option.words, " "));
      text += " -d " + quoted_for_shells(option.help) + "\n";
    }
  }
  return text;
}

/// Text of a manual page: a line may not begin with a control character of roff.
std::string roff(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (result.empty() || result.back() == '\n')
      if (c == '.' || c == '\'') result += "\\&";
    if (c == '\\')
      result += "\\e";
    else if (c == '-')
      result += "\\-";
    else
      result += c;
  }
  return result;
}

std::string as_written(std::string_view text) {
  return text.empty() ? "" : fmt::format(".PP\n.nf\n{}\n.fi\n", roff(text));
}

std::string manual_of(const DescribedCommand& command) {
  std::string positions;
  std::string options;
  for (const DescribedOption& option : command.options) {
    std::string term = fmt::format("{}", fmt::join(option.names, ", "));
    if (term.empty()) positions += " " + (term = option.position);
    options += fmt::format(
        ".TP\n\\fB{}\\fR{}\n{}\n", roff(term),
        option.value.empty() || option.names.empty() ? "" : " \\fI" + roff(option.value) + "\\fR",
        roff(option.help));
  }
  return fmt::format(".SS \"fftprec {} [OPTIONS]{}\"\n{}\n{}{}", roff(command.name),
                     roff(positions), roff(command.summary), options, as_written(command.examples));
}

std::string manual_page(const CLI::App& app) {
  std::string text = fmt::format(".TH FFTPREC 1 \"\" \"fftprec {}\" \"User Commands\"\n",
                                 results::build_info().version);
  text += ".SH NAME\nfftprec \\- the error of FFTs in low precision, measured and explained\n";
  text += ".SH SYNOPSIS\n.B fftprec\n\\fICOMMAND\\fR [\\fIOPTIONS\\fR]\n";
  text += fmt::format(".SH DESCRIPTION\n{}\n", roff(app.get_description()));
  text += as_written(app.get_footer());
  text += ".SH COMMANDS\n";
  for (const DescribedCommand& command : described_commands(app)) text += manual_of(command);
  text += ".SH FILES\n.TP\n.I /usr/share/doc/fftprec\nREADME.md, the pages in docs, and examples\n";
  return text;
}

ExitCode print_completion(const std::string& shell, const CLI::App& app, std::ostream& out) {
  const std::vector<DescribedCommand> commands = described_commands(app);
  if (shell == "bash")
    out << bash_completion(commands);
  else if (shell == "zsh")
    out << zsh_completion(commands);
  else if (shell == "fish")
    out << fish_completion(commands);
  else
    throw unknown_name("shell", shell, {completed_shells.begin(), completed_shells.end()});
  return ExitCode::ok;
}

}  // namespace

/// A script that completes command lines in a shell: bash, zsh or fish. Exit codes: 0, 2 an unknown
/// shell.
void add_completion_command(CLI::App& app, Context& context) {
  const auto shell = std::make_shared<std::string>();
  Command command(app, "completion", "Print a script that completes command lines in a shell",
                  "Examples:\n"
                  "  source <(fftprec completion bash)\n"
                  "  fftprec completion fish > ~/.config/fish/completions/fftprec.fish");
  command
      .add(fmt::format("shell {}", fmt::join(completed_shells, "|")), *shell, "Shell of the script")
      .required();
  command.run(context,
              [shell, &app, &context] { return print_completion(*shell, app, context.out); });
}

void add_man_command(CLI::App& app, Context& context) {
  Command command(app, "man", "Print the manual page", "Example:\n  fftprec man | man -l -");
  command.run(context, [&app, &context] {
    context.out << manual_page(app);
    return ExitCode::ok;
  });
}

}  // namespace fftprec::commands
