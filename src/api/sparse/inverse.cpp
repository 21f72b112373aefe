#include "api/sparse/factorization.hpp"
#include "api/sparse/one_piece.hpp"
#include "base/instantiate.hpp"
#include "kernels/product/cost.hpp"
#include "overlapack/overlapack.hpp"
#include "sparse/factors/factor_plan.hpp"
#include "sparse/matrix/mirror.hpp"
#include "sparse/matrix/symmetry.hpp"
#include "sparse/matrix/triplets.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <string>

/// Entries of the inverse: by fronts from the root down, by solves for their columns, or by fronts of other factors.
namespace overlapack {
namespace {

/// The cost of an analysis, as flops for each row and for each entry of the matrix.
constexpr double analysis_flops = 2500;
/// The cost of new factors and of the way from the root down to the leaves, as a multiple of the flops of the factorisation.
constexpr double inverse_share = 5;

void require_places(std::span<const Index> rows, std::span<const Index> cols, Index n) {
  const auto refuse = [](const std::string& message) { throw Error(Status::bad_input, message); };
  if (rows.size() != cols.size())
    refuse("there are " + std::to_string(rows.size()) + " rows and " + std::to_string(cols.size()) +
           " columns; give one of each for every entry");
  for (const auto& numbers : {rows, cols})
    for (const Index k : numbers)
      if (k < 0 || k >= n)
        refuse("there is no row or column " + std::to_string(k) + "; count from 0 to " +
               std::to_string(n - 1));
}

/// Make Z, entries of the inverse of a matrix with this symmetry, exactly symmetric: its upper triangle becomes the mirror image of the lower
/// one, since both have different rounding errors. If a position of Z has no mirror image in the pattern, Z stays general.
template <class T>
void give_symmetry(SparseMatrix<T>& Z, Symmetry symmetry) {
  if (symmetry == Symmetry::general || Z.nnz() > std::numeric_limits<std::int32_t>::max()) return;
  const std::vector<sparse::MirrorPair> pairs = sparse::mirror_pairs(Z);
  if (std::ranges::any_of(pairs, [](const sparse::MirrorPair& pair) { return pair.image < 0; })) return;
  for (const auto& [entry, image] : pairs) {
    T& kept = Z.value[static_cast<std::size_t>(entry)];
    if (entry == image)
      kept = (kept + sparse::counterpart(kept, symmetry)) / Real<T>(2);  // real, or zero
    else
      Z.value[static_cast<std::size_t>(image)] = sparse::counterpart(kept, symmetry);
  }
  Z.symmetry = symmetry;
}

/// A with additional zeros at (cols[k], rows[k]), where the inverse is wanted, and at the mirror images if A is symmetric.
template <class T>
SparseMatrix<T> with_places(const SparseMatrix<T>& A, std::span<const Index> rows,
                            std::span<const Index> cols) {
  Triplets<T> entries = triplets_of(A);
  for (std::size_t k = 0; k < rows.size(); ++k) {
    entries.add(cols[k], rows[k], T(0));
    if (A.symmetry != Symmetry::general) entries.add(rows[k], cols[k], T(0));
  }
  SparseMatrix<T> joined = sparse::compress(entries).matrix;
  joined.symmetry = A.symmetry;
  return joined;
}

/// The pattern of positions (j, i) for all entries (i, j) of A, and of the diagonal.
template <class T>
SparseMatrix<T> transposed_pattern(const SparseMatrix<T>& A) {
  SparseMatrix<T> Z{A.cols, A.rows, std::vector<Index>(static_cast<std::size_t>(A.rows) + 1),
                    {},     {},     A.symmetry};
  const auto for_each_place = [&](auto&& f) {  // in Z's rows, ascending
    for (Index j = 0; j < A.cols; ++j) {
      const auto first = A.row.begin() + A.start[j], end = A.row.begin() + A.start[j + 1];
      for (auto row = first; row != end; ++row) f(j, *row);
      if (!std::binary_search(first, end, j)) f(j, j);
    }
  };
  for_each_place([&](Index, Index col) { ++Z.start[col + 1]; });
  for (Index j = 0; j < Z.cols; ++j) Z.start[j + 1] += Z.start[j];
  Z.row.resize(static_cast<std::size_t>(Z.start.back()));
  std::vector<Index> next(Z.start.begin(), Z.start.end() - 1);
  for_each_place([&](Index row, Index col) { Z.row[next[col]++] = row; });
  return Z;
}

}  // namespace

/// Check that the factors can give the inverse of A.
/// Errors  Singular; BadPlan if the factors are not those of A
template <class T>
void Factorization<T>::Implementation::require_inverse() {
  require_factors();
  require_full_precision();
  if (stats().pivots.null > 0)
    throw Error(Status::singular, "the matrix is singular and has no inverse; ask for null_space");
  require_sure_pivots();
  if (!has_hidden_pivots()) return;
  throw Error(Status::bad_plan,
              facts_.has_signs ? "pivots were replaced or shifted, so that these would be entries of another "
                                 "matrix's inverse; use "
                                 "factorization ldlt"
              : stats().pivots.perturbed > 0
                  ? "pivots were replaced, so that these would be entries of another matrix's inverse; use "
                    "method multifrontal without perturbation"
                  : "compressed factors give entries of another matrix's inverse; use compression none");
}

template <class T>
std::vector<T> Factorization<T>::Implementation::inverse_entries(std::span<const Index> rows,
                                                                 std::span<const Index> cols) {
  require_inverse();
  const double solve_flops = 2 * kernels::multiply_add_flops<T> * static_cast<double>(stats().factor_nnz);
  sparse::InverseEntries<T> found;
  session->run([&](comm::Rank& rank, int position) {
    if (rank.rank() == 0) require_places(rows, cols, facts_.n);
    auto mine =
        shares_[static_cast<std::size_t>(position)].full->inverse_entries(rank, rows, cols, solve_flops);
    if (rank.rank() == 0) found = std::move(mine);
  });
  drive([&](const api::DrivenSolve<T>& solve) {
    if (!find_inverse_in_one_piece(rows, cols, solve_flops, found))
      solve_for_missing_inverse_entries(rows, cols, solve, found);
  });
  broadcast_vector_from_root(found.value);
  judge_inverse();
  return std::move(found.value);
}

/// Find the missing entries by new factors: fronts of one rank, of A with these positions in its pattern. Returns false if solves are less
/// work.
template <class T>
bool Factorization<T>::Implementation::find_inverse_in_one_piece(std::span<const Index> rows,
                                                                 std::span<const Index> cols,
                                                                 double solve_flops,
                                                                 sparse::InverseEntries<T>& found) {
  std::vector<Index> missing_rows, missing_cols;
  for (std::size_t k = 0; k < rows.size(); ++k) {
    if (found.is_known[k]) continue;
    missing_rows.push_back(rows[k]);
    missing_cols.push_back(cols[k]);
  }
  if (missing_rows.empty()) return true;
  if (is_distributed()) return false;
  const auto columns = static_cast<double>(std::set<Index>(missing_cols.begin(), missing_cols.end()).size());
  const double by_analysis = analysis_flops * static_cast<double>(facts_.n + A.nnz());
  if (columns * solve_flops <= by_analysis + inverse_share * stats().flops) return false;
  const SparseMatrix<T> joined = with_places(A, missing_rows, missing_cols);
  const Options one = api::one_piece_options(options, facts_.kind);
  const PatternAnalysis analysis = overlapack::analyse(joined, one);
  if (columns * solve_flops <= inverse_share * analysis.report().predicted_flops) return false;
  const std::vector<T> values =
      overlapack::factorize(joined, analysis, one).inverse_entries(missing_rows, missing_cols);
  auto next = values.begin();
  for (std::size_t k = 0; k < rows.size(); ++k)
    if (!found.is_known[k]) found.value[k] = *next++;
  return true;
}

/// Find the missing entries by a solve for each column of the inverse. Columns that are eliminated near each other go together, since they
/// share their paths to the root.
template <class T>
void Factorization<T>::Implementation::solve_for_missing_inverse_entries(std::span<const Index> rows,
                                                                         std::span<const Index> cols,
                                                                         const api::DrivenSolve<T>& solve,
                                                                         sparse::InverseEntries<T>& found) {
  std::vector<Index> position(static_cast<std::size_t>(facts_.n));
  for (Index i = 0; i < facts_.n; ++i) position[prepared.analysis.row_perm[i]] = i;
  std::map<Index, std::vector<std::size_t>> entries_at;  // by position of the column
  for (std::size_t k = 0; k < cols.size(); ++k)
    if (!found.is_known[k]) entries_at[position[cols[k]]].push_back(k);
  const Index block = plan_->rhs_block;
  for (auto next = entries_at.begin(); next != entries_at.end();) {
    const auto first = next;
    Index width = 0;
    for (; next != entries_at.end() && width < block; ++next) ++width;
    std::vector<T> X(static_cast<std::size_t>(facts_.n * width));
    Index j = 0;
    for (auto at = first; at != next; ++at, ++j)
      X[static_cast<std::size_t>(cols[at->second.front()] + j * facts_.n)] = T(1);
    solve(kernels::Op::none, X.data(), width);
    j = 0;
    for (auto at = first; at != next; ++at, ++j)
      for (const std::size_t k : at->second)
        found.value[k] = X[static_cast<std::size_t>(rows[k] + j * facts_.n)];
  }
}

template <class T>
std::vector<T> Factorization<T>::Implementation::inverse_diagonal() {
  std::vector<Index> all(static_cast<std::size_t>(facts_.n));
  for (Index i = 0; i < facts_.n; ++i) all[static_cast<std::size_t>(i)] = i;
  return inverse_entries(all, all);
}

template <class T>
SparseMatrix<T> Factorization<T>::Implementation::selected_inverse() {
  if (is_distributed())
    throw Error(Status::bad_plan,
                "the entries of A are on all ranks, and no rank has its pattern; ask for inverse_diagonal or "
                "inverse_entries");
  SparseMatrix<T> Z;
  if (session->has_root()) Z = transposed_pattern(A);
  std::vector<Index> cols;
  for (Index j = 0; j < Z.cols; ++j)
    cols.insert(cols.end(), static_cast<std::size_t>(Z.start[j + 1] - Z.start[j]), j);
  std::vector<T> values = inverse_entries(Z.row, cols);
  if (!session->has_root()) return {};
  Z.value = std::move(values);
  give_symmetry(Z, A.symmetry);
  return Z;
}

#define OVERLAPACK_INSTANTIATE(T)                                                                    \
  template void Factorization<T>::Implementation::require_inverse();                                 \
  template std::vector<T> Factorization<T>::Implementation::inverse_entries(std::span<const Index>,  \
                                                                            std::span<const Index>); \
  template std::vector<T> Factorization<T>::Implementation::inverse_diagonal();                      \
  template SparseMatrix<T> Factorization<T>::Implementation::selected_inverse();
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack
