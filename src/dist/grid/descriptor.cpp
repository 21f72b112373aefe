#include "dist/grid/descriptor.hpp"

#include <limits>
#include <string>
#include <string_view>

namespace overlapack::dist {

namespace {

constexpr std::string_view names[] = {"DTYPE_", "CTXT_", "M_", "N_", "MB_", "NB_", "RSRC_", "CSRC_", "LLD_"};

DescriptorFault fault(DescriptorView descriptor, DescriptorEntry e, const std::string& must) {
  return {e, "entry " + std::to_string(static_cast<int>(e)) + " of the array descriptor, " +
                 std::string(names[static_cast<std::size_t>(e) - 1]) + ", is " +
                 std::to_string(entry(descriptor, e)) + " and must be " + must};
}

std::string at_least(Index x) { return "at least " + std::to_string(x); }
std::string place_below(int count, std::string_view what) {
  return "one of the " + std::to_string(count) + " process " + std::string(what) + " of the grid, 0 to " +
         std::to_string(count - 1);
}

/// What does not depend on the others.
std::optional<DescriptorFault> fault_of_one(DescriptorView d, const ProcessGrid& grid, int context) {
  using enum DescriptorEntry;
  if (entry(d, dtype) != block_cyclic_type) return fault(d, dtype, "1, a dense block-cyclic matrix");
  if (entry(d, ctxt) != context) return fault(d, ctxt, std::to_string(context) + ", the context of the grid");
  if (entry(d, m) < 0) return fault(d, m, at_least(0));
  if (entry(d, n) < 0) return fault(d, n, at_least(0));
  if (entry(d, mb) < 1) return fault(d, mb, at_least(1));
  if (entry(d, nb) < 1) return fault(d, nb, at_least(1));
  if (entry(d, rsrc) < 0 || entry(d, rsrc) >= grid.rows())
    return fault(d, rsrc, place_below(grid.rows(), "rows"));
  if (entry(d, csrc) < 0 || entry(d, csrc) >= grid.cols())
    return fault(d, csrc, place_below(grid.cols(), "columns"));
  return std::nullopt;
}

int narrow(Index x, DescriptorEntry e) {
  if (x >= 0 && x <= std::numeric_limits<int>::max()) return static_cast<int>(x);
  throw Error(ErrorKind::bad_input, "descriptor",
              "entry " + std::string(names[static_cast<std::size_t>(e) - 1]) + " would be " +
                  std::to_string(x) +
                  ", which ScaLAPACK's 32-bit integers do not hold; use overlapack's own interface");
}

}  // namespace

std::optional<DescriptorFault> fault_of(DescriptorView descriptor, const ProcessGrid& grid, GridPlace me,
                                        int context) {
  if (auto one = fault_of_one(descriptor, grid, context)) return one;
  const Index local_rows = rows_of(descriptor, grid).local_size(me.row),
              least = std::max<Index>(1, local_rows);
  if (entry(descriptor, DescriptorEntry::lld) >= least) return std::nullopt;
  return fault(descriptor, DescriptorEntry::lld,
               at_least(least) + ", the local rows of process row " + std::to_string(me.row));
}

BlockCyclic rows_of(DescriptorView d, const ProcessGrid& grid) {
  using enum DescriptorEntry;
  return {.size = entry(d, m), .block = entry(d, mb), .processes = grid.rows(), .source = entry(d, rsrc)};
}

BlockCyclic cols_of(DescriptorView d, const ProcessGrid& grid) {
  using enum DescriptorEntry;
  return {.size = entry(d, n), .block = entry(d, nb), .processes = grid.cols(), .source = entry(d, csrc)};
}

Descriptor descriptor_of(const BlockCyclic& rows, const BlockCyclic& cols, Index ld, int context) {
  using enum DescriptorEntry;
  return {
      block_cyclic_type,      context,     narrow(rows.size, m), narrow(cols.size, n), narrow(rows.block, mb),
      narrow(cols.block, nb), rows.source, cols.source,          narrow(ld, lld)};
}

}  // namespace overlapack::dist
