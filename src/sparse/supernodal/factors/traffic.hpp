#pragma once
#include "sparse/supernodal/layout/supernodal_layout.hpp"

namespace overlapack::sparse::supernodal {

/// What one rank sends in a factorisation.
struct PanelTraffic {
  Index messages = 0, bytes = 0;
};

/// Counts from the lists alone: squares, panels, and the border of this rank's subtrees. It is the same in
/// all schedules.
template <class T>
PanelTraffic panel_traffic(const SupernodalLayout& layout);

}  // namespace overlapack::sparse::supernodal
