#include "sparse/multifrontal/distributed_fronts.hpp"

#include "kernels/extend_add.hpp"
#include "kernels/operand.hpp"
#include "sparse/multifrontal/contribution_message.hpp"
#include "sparse/multifrontal/eliminate.hpp"
#include "sparse/multifrontal/packing.hpp"

#include <algorithm>
#include <complex>
#include <iterator>
#include <utility>

namespace overlapack::sparse {

namespace {

/// Memory traffic of adding pieces to a front: each entry is read, its place read and written.
double adding_bytes(const std::vector<comm::Message>& pieces) {
  double bytes = 0;
  for (const comm::Message& piece : pieces) bytes += 3 * static_cast<double>(piece.body.size());
  return bytes;
}

comm::Header header_for(MessageKind kind, Index front) {
  comm::Header header;
  header.kind = kind;
  header.id[2] = front;
  return header;
}

comm::Body packed(const Strips& strips) {
  Packing packing;
  packing.add(strips.start);
  packing.add(strips.rank);
  return std::move(packing).body();
}

Strips unpack_strips(Unpacking& unpacking) {
  const auto start = unpacking.next<Index>();
  const auto rank = unpacking.next<int>();
  return {{start.begin(), start.end()}, {rank.begin(), rank.end()}};
}

/// What each rank has to do, as far as the tree tells.
std::vector<double> loads_of(const Structure& structure, int ranks) {
  std::vector<double> loads(static_cast<std::size_t>(ranks), 0);
  const AssemblyTree& tree = structure.tree;
  for (Index f = 0; f < tree.fronts(); ++f)
    loads[static_cast<std::size_t>(structure.owner[f])] += owner_flops(structure, f);
  return loads;
}

template <class T>
Piece<T> part_of(const Piece<T>& piece, Index r0, Index r1, Index c0, Index c1) {
  const Index row = r0 - piece.first_row, rows = r1 - r0;
  return {
      piece.front, r0, c0, piece.block.block(row, c0 - piece.first_col, rows, c1 - c0),
      piece.delayed.cols > 0 ? piece.delayed.block(row, 0, rows, piece.delayed.cols) : MatrixView<const T>{}};
}

}  // namespace

template <class T>
DistributedFronts<T>::DistributedFronts(FactorState<T>& state, const EntryStore<T>& entries,
                                        const MultifrontalPlan& plan, dist::TreeWalk& walk, BlockPool& pool,
                                        const PivotTest<T>& test, GridRoot<T>* root)
    : rank_(walk.rank()),
      state_(state),
      structure_(state.structure),
      entries_(entries),
      plan_(plan),
      walk_(walk),
      pool_(pool),
      test_(test),
      root_(root),
      loads_(rank_, loads_of(structure_, rank_.size()), plan.strips.is_choice_static ? -1 : plan.strips.load_threshold,
             plan.strips.is_choice_static ? dist::NewsBy::own_lane : plan.strips.news_by, &walk, load_news) {
  for (Index f = 0; f < structure_.tree.fronts(); ++f) {
    const Index parent = structure_.tree.parent[f];
    if (structure_.in_strips[f] && !state_.is_mine(f))
      walk_.hold();  // until I know that I have no strip, or am done
    if (parent < 0) continue;
    if (state_.is_mine(f) && !structure_.in_strips[f] && structure_.in_strips[parent]) walk_.hold();  // send_whole
    if (state_.is_mine(parent) && structure_.in_strips[f] && !structure_.takes_pieces(parent)) {
      walk_.wait_also(structure_.task_of[parent]);
      rows_left_[f] = structure_.tree.border(f);
    }
  }
  if (root_ == nullptr) return;
  root_->when_described([this] {
    for (auto& [f, held] : held_)
      if (structure_.tree.parent[f] == structure_.grid_root) go_on(f);
  });
}

// ---- The master's side

template <class T>
void DistributedFronts<T>::start(Front<T>& front, std::function<void(const kernels::PanelSteps<T>&)> done) {
  const Index f = front.number;
  Master& master = masters_[f];
  master.front = &front;
  master.done = std::move(done);
  master.strips = choose_strips(f);
  if (!structure_.is_symmetric()) state_.strips_of[f] = master.strips;
  ++state_.stats.distributed_fronts;
  state_.stats.strips += master.strips.count();
  describe(master);
  fetch_children(master);
}

/// On the ranks that have the least work left, this one with its part of the front included.
template <class T>
Strips DistributedFronts<T>::choose_strips(Index f) {
  const int me = rank_.rank(), size = rank_.size();
  const std::span<const double> known = loads_.loads();
  std::vector<int> ranks;
  std::vector<double> loads;
  for (int i = 1; i <= size; ++i) {
    ranks.push_back((me + i) % size);
    const bool is_me = i == size;
    loads.push_back(!plan_.strips.is_choice_static ? known[static_cast<std::size_t>(ranks.back())]
                    : is_me                        ? owner_flops(structure_, f)
                                                   : 0);
  }
  return make_strips(structure_.kind, structure_.tree.border(f), plan_.strips.least_rows, std::move(ranks),
                     std::move(loads), strip_flops(structure_.kind, structure_.tree, f));
}

/// Every other rank hears of the front: its strip, or that it has none; and what work was given to whom.
template <class T>
void DistributedFronts<T>::describe(Master& master) {
  const Front<T>& front = *master.front;
  const AssemblyTree& tree = structure_.tree;
  const Strips& strips = master.strips;
  const Index f = front.number, end = tree.first_pivot[f + 1];
  std::vector<double> flops;
  for (Index i = 0; i < strips.count(); ++i)
    flops.push_back(strip_flops(structure_.kind, tree, f, strips, i));
  note_loads(strips, flops);
  // the original entries of L21, by strip
  std::vector<std::vector<std::int32_t>> row(strips.rank.size()), pivot(strips.rank.size());
  std::vector<std::vector<T>> value(strips.rank.size());
  if (!structure_.is_symmetric()) {
    const FrontEntries<T> entries = entries_.of_front(state_.local[f]);
    const std::int32_t* border = tree.rows(f);
    for (std::size_t k = 0; k < entries.value.size(); ++k) {
      if (entries.row[k] < end) continue;
      const Index place = std::lower_bound(border, border + front.border, entries.row[k]) - border;
      const auto i =
          static_cast<std::size_t>(std::ranges::upper_bound(strips.start, place) - strips.start.begin() - 1);
      row[i].push_back(static_cast<std::int32_t>(place));
      pivot[i].push_back(static_cast<std::int32_t>(entries.col[k] - tree.first_pivot[f]));
      value[i].push_back(entries.value[k]);
    }
  }
  for (int to = 0; to < rank_.size(); ++to) {
    const auto mine = std::ranges::find(strips.rank, to);
    if (to == rank_.rank()) {
      if (mine == strips.rank.end()) continue;
      walk_.hold();
    }
    Packing packing;
    packing.add(strips.start);
    packing.add(strips.rank);
    packing.add(flops);
    comm::Header header = header_for(strip_description, f);
    header.id[3] = -1;
    if (mine != strips.rank.end()) {
      const auto i = static_cast<std::size_t>(mine - strips.rank.begin());
      header.id[3] = static_cast<Index>(i);
      header.id[4] = front.summed;
      packing.add(delayed_of_children(f));
      packing.add(row[i]);
      packing.add(pivot[i]);
      packing.add(value[i]);
    }
    walk_.post(to, header, std::move(packing).body());
  }
}

/// Work was given to ranks.
template <class T>
void DistributedFronts<T>::note_loads(const Strips& strips, std::span<const double> flops) {
  for (Index i = 0; i < strips.count(); ++i)
    if (strips.rank[i] == rank_.rank())
      loads_.add_mine(flops[i]);
    else
      loads_.add(strips.rank[i], flops[i]);
}

template <class T>
Index DistributedFronts<T>::child_delayed(Index child) const {
  if (state_.is_mine(child)) return state_.fronts[static_cast<std::size_t>(state_.local[child])].delayed();
  return static_cast<Index>(state_.remote.at(child).row_name().size());
}

template <class T>
std::vector<Index> DistributedFronts<T>::delayed_of_children(Index f) const {
  std::vector<Index> delayed;
  for (Index c = structure_.first_child[f]; c >= 0; c = structure_.next_sibling[c])
    delayed.push_back(child_delayed(c));
  return delayed;
}

/// Rows of the children that strip [first, end) of front f gets.
template <class T>
Index DistributedFronts<T>::rows_for(Index f, Index first, Index end) const {
  Index rows = 0;
  for (Index c = structure_.first_child[f]; c >= 0; c = structure_.next_sibling[c]) {
    const PlacesInParent places = places_in_parent(structure_.tree, c);
    rows += places.rows_before(end) - places.rows_before(first);
  }
  return rows;
}

/// Whoever holds rows of a child learns where they go.
template <class T>
void DistributedFronts<T>::fetch_children(Master& master) {
  const Index f = master.front->number;
  for (Index c = structure_.first_child[f]; c >= 0; c = structure_.next_sibling[c]) {
    const Index summed = places_in_parent(structure_.tree, c).summed;
    master.rows_left += structure_.is_symmetric() && summed > 0 ? structure_.tree.border(c) : summed;
  }
  if (master.rows_left == 0) walk_.add_job([this, &master] { begin(master); });
  for (Index c = structure_.first_child[f]; c >= 0; c = structure_.next_sibling[c]) fetch(c, master.strips);
}

template <class T>
void DistributedFronts<T>::fetch(Index child, const Strips& strips) {
  const comm::Header header = header_for(parent_strips, child);
  const comm::Body body = packed(strips);
  if (!structure_.in_strips[child]) return walk_.post(structure_.owner[child], header, body);
  const Strips& holders = state_.is_mine(child) ? masters_.at(child).strips : child_strips_.at(child);
  for (const int holder : holders.rank) walk_.post(holder, header, body);
}

template <class T>
void DistributedFronts<T>::begin(Master& master) {
  Front<T>& front = *master.front;
  assemble(master);
  identity(master.row_order, front.summed);
  identity(master.col_order, front.summed);
  const Real<T> u = test_.threshold;
  switch (structure_.kind) {
    case FactorKind::lu:
      master.steps =
          kernels::lu_panel_steps<T>(front.panel(), u, master.col_order, master.row_order, test_.least);
      break;
    case FactorKind::ldlt: {
      const auto size = static_cast<std::size_t>(front.summed);
      front.d = state_.arena.template zeros<T>(size);
      front.d_off = state_.arena.template zeros<T>(size);
      master.steps = kernels::ldlt_panel_steps<T>(front.panel(), structure_.hermitian, u, master.row_order,
                                                  {front.d, size}, {front.d_off, size}, test_.least);
      break;
    }
    case FactorKind::cholesky:
      master.steps = kernels::cholesky_panel_steps<T>(front.panel());
      break;
  }
  walk_.add_urgent_job([this, &master] { step(master); });
}

/// What the children's rows give to the fully summed rows (LU) or columns (symmetric).
template <class T>
void DistributedFronts<T>::assemble(Master& master) {
  const Front<T>& front = *master.front;
  const std::vector<Index> delayed = delayed_of_children(front.number);
  const Index all_delayed = front.summed - structure_.tree.pivots(front.number);
  rank_.compute({"assemble", 0, adding_bytes(master.pieces), front.order(), front.summed}, [&] {
    for (const Piece<T>& piece : in_order(master.pieces)) {
      const PlacesInParent places = places_in_parent(structure_.tree, piece.front);
      std::vector<std::int32_t> map(places.place);
      for (std::size_t i = 0; i < map.size(); ++i)
        map[i] +=
            static_cast<std::int32_t>(static_cast<Index>(i) < places.summed ? all_delayed : front.summed);
      if (structure_.is_symmetric()) {
        add_piece(piece, true, map.data(), map.data(), front.panel());
        continue;
      }
      const MatrixView<T> panel = front.panel();
      kernels::extend_add_transposed<T>(piece.block, map.data() + piece.first_row, map.data(), panel);
      const auto late = delayed_places(structure_, delayed, piece.front, piece.delayed.cols);
      kernels::extend_add_transposed<T>(piece.delayed, map.data() + piece.first_row, late.data(), panel);
    }
  });
  master.pieces.clear();
}

template <class T>
void DistributedFronts<T>::step(Master& master) {
  const Front<T>& front = *master.front;
  const Index k = master.steps->eliminated();
  Index gained = 0;
  const double width = static_cast<double>(std::min(plan_.strips.panel, front.summed - k));
  const double flops =
      kernels::multiply_add_flops<T> * width * static_cast<double>(front.summed - k) *
      static_cast<double>(structure_.is_symmetric() ? (front.summed - k) / 2 : front.order() - k);
  rank_.compute({"panel", flops, 0, front.order() - k, plan_.strips.panel},
                [&] { gained = master.steps->next(plan_.strips.panel); });
  const bool is_last = gained == 0 || master.steps->eliminated() == front.summed;
  const std::vector<int>& strips = master.strips.rank;
  std::vector<int> tree;  // the master at its root
  if (master.strips.count() >= plan_.strips.tree_from) {
    tree.push_back(rank_.rank());
    std::ranges::remove_copy(strips, std::back_inserter(tree), rank_.rank());
  }
  const auto [header, body] = pack_panel(structure_, front, *master.steps, k, gained, is_last, tree);
  if (tree.empty())
    for (const int to : strips) walk_.post(to, header, body);
  else if (tree.size() <= strips.size())  // one of the strips is here
    walk_.post(rank_.rank(), header, body);
  multicast(tree, 0, header, body);
  if (is_last)
    end(master);
  else
    walk_.add_urgent_job([this, &master] { step(master); });
}

/// To the children of a place in the binary tree: 2 place + 1 and 2 place + 2.
template <class T>
void DistributedFronts<T>::multicast(const std::vector<int>& tree, std::size_t place,
                                     const comm::Header& header, const comm::Body& body) {
  for (std::size_t child = 2 * place + 1; child <= 2 * place + 2 && child < tree.size(); ++child)
    walk_.post(tree[child], header, body);
}

template <class T>
void DistributedFronts<T>::pass_on(const comm::Message& panel) {
  const auto ranks = Unpacking(panel.body).next<int>();
  const std::vector<int> tree(ranks.begin(), ranks.end());
  const auto place = static_cast<std::size_t>(std::ranges::find(tree, rank_.rank()) - tree.begin());
  if (panel.source == rank_.rank() || 2 * place + 1 >= tree.size()) return;
  ++state_.stats.forwarded;
  walk_.add_urgent_job([this, tree, place, header = panel.header, body = panel.body] {
    multicast(tree, place, header, body);
  });
}

template <class T>
void DistributedFronts<T>::end(Master& master) {
  Front<T>& front = *master.front;
  front.eliminated = master.steps->eliminated();
  state_.stats.delayed_from_strips += front.delayed();
  std::vector<std::int32_t> work;
  apply_order(master.row_order, front.row_name, work);
  if (!structure_.is_symmetric()) apply_order(master.col_order, front.col_name, work);
  master.done(*master.steps);
  master.steps.reset();
}

template <class T>
void DistributedFronts<T>::announce(const Front<T>& front) {
  const Index parent = structure_.tree.parent[front.number];
  if (structure_.in_strips[parent] && !state_.is_mine(parent))
    walk_.send(structure_.task_of[parent], header_for(strip_list, front.number),
               packed(masters_.at(front.number).strips), false);
}

template <class T>
void DistributedFronts<T>::arrived(comm::Message message) {
  Unpacking unpacking(message.body);
  child_strips_[message.header.id[2]] = unpack_strips(unpacking);
}

// ---- The strips' side

template <class T>
void DistributedFronts<T>::received(comm::Message message) {
  const Index f = message.header.id[2];
  switch (message.header.kind) {
    case load_news:
      return loads_.take(message);
    case strip_description:
      return described(std::move(message));
    case contribution_piece:
      return take_piece(std::move(message));
    case panel_part:
      pass_on(message);
      state_.stats.parked += !held_[f].is_assembled;
      held_[f].panels.push_back(std::move(message));
      return go_on(f);
    case parent_strips: {
      Unpacking unpacking(message.body);
      Strips strips = unpack_strips(unpacking);
      if (structure_.in_strips[f]) {
        held_[f].parent = std::move(strips);
        return go_on(f);
      }
      return walk_.add_job([this, f, strips = std::move(strips)] { send_whole(f, strips); });
    }
    default:
      throw Error(ErrorKind::internal, "multifrontal",
                  "a message of kind " + std::to_string(message.header.kind) + " has no receiver");
  }
}

template <class T>
void DistributedFronts<T>::described(comm::Message message) {
  const Index f = message.header.id[2], part = message.header.id[3];
  Unpacking unpacking(message.body);
  const Strips strips = unpack_strips(unpacking);
  const auto flops = unpacking.next<double>();
  if (message.source != rank_.rank()) note_loads(strips, flops);
  if (part < 0) return walk_.release();

  Held& held = held_[f];
  Strip<T>& strip = held.strip;
  strip.front = f;
  strip.first = strips.start[part];
  strip.end = strips.start[part + 1];
  strip.summed = message.header.id[4];
  strip.width = structure_.is_symmetric() ? strip.end : structure_.tree.border(f);
  const auto delayed = unpacking.next<Index>();
  held.work.emplace(structure_, plan_, strip, std::vector<Index>(delayed.begin(), delayed.end()));
  held.predicted_flops = flops[part];
  held.description = std::move(message);
  held.rows_left += rows_for(f, strip.first, strip.end);
  go_on(f);
}

/// It is complete, and its rows have somewhere to go.
template <class T>
bool DistributedFronts<T>::can_leave(const Held& held, Index f) const {
  const Index parent = structure_.tree.parent[f];
  if (!held.is_complete) return false;
  if (parent == structure_.grid_root) return root_->is_described();
  return held.parent || !structure_.in_strips[parent];
}

/// Is there something to do for the strip, and no job for it yet?
template <class T>
void DistributedFronts<T>::go_on(Index f) {
  Held& held = held_[f];
  if (held.has_job || !held.work || held.rows_left > 0) return;
  if (held.is_assembled && held.panels.empty() && !can_leave(held, f)) return;
  held.has_job = true;
  walk_.add_job([this, f] { work_on(f); });
}

template <class T>
void DistributedFronts<T>::work_on(Index f) {
  Held& held = held_.at(f);
  held.has_job = false;
  if (!held.is_assembled) {
    assemble(held);
  } else if (!held.panels.empty()) {
    const comm::Message panel = std::move(held.panels.front());
    held.panels.pop_front();
    held.work->apply(rank_, panel);
    if (panel.header.id[5] != 0) complete(held);
  } else {
    return leave(f);
  }
  go_on(f);
}

template <class T>
void DistributedFronts<T>::assemble(Held& held) {
  Strip<T>& strip = held.strip;
  const Index rows = strip.rows();
  if (!structure_.is_symmetric())
    strip.lower_data =
        state_.arena.template zeros<T>(static_cast<std::size_t>(padded_ld(rows) * strip.summed));
  strip.block = pool_.take(static_cast<std::size_t>(padded_ld(rows) * strip.width) * sizeof(T));
  state_.hold_bytes(static_cast<double>(strip.block.bytes), pool_.kept_bytes());
  Unpacking unpacking(held.description.body);
  unpack_strips(unpacking);
  unpacking.next<double>();
  unpacking.next<Index>();
  StripEntries<T> entries;
  entries.row = unpacking.next<std::int32_t>();
  entries.pivot = unpacking.next<std::int32_t>();
  entries.value = unpacking.next<T>();
  rank_.compute({"assemble", 0, 0, rows, strip.summed},
                [&] { held.work->assemble(entries, in_order(held.pieces)); });
  held.description = {};
  held.is_assembled = true;
}

template <class T>
void DistributedFronts<T>::complete(Held& held) {
  rank_.compute({"extend_add", 0, adding_bytes(held.pieces), held.strip.rows(), held.strip.width},
                [&] { held.work->add_border(in_order(held.pieces)); });
  held.pieces.clear();
  held.is_complete = true;
  state_.stats.flops += held.work->flops();
  loads_.add_mine(-held.predicted_flops);
}

/// The strip's rows of the contribution block set out for the parent; L21 stays.
template <class T>
void DistributedFronts<T>::leave(Index f) {
  Held& held = held_.at(f);
  Strip<T>& strip = held.strip;
  const Index delayed = strip.summed - strip.eliminated;
  Piece<T> rows{f, strip.first, 0, strip.contribution(), {}};
  if (!structure_.is_symmetric() && delayed > 0) rows.delayed = strip.lower().block(0, strip.eliminated, strip.rows(), delayed);
  if (structure_.tree.parent[f] == structure_.grid_root)
    root_->send_rows(rows);
  else
    send_rows(rows, held.parent ? &*held.parent : nullptr);
  state_.live_bytes -= static_cast<double>(strip.block.bytes);
  pool_.give(std::move(strip.block));
  if (!structure_.is_symmetric()) state_.strips[f] = std::move(strip);
  held_.erase(f);
  walk_.release();
}

// ---- Contribution rows to their places in the parent

template <class T>
void DistributedFronts<T>::send_whole(Index child, const Strips& parent) {
  Front<T>& front = state_.front(child);
  const Contribution<T> all = contribution_of(front);
  send_rows({child, 0, 0, all.block, all.cols}, &parent);
  state_.live_bytes -= static_cast<double>(front.block.bytes);
  pool_.give(std::move(front.block));
  walk_.release();
}

/// Each row to the rank that has it in the parent; of a symmetric matrix the columns that are fully summed there to its
/// master, which comes last.
template <class T>
void DistributedFronts<T>::send_rows(Piece<T> rows, const Strips* parent) {
  const int master = structure_.owner[structure_.tree.parent[rows.front]];
  if (parent == nullptr) return send_piece(master, rows, false);
  const PlacesInParent places = places_in_parent(structure_.tree, rows.front);
  const Index first = rows.first_row, end = rows.end_row(), summed = places.summed;
  for (Index i = 0; i < parent->count(); ++i) {
    const Index r0 = std::max(first, places.rows_before(parent->start[i])),
                r1 = std::min(end, places.rows_before(parent->start[i + 1]));
    if (r0 >= r1) continue;
    send_piece(parent->rank[i],
               structure_.is_symmetric() ? part_of(rows, r0, r1, summed, r1)
                                         : part_of(rows, r0, r1, Index{0}, rows.end_col()),
               true);
  }
  if (structure_.is_symmetric() && summed > 0)
    send_piece(master, part_of(rows, first, end, Index{0}, std::min(summed, end)), false);
  if (!structure_.is_symmetric() && first < summed)
    send_piece(master, part_of(rows, first, std::min(summed, end), Index{0}, rows.end_col()), false);
}

template <class T>
void DistributedFronts<T>::send_piece(int to, const Piece<T>& piece, bool to_strip) {
  auto [header, body] = pack_piece(piece);
  header.id[3] = to_strip;
  state_.stats.pieces += to != rank_.rank();
  walk_.post(to, header, std::move(body));
}

template <class T>
void DistributedFronts<T>::take_piece(comm::Message message) {
  const Piece<T> piece = piece_of<T>(message);
  const Index child = piece.front, parent = structure_.tree.parent[child];
  if (message.header.id[3] != 0) {  // for a strip
    Held& held = held_[parent];
    state_.stats.parked += !held.work.has_value();
    held.rows_left -= piece.block.rows;
    held.pieces.push_back(std::move(message));
    return go_on(parent);
  }
  if (structure_.in_strips[parent]) {
    Master& master = masters_.at(parent);
    master.rows_left -= piece.block.rows;
    master.pieces.push_back(std::move(message));
    if (master.rows_left == 0) walk_.add_job([this, &master] { begin(master); });
    return;
  }
  RemoteContribution<T>& contribution = state_.remote[child];
  const std::size_t before = contribution.bytes();
  contribution.take_piece(piece, structure_.tree.border(child));
  state_.hold_bytes(static_cast<double>(contribution.bytes() - before), pool_.kept_bytes());
  rows_left_.at(child) -= piece.block.rows;
  if (rows_left_.at(child) == 0) walk_.fulfil(structure_.task_of[parent]);
}

/// By child, then by row: sums come out the same whatever the order of arrival.
template <class T>
std::vector<Piece<T>> DistributedFronts<T>::in_order(const std::vector<comm::Message>& messages) const {
  std::vector<Piece<T>> pieces;
  for (const comm::Message& message : messages) pieces.push_back(piece_of<T>(message));
  std::ranges::sort(pieces, {}, [](const Piece<T>& p) { return std::pair(p.front, p.first_row); });
  return pieces;
}

#define OVERLAPACK_INSTANTIATE(T) template class DistributedFronts<T>;
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::sparse
