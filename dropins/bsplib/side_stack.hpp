#pragma once
#include <cstddef>
#include <memory>
#include <ucontext.h>

/// A function on a stack of its own, on the same thread: it leaves in its middle, and is entered there again.
class SideStack {
 public:
  explicit SideStack(void (*function)()) {
    getcontext(&inside_);
    inside_.uc_stack.ss_sp = stack_.get();
    inside_.uc_stack.ss_size = bytes;
    inside_.uc_link = &outside_;  // where it goes when the function has returned
    makecontext(&inside_, function, 0);
  }
  SideStack(const SideStack&) = delete;
  SideStack& operator=(const SideStack&) = delete;

  /// From outside: go on in the function, until it leaves or returns.
  void switch_into() { swapcontext(&outside_, &inside_); }
  /// From inside: go on outside, until it is switched into again.
  void switch_out() { swapcontext(&inside_, &outside_); }

 private:
  static constexpr std::size_t bytes = std::size_t{4} << 20;
  std::unique_ptr<std::byte[]> stack_{new std::byte[bytes]};  // pages that are not touched cost nothing
  ucontext_t inside_, outside_;
};
