/// A fixture for tests of one command: a directory with rows, words in, outputs and exit code back.
#pragma once

#include <gtest/gtest.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "arith/support/error.hpp"
#include "reports/commands/command.hpp"
#include "reports/commands/exit_code.hpp"
#include "reports/results/csv.hpp"
#include "tests/support/temporary_directory.hpp"

namespace fftprec::testing {

class OneCommand : public ::testing::Test {
 protected:
  std::string path(const std::string& name) const { return (directory_ / name).string(); }

  void write(const std::string& name, const std::string& text) const {
    std::ofstream(directory_ / name, std::ios::binary) << text;
  }

  void write_rows(const std::string& name, const std::vector<Row>& rows) const {
    std::ofstream stream(directory_ / name, std::ios::binary);
    write_csv(stream, rows);
  }
  void write_rows(const std::vector<Row>& rows) const { write_rows("results.csv", rows); }

  /// Runs the words with the command that add(app, context) adds; prepare(context) may set what the
  /// command asks of its surroundings. An InputError is what the program turns into exit code 2.
  template <class Add, class Prepare>
  int run(Add add, std::vector<std::string> words, Prepare prepare) {
    CLI::App app;
    std::ostringstream out;
    std::ostringstream err;
    CommandContext context{out, err};
    prepare(context);
    add(app, context);
    std::reverse(words.begin(), words.end());  // as CLI11 takes them
    try {
      app.parse(words);
    } catch (const InputError& error) {
      err << error.what();
      context.exit_code = to_int(ExitCode::usage);
    }
    out_ = out.str();
    err_ = err.str();
    return context.exit_code;
  }

  template <class Add>
  int run(Add add, std::vector<std::string> words) {
    return run(add, std::move(words), [](CommandContext&) {});
  }

  TemporaryDirectory directory_;
  std::string out_;
  std::string err_;
};

}  // namespace fftprec::testing
