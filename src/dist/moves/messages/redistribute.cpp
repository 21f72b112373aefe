#include "dist/moves/messages/redistribute.hpp"

#include "dist/grid/shares.hpp"
#include "overlapack/error.hpp"

#include <algorithm>
#include <complex>
#include <vector>

namespace overlapack::dist {

namespace {

template <class T>
comm::Body pack_share(const MatrixView<T>& local, const Share& share) {
  std::vector<T> packed;
  packed.reserve(static_cast<std::size_t>(share.size()));
  for_each_column_part(
      local, share, [&](const T* from, Index length) { packed.insert(packed.end(), from, from + length); });
  return comm::Body::adopt(std::move(packed));
}

template <class T>
void unpack(const comm::Body& body, const MatrixView<T>& local, const Share& share) {
  if (body.size() != static_cast<std::size_t>(share.size()) * sizeof(T))
    throw Error(Status::internal, "the ranks were given different layouts");
  const T* from = body.as<T>().data();
  for_each_column_part(local, share, [&](T* to, Index length) {
    std::copy_n(from, length, to);
    from += length;
  });
}

template <class T>
void check_same_shape(const DistributedMatrix<T>& A, const DistributedMatrix<T>& B) {
  if (A.m() == B.m() && A.n() == B.n()) return;
  const auto shape = [](const auto& X) { return std::to_string(X.m()) + " x " + std::to_string(X.n()); };
  throw Error(Status::bad_input, "a matrix of " + shape(A) + " cannot be redistributed into one of " +
                                     shape(B) + "; give both the same number of rows and columns");
}

}  // namespace

template <class T>
void redistribute(comm::Exchange& exchange, const DistributedMatrix<T>& A, const DistributedMatrix<T>& B,
                  const comm::Key& key) {
  check_same_shape(A, B);
  const int me = exchange.rank().rank();
  const Shares to(A, B, me), from(B, A, me);
  Index missing = 0;
  from.for_each_share(*A.grid, [&](int rank, const Share& share) {
    ++missing;
    exchange.call_when_arrived(rank, key, [&missing, &B, share](comm::Message&& message) {
      unpack(message.body, B.local, share);
      --missing;
    });
  });
  to.for_each_share(
      *B.grid, [&](int rank, const Share& share) { exchange.send(rank, key, pack_share(A.local, share)); });
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
