#include "comm/hooks.hpp"

#include <cstddef>

namespace overlapack::comm {

void Hooks::run() {
  if (hooks_.empty() || is_running_) return;
  struct Running {
    bool& flag;
    ~Running() { flag = false; }
  } const running{is_running_ = true};
  for (std::size_t i = 0; i < hooks_.size(); ++i)  // a hook may add others
    if (const auto hook = hooks_[i].lock()) (*hook)();
  remove_expired();
}

}  // namespace overlapack::comm
