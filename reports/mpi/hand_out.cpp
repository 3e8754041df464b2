#include "reports/mpi/hand_out.hpp"

#include <algorithm>
#include <chrono>
#include <deque>
#include <map>
#include <set>
#include <thread>
#include <utility>

#include "experiments/sweeps/portions.hpp"
#include "experiments/sweeps/row_sink.hpp"
#include "reports/mpi/message.hpp"

namespace fftprec {

namespace {

/// A slot of a process.
using Place = std::pair<int, std::uint64_t>;

void tell_all(const Post& post, Verb verb) {
  for (int process = 1; process < post.processes; ++process)
    post.send(process, text_of(Message{verb}));
}

class HandingOut {
 public:
  HandingOut(std::span<const Case> cases, const RunOptions& options, const Post& post,
             std::set<int>& gone)
      : rows_(options), post_(post), gone_(gone) {
    const auto slots = static_cast<double>(post.processes - 1) * options.threads;
    std::vector<Portion> portions = portions_of(cases, 3 * slots, options.costs);
    std::stable_sort(portions.begin(), portions.end(),
                     [](const Portion& a, const Portion& b) { return a.cost > b.cost; });
    for (const Portion& portion : portions) {
      auto& part = portions_.emplace_back();
      for (const std::size_t i : portion.cases) part.push_back(cases[i]);
    }
  }

  void run() {
    bool stop_told = false;
    while (true) {
      const bool busy = read_letters();
      if (rows_.stopped() && !stop_told) {
        stop_told = true;
        tell_all(post_, Verb::stop);
      }
      if (!rows_.stopped()) serve();
      if (over()) break;
      // A wait within MPI would take the core that a helper on this machine needs.
      if (!busy) std::this_thread::sleep_for(std::chrono::microseconds(200));
    }
    rows_.rethrow();
  }

 private:
  bool over() const {
    if (!running_.empty()) return false;
    return rows_.stopped() || portions_.empty() ||
           gone_.size() + 1 == static_cast<std::size_t>(post_.processes);
  }

  /// Whether there was any.
  bool read_letters() {
    bool any = false;
    while (const std::optional<Letter> letter = post_.receive()) {
      any = true;
      take(letter->from, parse_message(letter->text));
    }
    return any;
  }

  void take(int from, const Message& message) {
    const Place place{from, message.slot};
    switch (message.verb) {
      case Verb::row:
        for (const Row& row : message.rows) {
          running_[place].erase(row.where);
          rows_.give(row);
        }
        break;
      case Verb::ask:
        take_back(place);
        asking_.push_back(place);
        break;
      case Verb::gave_up:
        take_back(place);
        break;
      default:
        lose(from);
    }
  }

  /// A process that has gone; what was on its way to it comes back.
  void lose(int process) {
    gone_.insert(process);
    std::erase_if(asking_, [process](const Place& each) { return each.first == process; });
    while (true) {
      const auto lost = std::find_if(running_.begin(), running_.end(), [process](const auto& each) {
        return each.first.first == process;
      });
      if (lost == running_.end()) return;
      take_back(lost->first);
    }
  }

  /// What a slot has not done is the next to be handed out.
  void take_back(const Place& place) {
    const auto found = running_.find(place);
    if (found == running_.end()) return;
    if (!found->second.empty()) portions_.emplace_front(found->second.begin(), found->second.end());
    running_.erase(found);
  }

  void serve() {
    for (; !asking_.empty() && !portions_.empty(); portions_.pop_front(), asking_.pop_front()) {
      const Place place = asking_.front();
      Message message{Verb::cases, place.second};
      for (const Case& where : portions_.front()) message.rows.push_back({.where = where});
      running_[place] = {portions_.front().begin(), portions_.front().end()};
      post_.send(place.first, text_of(message));
    }
  }

  RowSink rows_;
  const Post& post_;
  std::deque<std::vector<Case>> portions_;
  std::deque<Place> asking_;
  std::map<Place, std::set<Case>> running_;  ///< cases without a row, of slots that have a portion
  std::set<int>& gone_;
};

}  // namespace

Helpers::~Helpers() {
  tell_all(post_, Verb::end);
  const std::string goodbye = text_of(Message{Verb::gone});
  while (gone_.size() + 1 < static_cast<std::size_t>(post_.processes)) {
    const std::optional<Letter> letter = post_.receive();
    if (!letter)
      std::this_thread::sleep_for(std::chrono::microseconds(200));
    else if (letter->text == goodbye)
      gone_.insert(letter->from);
  }
}

void Helpers::run(std::span<const Case> cases, const RunOptions& options) {
  HandingOut(cases, options, post_, gone_).run();
}

}  // namespace fftprec
