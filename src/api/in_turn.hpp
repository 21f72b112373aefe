#pragma once
#include "api/interruption.hpp"
#include "api/within_memory.hpp"
#include "comm/turns.hpp"

#include <utility>

namespace overlapack::api {

/// What work() returns, for a caller whose threads take turns and whose limits of time begin here.
template <class Work>
decltype(auto) in_turn(comm::Turns& turns, Interruption& interruption, Work&& work) {
  const comm::Turn turn(turns);
  interruption.restart();
  return within_memory(std::forward<Work>(work));
}

}  // namespace overlapack::api
