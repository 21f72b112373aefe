#include "iterative/multisplitting/block_group.hpp"

#include "base/instantiate.hpp"
#include "comm/collective/collective.hpp"

namespace overlapack::iterative {

void require_groups(int ranks, int ranks_per_block) {
  if (ranks_per_block >= 1 && ranks % ranks_per_block == 0) return;
  throw Error(Status::bad_plan, "ranks_per_block is " + std::to_string(ranks_per_block) + ", but there are " +
                                    std::to_string(ranks) +
                                    " ranks; give a number that divides that of the ranks");
}

BlockGroup::BlockGroup(comm::Rank& world, int ranks_per_block) : world_(world) {
  require_groups(world.size(), ranks_per_block);
  group_ = world.split(world.rank() / ranks_per_block, world.rank());
  if (ranks_per_block > 1) leaders_ = world.split(is_leader() ? 0 : 1, world.rank());
}

std::string BlockGroup::ranks_text() const {
  const int first = block() * group_->size(), last = first + group_->size() - 1;
  if (first == last) return "rank " + std::to_string(first);
  return "ranks " + std::to_string(first) + " to " + std::to_string(last);
}

BlockGroup::Order BlockGroup::broadcast_order(Order of_leader) {
  return comm::collective::broadcast(*group_, 0, of_leader);
}

namespace {

template <class T>
class LedSolver final : public InnerSolver<T> {
 public:
  LedSolver(BlockGroup*& group, int number, std::unique_ptr<InnerSolver<T>> mine)
      : group_(group), number_(number), mine_(std::move(mine)) {}
  void solve(comm::Rank&, const T* r, T* z) override {
    group_->broadcast_order({BlockGroup::Task::solve, number_});
    mine_->solve(group_->ranks(), r, z);
  }
  void solve_adjoint(comm::Rank&, const T* r, T* z) override {
    group_->broadcast_order({BlockGroup::Task::solve_adjoint, number_});
    mine_->solve_adjoint(group_->ranks(), r, z);
  }
  bool is_direct() const override { return mine_ && mine_->is_direct(); }
  Index steps() const override { return mine_ ? mine_->steps() : 0; }

 private:
  BlockGroup*& group_;
  int number_;
  std::unique_ptr<InnerSolver<T>> mine_;  ///< null: a block without rows, never solved with
};

}  // namespace

template <class T>
InnerFactory<T> make_factory_on_leader(BlockGroup*& group, SharedFactory<T> factory) {
  return [&group, factory = std::move(factory), made = std::make_shared<int>(0)](comm::Rank&,
                                                                                 SparseMatrix<T> block) {
    group->broadcast_order({BlockGroup::Task::prepare});
    return std::make_unique<LedSolver<T>>(group, (*made)++, factory(*group, std::move(block)));
  };
}

template <class T>
Index run_tasks_of_leader(BlockGroup& group, const SharedFactory<T>& factory,
                          std::vector<std::unique_ptr<InnerSolver<T>>>& mine) {
  for (Index solves = 0;;) {
    const BlockGroup::Order order = group.receive_order();
    const auto solver = static_cast<std::size_t>(order.solver);
    switch (order.task) {
      case BlockGroup::Task::prepare:
        mine.push_back(factory(group, {}));
        break;
      case BlockGroup::Task::solve:
        mine[solver]->solve(group.ranks(), nullptr, nullptr);
        ++solves;
        break;
      case BlockGroup::Task::solve_adjoint:
        mine[solver]->solve_adjoint(group.ranks(), nullptr, nullptr);
        ++solves;
        break;
      case BlockGroup::Task::end:
        return solves;
    }
  }
}

#define OVERLAPACK_INSTANTIATE(T)                                                  \
  template InnerFactory<T> make_factory_on_leader(BlockGroup*&, SharedFactory<T>); \
  template Index run_tasks_of_leader(BlockGroup&, const SharedFactory<T>&,         \
                                     std::vector<std::unique_ptr<InnerSolver<T>>>&);
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::iterative
