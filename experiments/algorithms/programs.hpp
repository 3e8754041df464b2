/// Other programs as algorithms: `program:NAME` (docs/programs.md).
///
/// A program runs only if the user's command line or own code names it: `add_programs` and
/// `add_program` are called for options and by callers of the library, never for a name in a sweep,
/// a gate or a file of results.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "experiments/algorithms/algorithm_entry.hpp"
#include "experiments/algorithms/program_worker.hpp"

namespace fftprec {

inline constexpr std::string_view program_kind = "program:";

/// A program by the name that follows "program:".
struct Program {
  std::string name;
  std::string summary{};
  ProgramCommand command{};
};

/// The programs in the text of a TOML file: tables [NAME] with `command`, an array of texts, and
/// perhaps `about`, `url`, `directory` and `timeout`. A relative path is relative to the file.
/// Throws LocatedError.
std::vector<Program> parse_programs(std::string_view toml, const std::filesystem::path& file);

/// Makes the programs of a TOML file known. Returns their names, "program:NAME".
std::vector<std::string> add_programs(const std::filesystem::path& file);

/// Makes the programs known that "algorithm=program:./PATH" names by their paths, in a list of
/// values.
void add_programs_at(const std::string& axis);

/// The program that a name such as "./adapter" stands for. Throws InputError unless it is the path
/// of a file that can be executed.
Program program_at(const std::string& path);

/// Makes it known to this process, in place of one of the same name. Throws InputError for a name
/// with ':', '=', ',' or blanks.
void add_program(const Program& program);

/// As above, a function of this process. `version`: what it says of itself.
void add_program(const std::string& name, const std::string& version, WholeFunction function);

/// The names that are known, "program:NAME".
std::vector<std::string> program_names();

/// The algorithm of a name "program:NAME". Starts nothing. Throws InputError for a program that was
/// not added, listing those that were.
AlgorithmEntry program_algorithm(std::string_view name);

/// What a manifest keeps of a program.
struct ProgramIdentity {
  std::string name;                    ///< "program:NAME"
  std::vector<std::string> command{};  ///< empty: a function of this process
  std::string version{};               ///< as the program states it, or why that is unknown
  std::string hash{};                  ///< of the files that the command names
};

/// Starts the program if it is not running. Throws what program_algorithm throws.
ProgramIdentity program_identity(std::string_view name);

}  // namespace fftprec
