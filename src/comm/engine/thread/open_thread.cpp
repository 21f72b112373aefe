#include "comm/engine/thread/open_thread.hpp"

#include "comm/engine/thread/crew.hpp"
#include "comm/engine/thread/thread_rank.hpp"

#include <unistd.h>

namespace overlapack::comm {

namespace {

/// A crew, and a new one in a process forked since: there only the forking thread exists.
class ThreadTeam final : public Team {
 public:
  explicit ThreadTeam(const TeamOptions& options) : options_(options) { hire(); }
  ~ThreadTeam() override { leave_parents_crew(); }

  int size() const override { return options_.ranks; }
  int first_local() const override { return 0; }
  int local_count() const override { return options_.ranks; }

  void run(const std::function<void(Rank&)>& fn) override {
    if (getpid() != process_) {
      leave_parents_crew();
      hire();
    }
    crew_->run(fn);
  }
  void on_silence(std::function<void(const std::string&)> report) override {
    report_ = std::move(report);
    crew_->on_silence(report_);
  }

 private:
  void hire() {
    crew_ = std::make_unique<thread::Crew>(options_);
    crew_->on_silence(report_);
    process_ = getpid();
  }
  /// In a forked child the parent's threads and locks cannot be joined or released: their memory is left alone.
  void leave_parents_crew() {
    if (getpid() != process_) static_cast<void>(crew_.release());
  }

  const TeamOptions options_;
  std::function<void(const std::string&)> report_;
  std::unique_ptr<thread::Crew> crew_;
  pid_t process_ = 0;
};

}  // namespace

std::unique_ptr<Team> open_thread(const TeamOptions& options) {
  return std::make_unique<ThreadTeam>(options);
}

}  // namespace overlapack::comm
