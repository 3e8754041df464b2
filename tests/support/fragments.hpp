/// Texts by the fragments that they hold: a matcher of one text, and tables {input, fragments}.
#pragma once

#include <gmock/gmock.h>

#include <initializer_list>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fftprec::testing {

/// Matches a text that holds all of some fragments and none of others; says which it misses.
class Fragments {
 public:
  using is_gtest_matcher = void;

  Fragments(std::string held) : held_{std::move(held)} {}  // NOLINT: a row of a table
  Fragments(const char* held) : held_{held} {}             // NOLINT: likewise
  Fragments(std::vector<std::string> held, std::vector<std::string> absent)
      : held_(std::move(held)), absent_(std::move(absent)) {}

  /// No text but the empty one.
  static Fragments none() {
    Fragments nothing{{}, {}};
    nothing.empty_ = true;
    return nothing;
  }

  template <class... Texts>
  Fragments but_not(const Texts&... absent) const {
    return {held_, {std::string(absent)...}};
  }

  bool MatchAndExplain(std::string_view text, std::ostream* why) const {
    bool fits = !empty_ || text.empty();
    if (why && !fits) *why << "not empty";
    const auto judge = [&](const std::vector<std::string>& fragments, bool held) {
      for (const std::string& fragment : fragments) {
        if ((text.find(fragment) != std::string_view::npos) == held) continue;
        if (why) *why << (held ? "without \"" : "with \"") << fragment << "\"; ";
        fits = false;
      }
    };
    judge(held_, true);
    judge(absent_, false);
    return fits;
  }
  void DescribeTo(std::ostream* out) const {
    if (empty_) *out << "is empty, ";
    *out << "holds " << ::testing::PrintToString(held_) << ", none of "
         << ::testing::PrintToString(absent_);
  }
  void DescribeNegationTo(std::ostream* out) const {
    *out << "not: ";
    DescribeTo(out);
  }

 private:
  std::vector<std::string> held_;
  std::vector<std::string> absent_;
  bool empty_ = false;
};

inline const Fragments nothing = Fragments::none();

template <class... Texts>
Fragments holds(const Texts&... fragments) {
  return {{std::string(fragments)...}, {}};
}

template <class... Texts>
Fragments lacks(const Texts&... fragments) {
  return {{}, {std::string(fragments)...}};
}

/// What `text_of` says of each input holds the fragments beside the input.
template <class Input = std::string, class TextOf>
void expect_each(TextOf text_of, std::initializer_list<std::pair<Input, Fragments>> table) {
  for (const auto& [input, fragments] : table)
    EXPECT_THAT(std::string(text_of(input)), fragments) << "of " << ::testing::PrintToString(input);
}

}  // namespace fftprec::testing
