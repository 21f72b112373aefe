#include "dist/moves/messages/transpose.hpp"

#include "base/instantiate.hpp"
#include "dist/moves/transpose_parts.hpp"

namespace overlapack::dist {

template <class T>
void transpose(comm::Exchange& exchange, const DistributedMatrix<T>& A, const DistributedMatrix<T>& B,
               const comm::Key& key) {
  const TransposeParts<T> parts(exchange.rank(), A, B);
  parts.for_each_receiver([&](int rank, const Share& share) {
    std::vector<T> packed(static_cast<std::size_t>(share.size()));
    parts.pack(share, packed.data());
    exchange.send(rank, key, comm::Body::adopt(std::move(packed)));
  });
  parts.move_own();
  parts.for_each_sender([&](int rank, const Share& share) {
    const comm::Body body = exchange.receive(rank, key).body;
    if (body.size() != static_cast<std::size_t>(share.size()) * sizeof(T))
      throw Error(Status::internal, "the ranks were given different layouts");
    parts.unpack(body.as<T>().data(), share);
  });
}

#define OVERLAPACK_INSTANTIATE(T)                                                                       \
  template void transpose<T>(comm::Exchange&, const DistributedMatrix<T>&, const DistributedMatrix<T>&, \
                             const comm::Key&);
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::dist
