#include "experiments/algorithms/programs.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <numeric>
#include <span>
#include <utility>

#include "arith/support/error.hpp"
#include "experiments/support/decimal.hpp"
#include "experiments/support/files.hpp"
#include "experiments/support/hash.hpp"
#include "experiments/support/names.hpp"
#include "experiments/support/printable.hpp"
#include "experiments/support/toml_reader.hpp"

namespace fftprec {

namespace {

using Path = std::filesystem::path;

/// Codes of the values of a format, little-endian, one after the other.
class Codes {
 public:
  explicit Codes(const Format& format)
      : format_(format), bytes_(static_cast<std::size_t>(width_of(format)) / 8) {
    if (width_of(format) % 8 != 0 || bytes_ > sizeof(std::uint64_t))
      throw NotApplicable(fmt::format("{}: values of {} bits are not sent to programs",
                                      to_string(format), width_of(format)));
  }

  std::size_t bytes() const { return bytes_; }

  void put(double value, char*& at) const {
    const std::uint64_t code = format_ == fp64 ? std::bit_cast<std::uint64_t>(value)
                               : format_ == fp32
                                   ? std::bit_cast<std::uint32_t>(static_cast<float>(value))
                                   : code_of_value(value, format_);
    for (std::size_t i = 0; i < bytes_; ++i) *at++ = static_cast<char>(code >> (8 * i));
  }

  double take(const char*& at) const {
    std::uint64_t code = 0;
    for (std::size_t i = 0; i < bytes_; ++i)
      code |= std::uint64_t{static_cast<unsigned char>(*at++)} << (8 * i);
    if (format_ == fp64) return std::bit_cast<double>(code);
    if (format_ == fp32) return std::bit_cast<float>(static_cast<std::uint32_t>(code));
    return value_of_code(code, format_);
  }

 private:
  Format format_;
  std::size_t bytes_;
};

std::string bytes_of(const ComplexArray<double>& x, bool real, const Codes& codes) {
  std::string bytes(x.size() * codes.bytes() * (real ? 1 : 2), '\0');
  char* at = bytes.data();
  for (std::size_t i = 0; i < x.size(); ++i) {
    codes.put(x.re[i], at);
    if (!real) codes.put(x.im[i], at);
  }
  return bytes;
}

ComplexArray<double> values_of(const std::string& bytes, bool real, const Codes& codes) {
  ComplexArray<double> x(bytes.size() / codes.bytes() / (real ? 1 : 2));
  const char* at = bytes.data();
  for (std::size_t i = 0; i < x.size(); ++i) {
    x.re[i] = codes.take(at);
    if (!real) x.im[i] = codes.take(at);
  }
  return x;
}

/// Sizes of answers in another convention, where `expected` bytes are right and the real values of
/// a request take `real_bytes`.
std::vector<MistakenSize> mistaken_sizes(const WholeTransform& transform, std::size_t expected,
                                         std::size_t real_bytes) {
  std::vector<MistakenSize> sizes;
  if (transform.real_input && !transform.real_output)
    sizes = {{real_bytes, "a spectrum packed in n real values: unpack it to n/2 + 1 complex ones"},
             {2 * real_bytes, "the whole spectrum: its upper half, from n/2 + 1 on, is not sent"}};
  else if (transform.real_output && !transform.real_input)
    sizes = {{2 * real_bytes, "complex results: these are real"}};
  sizes.push_back({expected / 2, "values of half the size, or one part of complex values"});
  sizes.push_back({2 * expected, "values of twice the size, or real values with imaginary parts"});
  return sizes;
}

/// Running workers of one program, at most one a thread. A worker is idle or asked by one thread.
class WorkerPool {
 public:
  explicit WorkerPool(ProgramCommand command) : command_(std::move(command)) {}

  std::string version() {
    ProgramWorker worker = take();
    std::string version = worker.version();
    give(std::move(worker));
    return version;
  }

  ProgramWorker::Answer ask(std::string_view header, std::string_view bytes, std::size_t expected,
                            std::span<const MistakenSize> mistaken) {
    ProgramWorker worker = take();
    try {
      ProgramWorker::Answer answer = worker.ask(header, bytes, expected, mistaken);
      give(std::move(worker));
      return answer;
    } catch (const NotApplicable&) {
      give(std::move(worker));
      throw;
    }
  }

 private:
  /// A program that does not start three times in turn is not started again.
  ProgramWorker take() {
    constexpr int most_failures = 3;
    {
      const std::scoped_lock lock(mutex_);
      if (!idle_.empty()) {
        ProgramWorker worker = std::move(idle_.back());
        idle_.pop_back();
        return worker;
      }
      if (failures_ >= most_failures)
        throw InputError(
            fmt::format("was not started again after {} failures: {}", failures_, last_failure_));
    }
    try {
      ProgramWorker worker(command_);
      const std::scoped_lock lock(mutex_);
      failures_ = 0;
      return worker;
    } catch (const InputError& error) {
      const std::scoped_lock lock(mutex_);
      ++failures_;
      last_failure_ = error.what();
      throw;
    }
  }

  void give(ProgramWorker worker) {
    const std::scoped_lock lock(mutex_);
    idle_.push_back(std::move(worker));
  }

  const ProgramCommand command_;
  std::mutex mutex_;
  std::vector<ProgramWorker> idle_{};
  int failures_ = 0;
  std::string last_failure_{};
};

/// "fft of 16 x 32, forward, fp32, batch 8".
std::string text_of(const WholeTransform& transform, std::size_t batch) {
  return fmt::format("{} of {}, {}, {}, batch {}", transform.name,
                     fmt::join(transform.lengths, " x "),
                     transform.direction == Direction::forward ? "forward" : "inverse",
                     to_string(transform.format), batch);
}

/// What is known of a program, started or not.
struct KnownProgram {
  std::string summary;
  std::vector<std::string> command;
  Path directory;
  std::shared_ptr<WorkerPool> pool;  ///< null: a function of this process
  std::string version;               ///< of such a function
  WholeFunction function;
};

/// The programs that this process may ask.
struct KnownPrograms {
  std::mutex mutex{};
  std::map<std::string, KnownProgram, std::less<>> by_name{};
};

KnownPrograms& known_programs() {
  static KnownPrograms known;
  return known;
}

void add_known(const std::string& name, KnownProgram program) {
  require(!name.empty() && name.find_first_of(":=, \t\n\"") == name.npos, "program '",
          printable(name), "': a name has no ':', '=', ',', '\"' and no blanks");
  KnownPrograms& known = known_programs();
  const std::scoped_lock lock(known.mutex);
  known.by_name.insert_or_assign(std::string(program_kind) + name, std::move(program));
}

KnownProgram known_program(std::string_view name) {
  KnownPrograms& known = known_programs();
  const std::scoped_lock lock(known.mutex);
  if (const auto found = known.by_name.find(name); found != known.by_name.end())
    return found->second;
  std::vector<std::string> names;
  for (const auto& [known_name, program] : known.by_name) names.push_back(known_name);
  throw InputError(fmt::format(
      "algorithm {}: a program starts only if the command line names it, by --programs FILE.toml "
      "or -a algorithm=program:./PATH; named are: {}",
      printable(name), names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "))));
}

/// The file that a word of a command names, relative to the directory; empty if there is none.
Path file_named(const std::string& word, const Path& directory) {
  std::error_code ignored;
  const Path path = directory / word;
  return std::filesystem::is_regular_file(path, ignored) ? path : Path();
}

}  // namespace

std::vector<Program> parse_programs(std::string_view toml, const Path& file) {
  const TomlReader reader(file.string());
  const toml::table all = reader.parse(toml);
  Path folder = std::filesystem::absolute(file).parent_path();
  std::vector<Program> programs;
  for (const auto& [key, node] : all) {
    const toml::table& entry = reader.table(all, key.str());
    reader.check_keys(entry, {"command", "about", "url", "timeout"});
    Program program{.name = std::string(key.str()), .summary = reader.text_or(entry, "about", "")};
    program.command.words = reader.value(entry, "command", texts_from);
    if (program.command.words.empty())
      throw reader.unexpected(reader.node(entry, "command"), "command",
                              "a program and its arguments");
    program.command.directory = folder;
    // As a shell does it: a name without '/' is looked up in PATH.
    std::string& first = program.command.words.front();
    if (first.find('/') != first.npos) first = (folder / first).string();
    if (entry.contains("timeout")) {
      const std::string text = reader.text(entry, "timeout");
      const auto seconds = parse_seconds(text);
      if (!seconds || !(*seconds > 0))
        throw reader.unexpected(reader.node(entry, "timeout"), "timeout", "a duration such as 60s");
      program.command.timeout_s = *seconds;
    }
    programs.push_back(std::move(program));
  }
  require(!programs.empty(), file.string(),
          ": names no program; expected tables [NAME] with command = [...]");
  return programs;
}

Program program_at(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error) || access(path.c_str(), X_OK) != 0)
    throw InputError(fmt::format(
        "program:{}: is no file that can be executed; programs with names are in --programs "
        "FILE.toml",
        printable(path)));
  return {.name = path, .command = {.words = {path}}};
}

void add_program(const Program& program) {
  add_known(program.name, {program.summary,
                           program.command.words,
                           program.command.directory,
                           std::make_shared<WorkerPool>(program.command),
                           "",
                           {}});
}

void add_program(const std::string& name, const std::string& version, WholeFunction function) {
  add_known(name, {"a function of this process", {}, {}, nullptr, version, std::move(function)});
}

std::vector<std::string> add_programs(const Path& file) {
  std::vector<std::string> names;
  for (const Program& program : parse_programs(read_file(file), file)) {
    add_program(program);
    names.push_back(std::string(program_kind) + program.name);
  }
  return names;
}

void add_programs_at(const std::string& axis) {
  for (const std::string& value : split_list(axis.substr(axis.find('=') + 1)))
    if (value.starts_with(program_kind) && value.find('/') != value.npos)
      add_program(program_at(value.substr(program_kind.size())));
}

std::vector<std::string> program_names() {
  KnownPrograms& known = known_programs();
  const std::scoped_lock lock(known.mutex);
  std::vector<std::string> names;
  for (const auto& [name, program] : known.by_name) names.push_back(name);
  return names;
}

AlgorithmEntry program_algorithm(std::string_view name) {
  KnownProgram program = known_program(name);
  if (program.function)
    return whole_entry(std::string(name), program.summary, std::move(program.function));
  return whole_entry(
      std::string(name), program.summary,
      [pool = program.pool, name = std::string(name)](
          const WholeTransform& transform, std::size_t batch, const ComplexArray<double>& items) {
        const Codes codes(transform.format);
        const std::string bytes = bytes_of(items, transform.real_input, codes);
        const std::string header =
            fmt::format("{} {} {} {} {} {}\n", transform.name, fmt::join(transform.lengths, "x"),
                        transform.direction == Direction::forward ? "forward" : "inverse",
                        to_string(transform.format), batch, bytes.size());
        const std::size_t expected =
            batch * transform.output_size * codes.bytes() * (transform.real_output ? 1 : 2);
        const auto located = [&](const InputError& error) {
          return name + ": " + text_of(transform, batch) + ": " + error.what();
        };
        try {
          const std::size_t points = std::accumulate(
              transform.lengths.begin(), transform.lengths.end(), batch, std::multiplies<>());
          const ProgramWorker::Answer answer = pool->ask(
              header, bytes, expected, mistaken_sizes(transform, expected, points * codes.bytes()));
          ComplexArray<double> results = values_of(answer.bytes, transform.real_output, codes);
          if (answer.scale != 1)
            for (auto* parts : {&results.re, &results.im})
              for (double& part : *parts) part /= answer.scale;
          return results;
        } catch (const NotApplicable& reason) {
          throw NotApplicable(located(reason));
        } catch (const InputError& error) {
          throw InputError(located(error));
        }
      });
}

ProgramIdentity program_identity(std::string_view name) {
  const KnownProgram program = known_program(name);
  ProgramIdentity identity{.name = std::string(name), .command = program.command};
  if (!program.pool) {
    identity.version = program.version;
    return identity;
  }
  try {
    identity.version = program.pool->version();
  } catch (const InputError& error) {
    identity.version = std::string("unknown: ") + error.what();
  }
  std::string contents;
  for (const std::string& word : program.command)
    if (const Path file = file_named(word, program.directory); !file.empty())
      contents += text_hash(read_file(file));
  if (!contents.empty()) identity.hash = text_hash(contents);
  return identity;
}

}  // namespace fftprec
