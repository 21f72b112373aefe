/* A rod that loses heat by radiation between two hot ends, by an asynchronous iteration:  fixed_point_c [POINTS [RANKS [racy]]]
 *
 *   u'' = 100 u^4, u(0) = u(1) = 1:  F_i(u) = 2 u_i - u_(i-1) - u_(i+1) + 100 h^2 u_i^4 = 0 at points i h
 *
 * Each rank has some points beside each other. It goes on with its neighbours' ends as it happens to know them, and waits for
 * nobody; the detector knows the residual of one vector all the same. */
#include <overlapack/channels.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The points of one rank. A state has one value more at each end: the neighbour's, or the hot end's. */
typedef struct {
  int rank, first, count;
  double h;
  olp_neighbour neighbours[2];
  int neighbour_count;
} rod;

typedef struct {
  int points, is_racy;
} task;

static int is_left(const rod* r, int k) { return r->neighbours[k].rank < r->rank; }
static double f(const rod* r, const double* u, int i) {
  return 2 * u[i] - u[i - 1] - u[i + 1] + 100 * r->h * r->h * u[i] * u[i] * u[i] * u[i];
}

static void pack(const double* u, int k, double* message, void* self) {
  const rod* r = self;
  message[0] = is_left(r, k) ? u[1] : u[r->count];
}
static void unpack(const double* message, int k, double* u, void* self) {
  const rod* r = self;
  u[is_left(r, k) ? 0 : r->count + 1] = message[0];
}
static double residual(const double* u, void* self) {
  const rod* r = self;
  double sum = 0;
  for (int i = 1; i <= r->count; ++i) sum += f(r, u, i) * f(r, u, i);
  return sum;
}
/* Newton's step for one point after the other. */
static void sweep(const rod* r, double* u) {
  for (int i = 1; i <= r->count; ++i) u[i] -= f(r, u, i) / (2 + 400 * r->h * r->h * u[i] * u[i] * u[i]);
}

static rod make_rod(int points, int rank, int ranks) {
  rod r = {.rank = rank, .h = 1.0 / (points + 1)};
  r.first = points * rank / ranks + 1;
  r.count = points * (rank + 1) / ranks + 1 - r.first;
  for (int other = rank - 1; other <= rank + 1; other += 2)
    if (other >= 0 && other < ranks) r.neighbours[r.neighbour_count++] = (olp_neighbour){other, 1, 1};
  return r;
}

static void program(olp_process* process, void* argument) {
  const task* t = argument;
  rod r = make_rod(t->points, olp_process_rank(process), olp_process_ranks(process));
  double* u = malloc(((size_t)r.count + 2) * sizeof(double));
  double mine[2], theirs[2] = {1, 1};
  int ends[2];
  for (int i = 0; i < r.count + 2; ++i) u[i] = 1;

  if (t->is_racy) olp_make_racy_room(process, sizeof theirs);
  for (int k = 0; k < r.neighbour_count; ++k) {
    const olp_channel_options options = {.rank = r.neighbours[k].rank,
                                         .message_bytes = sizeof(double),
                                         .sendbuf = &mine[k],
                                         .recvbuf = &theirs[k],
                                         .max_messages = 8,
                                         .is_racy = t->is_racy};
    olp_channel_start_create(process, &options, &ends[k]);
  }
  for (int k = 0; k < r.neighbour_count; ++k) olp_channel_finish_create(process, ends[k]);

  const olp_part part = {.state_size = (size_t)r.count + 2,
                         .neighbour_count = r.neighbour_count,
                         .neighbours = r.neighbours,
                         .start = u,
                         .pack = pack,
                         .unpack = unpack,
                         .residual = residual,
                         .source = 2 - r.neighbour_count,
                         .self = &r};
  olp_detection_begin(process, &part);
  for (int iteration = 0; !olp_detection_is_over(process, iteration, u); ++iteration) {
    for (int k = 0; k < r.neighbour_count; ++k) {
      if (olp_channel_can_send(process, ends[k])) {
        pack(u, k, &mine[k], &r);
        olp_channel_send(process, ends[k]);
      }
      olp_channel_recv(process, ends[k]);
      unpack(&theirs[k], k, u, &r);
    }
    for (int sweeps = 0; sweeps < 10; ++sweeps) sweep(&r, u);
  }
  olp_outcome found = {0};
  const olp_status ended = olp_detection_end(process, u, &found);
  for (int k = 0; k < r.neighbour_count; ++k) olp_channel_start_destroy(process, ends[k]);
  for (int k = 0; k < r.neighbour_count; ++k) olp_channel_destroy(process, ends[k]);

  const int middle = (t->points + 1) / 2 - r.first;
  if (ended == OLP_OK && 0 <= middle && middle < r.count)
    printf("%d ranks, %s: residual %.1e, u(1/2) = %.3f\n", olp_process_ranks(process),
           found.end == OLP_CONVERGED ? "converged" : "not converged", found.residual, u[middle + 1]);
  free(u);
}

int main(int argc, char** argv) {
  task t = {.points = argc > 1 ? atoi(argv[1]) : 99, .is_racy = argc > 3 && strcmp(argv[3], "racy") == 0};
  olp_solver* options = NULL;
  int failed = olp_create(&options) != OLP_OK ||
               olp_set(options, "experiment.residual_period", "10") != OLP_OK ||
               (argc > 2 && olp_set(options, "ranks", argv[2]) != OLP_OK) ||
               olp_run(options, program, &t, NULL) != OLP_OK;
  if (failed) fprintf(stderr, "%s\n", olp_message(options));
  olp_destroy(options);
  return failed;
}
