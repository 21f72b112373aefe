#include "standard_streams.hpp"

#include "command.hpp"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

namespace overlapack::cli {
namespace {

/// Has the reader of a pipe gone, as `head` goes that has seen enough? Where SIGPIPE is ignored, nobody else ends this process.
bool has_no_reader() {
  pollfd out{STDOUT_FILENO, 0, 0};
  return poll(&out, 1, 0) > 0 && (out.revents & POLLERR) != 0;
}

}  // namespace

void open_closed_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (fcntl(stream, F_GETFD) < 0 && errno == EBADF)
      open("/dev/null", O_RDWR);  // the lowest free number is the stream's
}

void hear_of_too_large_files() { std::signal(SIGXFSZ, SIG_IGN); }

int code_with_output(int code) {
  errno = 0;
  const bool is_written = std::fflush(stdout) == 0 && std::ferror(stdout) == 0;
  if (is_written || code != exit_ok) return code;
  if (has_no_reader()) return exit_bad_input;
  const char* const reason = errno != 0 ? std::strerror(errno) : "an error of the system";
  std::fprintf(stderr,
               "overlapack: standard output cannot be written to its end (%s); check the space left\n",
               reason);
  return exit_bad_input;
}

}  // namespace overlapack::cli
