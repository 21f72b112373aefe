#pragma once
/// Problems made for measuring: random dense systems, the Linpack benchmark, Jacobi's method in a cube.
#include "overlapack/export.hpp"
#include "overlapack/options.hpp"
#include "overlapack/report.hpp"
#include "overlapack/trace.hpp"

#include <cstdint>
#include <functional>
#include <string>

namespace overlapack::benchmark {

/// The report and the events of a run, on the first process.
struct Run {
  Report report;
  trace::Timeline timeline;
};

/// Factorise and solve a random dense system of order n.
/// Sync    collective over the processes of an MPI run
/// Errors  BadPlan, OutOfMemory, Singular, CommFailure; status inaccurate where the scaled residual is not below HPL's 16
OVERLAPACK_API Run dense(Index n, ScalarType type, std::uint64_t seed, const Options& options = {});

/// Solve a random m x n least squares problem by QR. factor_residual, orthogonality and optimality measure its accuracy.
/// Sync    collective over the processes of an MPI run
/// Errors  BadInput for m < n; BadPlan, OutOfMemory, CommFailure; status inaccurate where a figure is above what rounding explains
OVERLAPACK_API Run qr(Index m, Index n, ScalarType type, std::uint64_t seed, const Options& options = {});

/// Factorise and solve a random Hermitian positive definite system of order n by Cholesky. The first process makes the matrix.
/// Sync    collective over the processes of an MPI run
/// Errors  as dense, and BadPlan where ranks are simulated by shapes
OVERLAPACK_API Run cholesky(Index n, ScalarType type, std::uint64_t seed, const Options& options = {});

/// Laplace's equation on a grid of boxes, one box of points for each rank (paper 5).
struct Stencil {
  Index points = 50;  ///< K: each rank has K x K x K points
  /// The grid of boxes. auto: as cubic as the ranks allow; slabs: boxes one after the other along z; or XxYxZ.
  std::string boxes = "auto";
  /// 1 is added to the boundary values and to the start vector, so that no zeros and subnormal numbers occur.
  bool is_shifted = false;
  bool flushes_subnormals = false;  ///< every rank computes as if subnormal numbers were zero
};
/// Run Jacobi's method on Laplace's equation.
/// Sync    collective over the processes of an MPI run
/// Errors  BadPlan, OutOfMemory before anything is allocated, Cancelled, CommFailure. A run that does not converge has the
///         status not_converged
OVERLAPACK_API Run stencil(const Stencil& stencil, const Options& options = {});

/// How many runs of an HPL.dat ended in which way.
struct HplCounts {
  int passed = 0;
  int failed = 0;
  int skipped = 0;  ///< illegal input: more processes than there are, too little memory, a singular matrix
};
/// The output that an HPL.dat names for its table: 6 is standard output, 7 standard error, any other number the file.
struct HplOutput {
  int device = 6;
  std::string file;
};
/// Run every system of an HPL.dat, or hpcc's input file, and print HPL's table.
/// path: the input file, which the first process reads
/// schedules: the names of the schedules to run; empty: those of the file
/// open: called once, on the first process; it returns a function that prints a piece of the table
/// Sync    collective over the processes of an MPI run
/// Errors  BadInput with the line of the file; BadPlan for a schedule that is none
OVERLAPACK_API HplCounts
hpl(const std::string& path, const std::string& schedules, std::uint64_t seed, const Options& options,
    const std::function<std::function<void(const std::string&)>(const HplOutput&)>& open);

}  // namespace overlapack::benchmark
