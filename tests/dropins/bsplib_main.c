/* A program of BSPlib whose main is its parallel part, without bsp_init: each process sends its number on. */
#include <bsp.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char** argv) {
  int mine, got = -1;
  bsp_begin(argc > 1 ? atoi(argv[1]) : bsp_nprocs());
  mine = bsp_pid();
  bsp_push_reg(&got, sizeof got);
  bsp_sync();
  bsp_put((mine + 1) % bsp_nprocs(), &mine, &got, 0, sizeof mine);
  bsp_sync();
  if (got != (mine + bsp_nprocs() - 1) % bsp_nprocs()) bsp_abort("process %d got %d", mine, got);
  bsp_sync();
  if (mine == 0) printf("%d processes went round\n", bsp_nprocs());
  bsp_end();
  return 0;
}
