#pragma once
#include <nanobind/nanobind.h>

#include <cxxabi.h>
#include <unistd.h>
#include <utility>

namespace overlapack::python {

[[noreturn]] inline void wait_for_exit() {
  for (;;) pause();
}

/// The thread that ends the interpreter, whose finalisers may call this module. It is written before Py_IsInitialized becomes false, and read
/// afterwards.
inline unsigned long ending_thread = 0;

/// Whether the interpreter is ending on another thread, or has already ended, while the process still runs exit handlers of C and C++.
inline bool has_ended() { return !Py_IsInitialized() && PyThread_get_thread_ident() != ending_thread; }

/// Run f, which takes the GIL or runs Python. When the interpreter ends, Python before 3.14 ends other threads that do so by unwinding their
/// stacks, which destructors and noexcept functions do not survive. Therefore such a thread waits here until the process ends, as Python 3.14
/// does it itself.
template <class F>
decltype(auto) run_unless_ended(F&& f) {
  if (has_ended()) wait_for_exit();
#ifdef __GLIBCXX__
  try {
    return std::forward<F>(f)();
  } catch (const abi::__forced_unwind&) {
    wait_for_exit();
  }
#else
  return std::forward<F>(f)();
#endif
}

/// Releases the GIL, so that other threads run Python.
class GilReleased {
 public:
  GilReleased() : state_(PyEval_SaveThread()) {}
  ~GilReleased() {
    run_unless_ended([this] { PyEval_RestoreThread(state_); });
  }
  GilReleased(const GilReleased&) = delete;
  GilReleased& operator=(const GilReleased&) = delete;

 private:
  PyThreadState* state_;
};

/// Return f(), run without the GIL. Code that waits for a call of another thread must use it, since the progress function of that call takes the
/// GIL.
template <class F>
auto unlocked(F&& f) {
  const GilReleased released;
  return std::forward<F>(f)();
}

/// Takes the GIL inside a call that has released it.
class GilHeld {
 public:
  GilHeld() : state_(run_unless_ended([] { return PyGILState_Ensure(); })) {}
  ~GilHeld() { PyGILState_Release(state_); }
  GilHeld(const GilHeld&) = delete;
  GilHeld& operator=(const GilHeld&) = delete;

 private:
  PyGILState_STATE state_;
};

}  // namespace overlapack::python
