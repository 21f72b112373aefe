/* Errors in a BSPlib program in plain C, compiled without tables that an exception could be unwound by: the call does not return, no
 * further line runs, bsp_run tells why on all processes. */
#include "overlapack/bsp.h"

#include <stdio.h>
#include <string.h>

static int ran_on; /* threads only ever set it */
static int failures;

static void deep(int levels, int* area) {
  int x = levels;
  if (levels > 0)
    deep(levels - 1, area);
  else
    bsp_put(0, &x, area, 0, sizeof x);
  ran_on += bsp_pid() == 1;
}

static void unregistered(void* argument) {
  int area = 0;
  if (bsp_pid() == 1) deep(5, &area);
  bsp_sync();
  bsp_sync();
  ran_on = 1; /* nobody comes here: the others end in a sync */
  (void)argument;
}

static void ends_itself(void* argument) {
  if (bsp_pid() == 1) bsp_abort("no more");
  bsp_sync();
  bsp_sync();
  ran_on = 1;
  (void)argument;
}

static void takes_from_nothing(void* argument) {
  int x;
  bsp_sync();
  if (bsp_pid() == 0) {
    bsp_move(&x, sizeof x);
    ran_on = 1;
  }
  bsp_sync();
  (void)argument;
}

static void goes_well(void* argument) {
  bsp_sync();
  if (bsp_pid() == 0) *(int*)argument = bsp_nprocs();
}

static void expect(olp_solver* options, void (*program)(void*), olp_status status, const char* says) {
  ran_on = 0;
  const olp_status got = bsp_run(options, program, NULL);
  if (got == status && strstr(olp_message(options), says) && !ran_on) return;
  ++failures;
  printf("FAILED: status %d, %s, expected %s\n", (int)got, olp_message(options), says);
}

int main(int argc, char** argv) {
  int processes = 0;
  olp_solver* options = NULL;
  if (olp_create(&options) != OLP_OK || olp_set(options, "ranks", argc > 1 ? argv[1] : "0") != OLP_OK)
    return 2;
  const int is_repeated =
      argc > 1; /* threads: a program that failed is not the last one; MPI's processes end with it */
  for (int round = 0; round < 1 + 2 * is_repeated; ++round)
    expect(options, unregistered, OLP_INTERNAL, "process 1 names an area that is not registered");
  if (is_repeated) {
    expect(options, ends_itself, OLP_CANCELLED, "process 1 ended the program: no more");
    expect(options, takes_from_nothing, OLP_INTERNAL, "process 0, superstep 1: the queue is empty");
    if (bsp_run(options, goes_well, &processes) != OLP_OK || processes < 2) ++failures;
  }
  olp_destroy(options);
  return failures > 0;
}
