// Eigen's own test/sparse_solver.h with overlapack's solvers, as its sparselu.cpp and simplicial_cholesky.cpp have it with Eigen's. With SOLVES the
// solves, else the determinants.
#include "sparse_solver.h"

#include <overlapack/eigen.hpp>

template <class T>
void lu() {
  overlapack::eigen::LU<Eigen::SparseMatrix<T>> solver;
#ifdef SOLVES
  check_sparse_square_solving(solver, 300, 10000, true);
#else
  check_sparse_square_abs_determinant(solver);
  check_sparse_square_determinant(solver);
#endif
}

template <class Solver>
void definite() {
  Solver solver;
#ifdef SOLVES
  check_sparse_spd_solving(solver);
#else
  check_sparse_spd_determinant(solver);
#endif
}

template <class Matrix>
void triangles() {
  definite<overlapack::eigen::LLT<Matrix, Eigen::Lower>>();
  definite<overlapack::eigen::LLT<Matrix, Eigen::Upper>>();
  definite<overlapack::eigen::LDLT<Matrix, Eigen::Lower>>();
  definite<overlapack::eigen::LDLT<Matrix, Eigen::Upper>>();
}

EIGEN_DECLARE_TEST(overlapack) {
  CALL_SUBTEST(lu<float>());
  CALL_SUBTEST(lu<double>());
  CALL_SUBTEST(lu<std::complex<float>>());
  CALL_SUBTEST(lu<std::complex<double>>());
  CALL_SUBTEST(triangles<Eigen::SparseMatrix<double>>());
  CALL_SUBTEST(triangles<Eigen::SparseMatrix<std::complex<double>>>());
  CALL_SUBTEST((triangles<Eigen::SparseMatrix<double, Eigen::RowMajor, long>>()));
}
