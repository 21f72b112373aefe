#pragma once
#include "comm/collective/broadcast/rearranged.hpp"
#include "comm/collective/keyed_sum.hpp"
#include "dist/moves/butterfly.hpp"
#include "dist/moves/messages/direct_interchange.hpp"
#include "dist/moves/messages/message_plan.hpp"
#include "dist/moves/messages/pivot_search.hpp"
#include "dist/moves/messages/redistribute.hpp"
#include "dist/moves/messages/shared_interchange.hpp"
#include "dist/moves/row_pair.hpp"

#include <utility>

namespace overlapack::dist {

/// The moves by keyed messages (comm::Exchange), which every poll receives and forwards. Moves under way may outlive this object,
/// but not the exchange.
template <class T>
class MessageMoves final : public Moves<T> {
 public:
  using typename Moves<T>::Group;
  using Key = comm::Key;

  MessageMoves(comm::Exchange& exchange, const MessagePlan& plan)
      : Moves<T>(exchange.rank(), Discipline::messages), exchange_(exchange), plan_(plan) {}

  std::unique_ptr<comm::collective::Broadcast> start_broadcast(const Group& group, int root, const Key& key,
                                                               std::size_t bytes, comm::Body body) override {
    return comm::collective::start_broadcast(exchange_, group, root, plan_.broadcast, key, bytes,
                                             std::move(body));
  }
  void sum_to_root(const Group& group, int root, const Key& key, std::vector<T>& x) override {
    comm::collective::reduce_sum_to_root(exchange_, group, root, key, x);
  }
  void find_pivot(const Group& column, int, const Key& key, PivotCandidate<T>& best) override {
    dist::find_pivot(exchange_, column, key, best);
  }
  void reduce_to_best_pivot(const Group& column, const Key& key, PivotRow<T>& best) override {
    dist::reduce_to_best_pivot(exchange_, column, key, best);
  }
  comm::Body all_reduce(const Group& group, const Key& key, comm::Body mine,
                        typename Moves<T>::Merge merge) override {
    const auto rank_of = [&](int position) { return group.ranks[static_cast<std::size_t>(position)]; };
    Key name = key;
    return Butterfly(group.size())
        .run(group.me, std::move(mine), merge, [&](int round, int to, int from, const comm::Body& body) {
          name.piece = round;
          if (to >= 0) exchange_.send(rank_of(to), name, body);
          return from >= 0 ? exchange_.receive(rank_of(from), name).body : comm::Body();
        });
  }
  void charge_pivot_search(const Group& column, const Key& key, Index columns, std::size_t bytes) override {
    dist::charge_pivot_search(exchange_, column, key, columns, bytes);
  }
  std::unique_ptr<RowInterchange<T>> start_interchange(const MovedRows<T>& rows, const Key& key) override {
    if (plan_.swap == SwapKind::pairwise) return std::make_unique<PairwiseInterchange<T>>(*this, rows, key);
    if (plan_.swap == SwapKind::direct || rows.A.grid->rows() == 1)
      return start_direct_interchange(rows, {}, key);
    return std::make_unique<SharedInterchange<T>>(exchange_, rows, plan_.swap_of(rows.end - rows.begin), key);
  }
  std::unique_ptr<RowInterchange<T>> start_direct_interchange(const MovedRows<T>& rows, MatrixView<T> also,
                                                              const Key& key) override {
    return std::make_unique<DirectInterchange<T>>(exchange_, rows, also, key);
  }
  void redistribute(const DistributedMatrix<T>& A, const DistributedMatrix<T>& B, const Key& key) override {
    dist::redistribute(exchange_, A, B, key);
  }

  /// A broadcast in phases, which only this discipline has: comm::collective::RearrangedBroadcast.
  auto rearranged_broadcast(const Group& group, int root, const Key& key, std::vector<std::size_t> part_bytes,
                            std::vector<comm::Body> parts) {
    return std::make_unique<comm::collective::RearrangedBroadcast>(
        exchange_, group, root, plan_.broadcast, key, std::move(part_bytes), std::move(parts));
  }

 private:
  comm::Exchange& exchange_;
  MessagePlan plan_;
};

}  // namespace overlapack::dist
