/* Solves with the drop-in under each plan; refused plans; plans that do not fit, which are left to ScaLAPACK. */
#include "overlapack_scalapack.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void Cblacs_pinfo(int* me, int* processes);
void Cblacs_get(int context, int what, int* value);
void Cblacs_gridinit(int* context, const char* order, int rows, int cols);
void Cblacs_gridinfo(int context, int* rows, int* cols, int* row, int* col);
void Cblacs_exit(int go_on);
int numroc_(const int* n, const int* block, const int* me, const int* source, const int* processes);
void pdgesv_(const int* n, const int* nrhs, double* A, const int* ia, const int* ja, const int* desca,
             int* ipiv, double* B, const int* ib, const int* jb, const int* descb, int* info);
void pdposv_(const char* uplo, const int* n, const int* nrhs, double* A, const int* ia, const int* ja,
             const int* desca, double* B, const int* ib, const int* jb, const int* descb, int* info);

static int me, processes, context, rows, cols, row, col, failures;

static void expect(int holds, const char* what) {
  if (holds) return;
  ++failures;
  printf("FAILED on %d: %s; message: %s\n", me, what, overlapack_scalapack_message());
}

/* A = tridiagonal (-1, 4, -1), x = 1. Its rows are turned upside down, so that pivots are far away; or it is definite, and has its
   upper triangle alone. */
static int solve(int is_definite) {
  const int n = 50, block = 4, zero = 0, one = 1;
  const int local_rows = numroc_(&n, &block, &row, &zero, &rows),
            local_cols = numroc_(&n, &block, &col, &zero, &cols);
  const int desca[9] = {1, context, n, n, block, block, 0, 0, local_rows + 1};
  const int descb[9] = {1, context, n, 1, block, block, 0, 0, local_rows + 1};
  double *A = calloc((local_rows + 1) * (local_cols + 1), sizeof *A), *B = calloc(local_rows + 1, sizeof *B);
  int *ipiv = calloc(local_rows + block, sizeof *ipiv), info = -1;
  for (int i = 0; i < local_rows; ++i) {
    const int place = (i / block * rows + row) * block + i % block, r = is_definite ? place : n - 1 - place;
    if (col == 0) B[i] = r == 0 || r == n - 1 ? 3 : 2;
    for (int j = 0; j < local_cols; ++j) {
      const int c = (j / block * cols + col) * block + j % block;
      A[i + j * (local_rows + 1)] = is_definite && c < r ? NAN : c == r ? 4 : abs(c - r) == 1 ? -1 : 0;
    }
  }
  if (is_definite)
    pdposv_("U", &n, &one, A, &one, &one, desca, B, &one, &one, descb, &info);
  else
    pdgesv_(&n, &one, A, &one, &one, desca, ipiv, B, &one, &one, descb, &info);
  for (int i = 0; i < local_rows && col == 0; ++i) expect(fabs(B[i] - 1) < 1e-13, "solution");
  free(A), free(B), free(ipiv);
  return info;
}

/* Solves under a plan, here or behind. */
static void solve_with(const char* plan, int is_served, int is_definite) {
  const int64_t here = overlapack_scalapack_calls(), left = overlapack_scalapack_calls_left();
  if (plan) expect(overlapack_scalapack_set_plan(plan) == 0, plan);
  expect(solve(is_definite) == 0, "info");
  /* ScaLAPACK's pdgesv calls pdgetrf and pdgetrs, which come by here again. */
  expect(is_served ? overlapack_scalapack_calls() == here + 1 : overlapack_scalapack_calls() <= here + 1,
         "calls");
  expect((overlapack_scalapack_calls_left() > left) == !is_served, "calls left");
  expect((strlen(overlapack_scalapack_message()) > 0) == !is_served, "message");
}

static void refuse(const char* plan, const char* word) {
  expect(overlapack_scalapack_set_plan(plan) == 1, plan);
  expect(strstr(overlapack_scalapack_message(), word) != NULL, word);
}

int main(int argc, char** argv) {
  Cblacs_pinfo(&me, &processes);
  Cblacs_get(-1, 0, &context);
  Cblacs_gridinit(&context, "Row", processes == 4 ? 2 : 1, processes == 4 ? 2 : processes);
  Cblacs_gridinfo(context, &rows, &cols, &row, &col);

  solve_with(NULL, 1, 0);
  solve_with("{}", 1, 0);
  solve_with("{\"schedule\": \"flat\"}", 1, 0);
  solve_with(
      "{\"schedule\": \"lookahead\", \"depth\": 2, \"experiment\": {\"broadcast\": "
      "\"two_phase\"}}",
      1, 0);
  solve_with("{\"schedule\": \"split\"}", 1, 0);
  solve_with(
      "{\"experiment\": {\"discipline\": \"superstep\", \"pivot_search\": \"columns\", \"interchange\": "
      "\"pairwise\"}}",
      1, 0);
  solve_with(
      "{\"schedule\": \"lookahead\", \"experiment\": {\"discipline\": \"superstep\", "
      "\"sync\": \"known\"}}",
      1, 0);
  solve_with("{\"experiment\": {\"discipline\": \"onesided\", \"row_swap\": \"generic\"}}", 1, 0);
  solve_with("{}", 1, 1);
  solve_with("{\"experiment\": {\"discipline\": \"superstep\"}}", 1, 1);
  solve_with("{\"experiment\": {\"discipline\": \"onesided\"}}", 1, 1);
  /* Parity needs nodes of the same size. */
  if (processes == 4) solve_with("{\"schedule\": \"parity\", \"experiment\": {\"ranks_per_node\": 3}}", 0, 0);
  if (cols == 2) solve_with("{\"schedule\": \"parity\", \"experiment\": {\"ranks_per_node\": 2}}", 1, 0);
  if (processes > 1)
    solve_with(me == 0 ? "{\"depth\": 1}" : "{\"depth\": 2}", 0, 0); /* not the same everywhere */

  refuse("[]", "JSON object");
  refuse("{\"block\": 64}", "block");
  refuse("{\"schedule\": \"circular\"}", "circular");
  refuse("{\"schedule\": \"hybrid\"}", "helper threads");
  refuse("{\"experiment\": {\"discipline\": \"messages\", \"sync\": \"known\"}}", "does not read");
  refuse("{\"schedule\": \"split\", \"experiment\": {\"discipline\": \"superstep\"}}", "makes no sense");
  refuse(
      "{\"schedule\": \"lookahead\", \"experiment\": {\"discipline\": \"onesided\", \"pivot_search\": "
      "\"columns\"}}",
      "schedule flat");
  expect(overlapack_scalapack_read_plan("there/is/no/such.json") == 1, "a file that is not there");
  expect(argc > 1 && overlapack_scalapack_read_plan(argv[1]) == 0, "a plan's file");
  solve_with(NULL, 1, 0);

  Cblacs_exit(0);
  return failures > 0;
}
