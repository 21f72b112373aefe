#include "dist/moves/row_traffic.hpp"

#include "overlapack/error.hpp"

#include <algorithm>

namespace overlapack::dist {
namespace {

std::size_t position(int process) { return static_cast<std::size_t>(process); }

}  // namespace

RowTraffic row_traffic(const RowMoves& moves, const BlockCyclic& rows) {
  const Global last{moves.first + std::max<Index>(moves.count, 1) - 1};
  RowTraffic traffic;
  traffic.owner = rows.owner({moves.first});
  if (rows.owner(last) != traffic.owner)
    throw Error(Status::internal, "the rows of a panel must lie on one process");
  traffic.into.resize(position(rows.processes));
  traffic.away.resize(position(rows.processes));
  traffic.lent.resize(position(rows.processes));
  for (Index i = 0; i < moves.count; ++i)
    traffic.into[position(rows.owner({moves.into[static_cast<std::size_t>(i)]}))].push_back(i);
  for (std::size_t k = 0; k < moves.row.size(); ++k)
    traffic.away[position(rows.owner({moves.row[k]}))].push_back(static_cast<Index>(k));
  return traffic;
}

void balance_rows(RowTraffic& traffic, Index rows_of_block) {
  const std::size_t processes = traffic.into.size(), rows = static_cast<std::size_t>(rows_of_block);
  const auto share = [&](std::size_t position) {
    return rows / processes + (position < rows % processes ? 1 : 0);
  };
  const std::size_t owner = position(traffic.owner);
  auto& owners = traffic.into[owner];
  for (std::size_t to = 0; to < processes; ++to)
    while (owners.size() > share(owner) && traffic.into[to].size() + traffic.lent[to].size() < share(to)) {
      traffic.lent[to].push_back(owners.back());
      owners.pop_back();
    }
}

}  // namespace overlapack::dist
