#include "arguments.hpp"

#include "comm/collective/collective.hpp"

#include <algorithm>

namespace overlapack::scalapack {
namespace {

/// Whether the leading dimension is large enough for this process's rows. If the process has no columns, any value is. Blocks and sources must be
/// valid.
bool holds_my_rows(const Submatrix& X, const Grid& grid) {
  const dist::ProcessGrid shape(grid.rows, grid.cols, dist::GridOrder::row_major, grid.size());
  const Index rows = rows_of(X.descriptor, shape).local_size(grid.row),
              cols = cols_of(X.descriptor, shape).local_size(grid.col);
  return cols <= 0 || X[DescriptorEntry::lld] >= rows;
}

}  // namespace

void ArgumentCheck::require_matrix(const Submatrix& X) {
  using enum DescriptorEntry;
  const int at = X.descriptor_at;
  const bool is_distributed = X[mb] >= 1 && X[nb] >= 1, has_rows = X[rsrc] >= 0 && X[rsrc] < grid_.rows,
             has_cols = X[csrc] >= 0 && X[csrc] < grid_.cols;
  const bool is_stored = X[lld] >= 1 && !(is_distributed && has_rows && has_cols && !holds_my_rows(X, grid_));
  require({{X[dtype] != dist::block_cyclic_type, at, dtype},
           {X.rows < 0, X.rows_at},
           {X.cols < 0, X.cols_at},
           {X.i < 1, X.i_at()},
           {X.j < 1, X.j_at()},
           {X[mb] < 1, at, mb},
           {X[nb] < 1, at, nb},
           {!has_rows, at, rsrc},
           {!has_cols, at, csrc},
           {!is_stored, at, lld}});
  const int fewest = X.is_empty() ? 0 : 1;
  require({{X[m] < fewest, at, m},
           {X[n] < fewest, at, n},
           {!X.is_empty() && X.i > X[m], X.i_at()},
           {!X.is_empty() && X.j > X[n], X.j_at()},
           {!X.is_empty() && Index{X.i} + X.rows - 1 > X[m], X.rows_at},
           {!X.is_empty() && Index{X.j} + X.cols - 1 > X[n], X.cols_at}});
  require_same(X.rows, X.rows_at);
  require_same(X.cols, X.cols_at);
  require_same(X.i, X.i_at());
  require_same(X.j, X.j_at());
  for (const DescriptorEntry e : {dtype, m, n, mb, nb, rsrc, csrc}) require_same(X[e], at, e);
}

void ArgumentCheck::require_same(int value, int argument, DescriptorEntry entry) {
  globals_.push_back({value, key_of(argument, entry, true)});
}

void ArgumentCheck::note(std::initializer_list<Rule> rules, bool is_error) {
  const auto* const broken = std::ranges::find_if(rules, &Rule::is_broken);
  if (broken != rules.end()) first_ = std::min(first_, key_of(broken->argument, broken->entry, is_error));
}

Verdict ArgumentCheck::agree(comm::Rank& rank, std::int64_t plan_number) const {
  // The smallest of x and the smallest of -x over all processes: they differ where the values do.
  std::vector<std::int64_t> least{first_, plan_number, -plan_number};
  for (const Global& g : globals_) least.insert(least.end(), {g.value, -std::int64_t{g.value}});
  comm::collective::all_reduce(rank, std::span<std::int64_t>(least),
                               [](std::int64_t a, std::int64_t b) { return std::min(a, b); });
  int first = static_cast<int>(least[0]);
  for (std::size_t g = 0; g < globals_.size(); ++g)
    if (least[2 * g + 3] != -least[2 * g + 4]) first = std::min(first, globals_[g].key);
  Verdict verdict{.is_one_plan = least[1] == -least[2]};
  if (first == none) return verdict;
  const int code = first / 2;
  verdict.info = code % 100 == 0 ? -code / 100 : -code;
  verdict.is_taken = first % 2 == 0;
  return verdict;
}

}  // namespace overlapack::scalapack
