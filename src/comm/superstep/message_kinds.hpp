#pragma once
#include "comm/kinds.hpp"

namespace overlapack::comm::superstep {

/// Kinds of the messages of a sync.
enum class SyncMessage : std::int32_t { census = 151, records, answers, taken };
inline constexpr std::string_view sync_message_names[] = {"synchronisation", "superstep", "answers to gets",
                                                          "copied"};
inline constexpr KindRange sync_messages{SyncMessage::census, SyncMessage::taken, sync_message_names};

}  // namespace overlapack::comm::superstep
