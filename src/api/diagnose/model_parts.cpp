#include "api/diagnose/model_parts.hpp"

#include <algorithm>
#include <complex>
#include <map>
#include <numeric>
#include <utility>

namespace overlapack::api {
namespace {

/// The rows or the columns of a part: those with entries, and those without, each in ascending order.
struct Lines {
  std::vector<Index> filled, empty;

  /// The first `count` lines, those with entries before those without, as an ascending list.
  std::vector<Index> first(std::size_t count) && {
    filled.insert(filled.end(), empty.begin(),
                  empty.begin() + static_cast<std::ptrdiff_t>(count - filled.size()));
    std::ranges::sort(filled);
    return std::move(filled);
  }
};

/// The rows and columns of a connected part.
struct Members {
  Lines rows, columns;
  Index unmatched = 0;
};

}  // namespace

template <class T>
std::vector<Index> connected_parts(const SparseMatrix<T>& A) {
  std::vector<Index> parent(static_cast<std::size_t>(A.cols));
  std::iota(parent.begin(), parent.end(), Index{0});
  const auto root = [&](Index i) {
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
  };
  for (Index j = 0; j < A.cols; ++j)
    for (Index k = A.start[j]; k < A.start[j + 1]; ++k) {
      const Index a = root(A.row[k]), b = root(j);
      parent[std::max(a, b)] = std::min(a, b);
    }
  for (Index i = 0; i < A.cols; ++i) parent[i] = root(i);
  return parent;
}

template <class T>
std::vector<ModelPart<T>> model_parts(const SparseMatrix<T>& A, std::span<const Index> part,
                                      std::span<const Index> row_of_column) {
  std::vector<Index> entries_of_row(static_cast<std::size_t>(A.rows));
  for (const Index i : A.row) ++entries_of_row[i];
  std::map<Index, Members> members;
  for (Index i = 0; i < A.cols; ++i) {
    Members& of = members[part[i]];
    (entries_of_row[i] > 0 ? of.rows.filled : of.rows.empty).push_back(i);
    (A.start[i] < A.start[i + 1] ? of.columns.filled : of.columns.empty).push_back(i);
    of.unmatched += row_of_column[i] < 0 ? 1 : 0;
  }
  std::vector<ModelPart<T>> parts;
  std::vector<Index> place(static_cast<std::size_t>(A.rows));  // of an equation in its part
  for (auto& [number, of] : members) {
    const std::size_t size = std::max(of.rows.filled.size(), of.columns.filled.size());
    if (size < 2) continue;
    const auto left_out =
        static_cast<Index>(of.columns.filled.size() + of.columns.empty.size() - size);  // all unmatched
    ModelPart<T> made;
    made.equations = std::move(of.rows).first(size);
    made.unknowns = std::move(of.columns).first(size);
    made.defect = of.unmatched - left_out;
    for (std::size_t i = 0; i < size; ++i) place[made.equations[i]] = static_cast<Index>(i);
    made.A.rows = made.A.cols = static_cast<Index>(size);
    made.A.start = {0};
    for (const Index j : made.unknowns) {
      for (Index k = A.start[j]; k < A.start[j + 1]; ++k) {
        made.A.row.push_back(place[A.row[k]]);
        made.A.value.push_back(A.value[k]);
      }
      made.A.start.push_back(static_cast<Index>(made.A.row.size()));
    }
    parts.push_back(std::move(made));
  }
  return parts;
}

#define OVERLAPACK_INSTANTIATE(T)                                                                \
  template std::vector<Index> connected_parts(const SparseMatrix<T>&);                           \
  template std::vector<ModelPart<T>> model_parts(const SparseMatrix<T>&, std::span<const Index>, \
                                                 std::span<const Index>);
OVERLAPACK_INSTANTIATE(double)
OVERLAPACK_INSTANTIATE(std::complex<double>)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::api
