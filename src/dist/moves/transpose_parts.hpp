#pragma once
#include "comm/rank.hpp"
#include "dist/grid/shares.hpp"
#include "overlapack/error.hpp"

#include <string>

namespace overlapack::dist {

/// The transpose B <- A^T from the view of one process: the entries that it sends to and receives from each other process. A, m x
/// n, and B, n x m, may have any layouts; their memories do not overlap.
/// Errors  BadInput if the shapes do not fit
template <class T>
class TransposeParts {
 public:
  TransposeParts(comm::Rank& rank, const DistributedMatrix<T>& A, const DistributedMatrix<T>& B)
      : rank_(rank), A_(A), B_(B), to_(A, B, rank.rank(), true), from_(B, A, rank.rank(), true) {
    if (A.m() == B.n() && A.n() == B.m()) return;
    const auto shape = [](const auto& X) { return std::to_string(X.m()) + " x " + std::to_string(X.n()); };
    throw Error(Status::bad_input,
                "the transpose of a matrix of " + shape(A) + " does not fit one of " + shape(B));
  }

  /// Call with(rank, share) for each other process that receives entries of my A (share: rows and columns of A), or that sends
  /// entries of my B (share: rows and columns of B).
  template <class F>
  void for_each_receiver(F&& with) const {
    for_each_other(to_, *B_.grid, with);
  }
  template <class F>
  void for_each_sender(F&& with) const {
    for_each_other(from_, *A_.grid, with);
  }

  /// Pack A's entries for another process, column by column.
  void pack(const Share& share, T* to) const {
    charge("pack", share, [&] {
      for_each_column_part(A_.local, share,
                           [&](const T* from, Index length) { to = std::copy_n(from, length, to); });
    });
  }
  /// Unpack entries that another process packed into B, as rows.
  void unpack(const T* from, const Share& share) const {
    charge("pack", share, [&] {
      for (const Run& rows : share.rows)
        for (Index i = 0; i < rows.length; ++i)
          for (const Run& cols : share.cols)
            for (Index j = 0; j < cols.length; ++j)
              B_.local(rows.first.value + i, cols.first.value + j) = *from++;
    });
  }
  /// For transfers without packing: call take(i, j, to, length) for each vector A(i, j : j + length) that B needs at `to`; i and
  /// j are local indices at A's owner.
  template <class F>
  void for_each_vector(const Share& share, F&& take) const {
    for (const Run& cols : share.cols)
      for (Index c = 0; c < cols.length; ++c) {
        const Index j = cols.first.value + c;
        const Index i = A_.rows.local(B_.cols.global({j}, B_.me.col)).value;
        for (const Run& rows : share.rows)
          take(i, A_.cols.local(B_.rows.global(rows.first, B_.me.row)).value, &B_.local(rows.first.value, j),
               rows.length);
      }
  }
  /// Transpose the entries that stay in this process.
  void move_own() const {
    from_.for_each_share(*A_.grid, [&](int from, const Share& share) {
      if (from != rank_.rank()) return;
      charge("transpose", share, [&] {
        for_each_vector(share, [&](Index i, Index j, T* to, Index length) {
          for (Index k = 0; k < length; ++k) to[k] = A_.local(i, j + k);
        });
      });
    });
  }

 private:
  template <class F>
  void for_each_other(const Shares& shares, const ProcessGrid& grid, F&& with) const {
    shares.for_each_share(grid, [&](int rank, const Share& share) {
      if (rank != rank_.rank()) with(rank, share);
    });
  }
  template <class F>
  void charge(const char* kind, const Share& share, F&& f) const {
    rank_.compute({.kind = kind, .bytes = 2.0 * static_cast<double>(share.size()) * sizeof(T)}, f);
  }

  comm::Rank& rank_;
  const DistributedMatrix<T>&A_, &B_;
  Shares to_, from_;
};

}  // namespace overlapack::dist
