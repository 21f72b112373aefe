#include "api/sparse/row_parts.hpp"

#include "base/instantiate.hpp"
#include "base/larger.hpp"
#include "comm/collective/collective.hpp"

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>

namespace overlapack::api {
namespace {

[[noreturn]] void refuse_parts(const std::string& message) { throw Error(Status::bad_input, message); }

void require_rows(std::span<const Index> rows, Index n, int rank, const char* what) {
  for (const Index i : rows)
    if (i < 0 || i >= n)
      refuse_parts("rank " + std::to_string(rank) + " " + what + " row " + std::to_string(i) +
                   ", but the matrix has " + std::to_string(n) + "; rows count from 0");
}

/// The rank that gave each row.
std::vector<int> givers(const std::vector<comm::Body>& rows, Index n) {
  std::vector<int> giver(static_cast<std::size_t>(n), -1);
  for (std::size_t r = 0; r < rows.size(); ++r)
    for (const Index i : rows[r].as<Index>()) {
      int& first = giver[static_cast<std::size_t>(i)];
      if (first >= 0)
        refuse_parts("row " + std::to_string(i) + " of the right-hand side is given by rank " +
                     std::to_string(first) + " and by rank " + std::to_string(r) + "; give each row once");
      first = static_cast<int>(r);
    }
  const auto missing = std::ranges::count(giver, -1);
  if (missing > 0)
    refuse_parts("row " + std::to_string(std::ranges::find(giver, -1) - giver.begin()) +
                 " of the right-hand side is given by no rank" +
                 (missing > 1 ? ", nor are " + std::to_string(missing - 1) + " others" : "") +
                 "; give each row once");
  return giver;
}

/// The rows of the solution that this rank gets, in the order in which it gets them.
std::vector<Index> rows_for(comm::Rank& rank, int position, Index n, const SolutionRows& wanted) {
  using Where = SolutionRows::Where;
  Index first = 0, last = n;
  if (wanted.where == Where::chosen) {
    const auto at = static_cast<std::size_t>(position);
    std::vector<Index> rows = at < wanted.chosen.size() ? wanted.chosen[at] : std::vector<Index>();
    require_rows(rows, n, rank.rank(), "asks for");
    return rows;
  }
  if (wanted.where == Where::blocks) {
    first = rank.rank() * n / rank.size();
    last = (rank.rank() + 1) * n / rank.size();
  } else if (wanted.where == Where::first_rank && rank.rank() != 0) {
    last = 0;
  }
  std::vector<Index> rows(static_cast<std::size_t>(last - first));
  std::iota(rows.begin(), rows.end(), first);
  return rows;
}

}  // namespace

template <class T>
GatheredRows<T> gather_rows(comm::Rank& rank, const RowPart<T>& mine, Index n) {
  using comm::Body;
  require_rows(mine.rows, n, rank.rank(), "gives");
  const auto count = mine.rows.size();
  if (count == 0 ? !mine.values.empty() : mine.values.size() % count != 0)
    refuse_parts("rank " + std::to_string(rank.rank()) + " gives " + std::to_string(count) + " rows and " +
                 std::to_string(mine.values.size()) + " values; give one value for each row and column");
  const Index my_columns = count == 0 ? -1 : static_cast<Index>(mine.values.size() / count);
  GatheredRows<T> all;
  all.columns = comm::collective::all_reduce(rank, my_columns, Larger());
  if (count > 0 && my_columns != all.columns)
    refuse_parts("rank " + std::to_string(rank.rank()) + " gives " + std::to_string(my_columns) +
                 " columns of right-hand sides, another rank " + std::to_string(all.columns) +
                 "; give the same number on every rank");
  const std::vector<Body> rows = comm::collective::gather(rank, 0,
                                                          Body::copy_of(std::span<const Index>(mine.rows))),
                          values = comm::collective::gather(rank, 0,
                                                            Body::copy_of(std::span<const T>(mine.values)));
  if (rank.rank() != 0) return all;
  givers(rows, n);
  all.columns = std::max<Index>(all.columns, 0);
  all.values.resize(static_cast<std::size_t>(n * all.columns));
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const T* value = values[r].template as<T>().data();
    for (Index j = 0; j < all.columns; ++j)
      for (const Index i : rows[r].as<Index>()) all.values[static_cast<std::size_t>(i + j * n)] = *value++;
  }
  return all;
}

template <class T>
RowPart<T> scatter_solution_rows(comm::Rank& rank, int position, std::span<const T> x, Index n, Index columns,
                                 const SolutionRows& wanted) {
  using comm::Body;
  RowPart<T> mine{rows_for(rank, position, n, wanted), {}};
  const std::vector<Body> rows =
      comm::collective::gather(rank, 0, Body::copy_of(std::span<const Index>(mine.rows)));
  std::vector<Body> parts;
  for (const Body& of_rank : rows) {
    std::vector<T> values;
    for (Index j = 0; j < columns; ++j)
      for (const Index i : of_rank.as<Index>()) values.push_back(x[static_cast<std::size_t>(i + j * n)]);
    parts.push_back(Body::adopt(std::move(values)));
  }
  const Body values = comm::collective::scatter(rank, 0, std::move(parts));
  mine.values.assign(values.as<T>().begin(), values.as<T>().end());
  return mine;
}

#define OVERLAPACK_INSTANTIATE(T)                                                               \
  template GatheredRows<T> gather_rows(comm::Rank&, const RowPart<T>&, Index);                  \
  template RowPart<T> scatter_solution_rows(comm::Rank&, int, std::span<const T>, Index, Index, \
                                            const SolutionRows&);
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::api
