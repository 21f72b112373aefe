#include "sparse/multifrontal/message/panel_blocks.hpp"

#include "base/instantiate.hpp"

#include <algorithm>

namespace overlapack::sparse::multifrontal {

template <class T>
void PanelBlocks<T>::pack(std::span<const LowRankBlock<T>> blocks, std::span<const Index> tops,
                          Packing& packing) {
  std::vector<std::vector<ContributionTile<T>>> sections(std::max<std::size_t>(1, tops.size()));
  for (const LowRankBlock<T>& block : blocks) {
    const auto behind = std::ranges::upper_bound(tops, block.top) - tops.begin();
    sections[static_cast<std::size_t>(std::max<std::ptrdiff_t>(1, behind) - 1)].push_back(
        {.top = block.top, .of = block.of});
  }
  std::vector<Index> ends;
  std::size_t bytes = 0;
  for (const auto& section : sections) {
    bytes += Packing::bytes_of<std::byte>(packed_bytes<T>(section));  // each begins at a multiple of 16
    ends.push_back(static_cast<Index>(bytes));
  }
  packing.add(ends);
  std::byte* const to = packing.room_for<std::byte>(bytes);
  std::size_t at = 0;
  for (std::size_t i = 0; i < sections.size(); ++i) {
    multifrontal::pack<T>(sections[i], to + at);
    at = static_cast<std::size_t>(ends[i]);
  }
}

template <class T>
PanelBlocks<T> PanelBlocks<T>::parse(Unpacking& unpacking, const comm::Body& body) {
  PanelBlocks packed;
  packed.ends = unpacking.next<Index>();
  packed.stored = unpacking.next<std::byte>();
  const auto came = static_cast<std::size_t>(body.data() + body.size() - packed.stored.data());
  packed.stored = packed.stored.first(std::min(packed.stored.size(), came));
  return packed;
}

template <class T>
std::vector<LowRankBlock<T>> PanelBlocks<T>::blocks() const {
  std::vector<LowRankBlock<T>> all;
  Index at = 0;
  for (const Index end : ends) {
    if (end > static_cast<Index>(stored.size())) break;
    for (const ContributionTile<T>& tile : unpack_tiles<T>(stored.data() + at))
      all.push_back({tile.top, tile.of});
    at = end;
  }
  return all;
}

#define OVERLAPACK_INSTANTIATE(T) template struct PanelBlocks<T>;
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::sparse::multifrontal
