#include "base/random.hpp"
#include "overlapack/error.hpp"
#include "trace/record/recorder.hpp"

#include <gtest/gtest.h>

namespace overlapack::trace {
namespace {

Recorder random_recorder(int rank, int events, std::uint64_t seed) {
  static constexpr std::string_view kinds[] = {"front", "assemble", "block"};
  Random random(seed);
  Recorder recorder(rank);
  double t = 1;
  for (int i = 0; i < events; ++i) {
    Event e;
    e.begin_s = t;
    e.end_s = t += random.uniform(0, 1e-3);
    e.what = static_cast<What>(random.below(what_count));
    e.kind = kinds[random.below(3)];
    e.peer = static_cast<int>(random.below(4));
    e.bytes = random.below(1000);
    e.flops = random.uniform(0, 1e6);
    recorder.add(e);
  }
  return recorder;
}

TEST(Recorder, TotalsAreTheSumsOfItsEvents) {
  const Recorder recorder = random_recorder(2, 500, 1);
  std::array<double, what_count> time_s{};
  std::size_t bytes = 0, largest = 0;
  std::int64_t messages = 0;
  double flops = 0;
  for (const Event& e : recorder.events()) {
    EXPECT_EQ(e.rank, 2);
    time_s[static_cast<std::size_t>(e.what)] += e.end_s - e.begin_s;
    flops += e.flops;
    if (e.what != What::send) continue;
    ++messages;
    bytes += e.bytes;
    largest = std::max(largest, e.bytes);
  }
  EXPECT_EQ(recorder.totals().time_s, time_s);
  EXPECT_EQ(recorder.totals().bytes, bytes);
  EXPECT_EQ(recorder.totals().largest_message_bytes, largest);
  EXPECT_EQ(recorder.totals().messages, messages);
  EXPECT_EQ(recorder.totals().flops, flops);
}

TEST(Recorder, KeepsTotalsAloneWhenAsked) {
  Recorder recorder(0, Recorder::Keep::totals);
  recorder.add({.begin_s = 1, .end_s = 3, .what = What::wait});
  EXPECT_TRUE(recorder.events().empty());
  EXPECT_EQ(recorder.totals()[What::wait], 2);
  recorder.clear();
  EXPECT_EQ(recorder.totals().events, 0);
}

TEST(Timeline, PackedEventsComeBackAsTheyWere) {
  for (int events : {0, 1, 257}) {
    const Recorder recorder = random_recorder(3, events, 7);
    Timeline direct, carried;
    direct.add(recorder);
    {
      const std::vector<std::byte> bytes = packed(recorder);
      carried.add(bytes);
    }  // the timeline owns its names
    ASSERT_EQ(carried.events().size(), static_cast<std::size_t>(events));
    for (int i = 0; i < events; ++i) {
      EXPECT_EQ(carried.events()[i].kind, direct.events()[i].kind);
      EXPECT_EQ(carried.events()[i].begin_s, direct.events()[i].begin_s);
      EXPECT_EQ(carried.events()[i].bytes, direct.events()[i].bytes);
      EXPECT_EQ(carried.events()[i].peer, direct.events()[i].peer);
    }
    EXPECT_EQ(carried.totals()[0].flops, direct.totals()[0].flops);
  }
}

TEST(Timeline, CountsWhatEachRankSentByKind) {
  Recorder zero(0, Recorder::Keep::totals), one(1, Recorder::Keep::totals);
  const auto send = [](Recorder& from, const char* kind, std::size_t bytes) {
    from.add({.what = What::send, .kind = kind, .bytes = bytes});
  };
  send(zero, "panel", 100);
  send(zero, "block", 7);
  send(zero, "panel", 300);
  send(one, "block", 500);
  one.add({.what = What::receive, .kind = "panel", .bytes = 100});
  Timeline timeline;
  for (const Recorder* recorder : {&one, &zero}) {
    const std::vector<std::byte> bytes = packed(*recorder);
    timeline.add(bytes);
  }
  ASSERT_EQ(timeline.kinds().size(), 2u);
  ASSERT_EQ(timeline.kinds()[0].size(), 2u);
  EXPECT_EQ(timeline.kinds()[0][0].kind, "panel");
  EXPECT_EQ(timeline.kinds()[0][0].messages, 2);
  EXPECT_EQ(timeline.kinds()[0][0].bytes, 400u);
  EXPECT_EQ(timeline.kinds()[0][0].largest_bytes, 300u);
  const Summary sum = summarise(timeline);
  ASSERT_EQ(sum.kinds.size(), 2u);
  EXPECT_EQ(sum.kinds[0].kind, "block");  // most bytes first
  EXPECT_EQ(sum.kinds[0].messages, 2);
  EXPECT_EQ(sum.kinds[0].bytes, 507u);
  EXPECT_EQ(sum.kinds[0].largest_bytes, 500u);
  const std::string table = kinds_table(timeline);
  EXPECT_LT(table.find("block"), table.find("panel"));
  EXPECT_NE(table.find(" 907 "), std::string::npos) << table;  // the line of all
  zero.clear();
  EXPECT_TRUE(zero.kinds().empty());
}

TEST(Timeline, RefusesDamagedBytes) {
  std::vector<std::byte> bytes = packed(random_recorder(0, 10, 3));
  bytes.resize(bytes.size() - 1);
  Timeline timeline;
  EXPECT_THROW(timeline.add(bytes), Error);
}

TEST(Timeline, OrdersRanksThatComeInAnyOrder) {
  Timeline timeline;
  for (int rank : {2, 0, 1}) timeline.add(random_recorder(rank, 20, rank));
  for (std::size_t i = 1; i < timeline.events().size(); ++i) {
    const Event &a = timeline.events()[i - 1], &b = timeline.events()[i];
    EXPECT_TRUE(a.rank < b.rank || (a.rank == b.rank && a.begin_s <= b.begin_s));
  }
  for (int rank : {0, 1, 2}) EXPECT_EQ(timeline.totals()[rank].rank, rank);
}

TEST(Summary, CountsWaitingInsideAndOutsideTheEvents) {
  Recorder busy(0), late(1);
  busy.add({.begin_s = 10, .end_s = 14, .what = What::compute, .kind = "front", .flops = 5});
  late.add({.begin_s = 11, .end_s = 12, .what = What::compute, .kind = "front", .flops = 2});
  late.add({.begin_s = 12, .end_s = 13, .what = What::wait});
  late.add({.begin_s = 13, .end_s = 13, .what = What::send, .peer = 0, .bytes = 64});
  Timeline timeline;
  timeline.add(busy);
  timeline.add(late);
  const Summary sum = summarise(timeline);
  EXPECT_DOUBLE_EQ(sum.elapsed_s, 4);
  // rank 1: 1 s before, 1 s wait, 1 s after, of 4; rank 0 none
  EXPECT_DOUBLE_EQ(sum.wait_share, 3.0 / 8);
  EXPECT_DOUBLE_EQ(sum.wait_share_of_rank[1], 3.0 / 4);
  EXPECT_EQ(sum.messages, 1);
  EXPECT_EQ(sum.bytes, 64u);
  EXPECT_EQ(sum.flops, 7);
}

TEST(Summary, OfNothingIsZero) {
  EXPECT_EQ(summarise(Timeline()).wait_share, 0);
  Timeline silent;
  silent.add(Recorder(0));
  EXPECT_EQ(summarise(silent).wait_share, 0);
}

}  // namespace
}  // namespace overlapack::trace
