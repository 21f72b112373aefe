#include "kernels/blas_threads.hpp"

#include "kernels/blas_library.hpp"

namespace overlapack::kernels {
namespace {

// The only lock outside comm/engine: BLAS's thread count is one per process, so its guards are counted per
// process. A flag by compiler builtins; it is held for two calls into BLAS, by rank start-up and shutdown only.
bool busy = false;
int guards = 0;
int threads_before = 1;

class Busy {
 public:
  Busy() {
    while (__atomic_test_and_set(&busy, __ATOMIC_ACQUIRE)) {
    }
  }
  ~Busy() { __atomic_clear(&busy, __ATOMIC_RELEASE); }
  Busy(const Busy&) = delete;
  Busy& operator=(const Busy&) = delete;
};

using GetThreads = int();
using SetThreads = void(int);

/// MKL's own routines have C names in capitals (MKL_Set_Num_Threads).
GetThreads* getter() {
  const auto openblas = blas_function<GetThreads>("openblas_get_num_threads");
  return openblas ? openblas : blas_function<GetThreads>("MKL_Get_Max_Threads");
}
SetThreads* setter() {
  const auto openblas = blas_function<SetThreads>("openblas_set_num_threads");
  return openblas ? openblas : blas_function<SetThreads>("MKL_Set_Num_Threads");
}

}  // namespace

SingleThreadedBlas::SingleThreadedBlas() {
  const Busy held;
  if (guards++ > 0) return;
  const auto get = getter();
  const auto set = setter();
  if (!get || !set) return;
  threads_before = get();
  if (threads_before != 1) set(1);
}

SingleThreadedBlas::~SingleThreadedBlas() {
  const Busy held;
  if (--guards > 0) return;
  const auto set = setter();
  if (set && threads_before != 1) set(threads_before);
  threads_before = 1;
}

}  // namespace overlapack::kernels
