#ifndef OVERLAPACK_SCALAPACK_H
#define OVERLAPACK_SCALAPACK_H
#include <stdint.h>

/** What liboverlapack_scalapack.so offers beside ScaLAPACK's own p?getrf, p?getrs and p?gesv (docs/scalapack.md). A
    program that only solves needs none of this. */

#ifdef __cplusplus
extern "C" {
#endif

/** INFO when overlapack itself failed, for want of memory for example; A and B are not to be used any more. */
enum { overlapack_scalapack_failed = -90000 };

/** How many calls of this process ran here, and how many were passed on to the next ScaLAPACK. */
int64_t overlapack_scalapack_calls(void);
int64_t overlapack_scalapack_calls_left(void);

/** What this process did in the factorisations that ran here, summed, as JSON: {"panels": 5, "panels_ahead": 4,
    "overlapped_messages": 7, "supersteps": 0, "split_supersteps": 0, "row_swaps": 0, "puts": 0, "gets": 0, "signals": 0}.
    Valid until the next call of it. */
const char* overlapack_scalapack_counters(void);

/** The plan of the following calls, as JSON: {"schedule": "split", "depth": 2}. Names and values are those of the dense
    options in docs/options.md; grid, block and engine are the caller's. Give the same on all processes.
    Returns 0, or 1 if it is refused: then the plan stays as it was, and overlapack_scalapack_message says why. */
int overlapack_scalapack_set_plan(const char* json);
/** The same from a file. */
int overlapack_scalapack_read_plan(const char* path);

/** Why the last call failed or was passed on, or the last plan refused; "" if nothing was. Valid until the next call
    of this library. */
const char* overlapack_scalapack_message(void);

#ifdef __cplusplus
}
#endif
#endif
