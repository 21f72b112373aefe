#include "sparse/batch/pattern_lu.hpp"

#include "base/instantiate.hpp"

#include <algorithm>
#include <complex>
#include <queue>

namespace overlapack::sparse::batch {
namespace {

/// Symbolic factorisation: the columns of L and U so far, to which add_column adds the next one.
class Fill {
 public:
  explicit Fill(PatternLu& lu) : lu_(lu), seen_by_(static_cast<std::size_t>(lu.n), -1) {}

  /// Column j has the rows of B's column j, and for each of its rows k < j also the rows of L's column k. The
  /// queue visits these k in ascending order.
  void add_column(std::int32_t j, std::vector<std::int32_t> rows) {
    for (const std::int32_t i : rows) seen_by_[static_cast<std::size_t>(i)] = j;
    std::priority_queue<std::int32_t, std::vector<std::int32_t>, std::greater<>> above;
    for (const std::int32_t i : rows)
      if (i < j) above.push(i);
    std::vector<std::int32_t> below;
    for (const std::int32_t i : rows)
      if (i > j) below.push_back(i);
    for (; !above.empty(); above.pop()) {
      const std::int32_t k = above.top();
      lu_.upper_row.push_back(k);
      for (std::int32_t p = lu_.lower_start[static_cast<std::size_t>(k)];
           p < lu_.lower_start[static_cast<std::size_t>(k) + 1]; ++p) {
        const std::int32_t i = lu_.lower_row[static_cast<std::size_t>(p)];
        if (std::exchange(seen_by_[static_cast<std::size_t>(i)], j) == j) continue;
        if (i < j)
          above.push(i);
        else if (i > j)
          below.push_back(i);
      }
    }
    std::ranges::sort(below);
    lu_.lower_row.insert(lu_.lower_row.end(), below.begin(), below.end());
    lu_.lower_start.push_back(static_cast<std::int32_t>(lu_.lower_row.size()));
    lu_.upper_start.push_back(static_cast<std::int32_t>(lu_.upper_row.size()));
  }

 private:
  PatternLu& lu_;
  std::vector<std::int32_t> seen_by_;
};

}  // namespace

double PatternLu::products() const {
  double sum = 0;
  const auto below = [&](std::int32_t k) {
    return lower_start[static_cast<std::size_t>(k) + 1] - lower_start[static_cast<std::size_t>(k)];
  };
  for (const std::int32_t k : upper_row) sum += below(k);
  return sum + static_cast<double>(entries_of_L());
}

template <class T>
PatternLu pattern_lu(const SparseMatrix<T>& A, const Analysis& analysis) {
  PatternLu lu;
  const auto n = static_cast<std::size_t>(lu.n = A.cols);
  lu.start = A.start;
  lu.row.assign(A.row.begin(), A.row.end());
  lu.column_of.assign(analysis.col_perm.begin(), analysis.col_perm.end());
  lu.row_of.assign(analysis.row_perm.begin(), analysis.row_perm.end());
  lu.row_scale = analysis.row_scale;
  lu.col_scale = analysis.col_scale;
  std::vector<std::int32_t> place(n);
  for (std::size_t i = 0; i < n; ++i)
    place[static_cast<std::size_t>(lu.row_of[i])] = static_cast<std::int32_t>(i);
  for (const Index i : A.row) lu.in_b.push_back(place[static_cast<std::size_t>(i)]);
  lu.lower_start = lu.upper_start = {0};
  Fill fill(lu);
  for (std::size_t j = 0; j < n; ++j) {
    const auto c = static_cast<std::size_t>(lu.column_of[j]);
    fill.add_column(static_cast<std::int32_t>(j),
                    {lu.in_b.begin() + A.start[c], lu.in_b.begin() + A.start[c + 1]});
  }
  return lu;
}

#define OVERLAPACK_INSTANTIATE(T) template PatternLu pattern_lu(const SparseMatrix<T>&, const Analysis&);
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::sparse::batch
