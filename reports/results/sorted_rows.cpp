#include "reports/results/sorted_rows.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <queue>
#include <utility>

#include "arith/support/error.hpp"
#include "experiments/cases/seed_reduction.hpp"
#include "experiments/support/files.hpp"
#include "reports/results/csv.hpp"

namespace fftprec::results {

namespace {

/// Big-endian, so that bytes order as numbers.
void append_number(std::string& key, std::uint64_t number) {
  for (int shift = 56; shift >= 0; shift -= 8) key += static_cast<char>(number >> shift);
}

void append_name(std::string& key, const std::string& name) {
  key += name;
  key += '\0';  // names hold no control characters, so a shorter name comes first
}

/// What a part holds before the key and the line of a row.
struct Head {
  std::uint32_t key_size;
  std::uint32_t line_size;
  std::uint8_t status;
  std::uint8_t tier;  ///< 0: none, else one more than its number
};

std::uint8_t tier_byte(std::optional<truth::Tier> tier) {
  return tier ? static_cast<std::uint8_t>(1 + static_cast<int>(*tier)) : std::uint8_t{0};
}

constexpr std::size_t block_bytes = 1 << 16;

}  // namespace

std::string sort_key(const SharedCase& where) {
  std::string key;
  for (const auto* name :
       {&where.transform(), &where.algorithm(), &where.mode(), &where.machine(), &where.tables()})
    append_name(key, *name);
  append_number(key, where.n());
  append_number(key, where.batch());
  append_name(key, where.input());
  append_number(key, where.seed());
  for (const LaterAxis& axis : later_axes) append_name(key, where.get(axis.value));
  return key;
}

/// The file of the parts. It has no name, so it goes with the process.
class SortedRows::File {
 public:
  explicit File(const std::filesystem::path& folder)
      : folder_(folder.empty() ? std::filesystem::temp_directory_path() : folder) {
    std::string name = (folder_ / "fftprec-rows-XXXXXX").string();
    file_ = ::mkostemp(name.data(), O_CLOEXEC);
    if (file_ < 0) throw write_error(folder_, errno);
    ::unlink(name.c_str());
  }
  ~File() { ::close(file_); }
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  void append(std::string_view bytes) {
    if (const int reason = write_all(file_, bytes.data(), bytes.size()); reason != 0) {
      // Of a part that does not fit nothing stays.
      if (::ftruncate(file_, static_cast<off_t>(ends_.empty() ? 0 : ends_.back())) == 0)
        ::lseek(file_, 0, SEEK_END);
      written_ = ends_.empty() ? 0 : ends_.back();
      throw write_error(folder_, reason);
    }
    written_ += bytes.size();
  }
  void end_part() { ends_.push_back(written_); }
  const std::vector<std::uint64_t>& ends() const { return ends_; }

  void read(char* bytes, std::size_t count, std::uint64_t from) const {
    while (count > 0) {
      const ssize_t got = ::pread(file_, bytes, count, static_cast<off_t>(from));
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0)
        throw InputError(folder_.string() + ": sorted rows cannot be read back: " +
                         (got < 0 ? std::strerror(errno) : "the file is cut off"));
      bytes += got;
      count -= static_cast<std::size_t>(got);
      from += static_cast<std::uint64_t>(got);
    }
  }

 private:
  std::filesystem::path folder_;
  int file_ = -1;
  std::uint64_t written_ = 0;
  std::vector<std::uint64_t> ends_;  ///< of the parts
};

/// The rows of one part, or those in memory, one after the other.
class SortedRows::Source {
 public:
  Source(const File& file, std::uint64_t begin, std::uint64_t end)
      : file_(&file), at_(begin), end_(end) {
    advance();
  }
  explicit Source(const std::vector<const Held*>& held) : held_(&held) { advance(); }

  bool at_end() const { return at_end_; }
  const Entry& entry() const { return entry_; }

  void advance() { held_ ? take_held() : take_read(); }

 private:
  void take_held() {
    at_end_ = next_ == held_->size();
    if (at_end_) return;
    const Held& held = *(*held_)[next_++];
    key_ = sort_key(identity_of(held.row));
    entry_.key_ = key_;
    entry_.line_ = held.line;
    entry_.status_ = held.row.status;
    entry_.tier_ = held.row.truth_tier;
    entry_.row_ = &held.row;
  }

  void take_read() {
    at_end_ = at_ == end_ && used_ == bytes_.size();
    if (at_end_) return;
    Head head{};
    require_bytes(sizeof head);
    std::memcpy(&head, bytes_.data() + used_, sizeof head);
    require_bytes(sizeof head + head.key_size + head.line_size);
    const char* const key = bytes_.data() + used_ + sizeof head;
    entry_.key_ = {key, head.key_size};
    entry_.line_ = {key + head.key_size, head.line_size};
    entry_.status_ = static_cast<Status>(head.status);
    entry_.tier_ = head.tier == 0 ? std::nullopt : std::optional(truth::all_tiers[head.tier - 1]);
    used_ += sizeof head + head.key_size + head.line_size;
  }

  /// Reads on until so many bytes are there from `used_` on.
  void require_bytes(std::size_t count) {
    if (bytes_.size() - used_ >= count) return;
    bytes_.erase(0, used_);
    used_ = 0;
    const std::size_t have = bytes_.size();
    const std::size_t more = static_cast<std::size_t>(
        std::min<std::uint64_t>(end_ - at_, std::max(block_bytes, count - have)));
    bytes_.resize(have + more);
    file_->read(bytes_.data() + have, more, at_);
    at_ += more;
  }

  const File* file_ = nullptr;
  std::uint64_t at_ = 0;
  std::uint64_t end_ = 0;
  std::string bytes_{};
  std::size_t used_ = 0;
  const std::vector<const Held*>* held_ = nullptr;
  std::size_t next_ = 0;
  std::string key_{};
  Entry entry_{};
  bool at_end_ = false;
};

SortedRows::SortedRows(std::filesystem::path folder, std::size_t room)
    : folder_(std::move(folder)), header_(csv_header()), room_(room) {}
SortedRows::SortedRows(std::filesystem::path folder, std::vector<const Column*> summarised,
                       std::size_t room)
    : folder_(std::move(folder)),
      summarised_(std::move(summarised)),
      header_(csv_header(summarised_, SeedColumns::least)),
      room_(summarised_.empty() ? default_room : room) {}
SortedRows::~SortedRows() = default;
SortedRows::SortedRows(SortedRows&&) noexcept = default;
SortedRows& SortedRows::operator=(SortedRows&&) noexcept = default;

void SortedRows::add(Row row, std::string line) {
  std::vector<Held> one;
  one.push_back({std::move(row), std::move(line)});
  add(std::move(one));
}

void SortedRows::add(std::vector<Held> rows) {
  bool is_full = false;
  {
    const std::scoped_lock lock(locks_->held);
    std::ranges::move(rows, std::back_inserter(held_));
    added_ += rows.size();
    is_full = held_.size() >= room_;
  }
  if (is_full) write_full_part();
}

/// Of several rows of a case only the last, unless they are to be joined.
std::vector<const SortedRows::Held*> SortedRows::in_order(const std::vector<Held>& rows) const {
  std::vector<const Held*> order;
  order.reserve(rows.size());
  for (const Held& held : rows) order.push_back(&held);
  if (!summarised_.empty()) {
    std::ranges::stable_sort(order, {}, [](const Held* held) { return identity_of(held->row); });
    return order;
  }
  const auto where = [](const Held* held) -> const SharedCase& { return held->row.where; };
  std::ranges::stable_sort(order, {}, where);
  std::ranges::reverse(order);
  const auto earlier =
      std::unique(order.begin(), order.end(),
                  [&where](const Held* a, const Held* b) { return where(a) == where(b); });
  order.erase(earlier, order.end());
  std::ranges::reverse(order);
  return order;
}

/// Rows that come meanwhile are held for the next part.
void SortedRows::write_full_part() {
  const std::scoped_lock writing(locks_->file);
  std::vector<Held> part;
  {
    const std::scoped_lock lock(locks_->held);
    if (held_.size() < room_) return;  // another thread has written them
    part = std::exchange(held_, std::move(spare_));
  }
  try {
    write_part(in_order(part));
  } catch (...) {
    const std::scoped_lock lock(locks_->held);
    std::ranges::move(held_, std::back_inserter(part));
    held_ = std::move(part);
    throw;
  }
  part.clear();
  spare_ = std::move(part);
}

void SortedRows::write_part(const std::vector<const Held*>& rows) {
  if (!file_) file_ = std::make_unique<File>(folder_);
  std::string block;
  for (const Held* held : rows) {
    const std::string key = sort_key(identity_of(held->row));
    const Head head{static_cast<std::uint32_t>(key.size()),
                    static_cast<std::uint32_t>(held->line.size()),
                    static_cast<std::uint8_t>(held->row.status), tier_byte(held->row.truth_tier)};
    block.append(reinterpret_cast<const char*>(&head), sizeof head);
    block += key;
    block += held->line;
    if (block.size() < block_bytes) continue;
    file_->append(block);
    block.clear();
  }
  file_->append(block);
  file_->end_part();
}

Row SortedRows::Entry::row() const {
  return row_ ? *row_ : parse_csv(*header_ + std::string(line_), "sorted rows").front();
}

namespace {

/// Joins a row with those of its case that were added before.
void join(SeedReduction& reduction, const Row& row, const std::vector<const Column*>& summarised) {
  const SeedSet& seeds = row.over_seeds->seeds;
  if (reduction.seeds().first_common(seeds)) {
    if (reduction.status() == Status::failed)
      reduction = SeedReduction(summarised);
    else if (!seeds.first_beyond(reduction.seeds()))
      return;
  }
  reduction.add(row);
}

}  // namespace

void SortedRows::each(const std::function<void(const Entry&)>& visit) {
  if (summarised_.empty()) {
    each_added([&visit](const Entry& entry, bool is_last) {
      if (is_last) visit(entry);
    });
    return;
  }
  std::string key, line;  // of the case at hand
  Entry first;
  std::optional<SeedReduction> joined;  // if there are several rows
  const auto finish = [&] {
    if (key.empty()) return;
    Entry whole = first;
    std::optional<Row> row;
    if (joined) {
      row = joined->row();
      line = to_csv(*row, SeedColumns::least);
      whole.status_ = row->status;
      whole.tier_ = row->truth_tier;
      whole.row_ = &*row;
    }
    whole.key_ = key;
    whole.line_ = line;
    visit(whole);
  };
  each_added([&](const Entry& entry, bool) {
    if (entry.key() == key) {
      if (!joined) {
        joined.emplace(summarised_);
        joined->add(first.row());
      }
      join(*joined, entry.row(), summarised_);
      return;
    }
    finish();
    joined.reset();
    key = entry.key();
    line = entry.line();
    first = entry;
    first.line_ = line;
  });
  finish();
}

/// Visits all rows in order, those of one case in the order in which they were added. `is_last`: no
/// part that was added later has another row of the case.
void SortedRows::each_added(const std::function<void(const Entry&, bool is_last)>& visit) {
  const std::vector<const Held*> held = in_order(held_);
  const std::vector<std::uint64_t> ends = file_ ? file_->ends() : std::vector<std::uint64_t>();
  std::vector<Source> sources;
  sources.reserve(ends.size() + 1);  // an entry points into its source
  std::uint64_t begin = 0;
  for (const std::uint64_t end : ends) sources.emplace_back(*file_, std::exchange(begin, end), end);
  sources.emplace_back(held);
  // The least key first; of equal keys the source that was added first.
  const auto later = [&sources](std::size_t a, std::size_t b) {
    const int order = sources[a].entry().key().compare(sources[b].entry().key());
    return order != 0 ? order > 0 : a > b;
  };
  std::priority_queue<std::size_t, std::vector<std::size_t>, decltype(later)> queue(later);
  for (std::size_t i = 0; i < sources.size(); ++i)
    if (!sources[i].at_end()) queue.push(i);
  while (!queue.empty()) {
    const std::size_t least = queue.top();
    Source& source = sources[least];
    queue.pop();
    do {  // neighbours are mostly of one source
      const bool is_last =
          queue.empty() || sources[queue.top()].entry().key() != source.entry().key();
      Entry entry = source.entry();
      entry.header_ = &header_;
      visit(entry, is_last);
      source.advance();
    } while (!source.at_end() && (queue.empty() || later(queue.top(), least)));
    if (!source.at_end()) queue.push(least);
  }
}

std::vector<SortedRows::Held> with_lines(std::vector<Row> rows) {
  RowWriter writer;
  std::vector<SortedRows::Held> held;
  held.reserve(rows.size());
  std::string line;
  for (Row& row : rows) {
    line.clear();
    writer.append(line, row, SeedColumns::least);
    held.push_back({std::move(row), line});
  }
  return held;
}

void SortedRows::each_row(const std::function<void(const Row&)>& visit) {
  constexpr std::size_t most_bytes = 1 << 20;
  std::string unread = header_;
  const auto read = [&] {
    for (const Row& row : parse_csv(unread, "sorted rows")) visit(row);
    unread = header_;
  };
  each([&](const Entry& entry) {
    if (!entry.row_) unread += entry.line_;
    if (unread.size() > most_bytes || (entry.row_ && unread.size() > header_.size())) read();
    if (entry.row_) visit(*entry.row_);
  });
  read();
}

}  // namespace fftprec::results
