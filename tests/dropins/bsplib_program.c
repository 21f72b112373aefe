/* A program of BSPlib as of 1998, with the header and nothing else of this library: an inner product, messages with tags, and a sequential
 * part before and behind:  bsplib_program MODE PROCESSES
 *   init     spmd by bsp_init, called from main
 *   abort    the same, and process 1 ends it
 *   leak     the same, and process 1 pops what it has not registered
 *   exit     the same, and process 1 ends itself
 *   early    process 0 ends itself before spmd
 *   return   the same, and process 1 returns before bsp_end
 * What process 0 has printed last is compared. */
#include <bsp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int P; /* set by the sequential part, which process 0 alone goes through */
static const char* mode = "init";

static double inner_product(int n, const double* x) {
  double mine = 0, all = 0;
  int p = bsp_nprocs(), s = bsp_pid(), i;
  double* sums = calloc((size_t)p, sizeof(double));
  bsp_push_reg(sums, p * (int)sizeof(double));
  bsp_sync();
  for (i = 0; i < n; ++i) mine += x[i] * x[i];
  for (i = 0; i < p; ++i) bsp_put(i, &mine, sums, s * (int)sizeof(double), sizeof(double));
  bsp_sync();
  for (i = 0; i < p; ++i) all += sums[i];
  bsp_pop_reg(sums); /* holds until the next sync, so the memory may go */
  free(sums);
  return all;
}

/* The number that the process before has sent, by its tag. */
static int from_before(void) {
  int tag_bytes = sizeof(int), status, messages, bytes, tag = -1, number = -1, s = bsp_pid(),
      p = bsp_nprocs();
  bsp_set_tagsize(&tag_bytes);
  bsp_sync();
  number = 7 * s;
  bsp_send((s + 1) % p, &s, &number, sizeof number);
  bsp_sync();
  bsp_qsize(&messages, &bytes);
  bsp_get_tag(&status, &tag);
  if (messages != 1 || bytes != sizeof number || status != sizeof number || tag_bytes != 0)
    bsp_abort("process %d has %d messages of %d bytes, status %d", s, messages, bytes, status);
  bsp_move(&number, sizeof number);
  bsp_get_tag(&status, &tag);
  if (status != -1 || tag != (s + p - 1) % p) bsp_abort("the queue has %d bytes left, tag %d", status, tag);
  return number;
}

static void spmd(void) {
  int n, i, count = 0, s, p, number;
  double x[100], product;
  bsp_begin(P);
  s = bsp_pid();
  p = bsp_nprocs();
  if (s == 0) n = 100;
  bsp_push_reg(&n, sizeof n);
  bsp_sync();
  bsp_get(0, &n, 0, &n, sizeof n);
  bsp_sync();
  bsp_pop_reg(&n);
  for (i = s; i < n; i += p) x[count++] = i + 1;
  product = inner_product(count, x);
  number = from_before();
  if (s == 1 && !strcmp(mode, "abort")) bsp_abort("process %d has enough", s);
  if (s == 1 && !strcmp(mode, "exit")) {
    fprintf(stderr, "process 1 leaves\n");
    exit(7);
  }
  if (s == 1 && !strcmp(mode, "return")) return;
  if (s == 1 && !strcmp(mode, "leak")) bsp_pop_reg(x);
  bsp_sync();
  if (s == 0) {
    printf("sum of squares %.0f on %d processes, %d from the one before\n", product, p, number);
    fflush(stdout);
  }
  bsp_end();
}

int main(int argc, char** argv) {
  if (argc > 1) mode = argv[1];
  bsp_init(spmd, argc, argv);
  if (!strcmp(mode, "early")) return EXIT_FAILURE;
  P = argc > 2 ? atoi(argv[2]) : bsp_nprocs();
  spmd();
  printf("then %d were there\n", bsp_nprocs());
  return 0;
}
