#include "dist/grid/shared_runs.hpp"

namespace overlapack::dist {

std::vector<std::vector<Run>> shared_runs(const BlockCyclic& mine, int process, const BlockCyclic& theirs) {
  std::vector<std::vector<Run>> runs(static_cast<std::size_t>(theirs.processes));
  const Index size = mine.local_size(process);
  for (Index l = 0; l < size;) {
    const Index g = mine.global({l}, process).value;
    const Index length = std::min({mine.block - g % mine.block, theirs.block - g % theirs.block, size - l});
    runs[static_cast<std::size_t>(theirs.owner({g}))].push_back({{l}, length});
    l += length;
  }
  return runs;
}

Index entries(const std::vector<Run>& runs) {
  Index count = 0;
  for (const Run& run : runs) count += run.length;
  return count;
}

}  // namespace overlapack::dist
