#pragma once
#include <functional>
#include <memory>
#include <vector>

namespace overlapack::comm {

/// The functions registered with on_progress; each lives as long as its token.
class Hooks {
 public:
  std::shared_ptr<void> add(std::function<void()> hook) {
    auto token = std::make_shared<std::function<void()>>(std::move(hook));
    if (!is_running_) remove_expired();  // as a rank that never polls never calls run()
    hooks_.push_back(token);
    return token;
  }
  bool is_empty() const { return hooks_.empty(); }
  /// Call each hook once; does nothing when called from within a hook.
  void run();

 private:
  void remove_expired() {
    std::erase_if(hooks_, [](const auto& h) { return h.expired(); });
  }
  std::vector<std::weak_ptr<std::function<void()>>> hooks_;
  bool is_running_ = false;
};

}  // namespace overlapack::comm
