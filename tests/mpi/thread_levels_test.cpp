/// Under mpirun: thread_levels LEVEL. The program has started MPI at that level, 0 for MPI_THREAD_SINGLE to 3 for MULTIPLE, and asks the
/// engine for what the level allows and what it does not.
#include "comm/collective/collective.hpp"
#include "comm/engine/mpi/load/loader.hpp"
#include "comm/team.hpp"

#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <functional>
#include <string>
#include <thread>

using namespace overlapack;

namespace {

int failures = 0;

void expect(bool holds, const std::string& what) {
  if (holds) return;
  ++failures;
  std::printf("FAILED: %s\n", what.c_str());
}

/// Every level has its number in every MPI.
enum { single, funneled, serialized, multiple };

template <class Function>
Function* of_mpi(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_DEFAULT, name));
}

std::string refusal(const std::function<void()>& fn) {
  try {
    fn();
  } catch (const Error& e) {
    return e.status() == Status::bad_plan ? e.what() : "";
  }
  return "";
}

std::string refusal_in_a_thread(const std::function<void()>& fn) {
  std::string text;
  std::thread([&] { text = refusal(fn); }).join();
  return text;
}

bool holds(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

void pass_a_barrier(comm::Team& team) {
  team.run([](comm::Rank& rank) { comm::collective::barrier(rank); });
}

void open_and_run(const comm::TeamOptions& options) { pass_a_barrier(*comm::open(options)); }

}  // namespace

int main(int, char** arguments) {
  const int level = std::atoi(arguments[1]);
  comm::mpi::load_mpi_plugin(comm::mpi::usual_paths(), {});
  int given = -1;
  of_mpi<int(int*, char***, int, int*)>("MPI_Init_thread")(nullptr, nullptr, level, &given);
  if (given != level) {
    std::puts("skipped: this MPI has not that level");
    return 0;
  }
  const comm::TeamOptions plain{.engine = "mpi", .ranks = 0};
  comm::TeamOptions with_workers = plain, with_mover = plain, first_has_workers = plain;
  with_workers.workers = 1;
  with_mover.progress_thread = true;
  const auto check_other_thread = [&](const std::function<void()>& fn) {
    const std::string text = refusal_in_a_thread(fn);
    expect(level < serialized ? holds(text, "give MPI_THREAD_SERIALIZED or more to MPI_Init_thread")
                              : text.empty(),
           "another thread than MPI's main one: " + text);
  };
  check_other_thread([&] { open_and_run(plain); });  // nobody has come before it
  expect(refusal([&] { open_and_run(plain); }).empty(), "MPI's main thread may run at every level");

  const std::string workers = refusal([&] { open_and_run(with_workers); });
  expect(level == single ? holds(workers, "MPI_THREAD_FUNNELED or more to MPI_Init_thread") : workers.empty(),
         "workers are threads: " + workers);
  const int rank = comm::open(plain)->first_local();
  first_has_workers.workers = rank == 0;
  expect((level == single) == holds(refusal([&] { open_and_run(first_has_workers); }), "workers are threads"),
         "what one rank refuses all refuse");

  const std::string mover = refusal([&] { open_and_run(with_mover); });
  expect(level < serialized ? holds(mover, "MPI_THREAD_SERIALIZED") : mover.empty(),
         "a progress thread: " + mover);

  const auto team = comm::open(plain);
  check_other_thread([&] { pass_a_barrier(*team); });
  expect(refusal([&] { pass_a_barrier(*team); }).empty(), "the main thread goes on");

  of_mpi<int()>("MPI_Finalize")();
  expect(holds(refusal([&] { open_and_run(plain); }), "MPI has ended"), "a new team after the end of MPI");
  expect(holds(refusal([&] { pass_a_barrier(*team); }), "MPI has ended"),
         "a former team after the end of MPI");
  if (failures == 0) std::puts("the levels are kept");
  return failures;
}
