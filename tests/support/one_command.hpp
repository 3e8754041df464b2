/// A fixture for tests of one command: a directory with rows, words in, outputs and exit code back.
#pragma once

#include <gtest/gtest.h>

#include <fstream>
#include <functional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "reports/commands/cli.hpp"
#include "reports/results/csv.hpp"
#include "tests/support/command_line.hpp"
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
    stream << results::csv_text(rows);
  }
  void write_rows(const std::vector<Row>& rows) const { write_rows("results.csv", rows); }

  /// Runs the words; prepare(context) may set what the command asks of its surroundings.
  Outcome run(Words words, const std::function<void(commands::Context&)>& prepare = {}) {
    words.insert(words.begin(), "fftprec");
    std::ostringstream out;
    std::ostringstream err;
    commands::Context context{out, err, std::move(words)};
    if (prepare) prepare(context);
    const int code = run_cli(context);
    out_ = out.str();
    err_ = err.str();
    return {code, out_, err_};
  }

  TemporaryDirectory directory_;
  std::string out_;
  std::string err_;
};

}  // namespace fftprec::testing
