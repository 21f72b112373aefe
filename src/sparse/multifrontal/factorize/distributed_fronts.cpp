#include "sparse/multifrontal/factorize/distributed_fronts.hpp"

#include "base/instantiate.hpp"
#include "kernels/product/operand.hpp"
#include "sparse/multifrontal/factorize/contribution_rows.hpp"

#include <utility>

namespace overlapack::sparse::multifrontal {

namespace {

/// The flops that each rank can do at the start: its tasks that have no child.
std::vector<dist::Load> loads_of(const Structure& structure, int ranks) {
  std::vector<dist::Load> loads(static_cast<std::size_t>(ranks));
  const dist::TaskTree& tasks = structure.tasks;
  std::vector<char> has_child(static_cast<std::size_t>(tasks.size()), 0);
  for (const Index parent : tasks.parent)
    if (parent >= 0) has_child[static_cast<std::size_t>(parent)] = 1;
  for (Index t = 0; t < tasks.size(); ++t)
    if (!has_child[static_cast<std::size_t>(t)])
      loads[static_cast<std::size_t>(tasks.owner[static_cast<std::size_t>(t)])].flops +=
          task_flops(structure, t);
  return loads;
}

/// The ranks that will look at loads: those that choose strips.
std::vector<int> readers_of(const Structure& structure) {
  std::vector<int> readers;
  for (const StripChooser& chooser : strip_choosers(structure)) readers.push_back(chooser.rank);
  return readers;
}

/// How much a load changes before it is announced. Nobody looks at loads if strips are fixed: then never.
dist::Load load_threshold(const StripPlan& strips) {
  return strips.choice == StripChoice::fixed ? dist::Load{.flops = -1} : strips.load_threshold;
}
dist::NewsBy news_by(const StripPlan& strips) {
  return strips.choice == StripChoice::fixed ? dist::NewsBy::own_lane : strips.load_news;
}

/// `early = wait` needs flat multicast: a panel that a strip passes on may not have been sent yet.
void check(const FactorPlan& plan, int ranks) {
  if (plan.fronts.walk.early == dist::EarlyMessages::park) return;
  if (plan.fronts.strips.tree_from <= ranks)
    throw Error(Status::bad_plan,
                "waiting for late messages (early = wait) needs panels that go from the master to each "
                "strip: set multicast "
                "to flat, or early to park");
}

}  // namespace

template <class T>
DistributedFronts<T>::DistributedFronts(const FrontContext<T>& here, const PivotTest<T>& test, double largest)
    : loads_(here.rank, loads_of(here.structure, here.rank.size()), load_threshold(here.plan.fronts.strips),
             readers_of(here.structure), news_by(here.plan.fronts.strips), &here.walk,
             MessageKind::load_news),
      here_{here, loads_, largest},
      masters_(here_, test),
      strips_(here_),
      end_(here) {
  check(here.plan, here.rank.size());
  if (here_.waits_for_late_messages() && !loads_.shares_lane())
    here.walk.before_posting([this] { loads_.loads(); });
}

template <class T>
void DistributedFronts<T>::add_waits_of_front(Index f) {
  end_.add_waits_of_front(f);
}

/// Begins a front as its master: adds the entries of B in the fully summed part and what the children
/// delayed. The rest of the children comes in pieces (FrontMasters).
template <class T>
bool DistributedFronts<T>::start(Index task) {
  const Index f = here_.structure.task_front[task];
  Front<T>& front = here_.assembly.begin(f);
  here_.rank.compute({"assemble", 0, 0, here_.structure.tree.order(f), here_.structure.tree.pivots(f)},
                     [&] { here_.assembly.add_summed(front); });
  here_.rank.poll();
  here_.assembly.release_remote_children(f);
  masters_.start(front, [this, &front](const Elimination& done) { finish(front, done); });
  return false;
}

/// The master has eliminated the pivots of the front. Its strips may still be at work.
template <class T>
void DistributedFronts<T>::finish(Front<T>& front, const Elimination& done) {
  const Structure& structure = here_.structure;
  const Index f = front.number;
  if (structure.kind == FactorKind::cholesky && front.delayed() > 0)
    refuse_pivot(structure, front, front.eliminated);
  const double flops = owner_flops(structure, f);
  here_.state.stats.delayed_from_strips += front.delayed();
  here_.tally.count_front(front, done, flops);
  if (front.low_rank) front.end_use_of_dense();
  count_work_done(flops);
  masters_.announce_to_parent(front);
  const Index parent = structure.tree.parent[f];
  const bool leaves = !here_.state.is_mine(parent);
  if (leaves) send_delayed(here_, front, true, true);
  const bool has_left = leaves && structure.has_panel(parent);  // a grid gets the delayed numbers later
  if (has_left || front.delayed() == 0) here_.state.finish(front);
  here_.state.write_finished(here_.rank);
  here_.walk.complete(structure.task_of[f]);
}

template <class T>
void DistributedFronts<T>::send_rows(const Piece<T>& rows) {
  const Strips positions = std::move(positions_.extract(rows.front).mapped());
  multifrontal::send_rows(here_, rows, positions);
}

template <class T>
void DistributedFronts<T>::on_message(comm::Message message) {
  switch (MessageKind(message.header.kind)) {
    case MessageKind::strip_description:
      return strips_.handle_description(std::move(message));
    case MessageKind::panel_part:
      return strips_.handle_panel(std::move(message));
    case MessageKind::parent_strips:
      return handle_positions(message);
    case MessageKind::strip_left:
    case MessageKind::strips_over:
      return end_.on_message(message);
    default:
      if (Piece<T>::parse(message).is_for_strip) return strips_.handle_piece(std::move(message));
      return masters_.handle_piece(std::move(message));
  }
}

template <class T>
LowRankTally DistributedFronts<T>::low_rank() const {
  LowRankTally all = masters_.low_rank();
  all.add(strips_.low_rank());
  return all;
}

/// The message says which ranks have, in the parent, the rows of a child of which this rank holds some.
template <class T>
void DistributedFronts<T>::handle_positions(const comm::Message& message) {
  const Index child = front_of(message);
  strips_.wait_for_last_panel(child);
  positions_[child] = parse_strips(message);
  here_.kind_of(child).send_contribution_when_final(child);
}

OVERLAPACK_INSTANTIATE_CLASS(DistributedFronts);

}  // namespace overlapack::sparse::multifrontal
