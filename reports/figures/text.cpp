#include "reports/figures/text.hpp"

#include <algorithm>
#include <array>

#include "experiments/support/printable.hpp"

namespace fftprec::figures {

namespace {

/// Advance widths of U+0020 to U+007E, in thousandths of the font size.
constexpr std::array<int, 95> widths = {
    318, 401, 460, 838, 636, 950, 780, 275, 390, 390, 500, 838, 318, 361,  318, 337, 636, 636, 636,
    636, 636, 636, 636, 636, 636, 636, 337, 337, 838, 838, 838, 531, 1000, 684, 686, 698, 770, 632,
    575, 775, 752, 295, 295, 656, 557, 863, 748, 787, 603, 787, 695, 635,  611, 732, 684, 989, 685,
    611, 685, 390, 337, 390, 838, 500, 500, 613, 635, 550, 635, 615, 352,  635, 634, 278, 278, 579,
    278, 974, 634, 612, 635, 635, 411, 521, 392, 634, 592, 818, 592, 592,  525, 636, 337, 636, 838};
constexpr int other_width = 1000;  ///< of letters beyond ASCII, the widest

/// Thousandths of the font size.
int letter_width(std::string_view letter) {
  const auto c = static_cast<unsigned char>(letter.front());
  return c >= 0x20 && c < 0x7f ? widths[c - 0x20u] : other_width;
}

std::size_t letter_bytes(std::string_view text) {
  return std::max<std::size_t>(character_length(text), 1);
}

}  // namespace

double text_width(std::string_view text, double size) {
  int width = 0;
  while (!text.empty()) {
    width += letter_width(text);
    text.remove_prefix(letter_bytes(text));
  }
  return size * width / 1000;
}

double label_width(const Label& label, double size) {
  return text_width(label.text, size) +
         text_width(label.superscript + label.subscript, index_share * size);
}

std::vector<std::string> wrapped(std::string_view text, double size, double most_pixels) {
  std::vector<std::string> lines;
  while (text_width(text, size) > most_pixels) {
    std::size_t end = letter_bytes(text);
    double width = text_width(text.substr(0, end), size);
    for (;;) {
      const std::size_t next = end + letter_bytes(text.substr(end));
      width += text_width(text.substr(end, next - end), size);
      if (width > most_pixels) break;
      end = next;
    }
    const std::size_t space = text.rfind(' ', end);
    if (space != std::string_view::npos && space > 0) end = space;
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(end);
    while (text.starts_with(' ')) text.remove_prefix(1);
  }
  if (!text.empty() || lines.empty()) lines.emplace_back(text);
  return lines;
}

}  // namespace fftprec::figures
