#pragma once
#include "overlapack/scalar.hpp"

#include <algorithm>
#include <compare>

namespace overlapack::dist {

/// An index into the whole matrix (Global), or into the part of a process (Local). They are types of their own so that code that
/// mixes them does not compile.
struct Global {
  Index value = 0;
  auto operator<=>(const Global&) const = default;
};
struct Local {
  Index value = 0;
  auto operator<=>(const Local&) const = default;
};

/// One dimension (rows or columns) of a matrix, distributed block-cyclically: blocks go to the processes in turn, beginning with
/// process `source`.
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
  /// Number of entries with global index below g on a process. It is also the local index of the process's first entry from g on,
  /// and for g = size the local size.
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
