#pragma once
#include "comm/wrap/counted.hpp"
#include "dense/factor_result.hpp"

namespace overlapack::dense {

/// Adds this rank's puts, gets and signals to its result.
inline void take_counts(const comm::Counts& counts, FactorResult& result) {
  result.signals = counts.signals;
  result.puts = counts.put.messages;
  result.put_signals = counts.put_signals;
  result.gets = counts.got.messages;
}

}  // namespace overlapack::dense
