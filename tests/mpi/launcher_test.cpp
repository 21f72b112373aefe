#include "comm/engine/mpi/launcher.hpp"

#include "comm/engine/mpi/loader.hpp"
#include "comm/engine/mpi/open_mpi.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <dlfcn.h>
#include <filesystem>
#include <string>
#include <vector>

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

/// A library that says of itself what a test tells it to (fake_mpi.cpp).
class FakeMpi : public Launch {
 protected:
  void SetUp() override {
    Launch::SetUp();
    for (const char* name :
         {"FAKE_MPI_FIRST_VERSION", "FAKE_MPI_SECOND_VERSION", "FAKE_MPI_FIRST_RUNS", "FAKE_MPI_SECOND_RUNS"})
      unsetenv(name);
  }
  void TearDown() override { SetUp(); }

  /// The places of this build, with this library in the place of each MPI that the launcher knows, and no plugin.
  Places places_of(const std::vector<std::string>& libraries) {
    Places places = usual_places();
    places.plugin_folders = {"/no/such/folder"};
    std::erase_if(places.flavours, [](const Flavour& f) { return f.name != "MPICH"; });
    places.flavours[0].libraries = libraries;
    return places;
  }
};

TEST_F(FakeMpi, WithoutItsPluginIsRefused) {
  setenv("FAKE_MPI_FIRST_VERSION", "MPICH Version:\t4.0.2\nMPICH Release date", 1);
  const std::string text = refusal([&] { load_mpi(places_of({FAKE_MPI_FIRST}), {}); });
  EXPECT_TRUE(holds(text, "overlapack_mpich.so")) << text;
  EXPECT_TRUE(holds(text, "/no/such/folder")) << text;
}

TEST_F(FakeMpi, WithAFileThatIsNoPluginIsRefused) {
  setenv("FAKE_MPI_FIRST_VERSION", "MPICH Version:\t4.0.2\nMPICH Release date", 1);
  const auto libm = std::filesystem::canonical(path_of_libm());
  Places places = places_of({FAKE_MPI_FIRST});
  places.flavours[0].plugin = libm.filename().string();
  places.plugin_folders = {libm.parent_path().string()};
  const std::string text = refusal([&] { load_mpi(places, {}); });
  EXPECT_TRUE(holds(text, "another version of overlapack; rebuild")) << text;
}

// libmpi.so.12 has been the name of MPICH's library and those of its binary interface, and of Open MPI 1.10's.
TEST_F(FakeMpi, IsTakenForWhatItSaysItself) {
  for (const char* version : {"MPICH Version:\t4.0.2\n", "Intel(R) MPI Library 2021.9 for Linux* OS\n",
                              "MVAPICH2 Version      :\t2.3.7\n", "MVAPICH Version:\t3.0\n",
                              "MPI VERSION    : CRAY MPICH version 8.1.25.17 (ANL base 3.4a2)\n"}) {
    setenv("FAKE_MPI_FIRST_VERSION", version, 1);
    const std::string text = refusal([&] { load_mpi(places_of({FAKE_MPI_FIRST}), {}); });
    EXPECT_TRUE(holds(text, "MPICH is there")) << version << ": " << text;
  }
  setenv("FAKE_MPI_FIRST_VERSION", "Open MPI v1.10.2, package: Open MPI", 1);
  std::string text = refusal([&] { load_mpi(places_of({FAKE_MPI_FIRST}), {}); });
  EXPECT_TRUE(holds(text, "is no MPICH but says \"Open MPI v1.10.2\"")) << text;
  text = refusal([&] { load_mpi(places_of({path_of_libm().string()}), {}); });
  EXPECT_TRUE(holds(text, "is no MPICH but says nothing of itself")) << text;
}

TEST_F(FakeMpi, ThatRunsIsTakenBeforeAnother) {
  for (const char* name : {"FAKE_MPI_FIRST_VERSION", "FAKE_MPI_SECOND_VERSION"})
    setenv(name, "MPICH Version:\t4.0.2\n", 1);
  for (const char* name : {FAKE_MPI_FIRST, FAKE_MPI_SECOND}) ASSERT_TRUE(dlopen(name, RTLD_NOW)) << dlerror();
  const auto taken = [&] {
    return refusal([&] { load_mpi(places_of({FAKE_MPI_FIRST, FAKE_MPI_SECOND}), {}); });
  };
  EXPECT_TRUE(holds(taken(), FAKE_MPI_FIRST)) << taken();
  setenv("FAKE_MPI_SECOND_RUNS", "1", 1);
  EXPECT_TRUE(holds(taken(), FAKE_MPI_SECOND)) << taken();
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
