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
 * Processes are threads, or MPI's where the program was started by mpirun. So bsp_run replaces BSPlib's bsp_init, bsp_begin and
 * bsp_end, and static variables are shared by threads. Areas are named by their address here, as in BSPlib. An error ends
 * the program on all processes, as BSPlib has it: the call in which a process meets it does not return, no further line of the program
 * runs (longjmp), and bsp_run returns the status; olp_message has the sentence. Memory and files that the program then holds are
 * not released; C++ programs, whose destructors would not run, should use overlapack/bsp.hpp. */
#include "overlapack/overlapack.h"

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Run the program on every process; only the options of engines and ranks are used. */
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

/* Set the size of tags from the next sync on; *bytes becomes the size until then. */
OLP_API void bsp_set_tagsize(size_t* bytes);
OLP_API void bsp_send(int pid, const void* tag, const void* payload, size_t bytes);
OLP_API void bsp_hpsend(int pid, const void* tag, const void* payload, size_t bytes);
OLP_API void bsp_qsize(int* messages, size_t* bytes);
/* status: the bytes of the first message's payload, -1 where the queue is empty; else its tag is copied. */
OLP_API void bsp_get_tag(long* status, void* tag);
OLP_API void bsp_move(void* payload, size_t most_bytes);
/* Remove the first message without a copy; it is valid until the next sync. Returns its bytes, -1 where the queue is empty. */
OLP_API long bsp_hpmove(void** tag, void** payload);

#ifdef __cplusplus
}
#endif

#endif
