#ifndef OVERLAPACK_BSPLIB_BSP_H
#define OVERLAPACK_BSPLIB_BSP_H
/* For programs of BSPlib (1998) as they are: they include <bsp.h>, and link liboverlapack_bsplib and liboverlapack.
 *
 *   void spmd(void) { bsp_begin(P); ... bsp_end(); }
 *   int main(int argc, char** argv) { bsp_init(spmd, argc, argv); ... spmd(); ... }
 *
 * The caller of spmd is process 0 and goes on behind bsp_begin; the others are threads, which begin in spmd, or, where the program was
 * started by mpirun, the other processes, which leave bsp_init only to end. Without bsp_init, bsp_begin stands in main: then all
 * processes are those of mpirun, and threads refuse it. As BSPlib has it, an error prints its sentence and ends the program. */
#include "overlapack/bsp.h"

typedef int bsp_pid_t;
typedef int bsp_nprocs_t;
typedef int bsp_size_t;

#ifdef __cplusplus
extern "C" {
#endif

OLP_API void bsp_init(void (*spmd)(void), int argc, char** argv);
/* At most so many processes; threads: as many. */
OLP_API void bsp_begin(int maxprocs);
OLP_API void bsp_end(void);

#ifdef __cplusplus
}
#endif

#endif
