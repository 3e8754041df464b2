/// Figures as files: SVG always, PNG and PDF where rsvg-convert is, a message where it is not.
#include "reports/figures/image_files.hpp"

#include <gmock/gmock.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "arith/support/error.hpp"
#include "experiments/support/files.hpp"
#include "reports/figures/kinds.hpp"
#include "reports/figures/svg.hpp"
#include "tests/support/figure_rows.hpp"
#include "tests/support/fragments.hpp"
#include "tests/support/temporary_directory.hpp"

namespace fftprec::figures {
namespace {

using ::testing::ElementsAre;
using testing::holds;
using ::testing::StartsWith;
using testing::write_text;

namespace fs = std::filesystem;

Figure small_figure(const std::string& name = "f") {
  return {.name = name,
          .title = "F",
          .panels = {{.x = even_steps(0, 1, "x", 5), .y = even_steps(0, 1, "y", 5)}}};
}

class WriteImages : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(std::system("command -v rsvg-convert >/dev/null 2>&1"), 0)
        << "rsvg-convert is not in PATH: install it (Debian: librsvg2-bin)";
  }

  /// A stand-in for rsvg-convert.
  std::string program(const std::string& script) {
    const fs::path path = directory_ / "program";
    std::ofstream(path) << "#!/bin/sh\n" << script;
    fs::permissions(path, fs::perms::owner_all);
    return path.string();
  }

  testing::TemporaryDirectory directory_;
  Figure figure_ = small_figure();
};

TEST_F(WriteImages, WritesTheSvgAndWhatIsMadeOfIt) {
  constexpr ImageFormat formats[] = {ImageFormat::svg, ImageFormat::png, ImageFormat::pdf};
  const fs::path to = directory_ / "a folder";

  const ImageFiles files = write_images({&figure_, 1}, to, formats);

  EXPECT_EQ(files.problem, "");
  EXPECT_THAT(files.written, ElementsAre(to / "f.svg", to / "f.png", to / "f.pdf"));
  EXPECT_EQ(read_file(to / "f.svg"), svg_document(figure_));
  EXPECT_THAT(read_file(to / "f.png"), StartsWith("\x89PNG"));
  EXPECT_THAT(read_file(to / "f.pdf"), StartsWith("%PDF"));
}

TEST_F(WriteImages, ConvertsEveryKindOfFigureWithoutAWarning) {
  constexpr ImageFormat formats[] = {ImageFormat::png};
  const std::vector<FigureRequest> requests = {
      {.name = "l", .title = "L"},
      {.name = "h", .title = "H", .panel = "input", .kind = "heatmap"},
      {.name = "c", .title = "C", .x = "real_multiplications", .kind = "cost"},
      {.name = "b", .title = "B", .kind = "histogram"}};
  const std::string warn =
      program("exec 3>&1\nsaid=$(rsvg-convert \"$@\" 2>&1 >&3) || exit 1\n[ -z \"$said\" ]\n");

  const ImageFiles files = write_images(draw_all(testing::figure_rows(), requests, {}),
                                        directory_ / "out", formats, warn);

  EXPECT_EQ(files.problem, "");
  EXPECT_EQ(files.written.size(), 4u);
}

TEST_F(WriteImages, ShowsWhatAFailingProgramSays) {
  constexpr ImageFormat formats[] = {ImageFormat::png};

  const ImageFiles files = write_images({&figure_, 1}, directory_.path(), formats,
                                        program("echo 'line 3: no cairo' >&2; exit 1\n"));

  EXPECT_THAT(files.problem, holds("line 3: no cairo"));
  EXPECT_TRUE(files.failed);
  EXPECT_TRUE(files.written.empty());
}

TEST_F(WriteImages, TakesNoImageThatIsNotWhole) {
  constexpr ImageFormat formats[] = {ImageFormat::svg, ImageFormat::png, ImageFormat::pdf};
  for (const char* script : {"exit 0\n", "echo nothing\n", "rsvg-convert \"$@\" | head -c 100\n",
                             "rsvg-convert \"$@\" | tail -c 100\n"}) {
    write_text(directory_ / "f.png", "old");

    const ImageFiles files =
        write_images({&figure_, 1}, directory_.path(), formats, program(script));

    EXPECT_TRUE(files.failed) << script;
    EXPECT_THAT(files.problem, holds("made no whole image of ")) << script;
    EXPECT_THAT(files.written, ElementsAre(directory_ / "f.svg")) << script;
    EXPECT_EQ(read_file(directory_ / "f.png"), "old") << script;
    EXPECT_FALSE(fs::exists(directory_ / "f.pdf")) << script;
  }
}

TEST_F(WriteImages, WritesTheFileThatACommandNames) {
  std::ostringstream err;
  const std::string file = (directory_ / "one.png").string();

  write_image_file(file, figure_, err);

  EXPECT_EQ(err.str(), file + "\n");
  EXPECT_THAT(read_file(file), StartsWith("\x89PNG"));
  EXPECT_THROW(check_image_file("one.pdf"), InputError);
  EXPECT_NO_THROW(check_image_file("a.b/one.svg"));
}

TEST_F(WriteImages, MakesOfAnSvgWhatTheNameOfTheImageSays) {
  constexpr ImageFormat formats[] = {ImageFormat::svg};
  const fs::path svg = write_images({&figure_, 1}, directory_.path(), formats).written.at(0);
  const auto made = [&](const char* name) {
    convert_image(svg, directory_ / name);
    return read_file(directory_ / name);
  };
  EXPECT_THAT(made("two.png"), StartsWith("\x89PNG"));
  EXPECT_THAT(made("two.pdf"), StartsWith("%PDF-"));
  for (const char* name : {"two.jpg", "two", "png"}) {
    EXPECT_THROW(made(name), InputError) << name;
    EXPECT_FALSE(fs::exists(directory_ / name)) << name;
  }
  EXPECT_THROW(convert_image(directory_ / "none.svg", directory_ / "three.png"), InputError);
}

}  // namespace
}  // namespace fftprec::figures
