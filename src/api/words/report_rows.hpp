#pragma once
#include "api/words/report_table.hpp"

#include <initializer_list>
#include <utility>
#include <vector>

/// The rows of the report's table, in files of their own.
namespace overlapack::api {

// Methods that a row is about
inline constexpr std::initializer_list<Method> by_fronts{Method::multifrontal};
inline constexpr std::initializer_list<Method> by_blocks{Method::block_triangular};
inline constexpr std::initializer_list<Method> with_ldlt{Method::multifrontal, Method::block_triangular};
inline constexpr std::initializer_list<Method> sparse_direct{Method::multifrontal, Method::block_triangular,
                                                             Method::supernodal};
inline constexpr std::initializer_list<Method> iterative{Method::jacobi, Method::multisplitting};
inline constexpr std::initializer_list<Method> direct{Method::multifrontal, Method::block_triangular,
                                                      Method::supernodal, Method::dense};

std::vector<ReportEntry> sparse_figure_rows();
std::vector<ReportEntry> prediction_rows();
std::vector<ReportEntry> rank_rows();
std::vector<ReportEntry> dense_rows();
std::vector<ReportEntry> iteration_rows();
std::vector<ReportEntry> multisplitting_rows();

/// The given rows, with their part and methods set.
inline std::vector<ReportEntry> rows_of(Part part, const std::vector<Method>& methods,
                                        std::vector<ReportEntry> rows) {
  for (ReportEntry& row : rows) {
    row.part = part;
    row.methods = methods;
  }
  return rows;
}

}  // namespace overlapack::api
