#include "experiments/tables/tables_cache.hpp"

namespace fftprec {
namespace {

constexpr std::size_t tables_kept = 24;

}  // namespace

bool TablesCache::matches(const Entry& entry, std::uint64_t order, const Format& format) const {
  return entry.owner == this && entry.order == order && entry.format == format;
}

std::complex<double> TablesCache::at(std::uint64_t exponent, std::uint64_t order,
                                     const Format& format) {
  thread_local Entry latest;
  if (!matches(latest, order, format)) latest = find_or_make(order, format);
  const auto k = static_cast<std::size_t>(exponent % order);
  return {latest.table->re[k], latest.table->im[k]};
}

TablesCache::Entry TablesCache::find_or_make(std::uint64_t order, const Format& format) {
  const std::lock_guard lock(mutex_);
  for (auto entry = entries_.begin(); entry != entries_.end(); ++entry)
    if (matches(*entry, order, format)) {
      entries_.splice(entries_.begin(), entries_, entry);
      return entries_.front();
    }
  auto table = std::make_shared<const Table>(make_(static_cast<std::size_t>(order), format));
  entries_.push_front({this, order, format, std::move(table)});
  if (entries_.size() > tables_kept) entries_.pop_back();
  return entries_.front();
}

}  // namespace fftprec
