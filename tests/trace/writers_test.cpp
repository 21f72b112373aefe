#include "trace/record/recorder.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <clocale>
#include <locale>
#include <map>
#include <regex>
#include <set>
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

/// Numbers with a comma and groups, as a program of a German user has them; of printf where such a locale is installed.
class GermanNumbers {
 public:
  GermanNumbers() : streams_(std::locale::global(std::locale(std::locale::classic(), new Punctuation))) {
    for (const char* name : {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8"})
      if (std::setlocale(LC_NUMERIC, name) != nullptr) break;
  }
  ~GermanNumbers() {
    std::locale::global(streams_);
    std::setlocale(LC_NUMERIC, "C");
  }

 private:
  struct Punctuation : std::numpunct<char> {
    char do_decimal_point() const override { return ','; }
    char do_thousands_sep() const override { return '.'; }
    std::string do_grouping() const override { return "\3"; }
  };
  std::locale streams_;
};

TEST(Writers, WriteTheSameInAnyLocale) {
  const ConvergenceRecord record{.points = {{0.5, 1e-3}, {1.25, 1e-6}},
                                 .x_name = "s",
                                 .iterations_of_rank = {12345, 67890},
                                 .batches = {1234}};
  const CurveChart curves{.title = "t", .x_name = "x", .ticks = {"1", "2"}, .curves = {{"a", {1.5, 2.5}}}};
  const auto written = [&] {
    Timeline timeline = three_messages();
    Recorder large(2);
    large.add(
        {.begin_s = 5, .end_s = 6, .what = What::compute, .kind = "front", .bytes = 1234567, .flops = 1.5});
    timeline.add(large);
    std::vector<std::string> texts;
    const auto write = [&](auto&& writer) {
      std::ostringstream out;
      const std::locale before = out.getloc();
      writer(out);
      EXPECT_EQ(out.getloc(), before);
      texts.push_back(out.str());
    };
    write([&](std::ostream& out) { write_chrome_trace(out, timeline); });
    write([&](std::ostream& out) { write_csv(out, timeline); });
    write([&](std::ostream& out) { write_svg(out, timeline, "t", critical_path(timeline)); });
    write([&](std::ostream& out) { write_summary_chart(out, timeline, "t"); });
    write([&](std::ostream& out) { write_convergence_chart(out, record, "t"); });
    write([&](std::ostream& out) { write_curves(out, curves); });
    return texts;
  };
  const std::vector<std::string> plain = written();
  const GermanNumbers german;
  EXPECT_EQ(written(), plain);
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

std::string svg_of(const Timeline& timeline, const std::string& title = "") {
  std::ostringstream out;
  write_svg(out, timeline, title, critical_path(timeline));
  return out.str();
}

/// Of all boxes of this colour but the legend's, in shares of a rank's row.
double area_of(const std::string& picture, const std::string& colour) {
  const std::regex box("width=\"([0-9.]+)\" height=\"([0-9.]+)\" fill=\"" + colour + "\"");
  double area = 0;
  for (std::sregex_iterator i(picture.begin(), picture.end(), box), end; i != end; ++i)
    area += std::stod((*i)[1]) * std::stod((*i)[2]);
  const double legend = 12 * 12, full = 960 * 24;
  return (area - legend) / full;
}

constexpr const char* analysis_colour = "#925ec8";
constexpr const char* wait_colour = "#d55e00";

/// The area of each colour is the share of time of its category: rank 1 waits 0.75 of 1 s.
TEST(Svg, AreaIsTime) {
  const std::string text = svg_of(three_messages(), "a < b");
  EXPECT_NE(text.find("<title>a &lt; b</title>"), std::string::npos);
  EXPECT_NE(text.find("viewBox=\"0 0 1100 "), std::string::npos);
  EXPECT_NEAR(area_of(text, wait_colour), 0.75, 1.0 / 960);
  EXPECT_NE(text.find("rank 1: wait, 0 to 0.75 s</title>"), std::string::npos);
  EXPECT_NE(text.find("time since the ranks began"), std::string::npos);
}

/// 3 s of analysis before 1 s of the ranks: they begin after three quarters of the row.
TEST(Svg, BeginsWithTheAnalysis) {
  Timeline timeline = three_messages();
  timeline.set_analysis_s(3);
  const std::string text = svg_of(timeline);
  EXPECT_NEAR(area_of(text, analysis_colour), 0.75, 1.0 / 960);
  EXPECT_NEAR(area_of(text, wait_colour), 0.75 / 4, 1.0 / 960);
  EXPECT_NE(text.find("rank 1: wait, 3 to 3.75 s</title>"), std::string::npos);
  EXPECT_NE(text.find("time since the analysis began"), std::string::npos);
  std::ostringstream table, json;
  write_csv(table, timeline);
  EXPECT_NE(table.str().find("0,compute,analysis,0.000000000,3.000000000,"), std::string::npos);
  EXPECT_NE(table.str().find("1,wait,,3.000000000,3.750000000,"), std::string::npos);
  write_chrome_trace(json, timeline);
  EXPECT_NE(json.str().find(R"("name":"analysis","cat":"compute","ts":0.000,"dur":3000000.000)"),
            std::string::npos);
}

/// A kind of work looks the same in a picture of it alone and in one of much else; kinds of different meaning differ.
TEST(Svg, AKindHasItsColour) {
  const auto colour_in = [](const std::string& picture, const std::string& kind) {
    const std::regex box("fill=\"(#[0-9a-f]+)\" class=\"\"><title>rank 0: " + kind);
    std::smatch found;
    return std::regex_search(picture, found, box) ? found[1].str() : "none";
  };
  const auto picture_of = [](std::initializer_list<std::string_view> kinds) {
    Recorder zero(0);
    double at = 0;
    for (const std::string_view kind : kinds) {
      zero.add({.begin_s = at, .end_s = at + 1, .what = What::compute, .kind = kind});
      at += 1;
    }
    Timeline timeline;
    timeline.add(zero);
    return svg_of(timeline);
  };
  const std::string all =
      picture_of({"new kind", "update", "residual", "panel", "subtree", "assemble", "forward"});
  std::set<std::string> colours;
  for (const char* kind : {"new kind", "update", "residual", "panel", "subtree", "assemble", "forward"}) {
    EXPECT_EQ(colour_in(picture_of({kind}), kind), colour_in(all, kind));
    colours.insert(colour_in(all, kind));
  }
  EXPECT_EQ(colours.size(), 7u);
  EXPECT_EQ(colours.count("none"), 0u);
}

TEST(InWords, TellsSharesWhoWaitsAndForWhat) {
  Recorder zero(0), one(1);
  zero.add({.begin_s = 5, .end_s = 5.5, .what = What::compute, .kind = "update"});
  zero.add({.begin_s = 5.5, .end_s = 5.5, .what = What::send, .kind = "block", .peer = 1, .number = 1});
  zero.add({.begin_s = 5.5, .end_s = 6, .what = What::compute, .kind = "update"});
  one.add({.begin_s = 5.5,
           .end_s = 5.5,
           .what = What::receive,
           .kind = "block",
           .peer = 0,
           .number = 1,
           .posted_s = 5});
  one.add({.begin_s = 5, .end_s = 5.5, .what = What::wait, .number = 1});
  one.add({.begin_s = 5.5, .end_s = 5.9, .what = What::compute, .kind = "panel"});
  Timeline timeline;
  timeline.add(zero);
  timeline.add(one);
  EXPECT_EQ(in_words(timeline),
            "Of 1 s on 2 ranks: computing 70 %, waiting 25 %, idle or not recorded 5 %. Rank 1 waits most, "
            "500 ms, 500 ms "
            "of it for \"block\" of rank 0. Critical path: products of blocks 100 %.");
  timeline.set_analysis_s(1);
  EXPECT_EQ(in_words(timeline),
            "Of 2 s on 2 ranks: analysis (on one rank) 50 %, computing 35 %, waiting 12 %, idle or not "
            "recorded 2 %. Rank 1 "
            "waits most, 500 ms, 500 ms of it for \"block\" of rank 0. Critical path: analysis 50 %, "
            "products of blocks 50 %.");
  EXPECT_EQ(in_words(Timeline()), "");
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
  EXPECT_NE(picture.find("<title>a &amp; b</title>"), std::string::npos);
  EXPECT_NE(picture.find("<title>rank 1: waiting, 75.0 %</title>"), std::string::npos);
  for (const char* label : {"mean", "rank 0", "rank 1"}) EXPECT_NE(picture.find(label), std::string::npos);
  std::map<double, double> width_of_bar;  // by its position
  const std::regex box(R"re(<rect x="[\d.]+" y="(\d+)" width="([\d.]+)" height="22")re");
  for (std::sregex_iterator at(picture.begin(), picture.end(), box), end; at != end; ++at)
    width_of_bar[std::stod((*at)[1])] += std::stod((*at)[2]);
  ASSERT_EQ(width_of_bar.size(), 3u);
  const double printed_digits = 6 * 0.005;  // at most six boxes
  for (const auto& [y, width] : width_of_bar) EXPECT_NEAR(width, 960, printed_digits);
}

}  // namespace
}  // namespace overlapack::trace
