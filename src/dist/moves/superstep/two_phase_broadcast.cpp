#include "dist/moves/superstep/two_phase_broadcast.hpp"

#include <algorithm>

namespace overlapack::dist {

TwoPhaseBroadcast::TwoPhaseBroadcast(Lockstep step, std::vector<int> processes, int me, int root,
                                     std::size_t bytes, comm::Body body, std::shared_ptr<const Buffer> buffer)
    : step_(step),
      processes_(std::move(processes)),
      phases_(static_cast<int>(processes_.size())),
      me_(me),
      root_(root),
      bytes_(bytes),
      body_(std::move(body)),
      buffer_(std::move(buffer)) {
  if (!is_root() && bytes > 0 && buffer_->memory.data() != nullptr)
    body_ = comm::Body(buffer_, buffer_->memory.data(), bytes);
  if (!is_root() && buffer_->memory.data() == nullptr) body_ = comm::Body::phantom(bytes);
  if (!is_done()) put_pieces();
}

/// Piece in bytes; no scalar is cut in two.
TwoPhaseBroadcast::Piece TwoPhaseBroadcast::piece_of(int position) const {
  constexpr std::size_t scalar = 16;  // bytes of the largest scalar
  const Piece scalars = phases_.broadcast_piece(position, root_, (bytes_ + scalar - 1) / scalar);
  const std::size_t begin = std::min(scalars.begin * scalar, bytes_);
  return {begin, std::min(scalars.size * scalar, bytes_ - begin)};
}

void TwoPhaseBroadcast::put(int position, Piece piece) {
  if (piece.size == 0) return;
  const comm::Body part = body_.part(piece.begin, piece.size);
  step_.world.hpput(
      processes_[static_cast<std::size_t>(position)],
      is_root() || part.is_phantom() ? part : comm::Body(buffer_->storage, part.data(), part.size()),
      buffer_->slot, piece.begin);
}

/// Put this process's pieces for the next superstep.
void TwoPhaseBroadcast::put_pieces() {
  const bool is_scatter = next_ == 0;
  if (is_scatter && !is_root()) return;
  for (int position = 0; position < size(); ++position)
    if (position != me_ && position != root_) put(position, piece_of(is_scatter ? position : me_));
}

std::vector<int> TwoPhaseBroadcast::senders() const {
  std::vector<int> senders;
  if (is_root()) return senders;
  for (int position = 0; position < size(); ++position) {
    const bool is_scatter = next_ == 0, sends = is_scatter ? position == root_ : position != me_;
    if (sends && piece_of(is_scatter ? me_ : position).size > 0)
      senders.push_back(processes_[static_cast<std::size_t>(position)]);
  }
  return senders;
}

comm::Body TwoPhaseBroadcast::finish() {
  while (!is_done()) {
    step_.sync_computing(senders());
    ++next_;
    if (!is_done()) put_pieces();
  }
  return body_;
}

}  // namespace overlapack::dist
