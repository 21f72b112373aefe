#pragma once
#include "base/block_pool.hpp"
#include "dist/tree/tree_walk.hpp"
#include "sparse/multifrontal/assemble.hpp"
#include "sparse/multifrontal/entries.hpp"
#include "sparse/multifrontal/pivot_check.hpp"
#include "sparse/multifrontal/root_places.hpp"
#include "sparse/multifrontal/state.hpp"

#include <functional>
#include <vector>

namespace overlapack::sparse {

/// The root that all ranks factorise together. Its order is known when all of its children are eliminated: then its owner
/// describes it to all ranks, and what the children leave travels straight to its places on the grid. The dense
/// factorisation begins after the walk over the tree. Messages and their order: docs/multifrontal-protocol.md.
/// Source  paper 1, section 2 (type 3 node)
template <class T>
class GridRoot {
 public:
  GridRoot(FactorState<T>& state, const EntryStore<T>& entries, const MultifrontalPlan& plan,
           dist::TreeWalk& walk, BlockPool& pool);

  /// At its owner: the names of `front` are assembled, delayed[i] is what its i-th child delayed. All ranks hear of it.
  void describe(const Front<T>& front, const std::vector<Index>& delayed);
  void received(comm::Message message);
  /// Is the order known here?
  bool is_described() const { return is_described_; }
  /// Call this once it is.
  void when_described(std::function<void()> then) { then_ = std::move(then); }
  /// Rows of a child that is distributed, from their strip.
  void send_rows(const Piece<T>& rows);

  /// After the walk: factorise, check the pivots.
  /// Sync    collective over all ranks
  /// Errors  as a root on one rank: Singular, BadInput from Cholesky
  void factorize(std::function<void(double)> on_progress, PivotCheck<T>& check);

 private:
  /// One child, and what came of it.
  struct Child {
    Index front = -1;
    Index delayed = 0;
    RootPlaces places;
    Index entries_left = 0;             ///< on their way to me
    std::vector<comm::Message> pieces;  ///< not yet added
  };
  /// Some rows and columns of a child's matrix, delayed variables first.
  struct Part {
    Index first_row = 0, first_col = 0;
    Index rows = 0, cols = 0;
    MatrixView<const T> values;
    bool is_transposed = false;  ///< values holds the columns as rows
  };

  bool is_lower() const { return structure_.is_symmetric(); }
  Child& child(Index front);
  Index entries_of(const Child& child) const;
  void prepare(const comm::Message& description);
  void send_child(Index front);
  void send_part(const Child& child, const Part& part);
  void store(comm::Message piece);
  void add_pieces();
  void add(Child& child, const comm::Message& piece);
  void check_pivots(const Front<T>& front, std::vector<double> sizes, PivotCheck<T>& check);
  void count(const Front<T>& front);

  comm::Rank& rank_;
  FactorState<T>& state_;
  const Structure& structure_;
  const EntryStore<T>& entries_;
  const MultifrontalPlan& plan_;
  dist::TreeWalk& walk_;
  BlockPool& pool_;
  bool is_described_ = false, has_job_ = false;
  std::function<void()> then_ = [] {};
  std::vector<comm::Message> early_;  ///< pieces that came before the description
  std::vector<Child> children_;       ///< in the order of their numbers
  std::size_t next_child_ = 0;        ///< the first of which pieces are missing
};

}  // namespace overlapack::sparse
