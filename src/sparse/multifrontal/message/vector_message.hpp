#pragma once
#include "sparse/multifrontal/message/front_header.hpp"

#include <span>
#include <utility>
#include <vector>

namespace overlapack::sparse::multifrontal {

/// What a solve sends about a front, in the kinds solve_part, strip_rhs and strip_sum: lines, one after the
/// other. A line has the numbers of one variable for all right-hand sides.
template <class T>
struct VectorMessage {
  Index front = -1;
  Index first_row = 0, rows = 0;  ///< strip_sum: the strip's rows
  std::span<const T> values;      ///< in a message

  template <class Numbers>
  std::pair<comm::Header, comm::Body> pack(MessageKind kind, Numbers numbers) const {
    return {header_for(kind, front, first_row, rows), comm::Body::adopt(std::move(numbers))};
  }
  static VectorMessage parse(const comm::Message& message) {
    const FrontHeader header(message);
    return {header.front, header.first, header.second, message.body.template as<T>()};
  }
};

}  // namespace overlapack::sparse::multifrontal
