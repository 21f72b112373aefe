#pragma once
#include "gil.hpp"
#include "overlapack/environment.hpp"
#include "overlapack/error.hpp"
#include "progress_watch.hpp"

#include <nanobind/ndarray.h>

#include <cstdint>
#include <memory>
#include <string_view>

namespace overlapack::python {

template <class T>
using InputVector =
    nanobind::ndarray<const T, nanobind::shape<-1>, nanobind::c_contig, nanobind::device::cpu>;
template <class T>
using InputColumns = nanobind::ndarray<const T, nanobind::ndim<2>, nanobind::f_contig, nanobind::device::cpu>;
/// A dense matrix from Python, stored by columns or by rows.
template <class T>
using InputMatrix = nanobind::ndarray<const T, nanobind::ndim<2>, nanobind::device::cpu>;

/// The options of one call into the library: from JSON, and those that JSON cannot carry.
class Settings {
 public:
  Settings() : watch(std::make_shared<ProgressWatch>(nanobind::none())) { connect_progress(); }
  Settings(std::string_view json, InputVector<Index> user_order, InputVector<std::int8_t> signs,
           nanobind::object progress, std::uintptr_t communicator, bool is_collective)
      : watch(std::make_shared<ProgressWatch>(std::move(progress))) {
    const void* const address = reinterpret_cast<const void*>(communicator);
    options.run.mpi_communicator = address;
    const auto read = [&] { options = options_from_json(json); };
    if (is_collective) {
      const GilReleased released;
      refuse_together(Options(options), read);
    } else {
      read();
    }
    options.sparse.user_order.assign(user_order.data(), user_order.data() + user_order.size());
    options.sparse.signs.assign(signs.data(), signs.data() + signs.size());
    options.run.mpi_communicator = address;
    connect_progress();
  }

  /// Whether ranks are processes, so that an error of one rank must be raised on all.
  bool ranks_are_processes() const { return engine_name(options) != "thread"; }

  std::shared_ptr<ProgressWatch> watch;
  Options options;

 private:
  void connect_progress() {
    options.progress = [watch = watch](const Progress& progress) { return watch->should_stop(progress); };
  }
};

/// Run f without the GIL; a Python exception that the watch caught meanwhile takes precedence over f's.
template <class F>
auto watched(ProgressWatch& watch, F&& f) {
  try {
    const GilReleased released;
    return f();
  } catch (const Error&) {
    watch.raise_pending();
    throw;
  }
}

}  // namespace overlapack::python
