#include "run_program.hpp"

#include "command.hpp"
#include "overlapack/error.hpp"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <iterator>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace overlapack::cli {
namespace {

volatile std::sig_atomic_t child_to_end = 0;
volatile std::sig_atomic_t came = 0;

extern "C" void pass_on(int signal) {
  came = signal;
  if (child_to_end > 0) kill(child_to_end, signal);
}

/// While this object lives, a signal that would end this process ends the child instead. This process waits for the child, so that no program
/// is left running. Signals are blocked until `pass_to` names the child. Signals that are ignored, such as SIGHUP under nohup, stay ignored.
class PassedSignals {
 public:
  PassedSignals() {
    came = 0;
    sigemptyset(&ending_);
    for (const int signal : signals) sigaddset(&ending_, signal);
    sigprocmask(SIG_BLOCK, &ending_, &mask_before_);
    struct sigaction action = {};
    action.sa_handler = pass_on;
    for (std::size_t k = 0; k < std::size(signals); ++k) {
      sigaction(signals[k], nullptr, &before_[k]);
      if (before_[k].sa_handler != SIG_IGN) sigaction(signals[k], &action, nullptr);
    }
  }
  ~PassedSignals() {
    child_to_end = 0;
    for (std::size_t k = 0; k < std::size(signals); ++k) sigaction(signals[k], &before_[k], nullptr);
  }
  PassedSignals(const PassedSignals&) = delete;
  PassedSignals& operator=(const PassedSignals&) = delete;

  void pass_to(pid_t child) {
    child_to_end = child;
    restore_mask();
  }
  void restore_mask() { sigprocmask(SIG_SETMASK, &mask_before_, nullptr); }

 private:
  static constexpr int signals[] = {SIGINT, SIGTERM, SIGHUP};
  sigset_t ending_ = {}, mask_before_ = {};
  struct sigaction before_[std::size(signals)] = {};
};

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
  PassedSignals signals;
  const pid_t child = fork();
  if (child == 0) {
    prctl(PR_SET_PDEATHSIG, SIGTERM);  // if this process is killed at once, the child ends, too
    signals.restore_mask();
    send_to(files.out, STDOUT_FILENO);
    send_to(files.error, STDERR_FILENO);
    execvp(program.c_str(), words.data());
    _exit(not_found);
  }
  signals.pass_to(child);
  int status = 0;
  while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (child < 0 || (WIFEXITED(status) && WEXITSTATUS(status) == not_found))
    throw Error(Status::bad_plan, program + " cannot be started; " + advice);
  if (came) throw Error(Status::cancelled, "stopped by a signal; " + program + " has ended");
  if (WIFSIGNALED(status))
    throw Error(Status::comm_failure, program + " was ended by signal " + std::to_string(WTERMSIG(status)) +
                                          " (" + strsignal(WTERMSIG(status)) +
                                          "); look for who sent it, and for memory that ran out");
  return WEXITSTATUS(status);
}

}  // namespace overlapack::cli
