#pragma once
#include <string>

/// Makes OpenBLAS use the right kernels. OpenBLAS chooses them while it is loaded, and an old version takes its oldest kernels on a processor
/// that it does not know. The environment variable OPENBLAS_CORETYPE, which it reads at that moment, can name the right ones
/// (docs/decisions/0028-kernels-for-the-processor.md).
namespace overlapack::cli {

/// If the BLAS has better kernels than it has chosen, and the user has not chosen any, restart this program with their name in the
/// environment. The restarted program removes the variable at once, so that programs which it starts do not inherit it. main calls this
/// function first.
void start_with_right_kernels(char** arguments);

/// The core type that OpenBLAS was given in the environment (empty: none), and whether this program gave it.
struct CoreType {
  std::string name;
  bool is_ours = false;
};
const CoreType& core_type();

}  // namespace overlapack::cli
