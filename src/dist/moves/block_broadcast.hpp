#pragma once
#include "base/matrix_view.hpp"
#include "comm/collective/broadcast/broadcast.hpp"

#include <algorithm>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

namespace overlapack::dist {

/// Where a block of A stands in its owner's part: local numbers, known to all who get it.
struct LocalBlock {
  Index row = 0, col = 0, rows = 0, cols = 0;
  Index copied_ld = 1;  ///< leading dimension of a copy
};

/// What a broadcast of a block brings: the bytes before it, and the block, in `body` or where it stands in its owner's part.
template <class T>
struct SentBlock {
  comm::Body head;
  MatrixView<const T> block;
  comm::Body body;
};

/// A block of A, and some bytes before it, under way to a group.
template <class T>
class BlockBroadcast {
 public:
  virtual ~BlockBroadcast() = default;
  /// Wait until it is here. Called once.
  virtual SentBlock<T> finish() = 0;
};

/// As one body: the bytes before the block, then a copy of it.
template <class T>
class PackedBlock final : public BlockBroadcast<T> {
 public:
  PackedBlock(std::size_t head_bytes, const LocalBlock& at,
              std::unique_ptr<comm::collective::Broadcast> broadcast)
      : head_bytes_(head_bytes), at_(at), broadcast_(std::move(broadcast)) {}

  static std::size_t bytes(std::size_t head_bytes, const LocalBlock& at) {
    return head_bytes + static_cast<std::size_t>(at.copied_ld * at.cols) * sizeof(T);
  }
  static comm::Body packed(const comm::Body& head, const LocalBlock& at, MatrixView<const T> block) {
    std::vector<std::byte> bytes(PackedBlock::bytes(head.size(), at));
    if (!head.empty()) std::memcpy(bytes.data(), head.data(), head.size());
    T* const to = reinterpret_cast<T*>(bytes.data() + head.size());
    for (Index j = 0; j < at.cols; ++j) std::copy_n(block.column(j), at.rows, to + j * at.copied_ld);
    return comm::Body::adopt(std::move(bytes));
  }

  SentBlock<T> finish() override {
    comm::Body body = broadcast_->finish();
    const comm::Body block = body.part(head_bytes_, body.size() - head_bytes_);
    return {body.part(0, head_bytes_),
            {block.template as<T>().data(), at_.rows, at_.cols, at_.copied_ld},
            std::move(body)};
  }

 private:
  std::size_t head_bytes_;
  LocalBlock at_;
  std::unique_ptr<comm::collective::Broadcast> broadcast_;
};

}  // namespace overlapack::dist
