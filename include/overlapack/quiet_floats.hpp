#pragma once
#include "overlapack/export.hpp"

#include <cfenv>

namespace overlapack {

/// While it lives, operations of its thread do not trap. Afterwards the thread traps as before, and the flags of exceptions
/// (FE_INVALID and others) are those from before. Inside another one it does nothing.
///
/// Public functions of the library have one for the call. Traps belong to a thread: the ranks of a run that are threads trap as
/// its caller does, helper threads never.
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

/// For a callback inside a QuietFloats: while it lives, the thread traps and keeps flags as its caller does.
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
