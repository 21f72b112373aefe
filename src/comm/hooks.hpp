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
    if (!is_running_) forget_expired();  // who never polls never runs them
    hooks_.push_back(token);
    return token;
  }
  bool is_empty() const { return hooks_.empty(); }
  /// Call each once; a hook that polls does not start them again.
  void run();

 private:
  void forget_expired() {
    std::erase_if(hooks_, [](const auto& h) { return h.expired(); });
  }
  std::vector<std::weak_ptr<std::function<void()>>> hooks_;
  bool is_running_ = false;
};

}  // namespace overlapack::comm
