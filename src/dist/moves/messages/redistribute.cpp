#include "dist/moves/messages/redistribute.hpp"

#include "dist/grid/shared_runs.hpp"
#include "overlapack/error.hpp"

#include <algorithm>
#include <complex>
#include <vector>

namespace overlapack::dist {

namespace {

/// The rows and columns that this rank shares with one process of the other layout.
struct Share {
  const std::vector<Run>& rows;
  const std::vector<Run>& cols;
  Index size() const { return entries(rows) * entries(cols); }
};

/// What a rank shares with each process of the other layout; of no process where the rank has no part itself.
template <class T>
class Shares {
 public:
  Shares(const DistributedMatrix<T>& mine, const DistributedMatrix<T>& other, int rank) {
    if (!mine.grid->holds(rank)) return;
    rows_ = shared_runs(mine.rows, mine.me.row, other.rows);
    cols_ = shared_runs(mine.cols, mine.me.col, other.cols);
  }
  /// with(rank, share) for each process of the other grid with which there is something to share.
  template <class F>
  void each(const ProcessGrid& other, F&& with) const {
    for (std::size_t q = 0; q < cols_.size(); ++q)
      for (std::size_t p = 0; p < rows_.size(); ++p) {
        const Share share{rows_[p], cols_[q]};
        if (share.size() > 0) with(other.rank_at(static_cast<int>(p), static_cast<int>(q)), share);
      }
  }

 private:
  std::vector<std::vector<Run>> rows_, cols_;
};

/// part(first, length) for each contiguous part of a share, column by column.
template <class T, class F>
void each_column_part(const MatrixView<T>& local, const Share& share, F&& part) {
  for (const Run& cols : share.cols)
    for (Index j = 0; j < cols.length; ++j)
      for (const Run& rows : share.rows)
        part(local.column(cols.first.value + j) + rows.first.value, rows.length);
}

template <class T>
comm::Body pack_share(const MatrixView<T>& local, const Share& share) {
  std::vector<T> packed;
  packed.reserve(static_cast<std::size_t>(share.size()));
  each_column_part(local, share,
                   [&](const T* from, Index length) { packed.insert(packed.end(), from, from + length); });
  return comm::Body::adopt(std::move(packed));
}

template <class T>
void unpack(const comm::Body& body, const MatrixView<T>& local, const Share& share) {
  if (body.size() != static_cast<std::size_t>(share.size()) * sizeof(T))
    throw Error(ErrorKind::internal, "redistribute", "the ranks were given different layouts");
  const T* from = body.as<T>().data();
  each_column_part(local, share, [&](T* to, Index length) {
    std::copy_n(from, length, to);
    from += length;
  });
}

template <class T>
void check_same_shape(const DistributedMatrix<T>& A, const DistributedMatrix<T>& B) {
  if (A.m() == B.m() && A.n() == B.n()) return;
  const auto shape = [](const auto& X) { return std::to_string(X.m()) + " x " + std::to_string(X.n()); };
  throw Error(ErrorKind::bad_input, "redistribute",
              "a matrix of " + shape(A) + " cannot be redistributed into one of " + shape(B) +
                  "; give both the same number of rows and columns");
}

}  // namespace

template <class T>
void redistribute(comm::Exchange& exchange, const DistributedMatrix<T>& A, const DistributedMatrix<T>& B,
                  const comm::Key& key) {
  check_same_shape(A, B);
  const int me = exchange.rank().rank();
  const Shares<T> to(A, B, me), from(B, A, me);
  Index missing = 0;
  from.each(*A.grid, [&](int rank, const Share& share) {
    ++missing;
    exchange.when_arrived(rank, key, [&missing, &B, share](comm::Message&& message) {
      unpack(message.body, B.local, share);
      --missing;
    });
  });
  to.each(*B.grid,
          [&](int rank, const Share& share) { exchange.send(rank, key, pack_share(A.local, share)); });
  exchange.wait_until([&] { return missing == 0; });
}

#define OVERLAPACK_INSTANTIATE(T)                                                                          \
  template void redistribute<T>(comm::Exchange&, const DistributedMatrix<T>&, const DistributedMatrix<T>&, \
                                const comm::Key&);
OVERLAPACK_INSTANTIATE(float)
OVERLAPACK_INSTANTIATE(double)
OVERLAPACK_INSTANTIATE(std::complex<float>)
OVERLAPACK_INSTANTIATE(std::complex<double>)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::dist
