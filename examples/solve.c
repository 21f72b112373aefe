/* Solves A x = b for a matrix from a file, from C:  solve_c FILE [OPTION VALUE]...
 * b = A * ones, so that the error of x is known. */
#include <overlapack/overlapack.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Called now and then while the library works; another result than 0 cancels. */
static int progress(const char* phase, double share, void* data) {
  (void)phase;
  (void)share;
  return *(const int*)data;
}

/* b = A * ones of compressed columns. */
static void row_sums(const olp_matrix* A, double* b) {
  const int64_t* start = A->start;
  const int64_t* row = A->index;
  const double* value = A->value;
  for (int64_t i = 0; i < A->rows; ++i) b[i] = 0;
  for (int64_t p = 0; p < start[A->cols]; ++p) b[row[p]] += value[p];
}

static double distance_to_ones(const double* x, int64_t n) {
  double most = 0;
  for (int64_t i = 0; i < n; ++i) most = fmax(most, fabs(x[i] - 1));
  return most;
}

static olp_status solve(olp_solver* solver, const olp_matrix* A) {
  const int64_t n = A->rows;
  double* b = malloc((size_t)n * sizeof *b);
  double* x = malloc((size_t)n * sizeof *x);
  row_sums(A, b);
  olp_status status = olp_factorize(solver, A);
  if (status == OLP_OK) status = olp_solve(solver, OLP_FLOAT64, OLP_NO_TRANS, 1, b, n, x, n);
  if (status == OLP_OK) {
    double backward_error, entries;
    const char* ordering;
    olp_figure(solver, "backward_error", &backward_error);
    olp_figure(solver, "factor_nnz", &entries);
    olp_text(solver, "ordering", &ordering);
    printf("n = %lld, ordering %s, %.0f entries in the factors\n", (long long)n, ordering, entries);
    printf("backward error %.1e, error %.1e\n", backward_error, distance_to_ones(x, n));
  }
  free(b);
  free(x);
  return status;
}

int main(int argc, char** argv) {
  if (argc < 2) {
    fprintf(stderr, "usage: %s FILE [OPTION VALUE]...\n", argv[0]);
    return 2;
  }
  int cancelled = 0;
  olp_solver* solver = NULL;
  olp_matrix A = {0};
  olp_status status = olp_create(&solver);
  if (status == OLP_OK) status = olp_set_progress(solver, progress, &cancelled);
  for (int i = 2; status == OLP_OK && i + 1 < argc; i += 2) status = olp_set(solver, argv[i], argv[i + 1]);
  if (status == OLP_OK) status = olp_read_matrix(solver, argv[1], &A);
  if (status == OLP_OK && A.type != OLP_FLOAT64) {
    fprintf(stderr, "%s: this example is for real matrices in double precision\n", argv[1]);
    status = OLP_BAD_INPUT;
  } else if (status == OLP_OK) {
    status = solve(solver, &A);
  }
  if (status != OLP_OK) fprintf(stderr, "%s: %s\n", olp_status_name(status), olp_message(solver));
  olp_free_matrix(&A);
  olp_destroy(solver);
  return olp_has_solution(status) ? 0 : 1;
}
