#include "sparse/multifrontal/front/ledger.hpp"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

namespace overlapack::sparse::multifrontal {
namespace {

TEST(Ledger, CountsWhatIsHeldAsLongAsItsHolder) {
  Ledger ledger;
  {
    const Ledger::Entry first = ledger.make_entry(100);
    EXPECT_EQ(ledger.bytes_with_promised(), 100);
    std::vector<Ledger::Entry> entries;
    for (int k = 0; k < 5; ++k) entries.push_back(ledger.make_entry(10));  // moved as the list grows
    EXPECT_EQ(ledger.bytes_with_promised(), 150);
    entries.pop_back();
    entries.front() = ledger.make_entry(7);  // in the place of 10
    EXPECT_EQ(ledger.bytes_with_promised(), 137);
  }
  EXPECT_EQ(ledger.bytes_with_promised(), 0);
  EXPECT_EQ(ledger.peak_bytes(), 150);
  ledger.reset_peak();
  EXPECT_EQ(ledger.peak_bytes(), 0);
}

TEST(Ledger, AnEntryGrowsAndThePeakIsNotedWithWhatIsHeldNext) {
  Ledger ledger;
  Ledger::Entry entry;
  entry.set(ledger, 30);
  entry.set(ledger, 50);
  EXPECT_EQ(ledger.bytes_with_promised(), 50);
  EXPECT_EQ(ledger.peak_bytes(), 0);
  ledger.update_peak();
  EXPECT_EQ(ledger.peak_bytes(), 50);
  entry.release();
  entry.release();
  EXPECT_EQ(ledger.bytes_with_promised(), 0);
}

TEST(Ledger, TellsWhatItPromisedBesides) {
  Ledger ledger;
  ledger.add_promised_bytes(1000);
  EXPECT_EQ(ledger.bytes_with_promised(), 1000);
  const HeldBlock block(ledger, 1000);
  ledger.subtract_promised_bytes(1000);
  EXPECT_GE(ledger.bytes_with_promised(), 1000);
  EXPECT_LT(ledger.bytes_with_promised(), 2000);
}

TEST(Ledger, BlocksGoBackToThePoolOrLeaveTheBooks) {
  Ledger ledger;
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
  const auto limit = std::make_shared<MemoryAccount>(
      MemoryAccount::Bytes{.limit = 1000, .least = 400, .most = 2400}, "of the test", "raise it");
  Ledger first, second;
  first.join_account(limit);
  second.join_account(limit);
  Ledger::Entry most = first.make_entry(700);
  Ledger::Entry rest = second.make_entry(300);
  limit->add_block_bytes(1, 4);
  EXPECT_EQ(limit->predicted_bytes(), 400 + 2000 / 4);
  try {
    second.make_entry(1);
    ADD_FAILURE() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.status(), Status::out_of_memory);
    for (const char* part : {"came to need 1.00 kB", "1.00 kB of the test", "25 %", "raise it"})
      EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
  }
  most.release();  // the second hears of it
  rest = second.make_entry(600);
  rest.release();
  { const HeldBlock block(second, 512); }
  HeldBlock kept(first, 512);
  kept.give_back();
  const Ledger::Entry large = first.make_entry(1000);  // what waits for reuse goes first
  EXPECT_EQ(first.pool.kept_bytes(), 0u);
  first.account_part().remove_from_account(0);
  rest = second.make_entry(1000);
}

/// Ranks whose peaks are at different moments.
TEST(Ledger, OfRanksThatShareAnAccountHaveOnePeak) {
  constexpr std::size_t large = 1 << 30, lump = large / 64;
  const auto account = std::make_shared<MemoryAccount>();
  Ledger first, second;
  first.join_account(account);
  second.join_account(account);
  Ledger::Entry mine = first.make_entry(large);
  const Ledger::Entry rest = second.make_entry(large / 2);
  mine.release();
  mine = second.make_entry(large / 2);
  const Ledger::Entry unbooked = first.make_entry(lump / 2);  // less than a lump
  for (Ledger* ledger : {&first, &second}) ledger->account_part().update_account_peak(ledger->peak_bytes());
  EXPECT_EQ(first.peak_bytes(), large);
  EXPECT_EQ(second.peak_bytes(), large);
  EXPECT_EQ(second.account_part().remove_from_account(second.peak_bytes()), 1.5 * large);
  EXPECT_EQ(first.account_part().remove_from_account(first.peak_bytes()), 0);
  EXPECT_EQ(first.account_part().remove_from_account(5), 5);  // without an account each is a process
}

/// A block that goes from rank to rank is in the account once, on its way, too.
TEST(Ledger, WhatIsPassedOnStaysInTheAccount) {
  constexpr std::size_t large = 1 << 30;
  const auto account = std::make_shared<MemoryAccount>();
  Ledger first, second, third;
  for (Ledger* ledger : {&first, &second, &third}) ledger->join_account(account);
  const Ledger::Entry other = third.make_entry(large);
  Ledger::Entry mine = first.make_entry(large);
  mine.release();
  first.add_passed_bytes(large);
  const Ledger::Entry rest = second.make_entry(large / 2);
  second.subtract_passed_bytes(large);
  Ledger::Entry taken = second.make_entry(large);
  taken.release();
  const Ledger::Entry later = first.make_entry(large / 4);
  for (Ledger* ledger : {&first, &second, &third})
    ledger->account_part().update_account_peak(ledger->peak_bytes());
  EXPECT_EQ(first.account_part().remove_from_account(0), 2.5 * large);
  for (Ledger* ledger : {&second, &third}) EXPECT_EQ(ledger->account_part().remove_from_account(0), 0);
  EXPECT_EQ(account->read_and_reset_peak(), 0);
}

/// However little is booked at a time, the peak of one rank is exact, and that of several wrong by a lump of each.
TEST(Ledger, PeaksOfAnAccountAreAsWrongAsTheLumps) {
  constexpr int ranks = 5, steps = 1000;
  constexpr double step = 1000, lump = 1 << 14;
  for (const int sharing : {1, ranks}) {
    const auto account = std::make_shared<MemoryAccount>();
    std::vector<Ledger> ledgers(static_cast<std::size_t>(sharing));
    std::vector<Ledger::Entry> held;
    for (Ledger& ledger : ledgers) ledger.join_account(account);
    for (int k = 0; k < steps; ++k) held.push_back(ledgers[k % sharing].make_entry(std::size_t(step)));
    held.clear();
    for (Ledger& ledger : ledgers) ledger.account_part().update_account_peak(ledger.peak_bytes());
    const double peak = ledgers[0].account_part().remove_from_account(0);
    if (sharing == 1) {
      EXPECT_EQ(peak, steps * step);
    } else {
      EXPECT_NEAR(peak, steps * step, sharing * lump);
    }
  }
}

}  // namespace
}  // namespace overlapack::sparse::multifrontal
