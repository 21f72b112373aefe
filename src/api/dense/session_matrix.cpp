#include "api/dense/session_matrix.hpp"

#include "api/dense/dense_input.hpp"
#include "api/dense/dense_report.hpp"
#include "api/dense/discipline_choice.hpp"
#include "api/dense/layout.hpp"
#include "api/dense/strict_triangle.hpp"
#include "api/plan/memory_limit.hpp"
#include "api/refine/report_figures.hpp"
#include "api/run/node_sum.hpp"
#include "api/run/stopwatch.hpp"
#include "api/words/option_use.hpp"
#include "api/words/type_names.hpp"
#include "base/instantiate.hpp"
#include "dense/lu/panel/diagonal.hpp"
#include "dense/packed.hpp"
#include "dist/grid/nodes.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

/// Distribution of a matrix and its right-hand sides: from rank 0, or from parts that the ranks have.
namespace overlapack::api {
namespace {

template <class T>
constexpr double eps = std::numeric_limits<Real<T>>::epsilon();

/// Copy columns first .. first + count - 1 of this rank's part from A into `part`; returns their view.
template <class T>
MatrixView<const T> copied(dense::View<T> A, const dist::DistributedMatrix<T>& part, Index first,
                           Index count) {
  const MatrixView<T> to = part.local.block(0, first, part.local.rows, count);
  // A by rows: so few rows at a time that the cache lines read are still in the first-level cache for the next columns.
  constexpr Index few = 8;
  const Index most = A.row_stride == 1 ? A.rows : few;
  for (Index r = 0, run = 0; r < to.rows; r += run) {
    const Index i = part.rows.global({r}, part.me.row).value;
    const Index in_block = part.rows.processes == 1 ? A.rows : part.rows.block - i % part.rows.block;
    run = std::min({in_block, to.rows - r, most});
    for (Index c = 0; c < count; ++c) {
      const T* from = &A(i, part.cols.global({first + c}, part.me.col).value);
      T* column = to.column(c) + r;
      if (A.row_stride == 1)
        std::copy_n(from, run, column);
      else if (run == few)
        for (Index k = 0; k < few; ++k) column[k] = from[k * A.row_stride];
      else
        for (Index k = 0; k < run; ++k) column[k] = from[k * A.row_stride];
    }
  }
  return to;
}

/// A view of A that is stored by columns: A itself, or a copy in `memory`.
template <class T>
dense::View<T> by_columns(dense::View<T> A, std::vector<T>& memory) {
  if (A.row_stride == 1) return A;
  memory.resize(static_cast<std::size_t>(A.rows * A.cols));
  T* to = memory.data();
  for (Index j = 0; j < A.cols; ++j)
    for (Index i = 0; i < A.rows; ++i) *to++ = A(i, j);
  return {memory.data(), A.rows, A.cols, A.rows};
}

bool are_finite(const dense::EntrySizes& sizes) {
  return std::isfinite(sizes.norm_one()) && std::isfinite(sizes.norm_inf());
}

}  // namespace

template <class T>
SessionMatrix<T>::SessionMatrix(const Options& options, const DenseKind& kind)
    : options_(options), kind_(kind), interruption_(options) {}

template <class T>
DensePlan SessionMatrix<T>::plan_of(const Options& options, Index n, std::span<const int> node_of) const {
  return kind_.factorization == FactorKind::lu ? make_lu_plan(options, n, node_of, eps<T>)
                                               : make_dense_plan(options, n, node_of, eps<T>);
}

template <class T>
void SessionMatrix<T>::distribute(dense::View<T> A, Lent lent) {
  const Stopwatch watch;
  if (ranks_are_processes(options_)) {
    session_ = std::make_unique<Session>(options_, options_.ranks);
  } else {
    require_shape(A.rows, A.cols, kind_.is_square);
    const double flops = kind_.flops(A.rows, A.cols, ScalarTraits<T>::is_complex);
    session_ = std::make_unique<Session>(options_, choose_dense_ranks(options_, flops));
  }
  const bool is_within_reach = !ranks_are_processes(options_);
  if (is_within_reach && lent == Lent::until_the_end && (A.row_stride == 1 || A.ld == 1)) {
    lent_ = A;
    lent_grid_ = {1, session_->ranks(), dist::GridOrder::row_major, session_->ranks()};
  }
  parts_.resize(static_cast<std::size_t>(local_ranks()));
  session_->run([&](comm::Rank& rank, int position) {
    require_same_type(rank, ScalarTraits<T>::type);
    if (rank.rank() == 0) {
      require_shape(A.rows, A.cols, kind_.is_square);
      require_strides(A);
      if (kind_.is_whole) require_hermitian(A);
    }
    const Index m = broadcast_from_root(rank, A.rows), n = broadcast_from_root(rank, A.cols);
    const std::vector<int> node_of = dist::nodes_of(rank, options_.run.ranks_per_node);
    if (position == 0) m_ = m, n_ = n;
    const DensePlan mine =
        choose_discipline(rank, options_, problem_of<T>(n, false), plan_of(options_, n, node_of));
    if (position == 0) plan_ = mine;
    comm::collective::barrier(rank);  // plan_ is set
    require_memory(rank, position);
    const dist::BlockCyclic rows{.size = m, .block = plan_.block, .processes = plan_.grid.rows()};
    const dist::BlockCyclic cols{.size = n, .block = plan_.block, .processes = plan_.grid.cols()};
    parts_[static_cast<std::size_t>(position)] =
        dist::OwnedMatrix<T>(plan_.grid, rank.rank(), rows, cols, dist::Content::unset);
    if (is_within_reach)
      return fill_and_measure_part(
          rank, position, [&](Index first, Index count) { return copied(A, part(position), first, count); });
    const dense::Layout on_root = whole_on_rank_0(m, n);
    const dist::ProcessGrid root = grid_of(on_root, rank.size());
    std::vector<T> memory;
    redistribute(rank,
                 part_of(root, rank, on_root, rank.rank() == 0 ? by_columns(A, memory) : dense::View<T>{}),
                 part(position), plan_.lu.inbox);
    fill_and_measure_part(rank, position, dense::columns_of(part(position)));
  });
  write_analysis(watch.seconds());
}

template <class T>
void SessionMatrix<T>::distribute(const dense::Layout& layout, dense::View<T> mine) {
  const Stopwatch watch;
  require_processes(options_, layout);
  session_ = std::make_unique<Session>(options_, ranks_are_processes(options_) ? options_.ranks : 1);
  parts_.resize(1);
  session_->run([&](comm::Rank& rank, int) {
    require_same_layout(rank, layout, ScalarTraits<T>::type);
    require_shape(layout.rows, layout.cols, kind_.is_square);
    m_ = layout.rows, n_ = layout.cols;
    Options distributed = options_;
    distributed.dense.block = static_cast<int>(block_of(layout));
    distributed.dense.grid = {layout.grid_rows, layout.grid_cols};
    plan_ = plan_of(distributed, n_, dist::nodes_of(rank, options_.run.ranks_per_node));
    plan_.grid = grid_of(layout, session_->ranks());
    plan_.order = {};
    plan_ = choose_discipline(rank, options_, problem_of<T>(n_, false), plan_);
    require_memory(rank, 0);
    const Part given = part_of(plan_.grid, rank, layout, mine);
    parts_[0] = dist::OwnedMatrix<T>(plan_.grid, rank.rank(), given.rows, given.cols, dist::Content::unset);
    copy_into<T>(given.local, part(0).local);
    fill_and_measure_part(rank, 0, dense::columns_of(part(0)));
  });
  write_analysis(watch.seconds());
}

/// Check that this node has memory for A and its factors.
/// Errors  OutOfMemory
template <class T>
void SessionMatrix<T>::require_memory(comm::Rank& rank, int position) {
  const double entries = static_cast<double>(m_) * static_cast<double>(n_), ranks = plan_.grid.size();
  const double bytes = entries * static_cast<double>((is_lent() ? 0 : sizeof(T)) + kind_.factor_bytes);
  if (position == 0) report_.predicted_bytes = report_.peak_bytes = bytes;
  const double here = sum_over_node(rank, plan_.grid.holds(rank.rank()) ? bytes / ranks : 0);
  api::require_memory(options_, here, "fewer unknowns, more nodes");
}

/// Fill this rank's part by asking `columns` for all of it; check it and compute the sizes that solves need, in the same pass.
template <class T>
void SessionMatrix<T>::fill_and_measure_part(comm::Rank& rank, int position, dense::ColumnSource<T> columns) {
  const Part& mine = part(position);
  if (kind_.is_hermitian) {
    if (mine.local.cols > 0) columns(0, mine.local.cols);
    reduce_to_lower_triangle(mine);
  }
  const dense::EntrySizes sizes = kind_.is_hermitian ? entry_sizes(rank, position, dense::columns_of(mine))
                                                     : entry_sizes(rank, position, columns);
  if (!are_finite(sizes)) require_numbers(mine);  // or only sums overflow
  if (position == 0) sizes_ = sizes;
}

/// The part of A that this rank reads. Of a lent matrix each rank reads an even share of the columns, or of the rows if it is stored by rows.
template <class T>
typename SessionMatrix<T>::Readable SessionMatrix<T>::readable(int position) const {
  if (!is_lent()) return {part(position)};
  const int ranks = lent_grid_.size();
  const bool is_by_rows = lent_.row_stride != 1;
  const Index ld = is_by_rows ? lent_.row_stride : lent_.ld;
  const dist::BlockCyclic all{.size = n_, .block = n_};
  const dist::BlockCyclic shares{.size = n_, .block = (n_ + ranks - 1) / ranks, .processes = ranks};
  T* const data = const_cast<T*>(lent_.data);  // only read
  return {{&lent_grid_,
           {0, position},
           all,
           shares,
           {data + position * shares.block * ld, n_, shares.local_size(position), ld}},
          is_by_rows ? kernels::Op::trans : kernels::Op::none};
}

/// Set the entries above the diagonal, and the imaginary parts on it, to zero.
template <class T>
void SessionMatrix<T>::reduce_to_lower_triangle(const Part& A) const {
  for (Index j = 0; j < A.local.cols; ++j) {
    const dist::Global diagonal = A.cols.global({j}, A.me.col);
    std::fill_n(A.local.column(j), A.first_row(diagonal), T(0));
  }
  dense::for_my_diagonal(A, [](Index, T& a) { a = T(std::real(a)); });
}

template <class T>
void SessionMatrix<T>::write_analysis(double seconds) {
  session_->write_team(report_, options_);
  report_.analysis_s = seconds;
  api::write_plan(report_, n_, ScalarTraits<T>::type, plan_);
  Options runs = options_;
  runs.factorization = kind_.factorization;
  report_.unused_options = unused_options(runs, Method::dense);
  report_.flops = report_.predicted_flops = kind_.flops(m_, n_, ScalarTraits<T>::is_complex);
  report_.nnz = report_.factor_nnz = m_ * n_;
  report_.dense->rows = m_;
  report_.factorization = to_string(kind_.factorization);
  if (!kind_.is_hermitian) return;
  report_.symmetry = name(ScalarTraits<T>::is_complex ? Symmetry::hermitian : Symmetry::symmetric);
  report_.factor_nnz = n_ * (n_ + 1) / 2;
}

template <class T>
void SessionMatrix<T>::run_factorization(const std::function<dense::FactorResult(comm::Rank&, int)>& make) {
  const Stopwatch watch;
  dense::FactorResult counters;
  session_->run([&](comm::Rank& rank, int position) {
    session_->clear_record(position);
    const dense::FactorResult mine = make(rank, position);
    if (position == 0) counters = mine;
    session_->gather_record(rank, position);
  });
  report_.factor_s += watch.seconds();
  static_cast<DenseCounters&>(*report_.dense) = counters;
  write_waits_and_messages(report_, session_->timeline());
  report_.dense->gflops = report_.flops / report_.factor_s / 1e9;
}

template <class T>
dense::EntrySizes SessionMatrix<T>::entry_sizes(comm::Rank& rank, int position,
                                                dense::ColumnSource<T> columns) const {
  const Part& A = part(position);
  dense::EntrySizes sizes = dense::entry_sizes<T>(rank, A, columns, {0}, {n_});
  if (!kind_.is_hermitian) return sizes;
  StrictTriangle<T> strict(A);  // its columns are the rows of the upper triangle
  const dense::EntrySizes upper = dense::entry_sizes<T>(rank, A, strict, {0}, {n_});
  for (std::size_t i = 0; i < sizes.row_sum.size(); ++i) {
    sizes.row_sum[i] += upper.col_sum[i];
    sizes.row_max[i] = std::max(sizes.row_max[i], upper.col_max[i]);
  }
  sizes.col_sum = sizes.row_sum;
  sizes.col_max = sizes.row_max;
  return sizes;
}

/// Gather B on rank 0 and solve. Every rank gets X; return this rank's part of it.
template <class T>
Solution<T> SessionMatrix<T>::solve_distributed(const dense::Layout& layout, dense::View<T> mine,
                                                dense::Transpose op) {
  require_processes(options_, layout);
  std::vector<T> b;
  session_->run([&](comm::Rank& rank, int) {
    require_same_layout(rank, layout, ScalarTraits<T>::type);
    if (layout.rows != m_)
      throw Error(Status::bad_input, "the right-hand side has " + std::to_string(layout.rows) +
                                         " rows, but the matrix has " + std::to_string(m_) +
                                         "; give as many");
    const dense::Layout on_root = whole_on_rank_0(m_, layout.cols);
    const dist::ProcessGrid grid = grid_of(layout, rank.size()), root = grid_of(on_root, rank.size());
    dense::View<T> all;
    if (rank.rank() == 0) {
      b.resize(static_cast<std::size_t>(m_ * layout.cols));
      all = {b.data(), m_, layout.cols, m_};
    }
    // of ranks that are threads rank 0 alone has a part: `mine` is the same on all of them
    const bool has_part = rank.rank() == 0 || ranks_are_processes(options_);
    redistribute(rank, part_of(grid, rank, layout, has_part ? mine : dense::View<T>{}),
                 part_of(root, rank, on_root, all), plan_.lu.inbox);
  });
  const Solution<T> whole_solution = solve(b, layout.cols, op);
  Solution<T> part{{}, whole_solution.report};
  session_->run([&](comm::Rank& rank, int) {
    const dist::ProcessGrid grid = grid_of(layout, rank.size());
    if (!grid.holds(rank.rank())) return;
    const dist::GridPosition me = grid.position_of(rank.rank());
    const Index rows =
        rows_of(layout).count_before({n_}, me.row).value;  // the layout of X is B's, with n rows
    for (Index j = 0; j < mine.cols; ++j)
      for (Index i = 0; i < rows; ++i)
        part.x.push_back(whole_solution.x[rows_of(layout).global({i}, me.row).value +
                                          cols_of(layout).global({j}, me.col).value * n_]);
  });
  return part;
}

OVERLAPACK_INSTANTIATE_CLASS(SessionMatrix);

}  // namespace overlapack::api
