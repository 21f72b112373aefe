#ifndef OVERLAPACK_BSP_H
#define OVERLAPACK_BSP_H
/* BSPlib's calls (Hill, McColl and others, Parallel Computing 24, 1998) by their names, on every engine of overlapack.
 *
 *   static void program(void* argument) { ... bsp_put(...); bsp_sync(); ... }
 *
 *   olp_solver* options = NULL;
 *   olp_create(&options);
 *   olp_set(options, "ranks", "4");
 *   if (bsp_run(options, program, NULL) != OLP_OK) fprintf(stderr, "%s\n", olp_message(options));
 *   olp_destroy(options);
 *
 * Processes are threads, or MPI's where the program was started by mpirun. So bsp_run stands for BSPlib's bsp_init, bsp_begin and
 * bsp_end, and what is static is shared by threads. Areas are named by their address here, as in BSPlib. An error ends
 * the program on all processes, as BSPlib has it: the call in which a process meets it does not return, no further line of the program
 * runs (longjmp), and bsp_run returns the status; olp_message has the sentence. What the program holds then, memory or files, it does
 * not give back; a C++ program, whose destructors would not run, takes overlapack/bsp.hpp. */
#include "overlapack/overlapack.h"

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Run the program on every process; of the options of `options` those of engines and ranks count. */
OLP_API olp_status bsp_run(olp_solver* options, void (*program)(void* argument), void* argument);

/* All that follows: inside of a program only. */
OLP_API int bsp_nprocs(void);
OLP_API int bsp_pid(void);
OLP_API double bsp_time(void);
/* End the run on all processes, with this sentence. */
OLP_API void bsp_abort(const char* message);

OLP_API void bsp_sync(void);

OLP_API void bsp_push_reg(const void* area, size_t bytes);
OLP_API void bsp_pop_reg(const void* area);
OLP_API void bsp_put(int pid, const void* from, void* area, size_t offset, size_t bytes);
OLP_API void bsp_hpput(int pid, const void* from, void* area, size_t offset, size_t bytes);
OLP_API void bsp_get(int pid, const void* area, size_t offset, void* to, size_t bytes);
OLP_API void bsp_hpget(int pid, const void* area, size_t offset, void* to, size_t bytes);

/* The size until the next sync comes back in its place. */
OLP_API void bsp_set_tagsize(size_t* bytes);
OLP_API void bsp_send(int pid, const void* tag, const void* payload, size_t bytes);
OLP_API void bsp_hpsend(int pid, const void* tag, const void* payload, size_t bytes);
OLP_API void bsp_qsize(int* messages, size_t* bytes);
/* status: the bytes of the first message's payload, -1 where the queue is empty; else its tag is copied. */
OLP_API void bsp_get_tag(long* status, void* tag);
OLP_API void bsp_move(void* payload, size_t most_bytes);
/* Where it lies, until the next sync; returns its bytes, -1 where the queue is empty. */
OLP_API long bsp_hpmove(void** tag, void** payload);

#ifdef __cplusplus
}
#endif

#endif
