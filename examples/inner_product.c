/* The inner product of two vectors with BSPlib's calls:  inner_product_c [N [RANKS]]
 * x = y = 1, 2, ..., N, dealt in turn to the processes; all of them end with the sum. */
#include <overlapack/bsp.h>

#include <stdio.h>
#include <stdlib.h>

static double inner_product(const double* x, const double* y, int count) {
  const int p = bsp_nprocs();
  double mine = 0, all = 0;
  double* sums = calloc((size_t)p, sizeof(double));
  bsp_push_reg(sums, (size_t)p * sizeof(double));
  bsp_sync();

  for (int i = 0; i < count; ++i) mine += x[i] * y[i];
  for (int to = 0; to < p; ++to) bsp_put(to, &mine, sums, (size_t)bsp_pid() * sizeof(double), sizeof(double));
  bsp_sync();

  for (int i = 0; i < p; ++i) all += sums[i];
  bsp_pop_reg(sums);
  bsp_sync();
  free(sums);
  return all;
}

static void program(void* argument) {
  const int n = *(const int*)argument;
  double* x = malloc(((size_t)n + 1) * sizeof(double));
  int count = 0;
  for (int i = bsp_pid() + 1; i <= n; i += bsp_nprocs()) x[count++] = i;
  const double product = inner_product(x, x, count);
  if (bsp_pid() == 0)
    printf("%d processes: the sum of i^2 for i = 1 .. %d is %.0f\n", bsp_nprocs(), n, product);
  free(x);
}

int main(int argc, char** argv) {
  int n = argc > 1 ? atoi(argv[1]) : 1000;
  olp_solver* options = NULL;
  int failed = olp_create(&options) != OLP_OK || (argc > 2 && olp_set(options, "ranks", argv[2]) != OLP_OK) ||
               bsp_run(options, program, &n) != OLP_OK;
  if (failed) fprintf(stderr, "%s\n", olp_message(options));
  olp_destroy(options);
  return failed;
}
