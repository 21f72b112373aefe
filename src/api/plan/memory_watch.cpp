#include "api/plan/memory_watch.hpp"

#include "api/plan/compression.hpp"
#include "api/plan/prepare.hpp"
#include "api/run/node_sum.hpp"

namespace overlapack::api {

std::shared_ptr<sparse::MemoryLimit> watched_memory(Session& session, const Options& options,
                                                    const FactorPrediction& prediction) {
  const bool is_asked = options.run.memory_limit_bytes > 0, compresses = is_compressing(options);
  if (!is_asked && !compresses) return nullptr;
  double ranks_here = 1;
  sparse::MemoryLimit::Bytes bytes{.least = prediction.least_bytes, .most = prediction.bytes};
  session.run([&](comm::Rank& rank, int position) {
    const auto known = from_root(rank, bytes);
    const double here = node_sum(rank, 1);
    if (position > 0) return;
    bytes = known;
    ranks_here = here;
  });
  const double limit = memory_limit_bytes(options);
  if (!is_asked && bytes.most <= limit) return nullptr;
  const double share = session.local_ranks() / ranks_here;
  bytes.limit = share * limit;
  const std::string fewer = ranks_here > 1 ? ", or take fewer ranks" : "";
  const std::string advice = !is_asked    ? "raise compression_tolerance, or take a larger computer"
                             : compresses ? "raise memory_limit or compression_tolerance" + fewer
                                          : "raise memory_limit, or set factors to disk" + fewer;
  return std::make_shared<sparse::MemoryLimit>(
      bytes,
      std::string(share < 1 ? "that its process has " : "") +
          (is_asked ? "of memory_limit" : "this computer had available"),
      advice);
}

}  // namespace overlapack::api
