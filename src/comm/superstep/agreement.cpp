#include "comm/superstep/world.hpp"

#include <algorithm>
#include <utility>

// The claims that must be equal on all processes at a census, and the error that all of them throw if they differ.
namespace overlapack::comm::superstep {
namespace {

constexpr const char* same_order = "; call push_reg and pop_reg in the same order on all";

/// "process 1 pops slot 3"
std::string describe_call(int process, std::int64_t said) {
  return "process " + std::to_string(process) + (said % 2 == 0 ? " registers" : " pops") + " slot " +
         std::to_string(said / 2);
}

/// Error text for two processes that register differently.
std::string describe_contradiction(const SharedCall& call) {
  const auto& [low, high, low_process, high_process] = call.said;
  return describe_call(low_process, low) + " where " + describe_call(high_process, high) + same_order;
}

/// Error text if one process makes fewer registration calls than another.
std::string describe_contradiction(const Extremes& counts, const SharedCall& missing) {
  return (missing.is_unknown() ? "process " + std::to_string(counts.high_process) + " pops a null pointer"
                               : describe_call(missing.said.low_process, missing.said.low)) +
         " in a call that process " + std::to_string(counts.low_process) + " does not make" + same_order;
}

/// Error text for two processes whose claims differ.
std::string describe_contradiction(Claim claim, const Extremes& said) {
  const std::string low = "process " + std::to_string(said.low_process),
                    high = "process " + std::to_string(said.high_process);
  switch (claim) {
    case Claim::is_end:
      return high + " ends the world while " + low + " synchronises; call sync equally often on all";
    case Claim::superstep:
      return low + " synchronises in superstep " + std::to_string(said.low) + ", " + high + " in superstep " +
             std::to_string(said.high) + "; call sync_known on all or on none";
    case Claim::registrations:
      return std::min(low, high) + " and " + std::max(low, high) +
             " have registered areas differently before a sync_known" + same_order;
    case Claim::registration_calls:  // finish_census describes the missing call
      break;
    case Claim::tag_bytes:
      return low + " sets tags of " + std::to_string(said.low) + " bytes, " + high + " of " +
             std::to_string(said.high) + "; call set_tagsize with the same size on all";
    case Claim::tag_calls:
      return low + " calls set_tagsize " + std::to_string(said.low) + " times, " + high + " " +
             std::to_string(said.high) + " times; call it equally often on all";
  }
  return {};
}

}  // namespace

/// Wait for the census; if claims differ, all processes throw the same error.
void World::finish_census() {
  exchange_.wait_until([this] { return census_.is_done(); });
  const Meeting& meeting = census_.meeting();
  const auto differ = [&](const std::string& how) {
    throw Error(Status::internal,
                "superstep " + std::to_string(meeting.extremes_of(Claim::superstep).low) + ": " + how);
  };
  for (const Claim claim : {Claim::is_end, Claim::superstep, Claim::registrations})
    if (!meeting.extremes_of(claim).are_alike())
      differ(describe_contradiction(claim, meeting.extremes_of(claim)));
  for (const SharedCall& call : census_.calls())
    if (!call.is_agreed()) differ(describe_contradiction(call));
  if (const Extremes& counts = meeting.extremes_of(Claim::registration_calls); !counts.are_alike())
    differ(describe_contradiction(counts, census_.calls()[static_cast<std::size_t>(counts.low)]));
  for (const Claim claim : {Claim::tag_bytes, Claim::tag_calls})
    if (!meeting.extremes_of(claim).are_alike())
      differ(describe_contradiction(claim, meeting.extremes_of(claim)));
  cost_.words += meeting.words;
  cost_.messages += meeting.messages;
  cost_.work_s += meeting.work_s;
  if (std::exchange(unreported_supersteps_, 0) == 1)
    cost_line_.add(static_cast<double>(meeting.words), exchange_s_);
  exchange_s_ = 0;
}

/// What all processes together said by each registration call of this superstep.
std::vector<AgreedCall> World::agreed_registrations() const {
  std::vector<AgreedCall> agreed;
  for (const SharedCall& call : census_.calls())
    agreed.push_back({call.is_unknown() ? -1 : call.said.low / 2, call.is_null_everywhere != 0});
  return agreed;
}

}  // namespace overlapack::comm::superstep
