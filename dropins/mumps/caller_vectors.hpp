#pragma once
#include "controls.hpp"
#include "overlapack/overlapack.hpp"

#include <algorithm>
#include <span>
#include <vector>

namespace overlapack::dropins::mumps {

/// Reads right-hand sides from the caller's struct (Id) and writes solutions to it. They are whole on the host, sparse on the host, or distributed
/// by rows over the processes.
template <class T, class Id>
class CallerVectors {
 public:
  CallerVectors(const Processes& processes, const Controls& controls, Id& id)
      : processes_(processes), controls_(controls), id_(id) {}

  /// Errors  Refusal on all processes: an array that is missing, or too short
  RowPart<T> right_hand_sides() const;
  /// A part with all rows on the host, and none on the other processes; without values.
  RowPart<T> all_rows() const;
  /// Call f(k, i, j) for entry k of the host's sparse columns, at row i and column j from 0; there are none on other processes.
  /// Errors  Refusal on all processes: an array that is missing, or pointers that do not fit
  template <class F>
  void for_each_sparse(F&& f) const;
  /// Write values to the host's sparse columns, in the order of for_each_sparse.
  void copy_sparse_to_caller(std::span<const T> values) const;
  /// Check the caller's arrays for x.
  /// Errors  Refusal on all processes: they are missing, or too short
  void require_room_for_solution() const;
  /// Write x to the caller's arrays, if there are any here.
  void copy_to_caller(const RowPart<T>& x) const;
  /// The rows of a distributed solution on this process.
  std::vector<Index> own_rows() const;

 private:
  RowPart<T> sparse_right_hand_sides() const;

  const Processes& processes_;
  const Controls& controls_;
  Id& id_;
};

template <class T, class Id>
std::vector<Index> CallerVectors<T, Id>::own_rows() const {
  const Index n = controls_.n, p = processes_.size, r = processes_.rank;
  std::vector<Index> rows;
  for (Index i = n * r / p; i < n * (r + 1) / p; ++i) rows.push_back(i);
  return rows;
}

template <class T, class Id>
RowPart<T> CallerVectors<T, Id>::all_rows() const {
  RowPart<T> part;
  for (Index i = 0; processes_.is_host() && i < controls_.n; ++i) part.rows.push_back(i);
  return part;
}

template <class T, class Id>
template <class F>
void CallerVectors<T, Id>::for_each_sparse(F&& f) const {
  require(processes_, !processes_.is_host() || id_.nz_rhs <= 0 || id_.rhs_sparse, 10, "rhs_sparse");
  require(processes_, !processes_.is_host() || id_.nz_rhs <= 0 || id_.irhs_sparse, 11, "irhs_sparse");
  require(processes_, !processes_.is_host() || id_.irhs_ptr, 12, "irhs_ptr");
  int told[] = {1, 0};  // do the pointers fit, the last one
  if (processes_.is_host()) {
    const std::span pointers(id_.irhs_ptr, static_cast<std::size_t>(controls_.nrhs) + 1);
    told[0] = pointers.front() == 1 && pointers.back() == id_.nz_rhs + std::int64_t{1} &&
              std::ranges::is_sorted(pointers);
    told[1] = pointers.back();
  }
  broadcast(processes_, told, sizeof told);
  if (told[0] == 0)
    throw Refusal(bad_rhs_pointers, told[1],
                  "irhs_ptr has to begin with 1, not to decrease, and to end with nz_rhs + 1");
  for (int j = 0; processes_.is_host() && j < controls_.nrhs; ++j)
    for (int k = id_.irhs_ptr[j] - 1; k < id_.irhs_ptr[j + 1] - 1; ++k)
      f(Index{k}, Index{id_.irhs_sparse[k]} - 1, Index{j});
}

template <class T, class Id>
void CallerVectors<T, Id>::copy_sparse_to_caller(std::span<const T> values) const {
  if (processes_.is_host()) std::ranges::copy(values, reinterpret_cast<T*>(id_.rhs_sparse));
}

/// Serves ICNTL(20) = 1 to 3: right-hand sides as compressed columns on the host, rows from 1.
template <class T, class Id>
RowPart<T> CallerVectors<T, Id>::sparse_right_hand_sides() const {
  const Index n = controls_.n;
  RowPart<T> part = all_rows();
  if (processes_.is_host()) part.values.assign(static_cast<std::size_t>(n * controls_.nrhs), T(0));
  for_each_sparse([&](Index k, Index i, Index j) {
    if (i >= 0 && i < n)
      part.values[static_cast<std::size_t>(i + j * n)] += reinterpret_cast<const T*>(id_.rhs_sparse)[k];
  });
  return part;
}

template <class T, class Id>
RowPart<T> CallerVectors<T, Id>::right_hand_sides() const {
  if (controls_.has_sparse_rhs()) return sparse_right_hand_sides();
  RowPart<T> part;
  const bool is_local = controls_.has_distributed_rhs();
  const Index count = is_local ? id_.nloc_rhs : (processes_.is_host() ? controls_.n : 0);
  const Index ld = is_local ? id_.lrhs_loc : (controls_.nrhs > 1 ? id_.lrhs : controls_.n);
  const auto* b = reinterpret_cast<const T*>(is_local ? id_.rhs_loc : id_.rhs);
  require(processes_, count == 0 || (b && (!is_local || id_.irhs_loc)), is_local ? 17 : 7,
          is_local ? "rhs_loc or irhs_loc" : "rhs");
  if (largest(processes_, count > 0 && ld < count ? 1 : 0) > 0)
    throw Refusal(bad_lrhs, static_cast<int>(ld),
                  "lrhs or lrhs_loc is too small for the rows of the right-hand sides");
  for (Index i = 0; i < count; ++i) part.rows.push_back(is_local ? Index{id_.irhs_loc[i]} - 1 : i);
  for (Index j = 0; count > 0 && j < controls_.nrhs; ++j)
    part.values.insert(part.values.end(), b + j * ld, b + j * ld + count);
  return part;
}

template <class T, class Id>
void CallerVectors<T, Id>::require_room_for_solution() const {
  const bool is_local = controls_.has_distributed_solution();
  const auto rows = static_cast<int>(own_rows().size());
  require(processes_, !is_local || rows == 0 || (id_.sol_loc && id_.isol_loc), 16, "sol_loc or isol_loc");
  require(processes_, is_local || !processes_.is_host() || id_.rhs, 7, "rhs");
  if (largest(processes_, is_local && id_.lsol_loc < rows ? 1 : 0) > 0)
    throw Refusal(small_solution, id_.lsol_loc, "lsol_loc is below INFO(23)");
  const bool has_columns = !is_local && processes_.is_host() && controls_.nrhs > 1;
  if (largest(processes_, has_columns && id_.lrhs < controls_.n ? 1 : 0) > 0)
    throw Refusal(bad_lrhs, id_.lrhs, "lrhs is too small for the rows of the solution");
}

template <class T, class Id>
void CallerVectors<T, Id>::copy_to_caller(const RowPart<T>& x) const {
  const bool is_local = controls_.has_distributed_solution();
  if (!is_local && !processes_.is_host()) return;
  const auto count = static_cast<Index>(x.rows.size());
  const Index ld = is_local ? id_.lsol_loc : (controls_.nrhs > 1 ? id_.lrhs : controls_.n);
  auto* to = reinterpret_cast<T*>(is_local ? id_.sol_loc : id_.rhs);
  for (Index j = 0; j < controls_.nrhs; ++j)
    for (Index i = 0; i < count; ++i) to[(is_local ? i : x.rows[i]) + j * ld] = x.values[i + j * count];
  for (Index i = 0; is_local && i < count; ++i) id_.isol_loc[i] = static_cast<int>(x.rows[i]) + 1;
}

}  // namespace overlapack::dropins::mumps
