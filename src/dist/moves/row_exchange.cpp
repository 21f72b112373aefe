#include "dist/moves/row_exchange.hpp"

namespace overlapack::dist {

RowExchange row_exchange(const RowMoves& moves, const BlockCyclic& rows, int me) {
  const auto positions = static_cast<std::size_t>(rows.processes);
  RowExchange exchange{std::vector<std::vector<Index>>(positions), std::vector<std::vector<Index>>(positions),
                       std::vector<Index>(positions)};
  moves.for_each([&](Index to, Index from) {
    const int receiver = rows.owner({to}), sender = rows.owner({from});
    if (sender == me) exchange.from[static_cast<std::size_t>(receiver)].push_back(rows.local({from}).value);
    if (receiver == me) exchange.to[static_cast<std::size_t>(sender)].push_back(rows.local({to}).value);
    if (sender < me) ++exchange.before_mine[static_cast<std::size_t>(receiver)];
  });
  return exchange;
}

}  // namespace overlapack::dist
