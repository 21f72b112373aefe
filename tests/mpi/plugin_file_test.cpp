#include "comm/engine/mpi/load/plugin_file.hpp"

#include "base/own_file.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

// Whose plugin is run. What others own can only be tried by root.
namespace overlapack::comm::mpi {
namespace {

namespace fs = std::filesystem;
constexpr uid_t nobody = 65534;
constexpr const char* name = "overlapack_openmpi.so";

class PluginFile : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "overlapack_plugin_XXXXXX").string();
    ASSERT_TRUE(mkdtemp(pattern.data()));
    root_ = pattern;
    setenv("PLANTED_PLUGIN_MARK", mark().c_str(), 1);
  }
  void TearDown() override {
    unsetenv("PLANTED_PLUGIN_MARK");
    fs::remove_all(root_);
  }

  /// A folder of the caller's, closed to others, with a plugin that leaves a mark when it is run.
  fs::path planted(const std::string& folder) {
    fs::create_directory(root_ / folder);
    chmod((root_ / folder).c_str(), 0755);
    fs::copy_file(PLANTED_PLUGIN, root_ / folder / name);
    chmod((root_ / folder / name).c_str(), 0644);
    return root_ / folder;
  }
  fs::path mark() const { return root_ / "mark"; }
  bool has_run() const { return fs::exists(mark()); }

  /// Not run, and for this reason.
  void expect_refused(const fs::path& folder, const std::string& reason) {
    const MappedPlugin plugin = map_plugin(folder, name);
    EXPECT_EQ(plugin.handle, nullptr);
    EXPECT_EQ(plugin.refusal, reason);
    EXPECT_FALSE(has_run());
  }

  fs::path root_;
};

TEST_F(PluginFile, OwnFileIsWhatRuns) { EXPECT_EQ(own_binary_path(), fs::read_symlink("/proc/self/exe")); }

TEST_F(PluginFile, OfTheCallerIsRun) {
  EXPECT_NE(map_plugin(planted("mine"), name).handle, nullptr);
  EXPECT_TRUE(has_run());
}

TEST_F(PluginFile, ThatIsNotThereIsNoRefusal) {
  expect_refused(root_ / "nowhere", "");
  expect_refused(root_, "");
}

// The loader goes by names, and all descriptors are called alike.
TEST_F(PluginFile, IsMappedOnceAndNotTakenForAnother) {
  const fs::path first = planted("first"), second = planted("second");
  void* const handle = map_plugin(first, name).handle;
  EXPECT_NE(handle, nullptr);
  EXPECT_EQ(map_plugin(first, name).handle, handle);
  EXPECT_NE(map_plugin(second, name).handle, handle);
  EXPECT_EQ(map_plugin(first, name).handle, handle);
}

TEST_F(PluginFile, ThatEverybodyMayChangeIsRefused) {
  const fs::path folder = planted("open");
  chmod(folder.c_str(), 01777);
  expect_refused(folder, "its folder may be written to by everybody");
  chmod(folder.c_str(), 0755);
  chmod((folder / name).c_str(), 0666);
  expect_refused(folder, "it may be written to by everybody");
}

TEST_F(PluginFile, ThatAGroupMayChangeIsRefused) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can give files to any group";
  const fs::path folder = planted("shared");
  ASSERT_EQ(chown(folder.c_str(), 0, nobody), 0);
  chmod(folder.c_str(), 0775);
  expect_refused(folder, "its folder may be written to by group 65534");
}

TEST_F(PluginFile, OfAnotherUserIsRefused) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can give files to others";
  const fs::path folder = planted("theirs");
  ASSERT_EQ(chown((folder / name).c_str(), nobody, nobody), 0);
  expect_refused(folder, "it belongs to user 65534");
  ASSERT_EQ(chown(folder.c_str(), nobody, nobody), 0);
  expect_refused(folder, "its folder belongs to user 65534");
}

TEST_F(PluginFile, ThatIsALinkIsWhatItPointsTo) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can give files to others";
  const fs::path theirs = planted("theirs");
  ASSERT_EQ(chown((theirs / name).c_str(), nobody, nobody), 0);
  fs::create_directory(root_ / "mine");
  fs::create_symlink(theirs / name, root_ / "mine" / name);
  expect_refused(root_ / "mine", "it belongs to user 65534");
}

// Between the look and the use a name may come to mean something else.
TEST_F(PluginFile, IsTheOneThatWasLookedAt) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can give files to others";
  const fs::path theirs = planted("theirs"), link = root_ / "link", next = root_ / "next";
  ASSERT_EQ(chown((theirs / name).c_str(), nobody, nobody), 0);
  fs::create_directory(root_ / "mine");
  fs::copy_file("/bin/true", root_ / "mine" / "file");  // that the loader looks at, and does not load
  std::atomic<bool> is_over = false;
  std::thread other([&] {
    while (!is_over)
      for (const fs::path& target : {root_ / "mine" / "file", theirs / name}) {
        fs::create_symlink(target, next);
        fs::rename(next, link);
      }
  });
  constexpr int tries = 20000;
  for (int i = 0; i < tries; ++i) map_plugin(root_, "link");
  is_over = true;
  other.join();
  EXPECT_FALSE(has_run());
}

}  // namespace
}  // namespace overlapack::comm::mpi
