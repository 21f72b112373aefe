#pragma once
#include "sparse/multifrontal/factorize/front_kind.hpp"
#include "sparse/multifrontal/factorize/root_positions.hpp"

#include <vector>

namespace overlapack::sparse::multifrontal {

/// The root that all ranks factorise together. Its order is known when all of its children are eliminated: then its owner
/// describes it to all ranks, and what the children leave travels straight to its positions on the grid. The dense
/// factorisation begins after the walk over the tree. Messages and their order: docs/multifrontal-protocol.md.
/// Source  paper 1, section 2 (type 3 node)
template <class T>
class GridRoot final : public FrontKind<T> {
 public:
  /// replacement: PivotTest::replacement
  GridRoot(const FrontContext<T>& here, Real<T> replacement);

  void add_waits_of_front(Index root) override;
  /// On the root's owner: assembles the names, and describes the root to all ranks.
  bool start(Index task) override;
  void send_contribution_when_final(Index) override {}  // it has no parent
  bool has_positions_for(Index) const override { return is_described_; }
  void send_rows(const Piece<T>& rows) override;
  void on_message(comm::Message message) override;

  /// After the walk: factorise, check the pivots.
  /// Sync    collective over all ranks
  /// Errors  as a root on one rank: Singular, BadInput from Cholesky; Cancelled
  void factorize();

 private:
  /// A child of the root, and the pieces of it that came to this rank.
  struct Child {
    Index front = -1;
    Index delayed = 0;
    RootPositions positions;
    Index entries_left = 0;           ///< on their way to this rank
    std::vector<HeldMessage> pieces;  ///< not yet added
  };
  /// Some rows and columns of a child's matrix, delayed variables first.
  struct Part {
    Index first_row = 0, first_col = 0;
    Index rows = 0, cols = 0;
    MatrixView<const T> values;
    bool is_transposed = false;  ///< values holds the columns as rows
  };

  /// delayed[i]: pivots that the i-th child delayed
  void send_description(const Front<T>& front, const std::vector<Index>& delayed);
  /// Do pieces bring the lower triangle alone?
  bool is_lower() const { return here_.structure.is_symmetric(); }
  Child& child(Index front);
  Index entries_of(const Child& child) const;
  void prepare(const comm::Message& description);
  void send_delayed(Index front);
  void send_part(const Child& child, const Part& part);
  void store(HeldMessage piece);
  void add_received_pieces_in_order();
  void add(Child& child, const comm::Message& message);
  void check(const std::vector<double>& sizes);
  /// Too small for a pivot?
  bool is_replaced(double size) const { return size == 0 || size < replacement_; }
  std::vector<Real<T>> check_sizes(const Front<T>& front, const std::vector<double>& sizes);
  void count(const Front<T>& front);

  const FrontContext<T> here_;
  Real<T> replacement_;
  double flops_of_rank_;  ///< predicted, of this rank's part
  bool is_described_ = false, has_job_ = false;
  Ledger::Entry entry_;             ///< of this rank's part of the root
  std::vector<HeldMessage> early_;  ///< pieces that came before the description
  std::vector<Child> children_;     ///< in the order of their numbers
  std::size_t next_child_ = 0;      ///< the first child of which pieces are missing
};

}  // namespace overlapack::sparse::multifrontal
