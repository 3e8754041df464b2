/// A cache that several threads share: each value is made once, old ones go when it gets too big.
#pragma once

#include <cstddef>
#include <cstdint>
#include <future>
#include <list>
#include <map>
#include <memory>
#include <mutex>

namespace fftprec {

/// Values of type V under keys of type K, at most `capacity` in total size, least recently used out
/// first. A value in use lives on with its user.
template <class K, class V>
class LruCache {
 public:
  explicit LruCache(std::size_t capacity) : capacity_(capacity) {}

  /// The value under `key`, made by `make()` if it is not there. Threads that ask for the same key
  /// wait for one maker; if it throws, all of them get the exception and nothing is kept.
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
      // A newer entry of the same key may have taken the place of one that was put out meanwhile.
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
    std::uint64_t serial;  ///< which of all entries ever made
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
  std::list<Entry> entries_;      ///< the one used last first
  std::map<K, Position> places_;  ///< of every entry: there can be tens of thousands of plans
  std::size_t capacity_;
  std::size_t used_ = 0;
  std::uint64_t made_ = 0;
};

}  // namespace fftprec
