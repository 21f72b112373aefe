#include "kernels/update/extend_add.hpp"

#include "base/instantiate.hpp"
#include "kernels/product/sizes.hpp"
#include "kernels/small/dispatch.hpp"
#include "kernels/update/adjoint.hpp"

#include <algorithm>

namespace overlapack::kernels {
namespace {

constexpr Index together = small::columns_together;

/// Some columns of a child, and the columns of the parent to which they are added.
template <class T>
struct Columns {
  /// from(c) and to(c) for c = 0 .. count_ - 1
  template <class From, class To>
  Columns(Index count_, From from_, To to_) : count(static_cast<int>(count_)) {
    for (Index c = 0; c < count; ++c) {
      from[c] = from_(c);
      to[c] = to_(c);
    }
  }

  const int count;
  const T* from[together];
  T* to[together];
};

/// A piece of a map as runs of consecutive numbers, at most `most` runs, which are found once and used for all columns.
class Runs {
 public:
  /// Finds the runs of the piece that begins at `first`, in a map of n numbers.
  Runs(const std::int32_t* map, Index first, Index n) : first(first), last(first) {
    for (; count_ < most && last < n; ++count_) {
      const Index start = last++;
      while (last < n && map[last] - map[start] == last - start) ++last;
      run_[count_] = {static_cast<std::int32_t>(start), static_cast<std::int32_t>(last - start), map[start]};
    }
  }

  /// Drop the rows before `top`, so that add() adds them no more.
  void drop_rows_before(Index top) {
    while (begin_ < count_ && run_[begin_].first + run_[begin_].length <= top) ++begin_;
    if (begin_ == count_) return;
    small::Run& run = run_[begin_];
    const auto dropped = static_cast<std::int32_t>(top) - run.first;
    if (dropped > 0) run = {run.first + dropped, run.length - dropped, run.to + dropped};
  }

  template <class T>
  void add(const Columns<T>& columns) const {
    small::kernels<T>().add_runs(count_ - begin_, run_ + begin_, columns.count, columns.from, columns.to);
  }

  const Index first;
  Index last;  ///< the piece has the rows first..last-1

 private:
  static constexpr Index most = sizes::runs_at_once;
  small::Run run_[most];
  Index count_ = 0, begin_ = 0;
};

bool is_ascending(const std::int32_t* map, Index n) { return std::is_sorted(map, map + n); }

/// Add columns first..last-1 of a child with `rows` rows, several columns at once; is_lower: only the part on and below the
/// diagonal.
template <class T, class Child, class Parent>
void add_columns(const Child& child, Index rows, Index first, Index last, bool is_lower,
                 const std::int32_t* row_map, const std::int32_t* col_map, const Parent& parent) {
  for (Index top = is_lower ? first : 0; top < rows;) {
    Runs runs(row_map, top, rows);
    top = runs.last;
    const Index end = is_lower ? std::min(last, top) : last;
    for (Index j = first; j < end; j += together) {
      const Index next = std::min(j + together, end);
      const Columns<T> columns(
          next - j, [&](Index c) { return child.column(j + c); },
          [&](Index c) { return parent.column(col_map[j + c]); });
      if (is_lower) {
        for (Index c = 0; c < columns.count; ++c)
          for (Index i = std::max(j + c, runs.first); i < std::min(next, top); ++i)
            columns.to[c][row_map[i]] += columns.from[c][i];
        runs.drop_rows_before(next);
      }
      runs.add(columns);
    }
  }
}

}  // namespace

template <class T>
void extend_add(ConstView<T> child, const std::int32_t* row_map, const std::int32_t* col_map,
                MatrixView<T> parent) {
  constexpr Index few = sizes::least_run_columns;
  for (Index j = 0; child.cols < few && j < child.cols; ++j) {
    const T* const from = child.column(j);
    T* const to = parent.column(col_map[j]);
    for (Index i = 0; i < child.rows; ++i) to[row_map[i]] += from[i];
  }
  if (child.cols >= few) add_columns<T>(child, child.rows, 0, child.cols, false, row_map, col_map, parent);
}

template <class T>
void extend_add(ConstView<T> child, bool is_lower, const std::int32_t* row_map, const std::int32_t* col_map,
                StaircaseView<T> parent) {
  add_columns<T>(child, child.rows, 0, child.cols, is_lower, row_map, col_map, parent);
}

/// Transposes some rows of the child at a time into a work space, whose columns it then adds.
template <class T>
void extend_add_transposed(ConstView<T> child, const std::int32_t* row_map, const std::int32_t* col_map,
                           MatrixView<T> parent) {
  constexpr Index at_once = sizes::cache_line / sizeof(T), most_columns = sizes::transposed_columns;
  T work[at_once * most_columns];
  for (Index left = 0; left < child.cols;) {
    const Runs runs(col_map, left, std::min(left + most_columns, child.cols));
    for (Index i = 0; i < child.rows; i += at_once) {
      const MatrixView<T> rows{work, runs.last - left, std::min(at_once, child.rows - i), most_columns};
      adjoint<T>(child.block(i, left, rows.cols, rows.rows), rows, false);
      for (Index c = 0; c < rows.cols; c += together)
        runs.add(Columns<T>(
            std::min(together, rows.cols - c), [&](Index k) { return rows.column(c + k) - left; },
            [&](Index k) { return parent.column(row_map[i + c + k]); }));
    }
    left = runs.last;
  }
}

template <class T>
void extend_add_lower(ConstView<T> child, const std::int32_t* map, bool hermitian, MatrixView<T> parent) {
  if (is_ascending(map, child.rows))
    return add_columns<T>(child, child.rows, 0, child.rows, true, map, map, parent);
  for (Index j = 0; j < child.rows; ++j)
    for (Index i = j; i < child.rows; ++i) {
      if (map[i] >= map[j])
        parent(map[i], map[j]) += child(i, j);
      else
        parent(map[j], map[i]) += hermitian ? conjugate(child(i, j)) : child(i, j);
    }
}

template <class T>
void extend_add_lower(StaircaseView<const T> child, Index first, Index last, const std::int32_t* map,
                      MatrixView<T> parent) {
  add_columns<T>(child, child.n, first, last, true, map, map, parent);
}

template <class T>
void extend_add_lower(StaircaseView<const T> child, Index first, Index last, const std::int32_t* map,
                      StaircaseView<T> parent) {
  add_columns<T>(child, child.n, first, last, true, map, map, parent);
}

#define OVERLAPACK_INSTANTIATE(T)                                                                            \
  template void extend_add<T>(MatrixView<const T>, const std::int32_t*, const std::int32_t*, MatrixView<T>); \
  template void extend_add<T>(MatrixView<const T>, bool, const std::int32_t*, const std::int32_t*,           \
                              StaircaseView<T>);                                                             \
  template void extend_add_transposed<T>(MatrixView<const T>, const std::int32_t*, const std::int32_t*,      \
                                         MatrixView<T>);                                                     \
  template void extend_add_lower<T>(MatrixView<const T>, const std::int32_t*, bool, MatrixView<T>);          \
  template void extend_add_lower<T>(StaircaseView<const T>, Index, Index, const std::int32_t*,               \
                                    MatrixView<T>);                                                          \
  template void extend_add_lower<T>(StaircaseView<const T>, Index, Index, const std::int32_t*,               \
                                    StaircaseView<T>);
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::kernels
