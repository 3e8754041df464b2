#include "reports/commands/progress.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <chrono>
#include <sstream>
#include <thread>

#include "tests/support/fragments.hpp"

namespace fftprec::commands {
namespace {

using testing::holds;

TEST(Progress, TellsTheRemainingTimeByCostNotByCount) {
  // Half of the cases are done, but nine tenths of the cost.
  const RunState state{50, 100, 90, 100};

  EXPECT_DOUBLE_EQ(eta_seconds(state, 18), 2);
  EXPECT_EQ(progress_line(state, 18), "50/100 cases (50 %), 2.8 cases/s, ETA 2.0 s");
  EXPECT_EQ(progress_bar(state, 18),
            "[###############               ] 50/100  2.8 cases/s  ETA 2.0 s");
}

TEST(Progress, DoesNotInventATimeBeforeTheFirstCase) {
  EXPECT_LT(eta_seconds({0, 100, 0, 100}, 5), 0);
  EXPECT_THAT(progress_line({0, 100, 0, 100}, 0), holds("0.0 cases/s, ETA unknown"));
  EXPECT_EQ(eta_seconds({100, 100, 100, 100}, 5), 0);
}

TEST(Progress, WritesDurationsAsPeopleReadThem) {
  EXPECT_EQ(duration_text(0), "0.0 s");
  EXPECT_EQ(duration_text(0.12), "0.1 s");
  EXPECT_EQ(duration_text(9.96), "10 s");
  EXPECT_EQ(duration_text(59.2), "59 s");
  EXPECT_EQ(duration_text(59.7), "1 min 0 s");
  EXPECT_EQ(duration_text(200), "3 min 20 s");
  EXPECT_EQ(duration_text(7500), "2 h 5 min");
  EXPECT_EQ(duration_text(1e300), "very long");
}

TEST(Progress, PrintsALineAboutEveryTenthButNoTwoWithinASecondOffATerminal) {
  std::ostringstream stream;
  Progress progress(stream, false);
  for (std::size_t i = 1; i <= 1000; ++i) {
    if (i == 501) std::this_thread::sleep_for(std::chrono::milliseconds(1100));
    progress.show({i, 1000, 0, 0});
  }
  progress.finish();

  const std::string text = stream.str();
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 2) << text;
  EXPECT_THAT(text, holds("501/1000 cases (50 %)", "1000/1000 cases (100 %)"));
  EXPECT_EQ(text.find('\r'), std::string::npos);
}

TEST(Progress, RedrawsOneLineOnATerminal) {
  std::ostringstream stream;
  Progress progress(stream, true);
  for (std::size_t i = 1; i <= 1000; ++i) progress.show({i, 1000, 0, 0});
  progress.finish();

  const std::string text = stream.str();
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 1);
  EXPECT_THAT(text, holds("\r\x1b[K[##############################] 1000/1000"));
  EXPECT_LT(std::count(text.begin(), text.end(), '\r'), 100) << "not for every case";
}

}  // namespace
}  // namespace fftprec::commands
