#ifndef OVERLAPACK_H
#define OVERLAPACK_H
/* overlapack from C, and from every language that can call C (docs/c.md).
 *
 *   olp_solver* solver = NULL;
 *   olp_create(&solver);
 *   olp_set(solver, "ordering", "amd");
 *   olp_matrix A = {.type = OLP_FLOAT64, .layout = OLP_CSR, .index_bytes = 4, .rows = n, .cols = n,
 *                   .start = start, .index = index, .value = value};
 *   olp_status status = olp_factorize(solver, &A);
 *   if (status == OLP_OK) status = olp_solve(solver, OLP_FLOAT64, OLP_NO_TRANS, 1, b, n, x, n);
 *   if (!olp_has_solution(status)) fprintf(stderr, "%s\n", olp_message(solver));
 *   olp_destroy(solver);
 *
 * Every function returns an olp_status. If it is not OLP_OK, olp_message has a sentence. Nothing is printed. No function ends
 * the process or lets a C++ exception through. One thread at a time may use a solver; different solvers are independent.
 * Under MPI (option "engine", or a communicator) all ranks call every function that factorises, solves or estimates. What one rank
 * refuses there ends the call on all of them. */
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define OLP_API __attribute__((visibility("default")))

/* How a call ended. */
enum olp_status_code {
  OLP_OK,
  OLP_INACCURATE, /* x was computed, but its backward error is above the option "accuracy" */
  /* There is no x. If only some of several columns have no solution, the others have theirs. With null_pivots there is an x that is 0 at
   * null pivots. */
  OLP_SINGULAR,
  OLP_NOT_CONVERGED, /* x is the best one known */
  OLP_OUT_OF_MEMORY,
  OLP_BAD_INPUT,
  OLP_BAD_PLAN,
  OLP_COMM_FAILURE,
  OLP_CANCELLED,
  OLP_INTERNAL,
  OLP_ILL_CONDITIONED /* x has a small backward error, but may change with the last digits of A */
};
typedef int olp_status;

/* The type of values: float, double, or pairs of these, real part first (complex of C, std::complex, complex of Fortran). */
enum olp_type { OLP_FLOAT32, OLP_FLOAT64, OLP_COMPLEX64, OLP_COMPLEX128 };
/* Compressed columns or compressed rows. */
enum olp_layout { OLP_CSC, OLP_CSR };
/* Which entries a matrix has: all of them, or the diagonal and one triangle, lower or upper, of A = A^T or of A = A^H. Zeros may be left
 * out, also on the diagonal. */
enum olp_half { OLP_WHOLE, OLP_SYMMETRIC, OLP_HERMITIAN };
/* op(A): A, A^T or A^H. */
enum olp_transpose { OLP_NO_TRANS, OLP_TRANS, OLP_CONJ_TRANS };

/* A sparse matrix in the caller's memory, which is read during the call only. Unset members are 0. Line k is a row of CSR or a
 * column of CSC. It has the entries index[start[k] - base .. start[k + 1] - base) with their values, in any order. Entries at
 * one position are summed. */
typedef struct olp_matrix {
  int type;           /* an olp_type */
  int layout;         /* an olp_layout */
  int half;           /* an olp_half */
  int index_bytes;    /* of an entry of start and index: 4 (int32_t) or 8 (int64_t) */
  int base;           /* the first number in start and index: 0, or 1 as in Fortran */
  int64_t rows, cols; /* of the whole matrix */
  int64_t first;      /* distributed matrices only: the number of lines on earlier ranks, */
  int64_t count;      /*                            and the number of lines on this rank */
  const void* start;  /* lines + 1 offsets */
  const void* index;
  const void* value;
  void* owner; /* set by the library for a matrix that it made (olp_free_matrix), else NULL */
} olp_matrix;

typedef struct olp_solver olp_solver;
/* The analysis of a matrix, for the factorisation of all matrices with its pattern, by any solver. It never changes. */
typedef struct olp_analysis olp_analysis;

/* "0.1.0" */
OLP_API const char* olp_version(void);
/* "ok", "singular", ...; NULL for a number that is no status. */
OLP_API const char* olp_status_name(olp_status status);
/* 1 if a solve that ends with this status has set X: OLP_OK, OLP_ILL_CONDITIONED, OLP_INACCURATE or OLP_NOT_CONVERGED; else 0. */
OLP_API int olp_has_solution(olp_status status);

/* A solver without a matrix, with all options at their defaults. */
OLP_API olp_status olp_create(olp_solver** solver);
/* Under MPI called by all ranks, before MPI_Finalize. NULL is allowed. Batches, analyses, halves and Schur complements that the
 * solver made stay; calls with them do not call its progress function any more. */
OLP_API void olp_destroy(olp_solver* solver);
/* One sentence on the last call, if it did not return OLP_OK; "" if it did. Valid until the next call with this solver. With a NULL
 * solver: the sentence on the last call of this thread that failed without a solver. */
OLP_API const char* olp_message(const olp_solver* solver);
/* For modules in other languages, which can check what C cannot see, such as the lengths of arrays. Such a module calls olp_refuse
 * instead of a function whose arguments it refuses. olp_refuse returns OLP_BAD_INPUT with this message. Under MPI the other ranks call
 * that function; `before` says whether it makes factors (OLP_BEFORE_FACTORS), asks the solver's factors (OLP_BEFORE_ANSWERS) or does
 * neither (OLP_BEFORE_OTHERS). In the first two cases the function ends on those ranks in the same way. */
enum olp_before { OLP_BEFORE_OTHERS, OLP_BEFORE_ANSWERS, OLP_BEFORE_FACTORS };
OLP_API olp_status olp_refuse(olp_solver* solver, const char* message, int before);

/* ---- Options: names and values as in docs/options.md. They take effect with the next factorisation.
 * Experiments (docs/experiments.md) have names as "experiment.strip_rows". ---- */

/* olp_set(solver, "ordering", "amd"), olp_set(solver, "ranks", "4"), olp_set(solver, "memory_limit", "2G") */
OLP_API olp_status olp_set(olp_solver* solver, const char* name, const char* value);
/* The order for option ordering "user": order[k] is the variable that is eliminated k-th, from 0. */
OLP_API olp_status olp_set_order(olp_solver* solver, int64_t n, const int64_t* order);
/* The signs of the n pivots for option factorization "quasidefinite", each +1 or -1, from the next factorisation on. */
OLP_API olp_status olp_set_signs(olp_solver* solver, int64_t n, const int* signs);
/* A progress function. The library calls it on the caller's thread, at most fifty times a second and when a phase begins; share is 0 to
 * 1. A result other than 0 stops the call, which returns OLP_CANCELLED. Under MPI only rank 0's function is called, and it stops all
 * ranks. It is not called while METIS, AMD or SCOTCH orders the unknowns. It may ask the solver for figures, but must give it no matrix.
 * NULL: no progress function. It takes effect with the next call, also with existing factors. */
typedef int (*olp_progress)(const char* phase, double share, void* data);
OLP_API olp_status olp_set_progress(olp_solver* solver, olp_progress progress, void* data);
/* Run on the ranks of an MPI communicator. Give the address of an MPI_Comm, a variable that has to live as long
 * as the solver, or its number in Fortran (MPI_Comm_c2f, comm%MPI_VAL). */
OLP_API olp_status olp_set_communicator(olp_solver* solver, const void* address_of_mpi_comm);
OLP_API olp_status olp_set_fortran_communicator(olp_solver* solver, int communicator);

/* ---- The matrix ---- */

/* Read a file in Matrix Market, Rutherford-Boeing or SciPy's .npz, also compressed by gzip. The matrix is by columns, with
 * numbers of 8 bytes from 0 and both triangles. Free it by olp_free_matrix. */
OLP_API olp_status olp_read_matrix(olp_solver* solver, const char* path, olp_matrix* A);
OLP_API void olp_free_matrix(olp_matrix* A);
/* Make a matrix from `count` entries in any order. Entries at one position are added up. row, col: arrays of integers of index_bytes,
 * numbered from base. half other than OLP_WHOLE: the entries are those of one triangle. Free the matrix by olp_free_matrix. */
OLP_API olp_status olp_assemble_entries(olp_solver* solver, int type, int half, int64_t rows, int64_t cols,
                                        int64_t count, int index_bytes, int base, const void* row,
                                        const void* col, const void* value, olp_matrix* A);
/* Make a matrix of order n from finite elements. Element e has the k variables variable[start[e] - base .. start[e + 1] - base), numbered
 * from base, and k x k values by columns; with half, the k (k + 1) / 2 values of its lower triangle. The values of one element follow
 * those of the one before. Free the matrix by olp_free_matrix. */
OLP_API olp_status olp_assemble_elements(olp_solver* solver, int type, int half, int64_t n, int64_t elements,
                                         int index_bytes, int base, const void* start, const void* variable,
                                         const void* value, olp_matrix* A);

/* Analyse only. The report then has the predicted cost of a factorisation ("predicted_bytes", "predicted_flops", ...). Under
 * MPI the rank that has A calls it alone. */
OLP_API olp_status olp_analyse(olp_solver* solver, const olp_matrix* A);
/* Analyse A and keep the analysis in *analysis (NULL after an error). Free it by olp_free_analysis. Afterwards the solver has the report
 * of the analysis, and no factors. Under MPI all ranks call it, with A as for olp_factorize. */
OLP_API olp_status olp_keep_analysis(olp_solver* solver, const olp_matrix* A, olp_analysis** analysis);
OLP_API void olp_free_analysis(olp_analysis* analysis);
/* Write a kept analysis to a file, and read it. Under MPI all ranks call both, and rank 0 writes. A solver that has read an analysis has
 * its report, and no factors. */
OLP_API olp_status olp_save_analysis(olp_solver* solver, const olp_analysis* analysis, const char* path);
OLP_API olp_status olp_load_analysis(olp_solver* solver, const char* path, olp_analysis** analysis);
/* Analyse and factorise. With option method jacobi or multisplitting, prepare the iteration instead. Under MPI A is that of
 * rank 0. On the others `type` alone is read. */
OLP_API olp_status olp_factorize(olp_solver* solver, const olp_matrix* A);
/* Factorise A by a kept analysis. A must have the type and the pattern of the matrix that was analysed, else the call ends with
 * OLP_BAD_INPUT. Stored zeros count as entries. Options that shape an analysis (docs/options.md) come from the analysis; if the solver
 * sets another value, the call ends with OLP_BAD_PLAN. If the large entries of A are no longer where the matching put them, A is analysed
 * anew for these factors alone ("analysed_again" in the report). Under MPI A and analysis are those of rank 0. */
OLP_API olp_status olp_factorize_with(olp_solver* solver, const olp_matrix* A, const olp_analysis* analysis);
/* olp_factorize for a matrix whose lines are distributed over the ranks. Each rank gives its `count` lines, and in `first` the number of
 * lines of the whole matrix before them (0 on the first rank, whatever `base` is). `start` has count + 1 offsets for these lines alone;
 * `index` has numbers of the whole matrix. With `half` all ranks together give one triangle. Entries at one position are summed, also
 * across ranks. */
OLP_API olp_status olp_factorize_distributed(olp_solver* solver, const olp_matrix* mine);
/* Factorise a matrix with the same pattern and other values, without a new analysis. After olp_factorize_distributed each rank gives its
 * lines again. */
OLP_API olp_status olp_refactorize(olp_solver* solver, const olp_matrix* A);
/* Factorise many matrices with one pattern, which is analysed once. A: the pattern, with OLP_WHOLE and each position once. Its `value`
 * has all entries of the first system, then those of the second one, and so on, for `systems` systems. wanted: one byte for each system,
 * 0: the system is left out (NULL: none is left out). A failure of one system is its own status, and no error of the call. Free the batch
 * by olp_free_batch. */
typedef struct olp_batch olp_batch;
OLP_API olp_status olp_factorize_batch(olp_solver* solver, const olp_matrix* A, int64_t systems,
                                       const unsigned char* wanted, olp_batch** batch);
/* Factorise other values of the same pattern, for the same number of systems. values and wanted are as for olp_factorize_batch. */
OLP_API olp_status olp_refactorize_batch(olp_solver* solver, olp_batch* batch, const void* values,
                                         const unsigned char* wanted);
/* Solve op(A_k) X_k = B_k for each system k. B and X have nrhs columns of n numbers for each system, one after the other. status,
 * backward_error: one for each system (NULL: not wanted); OLP_CANCELLED: the system was left out. X is NaN where there is no solution. The
 * call returns the first status without a solution. If all systems have one, it returns the first status that is not OLP_OK. */
OLP_API olp_status olp_solve_batch(olp_solver* solver, olp_batch* batch, int type, int op, int64_t nrhs,
                                   const void* B, void* X, int* status, double* backward_error);
OLP_API void olp_free_batch(olp_batch* batch);
/* Factorise a dense n x n matrix, by columns: entry (i, j) is at i + j lda. The factorisation is LU with partial pivoting. With option
 * factorization "cholesky" it is A = L L^H; A then must have both triangles, which agree. */
OLP_API olp_status olp_factorize_dense(olp_solver* solver, int type, int64_t n, const void* A, int64_t lda);
/* Write the factors to a file, and read factors from one. Under MPI all ranks call both. */
OLP_API olp_status olp_save(olp_solver* solver, const char* path);
OLP_API olp_status olp_load(olp_solver* solver, const char* path);

/* ---- Solutions and answers ---- */

/* Solve op(A) X = B with iterative refinement. B and X: nrhs columns of n numbers, ldb and ldx numbers apart; X may be B. `type` is the
 * type of B and X, and has to be the matrix's. X is set if olp_has_solution is true for the status. Under MPI rank 0 gives B (NULL on
 * the others), nrhs is the same on all ranks, and X is set on every rank (NULL: not wanted on this rank). */
OLP_API olp_status olp_solve(olp_solver* solver, int type, int op, int64_t nrhs, const void* B, int64_t ldb,
                             void* X, int64_t ldx);
/* olp_solve for a sparse B, n x nrhs, of the matrix's type; X is dense and of that type, too. The forward solve of sparse factors skips
 * fronts below which B is zero. Under MPI rank 0 gives B (the others NULL, or an olp_matrix of which only `type` is set). */
OLP_API olp_status olp_solve_sparse(olp_solver* solver, int op, int64_t nrhs, const olp_matrix* B, void* X,
                                    int64_t ldx);
/* These two functions need option method jacobi or multisplitting, and come after olp_factorize. olp_solve_from solves A X = B by
 * iterating from the X that is given. olp_apply computes X = M B, where the preconditioner M is the result of option "sweeps" iterations
 * from 0. It also computes M^T B and M^H B, if blocks precondition in step. */
OLP_API olp_status olp_solve_from(olp_solver* solver, int type, int64_t nrhs, const void* B, int64_t ldb,
                                  void* X, int64_t ldx);
OLP_API olp_status olp_apply(olp_solver* solver, int type, int op, int64_t nrhs, const void* B, int64_t ldb,
                             void* X, int64_t ldx);
/* olp_solve for distributed B and X: this rank has the rows first to first + count - 1 of both, numbered from 0. Each row is on one
 * rank. */
OLP_API olp_status olp_solve_distributed(olp_solver* solver, int type, int op, int64_t first, int64_t count,
                                         int64_t nrhs, const void* B, int64_t ldb, void* X, int64_t ldx);
/* det A = mantissa 2^exponent; mantissa: one number of the matrix's type, which `type` has to be. */
OLP_API olp_status olp_determinant(olp_solver* solver, int type, void* mantissa, int64_t* exponent);
/* 1 / (||A||_1 ||A^-1||_1), estimated. */
OLP_API olp_status olp_rcond(olp_solver* solver, double* rcond);
/* The numbers of eigenvalues of a symmetric or Hermitian matrix above, below and equal to zero. */
OLP_API olp_status olp_inertia(olp_solver* solver, int64_t* positive, int64_t* negative, int64_t* zero);

/* ---- Answers of sparse factors beyond solutions. Dense factors and iterations return OLP_BAD_PLAN. `type` has to be the matrix's. ---- */

/* X <- op(A)^-1 X by the factors alone; the result is neither refined nor measured. Under MPI X of rank 0 has B, and every rank gets the
 * result. */
OLP_API olp_status olp_substitute(olp_solver* solver, int type, int op, int64_t nrhs, void* X, int64_t ldx);
/* Set the option pivot_threshold for later calls of olp_refactorize. */
OLP_API olp_status olp_set_pivot_threshold(olp_solver* solver, double threshold);
/* The null space of op(A), which option null_pivots finds. *count becomes the number of null vectors, n - numerical_rank. If Z is not
 * NULL, it becomes an orthonormal basis, *count columns of n numbers. Call the function with NULL first to learn the size of Z. Under MPI
 * Z is NULL on all ranks or on none. */
OLP_API olp_status olp_null_space(olp_solver* solver, int type, int op, int64_t* count, void* Z);
/* Entries of A^-1. olp_inverse_entries sets values[k] to entry (rows[k], cols[k]), numbered from 0; olp_inverse_diagonal gives the n
 * diagonal entries. Under MPI rows and cols are those of rank 0; count, and the room in values, are the same on every rank.
 * OLP_ILL_CONDITIONED, also of olp_selected_inverse: A is nearly singular and the entries may be far off; solve for their columns. */
OLP_API olp_status olp_inverse_entries(olp_solver* solver, int type, int64_t count, const int64_t* rows,
                                       const int64_t* cols, void* values);
OLP_API olp_status olp_inverse_diagonal(olp_solver* solver, int type, void* diagonal);

/* The matrices below have compressed columns (OLP_CSC) with int64_t indices from 0. Free them by olp_free_matrix. Under MPI rank 0 has
 * them. */
/* The selected inverse: entry (j, i) of A^-1 for each entry (i, j) of A, and the diagonal. */
OLP_API olp_status olp_selected_inverse(olp_solver* solver, olp_matrix* Z);
/* P A Q = L U, L with ones on its diagonal. Row i of A is row row_position[i] of P A, column j is column col_position[j] of A Q. */
OLP_API olp_status olp_triangular_factors(olp_solver* solver, olp_matrix* L, olp_matrix* U,
                                          int64_t* row_position, int64_t* col_position);
/* P A P^T = L D L^T (L D L^H if A is Hermitian); D has blocks of order 1 and 2. Row and column i of A are row and column position[i] of
 * P A P^T. */
OLP_API olp_status olp_symmetric_factors(olp_solver* solver, olp_matrix* L, olp_matrix* D, int64_t* position);

/* The factors of a symmetric or Hermitian A, each of which olp_half_apply applies by itself, in place and without refinement. With
 * H = P^T L D^(1/2), A = H H^H. */
typedef struct olp_half_factors olp_half_factors;
enum olp_half_part {
  OLP_HALF_SOLVE_L,    /* x <- L^-1 P x, in the order of elimination */
  OLP_HALF_SOLVE_D,    /* x <- D^-1 x */
  OLP_HALF_SOLVE_LT,   /* x <- P^T L^-H x */
  OLP_HALF_SUBSTITUTE, /* x <- A^-1 x: the three above in one call */
  OLP_HALF_MULTIPLY, /* x <- H x: white noise gets the covariance A. This and the next two need a positive definite A */
  OLP_HALF_SOLVE,        /* x <- H^-1 x */
  OLP_HALF_SOLVE_ADJOINT /* x <- H^-H x: white noise gets the covariance A^-1 */
};
OLP_API olp_status olp_make_half(olp_solver* solver, olp_half_factors** half);
OLP_API void olp_free_half(olp_half_factors* half);
OLP_API olp_status olp_half_apply(olp_solver* solver, olp_half_factors* half, int type, int part,
                                  int64_t nrhs, void* X, int64_t ldx);

/* The Schur complement S = A_vv - A_vi A_ii^-1 A_iv of `count` variables v, numbers from 0. To solve A x = b, solve
 * S x_v = condense(b) and take x = expand(b, x_v). The solver's options are used; its factors stay. Under MPI all ranks call it, with A as
 * for olp_factorize and the same variables. The status OLP_ILL_CONDITIONED or OLP_INACCURATE, also of condense and expand, says that A_ii
 * is nearly singular and that the numbers may be far off: choose other variables. */
typedef struct olp_schur_complement olp_schur_complement;
OLP_API olp_status olp_make_schur(olp_solver* solver, const olp_matrix* A, int64_t count,
                                  const int64_t* variables, olp_schur_complement** schur);
OLP_API void olp_free_schur(olp_schur_complement* schur);
/* n, the order of A, and how many variables v are; under MPI on every rank. */
OLP_API olp_status olp_schur_sizes(olp_solver* solver, const olp_schur_complement* schur, int64_t* n,
                                   int64_t* count);
/* S by columns, count x count; its columns are lds numbers apart. */
OLP_API olp_status olp_schur_matrix(olp_solver* solver, olp_schur_complement* schur, int type, void* S,
                                    int64_t lds);
/* condensed <- b_v - A_vi A_ii^-1 b_i, and x <- the whole solution for a given x_v. b, x: n x nrhs; condensed, x_v: count x nrhs; columns
 * one after the other. */
OLP_API olp_status olp_schur_condense(olp_solver* solver, olp_schur_complement* schur, int type, int64_t nrhs,
                                      const void* b, void* condensed);
OLP_API olp_status olp_schur_expand(olp_solver* solver, olp_schur_complement* schur, int type, int64_t nrhs,
                                    const void* b, const void* x_v, void* x);

/* Find out why A is singular, in words about its model. *text becomes a table for people (json: 0) or JSON (json: 1), valid until the next
 * call with this solver. names: n names of the unknowns, or NULL. The solver's factors stay. Under MPI one rank may call it alone. */
OLP_API olp_status olp_diagnose(olp_solver* solver, const olp_matrix* A, const char* const* names, int json,
                                const char** text);

/* A number of the report by its name: "backward_error", "factor_nnz", "pivots.delayed". An unknown number is NaN. Under MPI
 * the report is that of rank 0. */
OLP_API olp_status olp_figure(olp_solver* solver, const char* name, double* value);
/* A word of the report: "method", "ordering", "engine". With the name "" the whole report as JSON. Valid until the next call
 * with this solver. */
OLP_API olp_status olp_text(olp_solver* solver, const char* name, const char** text);

#ifdef __cplusplus
}
#endif
#endif
