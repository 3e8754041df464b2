/// A cache that several threads share. Each value is made once; the least recently used are
/// evicted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <future>
#include <list>
#include <map>
#include <memory>
#include <mutex>

namespace fftprec {

/// Values of type V under keys of type K, at most `capacity` in total size. An evicted value lives
/// as long as it is used.
template <class K, class V>
class LruCache {
 public:
  explicit LruCache(std::size_t capacity) : capacity_(capacity) {}

  /// The value under `key`, made by `make()` if there is none. Threads that ask for one key wait
  /// for one maker. If it throws, all of them get the exception and no value is kept.
  template <class Make>
  std::shared_ptr<const V> get(const K& key, std::size_t size, Make make) {
    std::promise<std::shared_ptr<const V>> promise;
    std::uint64_t serial = 0;
    {
      std::unique_lock lock(mutex_);
      if (const auto found = find(key); found != entries_.end()) {
        entries_.splice(entries_.begin(), entries_, found);
        const auto value = found->value;
        lock.unlock();
        return value.get();
      }
      entries_.push_front({key, size, promise.get_future().share(), serial = ++made_});
      places_[key] = entries_.begin();
      used_ += size;
      while (used_ > capacity_ && entries_.size() > 1) erase(std::prev(entries_.end()));
    }
    try {
      auto value = std::make_shared<const V>(make());
      promise.set_value(value);
      return value;
    } catch (...) {
      promise.set_exception(std::current_exception());
      const std::lock_guard lock(mutex_);
      // The entry may have been evicted meanwhile, and a newer one of this key made.
      const auto found = find(key);
      if (found != entries_.end() && found->serial == serial) erase(found);
      throw;
    }
  }

  /// How many values were made, or are being made.
  std::uint64_t made() const {
    const std::lock_guard lock(mutex_);
    return made_;
  }

 private:
  struct Entry {
    K key;
    std::size_t size;
    std::shared_future<std::shared_ptr<const V>> value;
    std::uint64_t serial;  ///< number of the entry among all ever made
  };
  using Position = typename std::list<Entry>::iterator;

  Position find(const K& key) {
    const auto place = places_.find(key);
    return place == places_.end() ? entries_.end() : place->second;
  }
  void erase(Position at) {
    used_ -= at->size;
    places_.erase(at->key);
    entries_.erase(at);
  }

  mutable std::mutex mutex_;
  std::list<Entry> entries_;      ///< most recently used first
  std::map<K, Position> places_;  ///< of all entries, since there can be tens of thousands of plans
  std::size_t capacity_;
  std::size_t used_ = 0;
  std::uint64_t made_ = 0;
};

}  // namespace fftprec
