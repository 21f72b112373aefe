#pragma once
#include <string>

namespace bench {

/// What BLAS this process has dgemm from: its file's name, library and version, and the kernels that it has chosen for this processor. "none"
/// where there is no dgemm. compare/blas.py reads it, and what overlapack::blas_info() tells of ours.
std::string blas_in_use();

/// The same of a library that has been opened, and of what it is linked with; no file.
std::string blas_in(void* library);

}  // namespace bench
