#pragma once
#include "api/run/interruption.hpp"
#include "base/public_call.hpp"
#include "comm/call_mutex.hpp"

#include <utility>

namespace overlapack::api {

/// Return work(), run as one public call on an object: calls from several threads are serialised, and the time limit starts here.
template <class Work>
decltype(auto) locked_call(call::Name name, comm::CallMutex& calls, Interruption& interruption, Work&& work) {
  const comm::CallLock turn(calls);
  interruption.begin_call();
  return public_call(name, std::forward<Work>(work));
}

}  // namespace overlapack::api
