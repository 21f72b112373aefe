#pragma once
#include "sparse/supernodal/layout/supernodal_layout.hpp"

namespace overlapack::sparse::supernodal {

/// What one rank sends in a factorisation.
struct PanelTraffic {
  Index messages = 0, bytes = 0;
};

/// From the lists alone, in all schedules alike: squares, panels, and the border of my subtrees.
template <class T>
PanelTraffic panel_traffic(const SupernodalLayout& layout);

}  // namespace overlapack::sparse::supernodal
