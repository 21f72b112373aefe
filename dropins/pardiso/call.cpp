#include "call.hpp"

#include "attempt.hpp"
#include "handle.hpp"

#include <map>
#include <memory>
#include <mutex>

namespace overlapack::dropins::pardiso {
namespace {

thread_local std::string last_message;

/// All handles in use. A caller's pt names one of them, or none; an unknown value in pt is never followed as a pointer.
class Handles {
 public:
  std::shared_ptr<Handle> find(const void* name) {
    const std::lock_guard lock(mutex_);
    const auto found = handles_.find(name);
    return found == handles_.end() ? nullptr : found->second;
  }
  void* add(std::unique_ptr<Handle> handle) {
    const std::lock_guard lock(mutex_);
    void* const name = handle.get();
    handles_[name] = std::move(handle);
    return name;
  }
  void remove(const void* name) {
    std::shared_ptr<Handle> last;  // goes without the lock
    const std::lock_guard lock(mutex_);
    if (const auto found = handles_.find(name); found != handles_.end()) {
      last = std::move(found->second);
      handles_.erase(found);
    }
  }

 private:
  std::mutex mutex_;
  std::map<const void*, std::shared_ptr<Handle>> handles_;
};

/// The handles of this process. The object is never destroyed, since callers may release handles while the process ends.
Handles& handles() {
  static Handles& all = *new Handles;
  return all;
}

std::shared_ptr<Handle> handle_of(void* const* pt) {
  if (pt == nullptr)
    throw Refusal(bad_input, "pt is a null pointer; give 64 pointers, null before the first call");
  std::shared_ptr<Handle> handle = handles().find(*pt);
  if (*pt != nullptr && !handle)
    throw Refusal(
        bad_input,
        "pt is no handle of this library, or was released; set all of it to null before the first call");
  return handle;
}

/// Run f. Returns 0, or the code of its error.
template <class F>
int error_code_of(const F& f, const Kind& kind) {
  int code = 0;
  last_message.clear();
  const Outcome outcome = attempt([&]() -> Outcome {
    try {
      f();
    } catch (const Refusal& refusal) {
      code = refusal.code;
      last_message = refusal.what();
    }
    return {};
  });
  if (outcome.status == Status::ok) return code;
  last_message = outcome.message;
  return code_of(outcome.status, kind);
}

constexpr Index release_one = 0, release_all = -1;

/// The steps that a phase consists of.
struct Steps {
  bool analyses = false, factorizes = false, solves = false, solves_part = false;
};
Steps steps_of(Index phase) {
  switch (phase) {
    case 11:
      return {.analyses = true};
    case 12:
      return {.analyses = true, .factorizes = true};
    case 13:
      return {.analyses = true, .factorizes = true, .solves = true};
    case 22:
      return {.factorizes = true};
    case 23:
      return {.factorizes = true, .solves = true};
    case 33:
      return {.solves = true};
    case 331:
    case 332:
    case 333:
      return {.solves_part = true};
    default:
      throw Refusal(bad_input, "phase is " + std::to_string(phase) +
                                   "; give 11, 12, 13, 22, 23, 33, 331, 332, 333, 0 or -1");
  }
}

void run_steps(void** pt, Call& call, std::shared_ptr<Handle> handle, const Steps& steps) {
  require_supported(call);
  if (call.maxfct < 1 || call.mnum < 1 || call.mnum > call.maxfct)
    throw Refusal(bad_input, "mnum is " + std::to_string(call.mnum) + " and maxfct " +
                                 std::to_string(call.maxfct) + "; give 1 <= mnum <= maxfct");
  if (steps.analyses) {
    std::unique_ptr<Handle> made = make_handle(call);
    made->analyse(call);
    handles().remove(*pt);
    *pt = handles().add(std::move(made));
    handle = handles().find(*pt);
  }
  if (!handle) throw Refusal(bad_input, "nothing was analysed; begin with phase 11, 12 or 13");
  handle->require_same(call);
  if (steps.factorizes) handle->factorize(call);
  if (steps.solves) handle->solve(call);
  if (steps.solves_part) handle->solve_part(call);
}

}  // namespace

int run(void** pt, Call& call) {
  Kind kind;
  return error_code_of(
      [&] {
        const std::shared_ptr<Handle> handle = handle_of(pt);
        if (call.phase == release_all) {
          handles().remove(*pt);
          *pt = nullptr;
          return;
        }
        if (call.phase == release_one) {
          if (handle) handle->forget(call.mnum);
          return;
        }
        const Steps steps = steps_of(call.phase);
        kind = kind_of(call.mtype);
        if (call.iparm[at::given] == 0)
          set_defaults(call.mtype, call.iparm);  // once: callers then change some
        run_steps(pt, call, handle, steps);
      },
      kind);
}

int diagonals(void* const* pt, Index mnum, void* df, void* da) {
  return error_code_of(
      [&] {
        const std::shared_ptr<Handle> handle = handle_of(pt);
        if (!handle) throw Refusal(bad_input, "nothing was factorised; factorise by phase 12 or 22 first");
        handle->diagonals(mnum, df, da);
      },
      Kind{});
}

int refuse_function(const char* name) {
  last_message =
      std::string(name) +
      " is not in overlapack's PARDISO interface; factors are saved, and Schur complements made, by "
      "overlapack's own";
  return bad_input;
}

const char* message() { return last_message.c_str(); }

}  // namespace overlapack::dropins::pardiso
