#pragma once
#include "gil.hpp"
#include "overlapack/options.hpp"

#include <nanobind/nanobind.h>

#include <map>
#include <utility>

namespace overlapack::python {

/// The progress function that the library calls while it works without the GIL. It checks for Ctrl-C and calls the user's progress function. If
/// one of these raises a Python exception, the exception is stored, the run is stopped, and raise_pending throws it. A watch is made, called and
/// destroyed on threads that may take the GIL, and destroyed with the GIL held. A call of the library calls it on its own thread.
class ProgressWatch {
 public:
  explicit ProgressWatch(nanobind::object callback) : callback_(std::move(callback)) {}

  bool should_stop(const Progress& progress) {
    const GilHeld gil;
    return run_unless_ended([&] {
      try {
        if (PyErr_CheckSignals() != 0) throw nanobind::python_error();
        return !callback_.is_none() && is_true(callback_(progress.phase, progress.share));
      } catch (nanobind::python_error& error) {
        pending_.erase(PyThread_get_thread_ident());
        pending_.emplace(PyThread_get_thread_ident(), std::move(error));
        return true;
      }
    });
  }

  /// Throw the exception that stopped the run of this thread, if there is one. Called with the GIL held.
  void raise_pending() {
    auto own = pending_.extract(PyThread_get_thread_ident());
    if (!own.empty()) throw std::move(own.mapped());
  }

  /// The user's function as a borrowed reference; None if there is none.
  PyObject* callback() const { return callback_.ptr(); }
  void forget() { callback_ = nanobind::none(); }

 private:
  static bool is_true(const nanobind::object& answer) {
    const int truth = PyObject_IsTrue(answer.ptr());
    if (truth < 0) throw nanobind::python_error();
    return truth == 1;
  }

  nanobind::object callback_;
  /// The next thread's call on the same object may raise before this one's has thrown.
  std::map<unsigned long, nanobind::python_error> pending_;
};

}  // namespace overlapack::python
