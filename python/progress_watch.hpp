#pragma once
#include "gil.hpp"
#include "overlapack/options.hpp"

#include <nanobind/nanobind.h>

#include <optional>

namespace overlapack::python {

/// Called by the library while it works without the GIL: looks for Ctrl-C and calls the user's progress function. A Python exception
/// from either is stored, the run is stopped, and raise_pending throws it. Made, called and destroyed on threads that may take the
/// GIL; destroyed with it held.
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
        pending_.emplace(std::move(error));
        return true;
      }
    });
  }

  /// Throw the exception that stopped the run, if one did. With the GIL held.
  void raise_pending() {
    if (!pending_) return;
    nanobind::python_error error = std::move(*pending_);
    pending_.reset();
    throw error;
  }

  /// Borrowed; None if there is none.
  PyObject* callback() const { return callback_.ptr(); }
  void forget() { callback_ = nanobind::none(); }

 private:
  static bool is_true(const nanobind::object& answer) {
    const int truth = PyObject_IsTrue(answer.ptr());
    if (truth < 0) throw nanobind::python_error();
    return truth == 1;
  }

  nanobind::object callback_;
  std::optional<nanobind::python_error> pending_;
};

}  // namespace overlapack::python
