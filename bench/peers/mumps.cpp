// MUMPS, as Debian packages it: without METIS and SCOTCH, so METIS permutations come in through PERM_IN.
// Variants: amd, amf, pord (MUMPS's own, with its automatic matching); metis (no matching: PERM_IN switches
// it off); matched_metis (unsymmetric: columns permuted by MUMPS's product matching first, then METIS);
// paired_amd, paired_pord (symmetric: ICNTL(12) = 2, the compressed graph); paired_metis (the same by PERM_IN); any of them with
// _blr1e-8: block low-rank fronts and factors (ICNTL(35) = 2, variant UFSC) that leave out 1e-8 (CNTL(7)).
#include "driver.hpp"
#include "mpi_ranks.hpp"
#include "ordering.hpp"

#include <cstdio>
#include <dmumps_c.h>
#include <map>

namespace bench {

namespace {

constexpr int use_comm_world = -987654;

/// The controls by the numbers of the Users' guide.
class Instance {
 public:
  explicit Instance(int symmetry) {
    id_.par = 1;
    id_.sym = symmetry;
    id_.comm_fortran = use_comm_world;
    run(-1);
    for (int quiet : {1, 2, 3, 4}) control(quiet) = quiet == 4 ? 0 : -1;
  }
  ~Instance() { run(-2); }
  Instance(const Instance&) = delete;
  Instance& operator=(const Instance&) = delete;

  MUMPS_INT& control(int i) { return id_.icntl[i - 1]; }
  MUMPS_INT control(int i) const { return id_.icntl[i - 1]; }
  MUMPS_INT info(int i) const { return id_.infog[i - 1]; }
  DMUMPS_STRUC_C& data() { return id_; }
  const DMUMPS_STRUC_C& data() const { return id_; }

  /// The error code INFOG(1) of the job.
  int run(int job) {
    id_.job = job;
    dmumps_c(&id_);
    return info(1);
  }

 private:
  DMUMPS_STRUC_C id_{};
};

void require(int code, const Instance& instance, const char* phase) {
  if (code < 0)
    throw SolverFailure(std::string(phase) + ": INFOG(1) = " + std::to_string(code) +
                        ", INFOG(2) = " + std::to_string(instance.info(2)));
}

/// The entries by coordinates, from 1; of a symmetric matrix the lower triangle.
struct Triplets {
  std::vector<MUMPS_INT> row, column;
  std::vector<double> value;
};

Triplets triplets(const Matrix& a, bool is_lower) {
  Triplets t;
  for (std::int64_t j = 0; j < a.n; ++j)
    for (std::int64_t p = a.start[j]; p < a.start[j + 1]; ++p) {
      if (is_lower && a.row[p] < j) continue;
      t.row.push_back(static_cast<MUMPS_INT>(a.row[p] + 1));
      t.column.push_back(static_cast<MUMPS_INT>(j + 1));
      t.value.push_back(a.value[p]);
    }
  return t;
}

void hand_over(Instance& instance, std::int64_t n, Triplets& t) {
  DMUMPS_STRUC_C& id = instance.data();
  id.n = static_cast<MUMPS_INT>(n);
  id.nnz = static_cast<MUMPS_INT8>(t.value.size());
  id.irn = t.row.data();
  id.jcn = t.column.data();
  id.a = t.value.data();
}

/// match[i]: the column matched with row i for the largest product, by MUMPS's MC64; on the root.
std::vector<int> product_matching(const Matrix& a, bool is_root) {
  Instance instance(0);
  Triplets t;
  if (is_root) {
    t = triplets(a, false);
    hand_over(instance, a.n, t);
  }
  instance.control(6) = 5;
  instance.control(7) = 0;
  require(instance.run(1), instance, "matching");
  if (!is_root) return {};
  std::vector<int> match(a.n);
  const MUMPS_INT* uns_perm = instance.data().uns_perm;
  for (std::int64_t i = 0; i < a.n; ++i) match[i] = static_cast<int>(uns_perm ? uns_perm[i] - 1 : i);
  return match;
}

/// A Q: column source[k] of A as column k.
Matrix with_columns(const Matrix& a, const std::vector<int>& source) {
  Matrix b = a;
  b.start.assign(1, 0);
  b.row.clear();
  b.value.clear();
  for (int j : source) {
    b.row.insert(b.row.end(), a.row.begin() + a.start[j], a.row.begin() + a.start[j + 1]);
    b.value.insert(b.value.end(), a.value.begin() + a.start[j], a.value.begin() + a.start[j + 1]);
    b.start.push_back(static_cast<std::int64_t>(b.row.size()));
  }
  return b;
}

class Mumps : public OnMpi<Solver> {
 public:
  Mumps(const Matrix& a, const Request& request)
      : a_(a),
        variant_(request.variant),
        symmetry_(!a.is_symmetric  ? 0
                  : request.is_spd ? 1
                                   : 2),
        instance_(symmetry_) {
    if (is_root()) {
      entries_ = triplets(a, a.is_symmetric);
      hand_over(instance_, a.n, entries_);
    }
    if (request.compression > 0) {
      instance_.control(35) = 2;
      instance_.data().cntl[6] = request.compression;
    }
  }

  double analyse() override {
    return seconds([&] {
      choose_ordering();
      require(instance_.run(1), instance_, "analysis");
    });
  }

  double factor() override {
    for (;; instance_.control(14) *= 2) {
      int code = 0;
      const double time = seconds([&] { code = instance_.run(2); });
      const bool is_workspace_short = code == -8 || code == -9 || code == -17 || code == -20;
      if (is_workspace_short && instance_.control(14) < 5000) continue;
      require(code, instance_, "factorisation");
      return time;
    }
  }

  double solve(const std::vector<double>& b, std::vector<double>& x) override {
    return solve_many(b, x, 1, true);
  }
  /// With several right-hand sides MUMPS does not refine.
  double solve_many(const std::vector<double>& b, std::vector<double>& x, int count, bool refines) override {
    std::vector<double> y = b;
    instance_.control(10) = refines ? 2 : 0;  // at most so many steps
    instance_.data().nrhs = count;
    instance_.data().lrhs = static_cast<MUMPS_INT>(a_.n);
    const double time = seconds([&] {
      instance_.data().rhs = y.data();
      require(instance_.run(3), instance_, "solve");
    });
    // A' = A Q with column match[i] of A at i:  A x = b  <=>  A' y = b, x[match[i]] = y[i]
    const auto n = static_cast<std::size_t>(a_.n);
    for (std::size_t at = 0; at < y.size(); at += n)
      for (std::size_t i = 0; i < n; ++i) x[at + (match_.empty() ? i : match_[i])] = y[at + i];
    return time;
  }

  nlohmann::json report() const override {
    const auto& id = instance_.data();
    std::string parameters = "SYM=" + std::to_string(symmetry_);
    for (int i : {6, 7, 8, 10, 12, 13, 14})
      parameters += " ICNTL(" + std::to_string(i) + ")=" + std::to_string(instance_.control(i));
    const bool is_compressed = instance_.control(35) > 0;
    if (is_compressed)
      for (int i : {35, 36, 37, 38})
        parameters += " ICNTL(" + std::to_string(i) + ")=" + std::to_string(instance_.control(i));
    char tolerances[80];
    std::snprintf(tolerances, sizeof tolerances, " CNTL(1)=%g CNTL(7)=%g", id.cntl[0], id.cntl[6]);
    // Counts below zero are millions.
    const int entries = instance_.info(is_compressed ? 35 : 29);
    return {{"version", std::string(id.version_number)},
            {"parameters", parameters + tolerances},
            {"factor_nnz", entries >= 0 ? entries : -1e6 * entries},
            {"flops", id.rinfog[is_compressed ? 13 : 2]},
            {"delayed", instance_.info(13)},
            {"reported_bytes", 1e6 * instance_.info(22)},
            {"effective", {{"matching", instance_.info(23)}, {"ordering", instance_.info(7)}}}};
  }

 private:
  void choose_ordering() {
    const std::map<std::string, int> own = {
        {"amd", 0}, {"amf", 2}, {"pord", 4}, {"paired_amd", 0}, {"paired_pord", 4}};
    if (const auto found = own.find(variant_); found != own.end()) {
      instance_.control(7) = found->second;
      if (variant_.starts_with("paired")) instance_.control(12) = 2;
      return;
    }
    instance_.control(7) = 1;
    instance_.control(6) = 0;
    std::vector<int> sequence;
    if (variant_ == "metis") {
      if (is_root()) sequence = elimination_sequence(a_, "metis");
    } else if (variant_ == "matched_metis") {
      sequence = match_columns();
    } else if (variant_ == "paired_metis") {
      const auto match = product_matching(a_, is_root());
      if (is_root()) sequence = paired_metis_sequence(a_, pairs_of_matching(match));
    } else {
      throw std::runtime_error("mumps has no variant " + variant_);
    }
    if (!is_root()) return;
    permutation_ = inverse(sequence);
    for (MUMPS_INT& position : permutation_) ++position;
    instance_.data().perm_in = permutation_.data();
  }

  /// A <- A Q with the matched entries on the diagonal; returns METIS's sequence for the new A.
  std::vector<int> match_columns() {
    match_ = product_matching(a_, is_root());
    if (!is_root()) return {};
    const std::vector<int> position = inverse(match_);
    for (MUMPS_INT& column : entries_.column) column = position[column - 1] + 1;
    return elimination_sequence(with_columns(a_, match_), "metis");
  }

  const Matrix& a_;
  std::string variant_;
  int symmetry_;
  Instance instance_;
  Triplets entries_;
  std::vector<int> match_;
  std::vector<MUMPS_INT> permutation_;
};

}  // namespace

}  // namespace bench

int main(int argc, char** argv) {
  return bench::with_mpi(argc, argv, [&] {
    return bench::run_driver(argc, argv, "mumps", [](const bench::Matrix& a, const bench::Request& request) {
      return std::make_unique<bench::Mumps>(a, request);
    });
  });
}
