#include "api/sparse/distributed_input.hpp"

#include "api/plan/prepare.hpp"
#include "base/instantiate.hpp"
#include "base/larger.hpp"
#include "comm/collective/collective.hpp"
#include "overlapack/error.hpp"
#include "sparse/matrix/validate.hpp"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

namespace overlapack::api {
namespace {

/// The least and the greatest value of a number over the ranks.
struct Range {
  Index least = 0, greatest = 0;
  bool is_one() const { return least == greatest; }
};
std::vector<Range> ranges(comm::Rank& rank, std::vector<Index> numbers, bool has_any) {
  constexpr Index none = std::numeric_limits<Index>::min();
  std::vector<Index> greatest;
  for (const Index number : numbers) {
    greatest.push_back(has_any ? number : none);
    greatest.push_back(has_any ? -number : none);
  }
  comm::collective::all_reduce(rank, std::span<Index>(greatest), Larger());
  std::vector<Range> found;
  for (std::size_t k = 0; k < greatest.size(); k += 2)
    found.push_back(greatest[k] == none ? Range{1, 0} : Range{-greatest[k + 1], greatest[k]});
  return found;
}

}  // namespace

template <class T>
sparse::RowSlab<T> distribute_entries_as_rows(comm::Rank& rank, Triplets<T> mine, std::vector<Index> bounds) {
  const auto refuse = [&](const std::string& message) { throw Error(Status::bad_input, message); };
  const Range type = ranges(rank, {static_cast<Index>(ScalarTraits<T>::type)}, true)[0];
  if (!type.is_one())
    refuse("some ranks give entries of type " + std::string(name(static_cast<ScalarType>(type.least))) +
           ", others of " + std::string(name(static_cast<ScalarType>(type.greatest))) +
           "; give the same type on every rank");
  const bool has_shape = mine.rows != 0 || mine.cols != 0 || mine.size() != 0;
  const std::vector<Range> shape = ranges(rank, {mine.rows, mine.cols}, has_shape);
  for (const Range& numbers : shape)
    if (numbers.least < numbers.greatest)
      refuse("the ranks give shapes from " + std::to_string(shape[0].least) + " x " +
             std::to_string(shape[1].least) + " to " + std::to_string(shape[0].greatest) + " x " +
             std::to_string(shape[1].greatest) + "; give the shape of the whole matrix on every rank");
  mine.rows = std::max<Index>(shape[0].greatest, 0);
  mine.cols = std::max<Index>(shape[1].greatest, 0);
  sparse::require_square(mine.rows, mine.cols);
  sparse::require_entries(mine, rank.rank());
  if (bounds.empty()) bounds = sparse::balanced_bounds(rank, mine);
  if (bounds.back() != mine.rows)
    refuse("the matrix is of order " + std::to_string(mine.rows) + ", the factors of " +
           std::to_string(bounds.back()) + "; call factorize_distributed for another matrix");
  return sparse::distribute_rows(rank, mine, std::move(bounds));
}

#define OVERLAPACK_INSTANTIATE(T) \
  template sparse::RowSlab<T> distribute_entries_as_rows(comm::Rank&, Triplets<T>, std::vector<Index>);
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::api
