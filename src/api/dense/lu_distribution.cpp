#include "api/dense/dense_report.hpp"
#include "api/dense/lu_factorization.hpp"
#include "api/dense/replicated.hpp"
#include "api/node_sum.hpp"
#include "api/prepare.hpp"
#include "api/stopwatch.hpp"
#include "comm/collective/collective.hpp"
#include "dist/grid/redistribute.hpp"
#include "kernels/operand.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

/// How a matrix comes to the ranks: from rank 0, or as the parts that they have.
namespace overlapack::dense {
namespace {

[[noreturn]] void refuse(ErrorKind kind, const std::string& message) {
  throw Error(kind, "lu_factor", message);
}

template <class T>
constexpr double eps = std::numeric_limits<Real<T>>::epsilon();

std::string shape(Index rows, Index cols) { return std::to_string(rows) + " x " + std::to_string(cols); }

void require_square(Index rows, Index cols) {
  if (rows != cols)
    refuse(ErrorKind::bad_input, "the matrix has " + std::to_string(rows) + " rows and " +
                                     std::to_string(cols) + " columns; give a square one");
  if (rows < 1) refuse(ErrorKind::bad_input, "the matrix has no rows; give at least one equation");
}

/// Is there memory behind it, and nothing but numbers in it?
template <class T>
void require_entries(const View<T>& A) {
  if (A.rows * A.cols == 0) return;
  if (A.ld < A.rows || A.data == nullptr)
    refuse(ErrorKind::bad_input, "the leading dimension is " + std::to_string(A.ld) +
                                     "; give the distance of two columns, at least " +
                                     std::to_string(A.rows));
  for (Index j = 0; j < A.cols; ++j)
    for (Index i = 0; i < A.rows; ++i)
      if (!std::isfinite(std::abs(A.data[i + j * A.ld])))
        refuse(ErrorKind::bad_input, "entry (" + std::to_string(i) + ", " + std::to_string(j) +
                                         ") is not a finite number; remove NaN and infinity");
}

template <class T>
void require_matrix(const View<T>& A) {
  require_square(A.rows, A.cols);
  require_entries(A);
}

template <class T>
MatrixView<T> writable(const View<T>& A) {
  return {const_cast<T*>(A.data), A.rows, A.cols, A.ld};  // read as the source of a move only
}

/// A matrix that rank 0 alone has, on a grid of one process.
template <class T>
dist::DistributedMatrix<T> on_root(const dist::ProcessGrid& alone, comm::Rank& rank, Index m, Index n,
                                   MatrixView<T> local) {
  const dist::BlockCyclic rows{.size = m, .block = std::max<Index>(m, 1)},
      cols{.size = n, .block = std::max<Index>(n, 1)};
  return {&alone, {}, rows, cols, rank.rank() == 0 ? local : MatrixView<T>{}};
}

/// B <- A, of which each rank of both grids has its part. Collective over the team.
template <class T>
void move(comm::Rank& rank, const dist::DistributedMatrix<T>& A, const dist::DistributedMatrix<T>& B,
          const comm::InboxOptions& inbox) {
  if (A.grid->holds(rank.rank()) || B.grid->holds(rank.rank())) {
    comm::Exchange exchange(rank, comm::Lane::bulk, inbox);
    dist::redistribute(exchange, A, B, {});
    exchange.close();
  }
  comm::collective::barrier(rank);
}

dist::GridOrder order_of(const Layout& layout) {
  return layout.is_row_major ? dist::GridOrder::row_major : dist::GridOrder::column_major;
}

dist::BlockCyclic rows_of(const Layout& l) {
  return {.size = l.rows, .block = l.block, .processes = l.grid_rows, .source = l.first_row};
}
dist::BlockCyclic cols_of(const Layout& l) {
  return {.size = l.cols, .block = l.block, .processes = l.grid_cols, .source = l.first_col};
}

void require_layout(const Layout& l) {
  const bool has_places = l.grid_rows >= 1 && l.grid_cols >= 1 && Index{l.grid_rows} * l.grid_cols <= 1 << 24;
  if (!has_places || l.block < 1 || l.first_row < 0 || l.first_col < 0 || l.first_row >= l.grid_rows ||
      l.first_col >= l.grid_cols || l.rows < 0 || l.cols < 0)
    refuse(ErrorKind::bad_plan,
           "the layout has blocks of " + std::to_string(l.block) + " on a grid of " +
               shape(l.grid_rows, l.grid_cols) + " that begins at process (" + std::to_string(l.first_row) +
               ", " + std::to_string(l.first_col) +
               "); give at least 1 process and entry, and a beginning inside of the grid");
}

/// Collective: the same layout on all ranks?
void require_same(comm::Rank& rank, const Layout& layout) {
  const Layout first = api::from_root(rank, layout);
  const auto fields = [](const Layout& l) {
    return std::tuple(l.rows, l.cols, l.block, l.grid_rows, l.grid_cols, l.is_row_major, l.first_row,
                      l.first_col);
  };
  if (fields(layout) != fields(first))
    refuse(ErrorKind::bad_input,
           "rank " + std::to_string(rank.rank()) + " gives another layout than rank 0; give the same");
}

/// The part of a distributed matrix that a caller's rank has.
template <class T>
dist::DistributedMatrix<T> part_of(const dist::ProcessGrid& grid, comm::Rank& rank, const Layout& layout,
                                   MatrixView<T> mine) {
  const Index rows = local_rows(layout, rank.rank()), cols = local_cols(layout, rank.rank());
  if (mine.rows != rows || mine.cols != cols)
    refuse(ErrorKind::bad_input, "the part of rank " + std::to_string(rank.rank()) + " is " +
                                     shape(mine.rows, mine.cols) + ", but the layout deals " +
                                     shape(rows, cols) + " to it; give that");
  dist::DistributedMatrix<T> part{&grid, {}, rows_of(layout), cols_of(layout), {}};
  if (!grid.holds(rank.rank())) return part;
  part.me = grid.place_of(rank.rank());
  part.local = mine;
  return part;
}

}  // namespace

Index local_rows(const Layout& layout, int rank) {
  require_layout(layout);
  if (rank >= layout.grid_rows * layout.grid_cols) return 0;
  return rows_of(layout).local_size(layout.is_row_major ? rank / layout.grid_cols : rank % layout.grid_rows);
}

Index local_cols(const Layout& layout, int rank) {
  require_layout(layout);
  if (rank >= layout.grid_rows * layout.grid_cols) return 0;
  return cols_of(layout).local_size(layout.is_row_major ? rank % layout.grid_cols : rank / layout.grid_rows);
}

/// Rank 0's A, dealt to the ranks of a session.
template <class T>
void LuFactorization<T>::Implementation::prepare(View<T> A) {
  const api::Stopwatch watch;
  if (api::engine_name(options) == "mpi") {
    session = std::make_unique<api::Session>(options, options.ranks);
  } else {
    require_matrix(A);
    const double flops = api::lu_flops(A.rows, ScalarTraits<T>::is_complex);
    session = std::make_unique<api::Session>(options, api::choose_dense_ranks(options, flops));
  }
  shares_.resize(session->local_ranks());
  session->run([&](comm::Rank& rank, int place) {
    if (rank.rank() == 0 && session->local_ranks() < session->ranks()) require_matrix(A);
    const Index n = api::from_root(rank, A.rows);
    if (place == 0) {
      n_ = n;
      plan_ = api::make_dense_plan(options, n, session->ranks(), eps<T>);
    }
    comm::collective::barrier(rank);  // the plan is there
    require_memory(rank, place);
    const dist::BlockCyclic rows{.size = n, .block = plan_.block, .processes = plan_.grid.rows()};
    const dist::BlockCyclic cols{.size = n, .block = plan_.block, .processes = plan_.grid.cols()};
    shares_[place].A = dist::OwnedMatrix<T>(plan_.grid, rank.rank(), rows, cols);
    const dist::ProcessGrid alone(1, 1, {0}, rank.size());
    move(rank, on_root(alone, rank, n, n, writable(A)), shares_[place].A.view(), plan_.lu.inbox);
    take_sizes(rank, place);
  });
  describe(watch.s());
}

/// The part of A that this process has.
template <class T>
void LuFactorization<T>::Implementation::prepare(const Layout& layout, View<T> mine) {
  const api::Stopwatch watch;
  const bool is_mpi = api::engine_name(options) == "mpi";
  if (!is_mpi && layout.grid_rows * layout.grid_cols != 1)
    refuse(
        ErrorKind::bad_plan,
        "parts on several ranks need engine mpi; start with mpirun, or hand the whole matrix to lu_factor");
  session = std::make_unique<api::Session>(options, is_mpi ? options.ranks : 1);
  shares_.resize(1);
  session->run([&](comm::Rank& rank, int) {
    require_layout(layout);
    require_same(rank, layout);
    require_square(layout.rows, layout.cols);
    require_entries(mine);
    n_ = layout.rows;
    Options dealt = options;
    dealt.block = static_cast<int>(layout.block);
    dealt.grid = std::to_string(layout.grid_rows) + "x" + std::to_string(layout.grid_cols);
    plan_ = api::make_dense_plan(dealt, n_, session->ranks(), eps<T>);
    plan_.grid = dist::ProcessGrid(layout.grid_rows, layout.grid_cols, order_of(layout), session->ranks());
    require_memory(rank, 0);
    const dist::DistributedMatrix<T> part = part_of(plan_.grid, rank, layout, writable(mine));
    shares_[0].A = dist::OwnedMatrix<T>(plan_.grid, rank.rank(), part.rows, part.cols);
    for (Index j = 0; j < part.local.cols; ++j)
      std::copy_n(part.local.column(j), part.local.rows, shares_[0].A.view().local.column(j));
    take_sizes(rank, 0);
  });
  describe(watch.s());
}

/// A and its factors, in their parts.
template <class T>
void LuFactorization<T>::Implementation::require_memory(comm::Rank& rank, int place) {
  const double n = static_cast<double>(n_), ranks = plan_.grid.size();
  const double bytes = n * n * (2 * sizeof(T) + (options.precision == "mixed" ? sizeof(Single<T>) : 0));
  if (place == 0) report.predicted_bytes = report.peak_bytes = bytes;
  const double here = api::node_sum(rank, plan_.grid.holds(rank.rank()) ? bytes / ranks : 0);
  api::require_memory(options, here, "fewer unknowns, more nodes");
}

template <class T>
void LuFactorization<T>::Implementation::take_sizes(comm::Rank& rank, int place) {
  const dist::DistributedMatrix<T>& A = shares_[place].A.view();
  const EntrySizes sizes = entry_sizes<T>(rank, A, columns_of(A), {0}, {n_});
  if (place == 0) sizes_ = sizes;
}

template <class T>
void LuFactorization<T>::Implementation::describe(double seconds) {
  report.engine = api::engine_name(options);
  report.ranks = session->ranks();
  report.workers = options.workers;
  api::describe(report, n_, ScalarTraits<T>::type, plan_);
  report.analysis_s = seconds;
}

/// B comes to rank 0, X goes to every rank: each keeps its part.
template <class T>
Solution<T> LuFactorization<T>::Implementation::solve_distributed(const Layout& layout, View<T> mine,
                                                                  Transpose op) {
  std::vector<T> b;
  session->run([&](comm::Rank& rank, int) {
    require_layout(layout);
    require_same(rank, layout);
    if (layout.rows != n_)
      refuse(ErrorKind::bad_input, "the right-hand side has " + std::to_string(layout.rows) +
                                       " rows, but the matrix has " + std::to_string(n_) + "; give as many");
    const dist::ProcessGrid grid(layout.grid_rows, layout.grid_cols, order_of(layout), session->ranks());
    const dist::ProcessGrid alone(1, 1, {0}, rank.size());
    if (rank.rank() == 0) b.resize(static_cast<std::size_t>(n_ * layout.cols));
    move(rank, part_of(grid, rank, layout, writable(mine)),
         on_root<T>(alone, rank, n_, layout.cols, {b.data(), n_, layout.cols, n_}), plan_.lu.inbox);
  });
  const Solution<T> whole = solve(b, layout.cols, op);
  Solution<T> part{{}, whole.report};
  session->run([&](comm::Rank& rank, int) {
    const dist::ProcessGrid grid(layout.grid_rows, layout.grid_cols, order_of(layout), session->ranks());
    if (!grid.holds(rank.rank())) return;
    const dist::GridPlace me = grid.place_of(rank.rank());
    for (Index j = 0; j < mine.cols; ++j)
      for (Index i = 0; i < mine.rows; ++i)
        part.x.push_back(whole.x[rows_of(layout).global({i}, me.row).value +
                                 cols_of(layout).global({j}, me.col).value * n_]);
  });
  return part;
}

#define INSTANTIATE(T)                                                                               \
  template void LuFactorization<T>::Implementation::prepare(View<T>);                                \
  template void LuFactorization<T>::Implementation::prepare(const Layout&, View<T>);                 \
  template Solution<T> LuFactorization<T>::Implementation::solve_distributed(const Layout&, View<T>, \
                                                                             Transpose);
OVERLAPACK_FOR_EACH_SCALAR(INSTANTIATE)
#undef INSTANTIATE

}  // namespace overlapack::dense
