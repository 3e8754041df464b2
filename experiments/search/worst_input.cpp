#include "experiments/search/worst_input.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "arith/formats/complex_array.hpp"
#include "arith/formats/round.hpp"
#include "arith/support/error.hpp"
#include "arith/truth/metrics.hpp"
#include "arith/truth/parallel.hpp"
#include "arith/truth/real.hpp"
#include "experiments/cases/case_prediction.hpp"
#include "experiments/cases/columns.hpp"
#include "experiments/cases/evaluate.hpp"
#include "experiments/cases/row.hpp"

namespace fftprec::search {

namespace {

bool is_zero(double x) { return x == 0; }

void append(ComplexArray<double>& all, const ComplexArray<double>& x) {
  all.re.insert(all.re.end(), x.re.begin(), x.re.end());
  all.im.insert(all.im.end(), x.im.begin(), x.im.end());
}

/// Random bits are counted over a whole call, so that a batch would draw other ones.
bool rounds_stochastically(const Machine& machine) {
  return machine.casts == Rounding::sr || machine.psum_rounding == Rounding::sr;
}

}  // namespace

double energy(const ComplexArray<double>& digits) {
  double sum = 0;
  for (const double digit : digits.re) sum += digit * digit;
  return sum;
}

InputJudge::InputJudge(const Case& where, std::string metric, unsigned threads)
    : where_(where),
      plan_(Session().plan(where)),
      transforms_(plan_.transforms()),
      metric_(std::move(metric)),
      threads_(threads) {
  std::vector<std::string> known = {"err_l2_rel",     "err_linf_rel",   "err_l1_rel",
                                    "err_re_max_rel", "err_im_max_rel", "err_max_ulp",
                                    "err_rms_ulp",    "err_mean_rel",   err_over_bound};
  if (resolved().transform.integers)
    known.insert(known.end(),
                 {"err_linf_abs", std::string(linf_over_bound), std::string(least_energy)});
  if (std::ranges::find(known, metric_) == known.end())
    throw unknown_name("metric to search by", metric_, known);
  require(where.batch == 1, "search: batch = ", where.batch,
          "; inputs are judged one by one, so it must be 1");
  check_applicable(plan_);
  require(metric_ != err_over_bound || resolved().algorithm.is_predictable(),
          "search: no bound is known of ", where.algorithm, "; search by err_l2_rel");
  resolved().transform.integers ? check_digits() : check_values();
  constexpr std::size_t elements = 4096;
  const ArithmeticSpec& arithmetic = resolved().arithmetic;
  const BlockFormat* blocks = arithmetic.block_format();
  const bool shares = arithmetic.scale().is_block() || (blocks && blocks->joins_transforms());
  if (!rounds_stochastically(arithmetic.machine()) && !shares)
    together_ = std::max<std::size_t>(1, elements / where.n);
}

void InputJudge::check_values() {
  require(where_.input == Case{}.input,
          "search: the command searches the input, so input=", where_.input, " has no meaning");
  const ComplexArray<double> sample = random(1);
  const auto all_zero = [](const auto& x) { return std::ranges::all_of(x, is_zero); };
  real_only_ = all_zero(sample.im);
  require(sample.size() == where_.n && (real_only_ || sample.im[0] != 0), "search: transform ",
          where_.transform, " does not take n arbitrary values; fft and rfft do");
}

/// A file is asked for as many values as the operands have before they are cut.
void InputJudge::check_digits() {
  std::size_t count = 0;
  const Input counting{[&count](std::size_t n, std::size_t batch, std::uint64_t) {
                         count = n * batch;
                         return ComplexArray<double>(count);
                       },
                       true};
  resolved().transform.make_input(counting, where_.n, 1, 1);
  digits_.n = where_.n;
  digits_.ranges = digit_ranges(where_.input, where_.n, count / where_.n);
  require(has_digits(), "search: input=", where_.input,
          " sets no limits to the digits of a product; input=integers does, with bits or mod");
  require(metric_ != linf_over_bound || bound(operands(random(where_.seed))),
          "search: no bound is derived for ", where_.algorithm, " in ", where_.mode,
          "; search by err_linf_abs");
}

ComplexArray<double> InputJudge::random(std::uint64_t seed) const {
  if (!has_digits()) return resolved().transform.make_input(plan_.input(), where_.n, 1, seed);
  const Input& input = plan_.input();
  ComplexArray<double> digits = input(where_.n, 1, seed);
  if (digits_.ranges.size() > where_.n)
    append(digits, (input.second ? *input.second : input)(where_.n, 1, seed + 1));
  return digits;
}

SearchSpace InputJudge::space(std::uint64_t seed) const {
  if (has_digits()) {
    DigitShape shape = digits_;
    shape.seed = seed;
    return {structured_digits(shape), all_digit_moves.size(),
            [shape](const auto& parent, const auto& other, std::size_t move, TrialRandom& draws) {
              return moved_digits(parent, other, all_digit_moves[move], shape, draws);
            }};
  }
  return {structured_candidates({.n = static_cast<std::size_t>(where_.n),
                                 .storage = storage(),
                                 .k_tile = resolved().arithmetic.machine().k_tile,
                                 .real_only = real_only_,
                                 .seed = seed}),
          all_moves.size(),
          [this](const auto& parent, const auto& other, std::size_t move, TrialRandom& draws) {
            return moved(parent, other, all_moves[move], storage(), real_only_, draws);
          },
          [this](const auto& parent, TrialRandom& draws) {
            return nudged(parent, storage(), real_only_, draws);
          }};
}

ComplexArray<double> InputJudge::operands(const ComplexArray<double>& input) const {
  if (!has_digits()) return input;
  const Input given{[&input](std::size_t, std::size_t, std::uint64_t) { return input; }, true};
  return resolved().transform.make_input(given, where_.n, 1, 1);
}

std::optional<double> InputJudge::bound(const ComplexArray<double>& operands) const {
  return result_bound(plan_, operands, rounds_input(resolved(), operands, best_isa()));
}

bool InputJudge::is_rounded(const ComplexArray<double>& input) const {
  const Format& format = storage();
  const auto differs = [&format](double x) { return round(x, format, Rounding::rne) != x; };
  return std::ranges::any_of(input.re, differs) || std::ranges::any_of(input.im, differs);
}

double InputJudge::score(Row row, const Problem& problem, const ComplexArray<double>& input) const {
  if (metric_ == least_energy)
    return *row.err_linf_abs < 0.5 ? *row.err_linf_abs - 1 : 1 / energy(input);
  if (metric_ == linf_over_bound) return *row.err_linf_abs / bound(problem.input).value();
  if (metric_ != err_over_bound) return *column_named(metric_).number(row);
  const ArithmeticSpec& arithmetic = resolved().arithmetic;
  const bool rounded = arithmetic.refinement_steps() > 0 || arithmetic.stores().in_passes() ||
                       is_rounded(problem.input);
  predict_into(row, plan_, &problem, rounded);
  return *row.err_l2_rel / *row.bound_l2_rel;
}

void InputJudge::judge(std::span<const ComplexArray<double>> inputs,
                       std::span<double> scores) const {
  const Isa isa = best_isa();
  ComplexArray<double> all;
  for (const ComplexArray<double>& input : inputs) append(all, operands(input));
  const Output output = run_case(plan_, all, {.isa = isa, .round_trip = false});
  const truth::Truth truth =
      without_rest(resolved().transform.truth(all, where_.n, inputs.size(), {}), output.rest);
  const Format format = result_format(plan_);
  const std::size_t given = all.size() / inputs.size();
  const std::size_t results = truth.hi.size() / inputs.size();
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    Problem problem{.input = part_of(all, i * given, given), .truth = {}};
    problem.truth.hi = part_of(truth.hi, i * results, results);
    problem.truth.lo = part_of(truth.lo, i * results, results);
    problem.truth.n = truth.n;
    problem.truth.radius_rel = truth.radius_rel;
    Row row{.where = where_};
    set_errors(row, truth::measure(part_of(output.values, i * results, results), problem.truth,
                                   format, isa));
    scores[i] = score(std::move(row), problem, inputs[i]);
  }
}

std::vector<double> InputJudge::scores(std::span<const ComplexArray<double>> inputs) const {
  std::vector<double> result(inputs.size());
  const std::size_t pieces = (inputs.size() + together_ - 1) / together_;
  truth::in_parallel(
      pieces, threads_, [] { return truth::MpfrCacheScope(); },
      [&](truth::MpfrCacheScope&, std::size_t i) {
        const std::size_t first = i * together_;
        const std::size_t count = std::min(together_, inputs.size() - first);
        judge(inputs.subspan(first, count), std::span(result).subspan(first, count));
      });
  return result;
}

namespace {

constexpr std::size_t round_size = 64;  // inputs judged between two choices of parents
constexpr std::size_t pool_size = 24;
constexpr std::size_t most_islands = 4;
/// Inputs that pools judge at most: their members are alike by then, and climbs find more.
constexpr std::uint64_t pooled = 20000;
/// Moves that lead no further, for each value of the input, before a climb begins elsewhere.
constexpr std::uint64_t patience = 400;

/// What a score is worth to the search: nothing unless it is finite. Those are counted.
double worth(double score) {
  return std::isfinite(score) ? score : -std::numeric_limits<double>::infinity();
}

constexpr double unjudged = -std::numeric_limits<double>::infinity();

struct Member {
  Candidate candidate;
  double score;
  std::uint64_t moves;
};

/// The best inputs so far, best first; of equal scores the earlier one stands first.
class Pool {
 public:
  /// Whether the member is kept. An input with the score of a kept one is usually the same input.
  bool add(Member member) {
    const auto place = std::ranges::find_if(
        members_, [&](const Member& other) { return other.score <= member.score; });
    if (place != members_.end() && place->score == member.score) {
      *place = std::move(member);  // drift
      return false;
    }
    if (place == members_.end() && members_.size() == pool_size) return false;
    members_.insert(place, std::move(member));
    if (members_.size() > pool_size) members_.pop_back();
    return true;
  }

  const std::vector<Member>& members() const { return members_; }

  /// A member, the better ones more often.
  const Member& drawn(TrialRandom& draws) const {
    const double place = draws.unit();
    return members_[static_cast<std::size_t>(place * place * static_cast<double>(members_.size()))];
  }

 private:
  std::vector<Member> members_;
};

/// How often each move was tried, and how often the pool kept what it made.
class MoveRecord {
 public:
  explicit MoveRecord(std::size_t moves) : tried_(moves), kept_(moves) {}

  std::size_t drawn(TrialRandom& draws) const {
    std::vector<double> weights(tried_.size());
    double total = 0;
    for (std::size_t i = 0; i < weights.size(); ++i)
      total += weights[i] = (kept_[i] + 2) / (tried_[i] + 8);
    double place = draws.unit() * total;
    for (std::size_t i = 0; i < weights.size(); ++i)
      if ((place -= weights[i]) < 0) return i;
    return weights.size() - 1;
  }

  void note(std::size_t move, bool kept) {
    tried_[move] += 1;
    kept_[move] += kept ? 1 : 0;
  }

 private:
  std::vector<double> tried_;
  std::vector<double> kept_;
};

std::vector<double> inputs_judged(const InputJudge& judge, std::span<const Candidate> candidates) {
  std::vector<ComplexArray<double>> inputs;
  for (const Candidate& candidate : candidates) inputs.push_back(candidate.values);
  return judge.scores(inputs);
}

/// Counts a score that is not finite; `name` is called for the first.
template <class Name>
void note_score(double score, SearchResult& result, Name name) {
  if (std::isfinite(score)) return;
  if (result.not_finite++ == 0) result.first_not_finite = name();
}

std::string text_of(const Candidate& candidate) { return candidate.family + ", " + candidate.name; }

/// The local search, with what it counts.
struct Walk {
  const InputJudge& judge;
  const SearchOptions& options;
  const SearchSpace& space;
  SearchResult& result;  ///< counts scores that are not finite
  std::uint64_t judged;
  double best;  ///< score of all that were judged
  std::uint64_t trial = 0;

  /// Tries `budget` moved copies of members of the pool.
  void search(Pool& pool, std::uint64_t budget) {
    MoveRecord record(space.moves);
    for (std::uint64_t end = judged + budget; judged < end && best < options.enough;) {
      const std::uint64_t count = std::min<std::uint64_t>(round_size, end - judged);
      std::vector<Candidate> children;
      std::vector<std::size_t> moves;
      std::vector<std::uint64_t> generations;
      for (std::uint64_t k = 0; k < count; ++k) {
        TrialRandom draws(options.seed, ++trial);
        const Member& parent = pool.drawn(draws);
        const Member& other = pool.drawn(draws);
        const std::size_t move = record.drawn(draws);
        children.push_back(
            {parent.candidate.family, parent.candidate.name,
             space.moved(parent.candidate.values, other.candidate.values, move, draws)});
        moves.push_back(move);
        generations.push_back(parent.moves + 1);
      }
      const std::vector<double> found = inputs_judged(judge, children);
      for (std::size_t k = 0; k < children.size(); ++k) {
        note_score(found[k], result, [&] { return text_of(children[k]) + ", moved"; });
        record.note(moves[k], pool.add({std::move(children[k]), worth(found[k]), generations[k]}));
      }
      judged += count;
      best = std::max(best, pool.members().front().score);
      if (options.on_progress) options.on_progress(judged, best);
    }
  }

  /// A random or structured input to climb from.
  Member start(std::span<const Candidate> structured) {
    TrialRandom draws(options.seed, ++trial);
    if (draws.below(2) == 0) return {structured[draws.below(structured.size())], unjudged, 0};
    const std::uint64_t seed = options.seed + draws.below(std::uint64_t{1} << 32);
    return {{"random", "gaussian, seed " + std::to_string(seed), judge.random(seed)}, unjudged, 0};
  }

  /// `round_size` climbs side by side: each takes every input whose score is at least its last
  /// one, and begins elsewhere when it finds no more. What is worse than all before joins `pool`.
  void climb(Pool& pool, std::span<const Candidate> structured, std::uint64_t budget) {
    std::vector<Member> climbers;
    std::vector<std::uint64_t> vain(round_size);
    for (std::size_t i = 0; i < round_size; ++i) climbers.push_back(start(structured));
    for (const std::uint64_t end = judged + budget; judged < end && best < options.enough;) {
      const std::uint64_t count = std::min<std::uint64_t>(round_size, end - judged);
      std::vector<Candidate> children;
      for (std::uint64_t i = 0; i < count; ++i) {
        TrialRandom draws(options.seed, ++trial);
        const Candidate& parent = climbers[i].candidate;
        const bool is_nudge = draws.below(4) > 0;
        children.push_back({parent.family, parent.name,
                            is_nudge ? space.nudged(parent.values, draws)
                                     : space.moved(parent.values, parent.values,
                                                   draws.below(space.moves), draws)});
      }
      const std::vector<double> found = inputs_judged(judge, children);
      for (std::size_t i = 0; i < count; ++i) {
        note_score(found[i], result, [&] { return text_of(children[i]) + ", moved"; });
        const double score = worth(found[i]);
        Member& climber = climbers[i];
        const bool is_worse = score > climber.score;
        vain[i] = is_worse ? 0 : vain[i] + 1;
        if (score >= climber.score) climber = {std::move(children[i]), score, climber.moves + 1};
        if (is_worse && score > best) pool.add(climber);
        best = std::max(best, score);
        if (vain[i] < patience * climber.candidate.values.size()) continue;
        climber = start(structured);
        vain[i] = 0;
      }
      judged += count;
      if (options.on_progress) options.on_progress(judged, best);
    }
  }
};

void judge_random(const InputJudge& judge, const SearchOptions& options, SearchResult& result) {
  std::vector<double> scores;
  for (std::uint64_t first = 0; first < options.random; first += round_size) {
    std::vector<ComplexArray<double>> inputs;
    for (std::uint64_t k = first; k < std::min(options.random, first + round_size); ++k)
      inputs.push_back(judge.random(options.seed + k));
    for (const double score : judge.scores(inputs)) {
      note_score(score, result,
                 [&] { return "random, seed " + std::to_string(options.seed + scores.size()); });
      scores.push_back(worth(score));
    }
  }
  const auto worst = std::ranges::max_element(scores);
  result.random_worst = *worst;
  result.random_worst_seed = options.seed + static_cast<std::uint64_t>(worst - scores.begin());
  const auto middle = scores.begin() + static_cast<std::ptrdiff_t>(scores.size() / 2);
  std::nth_element(scores.begin(), middle, scores.end());
  result.random_median = *middle;
}

double judged_alone(const InputJudge& judge, const ComplexArray<double>& input) {
  return worth(judge.scores({&input, 1}).front());
}

std::vector<FamilyBest> by_family(const InputJudge& judge, std::span<const Candidate> candidates,
                                  std::span<const double> scores) {
  struct Best {
    std::uint64_t tried = 0;
    std::size_t place = 0;
  };
  std::map<std::string, Best> families;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    Best& best = families.try_emplace(candidates[i].family, Best{0, i}).first->second;
    ++best.tried;
    if (worth(scores[i]) > worth(scores[best.place])) best.place = i;
  }
  std::vector<FamilyBest> result;
  for (const auto& [family, best] : families) {
    const Candidate& candidate = candidates[best.place];
    result.push_back({family, candidate.name, best.tried, judged_alone(judge, candidate.values)});
  }
  std::ranges::stable_sort(
      result, [](const FamilyBest& a, const FamilyBest& b) { return a.score > b.score; });
  return result;
}

}  // namespace

SearchResult search_worst_input(const InputJudge& judge, const SearchOptions& options) {
  require(options.budget >= 1, "search: the budget must be at least 1 input");
  require(options.random >= 1, "search: at least 1 random input is needed for comparison");
  SearchResult result{};
  judge_random(judge, options, result);

  const SearchSpace space = judge.space(options.seed);
  std::vector<Candidate> structured = space.structured;
  if (structured.size() > options.budget) structured.resize(options.budget);
  const std::vector<double> scores = inputs_judged(judge, structured);
  for (std::size_t i = 0; i < structured.size(); ++i)
    note_score(scores[i], result, [&] { return text_of(structured[i]); });
  result.judged = structured.size();
  result.families = by_family(judge, structured, scores);
  result.structured_score = result.families.front().score;
  if (options.on_progress) options.on_progress(result.judged, result.structured_score);

  std::map<std::string, Pool> islands;
  for (std::size_t i = 0; i < structured.size(); ++i)
    islands[structured[i].family].add({structured[i], worth(scores[i]), 0});
  Pool pool;
  Walk walk{judge, options, space, result, result.judged, result.structured_score};
  const std::uint64_t by_pools =
      space.nudged ? std::min(options.budget, std::max(pooled, walk.judged)) : options.budget;
  const std::size_t count = std::min(most_islands, result.families.size());
  for (std::size_t i = 0; i < count; ++i) {
    Pool& island = islands.at(result.families[i].family);
    const std::uint64_t left = by_pools - walk.judged;
    // The common pool at the end takes as much as one of them.
    walk.search(island, left / (count - i + 1));
    for (const Member& member : island.members()) pool.add(member);
  }
  walk.search(pool, by_pools - walk.judged);
  if (walk.judged < options.budget && space.nudged)
    walk.climb(pool, structured, options.budget - walk.judged);
  result.judged = walk.judged;
  const Member& best = pool.members().front();
  require(std::isfinite(best.score),
          "search: the metric is finite on no input; first: ", result.first_not_finite);
  result.best = best.candidate;
  result.best_score = judged_alone(judge, best.candidate.values);
  result.moves = best.moves;
  return result;
}

}  // namespace fftprec::search
