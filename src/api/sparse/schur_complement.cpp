#include "api/refine/refined_solve.hpp"
#include "api/run/session.hpp"
#include "api/sparse/factorization.hpp"
#include "base/instantiate.hpp"
#include "base/public_call.hpp"
#include "base/random.hpp"
#include "kernels/sparse/spmv.hpp"
#include "sparse/factors/factor_plan.hpp"
#include "sparse/matrix/validate.hpp"

#include <algorithm>

namespace overlapack {

/// The four blocks of A by the chosen variables v and the interior i, all other variables.
template <class T>
struct SchurBlocks {
  SparseMatrix<T> ii, iv, vi, vv;
  std::vector<Index> interior, chosen;  ///< the caller's numbers

  Index order() const { return static_cast<Index>(interior.size() + chosen.size()); }
};

namespace {

[[noreturn]] void refuse_chosen(const std::string& message) { throw Error(Status::bad_input, message); }

/// For each variable: its position among the chosen ones or, for a variable of the interior, -1 - its position there.
std::vector<Index> positions_of(std::span<const Index> variables, Index n) {
  std::vector<Index> position(static_cast<std::size_t>(n), -1);
  if (variables.empty() || static_cast<Index>(variables.size()) >= n)
    refuse_chosen(std::to_string(variables.size()) + " of " + std::to_string(n) +
                  " variables were given; give at least one, and leave at least one to eliminate");
  for (std::size_t k = 0; k < variables.size(); ++k) {
    const Index v = variables[k];
    if (v < 0 || v >= n)
      refuse_chosen("there is no variable " + std::to_string(v) + "; count from 0 to " +
                    std::to_string(n - 1));
    if (position[v] >= 0)
      refuse_chosen("variable " + std::to_string(v) + " was given twice; give each at most once");
    position[v] = static_cast<Index>(k);
  }
  Index next = 0;
  for (Index& p : position)
    if (p < 0) p = -1 - next++;
  return position;
}

template <class T>
SchurBlocks<T> split_matrix(const SparseMatrix<T>& A, std::span<const Index> variables) {
  sparse::require_square(A.rows, A.cols);
  sparse::validate(A);
  const std::vector<Index> position = positions_of(variables, A.cols);
  SchurBlocks<T> blocks;
  blocks.chosen.assign(variables.begin(), variables.end());
  for (Index j = 0; j < A.cols; ++j)
    if (position[j] < 0) blocks.interior.push_back(j);
  const auto columns = [&](const std::vector<Index>& from, SparseMatrix<T>& interior_rows,
                           SparseMatrix<T>& chosen_rows) {
    interior_rows.rows = static_cast<Index>(blocks.interior.size());
    chosen_rows.rows = static_cast<Index>(blocks.chosen.size());
    interior_rows.cols = chosen_rows.cols = static_cast<Index>(from.size());
    for (const Index j : from) {
      for (Index k = A.start[j]; k < A.start[j + 1]; ++k) {
        const Index p = position[A.row[k]];
        SparseMatrix<T>& part = p < 0 ? interior_rows : chosen_rows;
        part.row.push_back(p < 0 ? -1 - p : p);
        part.value.push_back(A.value[k]);
      }
      interior_rows.start.push_back(interior_rows.nnz());
      chosen_rows.start.push_back(chosen_rows.nnz());
    }
  };
  columns(blocks.interior, blocks.ii, blocks.vi);
  columns(blocks.chosen, blocks.iv, blocks.vv);
  return blocks;
}

/// Split A on rank 0. An error there reaches every process.
template <class T>
SchurBlocks<T> split_on_root(const SparseMatrix<T>& A, std::span<const Index> variables,
                             const Options& options) {
  api::check_options_together(options);
  if (!api::ranks_are_processes(options)) return split_matrix(A, variables);
  SchurBlocks<T> blocks;
  api::Session session(options, options.ranks);
  session.run([&](comm::Rank& rank, int) {
    if (rank.rank() == 0) blocks = split_matrix(A, variables);
  });
  return blocks;
}

/// column += M(:, j)
template <class T>
void add_column(const SparseMatrix<T>& M, Index j, T* column) {
  for (Index k = M.start[j]; k < M.start[j + 1]; ++k) column[M.row[k]] += M.value[k];
}

/// y <- y - M x, each column.
template <class T>
void subtract_product(const SparseMatrix<T>& M, std::span<const T> x, std::span<T> y, Index nrhs) {
  const auto rows = static_cast<std::size_t>(M.rows), cols = static_cast<std::size_t>(M.cols);
  std::vector<T> product(rows);
  for (std::size_t j = 0; j < static_cast<std::size_t>(nrhs); ++j) {
    kernels::spmv(M, x.subspan(j * cols, cols), product);
    for (std::size_t i = 0; i < rows; ++i) y[i + j * rows] -= product[i];
  }
}

/// The entries of `whole` at `positions`, column by column.
template <class T>
std::vector<T> gathered_rows(std::span<const T> whole, const std::vector<Index>& positions, Index n,
                             Index nrhs) {
  std::vector<T> part;
  part.reserve(positions.size() * static_cast<std::size_t>(nrhs));
  for (Index j = 0; j < nrhs; ++j)
    for (const Index i : positions) part.push_back(whole[static_cast<std::size_t>(i + j * n)]);
  return part;
}

template <class T>
void put_rows(std::span<const T> part, const std::vector<Index>& positions, Index n, Index nrhs,
              std::vector<T>& whole) {
  auto value = part.begin();
  for (Index j = 0; j < nrhs; ++j)
    for (const Index i : positions) whole[static_cast<std::size_t>(i + j * n)] = *value++;
}

/// The options for A_ii, whose inverse is used without refinement.
/// Errors  BadPlan for options by which the factors are not those of A_ii in its own type
Options with_inverse(Options options) {
  const auto refuse = [](const std::string& option, const std::string& why) {
    throw Error(
        Status::bad_plan,
        option +
            " does not go with a Schur complement, which needs the inverse of the other variables' part " +
            why + "; leave it out");
  };
  if (options.sparse.null_pivots) refuse("null_pivots", "");
  if (options.precision != Precision::working) refuse("precision mixed", "in the type of the matrix");
  if (options.sparse.perturbation > 0) refuse("perturbation", "as it is");
  if (options.factorization == FactorKind::quasidefinite) refuse("factorization quasidefinite", "as it is");
  if (options.compression.kind != Compression::none) refuse("compression", "as it is");
  if (options.method == Method::supernodal)
    refuse("method supernodal, which replaces small pivots,", "as it is");
  options.singular = SingularMatrix::refuse;
  return options;
}

}  // namespace

template <class T>
struct SchurComplement<T>::Implementation {
  Implementation(SparseMatrix<T> A, std::span<const Index> variables, const Options& options)
      : blocks(split_on_root(A, variables, options)), interior(std::move(blocks.ii), with_inverse(options)) {
    test_interior();
    compute();
  }
  void test_interior();
  void compute();
  /// Extend the message of the last solve with A_ii by what its status means for `numbers`.
  void explain_status(const std::string& numbers);
  Solution<T> condense(std::span<const T> b, Index nrhs);
  Solution<T> expand(std::span<const T> b, std::span<const T> x_v, Index nrhs);
  /// Run f on rank 0; its errors reach every process.
  void on_root(const std::function<void()>& f) {
    interior.session->run([&](comm::Rank& rank, int) {
      if (rank.rank() == 0) f();
    });
  }

  SchurBlocks<T> blocks;  ///< rank 0
  typename Factorization<T>::Implementation interior;
  std::vector<T> S;
  Index order = 0;
};

/// Test whether A_ii is regular enough. The columns of A_ii^{-1} A_iv are not refined. A refined solve for a random combination of them
/// sets the report's status, which shows whether factors of A_ii give these columns at all.
template <class T>
void SchurComplement<T>::Implementation::test_interior() {
  std::vector<T> sum;
  on_root([&] {
    sum.resize(static_cast<std::size_t>(blocks.iv.rows));
    Random random(1);
    for (Index j = 0; j < blocks.iv.cols; ++j) {
      const T share(static_cast<Real<T>>(random.uniform(0.5, 1)));
      for (Index k = blocks.iv.start[j]; k < blocks.iv.start[j + 1]; ++k)
        sum[blocks.iv.row[k]] += share * blocks.iv.value[k];
    }
  });
  interior.solve(sum, 1, Transpose::none, false);
  explain_status("the Schur complement");
}

template <class T>
void SchurComplement<T>::Implementation::explain_status(const std::string& numbers) {
  Report& report = interior.report;
  if (report.status == Status::ok) return;
  report.message = "the part A_ii of the variables that are eliminated is nearly singular, so that " +
                   numbers + " may be far off; choose other variables (" + report.message + ")";
}

/// Compute S = A_vv - A_vi (A_ii^{-1} A_iv), some columns at a time.
template <class T>
void SchurComplement<T>::Implementation::compute() {
  interior.drive([&](const api::DrivenSolve<T>& solve) {
    const Index n = blocks.iv.rows, m = blocks.iv.cols;
    S.resize(static_cast<std::size_t>(m * m));
    const Index block = interior.plan().rhs_block;
    for (Index first = 0; first < m; first += block) {
      const Index width = std::min(block, m - first);
      std::vector<T> X(static_cast<std::size_t>(n * width));
      const std::span<T> columns =
          std::span<T>(S).subspan(static_cast<std::size_t>(first * m), static_cast<std::size_t>(width * m));
      for (Index j = 0; j < width; ++j) {
        add_column(blocks.iv, first + j, X.data() + j * n);
        add_column(blocks.vv, first + j, columns.data() + j * m);
      }
      solve(kernels::Op::none, X.data(), width);
      subtract_product<T>(blocks.vi, X, columns, width);
    }
  });
  interior.session->run([&](comm::Rank& rank, int position) {
    const Index known = api::broadcast_from_root(rank, static_cast<Index>(blocks.chosen.size()));
    if (position == 0) order = known;
  });
  interior.broadcast_vector_from_root(S);
}

template <class T>
Solution<T> SchurComplement<T>::Implementation::condense(std::span<const T> b, Index nrhs) {
  std::vector<T> of_interior, condensed;
  on_root([&] {
    api::require_right_hand_sides(b, blocks.order(), nrhs);
    of_interior = gathered_rows(b, blocks.interior, blocks.order(), nrhs);
    condensed = gathered_rows(b, blocks.chosen, blocks.order(), nrhs);
  });
  const Solution<T> x = interior.solve(of_interior, nrhs, Transpose::none);
  explain_status("the condensed right-hand side");
  if (interior.session->has_root()) subtract_product<T>(blocks.vi, x.x, condensed, nrhs);
  interior.broadcast_vector_from_root(condensed);
  return {std::move(condensed), interior.report};
}

template <class T>
Solution<T> SchurComplement<T>::Implementation::expand(std::span<const T> b, std::span<const T> x_v,
                                                       Index nrhs) {
  std::vector<T> rest, x;
  on_root([&] {
    api::require_right_hand_sides(b, blocks.order(), nrhs);
    api::require_right_hand_sides(x_v, order, nrhs);
    rest = gathered_rows(b, blocks.interior, blocks.order(), nrhs);
    subtract_product<T>(blocks.iv, x_v, rest, nrhs);
  });
  const Solution<T> x_i = interior.solve(rest, nrhs, Transpose::none);
  explain_status("x");
  if (interior.session->has_root()) {
    x.resize(b.size());
    put_rows<T>(x_i.x, blocks.interior, blocks.order(), nrhs, x);
    put_rows<T>(x_v, blocks.chosen, blocks.order(), nrhs, x);
  }
  interior.broadcast_vector_from_root(x);
  return {std::move(x), interior.report};
}

template <class T>
const std::vector<T>& SchurComplement<T>::matrix() const {
  return implementation_->S;
}

template <class T>
Index SchurComplement<T>::order() const {
  return implementation_->order;
}

template <class T>
Solution<T> SchurComplement<T>::condense(std::span<const T> b, Index nrhs) {
  return implementation_->interior.locked_call(call::condense,
                                               [&] { return implementation_->condense(b, nrhs); });
}

template <class T>
Solution<T> SchurComplement<T>::expand(std::span<const T> b, std::span<const T> x_v, Index nrhs) {
  return implementation_->interior.locked_call(call::expand,
                                               [&] { return implementation_->expand(b, x_v, nrhs); });
}

template <class T>
Inertia SchurComplement<T>::inertia() const {
  return public_call(call::inertia, [&]() -> Inertia {
    const comm::CallLock turn(implementation_->interior.calls);
    return implementation_->interior.inertia();
  });
}

template <class T>
void SchurComplement<T>::agree(const std::function<void()>& check) {
  implementation_->interior.session->agree(check);
}

template <class T>
const Report& SchurComplement<T>::report() const {
  return implementation_->interior.report;
}

template <class T>
Report SchurComplement<T>::copy_report() const {
  const comm::CallLock turn(implementation_->interior.calls);
  return report();
}

template <class T>
SchurComplement<T> schur(SparseMatrix<T> A, std::span<const Index> variables, const Options& options) {
  using Implementation = typename SchurComplement<T>::Implementation;
  return public_call(call::schur, [&] {
    return SchurComplement<T>(make_handle<Implementation>(std::move(A), variables, options));
  });
}

#define OVERLAPACK_INSTANTIATE(T)    \
  template class SchurComplement<T>; \
  template SchurComplement<T> schur(SparseMatrix<T>, std::span<const Index>, const Options&);
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack
