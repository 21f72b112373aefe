#include "trace/record/message_ends.hpp"
#include "trace/record/recorder.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <regex>
#include <sstream>

namespace overlapack::trace {
namespace {

Event work(double begin_s, double end_s, std::string_view kind) {
  return {.begin_s = begin_s, .end_s = end_s, .what = What::compute, .kind = kind};
}
Event waiting(double begin_s, double end_s, std::int64_t ended_by) {
  return {.begin_s = begin_s, .end_s = end_s, .what = What::wait, .number = ended_by};
}
Event sending(double begin_s, double end_s, int to, std::int64_t number, std::string_view kind = "block") {
  return {.begin_s = begin_s,
          .end_s = end_s,
          .what = What::send,
          .kind = kind,
          .peer = to,
          .bytes = 8,
          .number = number};
}
Event arrival(double s, int from, std::int64_t number, double posted_s, std::string_view kind = "block") {
  return {.begin_s = s,
          .end_s = s,
          .what = What::receive,
          .kind = kind,
          .peer = from,
          .bytes = 8,
          .number = number,
          .posted_s = posted_s};
}

/// The timeline of ranks 0, 1, ...
Timeline timeline_of(const std::vector<std::vector<Event>>& events_of_rank) {
  Timeline timeline;
  int rank = 0;
  for (const auto& events : events_of_rank) {
    Recorder recorder(rank++);
    for (const Event& e : events) recorder.add(e);
    timeline.add(recorder);
  }
  return timeline;
}

/// "compute front 0 [1, 2]", "flight block 0>1 [2, 3] 0.5 behind work", ...
std::vector<std::string> lines_of(const Timeline& timeline) {
  std::vector<std::string> lines;
  for (const PathLink& link : critical_path(timeline)) {
    std::ostringstream line;
    line << name(link.what) << ' ' << link.kind << ' ';
    if (link.what == Link::flight) line << link.from << '>';
    line << link.rank << " [" << link.begin_s << ", " << link.end_s << ']';
    if (link.behind_work_s > 0) line << ' ' << link.behind_work_s << " behind work";
    lines.push_back(line.str());
  }
  return lines;
}

using Lines = std::vector<std::string>;

/// Rank 0 computes and sends while rank 1 waits; rank 1 computes, does what nobody records, and answers.
Timeline there_and_back() {
  return timeline_of({{work(0, 4, "front"), sending(4, 4.5, 1, 1), work(4.5, 6, "front"),
                       arrival(11.5, 1, 2, 6, "sum"), waiting(6, 11.5, 2)},
                      {work(0, 1, "leaf"), arrival(7, 0, 1, 0.5), waiting(1, 7, 1), work(7, 10, "root"),
                       sending(10.5, 11, 0, 2, "sum")}});
}

TEST(CriticalPath, FollowsMessagesBackToTheirSenders) {
  EXPECT_EQ(lines_of(there_and_back()),
            (Lines{"compute front 0 [0, 4]", "flight block 0>1 [4, 7] 1.5 behind work",
                   "compute root 1 [7, 10]", "outside  1 [10, 10.5]", "flight sum 1>0 [10.5, 11.5]"}));
}

TEST(CriticalPath, PartsAddUpToTheRun) {
  const auto parts = parts_of(critical_path(there_and_back()));
  double seconds = 0, share = 0;
  for (const PathPart& part : parts) {
    seconds += part.seconds;
    share += part.share;
  }
  EXPECT_DOUBLE_EQ(seconds, 11.5);
  EXPECT_DOUBLE_EQ(share, 1);
  ASSERT_EQ(parts.size(), 6u);
  EXPECT_EQ(parts[0].kind, "front");
  EXPECT_EQ(parts[0].seconds, 4);
  EXPECT_TRUE(std::ranges::is_sorted(parts, std::ranges::greater(), &PathPart::seconds));
  const auto behind = std::ranges::find(parts, "flight behind work", &PathPart::what);
  ASSERT_NE(behind, parts.end());
  EXPECT_EQ(behind->seconds, 1.5);
  EXPECT_NE(path_table(parts).find("flight behind work: block"), std::string::npos);
}

TEST(CriticalPath, StaysWithAReceiverWhoPostedLate) {
  EXPECT_EQ(lines_of(timeline_of(
                {{work(0, 2, "front"), sending(2, 2, 1, 1)},
                 {work(0, 5, "leaf"), arrival(7, 0, 1, 5), waiting(5, 7, 1), work(7, 8, "root")}})),
            (Lines{"compute leaf 1 [0, 5]", "flight block 0>1 [5, 7]", "compute root 1 [7, 8]"}));
}

TEST(CriticalPath, AProbedMessageCameFromItsSender) {
  // seen at 6 by a probe, then received: number 1 is posted only then
  EXPECT_EQ(
      lines_of(timeline_of({{work(0, 4, "front"), sending(4, 4, 1, 1)},
                            {waiting(0, 6, 1), arrival(7, 0, 1, 6), waiting(6, 7, 1), work(7, 8, "root")}})),
      (Lines{"compute front 0 [0, 4]", "flight block 0>1 [4, 6]", "flight block 0>1 [6, 7]",
             "compute root 1 [7, 8]"}));
}

TEST(CriticalPath, AWaitForOnesOwnSendIsForItsReceiver) {
  EXPECT_EQ(
      lines_of(timeline_of({{work(0, 1, "front"), sending(1, 1, 1, 1), waiting(1, 7, 1), work(7, 9, "root")},
                            {work(0, 5, "leaf"), arrival(6.5, 0, 1, 5)}})),
      (Lines{"compute leaf 1 [0, 5]", "flight block 0>1 [5, 7]", "compute root 0 [7, 9]"}));
}

TEST(CriticalPath, GoesThroughARankThatHandsAMessageOn) {
  EXPECT_EQ(lines_of(timeline_of({{work(0, 1, "front"), sending(1, 1, 1, 1)},
                                  {work(0, 6, "leaf"), arrival(3, 0, 1, 0), sending(3, 3, 2, 2)},
                                  {arrival(5, 1, 1, 0), waiting(0, 5, 1), work(5, 7, "root")}})),
            (Lines{"compute front 0 [0, 1]", "flight block 0>1 [1, 3] 2 behind work",
                   "flight block 1>2 [3, 5] 2 behind work", "compute root 2 [5, 7]"}));
}

TEST(CriticalPath, WhatNoMessageEndedIsAWait) {
  EXPECT_EQ(lines_of(timeline_of(
                {{work(0, 1, "front")}, {waiting(0, 3, 0), waiting(3, 4, 9), work(4, 5, "root")}})),
            (Lines{"wait  1 [0, 3]", "wait  1 [3, 4]", "compute root 1 [4, 5]"}));
}

TEST(CriticalPath, ClocksThatDoNotAgreeEndInAWait) {
  EXPECT_EQ(lines_of(timeline_of({{work(0, 8, "front"), sending(8, 8, 1, 1)},
                                  {arrival(7, 0, 1, 0), waiting(0, 7, 1), work(7, 9, "root")}})),
            (Lines{"wait  1 [0, 7]", "compute root 1 [7, 9]"}));
}

TEST(CriticalPath, OfNothingIsEmpty) {
  EXPECT_TRUE(critical_path(Timeline()).empty());
  EXPECT_TRUE(parts_of({}).empty());
}

TEST(MessageEnds, AreInTheOrderOfPostingHoweverTheyCame) {
  // the small second message overtakes the first on its way into memory
  const Timeline timeline =
      timeline_of({{sending(1, 1, 1, 1), sending(2, 2, 1, 2)}, {arrival(3, 0, 2, 0.5), arrival(4, 0, 1, 0)}});
  const auto messages = messages_of(timeline);
  ASSERT_EQ(messages.size(), 2u);
  EXPECT_EQ(messages[0].send->begin_s, 1);
  EXPECT_EQ(messages[0].receive->begin_s, 4);
  EXPECT_EQ(messages[1].receive->begin_s, 3);
}

TEST(Svg, DrawsThePathOverTheRows) {
  const Timeline timeline = there_and_back();
  std::ostringstream plain, with_path;
  write_svg(plain, timeline);
  write_svg(with_path, timeline, "", critical_path(timeline));
  EXPECT_EQ(plain.str().find("<path"), std::string::npos);
  // the message of 4 to 7 s, of 11.5: from row 0 to row 1
  const std::regex message("M429.91 ([0-9.]+)L680.35 ([0-9.]+)");
  const std::string picture = with_path.str();
  std::smatch row;
  ASSERT_TRUE(std::regex_search(picture, row, message)) << picture;
  EXPECT_EQ(std::stod(row[2]) - std::stod(row[1]), 28);
  EXPECT_NE(with_path.str().find("critical path"), std::string::npos);
}

}  // namespace
}  // namespace overlapack::trace
