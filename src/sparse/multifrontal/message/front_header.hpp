#pragma once
#include "comm/message.hpp"
#include "overlapack/scalar.hpp"
#include "sparse/multifrontal/message/message_kinds.hpp"

namespace overlapack::sparse::multifrontal {

/// The header of a message about a front, with up to three numbers more. Ids 0 and 1 are the walk's.
inline comm::Header header_for(MessageKind kind, Index front, Index first = 0, Index second = 0,
                               Index third = 0) {
  comm::Header header;
  header.kind = kind;
  header.id = {0, 0, front, first, second, third};
  return header;
}

/// The front that a message is about, whatever its kind.
inline Index front_of(const comm::Message& message) { return message.header.id[2]; }

/// The numbers of header_for.
struct FrontHeader {
  explicit FrontHeader(const comm::Message& message)
      : front(front_of(message)),
        first(message.header.id[3]),
        second(message.header.id[4]),
        third(message.header.id[5]) {}

  Index front, first, second, third;
};

}  // namespace overlapack::sparse::multifrontal
