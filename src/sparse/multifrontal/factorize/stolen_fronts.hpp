#pragma once
#include "dist/tree/stealing.hpp"
#include "sparse/multifrontal/factorize/front_kind.hpp"

#include <functional>
#include <optional>
#include <unordered_map>
#include <vector>

namespace overlapack::sparse::multifrontal {

/// Whole fronts that ranks without work eliminate for others. Original entries and the children's
/// contributions go to the thief, which keeps the factors and is the owner from then on. The parent's owner
/// sees that from the source of the contribution, all other ranks hear of it after the walk. Fronts that come
/// or leave in pieces of rows (strips, the grid root) stay.
template <class T>
class StolenFronts : public dist::StealEvents {
 public:
  /// moved: called with a task's flops, negative where it is given away.
  StolenFronts(const FrontContext<T>& here, std::function<void(double)> moved);

  bool may_be_stolen(Index task) const override;
  comm::Body pack_stolen(Index task, int thief) override;
  void store_stolen(Index task, comm::Body body) override;

  dist::Stealing& stealing() { return stealing_; }
  const dist::Stealing& stealing() const { return stealing_; }
  /// Original entries of a front that this rank stole; nothing for any other front.
  std::optional<EntryList<T>> entries_of(Index f) const {
    const auto stolen = stolen_.find(f);
    if (stolen == stolen_.end()) return std::nullopt;
    return EntryList<T>{stolen->second.row, stolen->second.col, stolen->second.value};
  }
  /// After the walk: give all ranks the owners of stolen fronts.  Collective
  void broadcast_owners();

 private:
  /// Original entries, copied: the message also has the children's contributions, which are freed once the
  /// front has them.
  struct Stolen {
    std::vector<std::int32_t> row, col;
    std::vector<T> value;
  };
  /// visit(child) of front f that is in another task.
  template <class Visit>
  void for_each_child(Index f, Visit&& visit) const;
  void set_owner(Index task, int rank);
  void store_child(Index child, comm::Message message);

  const FrontContext<T> here_;
  std::function<void(double)> moved_;
  std::unordered_map<Index, Stolen> stolen_;  ///< stolen front -> its original entries
  std::vector<Index> given_;                  ///< task, thief; task, thief; ...
  dist::Stealing stealing_;
};

}  // namespace overlapack::sparse::multifrontal
