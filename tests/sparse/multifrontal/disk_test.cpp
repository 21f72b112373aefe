#include "comm/disk/scratch_file.hpp"
#include "comm/wrap/traced.hpp"
#include "problems.hpp"

#include <cerrno>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <functional>
#include <sys/wait.h>
#include <unistd.h>

/// Factors on disk: the same bits as in memory, whatever kind of front, type, engine and number of ranks; faults of the disk.
namespace overlapack::sparse::testing {
namespace {

using comm::conformance::each_team;

template <class T>
class DiskOf : public ::testing::Test {};
using Types = ::testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(DiskOf, Types);

/// A folder of its own, gone with the test; nothing may ever be seen in it.
class Scratch {
 public:
  Scratch() {
    std::string name = ::testing::TempDir() + "overlapack-disk-XXXXXX";
    folder_ = mkdtemp(name.data());
  }
  ~Scratch() { std::filesystem::remove_all(folder_); }
  const std::string& folder() const { return folder_; }
  bool is_empty() const { return std::filesystem::is_empty(folder_); }

 private:
  std::string folder_;
};

/// Every segment has one front, one segment may be under way, and one be in memory in a solve.
FactorPlan one_by_one(FactorPlan plan, const std::string& folder) {
  plan.fronts.disk = {.is_used = true,
                      .scratch = folder,
                      .segment_bytes = 1,
                      .budget_bytes = 1,
                      .window_bytes = 1,
                      .rhs_pass = 64,
                      .fault = {}};
  plan.rhs_block = 4;
  return plan;
}
/// Several fronts in a segment, several segments in the window.
FactorPlan few_at_a_time(FactorPlan plan, const std::string& folder) {
  plan = one_by_one(std::move(plan), folder);
  plan.fronts.disk.segment_bytes = 2048;
  plan.fronts.disk.budget_bytes = plan.fronts.disk.window_bytes = 4096;
  return plan;
}
FactorPlan in_memory(FactorPlan plan) {
  plan.fronts.disk.is_used = false;
  return plan;
}

std::vector<FactorPlan> plans_of(FactorKind kind, const std::string& folder) {
  const comm::ReceiveMode immediate = comm::ReceiveMode::immediate;
  std::vector<FactorPlan> plans{FactorPlan{}, stress_plan(immediate, 1), strips_plan(immediate, 4),
                                stealing_plan(immediate, 2), late_plan(immediate)};
  if (kind != FactorKind::ldlt) plans.push_back(root_plan(immediate, 4));
  std::vector<FactorPlan> all;
  for (FactorPlan& plan : plans) {
    plan.fronts.strips.choice = StripChoice::fixed;  // else who gets which rows depends on the clock
    all.push_back(one_by_one(plan, folder));
    all.push_back(few_at_a_time(plan, folder));
  }
  return all;
}

template <class T>
SparseMatrix<T> matrix_of(FactorKind kind) {
  if (kind == FactorKind::lu) return random_matrix<T>(120, 2, Symmetry::general, true, 5);
  return kind == FactorKind::ldlt ? weak_cube<T>(5) : cube_of<T>(5);
}

/// What factors answer.
template <class T>
struct Answers {
  std::vector<std::vector<T>>
      x;  ///< op none, trans, conj_trans; 9 right-hand sides; then of refactorised values; one of them
  dense::ScaledNumber<T> determinant;
  FactorStats stats;
};

template <class T>
Answers<T> answers(comm::Team& team, const SparseMatrix<T>& A, const AnalysisPlan& analysis_plan,
                   const FactorPlan& plan) {
  constexpr Index nrhs = 9;
  const std::vector<T> b = random_vector<T>(A.rows * nrhs, 7);
  const Analysis analysis = team.first_local() == 0 ? analyse(A, analysis_plan) : Analysis();
  SparseMatrix<T> other = A;
  for (T& value : other.value) value *= Real<T>(1.5);
  std::vector<Multifrontal<T>> factors(static_cast<std::size_t>(team.size()));
  Answers<T> all;
  all.x.assign(5, std::vector<T>(b.size()));
  team.run([&](comm::Rank& rank) {
    auto& mine = factors[static_cast<std::size_t>(rank.rank())];
    const bool is_first = rank.rank() == team.first_local();
    mine.factorize(rank, &analysis, &A, plan);
    for (const auto op : {kernels::Op::none, kernels::Op::trans, kernels::Op::conj_trans})
      mine.solve(rank, op, b.data(), all.x[static_cast<std::size_t>(op)].data(), nrhs);
    const auto determinant = mine.determinant(rank);
    if (is_first) {
      all.determinant = determinant;
      all.stats = mine.stats();
    }
    mine.refactorize(rank, &analysis, &other, plan);
    mine.solve(rank, b.data(), all.x[3].data(), nrhs);
    mine.solve(rank, b.data(), all.x[4].data(), 1);
  });
  return all;
}

TYPED_TEST(DiskOf, AnswersHaveTheBitsOfThoseInMemory) {
  using T = TypeParam;
  const Scratch scratch;
  Index on_disk = 0, full = 0, ahead = 0, strips = 0, delayed = 0, delayed_from_strips = 0, roots = 0;
  for (const FactorKind kind : {FactorKind::lu, FactorKind::ldlt, FactorKind::cholesky}) {
    const SparseMatrix<T> A = matrix_of<T>(kind);
    for (const FactorPlan& plan : plans_of(kind, scratch.folder()))
      each_team({}, [&](comm::Team& team) {
        if (team.size() == 3 || team.size() > 4) return;
        const Answers<T> here = answers(team, A, without_matching(kind), in_memory(plan)),
                         there = answers(team, A, without_matching(kind), plan);
        EXPECT_TRUE(scratch.is_empty());
        const FactorStats& stats = there.stats;
        const FactorStats counts = stats;
        EXPECT_EQ(counts.fronts_on_disk,
                  counts.fronts - counts.grid_roots + (kind == FactorKind::lu ? counts.strips : 0));
        EXPECT_GT(stats.disk_written_bytes, 0);
        EXPECT_GE(stats.disk_read_bytes, stats.disk_written_bytes);
        EXPECT_EQ(here.stats.fronts_on_disk, 0);
        EXPECT_EQ(here.stats.disk_written_bytes, 0);
        EXPECT_EQ(stats.factor_nnz, here.stats.factor_nnz);
        EXPECT_EQ(stats.pivots.negative, here.stats.pivots.negative);
        on_disk += counts.fronts_on_disk;
        full += counts.times_disk_full_budget;
        ahead += stats.segments_ahead;
        strips += counts.strips;
        delayed += counts.pivots.delayed;
        delayed_from_strips += counts.delayed_from_strips;
        roots += counts.grid_roots;
        if (team.first_local() != 0) return;
        EXPECT_EQ(there.x, here.x) << "kind " << static_cast<int>(kind) << ", segments of "
                                   << plan.fronts.disk.segment_bytes << ", leaf flops "
                                   << plan.fronts.leaf_flops << ", steals " << plan.fronts.steals;
        if (plan.fronts.steals && team.size() > 1) return;  // its factors are multiplied by rank
        EXPECT_EQ(there.determinant.mantissa, here.determinant.mantissa);
        EXPECT_EQ(there.determinant.exponent, here.determinant.exponent);
      });
  }
  EXPECT_GT(on_disk, 0);
  EXPECT_GT(full, 0);
  EXPECT_GT(ahead, 0);
  EXPECT_GT(delayed, 0);
  if (comm::conformance::setup().sizes == std::vector<int>{1}) return;
  bool has_several = false;
  each_team({}, [&](comm::Team& team) { has_several = has_several || (team.size() > 1 && team.size() < 5); });
  if (!has_several) return;
  EXPECT_GT(strips, 0);
  EXPECT_GT(delayed_from_strips, 0);
  EXPECT_GT(roots, 0);
}

TEST(Disk, NullSpaceHasTheBitsOfThatInMemory) {
  const Scratch scratch;
  SparseMatrix<double> A = cube_of<double>(4);
  for (Index j = 0; j < A.cols; ++j) {  // constants are in its null space
    double others = 0;
    for (Index k = A.start[j]; k < A.start[j + 1]; ++k) others += A.row[k] == j ? 0 : A.value[k];
    for (Index k = A.start[j]; k < A.start[j + 1]; ++k)
      if (A.row[k] == j) A.value[k] = -others;
  }
  FactorPlan plan = one_by_one(stress_plan(comm::ReceiveMode::immediate, 1), scratch.folder());
  plan.keeps_null_pivots = true;
  plan.pivot_threshold = plan.null_threshold;
  AnalysisPlan analysis_plan = without_matching(FactorKind::ldlt);
  analysis_plan.keeps_null_pivots = true;
  each_team({}, [&](comm::Team& team) {
    const Analysis analysis = team.first_local() == 0 ? analyse(A, analysis_plan) : Analysis();
    std::vector<std::vector<double>> null_space;
    for (const FactorPlan& its : {plan, in_memory(plan)}) {
      std::vector<double> Z(static_cast<std::size_t>(A.rows));
      std::vector<Multifrontal<double>> factors(static_cast<std::size_t>(team.size()));
      team.run([&](comm::Rank& rank) {
        auto& mine = factors[static_cast<std::size_t>(rank.rank())];
        mine.factorize(rank, &analysis, &A, its);
        EXPECT_EQ(mine.stats().pivots.null, 1);
        if (mine.stats().pivots.null == 1) mine.null_space(rank, kernels::Op::none, Z.data());
      });
      null_space.push_back(std::move(Z));
    }
    EXPECT_EQ(null_space[0], null_space[1]);
  });
}

TEST(Disk, SavingIsRefused) {
  const Scratch scratch;
  const FactorPlan plan = one_by_one(FactorPlan{}, scratch.folder());
  const SparseMatrix<double> A = cube_of<double>(3);
  const Analysis analysis = analyse(A, without_matching(FactorKind::ldlt));
  comm::open({.ranks = 1})->run([&](comm::Rank& rank) {
    Multifrontal<double> factors;
    factors.factorize(rank, &analysis, &A, plan);
    try {
      factors.packed();
      ADD_FAILURE() << "packed";
    } catch (const Error& error) {
      EXPECT_EQ(error.status(), Status::bad_plan);
      EXPECT_NE(std::string(error.what()).find("factors = memory"), std::string::npos) << error.what();
    }
  });
}

TEST(Disk, AFolderThatTakesNoFileIsBadInput) {
  const Scratch scratch;
  const std::string file = scratch.folder() + "/file";
  std::ofstream(file) << "text";
  for (const std::string& folder : {scratch.folder() + "/none", file}) try {
      const comm::ScratchFile opened(folder);
      ADD_FAILURE() << "opened in " << folder;
    } catch (const Error& error) {
      EXPECT_EQ(error.status(), Status::bad_input);
      EXPECT_NE(std::string(error.what()).find(folder), std::string::npos) << error.what();
    }
}

/// Factorise and solve on each team with this fault at the k-th write or read of each rank, for k = 1, 2, ... until there is none.
/// look() gets the error that all ranks end with, null where the answer is that of factors in memory. Nothing stays in the folder, and
/// the same team solves right after.
void sweep_disk_faults(comm::DiskFault fault, const std::function<void(const Error*)>& look) {
  const Scratch scratch;
  const SparseMatrix<double> A = cube_of<double>(4);
  const AnalysisPlan analysis_plan = without_matching(FactorKind::ldlt);
  const FactorPlan plan = one_by_one(stress_plan(comm::ReceiveMode::immediate, 1), scratch.folder());
  const std::vector<double> b = multiply(A, random_vector<double>(A.rows, 3), 1);
  const bool is_read = fault.read > 0;
  for (const int ranks : {1, 2, 4}) {
    const auto team = comm::open({.ranks = ranks, .watchdog_s = 60});
    const std::vector<double> expected = run(*team, A, analysis_plan, in_memory(plan), b, 1).x;
    const FactorStats whole = run(*team, A, analysis_plan, plan, b, 1).stats;
    EXPECT_GT(is_read ? whole.disk_read_bytes : whole.disk_written_bytes, 0);
    std::int64_t positions = 0;
    for (bool is_struck = true; is_struck; ++positions) {
      (is_read ? fault.read : fault.write) = positions + 1;
      FactorPlan faulty = plan;
      faulty.fronts.disk.fault = fault;
      try {
        const std::vector<double> x = run(*team, A, analysis_plan, faulty, b, 1).x;
        EXPECT_EQ(x, expected) << "call " << positions + 1 << " on " << ranks;
        is_struck = fault.error == 0 && !is_read && positions < 40;  // a short write goes on
        if (is_struck) look(nullptr);
      } catch (const Error& error) {
        look(&error);
      }
      EXPECT_TRUE(scratch.is_empty());
      EXPECT_EQ(run(*team, A, analysis_plan, plan, b, 1).x, expected) << "after " << positions + 1;
    }
    EXPECT_GT(positions, 3);
  }
}

/// All of them end with an error of this kind and these words.
void sweep_disk_errors(const comm::DiskFault& fault, Status kind, const std::string& words) {
  sweep_disk_faults(fault, [&](const Error* failed) {
    ASSERT_NE(failed, nullptr);
    EXPECT_EQ(failed->status(), kind);
    EXPECT_NE(std::string(failed->what()).find(words), std::string::npos) << failed->what();
  });
}

TEST(DiskFaults, AFullDiskAtAnyWriteIsOutOfMemory) {
  for (const int error : {ENOSPC, EDQUOT})
    sweep_disk_errors({.write = 1, .error = error}, Status::out_of_memory, "no room left");
}

TEST(DiskFaults, AFailureOfAnyReadOrWriteIsSaid) {
  sweep_disk_errors({.write = 1, .error = EIO}, Status::comm_failure, "writing");
  sweep_disk_errors({.read = 1, .error = EIO}, Status::comm_failure, "reading");
}

TEST(DiskFaults, AFileThatWasCutIsSaidAtAnyRead) {
  sweep_disk_errors({.read = 1, .error = 0}, Status::comm_failure, "shorter");
}

TEST(DiskFaults, AShortWriteGoesOn) {
  sweep_disk_faults({.write = 1, .error = 0},
                    [](const Error* failed) { EXPECT_EQ(failed, nullptr) << failed->what(); });
}

/// The disk is full at the first factorisation and has room at the second.
TEST(DiskFaults, RefactorizeAfterAFailureHasFactors) {
  const Scratch scratch;
  const SparseMatrix<double> A = cube_of<double>(5);
  FactorPlan plan = one_by_one(stress_plan(comm::ReceiveMode::immediate, 1), scratch.folder());
  plan.fronts.disk.fault = {.write = 3, .read = 0, .error = ENOSPC};
  const Analysis analysis = analyse(A, without_matching(FactorKind::ldlt));
  const std::vector<double> b = multiply(A, random_vector<double>(A.rows, 3), 1);
  Multifrontal<double> factors;
  std::vector<double> x(b.size());
  const auto team = comm::open({.ranks = 1});
  EXPECT_THROW(team->run([&](comm::Rank& rank) { factors.factorize(rank, &analysis, &A, plan); }), Error);
  comm::open({.ranks = 1})->run([&](comm::Rank& rank) {
    factors.refactorize(rank, &analysis, &A, plan);
    factors.solve(rank, b.data(), x.data(), 1);
  });
  EXPECT_EQ(x,
            run(*comm::open({.ranks = 1}), A, without_matching(FactorKind::ldlt), in_memory(plan), b, 1).x);
}

/// Killed while the file is being written: nothing has a name that could be left.
TEST(Disk, AKilledProcessLeavesNoFile) {
  const Scratch scratch;
  int ready[2];
  ASSERT_EQ(pipe(ready), 0);
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    comm::ScratchFile file(scratch.folder());
    std::vector<std::byte> bytes(1 << 20);
    for (std::uint64_t at = 0;; at += bytes.size()) {
      const auto transfer = file.start_write(at % (64u << 20), bytes.data(), bytes.size());
      while (!transfer->done) {
        file.wait(1);
        file.collect();
      }
      if (at == 0 && write(ready[1], "x", 1) != 1) _exit(1);
    }
  }
  char byte = 0;
  EXPECT_EQ(read(ready[0], &byte, 1), 1);
  EXPECT_TRUE(scratch.is_empty());
  EXPECT_EQ(kill(child, SIGKILL), 0);
  int status = 0;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFSIGNALED(status));
  EXPECT_TRUE(scratch.is_empty());
  close(ready[0]);
  close(ready[1]);
}

/// In the trace, what the file did stands beside what its rank did.
TEST(Disk, TheTraceShowsReadingAndWriting) {
  const Scratch scratch;
  const SparseMatrix<double> A = cube_of<double>(5);
  const FactorPlan plan = one_by_one(stress_plan(comm::ReceiveMode::immediate, 1), scratch.folder());
  const Analysis analysis = analyse(A, without_matching(FactorKind::ldlt));
  const std::vector<double> b = multiply(A, random_vector<double>(A.rows, 3), 1);
  std::vector<double> x(b.size());
  trace::Recorder recorder(0);
  double written = 0, read = 0;
  comm::open({.ranks = 1})->run([&](comm::Rank& engine) {
    comm::TracedRank rank(engine, recorder);
    Multifrontal<double> factors;
    factors.factorize(rank, &analysis, &A, plan);
    factors.solve(rank, b.data(), x.data(), 1);
    written = factors.stats().disk_written_bytes;
    read = factors.stats().disk_read_bytes;
  });
  double write_bytes = 0, read_bytes = 0;
  for (const trace::Event& event : recorder.events()) {
    if (event.what != trace::What::disk) continue;
    EXPECT_LE(event.begin_s, event.end_s);
    (event.kind == "write" ? write_bytes : read_bytes) += static_cast<double>(event.bytes);
  }
  EXPECT_EQ(write_bytes, written);
  EXPECT_EQ(read_bytes, read);
  EXPECT_GT(read, 0);
}

}  // namespace
}  // namespace overlapack::sparse::testing
