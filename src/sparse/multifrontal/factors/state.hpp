#pragma once
#include "sparse/factors/entry_store.hpp"
#include "sparse/factors/factor_stats.hpp"
#include "sparse/factors/low_rank_plan.hpp"
#include "sparse/factors/sweep_plan.hpp"
#include "sparse/multifrontal/factors/factor_file.hpp"
#include "sparse/multifrontal/factors/front_table.hpp"
#include "sparse/multifrontal/factors/root_factors.hpp"
#include "sparse/multifrontal/factors/strip.hpp"
#include "sparse/multifrontal/factors/zero_vector.hpp"
#include "sparse/multifrontal/front/front_space.hpp"
#include "sparse/multifrontal/front/ledger.hpp"
#include "sparse/multifrontal/message/contribution_message.hpp"
#include "sparse/multifrontal/plan/strips.hpp"
#include "sparse/multifrontal/plan/structure.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <unordered_map>
#include <variant>
#include <vector>

namespace overlapack::sparse::multifrontal {

/// The rows of B, or its columns: where they come from in A, and which ranks eliminate them.
struct MatrixSide {
  // perm, scale and pivots are on rank 0 alone
  std::vector<Index> perm;
  std::vector<double> scale;
  std::vector<comm::Body> pivots;                   ///< rank -> int32 names of its pivots, front after front
  std::shared_ptr<std::vector<std::int32_t>> mine;  ///< the names that this rank has given to `pivots`
  std::vector<std::int32_t> null;                   ///< on all ranks: names of rows (columns) without a pivot
};

/// Number of right-hand sides in the next block, of those that are left. If blocks have three or more, none
/// is left alone at the end, since a single right-hand side has other kernels.
constexpr Index next_block(Index most, Index left) {
  return most > 2 && left == most + 1 ? most - 1 : std::min(most, left);
}

/// One rank's factors, with all that solves and refactorisations need.
template <class T>
struct FactorState {
  Ledger ledger;  ///< the first member, since all others book in it until they are destroyed
  std::unique_ptr<FactorFile> file;  ///< of panels, L21 and D; null: they are in the ledger's arena
  Structure structure;
  dist::WalkPlan walk;
  Index rhs_block = 1;  ///< as in the plan
  LowRankPlan low_rank;
  SweepPlan sweep;
  Index rhs_pass = 1;  ///< right-hand sides of one walk, in blocks of rhs_block
  FrontTable<T> fronts;
  /// Children of this rank's fronts that others own.
  std::unordered_map<Index, RemoteContribution<T>> remote;
  std::map<Index, Strips> strips_of;  ///< LU: distributed front of this rank -> its strips
  std::map<Index, Strip<T>> strips;   ///< LU: front -> the strip of it that this rank holds
  RootFactors<T> root;                ///< this rank's part of the grid root, if there is one
  MatrixSide rows, columns;
  // Work space of the factorisation. The first one frees it; refactorisations keep it.
  EntryStore<T> entries;
  FrontSpace<T> space;
  ZeroVector<T> sums;  ///< Vectors::equations of a solve by ranks that share the unknowns
  FactorStats stats;

  /// Drops the factors, and takes everything off the books, also after a run that ended early; the structure
  /// and the memory stay.
  void clear() {
    for (Front<T>& front : fronts) front = {};
    remote.clear();
    strips_of.clear();
    strips.clear();
    root = {};
    ledger.factors.clear();
    if (file) file->clear();
    stats = {};
    ledger.reset_peak();
    ledger.clear_promised_bytes();
  }
  /// Number of right-hand sides in the block (or the pass) that begins with right-hand side `first` of
  /// `count`.
  Index block_width_at(Index first, Index count) const { return next_block(rhs_block, count - first); }
  Index pass_width_at(Index first, Index count) const { return next_block(rhs_pass, count - first); }
  Front<T>& front(Index f) { return fronts[f]; }
  bool is_mine(Index f) const { return fronts.has(f); }
  bool keeps_lower(Index f) const { return !structure.is_symmetric() && !structure.is_shared(f); }
  /// Points a front or strip at its numbers in the segment of the file, which is in memory now.
  void point_into_file(Front<T>& front) const {
    front.set_pointers(reinterpret_cast<T*>(file->at(front.position)), structure.kind,
                       keeps_lower(front.number));
  }
  void point_into_file(Strip<T>& strip) const {
    strip.lower_data = reinterpret_cast<T*>(file->at(strip.position));
  }
  /// The factorisation no longer reads the numbers of this front, which may go to the file. Does nothing if
  /// factors are in memory.
  void finish(Front<T>& front) {
    if (!file || front.panel_data == nullptr) return;
    front.clear_pointers();
    finish(front.position);
  }
  void finish(Strip<T>& strip) {
    if (!file) return;
    strip.lower_data = nullptr;
    finish(strip.position);
  }
  void finish(const FilePosition& position) {
    file->finish(position);
    ++stats.fronts_on_disk;
  }
  /// Called between tasks: starts to write what was finished.
  void write_finished(comm::Rank& rank) {
    if (file) file->write_finished(rank);
  }
};

}  // namespace overlapack::sparse::multifrontal
