#pragma once

/// The streams that a program is started with, and what ends writing.
namespace overlapack::cli {

/// A stream that the caller has closed becomes /dev/null: else the next file that is opened would have its number, and get what is
/// printed.
void open_closed_streams();

/// A file beyond the limit of its size (ulimit -f) is an error of whoever writes it, not the end of the process.
void hear_of_too_large_files();

/// The exit code of a run: not 0 if standard output did not take all that was printed.
int code_with_output(int code);

}  // namespace overlapack::cli
