#pragma once
#include <string>

/// OpenBLAS chooses its kernels while it is loaded, and an old version takes its oldest ones on a processor that it does not know.
/// OPENBLAS_CORETYPE, read at that moment, names the right ones (docs/decisions/0028-kernels-for-the-processor.md).
namespace overlapack::cli {

/// Where the BLAS has better kernels than it has chosen, and the user has not chosen: restart this program with their name in the
/// environment. The restarted one removes it at once, so that no program it starts inherits it. Called first in main.
void start_with_right_kernels(char** arguments);

/// The core type that OpenBLAS was given, and by whom; empty: none.
struct CoreType {
  std::string name;
  bool is_ours = false;
};
const CoreType& core_type();

}  // namespace overlapack::cli
