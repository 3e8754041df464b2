/// `fftprec diverge`: the stage at which a user's FFT leaves the arithmetic of a case, and the
/// fault there.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>
#include <ostream>
#include <set>

#include "algorithms/transforms/separable.hpp"
#include "arith/support/error.hpp"
#include "experiments/attribution/divergence.hpp"
#include "experiments/attribution/stage_data.hpp"
#include "experiments/cases/session.hpp"
#include "experiments/files/file_values.hpp"
#include "experiments/files/words.hpp"
#include "experiments/support/decimal.hpp"
#include "experiments/support/files.hpp"
#include "experiments/support/printable.hpp"
#include "experiments/testing/measure_result.hpp"
#include "reports/commands/arrays.hpp"
#include "reports/commands/options.hpp"
#include "reports/text/table.hpp"

namespace fftprec::commands {

namespace {

using attribution::CaseFlow;
using attribution::Divergence;
using attribution::FlowCut;
using attribution::OwnStage;
using attribution::StageVerdict;

constexpr double nearly_all = 0.9;  // of an array that agrees with a stage

struct DivergeArguments {
  OneCaseRequest which;
  InputFile input;
  std::string stages;
  std::string result;
  std::string ask;
  std::vector<std::string> cuts;
  std::string order;
  double factor = 1.5;
  double probability = 1e-9;
};

/// "stage_2.npy" before "stage_10.npy": digits count as numbers.
bool natural_less(const std::string& a, const std::string& b) {
  std::size_t i = 0;
  std::size_t j = 0;
  const auto digit = [](char c) { return c >= '0' && c <= '9'; };
  while (i < a.size() && j < b.size()) {
    if (digit(a[i]) && digit(b[j])) {
      const auto number = [&](const std::string& of, std::size_t& at) {
        while (at < of.size() && of[at] == '0') ++at;
        const std::size_t first = at;
        while (at < of.size() && digit(of[at])) ++at;
        return of.substr(first, at - first);
      };
      const std::string x = number(a, i);
      const std::string y = number(b, j);
      if (x.size() != y.size()) return x.size() < y.size();
      if (x != y) return x < y;
    } else if (a[i] != b[j]) {
      return a[i] < b[j];
    } else {
      ++i;
      ++j;
    }
  }
  return a.size() - i < b.size() - j;
}

/// "x.hex" of "x_re.hex" where parts have files of their own; empty for "x_im.hex".
std::string name_of_parts(const std::filesystem::path& file, bool are_split) {
  if (!are_split) return file.string();
  const std::string stem = file.stem().string();
  return stem.ends_with("_re") ? stem.substr(0, stem.size() - 3) + file.extension().string() : "";
}

/// Arrays and words; compute --stages leaves stages.csv and exponents beside them.
std::vector<std::string> array_files(const std::string& directory, const NamedWords& words) {
  require(std::filesystem::is_directory(directory), "--stages ", directory, " is no folder");
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(directory)) {
    const std::filesystem::path file = entry.path().filename();
    if (file == "stages.csv" || file.string().ends_with(".exponents.csv")) continue;
    if (file.extension() != ".npy" && !is_word_file(file)) continue;
    const std::string name = name_of_parts(file, words.layout == "split");
    if (!name.empty()) files.push_back(name);
  }
  require(!files.empty(), "--stages ", directory, " holds no .npy, .hex, .mem or .csv file");
  std::ranges::sort(files, natural_less);
  return files;
}

/// The user's data, with the exponents beside words if there are any.
Samples own_samples(const std::filesystem::path& path, NamedWords words, const std::string& mode) {
  words.exponents.clear();  // they are those of the input
  return read_samples(path, 0,
                      {.dtype = {}, .finite = false, .words = word_form_named(words, mode)});
}

/// A cut that the user names: "FILE=CUT" or "FILE=CUT:ORDER", by a title or a stage's number.
struct NamedCut {
  std::string file;
  std::string cut;
  std::string order;
};

NamedCut parse_cut(const std::string& text) {
  const std::size_t equals = text.find('=');
  require(equals != text.npos && equals > 0, "--cut ", text,
          ": expected FILE=STAGE or FILE=STAGE:ORDER");
  NamedCut named{text.substr(0, equals), text.substr(equals + 1), ""};
  if (const std::size_t colon = named.cut.rfind(':'); colon != named.cut.npos) {
    named.order = named.cut.substr(colon + 1);
    named.cut.resize(colon);
  }
  return named;
}

std::size_t cut_named(const CaseFlow& flow, const std::string& name) {
  const auto number = parse_unsigned(name);
  for (std::size_t i = 1; i < flow.cuts.size(); ++i)
    if (flow.cuts[i].title == name || (number && flow.cuts[i].stage + 1 == *number)) return i;
  std::vector<std::string> titles;
  std::vector<std::string> quoted;
  for (std::size_t i = 1; i < flow.cuts.size(); ++i) {
    titles.push_back(flow.cuts[i].title);
    quoted.push_back("'" + titles.back() + "'");  // titles hold commas
  }
  throw unknown_name("stage of --cut", name, quoted, nearest_name(name, titles));
}

ComplexArray<double> in_order(const ComplexArray<double>& values,
                              const std::vector<std::size_t>& places) {
  ComplexArray<double> result(values.size());
  for (std::size_t first = 0; first < values.size(); first += places.size())
    for (std::size_t i = 0; i < places.size(); ++i)
      put(result, first + i, values, first + places[i]);
  return result;
}

/// The numbers of a .npy file, of integers or real numbers.
std::vector<double> numbers_in(const std::string& path) {
  const std::string bytes = read_file(path);
  std::vector<double> numbers;
  if (is_npy(bytes) && is_integer_npy(bytes, path))
    for (const std::int64_t number : parse_integer_npy(bytes, path).numbers)
      numbers.push_back(static_cast<double>(number));
  else
    for (const double number : read_samples(path).values.re) numbers.push_back(number);
  return numbers;
}

/// The places of an order: a name, or a .npy file of indices.
std::vector<std::size_t> places_of(const std::string& order, std::size_t n) {
  if (!order.ends_with(".npy")) return attribution::places_in_order(order, n);
  const std::vector<double> numbers = numbers_in(order);
  require(numbers.size() == n, order, " holds ", numbers.size(), " indices, the array has ", n,
          " elements");
  std::vector<std::size_t> places;
  std::set<std::size_t> seen;
  for (const double place : numbers) {
    require(place >= 0 && place < static_cast<double>(n) && place == std::floor(place), order, ": ",
            exact_number(place), " is no index below ", n);
    places.push_back(static_cast<std::size_t>(place));
    require(seen.insert(places.back()).second, order, ": index ", places.back(), " comes twice");
  }
  return places;
}

/// A result may be scaled as the stages leave it, or as the transform is defined: by its norm it is
/// the former or the latter, and then it gets the scale of the stages.
void scale_as_stages(ComplexArray<double>& result, const Case& where, const CaseFlow& flow,
                     std::size_t from, const ComplexArray<double>& before) {
  const double scale = result_scale(Session().plan(where).resolved(), where.n);
  if (scale == 1) return;
  const attribution::FlowRegion region(flow, from, flow.cuts.size() - 1);
  const std::size_t size = flow.cuts[from].nodes.size();
  const std::size_t n = region.to().nodes.size();
  long double expected = 0;
  long double own = 0;
  for (std::size_t item = 0; item < where.batch; ++item) {
    std::vector<attribution::FlowValue> data;
    for (std::size_t i = 0; i < size; ++i)
      data.emplace_back(before.re[item * size + i], before.im[item * size + i]);
    const attribution::FlowEvaluation evaluation(region, data);
    for (std::size_t i = 0; i < n; ++i) {
      expected += std::norm(evaluation.result(i));
      const attribution::FlowValue value(result.re[item * n + i], result.im[item * n + i]);
      own += std::norm(value);
    }
  }
  const auto ratio = static_cast<double>(std::sqrt(own / expected));
  if (std::fabs(std::log(ratio)) <= std::fabs(std::log(ratio * scale))) return;
  result = attribution::as_stages_scale(std::move(result), scale);
}

/// Why an array has no place among the cuts after `from`.
std::string no_place_for(const std::string& name, std::size_t size, const Case& where,
                         bool is_default_n, const CaseFlow& flow, std::size_t from) {
  std::vector<std::string> stages;
  for (std::size_t cut = from + 1; cut < flow.cuts.size(); ++cut)
    if (flow.cuts[cut].stage != FlowCut::npos)
      stages.push_back(
          fmt::format("{} ({})", flow.cuts[cut].title, flow.cuts[cut].nodes.size() * where.batch));
  if (std::ranges::none_of(flow.cuts,
                           [](const FlowCut& cut) { return cut.stage != FlowCut::npos; }))
    return fmt::format(
        "{}: {} leaves no complete array between its stages; --result judges results",
        printable(name), where.algorithm);
  return fmt::format(
      "{} holds {} values; after {} there are {}{}", printable(name), size, flow.cuts[from].title,
      stages.empty() ? "no more stages" : fmt::format("{}", fmt::join(stages, ", ")),
      is_default_n && size % where.batch == 0 && size / where.batch != where.n
          ? fmt::format("; n = {} is the default: -a n={}?", where.n, size / where.batch)
          : "");
}

/// Whether neither an input file nor an axis nor a row says what n is.
bool is_default_n(const DivergeArguments& arguments) {
  return arguments.input.path.empty() && arguments.which.id.empty() &&
         arguments.which.run.empty() &&
         std::ranges::none_of(arguments.which.axes,
                              [](const std::string& axis) { return axis.starts_with("n="); });
}

/// The algorithms with whose stages all arrays agree, each from the array before it; at most three.
std::vector<std::string> algorithms_like(const Case& where, const ComplexArray<double>& input,
                                         const std::vector<ComplexArray<double>>& arrays) {
  constexpr std::size_t most = 3;  // others have the stages of these
  std::vector<std::string> like;
  for (const std::string name : {"radix2-dit", "radix2-dif", "stockham-r2", "stockham-r4",
                                 "mixed-radix", "four-step"}) {  // those with n log n nodes
    Case other = where;
    other.algorithm = name;
    try {
      const CaseFlow flow = attribution::flow_of(other);
      std::size_t from = 0;
      ComplexArray<double> before = attribution::stored_input(other, input);
      const bool agree = std::ranges::all_of(arrays, [&](const ComplexArray<double>& values) {
        const auto placed =
            attribution::find_placement(flow, from, before, values, "natural", false);
        if (!placed || placed->agreement < nearly_all) return false;
        from = placed->cut;
        before = in_order(values, placed->places);
        return true;
      });
      if (agree) like.push_back(name);
    } catch (const InputError&) {
      continue;  // it has no such n, or no flow graph
    }
    if (like.size() == most) break;
  }
  return like;
}

/// Throws InputError if the user's arrays are stages of other algorithms than the case's.
void check_algorithm(const DivergeArguments& arguments, const Case& where,
                     const ComplexArray<double>& input, const std::vector<std::string>& files) {
  std::vector<ComplexArray<double>> arrays;
  for (const std::string& file : files)
    arrays.push_back(own_samples(std::filesystem::path(arguments.stages) / file,
                                 arguments.input.words, where.mode)
                         .values);
  const std::vector<std::string> like = algorithms_like(where, input, arrays);
  require(like.empty(), "no array agrees with a stage of ", where.algorithm,
          ": is it another algorithm? ", arrays.size(), " of ", arrays.size(),
          " agree with stages of ", fmt::format("{}", fmt::join(like, ", ")));
}

/// The user's arrays, each at its cut: as --cut says, or where the values agree, or in turn.
std::vector<OwnStage> own_stages(const DivergeArguments& arguments, const Case& where,
                                 const CaseFlow& flow, const ComplexArray<double>& input,
                                 Context& context) {
  std::vector<NamedCut> named;
  for (const std::string& text : arguments.cuts) named.push_back(parse_cut(text));
  std::vector<OwnStage> own;
  std::vector<std::string> files;
  if (!arguments.stages.empty()) files = array_files(arguments.stages, arguments.input.words);
  const bool in_turn = static_cast<std::ptrdiff_t>(files.size()) ==
                       std::ranges::count_if(flow.cuts, [](const FlowCut& cut) {
                         return cut.stage != FlowCut::npos;
                       });
  std::size_t from = 0;
  double best_agreement = 0;
  std::string doubts;
  const bool has_stages =
      std::ranges::any_of(flow.cuts, [](const FlowCut& cut) { return cut.stage != FlowCut::npos; });
  const bool is_placed_by_values = named.empty() && files.size() > 1 && has_stages;
  ComplexArray<double> before = attribution::stored_input(where, input);
  std::string order = arguments.order.empty() ? "natural" : arguments.order;
  const auto take = [&](const std::string& name, const std::string& path, bool is_result) {
    Samples samples = own_samples(path, arguments.input.words, where.mode);
    const auto given = std::ranges::find(named, name, &NamedCut::file);
    std::size_t cut = flow.cuts.size() - 1;
    std::string own_order = order;
    if (given != named.end()) {
      cut = cut_named(flow, given->cut);
      if (!given->order.empty()) own_order = given->order;
      named.erase(given);
    } else if (is_result) {
      own_order = "natural";
    } else if (auto placed = attribution::find_placement(flow, from, before, samples.values, order,
                                                         in_turn)) {
      cut = placed->cut;
      if (arguments.order.empty()) own_order = placed->order;
      best_agreement = std::max(best_agreement, placed->agreement);
      if (placed->agreement < 0.5)
        doubts += fmt::format(
            "{}: {} % of it agrees with {}, order {}, for which it is taken; --cut "
            "'{}=STAGE:ORDER' says otherwise\n",
            printable(name), std::round(100 * placed->agreement), flow.cuts[cut].title, own_order,
            printable(name));
    } else {
      if (is_placed_by_values && best_agreement < nearly_all)
        check_algorithm(arguments, where, input, files);
      throw InputError(
          no_place_for(name, samples.values.size(), where, is_default_n(arguments), flow, from));
    }
    require(cut > from || own.empty(), name, ": '", flow.cuts[cut].title, "' does not come after '",
            flow.cuts[from].title, "'; --cut names the stages in order");
    const std::size_t n = flow.cuts[cut].nodes.size();
    require(samples.values.size() == n * where.batch, path, " holds ", samples.values.size(),
            " values; ", flow.cuts[cut].title, " leaves ", n * where.batch);
    if (is_result) scale_as_stages(samples.values, where, flow, from, before);
    OwnStage stage{name + (own_order == "natural" ? "" : ", " + own_order), cut,
                   in_order(samples.values, places_of(own_order, n))};
    before = stage.values;
    from = cut;
    order = own_order;
    own.push_back(std::move(stage));
  };
  if (!arguments.stages.empty())
    for (const std::string& file : files)
      take(file, (std::filesystem::path(arguments.stages) / file).string(), false);
  if (!arguments.result.empty()) take(arguments.result, arguments.result, true);
  std::vector<std::string> all_files = files;
  if (!arguments.result.empty()) all_files.push_back(arguments.result);
  require(named.empty(), "--cut names ", named.empty() ? "" : named.front().file,
          ", which is not among the files: ", fmt::format("{}", fmt::join(all_files, ", ")));
  constexpr double hardly_any = 0.1;
  if (is_placed_by_values && best_agreement < nearly_all)
    check_algorithm(arguments, where, input, files);
  context.err << (is_placed_by_values && best_agreement < hardly_any
                      ? fmt::format(
                            "no array agrees with any stage of {}: is it another algorithm, "
                            "or another input?\n",
                            where.algorithm)
                      : doubts);
  return own;
}

std::string table_of(const Divergence& found) {
  std::vector<std::vector<std::string>> cells{
      {"file", "after", "same bits", "rms error", "largest", ""}};
  for (const StageVerdict& stage : found.stages)
    cells.push_back({stage.name, stage.title,
                     !stage.equal ? "-"
                     : *stage.equal == stage.size
                         ? "all"
                         : fmt::format("{} of {}", *stage.equal, stage.size),
                     short_number(stage.rms), short_number(stage.worst),
                     stage.is_faulty         ? "FAULT"
                     : stage.has_same_bits() ? "same values"
                                             : "within rounding"});
  return text::terminal_table({cells, 2}) +
         fmt::format(
             "Errors of a stage, computed from your data before it, in standard deviations of its "
             "rounding;\nrounding explains errors up to {}.\n",
             short_number(found.limit));
}

std::string number_text(const attribution::FlowValue& value) {
  return exact_number(static_cast<double>(value.real())) +
         (std::signbit(value.imag()) ? " - " : " + ") +
         exact_number(std::fabs(static_cast<double>(value.imag()))) + "i";
}

/// "after 7 stages with the same bits".
std::string before_text(const Divergence& found) {
  std::size_t same = 0;
  for (std::size_t s = 0; s < *found.first_faulty; ++s) same += found.stages[s].has_same_bits();
  if (*found.first_faulty == 0) return "";
  if (same == *found.first_faulty)
    return fmt::format(", after {} with the same bits",
                       same == 1 ? "1 array" : fmt::format("{} arrays", same));
  return fmt::format(
      ", after {} within rounding",
      *found.first_faulty == 1 ? "1 array" : fmt::format("{} arrays", *found.first_faulty));
}

/// `no_name` is for a fault that no hypothesis explains.
std::string verdict_of(const Divergence& found, const Case& where, const std::string& no_name) {
  if (!found.first_faulty) {
    std::string text = "no fault: rounding explains every error\n";
    const auto only = found.only_other_bits();
    const auto first = std::ranges::find_if(found.stages, [](const StageVerdict& stage) {
      return stage.equal && !stage.has_same_bits();
    });
    if (!found.machine.empty())
      text += fmt::format("  all bits agree with -a 'machine={}'\n", found.machine);
    else if (only)
      text += fmt::format(
          "  only {} ({}) has other bits than the emulation: {};\n  {}\n",
          found.stages[*only].title, found.stages[*only].name, found.stages[*only].different,
          found.way.empty()
              ? "its products are fused or rounded otherwise, its sums are in another "
                "order, or it stores\n  fewer bits, in no way that fftprec tries"
              : "all its bits agree if " + found.way);
    else if (first != found.stages.end())
      text += fmt::format("  first other bits: {} ({}), {}\n", first->title, first->name,
                          first->different);
    return text;
  }
  const StageVerdict& stage = found.stages[*found.first_faulty];
  const std::size_t n = stage.size / where.batch;
  return fmt::format(
      "fault in {} ({}){}:\n  {}\n  wrong: {}\n  worst: item {}, index {}\n  yours      {}\n  "
      "computed   {}\n",
      stage.title, stage.name, before_text(found),
      found.culprit.says.empty() ? no_name : found.culprit.says, found.culprit.pattern,
      stage.worst_place / n, stage.worst_place % n, number_text(stage.own),
      number_text(stage.expected));
}

/// Inputs whose results determine a fault: random ones reach every entry of every table, impulses
/// and a pair show single ones.
ExitCode ask(const DivergeArguments& arguments, const Case& where, Context& context) {
  check_array_path(arguments.ask);
  const TransformEntry& transform = transform_named(where.transform);
  std::vector<ComplexArray<double>> items;
  for (std::uint64_t seed = where.seed; seed < where.seed + 3; ++seed)
    items.push_back(transform.make_input(input_named("gaussian"), where.n, 1, seed));
  const std::size_t size = items.front().size();
  for (const std::size_t place : {std::size_t{1} % size, size / 2 + 1}) {
    items.emplace_back(size);
    items.back().re[place % size] = 1;
  }
  items.emplace_back(size);
  items.back().re[1 % size] = 1;
  items.back().im[size - 1] = 1;
  ComplexArray<double> all(0);
  for (const ComplexArray<double>& item : items) {
    all.re.insert(all.re.end(), item.re.begin(), item.re.end());
    all.im.insert(all.im.end(), item.im.begin(), item.im.end());
  }
  Case several = where;
  several.batch = items.size();
  write_array(arguments.ask, all, operands_form(several, transform));
  context.out << fmt::format(
      "{}: {} inputs of {}; transform each row, then:\n  fftprec diverge --input {} --result "
      "y.npy ...\n",
      printable(arguments.ask), items.size(), size, printable(arguments.ask));
  return ExitCode::ok;
}

/// What `measure` names in a whole result, else that nothing is known.
std::string unnamed_fault(const DivergeArguments& arguments, const Case& where,
                          const ComplexArray<double>& input) {
  if (arguments.stages.empty()) {
    const Samples result = own_samples(arguments.result, arguments.input.words, where.mode);
    const std::string text = suspicion(
        foreign_problem(where.transform, where.n, {input, std::vector<std::size_t>{input.size()}}),
        result.values, Session().plan(where).resolved().arithmetic.operation_format());
    if (!text.empty()) return text;
  }
  return "no single fault that fftprec knows gives these values";
}

ExitCode diverge(const DivergeArguments& arguments, Context& context) {
  const Case where = case_on_file(arguments.which, arguments.input);
  if (!arguments.ask.empty()) return ask(arguments, where, context);
  require(!arguments.stages.empty() || !arguments.result.empty(),
          "diverge needs --stages, --result, or --ask");
  const CaseFlow flow = attribution::flow_of(where);
  const ComplexArray<double> input =
      transform_named(where.transform)
          .make_input(input_named(where.input), where.n, where.batch, where.seed);
  const std::vector<OwnStage> own = own_stages(arguments, where, flow, input, context);
  const Divergence found = attribution::find_divergence(
      where, flow, input, own, {.probability = arguments.probability, .factor = arguments.factor});
  const bool is_unnamed = found.first_faulty && found.culprit.says.empty();
  context.out << table_of(found) << "\n"
              << verdict_of(found, where, is_unnamed ? unnamed_fault(arguments, where, input) : "");
  return found.first_faulty ? ExitCode::gate_failed : ExitCode::ok;
}

}  // namespace

void add_diverge_command(CLI::App& app, Context& context) {
  Command command(
      app, "diverge", "Find the fault in your FFT",
      "Examples:\n"
      "  fftprec diverge --stages mine -a algorithm=radix2-dit -a mode=bf16 -a n=256\n"
      "  fftprec diverge --stages mine --input x.npy --result y.npy -a algorithm=four-step\n"
      "  fftprec diverge --ask x.npy -a algorithm=radix2-dit -a mode=fp32 -a n=1024\n"
      "  fftprec diverge --input x.npy --result y.npy -a algorithm=radix2-dit -a mode=fp32\n"
      "  fftprec diverge --stages mine --cut 'cols.npy=stage 1:64x64' -a algorithm=four-step\n"
      "Every stage is judged from your own data before it. The names of the files (.npy, or "
      "words:\n.hex, .mem, .csv) are free; their "
      "order is that of the stages. Each is compared with all stages in several orders of "
      "elements;\n`compute --stages` shows the stages and their order.\n"
      "Exit codes: 0 no fault, 1 a fault, 2 names or files, 4 the case has no stages.");
  const auto arguments = std::make_shared<DivergeArguments>();
  add_one_case(command, arguments->which);
  add_input_file(command, arguments->input);
  command.add("--stages DIR", arguments->stages, "Where your arrays after stages are");
  command.add("--result FILE", arguments->result, "Your result; alone or after the stages");
  command.add("--ask FILE.npy", arguments->ask,
              "Write inputs whose results determine a fault, and stop");
  command.add_list("--cut FILE=STAGE[:ORDER]", arguments->cuts,
                   "Which stage a file holds, by its number or title, and in\nwhich order: "
                   "natural, bit-reversed, RxC (transposed), or a .npy\nfile of indices");
  command.add("--order ORDER", arguments->order,
              "The order of all files; default: that which agrees");
  command
      .add("--factor", arguments->factor,
           "Your roundings may be this many times as large as the\nemulation's; default 1.5")
      .range(1.0, 1e300);
  command
      .add("--probability", arguments->probability,
           "At which rounding alone may look like a fault; default 1e-9")
      .range(1e-300, 0.5);
  command.run_if_applicable(context,
                            [arguments, &context] { return diverge(*arguments, context); });
}

}  // namespace fftprec::commands
