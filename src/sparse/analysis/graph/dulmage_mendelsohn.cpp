#include "sparse/analysis/graph/dulmage_mendelsohn.hpp"

#include <algorithm>

namespace overlapack::sparse {
namespace {

/// Mark all lines (rows or columns) that alternating paths reach from the unmatched lines of one kind: by entries to lines of the other kind,
/// and by the matching back.
/// start, other: the entries of each line; partner: the partners of the other kind's lines, -1: none
void reach(std::span<const Index> start, std::span<const Index> other, std::span<const Index> partner_of_mine,
           std::span<const Index> partner, CoarsePart part, std::vector<CoarsePart>& mine,
           std::vector<CoarsePart>& theirs) {
  std::vector<Index> open;
  for (Index v = 0; v < static_cast<Index>(mine.size()); ++v)
    if (partner_of_mine[v] < 0) {
      mine[v] = part;
      open.push_back(v);
    }
  while (!open.empty()) {
    const Index v = open.back();
    open.pop_back();
    for (Index p = start[v]; p < start[v + 1]; ++p) {
      const Index w = other[p];
      if (theirs[w] == part) continue;
      theirs[w] = part;
      const Index back = partner[w];
      if (back < 0 || mine[back] == part) continue;
      mine[back] = part;
      open.push_back(back);
    }
  }
}

struct Rows {
  std::vector<Index> start, column;
};

Rows by_rows(std::span<const Index> start, std::span<const Index> row) {
  Rows rows{std::vector<Index>(start.size(), 0), std::vector<Index>(row.size())};
  for (const Index i : row) ++rows.start[i + 1];
  for (std::size_t i = 1; i < rows.start.size(); ++i) rows.start[i] += rows.start[i - 1];
  std::vector<Index> next(rows.start.begin(), rows.start.end() - 1);
  for (Index j = 0; j + 1 < static_cast<Index>(start.size()); ++j)
    for (Index p = start[j]; p < start[j + 1]; ++p) rows.column[next[row[p]]++] = j;
  return rows;
}

}  // namespace

DulmageMendelsohn dulmage_mendelsohn(std::span<const Index> start, std::span<const Index> row,
                                     std::span<const Index> row_of_column) {
  const std::size_t n = row_of_column.size();
  std::vector<Index> column_of_row(n, -1);
  for (std::size_t j = 0; j < n; ++j)
    if (row_of_column[j] >= 0) column_of_row[row_of_column[j]] = static_cast<Index>(j);
  DulmageMendelsohn parts{std::vector<CoarsePart>(n, CoarsePart::square),
                          std::vector<CoarsePart>(n, CoarsePart::square)};
  reach(start, row, row_of_column, column_of_row, CoarsePart::under, parts.column, parts.row);
  const Rows rows = by_rows(start, row);
  reach(rows.start, rows.column, column_of_row, row_of_column, CoarsePart::over, parts.row, parts.column);
  parts.under_rows = std::ranges::count(parts.row, CoarsePart::under);
  parts.under_columns = std::ranges::count(parts.column, CoarsePart::under);
  parts.over_rows = std::ranges::count(parts.row, CoarsePart::over);
  parts.over_columns = std::ranges::count(parts.column, CoarsePart::over);
  return parts;
}

}  // namespace overlapack::sparse
