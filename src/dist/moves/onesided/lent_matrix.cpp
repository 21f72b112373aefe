#include "dist/moves/onesided/lent_matrix.hpp"

#include "base/copy_into.hpp"
#include "base/instantiate.hpp"
#include "comm/collective/collective.hpp"
#include "comm/failure.hpp"

#include <algorithm>

namespace overlapack::dist {
namespace {

/// The bytes of M up to its last entry; behind that the caller's memory may end.
template <class T>
std::span<std::byte> bytes_of(MatrixView<T> M) {
  const Index entries = M.empty() ? 0 : M.ld * (M.cols - 1) + M.rows;
  return {reinterpret_cast<std::byte*>(M.data), static_cast<std::size_t>(entries) * sizeof(T)};
}

}  // namespace

bool should_be_in_window(const comm::Rank& rank, std::optional<LentMemory> memory) {
  const comm::Capabilities can = rank.capabilities();
  return !can.is_phantom && (memory ? *memory == LentMemory::user : !can.reaches_attached);
}

template <class T>
LentMemory LentMatrix<T>::choose_memory(const comm::Rank& rank, std::optional<LentMemory> memory,
                                        bool is_in_window, bool is_on_one_node) const {
  const comm::Capabilities can = rank.capabilities();
  if (can.is_phantom) return memory.value_or(LentMemory::attach);  // no content to copy
  if (memory == LentMemory::user && !is_in_window)
    throw Error(Status::bad_plan,
                "memory is user, but the matrix does not stand in a window; choose copy or attach, or leave "
                "it out");
  if (memory == LentMemory::attach && !can.reaches_attached && !is_on_one_node)
    throw Error(Status::bad_plan,
                "memory is attach, but between nodes the engine " + std::string(can.engine) +
                    " does not reach memory that it has not allocated; choose copy, or leave it out");
  if (memory) return *memory;
  if (is_in_window) return LentMemory::user;
  return can.reaches_attached ? LentMemory::attach : LentMemory::copy;
}

template <class T>
LentMatrix<T>::LentMatrix(comm::Rank& rank, const DistributedMatrix<T>& A, std::optional<LentMemory> memory)
    : A_(A), view_(A) {
  const auto me = static_cast<std::size_t>(rank.rank()), p = static_cast<std::size_t>(rank.size());
  const bool is_member = A.grid->holds(rank.rank());
  if (!is_member) A_.local = view_.local = {};
  // sums over ranks: leading dimensions by rank; number of ranks without a window; sum of node numbers
  ld_.resize(p + 2);
  ld_[me] = is_member ? A.local.ld : 0;
  ld_[p] = A.window ? 0 : 1;
  ld_[p + 1] = rank.node();
  comm::collective::all_reduce(rank, std::span<Index>(ld_), std::plus<>());
  memory_ = choose_memory(rank, memory, ld_[p] == 0, ld_[p + 1] == 0);
  ld_.resize(p);
  if (rank.capabilities().is_phantom) {
    own_ = rank.make_phantom_window(bytes_of(view_.local).size());
  } else if (memory_ == LentMemory::attach) {
    own_ = rank.attach(bytes_of(view_.local));
  } else if (memory_ == LentMemory::copy) {
    for (std::size_t r = 0; r < p; ++r)
      if (ld_[r] > 0) ld_[r] = padded_ld(A.rows.local_size(A.grid->position_of(static_cast<int>(r)).row));
    view_.local.ld = ld_[me];
    own_ = rank.make_window(static_cast<std::size_t>(view_.local.ld * view_.local.cols) * sizeof(T));
    view_.local.data = reinterpret_cast<T*>(own_->local().data());
    copy_into(A_.local, view_.local);
  }
  comm::stop_all_on_failure(rank, [&] { is_within_reach_ = can_reach_all_ranks(rank); });
}

/// Whether every rank can read all parts by plain loads. False in simulations, where loads would take no time.
template <class T>
bool LentMatrix<T>::can_reach_all_ranks(comm::Rank& rank) {
  if (rank.capabilities().virtual_time) return false;
  int missing = 0;
  for (int r = 0; r < rank.size(); ++r)
    if (window().size_at(r) > 0 && window().direct(r) == nullptr) ++missing;
  return comm::collective::all_reduce(rank, missing, std::plus<>()) == 0;
}

template <class T>
void LentMatrix<T>::copy_back() const {
  if (view_.local.data != A_.local.data) copy_into(view_.local, A_.local);
}

OVERLAPACK_INSTANTIATE_CLASS(LentMatrix);

}  // namespace overlapack::dist
