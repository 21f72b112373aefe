#include "sparse/multifrontal/factorize/end_of_strips.hpp"

#include "base/instantiate.hpp"
#include "sparse/multifrontal/message/front_header.hpp"

namespace overlapack::sparse::multifrontal {

template <class T>
void EndOfStrips<T>::add_waits_of_front(Index f) {
  const AssemblyTree& tree = here_.structure.tree;
  Index root = f;
  while (tree.parent[root] >= 0) root = tree.parent[root];
  const auto [at, is_first] = rows_left_.try_emplace(root, 0);
  if (is_first) here_.walk.add_hold();  // until this rank has passed the announcement on
  if (tree.parent[f] == here_.structure.grid_root) at->second += tree.border(f);
}

template <class T>
void EndOfStrips<T>::on_task_begin(Index task) {
  const auto root = rows_left_.find(here_.structure.task_front[task]);
  if (root != rows_left_.end() && root->second == 0) announce_end(root->first, here_.rank.rank());
}

template <class T>
void EndOfStrips<T>::on_message(const comm::Message& message) {
  const Index root = front_of(message);
  int from = here_.rank.rank();
  if (message.header.kind == MessageKind::strips_over)
    from = static_cast<int>(FrontHeader(message).first);
  else if ((rows_left_.at(root) -= FrontHeader(message).first) > 0)
    return;
  here_.walk.add_urgent_job([this, root, from] { announce_end(root, from); });
}

template <class T>
void EndOfStrips<T>::announce_end(Index root, int from) {
  const int size = here_.rank.size(), position = (here_.rank.rank() - from + size) % size;
  for (int to = 2 * position + 1; to <= 2 * position + 2 && to < size; ++to)
    here_.walk.post((from + to) % size, header_for(MessageKind::strips_over, root, from), {});
  here_.walk.release_hold();
}

OVERLAPACK_INSTANTIATE_CLASS(EndOfStrips);

}  // namespace overlapack::sparse::multifrontal
