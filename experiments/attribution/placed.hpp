/// An array whose elements arrive in any order.
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace fftprec::attribution {

template <class Value>
class Placed {
 public:
  void set(std::size_t place, const Value& value) {
    if (place >= values_.size()) {
      values_.resize(place + 1);
      seen_.resize(place + 1);
    }
    twice_ = twice_ || seen_[place];
    seen_[place] = true;
    values_[place] = value;
  }

  /// Whether every element arrived once.
  bool is_whole() const { return !twice_ && std::ranges::find(seen_, false) == seen_.end(); }
  std::size_t size() const { return values_.size(); }
  std::vector<Value> take() { return std::move(values_); }

 private:
  std::vector<Value> values_{};
  std::vector<bool> seen_{};
  bool twice_ = false;
};

}  // namespace fftprec::attribution
