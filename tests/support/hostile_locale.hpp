/// A global locale that writes numbers as no file of ours may: 12.345,5 in groups of one digit.
#pragma once

#include <locale>
#include <string>

namespace fftprec::testing {

/// While one exists, it is the global locale.
class HostileLocale {
 public:
  HostileLocale()
      : before_(std::locale::global(std::locale(std::locale(), new HostilePunctuation))) {}
  ~HostileLocale() { std::locale::global(before_); }
  HostileLocale(const HostileLocale&) = delete;
  HostileLocale& operator=(const HostileLocale&) = delete;

 private:
  struct HostilePunctuation : std::numpunct<char> {
    char do_decimal_point() const override { return ','; }
    char do_thousands_sep() const override { return '.'; }
    std::string do_grouping() const override { return "\1"; }
  };

  std::locale before_;
};

}  // namespace fftprec::testing
