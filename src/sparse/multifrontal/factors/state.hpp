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

/// What is known of the rows of B, or of its columns.
struct MatrixSide {
  // rank 0 only: how they come from A, and whose each is
  std::vector<Index> perm;
  std::vector<double> scale;
  std::vector<comm::Body> pivots;                   ///< rank -> int32 names of its pivots, front after front
  std::shared_ptr<std::vector<std::int32_t>> mine;  ///< what I have of these
  std::vector<std::int32_t> null;                   ///< on all ranks: names of those without pivots
};

/// How many of the right-hand sides that are left are solved for together. Of blocks of three or more
/// none is left alone, as one has kernels of its own.
constexpr Index next_block(Index most, Index left) {
  return most > 2 && left == most + 1 ? most - 1 : std::min(most, left);
}

/// One rank's factors.
template <class T>
struct FactorState {
  Ledger ledger;                     ///< first of all, since all others book in it
  std::unique_ptr<FactorFile> file;  ///< of panels, L21 and D; null: they are in the ledger's arena
  Structure structure;
  dist::WalkPlan walk;
  Index rhs_block = 1;  ///< as in the plan
  LowRankPlan low_rank;
  SweepPlan sweep;
  Index rhs_pass = 1;  ///< right-hand sides of one walk, in such blocks
  FrontTable<T> fronts;
  std::unordered_map<Index, RemoteContribution<T>> remote;  ///< children of my fronts that other ranks own
  std::map<Index, Strips> strips_of;                        ///< LU: of my distributed fronts
  std::map<Index, Strip<T>> strips;  ///< LU: that I hold of other ranks' fronts, by front
  RootFactors<T> root;               ///< my part of the grid root, if there is one
  MatrixSide rows, columns;
  // What a factorisation needs besides; kept from one to the next once there has been a second.
  EntryStore<T> entries;
  FrontSpace<T> space;
  ZeroVector<T> sums;  ///< of a solve by threads that share the unknowns
  FactorStats stats;

  /// No factors, and nothing on the books, also after a run that ended early; the structure and the memory stay.
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
  /// Right-hand sides of the block, or the pass, that begins with the first one, of so many.
  Index block_width_at(Index first, Index count) const { return next_block(rhs_block, count - first); }
  Index pass_width_at(Index first, Index count) const { return next_block(rhs_pass, count - first); }
  Front<T>& front(Index f) { return fronts[f]; }
  bool is_mine(Index f) const { return fronts.has(f); }
  bool keeps_lower(Index f) const { return !structure.is_symmetric() && !structure.is_shared(f); }
  /// Of a front or strip on disk that is in memory: it stands there.
  void point_into_file(Front<T>& front) const {
    front.set_pointers(reinterpret_cast<T*>(file->at(front.position)), structure.kind,
                       keeps_lower(front.number));
  }
  void point_into_file(Strip<T>& strip) const {
    strip.lower_data = reinterpret_cast<T*>(file->at(strip.position));
  }
  /// Nobody reads the numbers of this front in memory any more before a solve; nothing where factors stay there.
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
  /// Between tasks: what was finished sets out for the file.
  void write_finished(comm::Rank& rank) {
    if (file) file->write_finished(rank);
  }
};

}  // namespace overlapack::sparse::multifrontal
