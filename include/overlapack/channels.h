#ifndef OVERLAPACK_CHANNELS_H
#define OVERLAPACK_CHANNELS_H
/* Asynchronous iterations of programs in C: the channels of paper 5 (Bethune, Bull, Dingle, Higham 2014, section 4.2) and a detector
 * that knows the residual of one vector while all ranks iterate on. docs/channels.md explains them; overlapack/channels.hpp is the
 * same in C++.
 *
 *   static void program(olp_process* process, void* argument) {
 *     double mine = olp_process_rank(process), other = -1;
 *     int channel;
 *     olp_channel_options options = {.rank = 1 - olp_process_rank(process), .message_bytes = sizeof mine,
 *                                    .sendbuf = &mine, .recvbuf = &other, .max_messages = 8};
 *     olp_channel_create(process, &options, &channel);
 *     if (olp_channel_can_send(process, channel)) olp_channel_send(process, channel);
 *     if (olp_channel_can_recv(process, channel)) olp_channel_recv(process, channel);   // the newest message is in other
 *     olp_channel_destroy(process, channel);
 *   }
 *
 *   if (olp_run(options, program, NULL, NULL) != OLP_OK) fprintf(stderr, "%s\n", olp_message(options));
 *
 * A call that fails returns a status, and olp_process_message has the sentence. From then on each call of this rank fails, and
 * questions (can_send, can_recv, is_over) answer -1, which is true, so that loops end. When its program returns, the run ends on all
 * ranks, and olp_run returns the first error, whether or not the program looked at it. */
#include "overlapack/overlapack.h"

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A rank inside of a program. Used by one thread at a time. */
typedef struct olp_process olp_process;

/* Counters of one end of a channel, or of all ends that a program has created. */
typedef struct olp_channel_counts {
  int64_t ends;        /* that were created */
  int64_t sent;        /* messages */
  int64_t skipped;     /* async: can_send said no */
  int64_t arrived;     /* async: messages of the peer */
  int64_t received;    /* recv calls that got something new; racy: all */
  int64_t overwritten; /* async: arrived messages that a newer one replaced before a recv */
  int most_in_flight;  /* async: most messages that were not acknowledged, at most max_messages */
} olp_channel_counts;

/* Run the program on every rank: threads of this process or, under mpirun, the processes of MPI, of which the first "ranks" run it.
 * Options of engines, ranks and iterations count. counts: of all ranks together; NULL: nobody asks. */
OLP_API olp_status olp_run(olp_solver* options, void (*program)(olp_process* process, void* argument),
                           void* argument, olp_channel_counts* counts);

OLP_API int olp_process_rank(const olp_process* process);
OLP_API int olp_process_ranks(const olp_process* process);
/* Seconds on the engine's clock. */
OLP_API double olp_process_time(const olp_process* process);
/* Move messages: for long computations, in which no other call is made. */
OLP_API olp_status olp_process_poll(olp_process* process);
/* One sentence on the first call of this rank that failed; "" where none has. Valid until the program ends. */
OLP_API const char* olp_process_message(const olp_process* process);
/* End the run on all ranks with this sentence: for functions of the program that cannot return an error. */
OLP_API void olp_process_abort(olp_process* process, const char* sentence);

/* ---- Channels ---- */

/* Both ends give the same message_bytes, max_messages, is_racy and word_bytes. The buffers are read by send and written by recv
 * alone, and live until the channel is destroyed. */
typedef struct olp_channel_options {
  int rank;             /* of the other end */
  size_t message_bytes; /* of each message, both ways */
  const void* sendbuf;
  void* recvbuf;     /* racy: also what recv gives until the other end writes */
  int max_messages;  /* async: messages of one direction that the far end has not acknowledged; at least 1 */
  int is_racy;       /* else async */
  size_t word_bytes; /* racy: size of a word that is never torn, 4 or 8; 0: 8 */
} olp_channel_options;

/* *channel: its number. Blocks until the other rank calls it. The channels of two ranks are matched in the order in which these create
 * them. */
OLP_API olp_status olp_channel_create(olp_process* process, const olp_channel_options* options, int* channel);
/* The same in two halves, of which the first blocks for nobody: for ranks with several channels. */
OLP_API olp_status olp_channel_start_create(olp_process* process, const olp_channel_options* options,
                                            int* channel);
OLP_API olp_status olp_channel_finish_create(olp_process* process, int channel);
/* End the channel: what is under way arrives first. Blocks until the other rank calls it. */
OLP_API olp_status olp_channel_destroy(olp_process* process, int channel);
/* Its first half, which blocks for nobody: for ranks with several channels. Then only olp_channel_destroy may follow. */
OLP_API olp_status olp_channel_start_destroy(olp_process* process, int channel);

/* 1 if send returns at once, 0 if the channel is full, -1 after an error. */
OLP_API int olp_channel_can_send(olp_process* process, int channel);
/* Send what is in sendbuf; blocks while the channel is full. sendbuf may change afterwards. */
OLP_API olp_status olp_channel_send(olp_process* process, int channel);
/* 1 if a message has arrived since the last recv (racy: always), 0 if none has, -1 after an error. */
OLP_API int olp_channel_can_recv(olp_process* process, int channel);
/* recvbuf becomes the newest message; older ones are dropped, and where none has come recvbuf stays. racy: the words as they are now. */
OLP_API olp_status olp_channel_recv(olp_process* process, int channel);
/* Block until can_recv; an error where the other rank destroys the channel instead. */
OLP_API olp_status olp_channel_wait(olp_process* process, int channel);
OLP_API olp_status olp_channel_get_counts(olp_process* process, int channel, olp_channel_counts* counts);

/* Make memory for the racy messages of this rank: the sum of their message_bytes, each rounded up to 8. Called by all ranks, before
 * their racy channels. */
OLP_API olp_status olp_make_racy_room(olp_process* process, size_t bytes);

/* ---- The residual of one vector ---- */

/* A rank that has values from me, and I from it. */
typedef struct olp_neighbour {
  int rank;
  size_t out, in; /* numbers of my values that it has, and of its values that I have */
} olp_neighbour;

/* One rank's part of a system. A state is state_size numbers: my unknowns, the halo (copies of the neighbours' unknowns that I need)
 * and what else I like. Each rank is in the list of each of its neighbours. `self` is the last argument of all functions. */
typedef struct olp_part {
  size_t state_size;
  int neighbour_count;
  const olp_neighbour* neighbours;
  const double* start; /* a state; its halo is not read */
  void (*pack)(const double* x, int neighbour, double* message, void* self);
  void (*unpack)(const double* message, int neighbour, double* x, void* self);
  double (*residual)(const double* x, void* self); /* the square of my part of its norm, with x's halo */
  double
      source; /* the square of my part of the norm that residuals are divided by; 0 on all ranks: by nothing */
  /* For olp_iterate: my unknowns of next become a step from x. next has the halo of x. */
  void (*step)(const double* x, double* next, void* self);
  void* self;
} olp_part;

/* How an iteration ended: below the tolerance; on a residual that is no number or 10^6 times the smallest; because nothing better
 * came for long; or after max_iterations. */
enum olp_end { OLP_CONVERGED, OLP_DIVERGED, OLP_STAGNATED, OLP_MAX_ITERATIONS };

typedef struct olp_outcome {
  double residual;       /* of exactly the vector that is returned: the best one whose residual is known */
  int end;               /* an olp_end */
  int64_t iterations;    /* of this rank */
  int64_t looks;         /* sums of residuals with halos as they were */
  int64_t snapshots;     /* vectors whose residual was computed while all iterated on */
  int64_t sent, skipped; /* olp_iterate: halos */
} olp_outcome;

/* Begin to look for the end of an iteration. Called by all ranks; one at a time. */
OLP_API olp_status olp_detection_begin(olp_process* process, const olp_part* part);
/* Called by each rank before each of its steps with the number of its iteration and its state: 0 to go on, 1 when it is over, on all
 * ranks alike, -1 after an error. */
OLP_API int olp_detection_is_over(olp_process* process, int64_t iteration, const double* x);
/* Once it is over: x becomes my state of the vector that was found (NULL: not wanted). */
OLP_API olp_status olp_detection_end(olp_process* process, double* x, olp_outcome* outcome);

/* Iterate until it is over, with halos by channels of the library's own: options variant (sync, async or racy), in_flight,
 * halo_period, final_sweeps, tolerance, max_iterations, residual_period, residual_sum. Called by all ranks, without channels. */
OLP_API olp_status olp_iterate(olp_process* process, const olp_part* part, double* x, olp_outcome* outcome);

#ifdef __cplusplus
}
#endif

#endif
