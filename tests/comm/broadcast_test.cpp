#include "comm/collective/broadcast/broadcast.hpp"

#include "base/random.hpp"
#include "comm/collective/broadcast/routes.hpp"
#include "comm/collective/collective.hpp"
#include "comm/wrap/checked.hpp"
#include "comm/wrap/counted.hpp"
#include "engine.hpp"

#include <algorithm>
#include <numeric>

namespace overlapack::comm::conformance {
namespace {

using collective::Broadcast;
using collective::broadcast_kinds;
using collective::BroadcastKind;
using collective::Group;
using collective::Route;
using collective::start_broadcast;

/// How many steps after the root each position gets a piece; fails where the routes do not fit together.
std::vector<int> steps_of(collective::RouteOf* route, int piece, int size) {
  std::vector<int> steps(static_cast<std::size_t>(size), -1);
  std::vector<int> reached{0};
  steps[0] = 0;
  for (std::size_t i = 0; i < reached.size(); ++i)
    for (const int to : route(piece, reached[i], size).to) {
      EXPECT_EQ(route(piece, to, size).from, reached[i]);
      EXPECT_EQ(steps[static_cast<std::size_t>(to)], -1) << "place " << to << " gets the piece twice";
      steps[static_cast<std::size_t>(to)] = steps[static_cast<std::size_t>(reached[i])] + 1;
      reached.push_back(to);
    }
  EXPECT_EQ(reached.size(), static_cast<std::size_t>(size));
  return steps;
}

int depth(collective::RouteOf* route, int size) { return std::ranges::max(steps_of(route, 0, size)); }

TEST(BroadcastRoutes, ReachEveryPositionOnceInTheStepsTheyPromise) {
  using namespace collective;
  for (int size = 1; size <= 17; ++size) {
    SCOPED_TRACE(size);
    EXPECT_EQ(depth(ring_route, size), size - 1);
    EXPECT_EQ(depth(two_ring_route, size), size / 2);
    int log2 = 0;
    while (2 << log2 <= size) ++log2;
    EXPECT_EQ(depth(binary_tree_route, size), log2);
    EXPECT_EQ(depth(direct_route, size), std::min(size - 1, 1));
    for (int piece = 0; piece + 1 < size; ++piece) {
      const auto rolled = steps_of(spread_roll_route, piece, size),
                 sent = steps_of(two_phase_route, piece, size);
      for (int position = 1; position < size; ++position) {
        const int behind_owner = (position - piece - 1 + size - 1) % (size - 1);
        EXPECT_EQ(rolled[static_cast<std::size_t>(position)], 1 + behind_owner);
        EXPECT_EQ(sent[static_cast<std::size_t>(position)], behind_owner == 0 ? 1 : 2);
      }
    }
  }
}

// Table of HPL_bcast_2ring: the second ring begins at (size + 1) / 2.
TEST(BroadcastRoutes, TheTwoRingsOfSeven) {
  EXPECT_EQ(collective::two_ring_route(0, 0, 7).to, (std::vector<int>{1, 4}));
  EXPECT_EQ(collective::two_ring_route(0, 3, 7).to, (std::vector<int>{}));
  EXPECT_EQ(collective::two_ring_route(0, 4, 7).from, 0);
  EXPECT_EQ(collective::two_ring_route(0, 5, 7).from, 4);
}

BroadcastKind kind_of(std::size_t i) { return static_cast<BroadcastKind>(i); }

Group all_of(const Rank& rank) {
  Group group{.ranks = std::vector<int>(static_cast<std::size_t>(rank.size())), .me = rank.rank()};
  std::iota(group.ranks.begin(), group.ranks.end(), 0);
  return group;
}

/// Bytes 0 .. size - 1 of a stream that depends on the number.
std::vector<std::byte> stream(std::int64_t number, std::size_t size) {
  Random random(static_cast<std::uint64_t>(number) + 1);
  std::vector<std::byte> bytes(size);
  for (std::byte& b : bytes) b = static_cast<std::byte>(random.next());
  return bytes;
}
bool holds_stream(const Body& body, std::int64_t number, std::size_t size) {
  const auto got = body.as<std::byte>();
  return std::vector<std::byte>(got.begin(), got.end()) == stream(number, size);
}

/// One to be started: what it brings follows from its number.
struct Planned {
  std::int64_t number = 0;
  int root = 0;
  BroadcastKind kind = BroadcastKind::ring;
  std::size_t size = 0;
};

std::unique_ptr<Broadcast> start(Exchange& exchange, const Group& group, const Planned& b) {
  Body body;
  if (group.me == b.root) body = Body::adopt(stream(b.number, b.size));
  return start_broadcast(exchange, group, b.root, b.kind, {.move = 1, .step = b.number}, b.size,
                         std::move(body));
}

/// Fewer in the simulator, which takes its time for every message.
std::vector<std::size_t> odd_sizes() {
  if (setup().engine == "smpi") return {0, 1001};
  return {0, 1, 8, 15, 16, 17, 100, 1001, 70000};
}

/// Every kind from every root of the group with every size, numbered from 0.
std::vector<Planned> every_one(int members) {
  std::vector<Planned> all;
  for (std::size_t k = 0; k < broadcast_kinds; ++k)
    for (int root = 0; root < members; ++root)
      for (const std::size_t size : odd_sizes())
        all.push_back({static_cast<std::int64_t>(all.size()), root, kind_of(k), size});
  return all;
}

TEST(Broadcast, EveryKindFromEveryRootOneAfterTheOther) {
  on_each_team([](Rank& rank) {
    Exchange exchange(rank, Lane::bulk);
    const Group group = all_of(rank);
    for (const Planned& b : every_one(group.size())) {
      const auto broadcast = start(exchange, group, b);
      const Body got = broadcast->finish();
      EXPECT_TRUE(broadcast->is_done());
      EXPECT_TRUE(holds_stream(got, b.number, b.size)) << "kind " << int(b.kind) << " root " << b.root;
      EXPECT_EQ(broadcast->finish().data(), got.data());
    }
    exchange.close();
    collective::barrier(rank);
  });
}

/// All at once, started in an order of each rank's own and finished in another; some handles are dropped at once.
void all_in_flight(Rank& rank, std::uint64_t seed) {
  Exchange exchange(rank, Lane::bulk, {.posted = 1 + static_cast<int>(seed % 5)});
  const Group group = all_of(rank);
  std::vector<Planned> order = every_one(group.size());
  Random random(seed * 100 + static_cast<std::uint64_t>(rank.rank()));
  for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
  std::vector<std::unique_ptr<Broadcast>> started;
  for (const Planned& b : order) {
    started.push_back(start(exchange, group, b));
    if (random.below(4) == 0) rank.poll();
  }
  for (std::size_t i = order.size(); i-- > 0;)
    EXPECT_TRUE(holds_stream(started[i]->finish(), order[i].number, order[i].size));
  exchange.close();
  collective::barrier(rank);
}

TEST(Broadcast, ManyInFlightStartedInDifferentOrders) {
  on_each_team([](Rank& rank) { all_in_flight(rank, 0); });
}

TEST(Broadcast, ManyInFlightOnAnUnkindEngine) {
  for (std::uint64_t seed = 1; seed <= 3; ++seed)
    on_each_team([&](Rank& engine) {
      CheckedRank rank(engine, {.seed = seed});
      all_in_flight(rank, seed);
    });
}

TEST(Broadcast, ManyInFlightUnderTheLongProtocol) {
  on_each_team({.eager_bytes = 50, .split_bytes = 1000, .head_bytes = 256},
               [](Rank& rank) { all_in_flight(rank, 4); });
}

// What a rank dropped still goes through it to the others.
TEST(Broadcast, ADroppedHandleStillPassesOn) {
  for (std::size_t k = 0; k < broadcast_kinds; ++k)
    on_each_team([&](Rank& rank) {
      Exchange exchange(rank, Lane::bulk);
      const Group group = all_of(rank);
      const int last = rank.size() - 1;
      auto broadcast = start(exchange, group, {.number = 1, .root = 0, .kind = kind_of(k), .size = 333});
      if (rank.rank() != last) broadcast.reset();
      if (broadcast) {
        EXPECT_TRUE(holds_stream(broadcast->finish(), 1, 333));
      }
      exchange.wait_until([&] { return exchange.awaited_messages() == 0; });
      exchange.close();
      collective::barrier(rank);
    });
}

// A group is any ranks in any order: here the even ones backwards, and the odd ones, each with the same names.
TEST(Broadcast, GroupsSideBySideDoNotMeet) {
  on_each_team([](Rank& rank) {
    Group group;
    const int parity = rank.rank() % 2;
    for (int r = 0; r < rank.size(); ++r)
      if (r % 2 == parity) group.ranks.insert(parity ? group.ranks.end() : group.ranks.begin(), r);
    group.me = static_cast<int>(std::ranges::find(group.ranks, rank.rank()) - group.ranks.begin());
    Exchange exchange(rank, Lane::bulk);
    for (Planned b : every_one(group.size())) {
      Body body;
      if (group.me == b.root) body = Body::adopt(stream(2 * b.number + parity, b.size));
      const auto broadcast =
          start_broadcast(exchange, group, b.root, b.kind, {.step = b.number}, b.size, std::move(body));
      EXPECT_TRUE(holds_stream(broadcast->finish(), 2 * b.number + parity, b.size));
    }
    exchange.close();
    collective::barrier(rank);
  });
}

TEST(Broadcast, OnSharedMemoryEveryRankHoldsTheRootsBytes) {
  if (!is_thread()) GTEST_SKIP() << "processes do not share memory";
  for (std::size_t k = 0; k < broadcast_kinds; ++k)
    on_each_team([&](Rank& rank) {
      Exchange exchange(rank, Lane::bulk);
      std::vector<double> mine(1000);
      auto address = reinterpret_cast<std::uintptr_t>(mine.data());
      const auto body = rank.rank() == 0 ? Body::adopt(std::move(mine)) : Body();
      address = collective::broadcast(rank, 0, Body::copy_of(std::span<const std::uintptr_t>(&address, 1)))
                    .as<std::uintptr_t>()[0];
      const auto broadcast = start_broadcast(exchange, all_of(rank), 0, kind_of(k), {}, 8000, body);
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(broadcast->finish().data()), address);
      exchange.close();
      collective::barrier(rank);
    });
}

TEST(Broadcast, PhantomsTravelAsSizes) {
  for (std::size_t k = 0; k < broadcast_kinds; ++k)
    on_each_team([&](Rank& rank) {
      Exchange exchange(rank, Lane::bulk);
      const Body body = rank.rank() == 0 ? Body::phantom(5000) : Body();
      const Body got = start_broadcast(exchange, all_of(rank), 0, kind_of(k), {}, 5000, body)->finish();
      EXPECT_TRUE(got.is_phantom());
      EXPECT_EQ(got.size(), 5000u);
      exchange.close();
      collective::barrier(rank);
    });
}

/// What all ranks together send for one broadcast from rank 0, and rank 0 alone.
struct Traffic {
  std::int64_t messages = 0, bytes = 0, root_messages = 0, root_bytes = 0;
};
Traffic traffic(Rank& engine, BroadcastKind kind, std::size_t size) {
  Counts counts;
  CountedRank rank(engine, counts);
  Exchange exchange(rank, Lane::bulk);
  start(exchange, all_of(rank), {.number = 1, .root = 0, .kind = kind, .size = size})->finish();
  exchange.close();
  const Counts::Traffic& sent = counts.on(Lane::bulk);
  const bool is_root = rank.rank() == 0;
  std::vector<std::int64_t> sums{sent.messages, static_cast<std::int64_t>(sent.bytes),
                                 is_root ? sent.messages : 0,
                                 is_root ? static_cast<std::int64_t>(sent.bytes) : 0};
  collective::all_reduce(engine, std::span(sums), std::plus<>());
  return {sums[0], sums[1], sums[2], sums[3]};
}

TEST(Broadcast, MessagesAndBytesAreThoseOfTheirDocumentation) {
  on_each_team([](Rank& rank) {
    const std::int64_t p = rank.size(), m = 16 * 60;  // 60 scalars: p - 1 and p - 2 equal pieces
    const std::int64_t others = p - 1;
    for (std::size_t k = 0; k < broadcast_kinds; ++k) {
      const Traffic t = traffic(rank, kind_of(k), static_cast<std::size_t>(m));
      SCOPED_TRACE(std::string(to_string(kind_of(k))) + " on " + std::to_string(p));
      EXPECT_EQ(t.bytes, others * m);  // each gets every byte once
      switch (kind_of(k)) {
        case BroadcastKind::ring:
          EXPECT_EQ(t.root_messages, std::min<std::int64_t>(1, others));
          break;
        case BroadcastKind::modified_ring:
        case BroadcastKind::two_ring:
        case BroadcastKind::binary_tree:
          EXPECT_EQ(t.root_messages, std::min<std::int64_t>(2, others));
          break;
        case BroadcastKind::two_ring_modified:
          EXPECT_EQ(t.root_messages, std::min<std::int64_t>(3, others));
          break;
        case BroadcastKind::spread_roll:
        case BroadcastKind::two_phase:
          EXPECT_EQ(t.root_bytes, others > 0 ? m : 0);
          EXPECT_EQ(t.messages, others * others);
          break;
        case BroadcastKind::direct:
          EXPECT_EQ(t.root_messages, others);
          EXPECT_EQ(t.messages, others);
          break;
        case BroadcastKind::modified_spread_roll:
          EXPECT_EQ(t.root_bytes, std::min<std::int64_t>(2, others) * m);
          EXPECT_EQ(t.messages, others == 0 ? 0 : 1 + (others - 1) * (others - 1));
          break;
      }
    }
  });
}

TEST(Broadcast, ADifferentSizeOnOneRankIsNamed) {
  each_team({}, [](Team& team) {
    if (team.size() == 1) return;
    for (std::size_t k = 0; k < broadcast_kinds; ++k) {
      try {
        team.run([&](Rank& rank) {
          Exchange exchange(rank, Lane::bulk);
          const bool is_root = rank.rank() == 0;
          const Body body = is_root ? Body::adopt(stream(1, 64)) : Body();
          start_broadcast(exchange, all_of(rank), 0, kind_of(k), {}, is_root ? 64 : 1000, body)->finish();
          collective::barrier(rank);
        });
        ADD_FAILURE() << "nobody saw it";
      } catch (const Error& e) {
        EXPECT_EQ(e.status(), Status::internal);
      }
    }
  });
}

}  // namespace
}  // namespace overlapack::comm::conformance
