#pragma once
#include "overlapack/export.hpp"

#include <cfenv>

namespace overlapack {

/// A guard against floating-point traps. While the object lives, operations of its thread do not trap. Its destructor restores the
/// thread's traps and the flags of exceptions (FE_INVALID and others) from before. Inside another QuietFloats it does nothing.
///
/// Each public function of the library has one for the time of the call. Traps belong to a thread: ranks that are threads trap as the
/// caller of the run does, and helper threads never trap.
class OVERLAPACK_API QuietFloats {
 public:
  QuietFloats();
  ~QuietFloats();
  QuietFloats(const QuietFloats&) = delete;
  QuietFloats& operator=(const QuietFloats&) = delete;

 private:
  friend class CallersFloats;
  std::fenv_t before_;
  bool is_outermost_;
};

/// The reverse, around a callback of the caller inside a QuietFloats: while the object lives, the thread's traps and flags are those of
/// the caller.
class OVERLAPACK_API CallersFloats {
 public:
  CallersFloats();
  ~CallersFloats();
  CallersFloats(const CallersFloats&) = delete;
  CallersFloats& operator=(const CallersFloats&) = delete;

 private:
  QuietFloats* const outermost_;
  std::fenv_t quiet_;
};

}  // namespace overlapack
