#pragma once

namespace overlapack::cli {

/// OpenBLAS begins a thread for each core while it is loaded, and these spin for 0.1 s before they sleep
/// (docs/decisions/0080-blas-threads-do-not-spin.md). This program computes on threads of its own: it ends them, and BLAS computes on
/// the calling thread from now on. Called in main before there are other threads.
void end_blas_threads();

}  // namespace overlapack::cli
