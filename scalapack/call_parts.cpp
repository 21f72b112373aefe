#include "call_parts.hpp"

namespace overlapack::scalapack {
namespace {

/// The process row that owns the first row of sub(X).
int first_owner(const Submatrix& X, const Grid& grid) {
  using enum DescriptorEntry;
  return dist::BlockCyclic{X[m], X[mb], grid.rows, X[rsrc]}.owner({Index{X.i} - 1});
}

}  // namespace

void require_square_blocks(ArgumentCheck& check, const Submatrix& A) {
  using enum DescriptorEntry;
  check.require_served({{A.i_in_block() != 0, A.i_at()},
                        {A.j_in_block() != 0, A.j_at()},
                        {A[mb] != A[nb], A.descriptor_at, nb}});
}

void require_rows_beside(ArgumentCheck& check, const Grid& grid, const Submatrix& A, const Submatrix& B) {
  using enum DescriptorEntry;
  if (!check.has_passed()) return;
  const bool is_beside = B.i_in_block() == 0 && first_owner(A, grid) == first_owner(B, grid);
  check.require_served({{!is_beside, B.i_at()}, {B[mb] != A[nb], B.descriptor_at, nb}});
  check.require({{B[ctxt] != A[ctxt], B.descriptor_at, ctxt}});
}

void count(const dense::FactorResult& result) {
  for (const auto& [name, counter] : told_counters) session().counters.*counter += result.*counter;
}

}  // namespace overlapack::scalapack
