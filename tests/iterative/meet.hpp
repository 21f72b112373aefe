#pragma once
#include "comm/receive.hpp"

namespace overlapack::comm::conformance {

/// After a CheckedRank is gone: nobody goes on before everybody is here, without the lanes that a CheckedRank has used: what it holds of them is lost with it.
inline void meet(Rank& engine) {
  for (int to = 0; to < engine.size(); ++to) engine.start_send(Lane::user, to, {}, {});
  for (int from = 0; from < engine.size(); ++from) receive(engine, Lane::user, from);
}

}  // namespace overlapack::comm::conformance
