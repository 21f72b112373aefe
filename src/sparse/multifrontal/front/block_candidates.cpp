#include "sparse/multifrontal/front/block_candidates.hpp"

#include "base/instantiate.hpp"

#include <algorithm>

namespace overlapack::sparse::multifrontal {

namespace {

template <class T>
void try_candidate(Candidate<T>& candidate, const LowRankPlan& plan, const std::vector<T>& omega) {
  const Index m = candidate.rows(), n = candidate.cols();
  candidate.made.shape = {m, n};
  if (!candidate.is_tried) return;
  std::vector<T> copy(static_cast<std::size_t>(m * n));
  const MatrixView<T> B{copy.data(), m, n, std::max<Index>(m, 1)};
  candidate.copy_to(B);
  candidate.made = try_to_compress(B, candidate.limit, plan, omega);
}

}  // namespace

template <class T>
bool compress_candidates(comm::Rank* helpers, const LowRankPlan& plan, std::vector<Candidate<T>>& all,
                         std::vector<T>& omega, LowRankTally& tally) {
  if (all.empty()) return true;
  const Index pivots = all.front().cols();
  Index rows = 0;
  for (const Candidate<T>& candidate : all) {
    grow_signs(omega, pivots * most_rank(candidate.rows(), pivots, plan.worth));
    rows += candidate.rows();
  }
  const double expected = kernels::compress_cost<T>(1, pivots, pivots / 4).flops * static_cast<double>(rows);
  in_slices(helpers, {"compress", expected, 0, rows, pivots}, all.size(),
            [&](std::size_t i) { try_candidate(all[i], plan, omega); });
  bool has_tried = false, has_won = false;
  for (const Candidate<T>& candidate : all) {
    has_tried = has_tried || candidate.is_tried;
    has_won = has_won || candidate.made.is_product();
    tally.count(candidate.made);
  }
  return has_won || !has_tried;
}

template <class T>
LowRankBlock<T> store_compressed(const Candidate<T>& of, Ledger& ledger) {
  if (of.made.is_product()) {
    auto* const stored = room_among_factors<std::byte>(ledger, static_cast<Index>(of.made.stored.size()));
    std::ranges::copy(of.made.stored, stored);
    return {of.top, kernels::stored_block<T>(stored, of.made.shape)};
  }
  const Index rows = of.rows(), cols = of.cols();
  const MatrixView<T> all{room_among_factors<T>(ledger, rows * cols), rows, cols, std::max<Index>(rows, 1)};
  of.copy_to(all);
  return {of.top, kernels::full_block<T>(all)};
}

#define OVERLAPACK_INSTANTIATE(T)                                                                \
  template bool compress_candidates(comm::Rank*, const LowRankPlan&, std::vector<Candidate<T>>&, \
                                    std::vector<T>&, LowRankTally&);                             \
  template LowRankBlock<T> store_compressed(const Candidate<T>&, Ledger&);
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::sparse::multifrontal
