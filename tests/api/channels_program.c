/* The C face of channels: every function, then every error with its sentence. */
#include "overlapack/channels.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures;
#define CHECK(is_so) check(is_so, #is_so, __LINE__)
static void check(int is_so, const char* what, int line) {
  if (is_so) return;
  ++failures; /* threads only ever raise it */
  printf("FAILED in line %d: %s\n", line, what);
}

/* x = 1 + 0.3 (sin of the left end + sin of the right end) on a ring: one unknown a rank, and one of each neighbour. */
typedef struct {
  olp_process* process;
  olp_neighbour neighbours[2];
  int count;
  int fails_at, steps;
} ring;

static void pack(const double* x, int k, double* message, void* self) {
  (void)self, (void)k;
  message[0] = x[0];
}
static void unpack(const double* message, int k, double* x, void* self) {
  (void)self;
  x[1 + k] = message[0];
}
static double next_of(const ring* r, const double* x) {
  double next = 1;
  for (int k = 0; k < r->count; ++k) next += 0.3 * sin(x[1 + k]);
  return next;
}
static double residual(const double* x, void* self) {
  const double mine = next_of(self, x) - x[0];
  return mine * mine;
}
static void step(const double* x, double* next, void* self) {
  ring* r = self;
  if (++r->steps == r->fails_at) olp_process_abort(r->process, "the step has had enough");
  next[0] = next_of(r, x);
}

static olp_part part_of(olp_process* process, ring* r) {
  static const double start[3] = {0.5, 0, 0};
  const int me = olp_process_rank(process), p = olp_process_ranks(process);
  memset(r, 0, sizeof *r);
  r->process = process;
  for (int other = 0; other < p; ++other)
    if (other != me && (other == (me + 1) % p || me == (other + 1) % p))
      r->neighbours[r->count++] = (olp_neighbour){other, 1, 1};
  const olp_part part = {.state_size = (size_t)(1 + r->count),
                         .neighbour_count = r->count,
                         .neighbours = r->neighbours,
                         .start = start,
                         .pack = pack,
                         .unpack = unpack,
                         .residual = residual,
                         .source = 1,
                         .step = step,
                         .self = r};
  return part;
}

/* ---- What goes well ---- */

static void exchanges(olp_process* process, void* argument) {
  const int me = olp_process_rank(process), partner = me ^ 1;
  double mine = 1, theirs = -1, words[2] = {7, 8};
  int channel = -1, racy = -1;
  olp_channel_counts counts;
  (void)argument;
  CHECK(olp_process_time(process) >= 0 && olp_process_poll(process) == OLP_OK);
  CHECK(olp_make_racy_room(process, 16) == OLP_OK);
  if (partner >= olp_process_ranks(process)) return;
  const olp_channel_options options = {
      .rank = partner, .message_bytes = sizeof mine, .sendbuf = &mine, .recvbuf = &theirs, .max_messages = 4};
  const olp_channel_options words_too = {.rank = partner,
                                         .message_bytes = sizeof words,
                                         .sendbuf = words,
                                         .recvbuf = words,
                                         .max_messages = 1,
                                         .is_racy = 1,
                                         .word_bytes = 8};
  CHECK(olp_channel_create(process, &options, &channel) == OLP_OK && channel == 0);
  CHECK(olp_channel_start_create(process, &words_too, &racy) == OLP_OK && racy == 1);
  CHECK(olp_channel_finish_create(process, racy) == OLP_OK);
  for (mine = 1; mine <= 3; ++mine)
    CHECK(olp_channel_can_send(process, channel) == 1 && olp_channel_send(process, channel) == OLP_OK);
  do CHECK(olp_channel_wait(process, channel) == OLP_OK && olp_channel_recv(process, channel) == OLP_OK);
  while (theirs < 3);
  CHECK(olp_channel_can_recv(process, channel) == 0 && olp_channel_recv(process, channel) == OLP_OK &&
        theirs == 3);
  CHECK(olp_channel_can_recv(process, racy) == 1 && olp_channel_recv(process, racy) == OLP_OK);
  CHECK(words[0] == 7 && words[1] == 8);
  CHECK(olp_channel_destroy(process, racy) == OLP_OK && olp_channel_destroy(process, channel) == OLP_OK);
  CHECK(olp_channel_get_counts(process, channel, &counts) == OLP_OK);
  CHECK(counts.sent == 3 && counts.arrived == 3 && counts.received + counts.overwritten == 3);
  CHECK(strcmp(olp_process_message(process), "") == 0);
}

static void iterates(olp_process* process, void* argument) {
  ring r;
  const olp_part part = part_of(process, &r);
  double x[3] = {0, 0, 0};
  olp_outcome outcome;
  (void)argument;
  CHECK(olp_iterate(process, &part, x, &outcome) == OLP_OK);
  CHECK(outcome.end == OLP_CONVERGED && outcome.residual <= 1e-8 && outcome.iterations > 0);
  CHECK(fabs(next_of(&r, x) - x[0]) <= 1e-8 * sqrt(olp_process_ranks(process)) * (1 + 1e-9));
  CHECK((outcome.sent > 0) == (r.count > 0));
}

static void detects(olp_process* process, void* argument) {
  ring r;
  const olp_part part = part_of(process, &r);
  double x[3] = {1, 1, 1}, mine[2], theirs[2];
  int ends[2];
  olp_outcome outcome;
  (void)argument;
  for (int k = 0; k < r.count; ++k) {
    const olp_channel_options options = {.rank = r.neighbours[k].rank,
                                         .message_bytes = 8,
                                         .sendbuf = &mine[k],
                                         .recvbuf = &theirs[k],
                                         .max_messages = 2};
    theirs[k] = 1;
    CHECK(olp_channel_start_create(process, &options, &ends[k]) == OLP_OK);
  }
  for (int k = 0; k < r.count; ++k) CHECK(olp_channel_finish_create(process, ends[k]) == OLP_OK);
  CHECK(olp_detection_begin(process, &part) == OLP_OK);
  for (int iteration = 0; !olp_detection_is_over(process, iteration, x); ++iteration) {
    for (int k = 0; k < r.count; ++k) {
      mine[k] = x[0];
      if (olp_channel_can_send(process, ends[k])) CHECK(olp_channel_send(process, ends[k]) == OLP_OK);
      CHECK(olp_channel_recv(process, ends[k]) == OLP_OK);
      x[1 + k] = theirs[k];
    }
    x[0] = next_of(&r, x);
  }
  CHECK(olp_detection_end(process, x, &outcome) == OLP_OK);
  CHECK(outcome.end == OLP_CONVERGED && outcome.snapshots > 0);
  CHECK(fabs(next_of(&r, x) - x[0]) <= 1e-8 * sqrt(olp_process_ranks(process)) * (1 + 1e-9));
  for (int k = 0; k < r.count; ++k) CHECK(olp_channel_start_destroy(process, ends[k]) == OLP_OK);
  for (int k = 0; k < r.count; ++k) CHECK(olp_channel_destroy(process, ends[k]) == OLP_OK);
}

static void all_is_well(olp_solver* options) {
  olp_channel_counts counts;
  CHECK(olp_run(options, exchanges, NULL, &counts) == OLP_OK);
  CHECK(counts.sent == 3 * counts.ends / 2);
  CHECK(olp_run(options, detects, NULL, NULL) == OLP_OK);
  static const char* const variants[] = {"sync", "async", "racy"};
  for (int v = 0; v < 3; ++v)
    CHECK(olp_set(options, "variant", variants[v]) == OLP_OK &&
          olp_run(options, iterates, NULL, NULL) == OLP_OK);
}

/* ---- What does not ---- */

static olp_channel_options to_next(olp_process* process, double* place) {
  const olp_channel_options options = {.rank = (olp_process_rank(process) + 1) % olp_process_ranks(process),
                                       .message_bytes = 8,
                                       .sendbuf = place,
                                       .recvbuf = place,
                                       .max_messages = 1};
  return options;
}

static void has_no_buffer(olp_process* process, void* argument) {
  int channel;
  olp_channel_options options = to_next(process, NULL);
  (void)argument;
  CHECK(olp_channel_create(process, &options, &channel) == OLP_BAD_INPUT);
  CHECK(strstr(olp_process_message(process), "sendbuf is a null pointer") != NULL);
}
static void has_no_options(olp_process* process, void* argument) {
  int channel;
  (void)argument;
  olp_channel_create(process, NULL, &channel);
}
static void has_no_place(olp_process* process, void* argument) {
  double x;
  const olp_channel_options options = to_next(process, &x);
  (void)argument;
  olp_channel_create(process, &options, NULL);
}
static void names_no_channel(olp_process* process, void* argument) {
  (void)argument;
  CHECK(olp_channel_can_recv(process, 5) == -1);
  CHECK(olp_channel_can_send(process, 0) == -1);
  CHECK(olp_channel_send(process, 0) == OLP_BAD_INPUT);
}
static void uses_what_it_has_destroyed(olp_process* process, void* argument) {
  double x = 0;
  int channel;
  olp_channel_options options = to_next(process, &x);
  (void)argument;
  options.rank = olp_process_rank(process) ^ 1;
  if (options.rank >= olp_process_ranks(process)) return;
  olp_channel_create(process, &options, &channel);
  olp_channel_destroy(process, channel);
  olp_channel_send(process, channel);
}
static void never_begins(olp_process* process, void* argument) {
  double x[3];
  (void)argument;
  CHECK(olp_detection_is_over(process, 0, x) == -1);
}
static void fails_in_a_step(olp_process* process, void* argument) {
  ring r;
  const olp_part part = part_of(process, &r);
  (void)argument;
  if (olp_process_rank(process) == 0) r.fails_at = 3;
  CHECK(olp_iterate(process, &part, NULL, NULL) == OLP_CANCELLED);
}
static void has_no_step(olp_process* process, void* argument) {
  ring r;
  olp_part part = part_of(process, &r);
  (void)argument;
  part.step = NULL;
  CHECK(olp_iterate(process, &part, NULL, NULL) == OLP_BAD_INPUT);
}
static void has_fewer_than_no_neighbours(olp_process* process, void* argument) {
  ring r;
  olp_part part = part_of(process, &r);
  (void)argument;
  part.neighbour_count = -1;
  CHECK(olp_detection_begin(process, &part) == OLP_BAD_INPUT);
}

static void expect(olp_solver* options, void (*program)(olp_process*, void*), olp_status status,
                   const char* says) {
  const olp_status got = olp_run(options, program, NULL, NULL);
  if (got == status && strstr(olp_message(options), says)) return;
  ++failures;
  printf("FAILED: status %d, %s, expected %s\n", (int)got, olp_message(options), says);
}

static void all_misuse(olp_solver* options) {
  CHECK(olp_run(NULL, exchanges, NULL, NULL) == OLP_BAD_INPUT);
  expect(options, NULL, OLP_BAD_INPUT, "the program is a null pointer");
  expect(options, has_no_buffer, OLP_BAD_INPUT, "the channel's sendbuf is a null pointer; give an address");
  expect(options, has_no_options, OLP_BAD_INPUT, "the options of a channel is a null pointer");
  expect(options, has_no_place, OLP_BAD_INPUT, "the place for the channel's number is a null pointer");
  expect(options, names_no_channel, OLP_BAD_INPUT, "has no channel 5; give one that it has created");
  expect(options, uses_what_it_has_destroyed, OLP_BAD_INPUT, "was destroyed; create another one");
  expect(options, never_begins, OLP_BAD_INPUT,
         "looks for no end of an iteration; call olp_detection_begin first");
  expect(options, fails_in_a_step, OLP_CANCELLED, "rank 0 ended the program: the step has had enough");
  expect(options, has_no_step, OLP_BAD_INPUT, "the part's step is a null pointer");
  expect(options, has_fewer_than_no_neighbours, OLP_BAD_INPUT, "a part has -1 neighbours");
  CHECK(olp_process_poll(NULL) == OLP_BAD_INPUT && olp_process_rank(NULL) == -1 &&
        olp_process_ranks(NULL) == 0);
  CHECK(strstr(olp_process_message(NULL), "the process is a null pointer") != NULL);
}

int main(int argc, char** argv) {
  olp_solver* options = NULL;
  if (olp_create(&options) != OLP_OK || (argc > 1 && olp_set(options, "ranks", argv[1]) != OLP_OK)) return 2;
  all_is_well(options);
  if (argc > 1 && atoi(argv[1]) > 1)
    all_misuse(options); /* threads; under MPI the processes end with an error */
  all_is_well(options);  /* a program that failed is not the last one */
  olp_destroy(options);
  return failures > 0;
}
