#include "api/plan/memory_watch.hpp"

#include "api/plan/compression.hpp"
#include "api/plan/memory_limit.hpp"
#include "api/plan/prepare.hpp"
#include "api/run/node_sum.hpp"

namespace overlapack::api {

/// The share by which a block of BlockPool may be larger than requested, because of its size classes.
constexpr double rounded_up = 1.0 / 8;

std::shared_ptr<sparse::MemoryAccount> watched_memory(Session& session, const Options& options,
                                                      const FactorPrediction& prediction) {
  const bool is_asked = options.run.memory_limit_bytes > 0, compresses = is_compressing(options);
  const bool is_one_process =
      session.local_ranks() == session.ranks();  // else a limit may be that of another process alone
  if (is_one_process && !is_asked && !compresses) return std::make_shared<sparse::MemoryAccount>();
  double ranks_here = session.ranks();
  sparse::MemoryAccount::Bytes bytes{.least = prediction.least_bytes, .most = prediction.bytes};
  session.run([&](comm::Rank& rank, int position) {
    const auto known = broadcast_from_root(rank, bytes);
    const double here = sum_over_node(rank, 1);
    if (position > 0) return;
    bytes = known;
    ranks_here = here;
  });
  const double limit = memory_limit_bytes(options);
  const bool has_room =  // by the prediction, which does not round sizes of blocks up
      bytes.most * ranks_here / session.ranks() <= limit;
  if (!is_asked && (!compresses || has_room)) return std::make_shared<sparse::MemoryAccount>();
  const double share = session.local_ranks() / ranks_here;
  bytes.limit = share * limit * (has_room ? 1 + rounded_up : 1);
  const std::string fewer = ranks_here > 1 ? ", or take fewer ranks" : "";
  const std::string disk = prediction.is_on_disk ? "" : ", or set factors to disk";
  const std::string advice = !is_asked    ? "raise compression_tolerance, or take a larger computer"
                             : compresses ? "raise memory_limit or compression_tolerance" + fewer
                                          : "raise memory_limit" + disk + fewer;
  return std::make_shared<sparse::MemoryAccount>(
      bytes,
      std::string(share < 1 ? "that its process has " : "") +
          (is_asked ? "of memory_limit" : "this computer had available") +
          (has_room ? " and an eighth for blocks that are rounded up" : ""),
      advice);
}

}  // namespace overlapack::api
