#pragma once
#include "iterative/multisplitting/inner_solver.hpp"

namespace overlapack::iterative {

struct GradientPlan {
  double tolerance = 1e-2;  ///< of ||r - B z||_2 beside that of the first guess
  Index max_steps = 10000;  ///< then the z at hand is as good as it gets
};

/// Conjugate gradients with B's diagonal as preconditioner.
/// Shapes  B: square; real symmetric or Hermitian positive definite
/// Cost    a product with B and 5 n multiply-adds a step
/// Errors  BadInput: a number on the diagonal that is not positive, at once, or a direction d with d^H B d <= 0, in a solve
/// Source  Hestenes and Stiefel 1952; Golub and Van Loan, Matrix Computations, section 11.5
template <class T>
std::unique_ptr<InnerSolver<T>> conjugate_gradients(SparseMatrix<T> B, const GradientPlan& plan);

}  // namespace overlapack::iterative
