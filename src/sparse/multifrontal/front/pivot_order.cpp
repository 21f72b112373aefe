#include "sparse/multifrontal/front/pivot_order.hpp"

#include <numeric>

namespace overlapack::sparse::multifrontal {

void identity(std::vector<std::int32_t>& order, Index count) {
  order.resize(static_cast<std::size_t>(count));
  std::iota(order.begin(), order.end(), 0);
}

void apply_order(std::span<const std::int32_t> order, std::int32_t* names, std::vector<std::int32_t>& work) {
  work.assign(names, names + order.size());
  for (std::size_t k = 0; k < order.size(); ++k) names[k] = work[static_cast<std::size_t>(order[k])];
}

}  // namespace overlapack::sparse::multifrontal
