#pragma once
#include "sparse/multifrontal/factors/state.hpp"

#include <algorithm>
#include <span>
#include <vector>

/// Solves call these before they use factors: factors on disk are read into memory. If factors are in memory,
/// nothing happens.
namespace overlapack::sparse::multifrontal {

/// These fronts of this rank are in memory until the next call.
template <class T>
void read_fronts(comm::Rank& rank, FactorState<T>& state, std::span<const Index> fronts) {
  if (!state.file) return;
  std::vector<std::int32_t> segments;
  for (const Index f : fronts) {
    const std::int32_t segment = state.front(f).position.segment;
    if (segment >= 0 && std::ranges::find(segments, segment) == segments.end()) segments.push_back(segment);
  }
  state.file->read_segments(rank, segments);
  for (const Index f : fronts)
    if (state.front(f).position.segment >= 0) state.point_into_file(state.front(f));
}

template <class T>
void read_front(comm::Rank& rank, FactorState<T>& state, Front<T>& front) {
  if (state.structure.has_panel(front.number))
    read_fronts(rank, state, std::span<const Index>(&front.number, 1));
}

/// This strip is in memory until the next call.
template <class T>
void read_strip(comm::Rank& rank, FactorState<T>& state, Strip<T>& strip) {
  if (!state.file) return;
  state.file->read_segments(rank, std::span<const std::int32_t>(&strip.position.segment, 1));
  state.point_into_file(strip);
}

}  // namespace overlapack::sparse::multifrontal
