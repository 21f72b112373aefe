#include "dist/moves/onesided/onesided_transpose.hpp"

#include "base/instantiate.hpp"
#include "base/larger.hpp"
#include "comm/collective/collective.hpp"
#include "comm/onesided/pair_swap.hpp"

#include <algorithm>
#include <map>

namespace overlapack::dist {

template <class T>
OnesidedTranspose<T>::OnesidedTranspose(comm::Rank& rank, LentMatrix<T>& A, const DistributedMatrix<T>& B,
                                        RowSwap form)
    : rank_(rank), A_(A), B_(B), form_(form), parts_(rank, A.view(), B_) {
  if (form == RowSwap::native && A.memory() == LentMemory::attach) {
    addresses_.emplace(rank);
    return;
  }
  window_ = rank.make_window(form == RowSwap::generic ? largest_transfer() : 0);
  signals_.emplace(rank, *window_);
}

/// Bytes of the largest transfer over all ranks, so that the buffer for it has the same size everywhere.
template <class T>
std::size_t OnesidedTranspose<T>::largest_transfer() const {
  Index entries = 0;
  parts_.for_each_sender([&](int, const Share& share) { entries = std::max(entries, share.size()); });
  return static_cast<std::size_t>(comm::collective::all_reduce(rank_, entries, Larger())) * sizeof(T);
}

template <class T>
void OnesidedTranspose<T>::run() {
  form_ == RowSwap::native ? run_native() : run_generic();
}

/// Address of another rank's A; blocks until that rank's A is final.
template <class T>
comm::onesided::Address OnesidedTranspose<T>::borrowed(int from) {
  if (addresses_) return addresses_->borrow(from);
  signals_->wait_for_next(from);
  return {A_.offset(from, 0, 0), A_.column_stride(from)};
}

template <class T>
void OnesidedTranspose<T>::run_native() {
  const int me = rank_.rank();
  parts_.for_each_receiver([&](int to, const Share&) {
    addresses_ ? addresses_->lend(to, {A_.offset(me, 0, 0), A_.column_stride(me)}) : signals_->send(to);
  });
  parts_.move_own();
  parts_.for_each_sender([&](int from, const Share& share) {
    const comm::onesided::Address A = borrowed(from);
    parts_.for_each_vector(share, [&](Index i, Index j, T* to, Index length) {
      A_.window().get_strided(
          from, A.offset + static_cast<std::size_t>(i) * sizeof(T) + static_cast<std::size_t>(j) * A.stride,
          sizeof(T), A.stride, static_cast<std::size_t>(length), reinterpret_cast<std::byte*>(to));
    });
  });
  parts_.for_each_sender([&](int from, const Share&) {
    A_.window().flush(from);
    addresses_ ? addresses_->give_back(from) : signals_->send(from);
  });
  parts_.for_each_receiver([&](int to, const Share&) {
    addresses_ ? addresses_->wait_until_read(to) : signals_->wait_for_next(to);
  });
}

/// Takes partners in ascending order, since the two ranks of a swap wait for each other.
template <class T>
void OnesidedTranspose<T>::run_generic() {
  struct Transfer {
    std::vector<T> packed, taken;
  };
  const auto entries = [](const Share& share) { return static_cast<std::size_t>(share.size()); };
  std::map<int, Transfer> transfers;
  parts_.for_each_receiver([&](int to, const Share& share) {
    std::vector<T>& packed = transfers[to].packed;
    packed.resize(entries(share));
    parts_.pack(share, packed.data());
  });
  parts_.move_own();
  parts_.for_each_sender([&](int from, const Share& share) { transfers[from].taken.resize(entries(share)); });
  for (auto& [partner, transfer] : transfers)
    comm::onesided::generic_swap(*signals_, *window_, partner, 0, std::as_bytes(std::span(transfer.packed)),
                                 std::as_writable_bytes(std::span(transfer.taken)));
  parts_.for_each_sender(
      [&](int from, const Share& share) { parts_.unpack(transfers[from].taken.data(), share); });
}

OVERLAPACK_INSTANTIATE_CLASS(OnesidedTranspose);

}  // namespace overlapack::dist
