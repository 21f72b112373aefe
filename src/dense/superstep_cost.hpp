#pragma once
#include "comm/superstep/world.hpp"
#include "dense/factor_result.hpp"

namespace overlapack::dense {

/// Copy the cost of an ended world and this rank's times into the result.
inline void write_cost(const comm::superstep::World& world, FactorResult& result) {
  result.supersteps = world.cost().supersteps;
  result.superstep_words = world.cost().words;
  result.superstep_messages = world.cost().messages;
  result.superstep_work_s = world.cost().work_s;
  result.superstep_word_s = world.cost_line().word_s();
  result.superstep_sync_s = world.cost_line().synchronisation_s();
  result.split_supersteps = world.counters().split_syncs;
  result.superstep_compute_s = world.parts().compute_s;
  result.superstep_pack_s = world.parts().pack_s;
  result.superstep_idle_s = world.parts().idle_s;
  result.superstep_exchange_s = world.parts().exchange_s;
}

}  // namespace overlapack::dense
