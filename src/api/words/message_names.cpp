#include "api/words/message_names.hpp"

#include "comm/superstep/message_kinds.hpp"
#include "dense/message_kinds.hpp"
#include "sparse/multifrontal/message/message_kinds.hpp"
#include "sparse/supernodal/layout/message_kinds.hpp"

namespace overlapack::api {
namespace {

/// The kinds of all algorithms that use the lane of the matrix data.
constexpr comm::KindRange on_bulk[] = {sparse::multifrontal::message_kinds,
                                       sparse::supernodal::node_messages,
                                       dense::lu_moves,
                                       dense::solve_moves,
                                       dense::cholesky_moves,
                                       dense::multiply_moves,
                                       dense::qr_moves,
                                       comm::superstep::sync_messages};
static_assert(comm::are_apart(on_bulk), "two algorithms number their messages alike; move one range");

}  // namespace

std::string_view message_name(comm::Lane lane, comm::Kind kind) {
  if (lane == comm::Lane::load) return "news of loads";
  if (lane != comm::Lane::bulk) return comm::lane_names[static_cast<std::size_t>(lane)];
  for (const comm::KindRange& range : on_bulk)
    if (range.holds(kind)) return range.name(kind);
  return "data";  // redistributed parts, halos
}

}  // namespace overlapack::api
