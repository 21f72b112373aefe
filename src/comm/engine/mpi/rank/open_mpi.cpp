#include "comm/engine/mpi/rank/open_mpi.hpp"

#include "comm/engine/mpi/rank/mpi_rank.hpp"
#include "comm/failure.hpp"

#include <new>

namespace overlapack::comm {

namespace mpi {
namespace {

class MpiTeam final : public Team {
 public:
  explicit MpiTeam(const TeamOptions& options) : engine_(options), rank_(engine_, engine_.world()) {}

  int size() const override { return rank_.size(); }
  int first_local() const override { return rank_.rank(); }
  int local_count() const override { return 1; }

  bool is_usable() const override { return engine_.is_usable(); }

  void run(const std::function<void(Rank&)>& fn) override {
    const MpiLibrary::Access access(engine_.library);
    engine_.begin_run();
    try {
      fn(rank_);
    } catch (...) {
      engine_.abort(error_of(std::current_exception()));
    }
    try {
      if (const auto error = engine_.end_run()) throw *error;
    } catch (const std::bad_alloc&) {
      throw error_of(std::current_exception());
    }
  }

 private:
  Engine engine_;
  MpiRank rank_;
};

}  // namespace
}  // namespace mpi

std::unique_ptr<Team> open_mpi(const TeamOptions& options) { return std::make_unique<mpi::MpiTeam>(options); }

bool has_engine(std::string_view engine) {
#ifdef OVERLAPACK_SHMEM
  return engine == "shmem";
#else
  return engine != "shmem";
#endif
}

bool is_launched() {
#ifdef OVERLAPACK_SMPI
  return true;
#else
  return mpi::find_launcher().may_have_others();
#endif
}

int launched_processes() {
#ifdef OVERLAPACK_SMPI
  return 0;
#else
  return mpi::find_launcher().size;
#endif
}

bool is_one_of_several([[maybe_unused]] const TeamOptions& options) {
#ifdef OVERLAPACK_SMPI
  return true;
#else
  const mpi::Launcher launcher = mpi::find_launcher();
  if (!launcher.may_have_others() || launcher.size > 0 || launcher.rank > 0)
    return launcher.may_have_others();
  try {
    const mpi::MpiLibrary& library = mpi::MpiLibrary::start(options);
    return library.world_size() > 1 || !library.supports_pmix();
  } catch (const Error&) {
    return true;  // unknown; opening a team reports the error
  }
#endif
}

bool is_first_process() {
#ifdef OVERLAPACK_SMPI
  return mpi::MpiLibrary::start({}).simulation().rank == 0;
#else
  const mpi::Launcher launcher = mpi::find_launcher();
  return launcher.rank == 0 || (launcher.size == 0 && mpi::MpiLibrary::has_found_one_process());
#endif
}

std::optional<double> simulated_time() {
#ifdef OVERLAPACK_SMPI
  return mpi::MpiLibrary::start({}).table().clock();
#else
  return std::nullopt;
#endif
}

bool is_phantom() {
#ifdef OVERLAPACK_SMPI
  return mpi::MpiLibrary::start({}).simulation().is_phantom != 0;
#else
  return false;
#endif
}

std::vector<int> world_ranks(int fortran_communicator) {
  mpi::MpiLibrary& library = mpi::MpiLibrary::start({});
  const std::lock_guard lock(library.mutex);
  const auto ask = [&](std::vector<int>& ranks) {
    int size = 0;
    const int room = static_cast<int>(ranks.size());
    library.check(library.table().world_ranks(fortran_communicator, room, &size, ranks.data()),
                  "MPI_Comm_group");
    return size;
  };
  std::vector<int> ranks;
  ranks.resize(static_cast<std::size_t>(ask(ranks)));
  ask(ranks);
  return ranks;
}

std::string describe_mpi() {
  try {
    const mpi::LoadedMpi mpi = mpi::load_mpi_plugin(mpi::usual_paths(), mpi::find_launcher());
    char version[overlapack_mpi_text_bytes] = "";
    mpi.table->library_version(version);
    const std::string text = version;
    return mpi.flavour + ": " + text.substr(0, text.find_first_of(",\n")) + ", " + mpi.library + ", plugin " +
           mpi.plugin;
  } catch (const Error& e) {
    return std::string("none: ") + e.what();
  }
}

}  // namespace overlapack::comm
