#include "experiments/inputs/npy_header.hpp"

#include <charconv>
#include <utility>

#include "arith/support/error.hpp"
#include "experiments/inputs/samples.hpp"

namespace fftprec {
namespace {

class Reader {
 public:
  Reader(std::string_view text, std::string_view name) : text_(text), name_(name) {}

  NpyHeader header() {
    NpyHeader header;
    bool has_descr = false;
    bool has_order = false;
    bool has_shape = false;
    expect('{');
    while (!accept('}')) {
      const std::string key = string();
      expect(':');
      if (key == "descr" && !std::exchange(has_descr, true)) {
        header.descr = descr();
      } else if (key == "fortran_order" && !std::exchange(has_order, true)) {
        header.fortran_order = boolean();
      } else if (key == "shape" && !std::exchange(has_shape, true)) {
        header.shape = shape();
      } else {
        throw bad("has the key '" + printable(key) +
                  "'; it holds descr, fortran_order and shape, each once");
      }
      if (accept(',')) continue;
      expect('}');
      break;
    }
    skip_space();
    if (at_ < text_.size()) throw bad("goes on after its '}'");
    if (!has_descr || !has_order || !has_shape)
      throw bad("lacks " + std::string(!has_descr   ? "descr"
                                       : !has_order ? "fortran_order"
                                                    : "shape"));
    return header;
  }

 private:
  InputError bad(const std::string& what) const {
    return InputError(std::string(name_) + ": the .npy header " + what);
  }
  InputError expected(const std::string& what) const {
    return bad("has no " + what + " at its byte " + std::to_string(at_) + ": '" +
               printable(text_.substr(at_)) + "'");
  }

  void skip_space() {
    while (at_ < text_.size() && std::string_view(" \t\r\n").find(text_[at_]) != text_.npos) ++at_;
  }
  bool accept(std::string_view word) {
    skip_space();
    if (!text_.substr(at_).starts_with(word)) return false;
    at_ += word.size();
    return true;
  }
  bool accept(char c) { return accept(std::string_view(&c, 1)); }
  void expect(char c) {
    if (!accept(c)) throw expected(std::string("'") + c + "'");
  }

  std::string string() {
    const char quote = accept('"') ? '"' : '\'';
    if (quote == '\'' && !accept(quote)) throw expected("quoted word");
    const std::size_t end = text_.find(quote, at_);
    if (end == text_.npos) throw expected("closing quote");
    const std::string word(text_.substr(at_, end - at_));
    at_ = end + 1;
    return word;
  }

  std::string descr() {
    skip_space();
    if (text_.substr(at_).starts_with('['))
      throw bad("describes records of several fields; save one field as an array of its own");
    return string();
  }

  bool boolean() {
    if (accept("True")) return true;
    if (accept("False")) return false;
    throw expected("True or False");
  }

  /// As in Python, "(3)" is no tuple.
  std::vector<std::size_t> shape() {
    std::vector<std::size_t> sizes;
    expect('(');
    while (!accept(')')) {
      sizes.push_back(size());
      if (accept(',')) continue;
      if (sizes.size() == 1) throw expected("','");
      expect(')');
      break;
    }
    return sizes;
  }

  std::size_t size() {
    skip_space();
    std::size_t value = 0;
    const char* const begin = text_.data() + at_;
    const auto [end, error] = std::from_chars(begin, text_.data() + text_.size(), value);
    if (error != std::errc{}) throw expected("size below 2^64");
    at_ += static_cast<std::size_t>(end - begin);
    return value;
  }

  std::string_view text_;
  std::string_view name_;
  std::size_t at_ = 0;
};

}  // namespace

NpyHeader parse_npy_header(std::string_view text, std::string_view name) {
  return Reader(text, name).header();
}

}  // namespace fftprec
