#include "sparse/multifrontal/factors/state_packing.hpp"

#include "base/instantiate.hpp"
#include "kernels/product/operand.hpp"
#include "sparse/factors/packing.hpp"

#include <algorithm>
#include <type_traits>

namespace overlapack::sparse::multifrontal {
namespace {

/// Visits each array of a structure that is packed; packing and unpacking share this list.
template <class AnyStructure, class Visit>
void for_each_array(AnyStructure& s, Visit&& visit) {
  visit(s.tree.first_pivot);
  visit(s.tree.parent);
  visit(s.tree.row_start);
  visit(s.tree.row);
  visit(s.owner);
  visit(s.in_strips);
  visit(s.task_front);
  visit(s.tasks.owner);
  visit(s.original);
  visit(s.signs);
}

template <class Side, class Visit>
void for_each_array_of_side(Side& side, Visit&& visit) {
  visit(side.perm);
  visit(side.scale);
  visit(side.null);
}

struct FrontSizes {
  Index number, summed, border, eliminated;
  bool has_panel, has_lower, has_d, has_col_names;
};

template <class T>
void add_front(Packing& packing, const Front<T>& f) {
  const auto s = static_cast<std::size_t>(f.summed);
  const FrontSizes sizes{f.number,
                         f.summed,
                         f.border,
                         f.eliminated,
                         f.panel_data != nullptr,
                         f.lower_data != nullptr,
                         f.d != nullptr,
                         f.col_name != f.row_name};
  packing.add_value(sizes);
  if (sizes.has_panel)
    packing.add(std::span<const T>(f.panel_data, static_cast<std::size_t>(padded_ld(f.order())) * s));
  if (sizes.has_lower)
    packing.add(std::span<const T>(f.lower_data, static_cast<std::size_t>(padded_ld(f.border)) * s));
  if (sizes.has_d) {
    packing.add(std::span<const T>(f.d, s));
    packing.add(std::span<const T>(f.d_off, s));
  }
  packing.add(std::span<const std::int32_t>(f.row_name, s));
  if (sizes.has_col_names) packing.add(std::span<const std::int32_t>(f.col_name, s));
}

template <class V>
V* copy_into_arena(Arena& arena, std::span<const V> values) {
  V* position = arena.zeros<V>(values.size());
  std::ranges::copy(values, position);
  return position;
}

template <class T>
void unpack_front(Unpacking& unpacking, FactorState<T>& state) {
  Arena& arena = state.ledger.factors;
  const auto sizes = unpacking.next_value<FrontSizes>();
  Front<T>& f = state.fronts.add(sizes.number);
  f.number = sizes.number;
  f.summed = sizes.summed;
  f.border = sizes.border;
  f.eliminated = sizes.eliminated;
  if (sizes.has_panel) f.panel_data = copy_into_arena(arena, unpacking.next<T>());
  if (sizes.has_lower) f.lower_data = copy_into_arena(arena, unpacking.next<T>());
  if (sizes.has_d) {
    f.d = copy_into_arena(arena, unpacking.next<T>());
    f.d_off = copy_into_arena(arena, unpacking.next<T>());
  }
  f.row_name = f.col_name = copy_into_arena(arena, unpacking.next<std::int32_t>());
  if (sizes.has_col_names) f.col_name = copy_into_arena(arena, unpacking.next<std::int32_t>());
}

template <class T>
void add_strips(Packing& packing, const FactorState<T>& state) {
  packing.add_value(state.strips_of.size());
  for (const auto& [front, strips] : state.strips_of) {
    packing.add_value(front);
    packing.add(strips.start);
    packing.add(strips.rank);
  }
  packing.add_value(state.strips.size());
  for (const auto& [front, strip] : state.strips) {
    const Index sizes[] = {front, strip.first, strip.end, strip.summed, strip.eliminated, strip.width};
    packing.add(std::span<const Index>(sizes));
    packing.add(std::span<const T>(strip.lower_data,
                                   static_cast<std::size_t>(padded_ld(strip.rows()) * strip.summed)));
  }
}

template <class T>
void unpack_strips(Unpacking& unpacking, FactorState<T>& state) {
  for (auto left = unpacking.next_value<std::size_t>(); left > 0; --left) {
    Strips& strips = state.strips_of[unpacking.next_value<Index>()];
    unpacking.read_into(strips.start);
    unpacking.read_into(strips.rank);
  }
  for (auto left = unpacking.next_value<std::size_t>(); left > 0; --left) {
    const auto sizes = unpacking.next<Index>();
    Strip<T>& strip = state.strips[sizes[0]];
    strip.front = sizes[0];
    strip.first = sizes[1];
    strip.end = sizes[2];
    strip.summed = sizes[3];
    strip.eliminated = sizes[4];
    strip.width = sizes[5];
    strip.lower_data = copy_into_arena(state.ledger.factors, unpacking.next<T>());
  }
}

void add_bodies(Packing& packing, const std::vector<comm::Body>& bodies) {
  packing.add_value(bodies.size());
  for (const comm::Body& body : bodies) packing.add(body.as<std::int32_t>());
}
void unpack_bodies(Unpacking& unpacking, std::vector<comm::Body>& bodies) {
  bodies.clear();
  for (auto left = unpacking.next_value<std::size_t>(); left > 0; --left)
    bodies.push_back(comm::Body::copy_of(unpacking.next<std::int32_t>()));
}

}  // namespace

template <class T>
comm::Body pack(const FactorState<T>& state) {
  Packing packing;
  const auto add = [&](const auto& values) { packing.add(values); };
  packing.add_value(state.structure.kind);
  packing.add_value(state.structure.hermitian);
  packing.add_value(state.structure.tree.n);
  packing.add_value(state.structure.grid_root);
  for_each_array(state.structure, add);
  for (const MatrixSide* side : {&state.rows, &state.columns}) {
    for_each_array_of_side(*side, add);
    add_bodies(packing, side->pivots);
  }
  packing.add_value(state.stats);
  packing.add_value(state.fronts.size());
  for (const Front<T>& front : state.fronts) add_front(packing, front);
  packing.add_value(state.remote.size());
  for (const auto& [front, contribution] : state.remote) {
    packing.add_value(front);
    packing.add(contribution.row_name());
    packing.add(contribution.col_name());
  }
  add_strips(packing, state);
  if (state.structure.grid_root >= 0) state.root.pack(packing);
  return std::move(packing).body();
}

template <class T>
void unpack(const comm::Body& body, FactorState<T>& state) {
  Unpacking unpacking(body);
  const auto fill = [&](auto& values) { unpacking.read_into(values); };
  state.structure.kind = unpacking.next_value<FactorKind>();
  state.structure.hermitian = unpacking.next_value<bool>();
  state.structure.tree.n = unpacking.next_value<Index>();
  state.structure.grid_root = unpacking.next_value<Index>();
  for_each_array(state.structure, fill);
  build_task_tree(state.structure);
  for (MatrixSide* side : {&state.rows, &state.columns}) {
    for_each_array_of_side(*side, fill);
    unpack_bodies(unpacking, side->pivots);
  }
  state.stats = unpacking.next_value<FactorStats>();
  state.ledger.factors = Arena(body.size());
  state.fronts = FrontTable<T>(state.structure.tree.fronts());
  for (auto left = unpacking.next_value<std::size_t>(); left > 0; --left) unpack_front(unpacking, state);
  for (auto left = unpacking.next_value<std::size_t>(); left > 0; --left) {
    RemoteContribution<T>& contribution = state.remote[unpacking.next_value<Index>()];
    const auto rows = unpacking.next<std::int32_t>();
    contribution.keep_names(rows, unpacking.next<std::int32_t>());
  }
  unpack_strips(unpacking, state);
  if (state.structure.grid_root >= 0) state.root = RootFactors<T>::unpacked(unpacking);
}

#define OVERLAPACK_INSTANTIATE(T)                  \
  template comm::Body pack(const FactorState<T>&); \
  template void unpack(const comm::Body&, FactorState<T>&);
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::sparse::multifrontal
