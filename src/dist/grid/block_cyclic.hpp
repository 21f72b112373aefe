#pragma once
#include "overlapack/scalar.hpp"

#include <algorithm>
#include <compare>

namespace overlapack::dist {

/// Index into the whole matrix (Global) and into the part of a process (Local): mixing them does not compile.
struct Global {
  Index value = 0;
  auto operator<=>(const Global&) const = default;
};
struct Local {
  Index value = 0;
  auto operator<=>(const Local&) const = default;
};

/// One dimension distributed in blocks to processes in turn, beginning with process `source`.
/// Source  ScaLAPACK Users' Guide, section 4.3.1
struct BlockCyclic {
  Index size = 0;   ///< entries in all
  Index block = 1;  ///< entries a block; the last may have fewer
  int processes = 1;
  int source = 0;  ///< owner of the first block

  int owner(Global g) const { return static_cast<int>((g.value / block + source) % processes); }
  Local local(Global g) const { return {g.value / block / processes * block + g.value % block}; }
  Global global(Local l, int process) const {
    const Index turn = (process - source + processes) % processes;
    return {(l.value / block * processes + turn) * block + l.value % block};
  }
  /// Number of entries before g on a process, which is the local position of its first entry from g on; for g = size its local
  /// size.
  Local count_before(Global g, int process) const {
    const Index turn = (process - source + processes) % processes, blocks = g.value / block;
    Index count = blocks / processes * block;
    if (turn < blocks % processes) count += block;
    if (turn == blocks % processes) count += g.value % block;
    return {count};
  }
  Index local_size(int process) const { return count_before({size}, process).value; }
  Index blocks() const { return (size + block - 1) / block; }
};

}  // namespace overlapack::dist
