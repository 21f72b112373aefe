#include "sparse/multifrontal/front/ledger.hpp"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

namespace overlapack::sparse::multifrontal {
namespace {

TEST(Ledger, CountsWhatIsHeldAsLongAsItsHolder) {
  Ledger ledger;
  {
    const Ledger::Entry first = ledger.hold(100);
    EXPECT_EQ(ledger.bytes_with_promised(), 100);
    std::vector<Ledger::Entry> entries;
    for (int k = 0; k < 5; ++k) entries.push_back(ledger.hold(10));  // moved as the list grows
    EXPECT_EQ(ledger.bytes_with_promised(), 150);
    entries.pop_back();
    entries.front() = ledger.hold(7);  // in the place of 10
    EXPECT_EQ(ledger.bytes_with_promised(), 137);
  }
  EXPECT_EQ(ledger.bytes_with_promised(), 0);
  EXPECT_EQ(ledger.peak_bytes(), 150);
  ledger.forget_peak();
  EXPECT_EQ(ledger.peak_bytes(), 0);
}

TEST(Ledger, AnEntryGrowsAndThePeakIsNotedWithWhatIsHeldNext) {
  Ledger ledger;
  Ledger::Entry entry;
  entry.set(ledger, 30);
  entry.set(ledger, 50);
  EXPECT_EQ(ledger.bytes_with_promised(), 50);
  EXPECT_EQ(ledger.peak_bytes(), 0);
  ledger.note_peak();
  EXPECT_EQ(ledger.peak_bytes(), 50);
  entry.release();
  entry.release();
  EXPECT_EQ(ledger.bytes_with_promised(), 0);
}

TEST(Ledger, TellsWhatItPromisedBesides) {
  Ledger ledger;
  ledger.promise(1000);
  EXPECT_EQ(ledger.bytes_with_promised(), 1000);
  const HeldBlock block(ledger, 1000);
  ledger.keep_promise(1000);
  EXPECT_GE(ledger.bytes_with_promised(), 1000);
  EXPECT_LT(ledger.bytes_with_promised(), 2000);
}

TEST(Ledger, BlocksGoBackToThePoolOrLeaveTheBooks) {
  Ledger ledger;
  ledger.pool.keep_all();
  HeldBlock block(ledger, 4096), moved;
  void* const memory = block.as<char>();
  moved = std::move(block);
  block.give_back();  // there is none
  EXPECT_EQ(ledger.pool.kept_bytes(), 0u);
  moved.give_back();
  EXPECT_EQ(ledger.pool.kept_bytes(), 4096u);
  EXPECT_EQ(ledger.bytes_with_promised(), 0);
  HeldBlock again(ledger, 4096);
  EXPECT_EQ(again.as<char>(), memory);
  const Block taken = again.take_out();
  EXPECT_EQ(taken.as<char>(), memory);
  EXPECT_EQ(ledger.bytes_with_promised(), 0);
  { const HeldBlock lost(ledger, 512); }
  EXPECT_EQ(ledger.bytes_with_promised(), 0);
  EXPECT_EQ(ledger.pool.kept_bytes(), 0u);  // freed with its holder
}

TEST(Ledger, OfRanksThatShareALimitAreRefusedTogether) {
  const auto limit = std::make_shared<MemoryLimit>(
      MemoryLimit::Bytes{.limit = 1000, .least = 400, .most = 2400}, "of the test", "raise it");
  Ledger first, second;
  first.watch(limit);
  second.watch(limit);
  Ledger::Entry most = first.hold(700);
  Ledger::Entry rest = second.hold(300);
  limit->note_blocks(1, 4);
  EXPECT_EQ(limit->predicted_bytes(), 400 + 2000 / 4);
  try {
    second.hold(1);
    ADD_FAILURE() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.status(), Status::out_of_memory);
    for (const char* part : {"came to need 1.00 kB", "1.00 kB of the test", "25 %", "raise it"})
      EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
  }
  most.release();  // the second hears of it
  rest = second.hold(600);
  rest.release();
  { const HeldBlock block(second, 512); }
  HeldBlock kept(first, 512);
  kept.give_back();
  const Ledger::Entry large = first.hold(1000);  // what waits for reuse goes first
  EXPECT_EQ(first.pool.kept_bytes(), 0u);
  first.watch(nullptr);
  rest = second.hold(1000);
}

}  // namespace
}  // namespace overlapack::sparse::multifrontal
