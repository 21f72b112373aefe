#pragma once
#include "base/matrix_view.hpp"
#include "comm/collective/broadcast/broadcast.hpp"
#include "comm/rank.hpp"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

namespace overlapack::dist {

/// Where a block of A stands in its owner's part, by local indices that all receivers know.
struct LocalBlock {
  Index row = 0, col = 0, rows = 0, cols = 0;
  Index copied_ld = 1;  ///< leading dimension of a copy
};

/// Bytes that are sent before a block: on the root, write(to) puts `bytes` bytes to `to`.
struct BlockHead {
  std::size_t bytes;
  comm::FunctionRef<void(std::byte*)> write;
};

/// Result of a broadcast of a block: the head bytes and the block. The block is a view of `body`, or of its owner's part of A.
template <class T>
struct SentBlock {
  comm::Body head;
  MatrixView<const T> block;
  comm::Body body;
};

/// Broadcast of a block of A, with some head bytes, to a group (Moves::start_block). Disciplines differ in whether the block is
/// copied.
template <class T>
class BlockBroadcast {
 public:
  virtual ~BlockBroadcast() = default;
  /// Whether finish() would not wait.
  virtual bool has_arrived() const = 0;
  /// Wait until the block is here, and return it. Called once.
  virtual SentBlock<T> finish() = 0;
};

/// A block that is sent as one body: the head bytes, then a copy of the block.
template <class T>
class PackedBlock final : public BlockBroadcast<T> {
 public:
  PackedBlock(std::size_t head_bytes, const LocalBlock& at,
              std::unique_ptr<comm::collective::Broadcast> broadcast)
      : head_bytes_(head_bytes), at_(at), broadcast_(std::move(broadcast)) {}

  static std::size_t bytes(std::size_t head_bytes, const LocalBlock& at) {
    return head_bytes + static_cast<std::size_t>(at.copied_ld * at.cols) * sizeof(T);
  }
  static comm::Body packed(const BlockHead& head, const LocalBlock& at, MatrixView<const T> block) {
    std::vector<std::byte> bytes(PackedBlock::bytes(head.bytes, at));
    head.write(bytes.data());
    T* const to = reinterpret_cast<T*>(bytes.data() + head.bytes);
    for (Index j = 0; j < at.cols; ++j) std::copy_n(block.column(j), at.rows, to + j * at.copied_ld);
    return comm::Body::adopt(std::move(bytes));
  }

  bool has_arrived() const override { return broadcast_->is_done(); }
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
