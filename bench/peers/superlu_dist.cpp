// SuperLU_DIST: static pivoting on a 1 x ranks grid; tiny pivots are replaced. Debian's package has no MC64, so the
// matrix comes in scaled and with overlapack's maximum product matching on its diagonal.
// Variants: matched_metis, matched_amd; metis, amd (neither matched nor scaled by us; its own equilibration). The
// orderings are of A + A^T, handed over as MY_PERMC.
#include "driver.hpp"
#include "mpi_ranks.hpp"
#include "ordering.hpp"
#include "sparse/matching/maximum_product.hpp"

#include <algorithm>
#include <cmath>
#include <superlu_ddefs.h>

namespace bench {

namespace {

/// A' = P Dr A Dc with the matched entries on the diagonal: row j of A' is row source_row[j] of A.
struct Matched {
  Matrix a;  // by columns
  std::vector<std::int64_t> source_row;
  std::vector<double> row_scale, column_scale;
};

Matched unmatched(const Matrix& a) {
  Matched out{a, {}, std::vector<double>(a.n, 1.0), std::vector<double>(a.n, 1.0)};
  for (std::int64_t j = 0; j < a.n; ++j) out.source_row.push_back(j);
  return out;
}

Matched match(const Matrix& a) {
  overlapack::SparseMatrix<double> input;
  input.rows = input.cols = a.n;
  input.start = a.start;
  input.row = a.row;
  input.value = a.value;
  const auto matching = overlapack::sparse::maximum_product_matching(input);
  if (matching.structural_rank < a.n) throw SolverFailure("structurally singular: no complete matching");
  std::vector<std::int64_t> position(a.n);
  for (std::int64_t j = 0; j < a.n; ++j) position[matching.row_of_column[j]] = j;
  Matched out{a, matching.row_of_column, matching.row_scale, matching.col_scale};
  for (std::int64_t j = 0; j < a.n; ++j)
    for (std::int64_t p = a.start[j]; p < a.start[j + 1]; ++p) {
      out.a.row[p] = position[a.row[p]];
      out.a.value[p] = matching.row_scale[a.row[p]] * a.value[p] * matching.col_scale[j];
    }
  return out;
}

class SuperluDist : public OnMpi<Solver> {
 public:
  SuperluDist(const Matrix& a, const Request& request) : a_(a), n_(static_cast<int>(a.n)) {
    is_matched_ = request.variant.starts_with("matched_");
    ordering_ = request.variant.substr(is_matched_ ? std::string("matched_").size() : 0);
    superlu_gridinit(MPI_COMM_WORLD, 1, ranks(), &grid_);
    dScalePermstructInit(n_, n_, &permutations_);
    dLUstructInit(n_, &factors_);
    set_default_options_dist(&options_);
    options_.PrintStat = NO;
    options_.Equil = is_matched_ ? NO : YES;
    options_.RowPerm = NOROWPERM;
    options_.ColPerm = MY_PERMC;
    options_.ReplaceTinyPivot = YES;
    const int share = n_ / ranks();
    first_row_ = rank() * share;
    rows_ = rank() + 1 == ranks() ? n_ - first_row_ : share;
  }

  ~SuperluDist() override {
    discard_matrix();
    if (options_.Fact != DOFACT) {
      dDestroy_LU(n_, &grid_, &factors_);
      if (options_.SolveInitialized) dSolveFinalize(&options_, &solve_);
    }
    dScalePermstructFree(&permutations_);
    dLUstructFree(&factors_);
    superlu_gridexit(&grid_);
  }

  /// The first call factors too; only its symbolic phases count here.
  double analyse() override {
    const double prepare_s = seconds([&] {
      // Every rank for itself: the same result, and no slower than one rank doing it for all.
      matched_ = is_matched_ ? match(a_) : unmatched(a_);
      const auto sequence = elimination_sequence(matched_.a, ordering_);
      const auto position = inverse(sequence);
      std::copy(position.begin(), position.end(), permutations_.perm_c);
    });
    by_rows_ = transpose(matched_.a);
    options_.Fact = DOFACT;
    const auto time = run(std::vector<double>(a_.n, 1.0), nullptr);
    return prepare_s + time[EQUIL] + time[ROWPERM] + time[COLPERM] + time[ETREE] + time[SYMBFAC];
  }

  /// Distribution of the values counts: it is the assembly of other solvers.
  double factor() override {
    options_.Fact = SamePattern_SameRowPerm;
    const auto time = run(std::vector<double>(a_.n, 1.0), nullptr);
    return time[DIST] + time[FACT];
  }

  double solve(const std::vector<double>& b, std::vector<double>& x) override {
    options_.Fact = FACTORED;
    const auto time = run(b, &x);
    return time[SOLVE] + time[REFINE];
  }

  nlohmann::json report() const override {
    return {{"version", std::to_string(SUPERLU_DIST_MAJOR_VERSION) + "." +
                            std::to_string(SUPERLU_DIST_MINOR_VERSION) + "." +
                            std::to_string(SUPERLU_DIST_PATCH_VERSION)},
            {"parameters", "grid=1x" + std::to_string(ranks()) + (is_matched_ ? " Equil=NO" : " Equil=YES") +
                               " RowPerm=NOROWPERM ColPerm=MY_PERMC ReplaceTinyPivot=YES lookahead=" +
                               std::to_string(options_.num_lookaheads) + " IterRefine=DOUBLE"},
            {"reported_bytes", factor_bytes_},
            {"flops", flops_},
            {"perturbed", tiny_pivots_}};
  }

 private:
  /// One call of the driver with options_.Fact; returns the time by phase, of this rank.
  std::vector<double> run(const std::vector<double>& b, std::vector<double>* x) {
    if (options_.Fact != FACTORED) create_matrix();  // the call overwrites it
    // A x = b  <=>  A' y = P Dr b, x = Dc y
    std::vector<double> part(rows_);
    for (int i = 0; i < rows_; ++i) {
      const std::int64_t source = matched_.source_row[first_row_ + i];
      part[i] = matched_.row_scale[source] * b[source];
    }
    SuperLUStat_t statistics;
    PStatInit(&statistics);
    double berr = 0;
    int info = 0;
    pdgssvx(&options_, &matrix_, &permutations_, part.data(), rows_, 1, &grid_, &factors_, &solve_, &berr,
            &statistics, &info);
    std::vector<double> time(statistics.utime, statistics.utime + NPHASES);
    if (options_.Fact != FACTORED) record(statistics);
    PStatFree(&statistics);
    if (info != 0) throw SolverFailure("pdgssvx: info = " + std::to_string(info));
    if (x) gather(part, *x);
    return time;
  }

  void record(SuperLUStat_t& statistics) {
    superlu_dist_mem_usage_t usage{};
    dQuerySpace_dist(n_, &factors_, &grid_, &statistics, &usage);
    factor_bytes_ = sum_over_ranks(usage.for_lu);
    flops_ = sum_over_ranks(statistics.ops[FACT]);
    tiny_pivots_ = statistics.TinyPivots;
  }

  void create_matrix() {
    discard_matrix();
    const std::int64_t begin = by_rows_.start[first_row_];
    const std::int64_t end = by_rows_.start[first_row_ + rows_];
    auto* start = intMalloc_dist(rows_ + 1);
    auto* column = intMalloc_dist(static_cast<int_t>(end - begin));
    auto* value = doubleMalloc_dist(static_cast<int_t>(end - begin));
    for (int i = 0; i <= rows_; ++i) start[i] = static_cast<int_t>(by_rows_.start[first_row_ + i] - begin);
    std::copy(by_rows_.row.begin() + begin, by_rows_.row.begin() + end, column);
    std::copy(by_rows_.value.begin() + begin, by_rows_.value.begin() + end, value);
    dCreate_CompRowLoc_Matrix_dist(&matrix_, n_, n_, static_cast<int_t>(end - begin), rows_, first_row_,
                                   value, column, start, SLU_NR_loc, SLU_D, SLU_GE);
    has_matrix_ = true;
  }

  void discard_matrix() {
    if (has_matrix_) Destroy_CompRowLoc_Matrix_dist(&matrix_);
    has_matrix_ = false;
  }

  void gather(const std::vector<double>& part, std::vector<double>& x) const {
    std::vector<int> counts(ranks(), n_ / ranks());
    std::vector<int> offsets(ranks());
    for (int r = 0; r < ranks(); ++r) offsets[r] = r * (n_ / ranks());
    counts.back() = n_ - offsets.back();
    MPI_Gatherv(part.data(), rows_, MPI_DOUBLE, x.data(), counts.data(), offsets.data(), MPI_DOUBLE, 0,
                MPI_COMM_WORLD);
    for (int j = 0; j < n_; ++j) x[j] *= matched_.column_scale[j];
  }

  const Matrix& a_;
  bool is_matched_ = true;
  std::string ordering_;
  int n_;
  int first_row_ = 0;
  int rows_ = 0;
  Matched matched_;
  Matrix by_rows_;  // A', by rows
  gridinfo_t grid_{};
  superlu_dist_options_t options_{};
  dScalePermstruct_t permutations_{};
  dLUstruct_t factors_{};
  dSOLVEstruct_t solve_{};
  SuperMatrix matrix_{};
  bool has_matrix_ = false;
  double factor_bytes_ = 0;  // with indices
  double flops_ = 0;
  int tiny_pivots_ = 0;
};

}  // namespace

}  // namespace bench

int main(int argc, char** argv) {
  return bench::with_mpi(argc, argv, [&] {
    return bench::run_driver(argc, argv, "superlu_dist",
                             [](const bench::Matrix& a, const bench::Request& request) {
                               return std::make_unique<bench::SuperluDist>(a, request);
                             });
  });
}
