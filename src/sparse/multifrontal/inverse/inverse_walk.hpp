#pragma once
#include "sparse/multifrontal/factors/read_factors.hpp"
#include "sparse/multifrontal/inverse/inverse_front.hpp"
#include "sparse/multifrontal/inverse/wanted_entries.hpp"
#include "sparse/multifrontal/message/vector_message.hpp"

#include <unordered_map>
#include <vector>

namespace overlapack::sparse::multifrontal {

/// Computes Z = B^{-1} at the rows and columns of fronts, down the tree, for the fronts with wanted entries
/// in their subtrees. A front's Z stays in memory until its last needed child has taken the rows and columns
/// that the two share.
template <class T>
class InverseWalk : public dist::TaskEvents {
 public:
  /// value: of each wanted entry, zeroed
  InverseWalk(comm::Rank& rank, FactorState<T>& state, const WantedEntries& wanted, std::span<T> value);

  void run_all();
  bool run(Index task) override;
  void on_task_message(Index, comm::Message message) override {
    parked_[front_of(message)] = std::move(message.body);
  }

 private:
  /// Z of a front of this rank, and the number of children that still need it.
  struct Held {
    HeldBlock block;
    Index children = 0;
  };

  void sort_entries();
  void set_read_order_of_file();
  void read_factors_of(Index task);
  void compute(Index f);
  void take_from_parent(const Front<T>& front, MatrixView<T> Zoo);
  void copy_shared(Index parent, std::span<const std::int32_t> unknowns,
                   std::span<const std::int32_t> equations, const std::int32_t* border, Index borders,
                   MatrixView<T> to);
  void name_positions(const Front<T>& front);
  void read_wanted_entries(Index f, MatrixView<const T> Z);
  void release_parent_block(Index f);
  void send_to_children(Index f);
  bool is_needed(Index f) const { return wanted_.is_needed[static_cast<std::size_t>(f)] != 0; }
  MatrixView<T> inverse_of(const Front<T>& front) {
    const Index order = front.order();
    return {held_.at(front.number).block.template as<T>(), order, order, padded_ld(order)};
  }

  comm::Rank& rank_;
  FactorState<T>& state_;
  const Structure& structure_;
  const WantedEntries& wanted_;
  std::span<T> value_;
  FrontInverter<T> inverter_;
  std::vector<Index> entry_start_, entry_;  ///< front of this rank -> the wanted entries that it holds
  std::unordered_map<Index, Held> held_;
  std::unordered_map<Index, comm::Body> parked_;
  Index named_ = -1;  ///< the front to which the two lists of positions belong
  std::vector<std::int32_t> position_of_unknown_, position_of_equation_;
  std::vector<std::int32_t> at_unknown_, at_equation_;
  dist::TreeWalk walk_;
};

}  // namespace overlapack::sparse::multifrontal
