#pragma once
#include <string>

namespace bench {

/// The file that this process has dgemm from and, of OpenBLAS, its version and kernels.
std::string blas_in_use();

}  // namespace bench
