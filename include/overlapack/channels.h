#ifndef OVERLAPACK_CHANNELS_H
#define OVERLAPACK_CHANNELS_H
/* Asynchronous iterations for programs in C: the channels of paper 5 (Bethune, Bull, Dingle, Higham 2014, section 4.2), and a detector
 * that computes the residual of one vector while all ranks go on iterating. docs/channels.md explains them; overlapack/channels.hpp is
 * the same in C++.
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

/* A rank inside a running program. One thread at a time may use it. */
typedef struct olp_process olp_process;

/* Counters of one end of a channel, or of all ends that a program has created. */
typedef struct olp_channel_counts {
  int64_t ends;        /* ends that were created */
  int64_t sent;        /* messages sent */
  int64_t skipped;     /* async: calls of can_send that returned 0 */
  int64_t arrived;     /* async: messages of the peer that arrived */
  int64_t received;    /* recv calls that got something new; racy: all recv calls */
  int64_t overwritten; /* async: arrived messages that a newer one replaced before a recv */
  int most_in_flight;  /* async: the most messages that were not acknowledged, at most max_messages */
} olp_channel_counts;

/* Run the program on every rank. Ranks are threads of this process or, under mpirun, processes of MPI, of which the first "ranks" run
 * it. Of the options, those of the engine, ranks and iterations are used. *counts becomes the sum over all ranks (NULL: not wanted). */
OLP_API olp_status olp_run(olp_solver* options, void (*program)(olp_process* process, void* argument),
                           void* argument, olp_channel_counts* counts);

OLP_API int olp_process_rank(const olp_process* process);
OLP_API int olp_process_ranks(const olp_process* process);
/* Seconds on the engine's clock. */
OLP_API double olp_process_time(const olp_process* process);
/* Let messages proceed. Call it inside long computations that make no other call. */
OLP_API olp_status olp_process_poll(olp_process* process);
/* One sentence on the first call of this rank that failed; "" if none has failed. Valid until the program ends. */
OLP_API const char* olp_process_message(const olp_process* process);
/* End the run on all ranks with this sentence. For functions of the program that cannot return an error. */
OLP_API void olp_process_abort(olp_process* process, const char* sentence);

/* ---- Channels ---- */

/* A channel. Both ends give the same message_bytes, max_messages, is_racy and word_bytes. Only send reads sendbuf, and only recv writes
 * recvbuf. Both buffers must live until the channel is destroyed. */
typedef struct olp_channel_options {
  int rank;             /* the rank at the other end */
  size_t message_bytes; /* size of each message, in both directions */
  const void* sendbuf;
  void* recvbuf; /* racy: its contents at creation are received until the other end writes */
  int max_messages; /* async: the most messages of one direction that the other end has not acknowledged; at least 1 */
  int is_racy;       /* 0: async */
  size_t word_bytes; /* racy: size of a word that is never torn, 4 or 8; 0: 8 */
} olp_channel_options;

/* Create this rank's end of a channel. *channel becomes its number. Blocks until the other rank creates its end. Two ranks with several
 * channels between them create both ends of each in the same order. */
OLP_API olp_status olp_channel_create(olp_process* process, const olp_channel_options* options, int* channel);
/* olp_channel_create in two halves, of which the first one does not block. For ranks with several channels. */
OLP_API olp_status olp_channel_start_create(olp_process* process, const olp_channel_options* options,
                                            int* channel);
OLP_API olp_status olp_channel_finish_create(olp_process* process, int channel);
/* End the channel. Messages under way arrive first. Blocks until the other rank calls it, too. */
OLP_API olp_status olp_channel_destroy(olp_process* process, int channel);
/* The first half of olp_channel_destroy, which does not block. For ranks with several channels. The only call that may follow for this
 * channel is olp_channel_destroy. */
OLP_API olp_status olp_channel_start_destroy(olp_process* process, int channel);

/* 1 if send returns at once, 0 if the channel is full, -1 after an error. */
OLP_API int olp_channel_can_send(olp_process* process, int channel);
/* Send the contents of sendbuf. Blocks while the channel is full. The caller may change sendbuf afterwards. */
OLP_API olp_status olp_channel_send(olp_process* process, int channel);
/* 1 if a message has arrived since the last recv (racy: always), 0 if none has, -1 after an error. */
OLP_API int olp_channel_can_recv(olp_process* process, int channel);
/* Copy the newest message to recvbuf and drop older ones. If none has come, recvbuf does not change. racy: copy the words as they are
 * now. Never blocks. */
OLP_API olp_status olp_channel_recv(olp_process* process, int channel);
/* Block until can_recv is true. It is an error if the other rank destroys the channel instead. */
OLP_API olp_status olp_channel_wait(olp_process* process, int channel);
/* The counters of this end, also of a destroyed channel. */
OLP_API olp_status olp_channel_get_counts(olp_process* process, int channel, olp_channel_counts* counts);

/* Allocate memory for the racy messages of this rank. bytes: the sum of their message_bytes, each rounded up to a multiple of 8. All
 * ranks call it, before they create racy channels. */
OLP_API olp_status olp_make_racy_room(olp_process* process, size_t bytes);

/* ---- The residual of one vector ---- */

/* A neighbour: a rank with which this rank exchanges halos. */
typedef struct olp_neighbour {
  int rank;
  size_t out, in; /* how many of my values it needs, and how many of its values I need */
} olp_neighbour;

/* One rank's part of a system, given by functions of the program. A state is a vector of state_size numbers: my unknowns, the halo
 * (copies of the neighbours' unknowns that I need) and anything else. If rank r lists rank s as a neighbour, rank s lists rank r. `self`
 * is the last argument of all functions. */
typedef struct olp_part {
  size_t state_size;
  int neighbour_count;
  const olp_neighbour* neighbours;
  const double* start; /* the state to start from; its halo is not read */
  /* message <- the numbers of x that neighbour number `neighbour` of the list needs; x's halo <- its message */
  void (*pack)(const double* x, int neighbour, double* message, void* self);
  void (*unpack)(const double* message, int neighbour, double* x, void* self);
  double (*residual)(const double* x,
                     void* self); /* the sum of squares of my part of the residual of x, by x's halo */
  /* The sum of squares of my part of the vector whose norm residuals are divided by, such as b; 0 on all ranks: no division. */
  double source;
  /* For olp_iterate: my unknowns of next <- those of x after one step. next has the halo of x already. */
  void (*step)(const double* x, double* next, void* self);
  void* self;
} olp_part;

/* How an iteration ended. converged: the residual is below the tolerance. diverged: the residual is not a number, or 10^6 times the
 * smallest one. stagnated: no better vector came for a long time. */
enum olp_end { OLP_CONVERGED, OLP_DIVERGED, OLP_STAGNATED, OLP_MAX_ITERATIONS };

typedef struct olp_outcome {
  double
      residual; /* the residual of exactly the vector that is returned, the best one whose residual is known */
  int end;      /* an olp_end */
  int64_t iterations;    /* iterations of this rank */
  int64_t looks;         /* how often the ranks' residuals with their present halos were summed */
  int64_t snapshots;     /* recorded vectors whose residual was computed while all ranks went on iterating */
  int64_t sent, skipped; /* olp_iterate: halos that were sent, and not sent because a channel was full */
} olp_outcome;

/* Begin to detect the end of an iteration. All ranks call it. There is one detection at a time. */
OLP_API olp_status olp_detection_begin(olp_process* process, const olp_part* part);
/* Ask whether the iteration is over. Each rank calls it before each of its steps, with the number of its iteration and its state. Returns
 * 0: go on, 1: over, on all ranks alike, -1: an error. */
OLP_API int olp_detection_is_over(olp_process* process, int64_t iteration, const double* x);
/* End the detection once it is over. x becomes my state of the best vector (NULL: not wanted). */
OLP_API olp_status olp_detection_end(olp_process* process, double* x, olp_outcome* outcome);

/* Iterate by part->step until the iteration is over. The library exchanges halos by channels of its own. It reads the options variant
 * (sync, async or racy), in_flight, halo_period, final_sweeps, tolerance, max_iterations, residual_period and residual_sum. All ranks
 * call it, while they have no channels. */
OLP_API olp_status olp_iterate(olp_process* process, const olp_part* part, double* x, olp_outcome* outcome);

#ifdef __cplusplus
}
#endif

#endif
