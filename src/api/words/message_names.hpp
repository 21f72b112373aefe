#pragma once
#include "comm/message.hpp"

#include <string_view>

namespace overlapack::api {

/// What a message is called in traces and reports: by its kind on the lane of the matrix data, elsewhere by its lane.
std::string_view message_name(comm::Lane lane, comm::Kind kind);

}  // namespace overlapack::api
