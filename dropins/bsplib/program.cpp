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

// bsp_init, bsp_begin and bsp_end. bsp_run calls a function; a BSPlib program goes on behind bsp_begin instead. So bsp_run is called on
// a stack of its own, and the function that it calls on the main thread goes back to where bsp_begin was called, until bsp_end.
namespace {

enum class Stage { before, inside, after };

/// The program of this process: there is one.
struct Program {
  void (*spmd)() = nullptr;
  Stage stage = Stage::before;
  olp_solver* options = nullptr;
  std::unique_ptr<SideStack> run;  ///< bsp_run, while the program goes on elsewhere
  std::thread::id main;
};
/// Never destroyed: the process may exit while it is on the stack of `run`.
Program& program = *new Program;

/// Is this a thread that began in spmd, and has it met its bsp_begin and bsp_end?
thread_local bool is_other_process = false;
thread_local Stage my_stage = Stage::before;

/// The first process tells what all have met; each tells what it may have met alone.
[[noreturn]] void end_in_error(const std::string& sentence, bool is_alone = false) {
  if (is_other_process || program.stage == Stage::inside) bsp_abort("%s", sentence.c_str());
  if (is_alone || overlapack::is_first_process()) std::fprintf(stderr, "%s\n", sentence.c_str());
  std::exit(EXIT_FAILURE);
}

constexpr const char* no_end = "the function of bsp_init has returned before bsp_end";

bool is_main() { return std::this_thread::get_id() == program.main; }

/// What bsp_run calls on each process.
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

/// What a failed call calls: on the main thread, the program is not gone on with.
void fail(void*) {
  if (is_main()) program.run->switch_into();
}

/// bsp_run, on its own stack.
void run() {
  const olp_status status = bsp_run_until(program.options, run_as_process, fail, nullptr);
  const bool has_run = program.stage == Stage::inside;
  program.stage = Stage::after;
  if (status != OLP_OK) end_in_error(olp_message(program.options));
  if (!has_run) std::exit(EXIT_SUCCESS);  // more processes than bsp_begin asked for
}

/// What the first process asked for; of threads as many, of processes no more than there are.
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
