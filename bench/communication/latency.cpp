// What a message takes one way between 2 ranks, and what a team takes to open and to run, beside MPI's own calls in turn; prints a JSON
// array, a row a case, microseconds in the median of all rounds.
// mpirun -n 2 --bind-to none bench_latency [rounds]       each rank takes a processor of its own
#include "comm/receive.hpp"
#include "comm/team.hpp"

#include <mpi.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <sched.h>
#include <string>
#include <unistd.h>
#include <utility>
#include <vector>

namespace {

using namespace overlapack;

constexpr std::size_t sizes[] = {0, 8, 64, 256, 1000, 10'000, 100'000, 1'000'000};
constexpr int tag = 7;

/// The ranks of a process or of threads on the first two processors.
class Processors {
 public:
  Processors() { sched_getaffinity(0, sizeof all_, &all_); }
  /// The calling thread goes to the processor of this number; below 0 to any.
  void take(int number) const {
    cpu_set_t mine = all_;
    if (number >= 0) CPU_ZERO(&mine);
    for (int cpu = 0, seen = 0; number >= 0 && cpu < CPU_SETSIZE; ++cpu)
      if (CPU_ISSET(cpu, &all_) && seen++ == number) CPU_SET(cpu, &mine);
    sched_setaffinity(0, sizeof mine, &mine);
  }

 private:
  cpu_set_t all_;
};

/// How often a message of this size goes there and back in one sample.
int times_of(std::size_t bytes) { return bytes <= 1000 ? 2000 : bytes <= 10'000 ? 500 : 50; }

/// One way, in microseconds; the first tenth warms up.
template <class ThereAndBack>
double sample(int times, ThereAndBack there_and_back) {
  for (int i = 0; i < times / 10; ++i) there_and_back();
  const double begin = MPI_Wtime();
  for (int i = 0; i < times; ++i) there_and_back();
  return (MPI_Wtime() - begin) / times / 2 * 1e6;
}

double by_team(comm::Team& team, const comm::Body& body) {
  double us = 0;
  team.run([&](comm::Rank& rank) {
    const auto send = [&] { rank.start_send(comm::Lane::user, 1 - rank.rank(), {}, body); };
    const auto receive = [&] { comm::receive(rank, comm::Lane::user, 1 - rank.rank()); };
    const double took = sample(times_of(body.size()), [&] {
      if (rank.rank() == 0) send();
      receive();
      if (rank.rank() == 1) send();
    });
    if (rank.rank() == 0) us = took;
  });
  return us;
}

struct Buffers {
  std::vector<char> out = std::vector<char>(sizes[std::size(sizes) - 1]), in = out;
};

void finish(MPI_Request& request) {
  for (int done = 0; !done;) MPI_Test(&request, &done, MPI_STATUS_IGNORE);
}

double by_isend(int rank, std::size_t bytes, Buffers& buffers) {
  const int count = static_cast<int>(bytes), other = 1 - rank;
  MPI_Request out = MPI_REQUEST_NULL, in = MPI_REQUEST_NULL;
  const auto send = [&] { MPI_Isend(buffers.out.data(), count, MPI_BYTE, other, tag, MPI_COMM_WORLD, &out); };
  return sample(times_of(bytes), [&] {
    if (rank == 0) send();
    MPI_Irecv(buffers.in.data(), count, MPI_BYTE, other, tag, MPI_COMM_WORLD, &in);
    finish(in);
    if (rank == 1) send();
    finish(out);
  });
}

double by_send(int rank, std::size_t bytes, Buffers& buffers) {
  const int count = static_cast<int>(bytes), other = 1 - rank;
  const auto send = [&] { MPI_Send(buffers.out.data(), count, MPI_BYTE, other, tag, MPI_COMM_WORLD); };
  return sample(times_of(bytes), [&] {
    if (rank == 0) send();
    MPI_Recv(buffers.in.data(), count, MPI_BYTE, other, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank == 1) send();
  });
}

/// Until the other process is here, too; whoever waits leaves the processor to the threads of the other.
void meet_napping() {
  MPI_Request met = MPI_REQUEST_NULL;
  MPI_Ibarrier(MPI_COMM_WORLD, &met);
  for (int done = 0; !done;) {
    MPI_Test(&met, &done, MPI_STATUS_IGNORE);
    if (!done) usleep(200);
  }
}

struct Way {
  std::string name;
  std::function<double()> measure;
};

/// All ways in turn, round after round; the first warms up.
void compare(const char* what, std::size_t bytes, const std::vector<Way>& ways, int rounds) {
  std::vector<std::vector<double>> us(ways.size());
  for (int round = 0; round <= rounds; ++round)
    for (std::size_t i = 0; i < ways.size(); ++i) {
      MPI_Barrier(MPI_COMM_WORLD);
      const double took = ways[i].measure();
      if (round > 0) us[i].push_back(took);
    }
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank != 0) return;
  static const char* before = "[";
  std::printf("%s\n {\"what\": \"%s\", \"bytes\": %zu, \"us\": {", std::exchange(before, ","), what, bytes);
  for (std::size_t i = 0; i < ways.size(); ++i) {
    std::nth_element(us[i].begin(), us[i].begin() + rounds / 2, us[i].end());
    std::printf("%s\"%s\": %.4f", i ? ", " : "", ways[i].name.c_str(), us[i][rounds / 2]);
  }
  std::printf("}}");
}

class Bench {
 public:
  Bench(int rank, int rounds) : rank_(rank), rounds_(rounds) {
    processors_.take(rank_);
    processes_->run([this](comm::Rank& r) { engine_ = r.capabilities().engine; });
    if (rank_ != 0) return;
    processors_.take(-1);  // whose number the engine asks for
    threads_ = comm::open(of_threads);
    processors_.take(0);
    threads_->run([this](comm::Rank& r) { processors_.take(r.rank()); });
  }

  void messages() {
    Buffers buffers;
    for (const std::size_t bytes : sizes) {
      const comm::Body body = comm::Body::adopt(std::vector<std::byte>(bytes));
      compare("message", bytes,
              {{engine_, [&] { return by_team(*processes_, body); }},
               {"MPI_Isend", [&] { return by_isend(rank_, bytes, buffers); }},
               {"MPI_Send", [&] { return by_send(rank_, bytes, buffers); }},
               on_threads([&] { return by_team(*threads_, body); })},
              rounds_);
    }
  }

  void openings() {
    const comm::TeamOptions again = of_processes;
    compare(
        "first opening", 0,
        {{engine_, [] { return opening_of_new(); }}, {"MPI_Comm_dup", duplicate}, {"MPI_Allreduce", reduce}},
        rounds_);
    compare("later opening", 0,
            {{engine_, [&] { return each([&] { comm::open(again); }); }},
             {"MPI_Comm_dup", duplicate},
             {"MPI_Allreduce", reduce},
             on_threads([] { return each([] { comm::open(of_threads); }); })},
            rounds_);
    const auto nothing = [](comm::Rank&) {};
    compare("empty run", 0,
            {{engine_, [&] { return each([&] { processes_->run(nothing); }); }},
             {"MPI_Comm_dup", duplicate},
             {"MPI_Allreduce", reduce},
             on_threads([&] { return each([&] { threads_->run(nothing); }); })},
            rounds_);
  }

 private:
  inline static const comm::TeamOptions of_threads{.engine = "thread", .ranks = 2},
      of_processes{.engine = "mpi", .ranks = 0};
  static constexpr int calls = 200;

  template <class Call>
  static double each(Call call) {
    const double begin = MPI_Wtime();
    for (int i = 0; i < calls; ++i) call();
    return (MPI_Wtime() - begin) / calls * 1e6;
  }
  static double reduce() {
    return each([] {
      double mine = 1, sum = 0;
      MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    });
  }
  static double duplicate() {
    MPI_Comm copy = MPI_COMM_NULL;
    const double begin = MPI_Wtime();
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    const double took = MPI_Wtime() - begin;
    MPI_Comm_free(&copy);
    return took * 1e6;
  }
  static double opening_of_new() {
    MPI_Comm copy = MPI_COMM_NULL;
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    MPI_Barrier(MPI_COMM_WORLD);
    const double begin = MPI_Wtime();
    comm::open({.engine = "mpi", .ranks = 0, .mpi_communicator = &copy});
    const double took = MPI_Wtime() - begin;
    MPI_Comm_free(&copy);
    return took * 1e6;
  }
  /// Of the threads of the first process, while the other sleeps.
  template <class Measure>
  Way on_threads(Measure measure) const {
    return {"thread", [this, measure] {
              const double us = rank_ == 0 ? measure() : 0;
              meet_napping();
              return us;
            }};
  }

  int rank_, rounds_;
  Processors processors_;
  std::unique_ptr<comm::Team> processes_ = comm::open(of_processes), threads_;
  std::string engine_;
};

}  // namespace

int main(int count, char** arguments) {
  int level = 0, rank = 0, size = 0, result = 0;
  MPI_Init_thread(&count, &arguments, MPI_THREAD_SERIALIZED, &level);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  try {
    if (size != 2) throw Error(Status::bad_plan, "this needs two ranks");
    Bench bench(rank, count > 1 ? std::max(1, std::atoi(arguments[1])) : 21);
    bench.messages();
    bench.openings();
    if (rank == 0) std::printf("\n]\n");
  } catch (const Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    result = 2;
  }
  MPI_Finalize();
  return result;
}
