#include "failing_allocations.hpp"
#include "fuzz/seeds.hpp"
#include "overlapack/generate.hpp"
#include "overlapack/io.hpp"

#include <csignal>
#include <filesystem>
#include <sys/resource.h>

/// Readers when any one allocation fails, writers when the disk is full after any number of bytes, when a file cannot be read.
namespace overlapack::io {
namespace {

using overlapack::testing::fail_each_allocation;
namespace fs = std::filesystem;

class FileFaults : public ::testing::Test {
 protected:
  FileFaults() {
    std::string name = ::testing::TempDir() + "overlapack-faults-XXXXXX";
    folder_ = mkdtemp(name.data());
  }
  ~FileFaults() override { fs::remove_all(folder_); }
  std::string path(const std::string& name) const { return folder_ + "/" + name; }
  bool is_empty() const { return fs::is_empty(folder_); }

 private:
  std::string folder_;
};

/// Both readers; false if neither takes the bytes.
bool read_both(const std::string& bytes) {
  bool is_read = false;
  const auto attempt = [&](auto reader) {
    try {
      reader(bytes, "name");
      is_read = true;
    } catch (const Error& error) {
      if (error.status() != Status::bad_input) throw;
    }
  };
  attempt([](const std::string& b, const char* name) { return read_matrix_bytes(b, name); });
  attempt([](const std::string& b, const char* name) { return read_dense_bytes(b, name); });
  return is_read;
}

TEST_F(FileFaults, AnyFailingAllocationOfAReader) {
  std::int64_t positions = 0;
  for (const std::string& seed : test::fuzz_seeds()) {
    const bool is_read = read_both(seed);
    positions += fail_each_allocation([&] { EXPECT_EQ(read_both(seed), is_read); }, [] {});
  }
  EXPECT_GT(positions, 500);
}

/// No file of this process grows beyond so many bytes: what a full disk does, at each byte.
class RoomFor {
 public:
  explicit RoomFor(rlim_t bytes) {
    getrlimit(RLIMIT_FSIZE, &before_);
    handler_ = std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{bytes, before_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~RoomFor() {
    setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }

 private:
  rlimit before_{};
  void (*handler_)(int) = SIG_DFL;
};

TEST_F(FileFaults, ADiskThatIsFullAfterAnyNumberOfBytes) {
  const SparseMatrix<double> A = sparse::generate("cube", 2);
  for (const std::string name : {"A.mtx", "A.mtx.gz"}) {
    write_matrix_market(path(name), A);
    const auto size = fs::file_size(path(name));
    fs::remove(path(name));
    for (rlim_t bytes = 0; bytes < size; ++bytes) {
      try {
        const RoomFor room(bytes);
        write_matrix_market(path(name), A);
        ADD_FAILURE() << bytes;
      } catch (const Error& error) {
        EXPECT_EQ(error.status(), Status::bad_input);
        EXPECT_NE(std::string(error.what()).find("the space left"), std::string::npos) << error.what();
      }
      EXPECT_TRUE(is_empty()) << bytes;
    }
    const RoomFor room(size);
    write_matrix_market(path(name), A);
    fs::remove(path(name));
  }
}

/// The memory of this process as a file: nothing can be read at its beginning.
TEST_F(FileFaults, AFileThatCannotBeReadIsSaid) {
  for (const auto& read : {std::function<void()>([] { read_matrix("/proc/self/mem"); }),
                           std::function<void()>([] { read_dense("/proc/self/mem"); })})
    try {
      read();
      ADD_FAILURE() << "read";
    } catch (const Error& error) {
      EXPECT_EQ(error.status(), Status::bad_input);
      EXPECT_NE(std::string(error.what()).find("/proc/self/mem"), std::string::npos) << error.what();
    }
}

}  // namespace
}  // namespace overlapack::io
