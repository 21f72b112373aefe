#include "comm/collective/async_sum.hpp"

#include "comm/collective/doubling_sum.hpp"
#include "comm/collective/tree_sum.hpp"

namespace overlapack::comm::collective {

std::unique_ptr<AsyncSum> async_sum(Rank& rank, SumForm form) {
  if (form == SumForm::doubling) return std::make_unique<DoublingSum>(rank);
  return std::make_unique<TreeSum>(rank);
}

}  // namespace overlapack::comm::collective
