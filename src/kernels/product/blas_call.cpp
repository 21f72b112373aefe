#include "kernels/product/blas_call.hpp"

#include "kernels/product/blas_library.hpp"

#include <atomic>
#include <dlfcn.h>
#include <pthread.h>

namespace overlapack::kernels {
namespace {

std::atomic<int> callers{0};

/// The limit; 0: none. After a fork the count of callers is 0: the child's only thread is the one that called fork, outside of
/// the BLAS.
int most_concurrent_calls() {
  static const int most = [] {
    pthread_atfork(nullptr, nullptr, [] { callers = 0; });
    return blas_library().most_concurrent_callers;
  }();
  return most;
}

void wait_and_count_call() {
  int seen = callers.load(std::memory_order_relaxed);
  for (;;) {
    while (seen < most_concurrent_calls())
      if (callers.compare_exchange_weak(seen, seen + 1, std::memory_order_acquire)) return;
    callers.wait(seen, std::memory_order_relaxed);
    seen = callers.load(std::memory_order_relaxed);
  }
}

void count_call_ended() {
  callers.fetch_sub(1, std::memory_order_release);
  callers.notify_one();
}

/// Set the calling thread's OpenMP thread count to 1. Each thread has a count of its own, and openblas_set_num_threads sets only
/// that of the thread that calls it.
void use_one_openmp_thread() {
  static const auto get = reinterpret_cast<int (*)()>(dlsym(RTLD_DEFAULT, "omp_get_max_threads"));
  static const auto set = reinterpret_cast<void (*)(int)>(dlsym(RTLD_DEFAULT, "omp_set_num_threads"));
  if (get && set && get() > 1) set(1);
}

}  // namespace

BlasCall::BlasCall() {
  if (most_concurrent_calls() > 0) wait_and_count_call();
  if (blas_library().has_openmp) use_one_openmp_thread();
}

BlasCall::~BlasCall() {
  if (most_concurrent_calls() > 0) count_call_ended();
}

}  // namespace overlapack::kernels
