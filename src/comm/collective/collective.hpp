#pragma once
#include "base/shared_list.hpp"
#include "comm/rank.hpp"
#include "comm/receive.hpp"

#include <algorithm>
#include <cstring>
#include <functional>
#include <memory>
#include <span>
#include <type_traits>
#include <vector>

/// Collectives on messages of the lane `collective`, so that abort, watchdog and polling work inside them and
/// so that they run on every engine. Every rank of the team calls the same ones in the same order; since
/// messages of a pair stay in order and each receive names its source, two collectives in a row cannot mix.
namespace overlapack::comm::collective {

/// Barrier: no rank returns before all ranks have entered.
/// Cost    ceil(log2 p) rounds of one empty message each
/// Source  dissemination barrier (Hensgen, Finkel, Manber 1988)
void barrier(Rank& rank);

/// Returns the root's body on every rank; forwarded down a binary tree.
/// Cost    at most 2 messages sent and 1 received a rank, depth log2 p; on the thread engine no copy
Body broadcast(Rank& rank, int root, Body body);

/// The same for one value.
template <class T>
T broadcast(Rank& rank, int root, const T& value) {
  static_assert(std::is_trivially_copyable_v<T>);
  const Body body =
      broadcast(rank, root, rank.rank() == root ? Body::copy_of(std::span<const T>(&value, 1)) : Body());
  T received;
  std::memcpy(&received, body.data(), sizeof(T));
  return received;
}

/// Returns the root's list on every rank; ranks of the root's process share its memory.
template <class T>
SharedList<T> broadcast(Rank& rank, int root, const SharedList<T>& list) {
  if (rank.rank() == root) {
    broadcast(rank, root, Body(list.owner(), list.data(), list.size() * sizeof(T)));
    return list;
  }
  const auto body = std::make_shared<const Body>(broadcast(rank, root, Body()));
  return SharedList<T>(body, body->template as<T>());
}

/// Returns the bodies of all ranks at the root, by rank; an empty vector elsewhere.
/// Cost    p - 1 messages into the root
std::vector<Body> gather(Rank& rank, int root, Body mine);

/// Returns bodies[i] of the root on rank i; the others pass an empty vector.
/// Cost    p - 1 messages out of the root
/// Errors  BadInput when the root does not pass p bodies
Body scatter(Rank& rank, int root, std::vector<Body> bodies);

/// Sends bodies[i] to rank i; returns the received bodies, by source rank.
/// Cost    p - 1 messages out of and into each rank
/// Errors  BadInput when a rank does not pass p bodies
std::vector<Body> all_to_all(Rank& rank, std::vector<Body> bodies);

/// Neighbours in the binary tree over the ranks whose root is `root`; -1 where there is none.
struct TreePosition {
  int parent = -1;
  int left = -1;
  int right = -1;
};
TreePosition tree_position(int rank, int size, int root);

/// x on the root <- op over all ranks, entry by entry: own x, then the left subtree's, then the right one's, so that rounding
/// depends on p only. x of the others is overwritten.
/// Shapes  x: the same length everywhere
/// Cost    depth log2 p, one message sent and at most 2 received a rank
template <class T, class Op>
void reduce(Rank& rank, int root, std::span<T> x, Op op) {
  static_assert(std::is_trivially_copyable_v<T>);
  const TreePosition position = tree_position(rank.rank(), rank.size(), root);
  for (const int child : {position.left, position.right}) {
    if (child < 0) continue;
    const Message part = receive(rank, Lane::collective, child);
    if (part.body.size() != x.size_bytes())
      throw Error(Status::internal, "the ranks passed vectors of different length");
    std::ranges::transform(x, part.body.as<T>(), x.begin(), op);
  }
  if (position.parent >= 0)
    rank.start_send(Lane::collective, position.parent, {}, Body::copy_of(std::span<const T>(x)));
}

/// The same on every rank: a reduction to rank 0, then a broadcast.
template <class T, class Op>
void all_reduce(Rank& rank, std::span<T> x, Op op) {
  reduce(rank, 0, x, op);
  const Body result = broadcast(rank, 0, rank.rank() == 0 ? Body::copy_of(std::span<const T>(x)) : Body());
  std::ranges::copy(result.as<T>(), x.begin());
}

/// One value, for example all_reduce(rank, my_norm, std::plus<>()).
template <class T, class Op>
requires std::is_arithmetic_v<T> T all_reduce(Rank& rank, T x, Op op) {
  all_reduce(rank, std::span<T>(&x, 1), op);
  return x;
}

}  // namespace overlapack::comm::collective
