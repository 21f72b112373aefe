#include "kernels/product/blas_threads.hpp"

#include "kernels/product/blas_library.hpp"

namespace overlapack::kernels {
namespace {

// The only lock outside comm/engine. The BLAS has one thread count for the process, so the guards are counted for the process,
// too. The lock is a flag made of compiler builtins; a rank holds it for two calls into the BLAS, at its start and its end only.
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

/// The BLAS's functions that read and set its thread count; null if it has none. They are looked up once, as the destructor of the
/// guard must not allocate memory.
struct ThreadCount {
  int (*get)();
  void (*set)(int);
};

/// MKL's own routines have C names in capitals (MKL_Set_Num_Threads).
const ThreadCount& thread_count_functions() {
  static const ThreadCount count = [] {
    const ThreadCount openblas{blas_function<int()>("openblas_get_num_threads"),
                               blas_function<void(int)>("openblas_set_num_threads")};
    if (openblas.get && openblas.set) return openblas;
    return ThreadCount{blas_function<int()>("MKL_Get_Max_Threads"),
                       blas_function<void(int)>("MKL_Set_Num_Threads")};
  }();
  return count;
}

bool can_set_thread_count() { return thread_count_functions().get && thread_count_functions().set; }

}  // namespace

SingleThreadedBlas::SingleThreadedBlas() {
  if (!can_set_thread_count()) return;
  const Busy held;
  if (guards++ > 0) return;
  threads_before = thread_count_functions().get();
  if (threads_before != 1) thread_count_functions().set(1);
}

SingleThreadedBlas::~SingleThreadedBlas() {
  if (!can_set_thread_count()) return;
  const Busy held;
  if (--guards > 0) return;
  if (threads_before != 1) thread_count_functions().set(threads_before);
  threads_before = 1;
}

}  // namespace overlapack::kernels
