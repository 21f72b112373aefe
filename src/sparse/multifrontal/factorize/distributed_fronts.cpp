#include "sparse/multifrontal/factorize/distributed_fronts.hpp"

#include "kernels/operand.hpp"
#include "sparse/multifrontal/factorize/contribution_rows.hpp"

#include <complex>
#include <string>
#include <utility>

namespace overlapack::sparse {

namespace {

/// What each rank can do at the start: its tasks that wait for no other.
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

/// What goes with waiting for late messages: they are known to have been sent only where nobody has to pass them on.
void check(const FactorPlan& plan, int ranks, bool has_grid_root) {
  if (plan.fronts.walk.early == dist::EarlyMessages::park) return;
  if (plan.fronts.strips.tree_from <= ranks)
    throw Error(ErrorKind::bad_plan, "multifrontal",
                "waiting for late messages (early = wait) needs panels that go from the master to each "
                "strip: set multicast "
                "to flat, or early to park");
  if (has_grid_root)
    throw Error(ErrorKind::bad_plan, "multifrontal",
                "waiting for late messages (early = wait) does not go with a root on a grid: set root to "
                "sequential, or early "
                "to park");
}

}  // namespace

template <class T>
DistributedFronts<T>::DistributedFronts(FactorState<T>& state, const EntryStore<T>& entries,
                                        const FactorPlan& plan, dist::TreeWalk& walk,
                                        const PivotTest<T>& test, FrontAssembly<T>& assembly, Tally<T>& tally,
                                        GridRoot<T>* root)
    : loads_(
          walk.rank(), loads_of(state.structure, walk.rank().size()),
          plan.fronts.strips.is_choice_static ? dist::Load{.flops = -1} : plan.fronts.strips.load_threshold,
          plan.fronts.strips.is_choice_static ? dist::NewsBy::own_lane : plan.fronts.strips.news_by, &walk,
          MessageKind::load_news),
      here_{walk.rank(), state, state.structure, entries, plan, walk, loads_},
      assembly_(assembly),
      tally_(tally),
      masters_(here_, test),
      strips_(here_, root) {
  check(plan, walk.rank().size(), root != nullptr);
  if (here_.waits_for_late_messages() && !loads_.shares_lane())
    walk.before_posting([this] { loads_.loads(); });
  const Structure& structure = here_.structure;
  for (Index f = 0; f < structure.tree.fronts(); ++f) {
    const Index parent = structure.tree.parent[f];
    if (structure.in_strips[f] && !state.is_mine(f))
      walk.hold();  // until I know that I have no strip, or am done
    if (parent < 0) continue;
    if (state.is_mine(f) && !structure.in_strips[f] && structure.in_strips[parent])
      walk.hold();  // send_whole
    if (state.is_mine(parent) && structure.in_strips[f] && !structure.takes_pieces(parent)) {
      walk.wait_also(structure.task_of[parent]);
      rows_left_[f] = structure.tree.border(f);
    }
  }
}

/// The master's part: what its children delayed and the entries of B in its rows; the rest of the children comes in pieces.
template <class T>
bool DistributedFronts<T>::start(Index task) {
  const Index f = here_.structure.task_front[task];
  Front<T>& front = assembly_.begin(f, {.has_lower = false, .takes_blocks = false});
  here_.rank.compute({"assemble", 0, 0, here_.structure.tree.order(f), here_.structure.tree.pivots(f)},
                     [&] { assembly_.add_summed(front); });
  here_.rank.poll();
  assembly_.release_remote_children(f);
  masters_.start(front, [this, &front](const kernels::PanelSteps<T>& steps) { finish(front, steps); });
  return false;
}

/// Its pivots are eliminated; its strips may still be at work.
template <class T>
void DistributedFronts<T>::finish(Front<T>& front, const kernels::PanelSteps<T>& steps) {
  const Structure& structure = here_.structure;
  const Index f = front.number;
  if (structure.kind == FactorKind::cholesky && front.delayed() > 0)
    refuse_pivot(structure, front, front.eliminated);
  const double flops = owner_flops(structure, f);
  tally_.eliminated(front,
                    {front.eliminated, steps.two_by_two(), steps.negative(),
                     panel_flops<T>(structure.kind, front.order(), front.eliminated)},
                    flops);
  worked(flops);
  masters_.announce(front);
  if (!here_.state.is_mine(structure.tree.parent[f])) send_delayed(here_.walk, structure, front, true, true);
  here_.walk.complete(structure.task_of[f]);
}

template <class T>
void DistributedFronts<T>::received(comm::Message message) {
  const Index f = front_of(message);
  switch (MessageKind(message.header.kind)) {
    case MessageKind::load_news:
      return loads_.take(message);
    case MessageKind::strip_description:
      return strips_.take_description(std::move(message));
    case MessageKind::contribution_piece:
      return take_piece(std::move(message));
    case MessageKind::panel_part:
      return strips_.take_panel(std::move(message));
    case MessageKind::parent_strips: {
      if (here_.structure.in_strips[f]) return strips_.take_parent(std::move(message));
      return here_.walk.add_job([this, f, strips = parse_strips(message)] { send_whole(f, strips); });
    }
    default:
      throw Error(ErrorKind::internal, "multifrontal",
                  "a message of kind " + std::to_string(message.header.kind) + " has no receiver");
  }
}

/// A front that is whole, to the strips of its parent.
template <class T>
void DistributedFronts<T>::send_whole(Index child, const Strips& parent) {
  Front<T>& front = here_.state.front(child);
  const Contribution<T> all = contribution_of(front);
  send_rows(here_, {child, 0, 0, all.block.whole(), all.cols}, &parent);
  front.block.give_back();
  here_.walk.release();
}

template <class T>
void DistributedFronts<T>::take_piece(comm::Message message) {
  const Piece<T> piece = Piece<T>::parse(message);
  const Index child = piece.front, parent = here_.structure.tree.parent[child];
  if (piece.is_for_strip) return strips_.take_piece(std::move(message));
  if (here_.structure.in_strips[parent]) return masters_.take_piece(std::move(message));
  RemoteContribution<T>& contribution = here_.state.remote[child];
  contribution.take_piece(here_.rank, piece, here_.structure.tree.border(child));
  contribution.book(here_.state.ledger);
  here_.state.ledger.note_peak();
  rows_left_.at(child) -= piece.block.rows;
  if (rows_left_.at(child) == 0) here_.walk.fulfil(here_.structure.task_of[parent]);
}

#define OVERLAPACK_INSTANTIATE(T) template class DistributedFronts<T>;
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::sparse
