#include "files.hpp"

#include "arrays.hpp"
#include "gil.hpp"
#include "overlapack/error.hpp"
#include "overlapack/io.hpp"
#include "overlapack/trace.hpp"

#include <nanobind/stl/string.h>

namespace nb = nanobind;

namespace overlapack::python {
namespace {

/// What read() returns, without the interpreter's lock: (rows, cols, indptr, indices, data, what was assumed).
template <class Read>
nb::tuple read_unlocked(Read read) {
  io::MatrixFile file = [&] {
    const GilReleased released;
    return read();
  }();
  return std::visit(
      [&](auto& A) {
        return nb::make_tuple(A.rows, A.cols, as_numpy(std::move(A.start)), as_numpy(std::move(A.row)),
                              as_numpy(std::move(A.value)), file.facts.assumed);
      },
      file.matrix);
}

nb::tuple read_matrix(const std::string& path) {
  return read_unlocked([&] { return io::read_matrix(path); });
}

nb::tuple read_matrix_bytes(const nb::bytes& bytes, const std::string& name) {
  return read_unlocked([text = std::string_view(bytes.c_str(), bytes.size()), &name] {
    return io::read_matrix_bytes(text, name);
  });
}

using Writer = void (*)(std::ostream&, const trace::Timeline&);

Writer writer_for(const std::string& path) {
  if (path.ends_with(".svg"))
    return [](std::ostream& out, const trace::Timeline& t) { trace::write_svg(out, t); };
  if (path.ends_with(".json")) return trace::write_chrome_trace;
  if (path.ends_with(".csv")) return trace::write_csv;
  throw Error(ErrorKind::bad_input, "timeline",
              path + ": a timeline is written as .svg, .json or .csv; choose one");
}

}  // namespace

void write_timeline(const trace::Timeline& timeline, const std::string& path) {
  const Writer write = writer_for(path);
  if (timeline.events().empty())
    throw Error(ErrorKind::bad_input, "timeline", "there are no events to write; factorise with trace=True");
  io::write_file(path, [&](std::ostream& out) { write(out, timeline); });
}

void bind_files(nb::module_& module) {
  module.def("read_matrix", &read_matrix, nb::arg("path"));
  module.def("read_matrix_bytes", &read_matrix_bytes, nb::arg("bytes"), nb::arg("name"));
}

}  // namespace overlapack::python
