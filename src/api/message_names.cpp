#include "api/message_names.hpp"

#include "dense/message_kinds.hpp"
#include "sparse/multifrontal/message/message_kinds.hpp"

namespace overlapack::api {

std::string_view message_name(comm::Lane lane, std::int32_t kind) {
  if (lane == comm::Lane::load) return "news of loads";
  if (lane != comm::Lane::bulk) return comm::lane_names[static_cast<std::size_t>(lane)];
  for (const std::string_view name : {sparse::message_name(kind), dense::message_name(kind)})
    if (!name.empty()) return name;
  return "data";  // parts that are dealt anew, halos
}

}  // namespace overlapack::api
