#pragma once
#include "overlapack/error.hpp"
#include "overlapack/quiet_floats.hpp"
#include "overlapack/report.hpp"

#include <exception>
#include <string>
#include <utility>

namespace overlapack::dropins {

/// How a call of the library ended, for interfaces with codes and no exceptions.
struct Outcome {
  Status status = Status::ok;
  std::string message;  ///< one sentence where status is not ok
};

/// Call f(); an exception becomes an Outcome.
template <class F>
Outcome attempt(F&& f) {
  const QuietFloats quiet;
  try {
    return std::forward<F>(f)();
  } catch (...) {
    const Error error = error_of(std::current_exception());
    return {error.status(), error.what()};
  }
}

/// The outcome of a solve: ok and inaccurate both have set x.
inline Outcome outcome_of(const Report& report) { return {report.status, report.message}; }

}  // namespace overlapack::dropins
