#pragma once
#include "comm/message.hpp"
#include "sparse/multifrontal/front.hpp"

#include <cstdint>
#include <utility>
#include <vector>

namespace overlapack::sparse {

/// A contribution between ranks: up to two messages, the delayed part first, then the block.
/// ids of the header: 2 = front, 3 = d (delayed), 4 = m (border), 5 = 1 if the block is a packed lower triangle.
enum ContributionKind : std::int32_t { delayed_part = 1, block_part = 2 };

/// The d > 0 delayed variables of a front: row names, column names, square, rows, cols (LU only), one after the other.
template <class T>
std::pair<comm::Header, comm::Body> pack_delayed(const Contribution<T>& c);

/// The block of a front, which gives it up: handed over as it is where memory is shared or the matrix unsymmetric,
/// else packed by columns of its lower triangle.
template <class T>
std::pair<comm::Header, comm::Body> pack_block(Front<T>& front, bool pack_lower);

/// A contribution of another rank's front, as it comes in; the names stay for the solves.
template <class T>
class RemoteContribution {
 public:
  /// Keep a message; a packed block is spread out again.
  void take(comm::Message message);
  /// Views on what came; valid until release.
  Contribution<T> contribution() const;
  /// Let the numbers go, keep the names.
  void release();
  std::size_t bytes() const { return delayed_.size() + block_.size(); }

  const std::vector<std::int32_t>& row_name() const { return row_name_; }
  const std::vector<std::int32_t>& col_name() const { return col_name_; }

 private:
  Index front_ = -1, border_ = 0;
  bool has_cols_ = false;
  std::vector<std::int32_t> row_name_, col_name_;  ///< of the delayed variables
  comm::Body delayed_, block_;
};

}  // namespace overlapack::sparse
