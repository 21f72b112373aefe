#include "api/run/interruption.hpp"

#include "overlapack/error.hpp"
#include "overlapack/quiet_floats.hpp"

#include <algorithm>
#include <cstdio>

namespace overlapack::api {

void Interruption::report_progress(std::string_view phase, double share, std::string_view step) {
  const Clock::time_point now = Clock::now();
  const double passed_s = std::chrono::duration<double>(now - start_).count();
  if (time_limit_s_ > 0 && passed_s > time_limit_s_) {
    char text[160];
    std::snprintf(text, sizeof text, "stopped in the %.20s after the time limit of %g s; raise time_limit",
                  std::string(phase).c_str(), time_limit_s_);
    throw Error(Status::cancelled, text);
  }
  if (!progress_) return;
  if (share == 0 || phase != phase_) share_ = 0;
  share = share_ = std::max(share, share_);
  if (phase == phase_ && step == step_ && now - told_ < std::chrono::milliseconds(20)) return;
  phase_ = phase;
  step_ = step;
  told_ = now;
  const bool is_to_stop = [&] {
    const CallersFloats callers;
    return progress_({.phase = phase, .share = share, .step = step});
  }();
  if (is_to_stop) throw Error(Status::cancelled, "cancelled by the caller in the " + std::string(phase));
}

}  // namespace overlapack::api
