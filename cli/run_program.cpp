#include "run_program.hpp"

#include "command.hpp"
#include "overlapack/error.hpp"

#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace overlapack::cli {
namespace {

void send_to(const std::filesystem::path& path, int stream) {
  if (path.empty()) return;
  const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (file < 0 || dup2(file, stream) < 0) _exit(exit_internal);
  close(file);
}

}  // namespace

int run_program(const std::string& program, const std::vector<std::string>& arguments,
                const std::string& advice, const OutputFiles& files) {
  std::vector<char*> words{const_cast<char*>(program.c_str())};
  for (const std::string& argument : arguments) words.push_back(const_cast<char*>(argument.c_str()));
  words.push_back(nullptr);
  constexpr int not_found = 127;
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    send_to(files.out, STDOUT_FILENO);
    send_to(files.error, STDERR_FILENO);
    execvp(program.c_str(), words.data());
    _exit(not_found);
  }
  int status = 0;
  while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (child < 0 || (WIFEXITED(status) && WEXITSTATUS(status) == not_found))
    throw Error(ErrorKind::bad_plan, "command line", program + " cannot be started; " + advice);
  return WIFEXITED(status) ? WEXITSTATUS(status) : exit_internal;
}

}  // namespace overlapack::cli
