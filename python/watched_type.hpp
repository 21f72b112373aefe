#pragma once
#include "progress_watch.hpp"

#include <nanobind/nanobind.h>

namespace overlapack::python {

/// Functions for Python's garbage collector. The user's progress function may refer to the object that it watches, and by these functions the
/// collector finds the cycle. T: a class with watch().
template <class T>
int traverse(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(Py_TYPE(self));
  if (!nanobind::inst_ready(self)) return 0;
  PyObject* const callback = nanobind::inst_ptr<T>(self)->watch().callback();
  Py_VISIT(callback);
  return 0;
}
template <class T>
int clear(PyObject* self) {
  if (nanobind::inst_ready(self)) nanobind::inst_ptr<T>(self)->watch().forget();
  return 0;
}
template <class T>
inline PyType_Slot watched_slots[] = {{Py_tp_traverse, reinterpret_cast<void*>(traverse<T>)},
                                      {Py_tp_clear, reinterpret_cast<void*>(clear<T>)},
                                      {0, nullptr}};

}  // namespace overlapack::python
