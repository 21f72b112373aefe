#pragma once
#include "base/random.hpp"
#include "comm/shared_count.hpp"
#include "comm/task_source.hpp"
#include "sparse/multifrontal/front/assemble.hpp"
#include "sparse/multifrontal/tiles/tile_steps.hpp"

#include <functional>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace overlapack::sparse::multifrontal {

/// The name of a kind of task for traces, such as "update".
const char* task_name(std::int32_t kind);

/// The assembly and elimination of one large front as tasks, each of which begins as soon as what it reads is there: no phase waits for
/// the end of another. A tile has one writer at a time and takes the steps in their order, so that numbers do not depend on the order
/// of tasks. This class decides which tasks may begin, and which first; TileSteps computes. WholeFronts gives
/// it to Rank::run_tasks.
///
///   add(j)             columns of block j: zero, entries of B, children
///   diagonal(k)        after tile (k, k) has seen all steps before k
///   solve(i, k)        after diagonal(k), and when tile (i, k) has seen all steps before k
///   accept(k)          after solve(i, k) of all i, each of which votes
///   restore(i, k)      after accept(k) if columns of block k failed: they are as before the step, and tried again later
///   row(k, j)          LU: the rows of U, after accept(k)
///   update(i, j, k)    after accept(k); LU also after row(k, j)
///   lower(b, j, k)     LU's L21, after accept(k) and L21(b, k)
///   contribution(t)    after accept of each step of a group; LU also after these steps of its rows of L21
///   add_border(s)      strip s of C takes the children's rest after its last product
///   finish(j)          when no tile of the panel is left
template <class T>
class FrontTasks final : public comm::TaskSource {
 public:
  using AddColumns = std::function<void(Index block)>;
  using AddBorder = std::function<void(Index first, Index last)>;

  /// add: assembles a block of columns of panel and L21
  /// shuffle: as TilePlan::shuffle
  /// add_border: columns first .. last - 1 of C take what is left of the children
  FrontTasks(TileSteps<T>& steps, const FrontCuts& cuts, std::vector<ContributionCut> contribution,
             AddColumns add, AddBorder add_border, std::uint64_t shuffle);

  std::size_t ready() const override { return ready_.size(); }
  Task take() override;
  void run(const Task& task) override;
  void done(const Task& task) override;
  bool is_over() const override { return left_ == 0; }

  /// What was done, for the report.
  Index tasks() const { return taken_; }
  Index failed() const { return failed_; }
  Index restored() const { return restored_; }
  /// Steps and tiles of C that are done, of all.
  double share_done() const { return static_cast<double>(done_.value()) / static_cast<double>(all_); }

 private:
  enum Kind : std::int32_t {
    add,
    diagonal,
    accept,
    solve,
    restore,
    row,
    update,
    lower,
    contribution,
    add_border,
    finish
  };
  struct Tile {
    std::int32_t at = 0;     ///< the next step that it takes
    bool is_solved = false;  ///< it has voted in that step
    bool is_taken = false;   ///< a task of it is ready or runs
    bool is_over = false;
  };
  struct ContributionState {
    std::int32_t from = 0;  ///< steps before it are subtracted
    bool is_taken = false;
  };
  struct Ready {
    Index priority;  ///< the least is first
    Task task;
    bool operator<(const Ready& other) const { return priority > other.priority; }
  };

  Tile& tile(Index i, Index j) { return tiles_[static_cast<std::size_t>(i * columns_ + j)]; }
  bool is_lower(Index i) const { return i >= blocks_; }
  /// Does tile (i, j) take part in step k? If not, then in no later step either.
  bool is_in_next_step(Index i, Index j, Index k) const;
  void push(Kind kind, Index i, Index j, Index k, Index level, Index rank = 0);
  /// Makes the next task of tile (i, j) ready if the task's inputs are there.
  void push_if_ready(Index i, Index j);
  void push_ready_panel_tile(Tile& tile, Index i, Index j);
  void push_ready_lower_tile(Tile& tile, Index i, Index j);
  void push_ready_column(Index j);
  void push_ready_tiles();
  void push_ready_contribution(Index t);
  void push_ready_contributions();
  bool has_lower(const ContributionCut& cut, Index from, Index to);
  void count_votes(Index k);
  void push_ready_voters(Index k);
  void end_acceptance(Index k);
  void on_contribution_done(Index t);
  void end_panel();

  TileSteps<T>& steps_;
  const FrontCuts& cuts_;
  const Index columns_, blocks_, rows_;  ///< block columns; block rows of P; block rows of P and L21
  const bool is_symmetric_;
  std::vector<ContributionCut> cuts_of_c_;
  const AddColumns add_;
  const AddBorder add_border_;

  std::vector<Tile> tiles_;
  std::vector<char> is_added_;  ///< block column -> is it assembled?
  std::vector<ContributionState> contributions_;
  std::vector<Index> strip_left_;                ///< strip -> tiles of C in it that are not done
  std::vector<Ready> ready_;                     ///< a heap
  std::vector<std::pair<Index, Index>> strips_;  ///< strip -> its first column of C, and the end
  Index accepted_ = 0;                           ///< steps whose pivots are accepted
  Index factored_ = 0;                           ///< steps whose diagonal block is factorised
  Index votes_left_ = 0, restores_left_ = 0;
  /// Block row -> its vote in the present step. A block without a vote has the number of pivots of the
  /// diagonal tile.
  std::vector<std::int32_t> votes_;
  Index panel_left_ = 0;  ///< tiles of P and L21 that take further steps
  Index left_ = 0;        ///< tasks add_border and finish that are not done; they come last
  Index taken_ = 0, failed_ = 0, restored_ = 0;
  std::optional<Random> random_;  ///< of priorities, in tests
  comm::SharedCount done_;
  Index all_ = 0;
};

}  // namespace overlapack::sparse::multifrontal
