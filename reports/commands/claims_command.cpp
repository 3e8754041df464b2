/// `fftprec claims`: checks published claims by experiment, and shows how far each verdict is from
/// another one.

#include <algorithm>
#include <filesystem>
#include <memory>

#include "arith/support/error.hpp"
#include "experiments/claims/claim.hpp"
#include "experiments/support/files.hpp"
#include "experiments/support/printable.hpp"
#include "reports/claims/claim_report.hpp"
#include "reports/commands/options.hpp"
#include "reports/commands/progress.hpp"
#include "reports/figures/image_files.hpp"

namespace fftprec::commands {

namespace {

struct ClaimsArguments {
  std::vector<std::string> ids;
  std::vector<std::string> files;
  std::string directory;
  std::string seeds;
  std::uint64_t seed_shift = 0;
  unsigned threads = 0;
};

void write_pages(std::span<const claims::ClaimVerdict> claims, const claims::Evidence& evidence,
                 const std::filesystem::path& directory, std::ostream& err) {
  std::vector<figures::Figure> drawn_figures;
  for (const claims::ClaimVerdict& judged : claims)
    if (auto figure = claim_drawing(judged.claim, evidence))
      drawn_figures.push_back(*std::move(figure));
  const figures::ImageFiles files = figures::write_images(drawn_figures, directory / "plots");
  if (!files.problem.empty() && !files.failed)
    err << "fftprec claims: " << printable(files.problem) << '\n';
  for (const claims::ClaimVerdict& judged : claims) {
    const std::string name = judged.claim.id + ".svg";
    const bool drawn = std::filesystem::exists(directory / "plots" / name);
    replace_file(directory / (judged.claim.id + ".md"),
                 claim_page(judged, drawn ? "plots/" + name : ""));
  }
  replace_file(directory / "index.md", "# Claims\n\n" + claims_index(claims));
  replace_file(directory / "claims.csv", claims_csv(claims));
  replace_file(directory / "evidence.csv", claims::evidence_csv(claims, evidence));
  err << "in " << directory.string() << ": index.md, a page per claim, plots/, claims.csv, "
      << "evidence.csv\n";
  if (files.failed) throw InputError(files.problem);
}

std::vector<claims::Claim> claims_asked_for(const ClaimsArguments& arguments,
                                            const CheckNames& check_names) {
  std::vector<claims::Claim> claims;
  for (const std::string& file : arguments.files) {
    claims.push_back(claims::read_claim(file, check_names));
    const auto alike =
        std::find_if(claims.begin(), claims.end() - 1,
                     [&](const claims::Claim& claim) { return claim.id == claims.back().id; });
    if (alike != claims.end() - 1)
      throw InputError(file + ": id '" + alike->id + "' is that of another claim");
  }
  if (claims.empty()) claims = claims::builtin_claims(check_names);
  claims = claims::claims_with_ids(std::move(claims), arguments.ids);
  claims::SeedChoice choice{{}, arguments.seed_shift};
  if (!arguments.seeds.empty()) choice.seeds = claims::parse_seeds(arguments.seeds);
  for (claims::Claim& claim : claims) choose_seeds(claim, choice);
  return claims;
}

ExitCode run_claims(const ClaimsArguments& arguments, Context& context) {
  const std::vector<claims::Claim> claims = claims_asked_for(arguments, context.check_names());
  check_outputs("", arguments.directory);
  const InterruptGuard guard(context.owns_process);
  Progress progress(context.progress_stream());
  const claims::Evidence evidence =
      claims::measure_claims(context.session->plan(cases_of_all(claims)),
                             {.threads = arguments.threads, .stop = &InterruptGuard::flag()},
                             [&](const FinishedCase& finished) { progress.show(finished.state); });
  progress.finish();
  if (InterruptGuard::flag()) {
    context.err << "interrupted: nothing is settled\n";
    return ExitCode::interrupted;
  }
  std::vector<claims::ClaimVerdict> judged;
  for (const claims::Claim& claim : claims) judged.push_back(evaluate_claim(claim, evidence));
  context.out << claims_table(judged);
  if (!arguments.directory.empty()) write_pages(judged, evidence, arguments.directory, context.err);
  const bool all = std::ranges::all_of(judged, &claims::ClaimVerdict::is_decided);
  return all ? ExitCode::ok : ExitCode::cases_failed;
}

}  // namespace

void add_claims_command(CLI::App& app, Context& context) {
  Command command(
      app, "claims", "Check published claims by experiment",
      "Examples:\n"
      "  fftprec claims                       all of them, as a table\n"
      "  fftprec claims -o out/claims         a page per claim, with figure and evidence\n"
      "  fftprec claims C5 --seeds 101..120   one, on other seeds\n"
      "Exit codes: 0 every claim has a verdict, 2 usage or files, 3 a case failed and a claim has "
      "no\n  verdict, 130 interrupted.");
  const auto arguments = std::make_shared<ClaimsArguments>();
  command.add("id", arguments->ids, "Claims, such as C5; default all");
  command.add_list("-c,--claim-file", arguments->files,
                   "Files with your own claims, in place of the built-in ones");
  command.add("-o,--output", arguments->directory,
              "Directory for pages, plots, claims.csv and evidence.csv");
  command.add("--seeds", arguments->seeds, "Seeds in place of the claims' own: 101..120");
  command.add("--seed-shift K", arguments->seed_shift,
              "Number added to every seed but the published one");
  command.add_threads(arguments->threads);
  command.run(context, [arguments, &context] { return run_claims(*arguments, context); });
}

}  // namespace fftprec::commands
