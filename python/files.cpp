#include "files.hpp"

#include "arrays.hpp"
#include "gil.hpp"
#include "overlapack/error.hpp"
#include "overlapack/io.hpp"
#include "overlapack/trace.hpp"

#include <nanobind/stl/string.h>

#include <functional>
#include <sstream>

namespace nb = nanobind;

namespace overlapack::python {
namespace {

/// Call read() without the GIL. Returns (rows, cols, indptr, indices, data, the reader's assumption about the file).
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

using Writer = std::function<void(std::ostream&)>;

/// Title of a picture: method, ranks and n.
std::string title_of(const Report& r) {
  const std::string ranks = std::to_string(r.ranks) + (r.ranks == 1 ? " rank" : " ranks");
  const std::string method = r.factorization.empty() ? r.method : r.method + " " + r.factorization;
  return method + " on " + ranks + ", n = " + std::to_string(r.n);
}

/// The writer for a form, or for a file name that ends in one; null for an unknown form.
Writer writer_of(const trace::Timeline& timeline, std::string_view form, const std::string& title) {
  if (form.ends_with(".svg"))
    return [&timeline, title](std::ostream& out) {
      trace::write_svg(out, timeline, title, trace::critical_path(timeline));
    };
  if (form.ends_with(".json")) return [&](std::ostream& out) { trace::write_chrome_trace(out, timeline); };
  if (form.ends_with(".csv")) return [&](std::ostream& out) { trace::write_csv(out, timeline); };
  if (form == "shares")
    return [&timeline, title](std::ostream& out) { trace::write_summary_chart(out, timeline, title); };
  if (form == "words") return [&](std::ostream& out) { out << trace::in_words(timeline); };
  return nullptr;
}

/// Errors  BadInput as write_timeline
Writer writer_for(const trace::Timeline& timeline, const Report& report, const std::string& form,
                  const std::string& title) {
  const Writer write = writer_of(timeline, form, title.empty() ? title_of(report) : title);
  if (!write)
    throw Error(Status::bad_input, form + ": a timeline is written as .svg, .json or .csv; choose one");
  if (timeline.events().empty())
    throw Error(Status::bad_input, "there are no events to write; factorise with trace=True");
  return write;
}

}  // namespace

void write_timeline(const trace::Timeline& timeline, const Report& report, const std::string& path,
                    const std::string& title) {
  io::write_file(path, writer_for(timeline, report, path, title));
}

std::string timeline_text(const trace::Timeline& timeline, const Report& report, const std::string& form,
                          const std::string& title) {
  std::ostringstream out;
  writer_for(timeline, report, form, title)(out);
  return out.str();
}

void bind_files(nb::module_& module) {
  module.def("read_matrix", &read_matrix, nb::arg("path"));
  module.def("read_matrix_bytes", &read_matrix_bytes, nb::arg("bytes"), nb::arg("name"));
}

}  // namespace overlapack::python
