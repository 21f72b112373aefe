#pragma once
#include "comm/rank.hpp"
#include "sparse/multifrontal/front/ledger.hpp"
#include "sparse/multifrontal/front/low_rank_blocks.hpp"
#include "sparse/multifrontal/front/low_rank_factors.hpp"
#include "sparse/multifrontal/front/low_rank_tally.hpp"

#include <vector>

/// From the blocks of a panel in full to what is kept of them: products of low rank, or copies.
namespace overlapack::sparse::multifrontal {

/// A block of a panel before and after compression: where its numbers stand, and the outcome.
template <class T>
struct Candidate {
  Index top = 0;
  MatrixView<const T> numbers;
  bool is_beside = false;      ///< beside the pivots (L of LU), else below them
  bool is_transposed = false;  ///< rows of the block are columns of `numbers`
  double limit = 0;            ///< largest error of the block (Frobenius)
  bool is_tried = false;       ///< compression is tried; else the block stays full
  Attempt<T> made = {};

  Index rows() const { return is_transposed ? numbers.cols : numbers.rows; }
  Index cols() const { return is_transposed ? numbers.rows : numbers.cols; }
  void copy_to(MatrixView<T> to) const {
    for (Index j = 0; j < to.cols; ++j)
      for (Index i = 0; i < to.rows; ++i) to(i, j) = is_transposed ? numbers(j, i) : numbers(i, j);
  }
};

/// Tries to compress the candidates with is_tried, and counts all of them. Returns false if some were tried
/// and none is of low rank.
/// Shapes  all candidates have the same number of columns
/// omega: random signs of kernels::compress, grows to what is needed
template <class T>
bool compress_candidates(comm::Rank* helpers, const LowRankPlan& plan, std::vector<Candidate<T>>& all,
                         std::vector<T>& omega, LowRankTally& tally);

/// Room for `count` values in the arena of factors, uninitialised. The peak is updated before anything is
/// written.
template <class T>
T* room_among_factors(Ledger& ledger, Index count) {
  T* const values = ledger.factors.unset<T>(static_cast<std::size_t>(count));
  ledger.update_peak();
  return values;
}

/// Stores what is kept of a candidate in the arena of factors.
template <class T>
LowRankBlock<T> store_compressed(const Candidate<T>& of, Ledger& ledger);

}  // namespace overlapack::sparse::multifrontal
