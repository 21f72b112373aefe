#include "sparse/factors/entry_store.hpp"

#include "sparse/multifrontal/problems.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <tuple>
#include <utility>

/// Entries of B at the ranks of their slots, whatever a slot is: here the square blocks of a checkerboard.
namespace overlapack::sparse::testing {
namespace {

using comm::conformance::each_team;
using Entry = std::tuple<Index, Index, double>;

/// B in blocks of order `block`, numbered by rows; block k on rank k mod p.
class Checkerboard final : public EntrySlots {
 public:
  Checkerboard(Index order, Index block, bool is_symmetric, int ranks)
      : order_(order), block_(block), across_((order + block - 1) / block), is_symmetric_(is_symmetric) {
    for (Index k = 0; k < across_ * across_; ++k) owners_.push_back(static_cast<int>(k % ranks));
  }
  Index order() const override { return order_; }
  bool is_symmetric() const override { return is_symmetric_; }
  const std::vector<int>& owners() const override { return owners_; }
  void find(std::span<const std::int32_t> row, std::int32_t column, std::int32_t* slot) const override {
    for (const std::int32_t i : row) *slot++ = static_cast<std::int32_t>(slot_of(i, column));
  }
  Index slot_of(Index i, Index j) const {
    return is_symmetric_ && i < j ? -1 : i / block_ * across_ + j / block_;
  }

 private:
  Index order_, block_, across_;
  bool is_symmetric_;
  std::vector<int> owners_;
};

std::vector<Index> shuffled(Index n, std::uint64_t seed) {
  Random random(seed);
  std::vector<Index> order(static_cast<std::size_t>(n));
  std::iota(order.begin(), order.end(), Index{0});
  for (std::size_t k = order.size(); k > 1; --k) std::swap(order[k - 1], order[random.below(k)]);
  return order;
}

/// Permutations and scales by powers of two, the same for rows and columns where B stays symmetric.
Analysis some_analysis(Index n, bool is_symmetric) {
  Analysis analysis;
  analysis.row_perm = shuffled(n, 3);
  analysis.col_perm = is_symmetric ? analysis.row_perm : shuffled(n, 4);
  for (Index i = 0; i < n; ++i) {
    analysis.row_scale.push_back(static_cast<double>(Index{1} << i % 4));
    analysis.col_scale.push_back(is_symmetric ? analysis.row_scale.back()
                                              : 1.0 / static_cast<double>(Index{1} << i % 3));
  }
  return analysis;
}

/// The entries of a slot as the formula has them: B(i, j) = row_scale[r] A(r, c) col_scale[c].
std::vector<Entry> expected(const SparseMatrix<double>& A, const Analysis& analysis,
                            const Checkerboard& slots, Index slot) {
  std::vector<Index> row(static_cast<std::size_t>(A.rows)), column(row.size());
  for (Index k = 0; k < A.rows; ++k) {
    row[static_cast<std::size_t>(analysis.row_perm[static_cast<std::size_t>(k)])] = k;
    column[static_cast<std::size_t>(analysis.col_perm[static_cast<std::size_t>(k)])] = k;
  }
  std::vector<Entry> entries;
  for (Index c = 0; c < A.cols; ++c)
    for (Index p = A.start[c]; p < A.start[c + 1]; ++p) {
      const Index r = A.row[p], i = row[static_cast<std::size_t>(r)], j = column[static_cast<std::size_t>(c)];
      if (slots.slot_of(i, j) == slot)
        entries.emplace_back(i, j, analysis.row_scale[r] * A.value[p] * analysis.col_scale[c]);
    }
  std::ranges::sort(entries);
  return entries;
}

void expect_entries(comm::Rank& rank, const EntryStore<double>& store, const SparseMatrix<double>& A,
                    const Analysis& analysis, const Checkerboard& slots) {
  Index mine = 0;
  for (Index slot = 0; slot < static_cast<Index>(slots.owners().size()); ++slot) {
    if (slots.owners()[static_cast<std::size_t>(slot)] != rank.rank()) continue;
    const EntryList<double> list = store.of_slot(mine++);
    std::vector<Entry> entries;
    for (std::size_t k = 0; k < list.value.size(); ++k)
      entries.emplace_back(list.row[k], list.col[k], list.value[k]);
    std::ranges::sort(entries);
    EXPECT_EQ(entries, expected(A, analysis, slots, slot)) << "slot " << slot;
  }
}

TEST(Entries, AreAtTheRanksOfTheirSlots) {
  for (const Index n : {1, 2, 7, 40})
    for (const bool is_symmetric : {false, true})
      for (const bool is_distributed : {false, true}) {
        const auto symmetry = is_symmetric ? Symmetry::symmetric : Symmetry::general;
        const auto A = random_matrix<double>(n, 3, symmetry, false, 11);
        auto other = A;  // of the same pattern
        for (double& v : other.value) v *= 0.75;
        const Analysis analysis = some_analysis(n, is_symmetric);
        SCOPED_TRACE(std::to_string(n) + (is_symmetric ? " symmetric" : "") +
                     (is_distributed ? " distributed" : ""));
        each_team({}, [&](comm::Team& team) {
          team.run([&](comm::Rank& rank) {
            const Checkerboard slots(n, 6, is_symmetric, rank.size());
            EntryStore<double> store;
            for (const SparseMatrix<double>* matrix :
                 {&A, &std::as_const(other), &A}) {  // searched once, then at known places
              if (is_distributed) {
                const RowSlab<double> slab = slab_of(rank, *matrix);
                store.distribute(rank, slots, rank.rank() == 0 ? &analysis : nullptr, slab, true);
              } else {
                const bool is_root = rank.rank() == 0;
                store.distribute(rank, slots, is_root ? &analysis : nullptr, is_root ? matrix : nullptr,
                                 true);
              }
              expect_entries(rank, store, *matrix, analysis, slots);
            }
          });
        });
      }
}

}  // namespace
}  // namespace overlapack::sparse::testing
