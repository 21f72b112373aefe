#include "comm/engine/mpi/load/launcher.hpp"

#include "comm/engine/mpi/load/loader.hpp"
#include "comm/engine/mpi/rank/open_mpi.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <dlfcn.h>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

// What happens before MPI starts, and when it is not there or not the launcher's. Run without a launcher.
namespace overlapack::comm::mpi {
namespace {

constexpr const char* variables[] = {"OMPI_COMM_WORLD_RANK",
                                     "OMPI_COMM_WORLD_SIZE",
                                     "MV2_COMM_WORLD_RANK",
                                     "MV2_COMM_WORLD_SIZE",
                                     "FLUX_TASK_RANK",
                                     "FLUX_JOB_SIZE",
                                     "PMI_RANK",
                                     "PMI_SIZE",
                                     "PMI_FD",
                                     "PALS_RANKID",
                                     "PMIX_RANK",
                                     "PMIX_NAMESPACE",
                                     "SLURM_PROCID",
                                     "SLURM_NTASKS",
                                     "SLURM_STEP_NUM_TASKS",
                                     "I_MPI_PMI_LIBRARY"};

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
    EXPECT_EQ(e.status(), Status::bad_plan) << e.what();
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

struct Environment {
  const char* name;
  std::vector<std::pair<const char*, const char*>> variables;
  bool is_launched;  ///< as one of several, or of nobody knows how many
  int size;          ///< 0: not told
  bool is_first;
  Launcher::Family family = Launcher::Family::none;
};

using Family = Launcher::Family;
const Environment environments[] = {
    {"a shell", {}, false, 0, true},
    {"mpirun -n 4 of Open MPI",
     {{"OMPI_COMM_WORLD_RANK", "2"},
      {"OMPI_COMM_WORLD_SIZE", "4"},
      {"PMIX_RANK", "2"},
      {"PMIX_NAMESPACE", "prterun-a@1"}},
     true,
     4,
     false,
     Family::open_mpi},
    {"mpirun -n 1 of Open MPI",
     {{"OMPI_COMM_WORLD_RANK", "0"},
      {"OMPI_COMM_WORLD_SIZE", "1"},
      {"PMIX_RANK", "0"},
      {"PMIX_NAMESPACE", "prterun-a@1"}},
     false,
     1,
     true,
     Family::open_mpi},
    {"mpirun -n 1 on the second of two nodes that salloc gave",
     {{"OMPI_COMM_WORLD_RANK", "0"},
      {"OMPI_COMM_WORLD_SIZE", "1"},
      {"PMIX_RANK", "0"},
      {"PMIX_NAMESPACE", "1234.1"},
      {"SLURM_PROCID", "1"},
      {"SLURM_STEP_NUM_TASKS", "2"},
      {"SLURM_NTASKS", "2"}},
     false,
     1,
     true,
     Family::open_mpi},
    {"the same with daemons by srun --mpi=pmi2",
     {{"OMPI_COMM_WORLD_RANK", "0"},
      {"OMPI_COMM_WORLD_SIZE", "1"},
      {"PMI_RANK", "1"},
      {"PMI_SIZE", "2"},
      {"SLURM_PROCID", "1"},
      {"SLURM_STEP_NUM_TASKS", "2"},
      {"SLURM_NTASKS", "2"}},
     false,
     1,
     true,
     Family::open_mpi},
    {"mpiexec -n 3 of MPICH, first",
     {{"PMI_RANK", "0"}, {"PMI_SIZE", "3"}, {"PMI_FD", "8"}},
     true,
     3,
     true,
     Family::mpich},
    {"mpiexec -n 3 of Intel MPI",
     {{"PMI_RANK", "2"}, {"PMI_SIZE", "3"}, {"PMI_FD", "8"}},
     true,
     3,
     false,
     Family::mpich},
    {"mpiexec -n 1 of MPICH whose proxies srun started on two nodes",
     {{"PMI_RANK", "0"},
      {"PMI_SIZE", "1"},
      {"PMI_FD", "8"},
      {"PMIX_RANK", "1"},
      {"PMIX_NAMESPACE", "slurm.pmix.7.0"},
      {"SLURM_PROCID", "1"},
      {"SLURM_STEP_NUM_TASKS", "2"},
      {"I_MPI_PMI_LIBRARY", "/usr/lib/libpmi.so"}},
     false,
     1,
     true,
     Family::mpich},
    {"mpirun_rsh of MVAPICH",
     {{"MV2_COMM_WORLD_RANK", "1"}, {"MV2_COMM_WORLD_SIZE", "2"}},
     true,
     2,
     false,
     Family::mpich},
    {"srun --mpi=pmi2 -n 4",
     {{"PMI_RANK", "3"},
      {"PMI_SIZE", "4"},
      {"PMI_FD", "9"},
      {"SLURM_PROCID", "3"},
      {"SLURM_STEP_NUM_TASKS", "4"},
      {"SLURM_NTASKS", "4"}},
     true,
     4,
     false,
     Family::mpich},
    {"srun --mpi=pmi2 --pty bash in salloc -n 4",
     {{"PMI_RANK", "0"},
      {"PMI_SIZE", "1"},
      {"PMI_FD", "9"},
      {"SLURM_PROCID", "0"},
      {"SLURM_STEP_NUM_TASKS", "1"},
      {"SLURM_NTASKS", "4"}},
     false,
     1,
     true,
     Family::mpich},
    {"srun --mpi=pmix -n 6",
     {{"PMIX_RANK", "0"},
      {"PMIX_NAMESPACE", "slurm.pmix.7.0"},
      {"SLURM_PROCID", "0"},
      {"SLURM_STEP_NUM_TASKS", "6"},
      {"SLURM_NTASKS", "6"}},
     true,
     6,
     true,
     Family::unknown},
    {"Jupyter that srun --mpi=pmix started in a job of 4",
     {{"PMIX_RANK", "0"},
      {"PMIX_NAMESPACE", "slurm.pmix.7.0"},
      {"SLURM_PROCID", "0"},
      {"SLURM_STEP_NUM_TASKS", "1"},
      {"SLURM_NTASKS", "4"}},
     false,
     1,
     true,
     Family::unknown},
    {"a script of sbatch -n 4", {{"SLURM_PROCID", "0"}, {"SLURM_NTASKS", "4"}}, false, 0, true},
    {"srun --mpi=none -n 4, workers of Dask",
     {{"SLURM_PROCID", "3"}, {"SLURM_STEP_NUM_TASKS", "4"}, {"SLURM_NTASKS", "4"}},
     false,
     0,
     true},
    {"srun -n 4 of Intel MPI with Slurm's library",
     {{"SLURM_PROCID", "3"}, {"SLURM_STEP_NUM_TASKS", "4"}, {"I_MPI_PMI_LIBRARY", "/usr/lib/libpmi.so"}},
     true,
     4,
     false,
     Family::mpich},
    {"flux run -n 4",
     {{"FLUX_TASK_RANK", "1"},
      {"FLUX_JOB_SIZE", "4"},
      {"PMI_RANK", "1"},
      {"PMI_SIZE", "4"},
      {"PMI_FD", "17"}},
     true,
     4,
     false,
     Family::unknown},
    {"flux run -n 1 bash",
     {{"FLUX_TASK_RANK", "0"},
      {"FLUX_JOB_SIZE", "1"},
      {"PMI_RANK", "0"},
      {"PMI_SIZE", "1"},
      {"PMI_FD", "17"}},
     false,
     1,
     true,
     Family::unknown},
    {"a shell that flux alloc started", {{"FLUX_TASK_RANK", "0"}}, false, 0, true},
    {"prun -n 2, first",
     {{"PMIX_RANK", "0"}, {"PMIX_NAMESPACE", "prte-a@3"}},
     true,
     0,
     true,
     Family::unknown},
    {"prun -n 2, second",
     {{"PMIX_RANK", "1"}, {"PMIX_NAMESPACE", "prte-a@3"}},
     true,
     0,
     false,
     Family::unknown},
    {"prun in a shell of srun --pty",
     {{"PMIX_RANK", "1"},
      {"PMIX_NAMESPACE", "prte-a@3"},
      {"PMI_RANK", "0"},
      {"PMI_SIZE", "1"},
      {"SLURM_PROCID", "0"},
      {"SLURM_STEP_NUM_TASKS", "1"}},
     true,
     0,
     false,
     Family::unknown},
    {"PMIX_RANK and nothing else", {{"PMIX_RANK", "1"}}, true, 0, false, Family::unknown},
    {"mpiexec -n 8 of PALS",
     {{"PALS_RANKID", "5"}, {"PMI_RANK", "5"}, {"PMI_SIZE", "8"}},
     true,
     8,
     false,
     Family::mpich},
    {"mpiexec -n 1 of PALS",
     {{"PALS_RANKID", "0"}, {"PMI_RANK", "0"}, {"PMI_SIZE", "1"}},
     false,
     1,
     true,
     Family::mpich},
    {"mpiexec --pmi=none of PALS", {{"PALS_RANKID", "5"}}, true, 0, false, Family::unknown},
    {"what is no number",
     {{"PMI_RANK", "x"}, {"PMI_SIZE", "2"}, {"OMPI_COMM_WORLD_RANK", ""}},
     false,
     0,
     true}};

TEST_F(Launch, IsReadFromTheEnvironment) {
  for (const Environment& e : environments) {
    SCOPED_TRACE(e.name);
    SetUp();
    for (const auto& [name, value] : e.variables) setenv(name, value, 1);
    EXPECT_EQ(is_launched(), e.is_launched);
    EXPECT_EQ(is_first_process(), e.is_first);
    EXPECT_EQ(find_launcher().size, e.size);
    EXPECT_EQ(find_launcher().family, e.family);
  }
}

TEST_F(Launch, IsNeededForTheEngine) {
  const std::string text = refusal([] { open_mpi({.engine = "mpi", .ranks = 0}); });
  EXPECT_TRUE(holds(text, "mpirun")) << text;
}

TEST_F(Launch, WithoutMpiIsRefused) {
  SearchPaths paths{
      {{"No MPI", {"libno_such_mpi.so.1", "libno_such_mpi.so.2"}, "none.so", Launcher::Family::open_mpi}},
      {}};
  const std::string text = refusal([&] { load_mpi_plugin(paths, {Launcher::Family::open_mpi, 2, "X"}); });
  EXPECT_TRUE(holds(text, "libno_such_mpi.so.2")) << text;
  EXPECT_TRUE(holds(text, "thread")) << text;
}

TEST_F(Launch, TakesTheMpiOfTheLauncherOnly) {
  SearchPaths paths{{{"Other MPI", {path_of_libm().string()}, "none.so", Launcher::Family::open_mpi}},
                    {"/no/such/folder"}};
  paths.flavours[0].libraries = {"libno_such_mpi.so.1"};
  paths.flavours.push_back({"Third MPI", {"libno_such_mpi.so.3"}, "none.so", Launcher::Family::mpich});
  const std::string text = refusal([&] { load_mpi_plugin(paths, {Launcher::Family::mpich, 2, "X"}); });
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
  SearchPaths paths_of(const std::vector<std::string>& libraries) {
    SearchPaths paths = usual_paths();
    paths.plugin_folders = {"/no/such/folder"};
    std::erase_if(paths.flavours, [](const Flavour& f) { return f.name != "MPICH"; });
    paths.flavours[0].libraries = libraries;
    return paths;
  }
};

TEST_F(FakeMpi, WithoutItsPluginIsRefused) {
  setenv("FAKE_MPI_FIRST_VERSION", "MPICH Version:\t4.0.2\nMPICH Release date", 1);
  const std::string text = refusal([&] { load_mpi_plugin(paths_of({FAKE_MPI_FIRST}), {}); });
  EXPECT_TRUE(holds(text, "overlapack_mpich.so")) << text;
  EXPECT_TRUE(holds(text, "/no/such/folder")) << text;
}

TEST_F(FakeMpi, WithAFileThatIsNoPluginIsRefused) {
  setenv("FAKE_MPI_FIRST_VERSION", "MPICH Version:\t4.0.2\nMPICH Release date", 1);
  const auto libm = std::filesystem::canonical(path_of_libm());
  SearchPaths paths = paths_of({FAKE_MPI_FIRST});
  paths.flavours[0].plugin = libm.filename().string();
  paths.plugin_folders = {libm.parent_path().string()};
  const std::string text = refusal([&] { load_mpi_plugin(paths, {}); });
  EXPECT_TRUE(holds(text, "another version of overlapack; rebuild")) << text;
}

// libmpi.so.12 has been the name of MPICH's library and those of its binary interface, and of Open MPI 1.10's.
TEST_F(FakeMpi, IsTakenForWhatItSaysItself) {
  for (const char* version : {"MPICH Version:\t4.0.2\n", "Intel(R) MPI MpiLibrary 2021.9 for Linux* OS\n",
                              "MVAPICH2 Version      :\t2.3.7\n", "MVAPICH Version:\t3.0\n",
                              "MPI VERSION    : CRAY MPICH version 8.1.25.17 (ANL base 3.4a2)\n"}) {
    setenv("FAKE_MPI_FIRST_VERSION", version, 1);
    const std::string text = refusal([&] { load_mpi_plugin(paths_of({FAKE_MPI_FIRST}), {}); });
    EXPECT_TRUE(holds(text, "MPICH is there")) << version << ": " << text;
  }
  setenv("FAKE_MPI_FIRST_VERSION", "Open MPI v1.10.2, package: Open MPI", 1);
  std::string text = refusal([&] { load_mpi_plugin(paths_of({FAKE_MPI_FIRST}), {}); });
  EXPECT_TRUE(holds(text, "is no MPICH but says \"Open MPI v1.10.2\"")) << text;
  text = refusal([&] { load_mpi_plugin(paths_of({path_of_libm().string()}), {}); });
  EXPECT_TRUE(holds(text, "is no MPICH but says nothing of itself")) << text;
}

TEST_F(FakeMpi, ThatRunsIsTakenBeforeAnother) {
  for (const char* name : {"FAKE_MPI_FIRST_VERSION", "FAKE_MPI_SECOND_VERSION"})
    setenv(name, "MPICH Version:\t4.0.2\n", 1);
  for (const char* name : {FAKE_MPI_FIRST, FAKE_MPI_SECOND}) ASSERT_TRUE(dlopen(name, RTLD_NOW)) << dlerror();
  const auto taken = [&] {
    return refusal([&] { load_mpi_plugin(paths_of({FAKE_MPI_FIRST, FAKE_MPI_SECOND}), {}); });
  };
  EXPECT_TRUE(holds(taken(), FAKE_MPI_FIRST)) << taken();
  setenv("FAKE_MPI_SECOND_RUNS", "1", 1);
  EXPECT_TRUE(holds(taken(), FAKE_MPI_SECOND)) << taken();
}

// Each process would be a team of its own. The last tests: they start MPI in this process.
TEST_F(Launch, OfAnotherMpiIsRefused) {
  if (holds(describe_mpi(), "none:")) GTEST_SKIP() << describe_mpi();
  setenv("OMPI_COMM_WORLD_RANK", "0", 1);
  setenv("OMPI_COMM_WORLD_SIZE", "3", 1);
  if (!holds(describe_mpi(), "Open MPI")) GTEST_SKIP() << "no plugin for Open MPI";
  const std::string text = refusal([] { open_mpi({.engine = "mpi", .ranks = 0}); });
  EXPECT_TRUE(holds(text, "started 3 processes")) << text;
  EXPECT_TRUE(holds(text, "sees 1")) << text;
}

// prun tells no number. The sister of rank 0 knows that it is not alone; rank 0 is believed to be, since Open MPI speaks PMIx.
TEST_F(Launch, WithoutANumberIsRefusedWhereARankTellsOfOthers) {
  if (!holds(describe_mpi(), "Open MPI")) GTEST_SKIP() << "no plugin for Open MPI: " << describe_mpi();
  setenv("PMIX_NAMESPACE", "prte-a@3", 1);
  setenv("PMIX_RANK", "0", 1);
  EXPECT_FALSE(is_one_of_several({}));
  EXPECT_EQ(open_mpi({.engine = "mpi", .ranks = 0})->size(), 1);
  setenv("PMIX_RANK", "1", 1);
  EXPECT_TRUE(is_one_of_several({}));
  const std::string text = refusal([] { open_mpi({.engine = "mpi", .ranks = 0}); });
  EXPECT_TRUE(holds(text, "the rank 1 (PMIX_RANK) and no number")) << text;
}

}  // namespace
}  // namespace overlapack::comm::mpi
