#include "api/interruption.hpp"

#include "overlapack/error.hpp"
#include "overlapack/quiet_floats.hpp"

#include <cstdio>

namespace overlapack::api {

void Interruption::check(std::string_view phase, double share) {
  const Clock::time_point now = Clock::now();
  const double passed_s = std::chrono::duration<double>(now - start_).count();
  if (time_limit_s_ > 0 && passed_s > time_limit_s_) {
    char text[160];
    std::snprintf(text, sizeof text, "stopped in the %.20s after the time limit of %g s; raise time_limit",
                  std::string(phase).c_str(), time_limit_s_);
    throw Error(ErrorKind::cancelled, "time_limit", text);
  }
  if (!progress_) return;
  if (phase == phase_ && now - told_ < std::chrono::milliseconds(20)) return;
  phase_ = phase;
  told_ = now;
  const bool is_to_stop = [&] {
    const CallersFloats callers;
    return progress_(Progress{phase, share});
  }();
  if (is_to_stop)
    throw Error(ErrorKind::cancelled, "progress", "cancelled by the caller in the " + std::string(phase));
}

}  // namespace overlapack::api
