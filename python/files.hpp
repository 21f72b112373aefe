#pragma once
#include "overlapack/report.hpp"
#include "overlapack/trace.hpp"

#include <nanobind/nanobind.h>

#include <string>

namespace overlapack::python {

/// _core.read_matrix(path) -> (rows, cols, start, row, value), by compressed columns.
void bind_files(nanobind::module_& module);

/// Write the timeline of a run in the form that the name's ending says: .svg, .json (Trace Event Format) or .csv.
/// title: of a picture; "": method, ranks and n
/// Errors  BadInput for another ending, for a run without a trace, or if the file cannot be made
void write_timeline(const trace::Timeline& timeline, const Report& report, const std::string& path,
                    const std::string& title);

/// The timeline of a run as text. form: ".svg", ".json", ".csv", "shares" (a picture) or "words".
std::string timeline_text(const trace::Timeline& timeline, const Report& report, const std::string& form,
                          const std::string& title);

}  // namespace overlapack::python
