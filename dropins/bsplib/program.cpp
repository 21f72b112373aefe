#include "bsp.h"
#include "side_stack.hpp"

#include <overlapack/environment.hpp>
#include <overlapack/error.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <thread>
#include <utility>

// bsp_init, bsp_begin and bsp_end. The library's bsp_run calls a function, but a BSPlib program continues after bsp_begin. Therefore bsp_begin
// calls bsp_run on a stack of its own. The function that bsp_run calls on the main thread switches back to the caller of bsp_begin, until
// bsp_end.
namespace {

enum class Stage { before, inside, after };

/// The state of this process's program. A process has one program.
struct Program {
  void (*spmd)() = nullptr;
  Stage stage = Stage::before;
  olp_solver* options = nullptr;
  std::unique_ptr<SideStack> run;  ///< bsp_run, while the program goes on elsewhere
  std::thread::id main;
};
/// Never destroyed: the process may exit while it is on the stack of `run`.
Program& program = *new Program;

/// Whether this thread began in the function spmd, and which of its bsp_begin and bsp_end it has reached.
thread_local bool is_other_process = false;
thread_local Stage my_stage = Stage::before;

/// End the program with an error. The first process reports errors that all processes meet; each process reports an error that it may have met
/// alone.
[[noreturn]] void end_in_error(const std::string& sentence, bool is_alone = false) {
  if (is_other_process || program.stage == Stage::inside) bsp_abort("%s", sentence.c_str());
  if (is_alone || overlapack::is_first_process()) std::fprintf(stderr, "%s\n", sentence.c_str());
  std::exit(EXIT_FAILURE);
}

constexpr const char* no_end = "the function of bsp_init has returned before bsp_end";

bool is_main() { return std::this_thread::get_id() == program.main; }

/// The function that bsp_run calls on each process.
void run_as_process(void*) {
  if (is_main()) {
    program.stage = Stage::inside;
    return program.run->switch_out();  // until bsp_end, or an error
  }
  is_other_process = true;
  my_stage = Stage::before;
  program.spmd();
  if (my_stage != Stage::after) end_in_error(no_end);
}

/// The function that a failed call calls. On the main thread it leaves the program and goes back to bsp_run.
void fail(void*) {
  if (is_main()) program.run->switch_into();
}

/// Call bsp_run; runs on the separate stack.
void run() {
  const olp_status status = bsp_run_until(program.options, run_as_process, fail, nullptr);
  const bool has_run = program.stage == Stage::inside;
  program.stage = Stage::after;
  if (status != OLP_OK) end_in_error(olp_message(program.options));
  if (!has_run) std::exit(EXIT_SUCCESS);  // more processes than bsp_begin asked for
}

/// The number of processes that the first process asked for. With threads it is taken as it is; with MPI it is at most the number of processes
/// that were started.
int agreed_processes(int asked) {
  overlapack::Processes processes{overlapack::Options{}};
  if (processes.size() == 1 && overlapack::engine_name({}) == "thread") return asked;
  return std::min(std::stoi(processes.tell(std::to_string(asked)).front()), processes.size());
}

}  // namespace

void bsp_init(void (*spmd)(void), int, char**) {
  if (program.spmd || program.stage != Stage::before)
    end_in_error("bsp_init is called again, or after bsp_begin; call it once, first in main");
  if (!spmd) end_in_error("bsp_init has a null pointer; give the function that calls bsp_begin");
  program.spmd = spmd;
  if (bsp_nprocs() == 0 || overlapack::Processes({}).rank() == 0) return;
  spmd();
  if (program.stage == Stage::inside) end_in_error(no_end);
  std::exit(EXIT_SUCCESS);
}

void bsp_begin(int maxprocs) try {
  if (is_other_process && my_stage == Stage::before) {
    my_stage = Stage::inside;
    return;
  }
  if (is_other_process || program.stage != Stage::before)
    end_in_error("bsp_begin is called again; a program has one bsp_begin and one bsp_end");
  const int processes = agreed_processes(maxprocs);
  if (processes < 1)
    end_in_error("bsp_begin asks for " + std::to_string(processes) + " processes; ask for 1 or more");
  if (processes > 1 && !program.spmd && overlapack::engine_name({}) == "thread")
    end_in_error(
        "bsp_begin in main can start no threads there; call bsp_init(function, argc, argv) first in main, "
        "with the function that calls bsp_begin, or start the program with mpirun");
  if (olp_create(&program.options) != OLP_OK ||
      olp_set(program.options, "ranks", std::to_string(processes).c_str()) != OLP_OK)
    end_in_error("bsp_begin finds no memory for the options of a run");
  program.main = std::this_thread::get_id();
  program.run = std::make_unique<SideStack>(run);
  program.run->switch_into();
} catch (const overlapack::Error& error) {
  end_in_error(error.what(), error.status() == overlapack::Status::comm_failure);
}

void bsp_end(void) {
  Stage& stage = is_other_process ? my_stage : program.stage;
  if (stage != Stage::inside) end_in_error("bsp_end is called without bsp_begin before");
  if (is_other_process) {
    my_stage = Stage::after;
    return;
  }
  program.run->switch_into();  // returns when bsp_run has
  program.run.reset();
  olp_destroy(std::exchange(program.options, nullptr));
}
