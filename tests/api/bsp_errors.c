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
  if (bsp_pid() == 1) bsp_abort("no more than %d of %s", 3, "them");
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

static void pops_in_another_order(void* argument) {
  int one, other;
  bsp_push_reg(&one, sizeof one);
  bsp_push_reg(&other, sizeof other);
  bsp_sync();
  bsp_pop_reg(bsp_pid() == 1 ? &other : &one);
  bsp_pop_reg(bsp_pid() == 1 ? &one : &other);
  bsp_sync();
  ran_on = 1;
  (void)argument;
}
static void pops_what_nobody_pushed(void* argument) {
  int one;
  bsp_sync();
  if (bsp_pid() == 1) bsp_pop_reg(&one);
  bsp_sync();
  ran_on = 1;
  (void)argument;
}

static void pushes_null_with_bytes(void* argument) {
  if (bsp_pid() == 1) bsp_push_reg(NULL, 8);
  bsp_sync();
  ran_on = 1;
  (void)argument;
}
static void sends_a_negative_size(void* argument) {
  int size = -1;
  if (bsp_pid() == 1) bsp_send(0, NULL, NULL, (size_t)size);
  bsp_sync();
  ran_on = 1;
  (void)argument;
}
static void asks_without_room(void* argument) {
  bsp_sync();
  if (bsp_pid() == 1) bsp_set_tagsize(argument);
  bsp_sync();
  ran_on = 1;
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
    expect(options, unregistered, OLP_INTERNAL, "process 1, superstep 0: an area is named that begins at");
  if (is_repeated) {
    expect(options, ends_itself, OLP_CANCELLED, "process 1 ended the program: no more than 3 of them");
    expect(options, takes_from_nothing, OLP_INTERNAL, "process 0, superstep 1: the queue is empty");
    expect(options, pops_in_another_order, OLP_INTERNAL,
           "superstep 1: process 0 pops slot 0 where process 1 pops slot 1");
    expect(options, pops_what_nobody_pushed, OLP_INTERNAL,
           "process 1, superstep 1: an area is popped that begins at");
    expect(options, pushes_null_with_bytes, OLP_INTERNAL,
           "process 1, superstep 0: 8 bytes at a null pointer");
    expect(options, sends_a_negative_size, OLP_INTERNAL, "process 1, superstep 0: a size of -1 bytes");
    expect(options, asks_without_room, OLP_INTERNAL,
           "process 1, superstep 1: bsp_set_tagsize has a null pointer");
    if (bsp_run(options, goes_well, &processes) != OLP_OK || processes < 2) ++failures;
  }
  olp_destroy(options);
  return failures > 0;
}
