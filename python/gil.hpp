#pragma once
#include <nanobind/nanobind.h>

#include <cxxabi.h>
#include <unistd.h>
#include <utility>

namespace overlapack::python {

[[noreturn]] inline void stay() {
  for (;;) pause();
}

/// The thread that ends the interpreter, whose finalisers may call us: written before Py_IsInitialized turns false, read after.
inline unsigned long ending_thread = 0;

/// Does the interpreter end on another thread, or has it gone with its lock, while the process still does what C and C++ do at their end?
inline bool has_ended() { return !Py_IsInitialized() && PyThread_get_thread_ident() != ending_thread; }

/// Run f, which asks for the GIL or runs Python. At the end of the interpreter Python, until 3.13, ends the other threads that do so by
/// unwinding their stacks, which destructors and functions that throw nothing do not survive: such a thread stays here until the
/// process has gone, as from 3.14 on.
template <class F>
decltype(auto) staying(F&& f) {
  if (has_ended()) stay();
#ifdef __GLIBCXX__
  try {
    return std::forward<F>(f)();
  } catch (const abi::__forced_unwind&) {
    stay();
  }
#else
  return std::forward<F>(f)();
#endif
}

/// Without the GIL, that others run Python.
class GilReleased {
 public:
  GilReleased() : state_(PyEval_SaveThread()) {}
  ~GilReleased() {
    staying([this] { PyEval_RestoreThread(state_); });
  }
  GilReleased(const GilReleased&) = delete;
  GilReleased& operator=(const GilReleased&) = delete;

 private:
  PyThreadState* state_;
};

/// With the GIL, where a call of ours does without it.
class GilHeld {
 public:
  GilHeld() : state_(staying([] { return PyGILState_Ensure(); })) {}
  ~GilHeld() { PyGILState_Release(state_); }
  GilHeld(const GilHeld&) = delete;
  GilHeld& operator=(const GilHeld&) = delete;

 private:
  PyGILState_STATE state_;
};

}  // namespace overlapack::python
