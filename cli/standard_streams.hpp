#pragma once

/// The standard streams of the process, and errors of writing.
namespace overlapack::cli {

/// Open /dev/null for each standard stream that the caller has closed. Otherwise the next file that is opened would get the stream's number,
/// and the program's output with it.
void open_closed_streams();

/// Ignore the signal for files that exceed the limit of their size (ulimit -f), so that the write fails instead of the process.
void hear_of_too_large_files();

/// The exit code of a run: not 0 if standard output did not take all that was printed.
int code_with_output(int code);

}  // namespace overlapack::cli
