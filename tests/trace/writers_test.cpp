#include "trace/recorder.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <regex>
#include <sstream>

namespace overlapack::trace {
namespace {

/// Rank 0 computes, sends twice to rank 1 on one stream and once on another; rank 1 receives all three.
Timeline three_messages() {
  Recorder zero(0), one(1);
  zero.add({.begin_s = 5, .end_s = 5.5, .what = What::compute, .kind = "front \"a\"", .flops = 1e6});
  zero.add({.begin_s = 5.5, .end_s = 5.5, .what = What::send, .kind = "block", .peer = 1, .bytes = 10});
  zero.add({.begin_s = 5.6, .end_s = 5.6, .what = What::send, .kind = "block", .peer = 1, .bytes = 20});
  zero.add({.begin_s = 5.7,
            .end_s = 5.7,
            .what = What::send,
            .kind = "news",
            .peer = 1,
            .bytes = 30,
            .stream = 1});
  one.add({.begin_s = 5.0, .end_s = 5.75, .what = What::wait});
  one.add({.begin_s = 5.75,
           .end_s = 5.75,
           .what = What::receive,
           .kind = "news",
           .peer = 0,
           .bytes = 30,
           .stream = 1});
  one.add({.begin_s = 5.8, .end_s = 5.8, .what = What::receive, .kind = "block", .peer = 0, .bytes = 10});
  one.add({.begin_s = 6.0, .end_s = 6.0, .what = What::receive, .kind = "block", .peer = 0, .bytes = 20});
  Timeline timeline;
  timeline.add(zero);
  timeline.add(one);
  return timeline;
}

TEST(ChromeTrace, IsJsonWithAnEventEachAndArrowsInOrder) {
  std::ostringstream out;
  write_chrome_trace(out, three_messages());
  const nlohmann::json trace = nlohmann::json::parse(out.str());
  int complete = 0;
  std::map<int, std::pair<double, double>> arrow;
  for (const auto& e : trace["traceEvents"]) {
    if (e["ph"] == "X") ++complete;
    if (e["ph"] == "s") arrow[e["id"]].first = e["ts"];
    if (e["ph"] == "f") arrow[e["id"]].second = e["ts"];
  }
  EXPECT_EQ(complete, 8);
  ASSERT_EQ(arrow.size(), 3u);
  std::map<double, double> landed;  // by send time
  for (const auto& [id, a] : arrow) landed[a.first] = a.second;
  const double microsecond_rounding = 1e-3;
  EXPECT_NEAR(landed.at(500000), 800000, microsecond_rounding);
  EXPECT_NEAR(landed.at(600000), 1000000, microsecond_rounding);
  EXPECT_NEAR(landed.at(700000), 750000, microsecond_rounding);
}

TEST(ChromeTrace, OfNothingIsStillJson) {
  std::ostringstream out;
  write_chrome_trace(out, Timeline());
  EXPECT_TRUE(nlohmann::json::accept(out.str()));
}

TEST(Csv, HasALineAnEvent) {
  std::ostringstream out;
  write_csv(out, three_messages());
  const std::string text = out.str();
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 9);
  EXPECT_NE(text.find("0,send,block,0.600000000,0.600000000,1,20,0\n"), std::string::npos);
}

/// The area of each colour is the share of time of its category: rank 1 waits 0.75 of 1 s.
TEST(Svg, AreaIsTime) {
  std::ostringstream out;
  write_svg(out, three_messages(), "a < b");
  const std::string text = out.str();
  EXPECT_NE(text.find("a &lt; b"), std::string::npos);
  const std::regex box("width=\"([0-9.]+)\" height=\"([0-9.]+)\" fill=\"#d1495b\"");
  double area = 0;
  for (std::sregex_iterator i(text.begin(), text.end(), box), end; i != end; ++i)
    area += std::stod((*i)[1]) * std::stod((*i)[2]);
  const double legend = 12 * 12, full = 1200 * 24;
  EXPECT_NEAR((area - legend) / full, 0.75, 1.0 / 1200);
}

/// The heights of a curve's points, downwards; 320 is the height of the axis.
std::vector<double> heights(const std::string& picture) {
  std::vector<double> found;
  const std::regex dot(R"re(<circle cx="[\d.]+" cy="([\d.]+)")re");
  for (std::sregex_iterator at(picture.begin(), picture.end(), dot), end; at != end; ++at)
    found.push_back(std::stod((*at)[1]));
  return found;
}

TEST(Curves, AreLogarithmicWhereTimesDifferMuch) {
  CurveChart chart{"times", "ranks", {"1", "2", "4"}, {{"lu", {10, 1, 0.1}}, {"ideal", {10, 5, 2.5}, true}}};
  const auto picture = [&] {
    std::ostringstream out;
    write_curves(out, chart);
    return out.str();
  };
  const double rounded = 0.1;  // two numbers of one digit behind the point
  const std::string far = picture();
  const auto by_decades = heights(far);
  ASSERT_EQ(by_decades.size(), 3u);  // a dashed curve has none
  EXPECT_NEAR(by_decades[1] - by_decades[0], 160, rounded);
  EXPECT_NEAR(by_decades[2] - by_decades[1], 160, rounded);
  EXPECT_NE(far.find("stroke-dasharray"), std::string::npos);
  EXPECT_NE(far.find("0.1 s"), std::string::npos);
  chart.curves = {{"lu", {8e-3, 4e-3, 0}}};
  const auto linear = heights(picture());
  ASSERT_EQ(linear.size(), 2u);                      // what is not positive has no place
  EXPECT_NEAR(linear[1] - linear[0], 160, rounded);  // 8 ms is the axis's end
  EXPECT_NE(picture().find("4 ms"), std::string::npos);
  chart.curves = {{"lu", {0, 0, 0}}};
  EXPECT_TRUE(heights(picture()).empty());
}

TEST(SummaryChart, BarsOfARankAddUpToTheTime) {
  std::ostringstream out;
  write_summary_chart(out, three_messages(), "a & b");
  const std::string picture = out.str();
  EXPECT_NE(picture.find("a &amp; b"), std::string::npos);
  for (const char* label : {"mean", "rank 0", "rank 1"}) EXPECT_NE(picture.find(label), std::string::npos);
  std::map<double, double> width_of_bar;  // by its place
  const std::regex box(R"re(<rect x="[\d.]+" y="(\d+)" width="([\d.]+)" height="22")re");
  for (std::sregex_iterator at(picture.begin(), picture.end(), box), end; at != end; ++at)
    width_of_bar[std::stod((*at)[1])] += std::stod((*at)[2]);
  ASSERT_EQ(width_of_bar.size(), 3u);
  const double printed_digits = 6 * 0.005;  // at most six boxes
  for (const auto& [y, width] : width_of_bar) EXPECT_NEAR(width, 900, printed_digits);
}

}  // namespace
}  // namespace overlapack::trace
