#include "overlapack/channels.h"

#include "api/c/solver.hpp"
#include "overlapack/channels.hpp"

#include <algorithm>
#include <exception>
#include <memory>
#include <optional>
#include <vector>

namespace overlapack::c {

/// An olp_part as a FixedPoint. It reads the caller's arrays by the caller's pointers, which must live as long as the part is in use. If a
/// function of the caller meets an error, it leaves the error in the process, where this class looks for it.
class CallersPart final : public channels::FixedPoint<double> {
 public:
  /// Errors  BadInput for null pointers and sizes that are none
  CallersPart(const std::exception_ptr& error, const olp_part& part, bool has_step)
      : error_(error), part_(part) {
    if (part.neighbour_count < 0)
      refuse(Status::bad_input,
             "a part has " + std::to_string(part.neighbour_count) + " neighbours; give 0 or more");
    if (part.state_size > 0) require_pointer(part.start, "the part's start");
    require_pointer(part.residual, "the part's residual");
    if (part.neighbour_count > 0) {
      require_pointer(part.neighbours, "the part's neighbours");
      require_pointer(part.pack, "the part's pack");
      require_pointer(part.unpack, "the part's unpack");
    }
    if (has_step) require_pointer(part.step, "the part's step");
    for (int k = 0; k < part.neighbour_count; ++k)
      neighbours_.push_back({part.neighbours[k].rank, part.neighbours[k].out, part.neighbours[k].in});
  }

  std::size_t state_size() const override { return part_.state_size; }
  std::span<const channels::Neighbour> neighbours() const override { return neighbours_; }
  void start(std::span<double> x) const override { std::copy_n(part_.start, x.size(), x.begin()); }
  void pack(std::span<const double> x, std::size_t k, std::span<double> message) const override {
    part_.pack(x.data(), static_cast<int>(k), message.data(), part_.self);
    go_on();
  }
  void unpack(std::span<const double> message, std::size_t k, std::span<double> x) const override {
    part_.unpack(message.data(), static_cast<int>(k), x.data(), part_.self);
    go_on();
  }
  double residual(std::span<const double> x) const override {
    const double mine = part_.residual(x.data(), part_.self);
    go_on();
    return mine;
  }
  double source() const override { return part_.source; }
  void step(std::span<const double> x, std::span<double> next) override {
    part_.step(x.data(), next.data(), part_.self);
    go_on();
  }

 private:
  void go_on() const {
    if (error_) std::rethrow_exception(error_);
  }

  const std::exception_ptr& error_;  ///< the process'
  const olp_part part_;
  std::vector<channels::Neighbour> neighbours_;
};

struct HeldChannel {
  channels::Channel channel;
  std::span<const std::byte> sendbuf;
  std::span<std::byte> recvbuf;
};

/// A detector with the part that it asks.
struct Detection {
  Detection(channels::Process& process, const std::exception_ptr& error, const olp_part& given)
      : part(error, given, false), detector(process, part) {}
  CallersPart part;
  channels::Detector<double> detector;
};

}  // namespace overlapack::c

struct olp_process {
  overlapack::channels::Process& inside;
  std::vector<overlapack::c::HeldChannel> channels;
  std::unique_ptr<overlapack::c::Detection> detection;
  std::exception_ptr error;  ///< of the first call that failed
  std::string message;       ///< its sentence
};

namespace overlapack::c {
namespace {

/// Call f(*process). The first error is kept, and every later call fails with it.
template <class F>
olp_status process_call(olp_process* process, F&& f) noexcept {
  try {
    require_pointer(process, "the process");
    if (process->error) std::rethrow_exception(process->error);
    f(*process);
    return OLP_OK;
  } catch (...) {
    const Error error = error_of(std::current_exception());
    if (process == nullptr) return set_status(nullptr, error.status(), error.what());
    if (!process->error) try {
        process->error = std::current_exception();
        process->message = error.what();
      } catch (const std::bad_alloc&) {
        process->message.clear();
      }
    return static_cast<olp_status>(error.status());
  }
}

/// process_call for a question: returns 1, 0, or -1 after an error.
template <class F>
int ask_process(olp_process* process, F&& f) noexcept {
  bool answer = false;
  const olp_status status = process_call(process, [&](olp_process& self) { answer = f(self); });
  return status == OLP_OK ? answer : -1;
}

HeldChannel& channel_of(olp_process& process, int number) {
  if (number < 0 || number >= static_cast<int>(process.channels.size()))
    refuse(Status::bad_input, "rank " + std::to_string(process.inside.rank()) + " has no channel " +
                                  std::to_string(number) + "; give one that it has created");
  return process.channels[static_cast<std::size_t>(number)];
}

Detection& detection_of(olp_process& process) {
  if (!process.detection)
    refuse(Status::bad_input, "rank " + std::to_string(process.inside.rank()) +
                                  " looks for no end of an iteration; call olp_detection_begin first");
  return *process.detection;
}

/// The first half of olp_channel_create; returns its number.
int start_create(olp_process& process, const olp_channel_options& given) {
  const std::size_t bytes = given.message_bytes;
  if (bytes > 0) {
    require_pointer(given.sendbuf, "the channel's sendbuf");
    require_pointer(given.recvbuf, "the channel's recvbuf");
  }
  const std::span<std::byte> room{static_cast<std::byte*>(given.recvbuf), bytes};
  const channels::Channel channel =
      process.inside.start_create(given.rank,
                                  {.message_bytes = bytes,
                                   .max_messages = given.max_messages,
                                   .mode = given.is_racy ? channels::Mode::racy : channels::Mode::async,
                                   .word_bytes = given.word_bytes > 0 ? given.word_bytes : 8},
                                  given.is_racy ? room : std::span<std::byte>());
  process.channels.push_back({channel, {static_cast<const std::byte*>(given.sendbuf), bytes}, room});
  return channel.number();
}

olp_channel_counts counts_of(const channels::Counts& c) {
  return {c.ends, c.sent, c.skipped, c.arrived, c.received, c.overwritten, c.most_in_flight};
}

static_assert(static_cast<int>(channels::End::converged) == OLP_CONVERGED &&
              static_cast<int>(channels::End::diverged) == OLP_DIVERGED &&
              static_cast<int>(channels::End::stagnated) == OLP_STAGNATED &&
              static_cast<int>(channels::End::max_iterations) == OLP_MAX_ITERATIONS);

/// Write x and the outcome to the caller's memory; both pointers may be null.
void write_outcome(const channels::Outcome<double>& found, double* x, olp_outcome* outcome) {
  if (x != nullptr) std::ranges::copy(found.x, x);
  if (outcome != nullptr)
    *outcome = {found.residual,   static_cast<int>(found.end),
                found.iterations, found.looks,
                found.snapshots,  found.sent,
                found.skipped};
}

}  // namespace
}  // namespace overlapack::c

using namespace overlapack;

olp_status olp_run(olp_solver* options, void (*program)(olp_process*, void*), void* argument,
                   olp_channel_counts* counts) {
  return c::call(options, [&](olp_solver& self) {
    c::require_pointer(program, "the program");
    const CallersFloats callers;
    const channels::Counts all = channels::run(self.options, [&](channels::Process& inside) {
      olp_process process{inside, {}, {}, {}, {}};
      program(&process, argument);
      if (process.error) std::rethrow_exception(process.error);
    });
    if (counts != nullptr) *counts = c::counts_of(all);
    return OLP_OK;
  });
}

int olp_process_rank(const olp_process* process) { return process != nullptr ? process->inside.rank() : -1; }
int olp_process_ranks(const olp_process* process) { return process != nullptr ? process->inside.ranks() : 0; }
double olp_process_time(const olp_process* process) {
  return process != nullptr ? process->inside.time() : 0;
}
olp_status olp_process_poll(olp_process* process) {
  return c::process_call(process, [](olp_process& self) { self.inside.poll(); });
}
const char* olp_process_message(const olp_process* process) {
  return process != nullptr ? process->message.c_str() : olp_message(nullptr);
}
void olp_process_abort(olp_process* process, const char* sentence) {
  c::process_call(process, [&](olp_process& self) {
    c::refuse(Status::cancelled, "rank " + std::to_string(self.inside.rank()) +
                                     " ended the program: " + (sentence != nullptr ? sentence : ""));
  });
}

olp_status olp_channel_start_create(olp_process* process, const olp_channel_options* options, int* channel) {
  return c::process_call(process, [&](olp_process& self) {
    c::require_pointer(channel, "the place for the channel's number");
    *channel = c::start_create(self, *c::require_pointer(options, "the options of a channel"));
  });
}
olp_status olp_channel_finish_create(olp_process* process, int channel) {
  return c::process_call(
      process, [&](olp_process& self) { self.inside.finish_create(c::channel_of(self, channel).channel); });
}
olp_status olp_channel_create(olp_process* process, const olp_channel_options* options, int* channel) {
  const olp_status status = olp_channel_start_create(process, options, channel);
  return status == OLP_OK ? olp_channel_finish_create(process, *channel) : status;
}
olp_status olp_channel_destroy(olp_process* process, int channel) {
  return c::process_call(process, [&](olp_process& self) { c::channel_of(self, channel).channel.destroy(); });
}
olp_status olp_channel_start_destroy(olp_process* process, int channel) {
  return c::process_call(process,
                         [&](olp_process& self) { c::channel_of(self, channel).channel.start_destroy(); });
}

int olp_channel_can_send(olp_process* process, int channel) {
  return c::ask_process(process,
                        [&](olp_process& self) { return c::channel_of(self, channel).channel.can_send(); });
}
olp_status olp_channel_send(olp_process* process, int channel) {
  return c::process_call(process, [&](olp_process& self) {
    c::HeldChannel& held = c::channel_of(self, channel);
    held.channel.send(held.sendbuf);
  });
}
int olp_channel_can_recv(olp_process* process, int channel) {
  return c::ask_process(process,
                        [&](olp_process& self) { return c::channel_of(self, channel).channel.can_recv(); });
}
olp_status olp_channel_recv(olp_process* process, int channel) {
  return c::process_call(process, [&](olp_process& self) {
    c::HeldChannel& held = c::channel_of(self, channel);
    held.channel.recv(held.recvbuf);
  });
}
olp_status olp_channel_wait(olp_process* process, int channel) {
  return c::process_call(process, [&](olp_process& self) { c::channel_of(self, channel).channel.wait(); });
}
olp_status olp_channel_get_counts(olp_process* process, int channel, olp_channel_counts* counts) {
  return c::process_call(process, [&](olp_process& self) {
    *c::require_pointer(counts, "the place for the counts") =
        c::counts_of(c::channel_of(self, channel).channel.counts());
  });
}
olp_status olp_make_racy_room(olp_process* process, size_t bytes) {
  return c::process_call(process, [&](olp_process& self) { self.inside.make_racy_room(bytes); });
}

olp_status olp_detection_begin(olp_process* process, const olp_part* part) {
  return c::process_call(process, [&](olp_process& self) {
    self.detection =
        std::make_unique<c::Detection>(self.inside, self.error, *c::require_pointer(part, "the part"));
  });
}
int olp_detection_is_over(olp_process* process, int64_t iteration, const double* x) {
  return c::ask_process(process, [&](olp_process& self) {
    c::Detection& detection = c::detection_of(self);
    if (detection.part.state_size() > 0) c::require_pointer(x, "x");
    return detection.detector.is_over(iteration, {x, detection.part.state_size()});
  });
}
olp_status olp_detection_end(olp_process* process, double* x, olp_outcome* outcome) {
  return c::process_call(process, [&](olp_process& self) {
    c::write_outcome(c::detection_of(self).detector.take(), x, outcome);
    self.detection.reset();
  });
}

olp_status olp_iterate(olp_process* process, const olp_part* part, double* x, olp_outcome* outcome) {
  return c::process_call(process, [&](olp_process& self) {
    c::CallersPart point(self.error, *c::require_pointer(part, "the part"), true);
    c::write_outcome(channels::iterate(self.inside, point), x, outcome);
  });
}
