#include "c_solver.hpp"
#include "overlapack/generate.hpp"
#include "overlapack/multiply.hpp"

#include <cstdint>
#include <cstdlib>
#include <dlfcn.h>
#include <vector>

/// The C interface under a launcher of MPI, each process a rank; without one there is one rank.
namespace overlapack {
namespace {

/// What Open MPI's launcher or MPICH's says under one of these names; `otherwise` without a launcher.
int launched(const char* of_open_mpi, const char* of_mpich, int otherwise) {
  for (const char* name : {of_open_mpi, of_mpich})
    if (const char* const text = std::getenv(name)) return std::atoi(text);
  return otherwise;
}

// Under mpirun each process gives its rows, else one gives all.
TEST(CDistributed, EachRankGivesItsRows) {
  const int ranks = launched("OMPI_COMM_WORLD_SIZE", "PMI_SIZE", 1);
  const int rank = launched("OMPI_COMM_WORLD_RANK", "PMI_RANK", 0);
  const SparseMatrix<double> A = sparse::generate("convection", 6);
  const SparseMatrix<double>& columns = A;
  const std::int64_t n = A.rows, first = n * rank / ranks, end = n * (rank + 1) / ranks;
  // The columns of A are the rows of A^T, which is what is solved with.
  std::vector<std::int64_t> start;
  for (std::int64_t k = first; k <= end; ++k) start.push_back(columns.start[k] - columns.start[first]);
  olp_matrix mine{};
  mine.type = OLP_FLOAT64;
  mine.layout = OLP_CSR;
  mine.index_bytes = 8;
  mine.rows = mine.cols = n;
  mine.first = first;
  mine.count = end - first;
  mine.start = start.data();
  mine.index = columns.row.data() + columns.start[first];
  std::vector<double> value(columns.value.begin() + columns.start[first],
                            columns.value.begin() + columns.start[end]);
  mine.value = value.data();

  std::vector<double> x(static_cast<std::size_t>(n));
  for (std::int64_t i = 0; i < n; ++i) x[i] = 1 + double(i % 7);
  const std::vector<double> b = multiply<double>(A, x, Transpose::trans);

  const Solver solver;
  if (ranks > 1) {
    ASSERT_EQ(olp_set(solver, "engine", "mpi"), OLP_OK);
  }
  ASSERT_EQ(olp_factorize_distributed(solver, &mine), OLP_OK) << solver.message();
  const std::int64_t count = end - first;
  std::vector<double> found(static_cast<std::size_t>(count));
  ASSERT_EQ(olp_solve_distributed(solver, OLP_FLOAT64, OLP_NO_TRANS, first, count, 1, b.data() + first, count,
                                  found.data(), count),
            OLP_OK)
      << solver.message();
  for (std::int64_t i = 0; i < count; ++i) EXPECT_NEAR(found[i], x[first + i], 1e-10);

  for (double& v : value) v *= 4;
  ASSERT_EQ(olp_refactorize(solver, &mine), OLP_OK) << solver.message();
  std::vector<double> all(static_cast<std::size_t>(n));
  ASSERT_EQ(olp_solve(solver, OLP_FLOAT64, OLP_NO_TRANS, 1, rank == 0 ? b.data() : nullptr, n, all.data(), n),
            OLP_OK)
      << solver.message();
  for (std::int64_t i = 0; i < n; ++i) EXPECT_NEAR(all[i], x[i] / 4, 1e-10);

  mine.count = n;
  mine.first = 1;
  if (ranks == 1)
    expect_refused(olp_factorize_distributed(solver, &mine), OLP_BAD_INPUT, solver, "first is 1");
}

/// [4 0 1; 2 3 0; 0 5 -6] by columns.
struct SmallMatrix {
  std::vector<std::int64_t> start{0, 2, 4, 6}, index{0, 1, 1, 2, 0, 2};
  std::vector<double> value{4, 2, 3, 5, 1, -6}, b{5, 5, -1};  ///< the row sums
  olp_matrix A{};
  SmallMatrix() {
    A.type = OLP_FLOAT64;
    A.layout = OLP_CSC;
    A.index_bytes = 8;
    A.rows = A.cols = 3;
    A.start = start.data();
    A.index = index.data();
    A.value = value.data();
  }
};

/// A system of rank 0, on the ranks that the solver has been given.
void expect_solved_by(const Solver& solver, int ranks) {
  const SmallMatrix small;
  ASSERT_EQ(olp_factorize(solver, &small.A), OLP_OK) << solver.message();
  EXPECT_EQ(figure(solver, "ranks"), ranks);
  std::vector<double> x(3);
  ASSERT_EQ(olp_solve(solver, OLP_FLOAT64, OLP_NO_TRANS, 1, small.b.data(), 3, x.data(), 3), OLP_OK)
      << solver.message();
  for (const double v : x) EXPECT_NEAR(v, 1, 1e-14);
}

// All processes, by the number that Open MPI has for them in Fortran (mpif.h), and by what MPI_COMM_WORLD is in C (mpi.h).
TEST(CDistributed, RanksAreThoseOfACommunicator) {
  const Solver by_number, by_address;
  ASSERT_EQ(olp_set_fortran_communicator(by_number, 0), OLP_OK);
  if (std::getenv("OMPI_COMM_WORLD_SIZE") == nullptr) return;  // no launcher, or one that numbers otherwise
  const int ranks = launched("OMPI_COMM_WORLD_SIZE", "PMI_SIZE", 1);
  expect_solved_by(by_number, ranks);
  const void* const world = dlsym(RTLD_DEFAULT, "ompi_mpi_comm_world");
  ASSERT_NE(world, nullptr);
  ASSERT_EQ(olp_set_communicator(by_address, &world), OLP_OK);
  expect_solved_by(by_address, ranks);
}

/// A solver on all processes, of which the last one is about to differ from the others.
struct OneOdd {
  int ranks = launched("OMPI_COMM_WORLD_SIZE", "PMI_SIZE", 1);
  bool is_odd = launched("OMPI_COMM_WORLD_RANK", "PMI_RANK", 0) == ranks - 1;
  Solver solver;
  OneOdd() {
    if (ranks > 1) {
      EXPECT_EQ(olp_set(solver, "engine", "mpi"), OLP_OK);
    }
  }
};

// What the last rank alone refuses ends the call on all ranks, with its sentence; the next call works.
TEST(CDistributed, ARefusalOfOneRankReachesAll) {
  const OneOdd here;
  const bool is_odd = here.is_odd;
  const SmallMatrix small;
  olp_matrix broken = small.A;
  broken.base = 7;
  std::vector<double> b(small.b), x(3);
  const std::int64_t zero = 0;
  const Solver& solver = here.solver;
  expect_refused(olp_factorize(solver, is_odd ? &broken : &small.A), OLP_BAD_INPUT, solver, "base is 7");
  expect_refused(olp_factorize_dense(solver, OLP_FLOAT64, 3, b.data(), is_odd ? 2 : 3), OLP_BAD_INPUT, solver,
                 "lda is 2");
  olp_schur_complement* schur = nullptr;
  expect_refused(olp_make_schur(solver, &small.A, is_odd ? -1 : 1, &zero, &schur), OLP_BAD_INPUT, solver,
                 "count is -1");
  ASSERT_EQ(olp_factorize(solver, &small.A), OLP_OK) << solver.message();
  const auto solve = [&](int op, std::int64_t ldx) {
    return olp_solve(solver, OLP_FLOAT64, op, 1, small.b.data(), 3, x.data(), ldx);
  };
  for (int round = 0; round < 2; ++round) {
    expect_refused(solve(is_odd ? 9 : OLP_NO_TRANS, 3), OLP_BAD_INPUT, solver, "op is 9");
    expect_refused(solve(OLP_NO_TRANS, is_odd ? 1 : 3), OLP_BAD_INPUT, solver, "ldx is 1");
    expect_refused(olp_substitute(solver, is_odd ? OLP_FLOAT32 : OLP_FLOAT64, OLP_NO_TRANS, 1, b.data(), 3),
                   OLP_BAD_INPUT, solver, "type is 0");
    expect_refused(olp_inverse_entries(solver, OLP_FLOAT64, 1, is_odd ? nullptr : &zero, &zero, x.data()),
                   OLP_BAD_INPUT, solver, "rows is a null pointer");
    std::int64_t exponent = 0;
    expect_refused(olp_determinant(solver, OLP_FLOAT64, x.data(), is_odd ? nullptr : &exponent),
                   OLP_BAD_INPUT, solver, "the place for the exponent");
    double rcond = 0;
    expect_refused(olp_rcond(solver, is_odd ? nullptr : &rcond), OLP_BAD_INPUT, solver,
                   "the place for rcond");
    EXPECT_EQ(olp_null_space(solver, OLP_FLOAT64, is_odd ? 9 : OLP_NO_TRANS, &exponent, nullptr),
              is_odd ? OLP_BAD_INPUT : OLP_OK);  // no rank asks another
    expect_refused(olp_save(solver, is_odd ? nullptr : "/no/such/folder"), OLP_BAD_INPUT, solver, "");
    expect_refused(olp_refactorize(solver, is_odd ? &broken : &small.A), OLP_BAD_INPUT, solver, "base is 7");
    // as a module for another language refuses, before its call
    expect_refused(is_odd ? olp_refuse(solver, "b is too short", OLP_BEFORE_ANSWERS) : solve(OLP_NO_TRANS, 3),
                   OLP_BAD_INPUT, solver, here.ranks > 1 || is_odd ? "b is too short" : "");
    ASSERT_EQ(solve(OLP_NO_TRANS, 3), OLP_OK) << solver.message();
    for (const double v : x) EXPECT_NEAR(v, 1, 1e-14);
  }
}

// The others have no matrix: they learn its order from rank 0, and what does not fit it is refused by all.
TEST(CDistributed, RanksWithoutTheMatrix) {
  const OneOdd here;
  const SmallMatrix small;
  const Solver& solver = here.solver;
  const bool is_first = launched("OMPI_COMM_WORLD_RANK", "PMI_RANK", 0) == 0;
  olp_matrix none{};
  none.type = OLP_FLOAT64;
  const olp_matrix& mine = is_first ? small.A : none;
  ASSERT_EQ(olp_factorize(solver, &mine), OLP_OK) << solver.message();
  std::vector<double> b(small.b), x(9, 7.0);
  b.insert(b.end(), small.b.begin(), small.b.end());
  const auto solve = [&](std::int64_t nrhs, std::int64_t ldx) {
    return olp_solve(solver, OLP_FLOAT64, OLP_NO_TRANS, nrhs, is_first ? b.data() : nullptr, 3, x.data(),
                     ldx);
  };
  expect_refused(solve(1, here.is_odd ? 2 : 3), OLP_BAD_INPUT, solver, "ldx is 2");
  if (here.ranks > 1) {  // what the ranks differ in is known when the others have x
    const olp_status status = solve(here.is_odd ? 1 : 2, here.is_odd ? 9 : 3);
    EXPECT_EQ(status, here.is_odd ? OLP_BAD_INPUT : OLP_OK) << solver.message();
    for (std::size_t k = 6; k < 9; ++k) EXPECT_EQ(x[k], 7);  // nobody writes behind its columns
  }
  ASSERT_EQ(solve(2, 3), OLP_OK) << solver.message();
  for (std::size_t k = 0; k < 6; ++k) EXPECT_NEAR(x[k], 1, 1e-14);

  olp_schur_complement* schur = nullptr;
  const std::int64_t last = 2;
  ASSERT_EQ(olp_make_schur(solver, &mine, 1, &last, &schur), OLP_OK) << solver.message();
  std::vector<double> condensed(1);
  ASSERT_EQ(
      olp_schur_condense(solver, schur, OLP_FLOAT64, 1, is_first ? b.data() : nullptr, condensed.data()),
      OLP_OK)
      << solver.message();
  double S = 0;
  ASSERT_EQ(olp_schur_matrix(solver, schur, OLP_FLOAT64, &S, 1), OLP_OK) << solver.message();
  if (is_first) {
    EXPECT_NEAR(condensed[0], S, 1e-14);  // x is 1
  }
  olp_free_schur(schur);
}

// A limit is each process's own: the others neither wait for it nor are told.
TEST(CDistributed, AMemoryLimitOfOneRank) {
  const OneOdd here;
  const bool is_odd = here.is_odd;
  const SmallMatrix small;
  const Solver& solver = here.solver;
  if (is_odd) {
    ASSERT_EQ(olp_set(solver, "memory_limit", "1G"), OLP_OK);
  }
  ASSERT_EQ(olp_set(solver, "method", "multifrontal"), OLP_OK);
  for (int round = 0; round < 2; ++round) {
    ASSERT_EQ(olp_factorize(solver, &small.A), OLP_OK) << solver.message();
    std::vector<double> x(3);
    ASSERT_EQ(olp_solve(solver, OLP_FLOAT64, OLP_NO_TRANS, 1, small.b.data(), 3, x.data(), 3), OLP_OK);
  }
}

// As a module for another language refuses before a call that makes factors.
TEST(CDistributed, ARefusalBeforeFactors) {
  const OneOdd here;
  const bool is_odd = here.is_odd;
  const SmallMatrix small;
  const Solver& solver = here.solver;
  for (int round = 0; round < 2; ++round) {
    expect_refused(is_odd ? olp_refuse(solver, "start is too short", OLP_BEFORE_FACTORS)
                          : olp_factorize(solver, &small.A),
                   OLP_BAD_INPUT, solver, "start is too short");
    ASSERT_EQ(olp_factorize(solver, &small.A), OLP_OK) << solver.message();
  }
}

}  // namespace
}  // namespace overlapack
