#pragma once
#include "comm/rank.hpp"
#include "sparse/multifrontal/front/ledger.hpp"
#include "sparse/multifrontal/front/low_rank_blocks.hpp"
#include "sparse/multifrontal/front/low_rank_factors.hpp"
#include "sparse/multifrontal/front/low_rank_tally.hpp"

#include <vector>

/// Blocks of a panel on their way from full numbers to what is kept of them.
namespace overlapack::sparse::multifrontal {

/// A block that is to be: where its numbers stand, and what became of them.
template <class T>
struct Candidate {
  Index top = 0;
  MatrixView<const T> numbers;
  bool is_beside = false;      ///< the pivots, else below them
  bool is_transposed = false;  ///< the numbers stand as columns
  double limit = 0;            ///< error of the block (Frobenius)
  bool is_tried = false;
  Attempt<T> made = {};

  Index rows() const { return is_transposed ? numbers.cols : numbers.rows; }
  Index cols() const { return is_transposed ? numbers.rows : numbers.cols; }
  void copy_to(MatrixView<T> to) const {
    for (Index j = 0; j < to.cols; ++j)
      for (Index i = 0; i < to.rows; ++i) to(i, j) = is_transposed ? numbers(j, i) : numbers(i, j);
  }
};

/// Tries those candidates that are to be tried, and counts all. False: some were, and none of them is of low rank.
/// Shapes  all of as many columns
/// omega: as of compress, grows to what is needed
template <class T>
bool compress_candidates(comm::Rank* helpers, const LowRankPlan& plan, std::vector<Candidate<T>>& all,
                         std::vector<T>& omega, LowRankTally& tally);

/// Room among the factors, noted before it is written to; not set.
template <class T>
T* room_among_factors(Ledger& ledger, Index count) {
  T* const values = ledger.factors.unset<T>(static_cast<std::size_t>(count));
  ledger.update_peak();
  return values;
}

/// What is left of a candidate, in the arena, where it stays.
template <class T>
LowRankBlock<T> store_compressed(const Candidate<T>& of, Ledger& ledger);

}  // namespace overlapack::sparse::multifrontal
