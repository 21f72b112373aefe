#pragma once
#include "api/report_table.hpp"

/// The rows of the table of reports that stand beside what they tell of.
namespace overlapack::api {

std::vector<ReportEntry> dense_rows();
std::vector<ReportEntry> iteration_rows();
std::vector<ReportEntry> multisplitting_rows();

/// These rows, of one part, as those of some methods.
inline std::vector<ReportEntry> rows_of(Part part, const std::vector<Method>& methods,
                                        std::vector<ReportEntry> rows) {
  for (ReportEntry& row : rows) {
    row.part = part;
    row.methods = methods;
  }
  return rows;
}

}  // namespace overlapack::api
