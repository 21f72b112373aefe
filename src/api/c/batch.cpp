#include "overlapack/batch.hpp"

#include "api/c/matrix.hpp"
#include "api/c/solver.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <span>
#include <utility>
#include <vector>

using namespace overlapack;

namespace overlapack::c {

/// A batch, and the number of the caller's entry that is entry k of its pattern.
template <class T>
struct KeptBatch {
  Batch<T> batch;
  std::vector<Index> order;  ///< empty: they are in the pattern's order

  Index systems() const { return batch.report().systems; }
};

namespace {

/// Copy the caller's values of all systems, in the order of the pattern's entries.
template <class T>
std::vector<T> values_in_order(const std::vector<Index>& order, const void* values, Index systems,
                               Index entries) {
  const T* const given = static_cast<const T*>(values);
  std::vector<T> sorted(given, given + systems * entries);
  for (Index k = 0; k < systems && !order.empty(); ++k)
    for (Index e = 0; e < entries; ++e) sorted[k * entries + e] = given[k * entries + order[e]];
  return sorted;
}

std::span<const std::uint8_t> mask_of(const unsigned char* wanted, Index systems) {
  if (wanted == nullptr) return {};
  return {wanted, static_cast<std::size_t>(systems)};
}

template <class T>
KeptBatch<T> make_kept_batch(const olp_matrix& A, Index systems, const unsigned char* wanted,
                             const Options& options) {
  check_description(A);
  if (A.half != OLP_WHOLE)
    refuse(Status::bad_input, "half is set, but a batch takes whole matrices; give OLP_WHOLE");
  if (systems < 0)
    refuse(Status::bad_input, "there are " + std::to_string(systems) + " systems; give 0 or more");
  const Index lines = A.layout == OLP_CSR ? A.rows : A.cols;
  const auto entries_of = [&](auto* start) {
    return lines > 0 && start != nullptr ? Index{start[lines]} - A.base : 0;
  };
  const Index entries =
      std::max<Index>(0, A.index_bytes == 4 ? entries_of(static_cast<const std::int32_t*>(A.start))
                                            : entries_of(static_cast<const std::int64_t*>(A.start)));
  std::vector<double> number(static_cast<std::size_t>(entries));
  std::iota(number.begin(), number.end(), 0.0);
  olp_matrix numbered = A;
  numbered.type = OLP_FLOAT64;
  numbered.value = number.data();
  SparseMatrix<double> by_columns = whole_matrix<double>(numbered);
  std::vector<Index> order(by_columns.value.begin(), by_columns.value.end());
  if (std::ranges::is_sorted(order)) order.clear();
  if (count_of_numbers(systems, entries) > 0) require_pointer(A.value, "value");
  const std::vector<T> values = values_in_order<T>(order, A.value, systems, entries);
  SparseMatrix<T> pattern{
      by_columns.rows, by_columns.cols, std::move(by_columns.start), std::move(by_columns.row), {}};
  return {factorize_batch<T>(std::move(pattern), values, options, mask_of(wanted, systems)),
          std::move(order)};
}

/// The status of the call: the first status without a solution, else the first that is not ok. Systems that were left out do not count.
olp_status end_of_batch(olp_solver* solver, const std::vector<Status>& status) {
  const auto has_solution = [](Status s) { return olp_has_solution(static_cast<olp_status>(s)) != 0; };
  auto told =
      std::ranges::find_if(status, [&](Status s) { return s != Status::cancelled && !has_solution(s); });
  if (told == status.end())
    told = std::ranges::find_if(status, [](Status s) { return s != Status::ok && s != Status::cancelled; });
  if (told == status.end()) return OLP_OK;
  return set_status(solver, *told,
                    "system " + std::to_string(told - status.begin()) + " (from 0) " +
                        (has_solution(*told) ? "has an x that may be far off" : "has no solution") +
                        "; look at the status of each system");
}

}  // namespace
}  // namespace overlapack::c

struct olp_batch {
  std::variant<c::KeptBatch<float>, c::KeptBatch<double>, c::KeptBatch<std::complex<float>>,
               c::KeptBatch<std::complex<double>>>
      kept;
};

olp_status olp_factorize_batch(olp_solver* solver, const olp_matrix* A, int64_t systems,
                               const unsigned char* wanted, olp_batch** batch) {
  return c::call(solver, [&](olp_solver& s) {
    *c::require_pointer(batch, "the place for the batch") = nullptr;
    const olp_matrix& given = *c::require_pointer(A, "the matrix");
    c::dispatch(given.type, [&]<class T>() {
      *batch = new olp_batch{c::make_kept_batch<T>(given, systems, wanted, s.options)};
    });
    return OLP_OK;
  });
}

olp_status olp_refactorize_batch(olp_solver* solver, olp_batch* batch, const void* values,
                                 const unsigned char* wanted) {
  return c::call(solver, [&](olp_solver&) {
    std::visit(
        [&]<class T>(c::KeptBatch<T>& kept) {
          const Index systems = kept.systems(), entries = kept.batch.report().nnz;
          if (systems * entries > 0) c::require_pointer(values, "values");
          kept.batch.refactorize(c::values_in_order<T>(kept.order, values, systems, entries),
                                 c::mask_of(wanted, systems));
        },
        c::require_pointer(batch, "the batch")->kept);
    return OLP_OK;
  });
}

olp_status olp_solve_batch(olp_solver* solver, olp_batch* batch, int type, int op, int64_t nrhs,
                           const void* B, void* X, int* status, double* backward_error) {
  return c::call(solver, [&](olp_solver&) -> olp_status {
    return std::visit(
        [&]<class T>(c::KeptBatch<T>& kept) {
          c::require_type<T>(type);
          if (nrhs < 0) c::refuse(Status::bad_input, "nrhs is negative; give how many columns B has");
          const Index count = c::count_of_numbers(kept.systems() * kept.batch.report().n, nrhs);
          if (count > 0) c::require_pointer(B, "B"), c::require_pointer(X, "X");
          const std::span<const T> b(static_cast<const T*>(B), static_cast<std::size_t>(count));
          const BatchSolution<T> solution = kept.batch.solve(b, nrhs, c::transpose_from(op));
          std::ranges::copy(solution.x, static_cast<T*>(X));
          for (std::size_t k = 0; k < solution.status.size(); ++k) {
            if (status != nullptr) status[k] = static_cast<int>(solution.status[k]);
            if (backward_error != nullptr) backward_error[k] = solution.backward_error[k];
          }
          return c::end_of_batch(solver, solution.status);
        },
        c::require_pointer(batch, "the batch")->kept);
  });
}

void olp_free_batch(olp_batch* batch) { delete batch; }
