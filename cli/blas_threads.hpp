#pragma once

namespace overlapack::cli {

/// End the threads of OpenBLAS, so that it computes on the calling thread from now on. OpenBLAS starts a thread for each core while it is
/// loaded, and these threads spin for 0.1 s before they sleep (docs/decisions/0080-blas-threads-do-not-spin.md). This program computes on
/// threads of its own. main calls this function before there are other threads.
void end_blas_threads();

}  // namespace overlapack::cli
