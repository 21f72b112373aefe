#include "comm/collective/collective.hpp"

#include "comm/receive.hpp"

#include <deque>

namespace overlapack::comm::collective {

namespace {

/// Most sends of one rank under way at a time. The limit bounds the requests that the engine tests in each poll, and the messages that
/// a receiver must store because they arrive before their receive.
constexpr int most_under_way = 64;

}  // namespace

void barrier(Rank& rank) {
  const int p = rank.size();
  for (int distance = 1; distance < p; distance *= 2) {
    rank.start_send(Lane::collective, (rank.rank() + distance) % p, {}, {});
    receive(rank, Lane::collective, (rank.rank() - distance + p) % p);
  }
}

TreePosition tree_position(int rank, int size, int root) {
  // node i of the tree is rank (root + i) mod p; its children are the nodes 2 i + 1 and 2 i + 2
  const int node = (rank - root + size) % size;
  const auto rank_of = [&](int i) { return i < size ? (i + root) % size : -1; };
  return {.parent = node == 0 ? -1 : rank_of((node - 1) / 2),
          .left = rank_of(2 * node + 1),
          .right = rank_of(2 * node + 2)};
}

Body broadcast(Rank& rank, int root, Body body) {
  const TreePosition position = tree_position(rank.rank(), rank.size(), root);
  if (position.parent >= 0) body = receive(rank, Lane::collective, position.parent).body;
  for (const int child : {position.left, position.right})
    if (child >= 0) rank.start_send(Lane::collective, child, {}, body);
  return body;
}

std::vector<Body> gather(Rank& rank, int root, Body mine) {
  if (rank.rank() != root) {
    rank.start_send(Lane::collective, root, {}, std::move(mine));
    return {};
  }
  std::vector<Body> all(static_cast<std::size_t>(rank.size()));
  for (int i = 0; i < rank.size(); ++i)
    all[static_cast<std::size_t>(i)] = i == root ? mine : receive(rank, Lane::collective, i).body;
  return all;
}

Body scatter(Rank& rank, int root, std::vector<Body> bodies) {
  if (rank.rank() != root) return receive(rank, Lane::collective, root).body;
  if (bodies.size() != static_cast<std::size_t>(rank.size()))
    throw Error(Status::bad_input, "the root must pass one body for each rank");
  std::deque<Send> under_way;
  for (int i = 0; i < rank.size(); ++i) {
    if (i == root) continue;
    under_way.push_back(
        rank.start_send(Lane::collective, i, {}, std::move(bodies[static_cast<std::size_t>(i)])));
    if (static_cast<int>(under_way.size()) <= most_under_way) continue;
    wait(rank, under_way.front());
    under_way.pop_front();
  }
  return std::move(bodies[static_cast<std::size_t>(root)]);
}

std::vector<Body> all_to_all(Rank& rank, std::vector<Body> bodies) {
  const int p = rank.size(), me = rank.rank();
  if (bodies.size() != static_cast<std::size_t>(p))
    throw Error(Status::bad_input, "each rank must pass one body for each rank");
  std::vector<Body> received(bodies.size());
  received[static_cast<std::size_t>(me)] = std::move(bodies[static_cast<std::size_t>(me)]);
  for (int i = 1; i < p + most_under_way; ++i) {
    if (i < p) {
      const auto to = static_cast<std::size_t>((me + i) % p);
      rank.start_send(Lane::collective, static_cast<int>(to), {}, std::move(bodies[to]));
    }
    const int behind = i - most_under_way;
    if (behind < 1 || behind >= p) continue;
    const auto from = static_cast<std::size_t>((me + p - behind) % p);
    received[from] = receive(rank, Lane::collective, static_cast<int>(from)).body;
  }
  return received;
}

}  // namespace overlapack::comm::collective
