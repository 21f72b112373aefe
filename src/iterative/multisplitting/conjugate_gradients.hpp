#pragma once
#include "iterative/multisplitting/inner_solver.hpp"

#include <span>

namespace overlapack::iterative {

/// Options for conjugate gradients as an inner solver.
struct GradientPlan {
  double tolerance = 1e-2;  ///< for ||r - B z||_2 relative to that of the first guess
  Index max_steps = 10000;  ///< after so many steps, the present z is returned
};

/// Conjugate gradients preconditioned by B's diagonal, with the rows of B distributed over the ranks of a team.
/// Shapes  B: square, real symmetric or Hermitian positive definite, on rank 0, null elsewhere; owner: a rank for each row,
///         on rank 0
/// Sync    collective
/// Cost    a step is a product with my rows and 5 multiply-adds a row, an exchange of halos and two sums over the ranks
/// Errors  BadInput: a number on the diagonal that is not positive, at once, or a direction d with d^H B d <= 0, in a solve
/// Source  Hestenes and Stiefel 1952; Golub and Van Loan, Matrix Computations, section 11.5
template <class T>
std::unique_ptr<InnerSolver<T>> conjugate_gradients(comm::Rank& rank, const SparseMatrix<T>* B,
                                                    std::span<const int> owner, const GradientPlan& plan);

}  // namespace overlapack::iterative
