/* A ScaLAPACK program: factorises and solves on every shape of grid that the processes make, in four types, and checks
   the results and the codes of illegal calls. It knows of ScaLAPACK alone. Exit code 0 if all checks pass. Compiled with
   DEFINITE = 1 it has Cholesky's cases, else LU's. */
#include <float.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tgmath.h>

#ifndef DEFINITE
#define DEFINITE 0
#endif

void Cblacs_pinfo(int* me, int* processes);
void Cblacs_get(int context, int what, int* value);
void Cblacs_gridinit(int* context, const char* order, int rows, int cols);
void Cblacs_gridinfo(int context, int* rows, int* cols, int* row, int* col);
void Cblacs_gridexit(int context);
void Cblacs_exit(int go_on);
void Cigsum2d(int context, const char* scope, const char* topology, int m, int n, int* A, int lda, int row,
              int col);
int numroc_(const int* n, const int* block, const int* me, const int* source, const int* processes);

typedef struct {
  int context, rows, cols, row, col;
} Grid;

typedef struct {
  int type, context, m, n, mb, nb, row_source, col_source, leading;
} Descriptor;

static int checks = 0, failures = 0;

static void expect(int holds, const Grid* g, const char* what, long long a, long long b) {
  ++checks;
  if (holds) return;
  ++failures;
  printf("FAILED on (%d, %d) of %d x %d: %s (%lld, %lld)\n", g->row, g->col, g->rows, g->cols, what, a, b);
}

static int local_size(int n, int block, int me, int source, int processes) {
  return numroc_(&n, &block, &me, &source, &processes);
}

/* Entry l of process `me` is entry ... of the whole, both from 0. */
static int global_of(int l, int block, int me, int source, int processes) {
  return (l / block * processes + (me - source + processes) % processes) * block + l % block;
}

static Descriptor describe(const Grid* g, int m, int n, int mb, int nb, int row_source, int col_source,
                           int extra) {
  const int rows = local_size(m, mb, g->row, row_source, g->rows);
  Descriptor d = {1, g->context, m, n, mb, nb, row_source, col_source, (rows > 1 ? rows : 1) + extra};
  return d;
}

/* In [-1/2, 1/2), the same on every process. */
static double random_value(unsigned seed, int i, int j) {
  unsigned long long x = seed * 0x9E3779B97F4A7C15ull + (unsigned long long)i * 0xBF58476D1CE4E5B9ull +
                         (unsigned long long)j * 0x94D049BB133111EBull;
  x = (x ^ (x >> 31)) * 0xD6E8FEB86659FD93ull;
  x = (x ^ (x >> 32)) * 0xD6E8FEB86659FD93ull;
  return (double)(x >> 11) / 9007199254740992.0 - 0.5;
}

#define T float
#define P(routine) ps##routine##_
#define GSUM Csgsum2d
#define EPS FLT_EPSILON
#define NAME(name) name##_s
#define IMAGINARY 0
#define LARGEST_L 1
#include "lu_cases.inc"

#define T double
#define P(routine) pd##routine##_
#define GSUM Cdgsum2d
#define EPS DBL_EPSILON
#define NAME(name) name##_d
#define IMAGINARY 0
#define LARGEST_L 1
#include "lu_cases.inc"

#define T float complex
#define P(routine) pc##routine##_
#define GSUM Ccgsum2d
#define EPS FLT_EPSILON
#define NAME(name) name##_c
#define IMAGINARY I
#define LARGEST_L 1.4142136 /* pivots are chosen by |Re| + |Im| */
#include "lu_cases.inc"

#define T double complex
#define P(routine) pz##routine##_
#define GSUM Czgsum2d
#define EPS DBL_EPSILON
#define NAME(name) name##_z
#define IMAGINARY I
#define LARGEST_L 1.4142136 /* pivots are chosen by |Re| + |Im| */
#include "lu_cases.inc"

static void on_grid(const char* order, int rows, int cols) {
  Grid g;
  Cblacs_get(-1, 0, &g.context);
  Cblacs_gridinit(&g.context, order, rows, cols);
  Cblacs_gridinfo(g.context, &g.rows, &g.cols, &g.row, &g.col);
  if (g.row < 0) return; /* not in this grid */
  all_cases_s(&g);
  all_cases_d(&g);
  all_cases_c(&g);
  all_cases_z(&g);
  Cblacs_gridexit(g.context);
}

int main(void) {
  int me, processes, rows;
  Cblacs_pinfo(&me, &processes);
  for (rows = 1; rows <= processes; ++rows)
    if (processes % rows == 0) {
      on_grid("Row", rows, processes / rows);
      on_grid("Column", rows, processes / rows);
    }
  if (processes > 1) on_grid("Row", 1, processes - 1);
  printf("process %d of %d: %d checks, %d failed\n", me, processes, checks, failures);
  fflush(stdout);
  Cblacs_exit(0);
  return failures > 0;
}
