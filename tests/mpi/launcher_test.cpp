#include "comm/engine/mpi/launcher.hpp"

#include "comm/engine/mpi/loader.hpp"
#include "comm/engine/mpi/open_mpi.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <dlfcn.h>
#include <filesystem>
#include <string>

// What happens before MPI starts, and when it is not there or not the launcher's. Run without a launcher.
namespace overlapack::comm::mpi {
namespace {

constexpr const char* variables[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMI_RANK", "PMIX_RANK",
                                     "SLURM_STEP_NUM_TASKS"};

/// An environment without any launcher, and with what a test sets.
class Launch : public ::testing::Test {
 protected:
  void SetUp() override {
    for (const char* name : variables) unsetenv(name);
  }
  void TearDown() override { SetUp(); }
};

std::string refusal(const std::function<void()>& f) {
  try {
    f();
  } catch (const Error& e) {
    EXPECT_EQ(e.kind(), ErrorKind::bad_plan) << e.what();
    return e.what();
  }
  ADD_FAILURE() << "nothing was refused";
  return {};
}

bool holds(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

/// A library that every process has and that is no MPI.
std::filesystem::path path_of_libm() {
  Dl_info info;
  dladdr(reinterpret_cast<const void*>(static_cast<double (*)(double)>(&std::cos)), &info);
  return info.dli_fname;
}

TEST_F(Launch, IsReadFromTheEnvironment) {
  EXPECT_EQ(find_launcher().family, Launcher::Family::none);
  EXPECT_FALSE(is_launched());
  setenv("PMIX_RANK", "0", 1);
  setenv("SLURM_STEP_NUM_TASKS", "6", 1);
  EXPECT_EQ(find_launcher().family, Launcher::Family::unknown);
  EXPECT_EQ(find_launcher().size, 6);
  setenv("PMI_SIZE", "5", 1);
  EXPECT_EQ(find_launcher().family, Launcher::Family::mpich);
  EXPECT_EQ(find_launcher().size, 5);
  setenv("OMPI_COMM_WORLD_SIZE", "4", 1);
  EXPECT_EQ(find_launcher().family, Launcher::Family::open_mpi);
  EXPECT_EQ(find_launcher().size, 4);
  EXPECT_TRUE(is_launched());
}

TEST_F(Launch, IsNeededForTheEngine) {
  const std::string text = refusal([] { open_mpi({.engine = "mpi", .ranks = 0}); });
  EXPECT_TRUE(holds(text, "mpirun")) << text;
}

TEST_F(Launch, WithoutMpiIsRefused) {
  Places places{
      {{"No MPI", {"libno_such_mpi.so.1", "libno_such_mpi.so.2"}, "none.so", Launcher::Family::open_mpi}},
      {}};
  const std::string text = refusal([&] { load_mpi(places, {Launcher::Family::open_mpi, 2, "X"}); });
  EXPECT_TRUE(holds(text, "libno_such_mpi.so.2")) << text;
  EXPECT_TRUE(holds(text, "thread")) << text;
}

TEST_F(Launch, TakesTheMpiOfTheLauncherOnly) {
  Places places{{{"Other MPI", {path_of_libm().string()}, "none.so", Launcher::Family::open_mpi}},
                {"/no/such/folder"}};
  places.flavours[0].libraries = {"libno_such_mpi.so.1"};
  places.flavours.push_back({"Third MPI", {"libno_such_mpi.so.3"}, "none.so", Launcher::Family::mpich});
  const std::string text = refusal([&] { load_mpi(places, {Launcher::Family::mpich, 2, "X"}); });
  EXPECT_FALSE(holds(text, "libno_such_mpi.so.1")) << text;
  EXPECT_TRUE(holds(text, "libno_such_mpi.so.3")) << text;
}

TEST_F(Launch, WithoutThePluginIsRefused) {
  const Places places{{{"Some MPI", {path_of_libm().string()}, "none.so", Launcher::Family::open_mpi}},
                      {"/no/such/folder"}};
  const std::string text = refusal([&] { load_mpi(places, {}); });
  EXPECT_TRUE(holds(text, "none.so")) << text;
  EXPECT_TRUE(holds(text, "/no/such/folder")) << text;
}

TEST_F(Launch, RefusesAFileThatIsNoPlugin) {
  const auto libm = path_of_libm();
  const Places places{{{"Some MPI", {libm.string()}, libm.filename().string(), Launcher::Family::open_mpi}},
                      {libm.parent_path().string()}};
  const std::string text = refusal([&] { load_mpi(places, {}); });
  EXPECT_TRUE(holds(text, "rebuild")) << text;
}

// Each process would be a team of its own. The last test: it starts MPI in this process.
TEST_F(Launch, OfAnotherMpiIsRefused) {
  if (holds(describe_mpi(), "none:")) GTEST_SKIP() << describe_mpi();
  setenv("OMPI_COMM_WORLD_SIZE", "3", 1);
  if (!holds(describe_mpi(), "Open MPI")) GTEST_SKIP() << "no plugin for Open MPI";
  const std::string text = refusal([] { open_mpi({.engine = "mpi", .ranks = 0}); });
  EXPECT_TRUE(holds(text, "started 3 processes")) << text;
  EXPECT_TRUE(holds(text, "sees 1")) << text;
}

}  // namespace
}  // namespace overlapack::comm::mpi
