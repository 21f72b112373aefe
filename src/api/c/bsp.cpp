#include "overlapack/bsp.h"

#include "api/c/solver.hpp"
#include "overlapack/bsp.hpp"

#include <algorithm>
#include <csetjmp>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <limits>
#include <utility>

// In this file BSPlib's names are functions, not the macros of the header that choose by type.
#undef bsp_set_tagsize
#undef bsp_qsize
#undef bsp_get_tag

namespace overlapack::c {
namespace {

/// The BSP process that runs on this thread (world null: none), and the size of its tags.
struct BspProcess {
  bsp::World* world = nullptr;
  std::size_t tag_bytes = 0, next_tag_bytes = 0;
  std::jmp_buf* end = nullptr;      ///< jump target of a failed call: the end of the program
  void (*failed)(void*) = nullptr;  ///< the caller's, called before the jump
  void* argument = nullptr;         ///< of it
  std::exception_ptr error = {};    ///< of the failed call
};
thread_local BspProcess bsp_process;

/// The result of bsp_nprocs outside a program: the processes of the latest program that this thread has run; before that the available
/// ones; 0: not known yet.
thread_local int processes_outside = 0;

/// The world of the program that runs on this thread.
/// Errors  Internal outside a program
bsp::World& bsp_world() {
  if (bsp_process.world == nullptr)
    refuse(Status::internal, "this is no process of a BSP program; call it inside bsp_run");
  return *bsp_process.world;
}

[[noreturn]] void throw_bsp_misuse(const bsp::World& world, const std::string& what) {
  refuse(Status::internal, "process " + std::to_string(world.process()) + ", superstep " +
                               std::to_string(world.superstep()) + ": " + what);
}

/// Return f(world). If it fails, store the error and jump to the end of the program, which is in C, so that nothing has to be unwound
/// (docs/decisions/0019).
/// Errors  Internal outside a program, where there is no jump target
template <class F>
auto bsp_call(F&& f) {
  bsp_world();
  try {
    return f(bsp_world());
  } catch (...) {
    bsp_process.error = std::current_exception();
  }
  if (bsp_process.failed) bsp_process.failed(bsp_process.argument);
  std::longjmp(*bsp_process.end, 1);
}

/// Check a number of bytes. A negative int of BSPlib's interface has become larger than every size.
std::size_t size_of(const bsp::World& world, std::size_t bytes) {
  if (bytes > static_cast<std::size_t>(PTRDIFF_MAX))
    throw_bsp_misuse(world, "a size of " + std::to_string(static_cast<std::ptrdiff_t>(bytes)) +
                                " bytes is given; sizes are 0 or more");
  return bytes;
}

std::span<const std::byte> bytes_at(const bsp::World& world, const void* data, std::size_t bytes) {
  if (data == nullptr && size_of(world, bytes) > 0)
    throw_bsp_misuse(world, std::to_string(bytes) + " bytes at a null pointer are given; give an address");
  return {static_cast<const std::byte*>(data), size_of(world, bytes)};
}
std::span<std::byte> writable_bytes_at(const bsp::World& world, const void* data, std::size_t bytes) {
  const std::span<const std::byte> given = bytes_at(world, data, bytes);
  return {const_cast<std::byte*>(given.data()), given.size()};
}

/// Return `pointer`, to which an answer is written, after a check that it is not null.
template <class P>
P* require_answer_pointer(const bsp::World& world, P* pointer, const char* call) {
  if (pointer == nullptr)
    throw_bsp_misuse(world, std::string(call) + " has a null pointer for its answer; give an address");
  return pointer;
}

/// Convert a number to int, the type of sizes in BSPlib.
int to_int(const bsp::World& world, std::int64_t number) {
  if (number > std::numeric_limits<int>::max())
    throw_bsp_misuse(world,
                     std::to_string(number) + " is more than an int holds; give pointers to size_t and long");
  return static_cast<int>(number);
}

std::size_t set_tagsize(bsp::World& world, std::size_t bytes) {
  bsp_process.next_tag_bytes = size_of(world, bytes);
  return world.set_tagsize(bytes);
}

/// Copy the tag of the first message and return the bytes of its payload; -1 if the queue is empty.
long first_message(bsp::World& world, void* tag) {
  if (world.queue_size().messages == 0) return -1;
  const bsp::MessageView message = world.front();
  if (!message.tag.empty())
    std::ranges::copy(message.tag,
                      static_cast<std::byte*>(require_answer_pointer(world, tag, "bsp_get_tag")));
  return static_cast<long>(message.payload.size());
}

/// Run the program.
/// Errors  that of the call at which the program ended
void run_to_the_end(bsp::World& world, void (*program)(void*), void (*failed)(void*), void* argument) {
  std::jmp_buf end;
  BspProcess outer =
      std::exchange(bsp_process, {.world = &world, .end = &end, .failed = failed, .argument = argument});
  if (setjmp(end) == 0) program(argument);
  const std::exception_ptr error = std::exchange(bsp_process, std::move(outer)).error;
  if (error) std::rethrow_exception(error);
}

}  // namespace
}  // namespace overlapack::c

using namespace overlapack;
using c::bsp_call;
using c::bsp_world;

olp_status bsp_run(olp_solver* options, void (*program)(void*), void* argument) {
  return bsp_run_until(options, program, nullptr, argument);
}

olp_status bsp_run_until(olp_solver* options, void (*program)(void*), void (*failed)(void*), void* argument) {
  return c::call(options, [&](olp_solver& self) {
    if (program == nullptr) c::refuse(Status::bad_input, "the program is a null pointer");
    const CallersFloats callers;
    const c::BspProcess* const caller =
        &c::bsp_process;  // process 0, or the one of this MPI process, runs on this thread
    bsp::run(self.options, [&](bsp::World& world) {
      if (&c::bsp_process == caller) c::processes_outside = world.processes();
      c::run_to_the_end(world, program, failed, argument);
    });
    return OLP_OK;
  });
}

int bsp_nprocs(void) {
  if (c::bsp_process.world != nullptr) return bsp_world().processes();
  if (c::processes_outside == 0) try {
      c::processes_outside = bsp::available_processes({});
    } catch (const Error&) {
      return 0;
    }
  return c::processes_outside;
}

int bsp_pid(void) { return bsp_world().process(); }
double bsp_time(void) { return bsp_world().time(); }

void bsp_abort(const char* format, ...) {
  va_list values;
  va_start(values, format);
  char text[1024] = "";
  if (format) std::vsnprintf(text, sizeof text, format, values);
  va_end(values);
  if (c::bsp_process.world == nullptr) c::refuse(Status::cancelled, text);
  bsp_call([&](bsp::World& world) {
    c::refuse(Status::cancelled,
              "process " + std::to_string(world.process()) + " ended the program: " + text);
  });
}

void bsp_sync(void) {
  bsp_call([](bsp::World& world) { world.sync(); });
  c::bsp_process.tag_bytes = c::bsp_process.next_tag_bytes;
}

void bsp_push_reg(const void* area, size_t bytes) {
  bsp_call([&](bsp::World& world) { world.push_reg(c::writable_bytes_at(world, area, bytes)); });
}
void bsp_pop_reg(const void* area) {
  bsp_call([&](bsp::World& world) { world.pop_area(area); });
}

void bsp_put(int pid, const void* from, void* area, size_t offset, size_t bytes) {
  bsp_call([&](bsp::World& world) {
    world.put(pid, c::bytes_at(world, from, bytes), world.area_at(area), offset);
  });
}
void bsp_hpput(int pid, const void* from, void* area, size_t offset, size_t bytes) {
  bsp_call([&](bsp::World& world) {
    world.hpput(pid, c::bytes_at(world, from, bytes), world.area_at(area), offset);
  });
}
void bsp_get(int pid, const void* area, size_t offset, void* to, size_t bytes) {
  bsp_call([&](bsp::World& world) {
    world.get(pid, world.area_at(area), offset, c::writable_bytes_at(world, to, bytes));
  });
}
void bsp_hpget(int pid, const void* area, size_t offset, void* to, size_t bytes) {
  bsp_call([&](bsp::World& world) {
    world.hpget(pid, world.area_at(area), offset, c::writable_bytes_at(world, to, bytes));
  });
}

void bsp_set_tagsize(size_t* bytes) {
  bsp_call([&](bsp::World& world) {
    *bytes = c::set_tagsize(world, *c::require_answer_pointer(world, bytes, "bsp_set_tagsize"));
  });
}
void bsp_set_tagsize_int(int* bytes) {
  bsp_call([&](bsp::World& world) {
    const int given = *c::require_answer_pointer(world, bytes, "bsp_set_tagsize");
    *bytes = static_cast<int>(c::set_tagsize(world, static_cast<std::size_t>(given)));
  });
}

void bsp_send(int pid, const void* tag, const void* payload, size_t bytes) {
  bsp_call([&](bsp::World& world) {
    const auto tag_at = c::bytes_at(world, tag, c::bsp_process.tag_bytes);
    world.send(pid, tag_at, c::bytes_at(world, payload, bytes));
  });
}
void bsp_hpsend(int pid, const void* tag, const void* payload, size_t bytes) {
  bsp_call([&](bsp::World& world) {
    const auto tag_at = c::bytes_at(world, tag, c::bsp_process.tag_bytes);
    world.hpsend(pid, tag_at, c::bytes_at(world, payload, bytes));
  });
}

void bsp_qsize(int* messages, size_t* bytes) {
  bsp_call([&](bsp::World& world) {
    const bsp::QueueSize size = world.queue_size();
    *c::require_answer_pointer(world, messages, "bsp_qsize") = c::to_int(world, size.messages);
    if (bytes != nullptr) *bytes = size.bytes;
  });
}
void bsp_qsize_int(int* messages, int* bytes) {
  bsp_call([&](bsp::World& world) {
    const bsp::QueueSize size = world.queue_size();
    *c::require_answer_pointer(world, messages, "bsp_qsize") = c::to_int(world, size.messages);
    if (bytes != nullptr) *bytes = c::to_int(world, static_cast<std::int64_t>(size.bytes));
  });
}

void bsp_get_tag(long* status, void* tag) {
  bsp_call([&](bsp::World& world) {
    *c::require_answer_pointer(world, status, "bsp_get_tag") = c::first_message(world, tag);
  });
}
void bsp_get_tag_int(int* status, void* tag) {
  bsp_call([&](bsp::World& world) {
    *c::require_answer_pointer(world, status, "bsp_get_tag") = c::to_int(world, c::first_message(world, tag));
  });
}

void bsp_move(void* payload, size_t most_bytes) {
  bsp_call([&](bsp::World& world) { world.move(c::writable_bytes_at(world, payload, most_bytes)); });
}

long bsp_hpmove(void** tag, void** payload) {
  return bsp_call([&](bsp::World& world) -> long {
    if (world.queue_size().messages == 0) return -1;
    c::require_answer_pointer(world, tag, "bsp_hpmove");
    c::require_answer_pointer(world, payload, "bsp_hpmove");
    const bsp::MessageView message = world.hpmove();
    *tag = const_cast<std::byte*>(message.tag.data());
    *payload = const_cast<std::byte*>(message.payload.data());
    return static_cast<long>(message.payload.size());
  });
}
