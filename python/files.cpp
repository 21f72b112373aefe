#include "files.hpp"

#include "api/io/read_matrix.hpp"
#include "arrays.hpp"

#include <nanobind/stl/string.h>

namespace nb = nanobind;

namespace overlapack::python {
namespace {

nb::tuple read_matrix(const std::string& path) {
  api::MatrixFile file = [&] {
    nb::gil_scoped_release released;
    return api::read_matrix(path);
  }();
  return std::visit(
      [](auto& A) {
        return nb::make_tuple(A.rows, A.cols, as_numpy(std::move(A.start)), as_numpy(std::move(A.row)),
                              as_numpy(std::move(A.value)));
      },
      file.matrix);
}

}  // namespace

void bind_files(nb::module_& module) { module.def("read_matrix", &read_matrix, nb::arg("path")); }

}  // namespace overlapack::python
