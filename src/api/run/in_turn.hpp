#pragma once
#include "api/run/interruption.hpp"
#include "base/public_call.hpp"
#include "comm/turns.hpp"

#include <utility>

namespace overlapack::api {

/// A public call of factors: what work() returns, for a caller whose threads take turns and whose limits of time begin here.
template <class Work>
decltype(auto) in_turn(call::Name name, comm::Turns& turns, Interruption& interruption, Work&& work) {
  const comm::Turn turn(turns);
  interruption.restart();
  return public_call(name, std::forward<Work>(work));
}

}  // namespace overlapack::api
