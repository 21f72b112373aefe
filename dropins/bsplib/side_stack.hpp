#pragma once
#include <cstddef>
#include <memory>
#include <ucontext.h>

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/common_interface_defs.h>
#endif

/// Runs a function on a separate stack of the same thread, as a coroutine: the function can be left in its middle and entered there again. Only
/// one SideStack may begin at a time.
class SideStack {
 public:
  explicit SideStack(void (*function)()) : function_(function) {
    getcontext(&inside_.context);
    inside_.context.uc_stack.ss_sp = stack_.get();
    inside_.context.uc_stack.ss_size = bytes;
    inside_.context.uc_link = &outside_.context;  // where it goes when the function has returned
    inside_.bottom = stack_.get();
    inside_.size = bytes;
    makecontext(&inside_.context, begin, 0);
  }
  SideStack(const SideStack&) = delete;
  SideStack& operator=(const SideStack&) = delete;

  /// Called outside the function: continue in the function until it leaves or returns.
  void switch_into() {
    entered_ = this;
    leave(&outside_, inside_);
    swapcontext(&outside_.context, &inside_.context);
    arrive(&outside_, nullptr);
  }
  /// Called inside the function: continue outside, until switch_into is called again.
  void switch_out() {
    leave(&inside_, outside_);
    swapcontext(&inside_.context, &outside_.context);
    arrive(&inside_, &outside_);
  }

 private:
  struct Side {
    ucontext_t context;
    const void* bottom = nullptr;  ///< of its stack
    std::size_t size = 0;
    void* of_sanitizer = nullptr;
  };

  static void begin() {
    SideStack& me = *entered_;
    arrive(nullptr, &me.outside_);
    me.function_();
    leave(nullptr, me.outside_);
  }

  // The sanitizer of addresses must know the stack. null: the side that begins, or ends
#ifdef __SANITIZE_ADDRESS__
  static void leave(Side* from, const Side& to) {
    __sanitizer_start_switch_fiber(from ? &from->of_sanitizer : nullptr, to.bottom, to.size);
  }
  /// Tell the sanitizer that the switch has arrived, and store the bounds of the stack of `from`.
  static void arrive(Side* at, Side* from) {
    __sanitizer_finish_switch_fiber(at ? at->of_sanitizer : nullptr, from ? &from->bottom : nullptr,
                                    from ? &from->size : nullptr);
  }
#else
  static void leave(Side*, const Side&) {}
  static void arrive(Side*, Side*) {}
#endif

  static constexpr std::size_t bytes = std::size_t{4} << 20;
  static inline thread_local SideStack* entered_ = nullptr;
  std::unique_ptr<std::byte[]> stack_{new std::byte[bytes]};  // pages that are not touched cost nothing
  void (*function_)();
  Side inside_, outside_;
};
