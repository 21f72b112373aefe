#include "sparse/multifrontal/factorize/send_panel.hpp"

#include "base/instantiate.hpp"

#include <tuple>
#include <utility>
#include <vector>

namespace overlapack::sparse::multifrontal {
namespace {

template <class T>
void post_panel(const StripContext<T>& here, int to, const PanelMessage<T>& panel,
                const comm::Message& message, Index rows) {
  comm::Body body = panel.with_rows(message.body, rows);
  here.state.stats.shortened += body.size() < message.body.size();
  here.walk.post(to, message.header, std::move(body));
}

}  // namespace

template <class T>
void send_panel(const StripContext<T>& here, PanelMessage<T>& panel, const Strips& strips) {
  const int me = here.rank.rank();
  const bool through_tree = strips.count() >= here.plan.fronts.strips.tree_from;
  std::vector<int> tree{me};
  std::vector<Index> tree_rows{0};
  bool is_here = false;
  for (Index i = strips.count(); i-- > 0;) {
    const auto at = static_cast<std::size_t>(i);
    is_here = is_here || strips.rank[at] == me;
    if (strips.rank[at] == me) continue;
    tree.push_back(strips.rank[at]);
    tree_rows.push_back(strips.start[at + 1]);
  }
  if (through_tree) {
    panel.tree = tree;
    if (here.structure.is_symmetric()) panel.tree_rows = tree_rows;
  }
  comm::Message message;
  std::tie(message.header, message.body) = panel.pack(here.rank, here.structure.kind);
  const auto packed = PanelMessage<T>::parse(message, here.structure.kind);
  if (is_here) here.walk.post(me, message.header, message.body);
  if (through_tree) return multicast(here, packed, message, 0);
  for (std::size_t i = 1; i < tree.size(); ++i) post_panel(here, tree[i], packed, message, tree_rows[i]);
}

template <class T>
void multicast(const StripContext<T>& here, const PanelMessage<T>& panel, const comm::Message& message,
               std::size_t position) {
  for (std::size_t child = 2 * position + 1; child <= 2 * position + 2 && child < panel.tree.size(); ++child)
    post_panel(here, panel.tree[child], panel, message, panel.tree_rows.empty() ? 0 : panel.tree_rows[child]);
}

#define OVERLAPACK_INSTANTIATE(T)                                                    \
  template void send_panel(const StripContext<T>&, PanelMessage<T>&, const Strips&); \
  template void multicast(const StripContext<T>&, const PanelMessage<T>&, const comm::Message&, std::size_t);
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::sparse::multifrontal
