#include "sparse/matrix/symmetry.hpp"

#include "base/instantiate.hpp"
#include "comm/tasks.hpp"
#include "sparse/matrix/transpose.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <vector>

namespace overlapack::sparse {
namespace {

template <class T>
void compare_pair(Relations& relations, const T& a, const T& b) {
  relations.symmetric = relations.symmetric && a == b;
  relations.skew = relations.skew && a == -b;
  relations.hermitian = relations.hermitian && a == conjugate(b);
}

/// Visit the pairs (A(i, j), B(i, j)) of one column of two canonical matrices; an absent entry is zero.
template <class T>
void compare_columns(const SparseMatrix<T>& A, const SparseMatrix<T>& B, Index j, Relations& relations) {
  Index p = A.start[j], q = B.start[j];
  while (p < A.start[j + 1] || q < B.start[j + 1]) {
    const Index i = p < A.start[j + 1] ? A.row[p] : A.rows;
    const Index k = q < B.start[j + 1] ? B.row[q] : B.rows;
    compare_pair(relations, i <= k ? A.value[p] : T(0), k <= i ? B.value[q] : T(0));
    p += i <= k;
    q += k <= i;
  }
}

/// Calls see(p, q) for each entry of a square matrix until it returns false. p is the number of an entry A(i,
/// j) and q that of A(j, i), or -1 if there is none. Columns j come in order, so that going down each column
/// i once finds all A(j, i).
template <class T, class See>
void visit_mirrored(const SparseMatrix<T>& A, See&& see) {
  std::vector<Index> next(A.start.begin(), A.start.end() - 1);
  for (Index j = 0; j < A.cols; ++j)
    for (Index p = A.start[j]; p < A.start[j + 1]; ++p) {
      const Index i = A.row[p];
      Index& q = next[i];
      while (q < A.start[i + 1] && A.row[q] < j) ++q;
      if (!see(p, q < A.start[i + 1] && A.row[q] == j ? q : -1)) return;
    }
}

/// A(i, j), or null where there is no entry.
template <class T>
const T* stored_entry(const SparseMatrix<T>& A, Index i, Index j) {
  const auto begin = A.row.begin() + A.start[j], end = A.row.begin() + A.start[j + 1];
  const auto found = std::lower_bound(begin, end, i);
  return found == end || *found != i ? nullptr : &A.value[static_cast<std::size_t>(found - A.row.begin())];
}

/// The relations of the diagonal, and of the entries on one side of it, to their mirror images.
struct Side {
  Relations relations;
  Index images = 0;  ///< mirror images of these entries that are stored
  Index others = 0;  ///< entries on the other side
};

Relations common_relations(const Relations& a, const Relations& b) {
  return {.symmetric = a.symmetric && b.symmetric,
          .skew = a.skew && b.skew,
          .hermitian = a.hermitian && b.hermitian};
}

template <class T>
Side side_of(const SparseMatrix<T>& A, bool is_lower, comm::Tasks& tasks) {
  const auto parts = tasks.of_ranges(A.cols, [&](Index first, Index end) {
    Side side;
    for (Index j = first; j < end && !side.relations.none(); ++j)
      for (Index p = A.start[j]; p < A.start[j + 1]; ++p) {
        const Index i = A.row[p];
        if (i != j && (i > j) != is_lower) {
          ++side.others;
          continue;
        }
        const T* const image = i == j ? &A.value[p] : stored_entry(A, j, i);
        side.images += i != j && image != nullptr;
        compare_pair(side.relations, A.value[p], image != nullptr ? *image : T(0));
      }
    return side;
  });
  Side all;
  for (const Side& part : parts) {
    all.relations = common_relations(all.relations, part.relations);
    all.images += part.images;
    all.others += part.others;
  }
  return all;
}

template <class T>
Relations relations_of(const SparseMatrix<T>& A, comm::Tasks& tasks) {
  if (A.rows != A.cols) return {false, false, false};
  const Side lower = side_of(A, true, tasks);
  if (lower.relations.none() || lower.images == lower.others) return lower.relations;
  // some upper entries are not images of lower ones
  return common_relations(lower.relations, side_of(A, false, tasks).relations);
}

bool includes(const Relations& relations, Symmetry symmetry) {
  switch (symmetry) {
    case Symmetry::symmetric:
      return relations.symmetric;
    case Symmetry::hermitian:
      return relations.hermitian;
    case Symmetry::skew:
      return relations.skew;
    case Symmetry::general:
      return true;
  }
  return false;
}

/// Is holds(a, b) true for the values of each pair?
template <class T, class Holds>
bool all_pairs(std::span<const T> value, std::span<const MirrorPair> pairs, Holds&& holds) {
  return std::ranges::all_of(
      pairs, [&](MirrorPair p) { return holds(value[p.entry], p.image < 0 ? T(0) : value[p.image]); });
}

template <class T>
bool is_zero(const SparseMatrix<T>& A) {
  return std::all_of(A.value.begin(), A.value.end(), [](const T& x) { return x == T(0); });
}

}  // namespace

template <class T>
Relations relations(const SparseMatrix<T>& A, const SparseMatrix<T>& B) {
  Relations found;
  for (Index j = 0; j < A.cols && !found.none(); ++j) compare_columns(A, B, j, found);
  return found;
}

template <class T>
Symmetry strongest(const Relations& relations, bool is_zero, RealValued as) {
  const bool prefers_hermitian = ScalarTraits<T>::is_complex && as == RealValued::hermitian;
  if (relations.symmetric && !(relations.hermitian && prefers_hermitian)) return Symmetry::symmetric;
  if (relations.hermitian) return Symmetry::hermitian;
  return relations.skew && !is_zero ? Symmetry::skew : Symmetry::general;
}

template <class T>
Symmetry detect_symmetry(const SparseMatrix<T>& A, RealValued as, comm::Tasks& tasks) {
  return strongest<T>(relations_of(A, tasks), is_zero(A), as);
}

template <class T>
Symmetry detect_symmetry(const SparseMatrix<T>& A, RealValued as) {
  comm::Tasks tasks(1);
  return detect_symmetry(A, as, tasks);
}

template <class T>
bool has_symmetry(const SparseMatrix<T>& A, Symmetry symmetry) {
  if (symmetry == Symmetry::general) return true;
  comm::Tasks tasks(1);
  return includes(relations_of(A, tasks), symmetry);
}

template <class T>
std::vector<MirrorPair> mirror_pairs(const SparseMatrix<T>& A) {
  std::vector<MirrorPair> pairs;
  pairs.reserve(static_cast<std::size_t>((A.nnz() + A.cols) / 2));
  visit_mirrored(A, [&](Index p, Index q) {
    if (q < 0 || p <= q) pairs.push_back({static_cast<std::int32_t>(p), static_cast<std::int32_t>(q)});
    return true;
  });
  return pairs;
}

template <class T>
bool has_symmetry(std::span<const T> value, std::span<const MirrorPair> pairs, Symmetry symmetry) {
  switch (symmetry) {
    case Symmetry::symmetric:
      return all_pairs(value, pairs, [](const T& a, const T& b) { return a == b; });
    case Symmetry::hermitian:
      return all_pairs(value, pairs, [](const T& a, const T& b) { return a == conjugate(b); });
    case Symmetry::skew:
      return all_pairs(value, pairs, [](const T& a, const T& b) { return a == -b; });
    case Symmetry::general:
      return true;
  }
  return false;
}

template <class T>
std::optional<EntryPosition> first_unequal(const SparseMatrix<T>& A, Symmetry symmetry) {
  if (symmetry == Symmetry::general) return std::nullopt;
  const SparseMatrix<T> B = transpose(A);
  for (Index j = 0; j < A.cols; ++j) {
    Relations relations;
    compare_columns(A, B, j, relations);
    if (includes(relations, symmetry)) continue;
    for (Index i = 0; i < A.rows; ++i) {
      const T a = entry(A, i, j), b = entry(A, j, i);
      const T expected = symmetry == Symmetry::symmetric   ? b
                         : symmetry == Symmetry::hermitian ? conjugate(b)
                                                           : -b;
      if (a != expected) return EntryPosition{i, j};
    }
  }
  return std::nullopt;
}

template <class T>
std::optional<double> asymmetry(const SparseMatrix<T>& A, Symmetry symmetry, double most) {
  std::vector<double> largest(static_cast<std::size_t>(A.cols));
  for (Index j = 0; j < A.cols; ++j)
    for (Index p = A.start[j]; p < A.start[j + 1]; ++p)
      largest[j] = std::max(largest[j], static_cast<double>(std::abs(A.value[p])));
  double worst = 0;
  for (Index j = 0; j < A.cols; ++j)
    for (Index p = A.start[j]; p < A.start[j + 1]; ++p) {
      const T b = entry(A, j, A.row[p]);
      const T expected = symmetry == Symmetry::hermitian ? conjugate(b) : b;
      if (A.value[p] == expected) continue;
      const auto difference = static_cast<double>(std::abs(A.value[p] - expected));
      worst = std::max(worst, difference / std::max(largest[j], largest[A.row[p]]));
      if (worst > most) return std::nullopt;
    }
  return worst;
}

template <class T>
T entry(const SparseMatrix<T>& A, Index i, Index j) {
  const T* const stored = stored_entry(A, i, j);
  return stored == nullptr ? T(0) : *stored;
}

template <class T>
double pattern_symmetry(const SparseMatrix<T>& A) {
  const SparseMatrix<T> B = transpose(A);
  Index off_diagonal = 0, partnered = 0;
  for (Index j = 0; j < A.cols; ++j) {
    Index q = B.start[j];
    for (Index p = A.start[j]; p < A.start[j + 1]; ++p) {
      if (A.row[p] == j) continue;
      while (q < B.start[j + 1] && B.row[q] < A.row[p]) ++q;
      ++off_diagonal;
      partnered += q < B.start[j + 1] && B.row[q] == A.row[p];
    }
  }
  return off_diagonal == 0 ? 1.0 : static_cast<double>(partnered) / static_cast<double>(off_diagonal);
}

template <class T>
Pattern symmetrised_pattern(const SparseMatrix<T>& A) {
  const SparseMatrix<T> B = transpose(A);
  Pattern pattern;
  pattern.n = A.cols;
  pattern.start.resize(A.cols + 1);
  pattern.row.reserve(A.row.size());
  for (Index j = 0; j < A.cols; ++j) {
    Index p = A.start[j], q = B.start[j];
    while (p < A.start[j + 1] || q < B.start[j + 1]) {
      const Index i = p < A.start[j + 1] ? A.row[p] : A.rows;
      const Index k = q < B.start[j + 1] ? B.row[q] : B.rows;
      if (std::min(i, k) != j) pattern.row.push_back(std::min(i, k));
      p += i <= k;
      q += k <= i;
    }
    pattern.start[j + 1] = static_cast<Index>(pattern.row.size());
  }
  return pattern;
}

#define OVERLAPACK_INSTANTIATE(T)                                                        \
  template Symmetry detect_symmetry(const SparseMatrix<T>&, RealValued, comm::Tasks&);   \
  template Symmetry detect_symmetry(const SparseMatrix<T>&, RealValued);                 \
  template Symmetry strongest<T>(const Relations&, bool, RealValued);                    \
  template Relations relations(const SparseMatrix<T>&, const SparseMatrix<T>&);          \
  template bool has_symmetry(const SparseMatrix<T>&, Symmetry);                          \
  template std::vector<MirrorPair> mirror_pairs(const SparseMatrix<T>&);                 \
  template bool has_symmetry(std::span<const T>, std::span<const MirrorPair>, Symmetry); \
  template std::optional<EntryPosition> first_unequal(const SparseMatrix<T>&, Symmetry); \
  template std::optional<double> asymmetry(const SparseMatrix<T>&, Symmetry, double);    \
  template T entry(const SparseMatrix<T>&, Index, Index);                                \
  template double pattern_symmetry(const SparseMatrix<T>&);                              \
  template Pattern symmetrised_pattern(const SparseMatrix<T>&);
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::sparse
