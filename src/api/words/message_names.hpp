#pragma once
#include "comm/message.hpp"

#include <string_view>

namespace overlapack::api {

/// The name of a message in traces and reports: on the lane of matrix data that of its kind, on any other lane that of the lane.
std::string_view message_name(comm::Lane lane, comm::Kind kind);

}  // namespace overlapack::api
