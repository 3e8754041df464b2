#include "reports/mpi/help.hpp"

#include <chrono>
#include <condition_variable>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>

#include "reports/mpi/message.hpp"

namespace fftprec {

namespace {

/// What the threads of the slots have to tell; it outlives those that are given up.
class Outbox {
 public:
  void put(Message message) {
    const std::scoped_lock lock(mutex_);
    messages_.push_back(std::move(message));
    changed_.notify_one();
  }

  /// All that is there, or nothing after `longest`.
  std::deque<Message> take(std::chrono::milliseconds longest) {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, longest, [this] { return !messages_.empty(); });
    return std::exchange(messages_, {});
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Message> messages_;
};

struct Slot {
  std::shared_ptr<std::atomic<bool>> stop = std::make_shared<std::atomic<bool>>(false);
  std::thread thread{};
};

class Helping {
 public:
  Helping(const RunOptions& options, const Post& post) : options_(options), post_(post) {}

  bool run() {
    for (unsigned i = 0; i < options_.threads; ++i) ask();
    while (!ended_) {
      for (Message& message : outbox_->take(std::chrono::milliseconds(1))) pass_on(message);
      while (!ended_) {
        const std::optional<Letter> letter = post_.receive();
        if (!letter) break;
        take(parse_message(letter->text));
      }
      if (options_.stop && options_.stop->load() && !stopped_) stop();
    }
    for (auto& [number, slot] : slots_) slot.stop->store(true);
    for (auto& [number, slot] : slots_) slot.thread.join();
    leave();
    return all_ended_;
  }

 private:
  void ask() { post_.send(0, text_of(Message{Verb::ask, next_slot_++})); }

  void stop() {
    stopped_ = true;
    for (auto& [number, slot] : slots_) slot.stop->store(true);
    if (slots_.empty()) leave();
  }

  /// The last word of this process, said once.
  void leave() {
    if (std::exchange(gone_, true)) return;
    post_.send(0, text_of(Message{Verb::gone}));
  }

  /// What a thread has to tell; it asks when it has ended.
  void pass_on(const Message& message) {
    const auto slot = slots_.find(message.slot);
    if (slot == slots_.end()) return;  // given up, and ended after all
    post_.send(0,
               text_of(Message{message.verb == Verb::ask && stopped_ ? Verb::gave_up : message.verb,
                               message.slot, message.rows}));
    if (message.verb == Verb::row) return;
    if (message.verb == Verb::gave_up) {
      all_ended_ = false;
      slot->second.thread.detach();
      if (!stopped_) ask();
    } else {
      slot->second.thread.join();
    }
    slots_.erase(slot);
    if (stopped_ && slots_.empty()) leave();
  }

  void take(const Message& message) {
    if (message.verb == Verb::end) ended_ = true;
    if (message.verb == Verb::stop) stop();
    // To what is on its way when this process has gone, the answer is in that word.
    if (message.verb == Verb::cases && !stopped_) begin(message);
  }

  void begin(const Message& message) {
    Slot& slot = slots_[message.slot];
    RunOptions options = options_;
    options.threads = 1;
    options.stop = slot.stop.get();
    const auto tell = [outbox = outbox_, number = message.slot](Verb verb, std::vector<Row> rows) {
      outbox->put({verb, number, std::move(rows)});
    };
    options.on_row = [tell](const Row& row) { tell(Verb::row, {row}); };
    options.on_hang = [tell, stop = slot.stop] {
      stop->store(true);  // nothing more is begun if what hangs ends after all
      tell(Verb::gave_up, {});
    };
    slot.thread =
        std::thread([options = std::move(options), rows = message.rows, tell, stop = slot.stop] {
          std::vector<Case> cases;
          for (const Row& row : rows) cases.push_back(row.where);
          run_cases(cases, options);
          tell(Verb::ask, {});
        });
  }

  const RunOptions& options_;
  const Post& post_;
  std::shared_ptr<Outbox> outbox_ = std::make_shared<Outbox>();
  std::map<std::uint64_t, Slot> slots_;  ///< with a portion
  std::uint64_t next_slot_ = 0;
  bool stopped_ = false;
  bool gone_ = false;
  bool ended_ = false;
  bool all_ended_ = true;
};

}  // namespace

bool help(const RunOptions& options, const Post& post) { return Helping(options, post).run(); }

}  // namespace fftprec
