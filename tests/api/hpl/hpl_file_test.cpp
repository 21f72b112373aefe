#include "api/hpl/hpl_cases.hpp"
#include "hpl_dat.hpp"
#include "overlapack/error.hpp"

#include <gtest/gtest.h>

#include <set>

namespace overlapack::api {
namespace {

using comm::collective::BroadcastKind;
using dense::PanelOrder;
using dense::Schedule;

HplFile parse(const std::string& text) { return parse_hpl_file(text, "HPL.dat"); }

/// The sentence with which a text is refused; "" if it is not.
std::string refusal(const std::string& text) {
  try {
    parse(text);
    return "";
  } catch (const Error& error) {
    EXPECT_EQ(error.status(), Status::bad_input) << error.what();
    return error.what();
  }
}

void expect_refused(int line, const std::string& text, const std::string& saying) {
  const std::string told = refusal(with_line(line, text));
  EXPECT_NE(told.find("HPL.dat, line " + std::to_string(line) + ":"), std::string::npos) << told;
  EXPECT_NE(told.find(saying), std::string::npos) << told;
}

TEST(HplFile, ReadsTheStandardFile) {
  const HplFile file = parse(standard_hpl_dat);
  EXPECT_EQ(file.output_file, "HPL.out");
  EXPECT_EQ(file.device, 6);
  EXPECT_EQ(file.n, (std::vector<Index>{29, 30, 34, 35}));
  EXPECT_EQ(file.block, (std::vector<Index>{1, 2, 3, 4}));
  EXPECT_EQ(file.order, dist::GridOrder::row_major);
  EXPECT_EQ(file.grid_rows, (std::vector<int>{2, 1, 4}));
  EXPECT_EQ(file.grid_cols, (std::vector<int>{2, 4, 1}));
  EXPECT_EQ(file.threshold, 16);
  const std::vector<PanelOrder> orders{PanelOrder::left, PanelOrder::crout, PanelOrder::right};
  EXPECT_EQ(file.base, orders);
  EXPECT_EQ(file.recursion, orders);
  EXPECT_EQ(file.smallest, (std::vector<Index>{2, 4}));
  EXPECT_EQ(file.parts, std::vector<Index>{2});
  EXPECT_EQ(file.broadcast, std::vector<BroadcastKind>{BroadcastKind::ring});
  EXPECT_EQ(file.depth, std::vector<int>{0});
  EXPECT_EQ(file.swap, dist::SwapKind::mix);
  EXPECT_EQ(file.mix_columns, 64);
  EXPECT_TRUE(file.is_l1_transposed && file.is_u_transposed && file.equilibrates);
  EXPECT_EQ(file.alignment, 8);
  EXPECT_TRUE(file.schedules.empty());
}

TEST(HplFile, IsReadLenientlyAsHplDoes) {
  EXPECT_EQ(parse(with_line(6, "29\t30   34,35")).n, (std::vector<Index>{29, 30, 34, 35}));
  EXPECT_EQ(parse(with_line(6, "29 30 34 35 36 37 38")).n.size(), 4u);  // more values than are announced
  EXPECT_EQ(parse(with_line(7, "2# two")).block, (std::vector<Index>{1, 2}));
  EXPECT_EQ(parse(with_line(9, "1")).order, dist::GridOrder::column_major);
  EXPECT_EQ(parse(with_line(9, "7")).order, dist::GridOrder::row_major);
  EXPECT_EQ(parse(with_line(13, "-1.5e0 no check")).threshold, -1.5);
  EXPECT_EQ(parse(with_line(15, "5 -1 0")).base,
            (std::vector<PanelOrder>{PanelOrder::right, PanelOrder::right, PanelOrder::left}));
  EXPECT_EQ(parse(with_line(23, "9")).broadcast.front(), BroadcastKind::modified_ring);
  EXPECT_EQ(parse(with_line(23, "5")).broadcast.front(), BroadcastKind::modified_spread_roll);
  EXPECT_EQ(parse(with_line(26, "4")).swap, dist::SwapKind::spread_roll);
  EXPECT_EQ(parse(with_line(27, "-3")).mix_columns, 0);
  EXPECT_FALSE(parse(with_line(28, "1")).is_l1_transposed);
  EXPECT_EQ(parse(with_line(31, "0")).alignment, 4);
  EXPECT_EQ(parse(with_line(3, "/tmp/a:b.out x")).output_file, "/tmp/a:b.out");
  std::string windows = standard_hpl_dat;
  for (std::size_t at = 0; (at = windows.find('\n', at)) != std::string::npos; at += 2)
    windows.insert(at, "\r");
  EXPECT_EQ(parse(windows).block.size(), 4u);
  EXPECT_EQ(parse(standard_hpl_dat.substr(0, standard_hpl_dat.size() - 1)).alignment, 8);  // no last newline
}

TEST(HplFile, HpccsLongerFileIsReadToItsSeparator) {
  const std::string ptrans =
      "##### This line (no. 32) is ignored (it serves as a separator). ######\n"
      "0                               Number of additional problem sizes for PTRANS\n"
      "1200 10000 30000                values of N\n"
      "0                               number of additional blocking sizes for PTRANS\n"
      "40 9 8 13 13 20 16 32 64        values of NB\n";
  EXPECT_EQ(parse(standard_hpl_dat + ptrans).n.size(), 4u);
  EXPECT_TRUE(parse(standard_hpl_dat + ptrans).schedules.empty());
}

TEST(HplFile, NamesWhatIsIllegalWithItsLine) {
  expect_refused(5, "0", "number of values of N");
  expect_refused(5, "21", "from 1 to 20");
  expect_refused(6, "29 30 -4 35", "N is -4");
  expect_refused(6, "29 30 Ns", "2 of 4 values of N");
  expect_refused(6, "1.5 2 3 4", "N is 1.5");
  expect_refused(6, "1e20 2 3 4", "N is 1e20");
  expect_refused(6, "nan 2 3 4", "0 of 4 values of N");
  expect_refused(8, "0 2 3 4", "NB is 0");
  expect_refused(10, "many", "\"many\"");
  expect_refused(11, "2 0 4", "P is 0");
  expect_refused(12, "2 4", "2 of 3 values of Q");
  expect_refused(13, "threshold", "threshold");
  expect_refused(17, "0 4", "NBMIN is 0");
  expect_refused(19, "1", "NDIV is 1");
  expect_refused(25, "-1", "DEPTH is -1");
  EXPECT_NE(refusal("").find("line 1"), std::string::npos);
  EXPECT_NE(refusal(standard_hpl_dat.substr(0, standard_hpl_dat.find("64  "))).find("line 27"),
            std::string::npos);
}

TEST(HplFile, SchedulesAreALineBehindTheOthers) {
  const auto schedules = [](const std::string& line) { return parse(standard_hpl_dat + line).schedules; };
  EXPECT_EQ(schedules("schedules: flat, lookahead split parity,hybrid\n"),
            (std::vector<Schedule>{Schedule::flat, Schedule::look_ahead, Schedule::split, Schedule::parity,
                                   Schedule::hybrid}));
  EXPECT_EQ(schedules("# ours\nSchedule split"), std::vector<Schedule>{Schedule::split});
  const std::string told = refusal(standard_hpl_dat + "schedules: flat zigzag\n");
  EXPECT_NE(told.find("line 32"), std::string::npos) << told;
  EXPECT_NE(told.find("zigzag"), std::string::npos) << told;
  EXPECT_NE(told.find("lookahead"), std::string::npos) << told;
  EXPECT_NE(refusal(standard_hpl_dat + "schedules:\n"), "");
}

TEST(HplCases, AreEveryCombinationInHplsOrder) {
  const auto cases = hpl_cases(parse(standard_hpl_dat));
  ASSERT_EQ(cases.size(), 864u);  // as HPL counts: 3 grids, 4 N, 4 NB, 3 RFACT, 3 PFACT, 2 NBMIN
  EXPECT_EQ(cases[0].n, 29);
  EXPECT_EQ(cases[1].plan.panel.smallest, 4);
  EXPECT_EQ(cases[2].plan.panel.base, PanelOrder::crout);
  EXPECT_EQ(cases[6].plan.panel.recursion, PanelOrder::crout);
  EXPECT_EQ(cases[18].block, 2);
  EXPECT_EQ(cases[72].n, 30);
  EXPECT_EQ(cases[288].cols, 4);
  for (const HplCase& run : cases) EXPECT_EQ(run.plan.schedule, Schedule::flat);
}

TEST(HplCases, DepthsAndSchedulesMeetOnce) {
  HplFile file = parse(standard_hpl_dat);
  file.n = {10};
  file.block = {2};
  file.grid_rows = file.grid_cols = {1};
  file.base = file.recursion = {PanelOrder::right};
  file.smallest = {2};
  file.depth = {0, 1, 2};
  const auto orders = [&] {
    std::vector<std::pair<Schedule, int>> found;
    for (const HplCase& run : hpl_cases(file)) found.emplace_back(run.plan.schedule, run.plan.depth);
    return found;
  };
  using Orders = std::vector<std::pair<Schedule, int>>;
  EXPECT_EQ(orders(), (Orders{{Schedule::flat, 0}, {Schedule::look_ahead, 1}, {Schedule::look_ahead, 2}}));
  file.schedules = {Schedule::flat, Schedule::look_ahead, Schedule::split};
  EXPECT_EQ(
      orders(),
      (Orders{
          {Schedule::flat, 0}, {Schedule::look_ahead, 1}, {Schedule::split, 1}, {Schedule::look_ahead, 2}}));
}

}  // namespace
}  // namespace overlapack::api
