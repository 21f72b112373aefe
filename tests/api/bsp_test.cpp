#include "overlapack/bsp.hpp"

#include "overlapack/bsp.h"
#include "overlapack/bsp2d.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cstring>
#include <numeric>
#include <vector>

// The public faces of worlds in supersteps, in C++ and with BSPlib's names. What each call means is tested where it is written
// (tests/comm/superstep_test.cpp).
namespace overlapack {
namespace {

TEST(Bsp, EveryCallOfTheCppInterface) {
  for (const int ranks : {1, 2, 4}) {
    const bsp::Cost cost = bsp::run({.ranks = ranks}, [&](bsp::World& world) {
      const int me = world.process(), p = world.processes(), next = (me + 1) % p, before = (me + p - 1) % p;
      EXPECT_EQ(p, ranks);
      std::vector<double> area(6, -1);
      const bsp::Slot slot = world.push_reg<double>(area);
      EXPECT_EQ(world.set_tagsize(4), 0u);
      world.sync();
      EXPECT_EQ(world.slot_of(area.data()).number, slot.number);
      const double mine[] = {me + 0.5, me + 0.25};
      double got[2] = {0, 0};
      world.put<double>(next, {mine, 1}, slot, 0);
      world.hpput(next, std::as_bytes(std::span(mine).last(1)), slot, 3 * sizeof(double));
      world.get<double>(next, slot, 5, {got, 1});
      world.hpget(before, slot, 2 * sizeof(double), std::as_writable_bytes(std::span(got).last(1)));
      const int tag = 7 + me;
      world.send(next, std::as_bytes(std::span(&tag, 1)), std::as_bytes(std::span(mine)));
      world.hpsend(next, std::as_bytes(std::span(&tag, 1)), {});
      world.start_sync();
      world.finish_sync();
      EXPECT_EQ(area[0], before + 0.5);
      EXPECT_EQ(area[3], before + 0.25);
      EXPECT_EQ(got[0] + got[1], -2);
      EXPECT_EQ(world.queue_size().messages, 2);
      EXPECT_EQ(world.queue_size().bytes, sizeof mine);
      int came = 0;
      std::memcpy(&came, world.front().tag.data(), sizeof came);
      EXPECT_EQ(came, 7 + before);
      double payload[2] = {};
      world.move(std::as_writable_bytes(std::span(payload)));
      EXPECT_EQ(payload[1], before + 0.25);
      EXPECT_TRUE(world.hpmove().payload.empty());
      EXPECT_TRUE(world.front().tag.empty());
      world.pop_reg(slot);
      world.send(next, std::as_bytes(std::span(&tag, 1)), {});
      const int senders[] = {before};
      world.start_sync_known(p > 1 ? senders : std::span<const int>());
      while (!world.is_ready()) EXPECT_GE(world.time(), 0);
      world.finish_sync();
      EXPECT_EQ(world.queue_size().messages, 1);
      world.sync_known({});
    });
    EXPECT_EQ(cost.supersteps, 4);
    EXPECT_EQ(cost.words > 0, ranks > 1);
    EXPECT_GT(cost.work_s, 0);
  }
}

TEST(Bsp, MisuseEndsTheRunWithASentence) {
  try {
    bsp::run({.ranks = 3}, [](bsp::World& world) {
      if (world.process() == 1) world.put(2, {}, {}, 0);
      world.sync();
    });
    ADD_FAILURE() << "nothing was thrown";
  } catch (const Error& e) {
    EXPECT_EQ(e.status(), Status::internal);
    EXPECT_NE(std::string(e.what()).find("process 1, superstep 0: slot -1 is not registered"),
              std::string::npos)
        << e.what();
  }
}

// Process 0 lends what it gives up as the sync throws, while process 1 copies: the process 2 has no room for a put. Where that is
// right, and all end well, it is there afterwards.
TEST(Bsp, WhatWasLentIsNotTouchedAfterAFailedSync) {
  constexpr std::size_t n = std::size_t{1} << 27;
  for (const bool is_get : {false, true})
    for (const bool is_legal : {true, false}) {
      const auto program = [&](bsp::World& world) {
        const int me = world.process();
        std::vector<std::byte> area(me == 1 ? n : 8, is_get ? std::byte{1} : std::byte{0});
        const bsp::Slot slot = world.push_reg(std::span(area));
        world.sync();
        std::vector<std::byte> mine(me == 0 ? n : 0, is_get ? std::byte{0} : std::byte{1});
        if (me == 0) {
          if (is_get)
            world.hpget(1, slot, 0, mine);
          else
            world.hpput(1, mine, slot, 0);
          world.put(2, std::span<const std::byte>(mine).first(8), slot, is_legal ? 0 : 1);
        }
        world.sync();
        if (me == (is_get ? 0 : 1)) {
          EXPECT_EQ((is_get ? mine : area).back(), std::byte{1});
        }
      };
      if (is_legal)
        EXPECT_NO_THROW(bsp::run({.ranks = 3}, program));
      else
        EXPECT_THROW(bsp::run({.ranks = 3}, program), Error);
    }
}

/// Each process gives its neighbour below and all of its row what it has.
template <class T>
void expect_grid_of(bsp::World& world, int rows) {
  bsp::Grid grid(world, rows, world.processes() / rows);
  EXPECT_EQ(grid.rows() * grid.cols(), world.processes());
  EXPECT_EQ(grid.row() + grid.col() * grid.rows(), world.process());
  const auto value = [&](int row, int col) { return static_cast<T>(static_cast<double>(10 * row + col)); };
  const T mine[] = {value(grid.row(), grid.col()), T(1), T(-1), T(2)};  // 2 x 1 of two columns, one left out
  T got[2] = {};
  grid.send<T>((grid.row() + 1) % rows, grid.col(), {mine, 1, 2, 3});
  grid.sync();
  grid.receive<T>((grid.row() + rows - 1) % rows, grid.col(), {got, 1, 2, 1});
  EXPECT_EQ(got[0], value((grid.row() + rows - 1) % rows, grid.col()));
  EXPECT_EQ(got[1], T(2));
  got[0] = value(grid.row(), grid.col());
  grid.broadcast<T>(bsp::Scope::row, grid.cols() - 1, {got, 2, 1, 2});
  EXPECT_EQ(got[0], value(grid.row(), grid.cols() - 1));
  got[0] = value(grid.row(), 0);
  grid.reduce<T>(bsp::Scope::column, bsp::Reduction::sum, {got, 1, 1, 1});
  EXPECT_EQ(got[0], static_cast<T>(5.0 * rows * (rows - 1)));
  if constexpr (std::is_arithmetic_v<T>) {
    T most = value(grid.row(), grid.col()), least = most;
    grid.reduce<T>(bsp::Scope::all, bsp::Reduction::largest, {&most, 1, 1, 1});
    grid.reduce<T>(bsp::Scope::all, bsp::Reduction::smallest, {&least, 1, 1, 1});
    EXPECT_EQ(most, value(grid.rows() - 1, grid.cols() - 1));
    EXPECT_EQ(least, T(0));
  } else {
    EXPECT_THROW(grid.reduce<T>(bsp::Scope::all, bsp::Reduction::largest, {got, 1, 1, 1}), Error);
  }
}

TEST(Bsp, GridsMoveMatricesOfAllTypes) {
  for (const auto& [ranks, rows] : {std::pair{1, 1}, {2, 2}, {6, 2}, {6, 3}})
    bsp::run({.ranks = ranks}, [rows = rows](bsp::World& world) {
      expect_grid_of<float>(world, rows);
      expect_grid_of<double>(world, rows);
      expect_grid_of<std::complex<float>>(world, rows);
      expect_grid_of<std::complex<double>>(world, rows);
      expect_grid_of<Index>(world, rows);
      EXPECT_THROW(bsp::Grid(world, 5, 5), Error);
    });
}

std::atomic<int> right{0};

/// All of BSPlib's calls, each rank with its neighbour.
void all_calls(void* argument) {
  const int expected = *static_cast<const int*>(argument);
  const int me = bsp_pid(), p = bsp_nprocs(), next = (me + 1) % p, before = (me + p - 1) % p;
  std::vector<int> area(10, -1);
  std::size_t tag_bytes = sizeof(int);
  bsp_push_reg(area.data(), area.size() * sizeof(int));
  bsp_set_tagsize(&tag_bytes);
  bsp_sync();
  int mine = me * 10, got = 0, hp_got = 0;
  bsp_put(next, &mine, area.data(), 2 * sizeof(int), sizeof(int));
  bsp_hpput(next, &expected, area.data(), 3 * sizeof(int), sizeof(int));
  bsp_get(next, area.data(), 9 * sizeof(int), &got, sizeof(int));
  bsp_hpget(next, area.data(), 8 * sizeof(int), &hp_got, sizeof(int));
  bsp_send(next, &me, &mine, sizeof mine);
  bsp_hpsend(next, &me, nullptr, 0);
  bsp_sync();
  int messages = 0, tag = -1, payload = -1;
  std::size_t bytes = 0;
  long status = 0;
  bsp_qsize(&messages, &bytes);
  bsp_get_tag(&status, &tag);
  bsp_move(&payload, sizeof payload);
  void *tag_at = nullptr, *payload_at = nullptr;
  const long empty = bsp_hpmove(&tag_at, &payload_at);
  right += p == expected && tag_bytes == 0 && area[2] == before * 10 && area[3] == expected && got == -1 &&
           hp_got == -1 && messages == 2 && bytes == sizeof mine && status == sizeof mine && tag == before &&
           payload == before * 10 && empty == 0 && *static_cast<int*>(tag_at) == before;
  bsp_get_tag(&status, &tag);
  right += status == -1 && bsp_hpmove(&tag_at, &payload_at) == -1 && bsp_time() >= 0;
  bsp_pop_reg(area.data());
  bsp_sync();
}

struct Solver {
  olp_solver* solver = nullptr;
  Solver() {
    olp_create(&solver);
    olp_set(solver, "ranks", "3");
  }
  ~Solver() { olp_destroy(solver); }
};

TEST(BspLib, EveryCall) {
  const Solver options;
  int expected = 3;
  EXPECT_EQ(bsp_run(options.solver, all_calls, &expected), OLP_OK) << olp_message(options.solver);
  EXPECT_EQ(right, 6);
}

void unregistered(void*) {
  int x = 0;
  if (bsp_pid() == 1) bsp_put(0, &x, &x, 0, sizeof x);
  bsp_sync();
}
void ends_itself(void*) {
  if (bsp_pid() == 2) bsp_abort("no more");
  bsp_sync();
}

// A process may run a program of its own, and is the same process afterwards.
void runs_another(void* argument) {
  const int me = bsp_pid();
  const Solver inner;
  int expected = 3;
  bsp_sync();
  EXPECT_EQ(bsp_run(inner.solver, all_calls, &expected), OLP_OK) << olp_message(inner.solver);
  EXPECT_EQ(bsp_pid(), me);
  EXPECT_EQ(bsp_nprocs(), 3);
  bsp_sync();
  (void)argument;
}

TEST(BspLib, AProgramInsideOfAProcess) {
  const Solver options;
  right = 0;
  EXPECT_EQ(bsp_run(options.solver, runs_another, nullptr), OLP_OK) << olp_message(options.solver);
  EXPECT_EQ(right, 18);
}

// The pointers of 1998 and those of today, by one name.
void both_signatures(void*) {
  int old_size = 4, old_bytes = -1, old_status = 0, messages = -1, tag = 7;
  std::size_t size = 4, bytes = 0, status = 0;
  unsigned count = 0;
  bsp_set_tagsize(&old_size);
  bsp_set_tagsize(&size);
  EXPECT_EQ(old_size, 0);
  EXPECT_EQ(size, 4u);  // that of the call before
  bsp_sync();
  bsp_send(bsp_pid(), &tag, &tag, sizeof tag);
  bsp_sync();
  bsp_qsize(&messages, &old_bytes);
  bsp_qsize(&count, &bytes);
  bsp_get_tag(&old_status, &tag);
  bsp_get_tag(&status, &tag);
  EXPECT_EQ(messages, 1);
  EXPECT_EQ(count, 1u);
  EXPECT_EQ(old_bytes, 4);
  EXPECT_EQ(bytes, 4u);
  EXPECT_EQ(old_status, 4);
  EXPECT_EQ(status, 4u);
  EXPECT_EQ(tag, 7);
}

TEST(BspLib, SizesOf1998AndOfToday) {
  const Solver options;
  EXPECT_EQ(bsp_run(options.solver, both_signatures, nullptr), OLP_OK) << olp_message(options.solver);
  EXPECT_EQ(bsp_nprocs(), 3);  // of the last program
}

TEST(BspLib, ErrorsAreStatusAndSentence) {
  const Solver options;
  EXPECT_EQ(bsp_run(options.solver, unregistered, nullptr), OLP_INTERNAL);
  EXPECT_NE(
      std::strstr(olp_message(options.solver), "process 1, superstep 0: an area is named that begins at"),
      nullptr);
  EXPECT_EQ(bsp_run(options.solver, ends_itself, nullptr), OLP_CANCELLED);
  EXPECT_NE(std::strstr(olp_message(options.solver), "process 2 ended the program: no more"), nullptr);
  EXPECT_EQ(bsp_run(options.solver, nullptr, nullptr), OLP_BAD_INPUT);
  EXPECT_EQ(bsp_run(nullptr, unregistered, nullptr), OLP_BAD_INPUT);
}

}  // namespace
}  // namespace overlapack
