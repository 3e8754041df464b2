/// What must hold of the readers of a run's directory, results.csv and manifest.json: they throw
/// nothing but an InputError that names the file; rows that are read are written to lines that are
/// read as the same rows.
#include "arith/support/error.hpp"
#include "experiments/cases/columns.hpp"
#include "reports/page/page.hpp"
#include "reports/results/csv.hpp"
#include "reports/results/manifest.hpp"
#include "tests/fuzz/fuzz.hpp"

namespace fftprec::testing {
namespace {

void check_rows(std::string_view text, std::string_view name) {
  const std::vector<Row> rows = results::parse_csv(text, name, results::Duplicates::keep);
  must(rows.size() <= text.size(), "no more rows than bytes");
  std::string written = results::csv_header();
  for (const Row& row : rows) written += results::to_csv(row);
  const std::vector<Row> again = results::parse_csv(written, name, results::Duplicates::keep);
  must(again.size() == rows.size(), "as many rows are read back");
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (const Column& column : columns())
      must(column.text(again[i]) == column.text(rows[i]), "the same rows are read back");
}

template <class Read>
void only_input_errors(std::string_view name, Read&& read) {
  try {
    read();
  } catch (const InputError& error) {
    must(std::string_view(error.what()).starts_with(name),
         std::string("an error names the file: ") + error.what());
  }
}

}  // namespace
}  // namespace fftprec::testing

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace fftprec::testing;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  only_input_errors("fuzz.csv:", [text] { check_rows(text, "fuzz.csv"); });
  only_input_errors("fuzz.json: ",
                    [text] { fftprec::results::parse_manifest_version(text, "fuzz.json"); });
  only_input_errors("fuzz.json: ", [text] { fftprec::page::parse_manifest(text, "fuzz.json"); });
  return 0;
}
