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
  OLP_SINGULAR, /* no x; but of several columns the others have one, and with null_pivots there is one that is 0 at null pivots */
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
/* Whether all entries are there, or the diagonal and one triangle, either one, of A = A^T or A = A^H. Zeros may be left out, on the
 * diagonal too. */
enum olp_half { OLP_WHOLE, OLP_SYMMETRIC, OLP_HERMITIAN };
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
  int64_t first;      /* by rank: number of lines before those here, */
  int64_t count;      /*          and of those here; read by the functions for distributed matrices alone */
  const void* start;  /* lines + 1 offsets */
  const void* index;
  const void* value;
  void* owner; /* of memory that olp_read_matrix made, else NULL */
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
/* One sentence on the last call that did not return OLP_OK; "" after one that did. Valid until the next call with this solver.
 * NULL: of the last call of this thread that failed without a solver. */
OLP_API const char* olp_message(const olp_solver* solver);
/* For modules of other languages that check what C cannot see, such as the lengths of arrays: end as a call does that refuses its
 * arguments, with OLP_BAD_INPUT and this message. Under MPI the call that the other ranks make then ends in the same way, if it makes
 * factors or asks the solver's factors. */
enum olp_before { OLP_BEFORE_OTHERS, OLP_BEFORE_ANSWERS, OLP_BEFORE_FACTORS };
OLP_API olp_status olp_refuse(olp_solver* solver, const char* message, int before);

/* ---- Options: names and values as in docs/options.md. They count from the next factorisation on.
 * Experiments (docs/experiments.md) have names as "experiment.strip_rows". ---- */

/* olp_set(solver, "ordering", "amd"), olp_set(solver, "ranks", "4"), olp_set(solver, "memory_limit", "2G") */
OLP_API olp_status olp_set(olp_solver* solver, const char* name, const char* value);
/* The order for option ordering "user": order[k] is the variable that is eliminated k-th, from 0. */
OLP_API olp_status olp_set_order(olp_solver* solver, int64_t n, const int64_t* order);
/* The signs of the pivots for option factorization "quasidefinite", +1 or -1 each, from the next factorisation on. */
OLP_API olp_status olp_set_signs(olp_solver* solver, int64_t n, const int* signs);
/* Called on the caller's thread, at most fifty times a second and when a phase begins; share: 0 to 1. A result other than 0 stops
 * the call, which returns OLP_CANCELLED. Under MPI that of rank 0 is called, and stops all ranks. It is not called while METIS, AMD
 * or SCOTCH orders the unknowns. It may ask the solver for figures, but give it no matrix. NULL: no calls. Takes effect with the
 * next call, also with existing factors. */
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
/* A matrix from `count` entries in any order; those at one position are added up. row, col: of index_bytes each, from base. half: one
 * triangle is listed. To be given to olp_free_matrix. */
OLP_API olp_status olp_assemble_entries(olp_solver* solver, int type, int half, int64_t rows, int64_t cols,
                                        int64_t count, int index_bytes, int base, const void* row,
                                        const void* col, const void* value, olp_matrix* A);
/* The same from finite elements: element e has the variables variable[start[e] - base .. start[e + 1] - base), from base, and
 * k x k values by columns, with half the k (k + 1) / 2 of the lower triangle; the elements' values follow each other. */
OLP_API olp_status olp_assemble_elements(olp_solver* solver, int type, int half, int64_t n, int64_t elements,
                                         int index_bytes, int base, const void* start, const void* variable,
                                         const void* value, olp_matrix* A);

/* Analyse only. The report then has the predicted cost of a factorisation ("predicted_bytes", "predicted_flops", ...). Under
 * MPI the rank that has A calls it alone. */
OLP_API olp_status olp_analyse(olp_solver* solver, const olp_matrix* A);
/* The same, kept in *analysis (NULL after an error). Free it by olp_free_analysis. The solver has its report and no factors.
 * Under MPI all ranks call it, with A as for olp_factorize. */
OLP_API olp_status olp_keep_analysis(olp_solver* solver, const olp_matrix* A, olp_analysis** analysis);
OLP_API void olp_free_analysis(olp_analysis* analysis);
/* Write a kept analysis to a file (under MPI rank 0 does), and read it (called by all ranks). A solver that reads one has its
 * report and no factors. */
OLP_API olp_status olp_save_analysis(olp_solver* solver, const olp_analysis* analysis, const char* path);
OLP_API olp_status olp_load_analysis(olp_solver* solver, const char* path, olp_analysis** analysis);
/* Analyse and factorise. With option method jacobi or multisplitting, prepare the iteration instead. Under MPI A is that of
 * rank 0. On the others `type` alone is read. */
OLP_API olp_status olp_factorize(olp_solver* solver, const olp_matrix* A);
/* Factorise by a kept analysis. A has the type and the pattern of the matrix that was analysed, else OLP_BAD_INPUT. Zeros count
 * as entries. Options that shape an analysis (docs/options.md) are the analysis'. A solver that sets another one is refused with
 * OLP_BAD_PLAN. If the largest entries have left the places that were matched, A is analysed anew for these factors alone
 * ("analysed_again"). Under MPI A and analysis are those of rank 0. */
OLP_API olp_status olp_factorize_with(olp_solver* solver, const olp_matrix* A, const olp_analysis* analysis);
/* olp_factorize for a matrix whose lines are on the ranks. Each rank gives `count` lines; `first` lines of the whole matrix stand
 * before (0 on the first rank, whatever `base` is). `start` is that of these lines, `index` has numbers of the whole matrix. With
 * `half` all ranks together give one triangle. Entries at one position are summed, also across ranks. */
OLP_API olp_status olp_factorize_distributed(olp_solver* solver, const olp_matrix* mine);
/* Other values at the same positions: no new analysis. After olp_factorize_distributed each rank gives its lines again. */
OLP_API olp_status olp_refactorize(olp_solver* solver, const olp_matrix* A);
/* Many matrices of one pattern, analysed once and factorised side by side. A: the pattern, whole, each position once. Its
 * `value` holds `systems` times its entries, those of a system one after the other. wanted: a byte a system, 0: it is left out
 * (NULL: no system is). A failure of one system is its own status, and no error of the call. Free the batch by
 * olp_free_batch. */
typedef struct olp_batch olp_batch;
OLP_API olp_status olp_factorize_batch(olp_solver* solver, const olp_matrix* A, int64_t systems,
                                       const unsigned char* wanted, olp_batch** batch);
/* Other values, for as many systems. */
OLP_API olp_status olp_refactorize_batch(olp_solver* solver, olp_batch* batch, const void* values,
                                         const unsigned char* wanted);
/* Solve op(A_k) X_k = B_k for each system k. B and X have nrhs columns of n numbers for each, one after the other. status,
 * backward_error: one a system (NULL: not wanted); OLP_CANCELLED: it was left out. X is NaN if there is no solution. The call
 * then returns the first such status. If all have a solution, it returns the first status that is not OLP_OK. */
OLP_API olp_status olp_solve_batch(olp_solver* solver, olp_batch* batch, int type, int op, int64_t nrhs,
                                   const void* B, void* X, int* status, double* backward_error);
OLP_API void olp_free_batch(olp_batch* batch);
/* Factorise a dense matrix by columns: entry (i, j) is at i + j lda. It is LU with partial pivoting. With option factorization
 * "cholesky" it is A = L L^H, and both triangles of A are there and agree. */
OLP_API olp_status olp_factorize_dense(olp_solver* solver, int type, int64_t n, const void* A, int64_t lda);
/* Write the factors to a file, and read them. */
OLP_API olp_status olp_save(olp_solver* solver, const char* path);
OLP_API olp_status olp_load(olp_solver* solver, const char* path);

/* ---- Solutions and answers ---- */

/* Solve op(A) X = B with iterative refinement. B and X: nrhs columns of n numbers, ldb and ldx numbers apart; X may be B. `type`
 * is theirs and has to be the matrix's. X is set whenever olp_has_solution is true of the status. Under MPI B is that of rank 0
 * (NULL on others), nrhs is the same on all, and X is set on every rank (NULL there: not wanted). */
OLP_API olp_status olp_solve(olp_solver* solver, int type, int op, int64_t nrhs, const void* B, int64_t ldb,
                             void* X, int64_t ldx);
/* olp_solve for a sparse B, n x nrhs, of the matrix's type; X is dense and of that type, too. The forward solve of sparse factors
 * passes over what B leaves zero. Under MPI B is that of rank 0 (on others NULL, or an olp_matrix of which `type` alone is set). */
OLP_API olp_status olp_solve_sparse(olp_solver* solver, int op, int64_t nrhs, const olp_matrix* B, void* X,
                                    int64_t ldx);
/* With option method jacobi or multisplitting, after olp_factorize. olp_solve_from: A X = B, iterated from the X that is given.
 * olp_apply: X = M B, the result of option "sweeps" iterations from 0, a preconditioner. M^T B and M^H B if blocks precondition
 * in step. Other values for the same pattern: olp_refactorize. */
OLP_API olp_status olp_solve_from(olp_solver* solver, int type, int64_t nrhs, const void* B, int64_t ldb,
                                  void* X, int64_t ldx);
OLP_API olp_status olp_apply(olp_solver* solver, int type, int op, int64_t nrhs, const void* B, int64_t ldb,
                             void* X, int64_t ldx);
/* olp_solve with rows first .. first + count - 1 of B and X, from 0, on this rank, each row on one rank. */
OLP_API olp_status olp_solve_distributed(olp_solver* solver, int type, int op, int64_t first, int64_t count,
                                         int64_t nrhs, const void* B, int64_t ldb, void* X, int64_t ldx);
/* det A = mantissa 2^exponent; mantissa: one number of the matrix's type, which `type` has to be. */
OLP_API olp_status olp_determinant(olp_solver* solver, int type, void* mantissa, int64_t* exponent);
/* 1 / (||A||_1 ||A^-1||_1), estimated. */
OLP_API olp_status olp_rcond(olp_solver* solver, double* rcond);
/* The numbers of eigenvalues of a symmetric or Hermitian matrix above, below and equal to zero. */
OLP_API olp_status olp_inertia(olp_solver* solver, int64_t* positive, int64_t* negative, int64_t* zero);

/* ---- Answers of sparse factors beyond solutions; the others refuse with OLP_BAD_PLAN. `type` has to be the matrix's. ---- */

/* X <- op(A)^-1 X by the factors alone: neither refined nor measured. Under MPI B is in X of rank 0, and X comes to every rank. */
OLP_API olp_status olp_substitute(olp_solver* solver, int type, int op, int64_t nrhs, void* X, int64_t ldx);
/* The option pivot_threshold of later calls of olp_refactorize. */
OLP_API olp_status olp_set_pivot_threshold(olp_solver* solver, double threshold);
/* The number of null vectors (n - numerical_rank, with option null_pivots). With Z != NULL also an orthonormal basis of them: Z
 * has room for *count columns of n numbers. Under MPI Z is NULL on all ranks or on none. */
OLP_API olp_status olp_null_space(olp_solver* solver, int type, int op, int64_t* count, void* Z);
/* values[k] <- entry (rows[k], cols[k]) of A^-1, numbers from 0, and its n diagonal entries. Under MPI rows and cols are those of
 * rank 0; count, and the room in values, are the same on every rank. OLP_ILL_CONDITIONED, also of olp_selected_inverse: A is nearly
 * singular and the entries may be far off; solve for their columns. */
OLP_API olp_status olp_inverse_entries(olp_solver* solver, int type, int64_t count, const int64_t* rows,
                                       const int64_t* cols, void* values);
OLP_API olp_status olp_inverse_diagonal(olp_solver* solver, int type, void* diagonal);

/* The matrices below are by columns, of int64_t from 0. Free them by olp_free_matrix. Under MPI rank 0 has them. */
/* A^-1 at (j, i) for each entry (i, j) of A, and its diagonal. */
OLP_API olp_status olp_selected_inverse(olp_solver* solver, olp_matrix* Z);
/* P A Q = L U, L with ones on its diagonal. Row i of A is row row_position[i] of P A, column j is column col_position[j] of A Q. */
OLP_API olp_status olp_triangular_factors(olp_solver* solver, olp_matrix* L, olp_matrix* U,
                                          int64_t* row_position, int64_t* col_position);
/* P A P^T = L D L^T, of a Hermitian A L D L^H; D has blocks of order 1 and 2. */
OLP_API olp_status olp_symmetric_factors(olp_solver* solver, olp_matrix* L, olp_matrix* D, int64_t* position);

/* One half of a symmetric or Hermitian A, in parts, in place and without refinement. H = P^T L D^(1/2), so that A = H H^H. */
typedef struct olp_half_factors olp_half_factors;
enum olp_half_part {
  OLP_HALF_SOLVE_L,    /* x <- L^-1 P x, in the order of elimination */
  OLP_HALF_SOLVE_D,    /* x <- D^-1 x */
  OLP_HALF_SOLVE_LT,   /* x <- P^T L^-H x */
  OLP_HALF_SUBSTITUTE, /* x <- A^-1 x: the three above in one, the shortest way */
  OLP_HALF_MULTIPLY,   /* x <- H x: white noise gets the covariance A. From here on A is positive definite */
  OLP_HALF_SOLVE,      /* x <- H^-1 x */
  OLP_HALF_SOLVE_ADJOINT /* x <- H^-H x: white noise gets the covariance A^-1 */
};
OLP_API olp_status olp_make_half(olp_solver* solver, olp_half_factors** half);
OLP_API void olp_free_half(olp_half_factors* half);
OLP_API olp_status olp_half_apply(olp_solver* solver, olp_half_factors* half, int type, int part,
                                  int64_t nrhs, void* X, int64_t ldx);

/* The Schur complement S = A_vv - A_vi A_ii^-1 A_iv of `count` variables v, numbers from 0. To solve A x = b, solve
 * S x_v = condense(b) and take x = expand(b, x_v). The solver's options count, its factors stay. Under MPI all
 * ranks call it, with A as for olp_factorize and the same variables. OLP_ILL_CONDITIONED and OLP_INACCURATE, also of condense and
 * expand: A_ii is nearly singular and the numbers may be far off; choose other variables. */
typedef struct olp_schur_complement olp_schur_complement;
OLP_API olp_status olp_make_schur(olp_solver* solver, const olp_matrix* A, int64_t count,
                                  const int64_t* variables, olp_schur_complement** schur);
OLP_API void olp_free_schur(olp_schur_complement* schur);
/* n, the order of A, and how many variables v are; under MPI on every rank. */
OLP_API olp_status olp_schur_sizes(olp_solver* solver, const olp_schur_complement* schur, int64_t* n,
                                   int64_t* count);
/* S by columns, count x count, lds numbers apart. */
OLP_API olp_status olp_schur_matrix(olp_solver* solver, olp_schur_complement* schur, int type, void* S,
                                    int64_t lds);
/* b: n x nrhs, condensed: count x nrhs; x_v: count x nrhs, x: n x nrhs; columns one after the other. */
OLP_API olp_status olp_schur_condense(olp_solver* solver, olp_schur_complement* schur, int type, int64_t nrhs,
                                      const void* b, void* condensed);
OLP_API olp_status olp_schur_expand(olp_solver* solver, olp_schur_complement* schur, int type, int64_t nrhs,
                                    const void* b, const void* x_v, void* x);

/* The reason why A is singular, in words about its model: a table for people (json: 0) or JSON. names: n names of the unknowns,
 * or NULL. *text is valid until the next call with this solver. Its factors stay. Under MPI one rank may call it alone. */
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
