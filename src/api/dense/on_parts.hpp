#pragma once
#include "api/dense/dense_plan.hpp"
#include "api/dense/layout.hpp"
#include "api/run/session.hpp"

namespace overlapack::api {

/// The part of a distributed matrix that a caller gives.
template <class T>
struct GivenPart {
  const dense::Layout& layout;
  dense::View<T> mine;
};

/// Run work(rank, a, b) on all ranks, with each rank's parts of A and B as distributed matrices on A's grid.
/// require_fit: throws unless the layouts of A and B fit
/// Errors  BadPlan: there are several ranks, and they are threads of one caller
///         as require_same_layout, require_fit and part_of
template <class T, class Work>
void run_on_parts(const Options& options, const GivenPart<T>& A, const GivenPart<T>& B,
                  void (*require_fit)(const dense::Layout&, const dense::Layout&), Work work) {
  require_dense_options(options, {});
  const bool has_processes = ranks_are_processes(options);
  if (!has_processes && A.layout.grid_rows * A.layout.grid_cols != 1)
    throw Error(Status::bad_plan, "parts on several ranks need engine mpi; start with mpirun");
  Session session(options, has_processes ? options.ranks : 1);
  session.run([&](comm::Rank& rank, int) {
    require_same_layout(rank, A.layout, ScalarTraits<T>::type);
    require_same_layout(rank, B.layout, ScalarTraits<T>::type);
    require_fit(A.layout, B.layout);
    const dist::ProcessGrid grid = grid_of(A.layout, rank.size());
    const auto a = part_of(grid, rank, A.layout, A.mine), b = part_of(grid, rank, B.layout, B.mine);
    work(rank, a, b);
  });
}

}  // namespace overlapack::api
