#include "overlapack/bsp.h"

#include "api/c/solver.hpp"
#include "overlapack/bsp.hpp"

#include <algorithm>
#include <csetjmp>
#include <exception>
#include <utility>

namespace overlapack::c {
namespace {

/// The BSP process that runs on this thread (world null: none), and the size of its tags.
struct BspProcess {
  bsp::World* world = nullptr;
  std::size_t tag_bytes = 0, next_tag_bytes = 0;
  std::jmp_buf* end = nullptr;  ///< jump target of a failed call: the end of the program
  std::exception_ptr error;     ///< of the failed call
};
thread_local BspProcess bsp_process;

/// Errors  Internal outside of a program
bsp::World& bsp_world() {
  if (bsp_process.world == nullptr)
    refuse(Status::internal, "this is no process of a BSP program; call it inside of bsp_run");
  return *bsp_process.world;
}

std::span<const std::byte> bytes_at(const void* data, std::size_t bytes) {
  return {static_cast<const std::byte*>(data), bytes};
}
std::span<std::byte> room_at(void* data, std::size_t bytes) { return {static_cast<std::byte*>(data), bytes}; }

/// The registered area that begins at this address.
bsp::Slot area_at(const void* begin) {
  const bsp::Slot slot = bsp_world().slot_of(begin);
  if (slot.number < 0)
    refuse(Status::internal,
           "process " + std::to_string(bsp_pid()) +
               " names an area that is not registered; bsp_push_reg holds from the next bsp_sync on");
  return slot;
}

/// f(world). On an error: store it and jump to the end of the program, which is C: nothing is unwound (docs/decisions/0019).
/// Errors  Internal outside of a program, where there is no jump target
template <class F>
auto bsp_call(F&& f) {
  bsp_world();
  try {
    return f(bsp_world());
  } catch (...) {
    bsp_process.error = std::current_exception();
  }
  std::longjmp(*bsp_process.end, 1);
}

/// Run the program.
/// Errors  that of the call at which the program ended
void run_to_the_end(bsp::World& world, void (*program)(void*), void* argument) {
  std::jmp_buf end;
  bsp_process = {.world = &world, .end = &end, .error = {}};
  if (setjmp(end) == 0) program(argument);
  const std::exception_ptr error = std::exchange(bsp_process, {}).error;
  if (error) std::rethrow_exception(error);
}

}  // namespace
}  // namespace overlapack::c

using namespace overlapack;
using c::bsp_call;
using c::bsp_world;

olp_status bsp_run(olp_solver* options, void (*program)(void*), void* argument) {
  return c::call(options, [&](olp_solver& self) {
    if (program == nullptr) c::refuse(Status::bad_input, "the program is a null pointer");
    const CallersFloats callers;
    bsp::run(self.options, [&](bsp::World& world) { c::run_to_the_end(world, program, argument); });
    return OLP_OK;
  });
}

int bsp_nprocs(void) { return bsp_world().processes(); }
int bsp_pid(void) { return bsp_world().process(); }
double bsp_time(void) { return bsp_world().time(); }

void bsp_abort(const char* message) {
  bsp_call([&](bsp::World& world) {
    c::refuse(Status::cancelled, "process " + std::to_string(world.process()) +
                                     " ended the program: " + (message ? message : ""));
  });
}

void bsp_sync(void) {
  bsp_call([](bsp::World& world) { world.sync(); });
  c::bsp_process.tag_bytes = c::bsp_process.next_tag_bytes;
}

void bsp_push_reg(const void* area, size_t bytes) {
  bsp_call([&](bsp::World& world) { world.push_reg(c::room_at(const_cast<void*>(area), bytes)); });
}
void bsp_pop_reg(const void* area) {
  bsp_call([&](bsp::World& world) { world.pop_reg(c::area_at(area)); });
}

void bsp_put(int pid, const void* from, void* area, size_t offset, size_t bytes) {
  bsp_call([&](bsp::World& world) { world.put(pid, c::bytes_at(from, bytes), c::area_at(area), offset); });
}
void bsp_hpput(int pid, const void* from, void* area, size_t offset, size_t bytes) {
  bsp_call([&](bsp::World& world) { world.hpput(pid, c::bytes_at(from, bytes), c::area_at(area), offset); });
}
void bsp_get(int pid, const void* area, size_t offset, void* to, size_t bytes) {
  bsp_call([&](bsp::World& world) { world.get(pid, c::area_at(area), offset, c::room_at(to, bytes)); });
}
void bsp_hpget(int pid, const void* area, size_t offset, void* to, size_t bytes) {
  bsp_call([&](bsp::World& world) { world.hpget(pid, c::area_at(area), offset, c::room_at(to, bytes)); });
}

void bsp_set_tagsize(size_t* bytes) {
  c::bsp_process.next_tag_bytes = *bytes;
  bsp_call([&](bsp::World& world) { *bytes = world.set_tagsize(*bytes); });
}

void bsp_send(int pid, const void* tag, const void* payload, size_t bytes) {
  const auto tag_bytes = c::bytes_at(tag, c::bsp_process.tag_bytes);
  bsp_call([&](bsp::World& world) { world.send(pid, tag_bytes, c::bytes_at(payload, bytes)); });
}
void bsp_hpsend(int pid, const void* tag, const void* payload, size_t bytes) {
  const auto tag_bytes = c::bytes_at(tag, c::bsp_process.tag_bytes);
  bsp_call([&](bsp::World& world) { world.hpsend(pid, tag_bytes, c::bytes_at(payload, bytes)); });
}

void bsp_qsize(int* messages, size_t* bytes) {
  const bsp::QueueSize size = bsp_world().queue_size();
  *messages = static_cast<int>(size.messages);
  if (bytes != nullptr) *bytes = size.bytes;
}

void bsp_get_tag(long* status, void* tag) {
  *status = -1;
  if (bsp_world().queue_size().messages == 0) return;
  const bsp::MessageView message = bsp_world().front();
  *status = static_cast<long>(message.payload.size());
  std::ranges::copy(message.tag, static_cast<std::byte*>(tag));
}

void bsp_move(void* payload, size_t most_bytes) {
  bsp_call([&](bsp::World& world) { world.move(c::room_at(payload, most_bytes)); });
}

long bsp_hpmove(void** tag, void** payload) {
  if (bsp_world().queue_size().messages == 0) return -1;
  const bsp::MessageView message = bsp_call([](bsp::World& world) { return world.hpmove(); });
  *tag = const_cast<std::byte*>(message.tag.data());
  *payload = const_cast<std::byte*>(message.payload.data());
  return static_cast<long>(message.payload.size());
}
