#ifndef OVERLAPACK_BSP_H
#define OVERLAPACK_BSP_H
/* BSPlib's calls (Hill, McColl and others, Parallel Computing 24, 1998) by their names, on threads and on MPI.
 *
 *   static void program(void* argument) { ... bsp_put(...); bsp_sync(); ... }
 *
 *   olp_solver* options = NULL;
 *   olp_create(&options);
 *   olp_set(options, "ranks", "4");
 *   if (bsp_run(options, program, NULL) != OLP_OK) fprintf(stderr, "%s\n", olp_message(options));
 *   olp_destroy(options);
 *
 * Processes are threads, or MPI's if mpirun started the program. Threads share static variables. An area is named by its
 * address, as in BSPlib. An error ends the program on all processes, as BSPlib has it. The call in which a process meets the
 * error does not return, and no further line of the program runs (longjmp). bsp_run returns the status, and olp_message has
 * the sentence. Memory and files that the program then holds are not released. In C++ the destructors would not run, so use
 * overlapack/bsp.hpp there. For programs that begin with bsp_init and bsp_begin, use overlapack/bsplib/bsp.h. */
#include "overlapack/overlapack.h"

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Run the program on every process. Of the options, only those of the engine and of ranks are used. Under mpirun the first `ranks`
 * processes run the program, and the others wait. */
OLP_API olp_status bsp_run(olp_solver* options, void (*program)(void* argument), void* argument);
/* Run the program as bsp_run does. If a call of the program fails, it calls `failed` on its process. `failed` may leave the call, for
 * example by longjmp, but must let `program` return in the end. If `failed` returns, the process jumps out of `program`. */
OLP_API olp_status bsp_run_until(olp_solver* options, void (*program)(void* argument),
                                 void (*failed)(void* argument), void* argument);

/* The number of processes of this program. Outside a program, the number that a program could have: the processes that mpirun started,
 * or one for each processor; 0 if MPI cannot be opened. All processes make the first call outside a program together. */
OLP_API int bsp_nprocs(void);

/* Call the functions that follow only inside a program. */
OLP_API int bsp_pid(void);
OLP_API double bsp_time(void);
/* End the run on all processes, with a sentence in the form of printf. */
#ifdef __GNUC__
__attribute__((format(printf, 1, 2)))
#endif
OLP_API void
bsp_abort(const char* format, ...);

/* End the superstep on all processes: puts, gets and messages take effect. */
OLP_API void bsp_sync(void);

/* Register an area of memory for puts and gets of other processes, and end the registration. Both take effect with the next sync. All
 * processes push and pop in the same order. A newer registration of an address hides the older ones until it is popped. A pop ends
 * the latest registration of the address that has not been popped, also one of this superstep. A process that has no part in an area
 * pushes NULL with 0 bytes, and pops NULL. */
OLP_API void bsp_push_reg(const void* area, size_t bytes);
OLP_API void bsp_pop_reg(const void* area);
/* Write to, or read from, `offset` bytes into the registered area of process `pid`, with the next sync. `area` is the address that this
 * process registered. put copies `from` at once; the sync executes all gets before all puts. For hpput and hpget, source and target must
 * not change until the sync has ended, and the transfer may take place at any time until then. */
OLP_API void bsp_put(int pid, const void* from, void* area, size_t offset, size_t bytes);
OLP_API void bsp_hpput(int pid, const void* from, void* area, size_t offset, size_t bytes);
OLP_API void bsp_get(int pid, const void* area, size_t offset, void* to, size_t bytes);
OLP_API void bsp_hpget(int pid, const void* area, size_t offset, void* to, size_t bytes);

/* Set the size of tags from the next sync on; *bytes becomes the size set before. */
OLP_API void bsp_set_tagsize(size_t* bytes);
/* Send a message to the queue of process `pid`, which has it in the next superstep only. hpsend: the payload must not change until the
 * sync has ended. */
OLP_API void bsp_send(int pid, const void* tag, const void* payload, size_t bytes);
OLP_API void bsp_hpsend(int pid, const void* tag, const void* payload, size_t bytes);
/* The number of messages in this process's queue, and the bytes of their payloads. */
OLP_API void bsp_qsize(int* messages, size_t* bytes);
/* Copy the tag of the first message. *status becomes the bytes of its payload, or -1 if the queue is empty. */
OLP_API void bsp_get_tag(long* status, void* tag);
/* Remove the first message and copy at most most_bytes of its payload. */
OLP_API void bsp_move(void* payload, size_t most_bytes);
/* Remove the first message and return pointers to it, valid until the next sync. Returns the bytes of the payload, or -1 if the queue is
 * empty. */
OLP_API long bsp_hpmove(void** tag, void** payload);

/* These three functions with the pointers of BSPlib in 1998, in which sizes are int. A number that cannot be a size is an error. */
OLP_API void bsp_set_tagsize_int(int* bytes);
OLP_API void bsp_qsize_int(int* messages, int* bytes);
OLP_API void bsp_get_tag_int(int* status, void* tag);

#ifdef __cplusplus
}
#endif

/* By BSPlib's name, each of these functions takes both kinds of pointers, and also unsigned and size_t, which some implementations
 * have. */
#if defined(__cplusplus)
inline void bsp_set_tagsize(int* bytes) { bsp_set_tagsize_int(bytes); }
inline void bsp_qsize(int* messages, int* bytes) { bsp_qsize_int(messages, bytes); }
inline void bsp_get_tag(int* status, void* tag) { bsp_get_tag_int(status, tag); }
inline void bsp_qsize(unsigned* messages, size_t* bytes) {
  bsp_qsize(reinterpret_cast<int*>(messages), bytes);
}
inline void bsp_get_tag(size_t* status, void* tag) { bsp_get_tag(reinterpret_cast<long*>(status), tag); }
#elif defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L
static inline void bsp_qsize_unsigned(unsigned* messages, size_t* bytes) { bsp_qsize((int*)messages, bytes); }
static inline void bsp_get_tag_size(size_t* status, void* tag) { bsp_get_tag((long*)status, tag); }
#define bsp_set_tagsize(bytes) _Generic((bytes), int* : bsp_set_tagsize_int, default : bsp_set_tagsize)(bytes)
#define bsp_qsize(messages, bytes) \
  _Generic((bytes), int*: bsp_qsize_int, default: _Generic((messages), unsigned*: bsp_qsize_unsigned, default: bsp_qsize))(messages, bytes)
#define bsp_get_tag(status, tag) \
  _Generic((status), int* : bsp_get_tag_int, size_t* : bsp_get_tag_size, default : bsp_get_tag)(status, tag)
#endif

#endif
