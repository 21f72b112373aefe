/// overlapack._core: the C++ library as the functions that python/overlapack calls. No numerics, no choices:
/// arrays come in as overlapack/_matrix.py makes them, options and reports travel as JSON.
#include "batch.hpp"
#include "dense.hpp"
#include "factors.hpp"
#include "files.hpp"
#include "gil.hpp"
#include "iterative.hpp"
#include "kept.hpp"
#include "overlapack/option_text.hpp"
#include "overlapack/overlapack.hpp"
#include "overlapack/printed.hpp"
#include "schur.hpp"
#include "settings.hpp"
#include "watched_type.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <new>

namespace nb = nanobind;
using namespace nb::literals;

namespace overlapack::python {
namespace {

/// Raise an Error as the exception class of its status, made by overlapack/_errors.py.
void raise(std::string_view kind, std::string_view where, const char* message) {
  run_unless_ended([&] {
    nb::object make = nb::module_::import_("overlapack._errors").attr("make_error");
    nb::object exception = make(kind, where, message);
    PyErr_SetObject(exception.type().ptr(), exception.ptr());
  });
}

void translate(const std::exception_ptr& thrown, void*) {
  const Error error = error_of(thrown);
  raise(to_string(error.status()), error.where(), error.what());
}

void bind_processes(nb::module_& module) {
  nb::class_<Processes>(module, "Processes")
      .def("__init__",
           [](Processes* self, const Settings& settings) {
             const GilReleased released;
             new (self) Processes(settings.options);
           })
      .def("rank", &Processes::rank)
      .def("size", &Processes::size)
      .def(
          "tell",
          [](Processes& processes, const std::string& mine) {
            const GilReleased released;
            return processes.tell(mine);
          },
          "mine"_a);
}

}  // namespace
}  // namespace overlapack::python

// Called by PyInit__core below.
NB_MODULE(_core_of_process, module) {
  using namespace overlapack::python;
  nb::register_exception_translator(translate);
  nb::class_<Settings>(module, "Settings")
      .def(nb::init<>())
      .def(nb::init<std::string_view, InputVector<overlapack::Index>, InputVector<std::int8_t>, nb::object,
                    std::uintptr_t, bool>(),
           "options"_a, "user_order"_a, "signs"_a, "progress"_a.none(), "communicator"_a, "is_collective"_a)
      .def("ranks_are_processes", &Settings::ranks_are_processes);
  bind_processes(module);
  module.def(
      "refuse_together",
      [](std::uintptr_t communicator, const std::string& kind, const std::string& message) {
        overlapack::Options options;
        options.run.mpi_communicator = reinterpret_cast<const void*>(communicator);
        const auto refuse = [&] {
          using overlapack::Status;
          throw overlapack::Error(kind == "bad_input" ? Status::bad_input : Status::bad_plan, message)
              .in("python");
        };
        const GilReleased released;
        overlapack::refuse_together(options, refuse);
      },
      "communicator"_a, "kind"_a, "message"_a);
  bind_factors(module);
  bind_schur(module);
  bind_dense(module);
  bind_batch(module);
  bind_iterative(module);
  bind_kept(module);
  bind_files(module);
  module.def(
      "type_of_factors",
      [](const std::string& path) {
        constexpr std::string_view names[] = {"Float32", "Float64", "Complex64", "Complex128"};
        return names[static_cast<std::size_t>(overlapack::type_of_factors(path))];
      },
      "path"_a);
  module.def(
      "begin_end",
      [](bool has_other_threads) {
        ending_thread = PyThread_get_thread_ident();
        if (has_other_threads) nb::set_leak_warnings(false);  // factors held by other threads are no leak
      },
      "has_other_threads"_a);
  module.def("available_memory_bytes", &overlapack::available_memory_bytes);
  module.def("option_groups", [] {
    std::vector<std::pair<std::string_view, std::string_view>> names;
    for (const auto& option : overlapack::describe_options())
      if (option.tier != overlapack::OptionTier::experiment) names.emplace_back(option.name, option.group);
    return names;
  });
  module.def("bytes_text", &overlapack::bytes_text);
  module.def("options_schema", &overlapack::options_schema_json);
  module.def("report_schema", &overlapack::report_schema_json);
}

/// The library's teams, memory and MPI belong to the process: another interpreter would use them under a lock of its own. It is refused
/// before nanobind's part runs there, which would forget the types of the main interpreter.
extern "C" NB_EXPORT PyObject* PyInit__core() {
  if (PyInterpreterState_GetID(PyInterpreterState_Get()) ==
      0)  // of the main one, also in the stable interface
    return PyInit__core_of_process();
  PyErr_SetString(
      PyExc_ImportError,
      "overlapack cannot be used in a sub-interpreter of Python; import it in the main one, or in "
      "another process");
  return nullptr;
}
