/// A program of MUMPS's C interface, in its four arithmetics: it knows MUMPS alone, and checks what it gets by residuals of its
/// own. Says at its end who solved: MUMPS, or a library before it.
#include "bytes_in_use.hpp"

#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <cmumps_c.h>
#include <complex>
#include <cstdio>
#include <dlfcn.h>
#include <dmumps_c.h>
#include <limits>
#include <numeric>
#include <smumps_c.h>
#include <vector>
#include <zmumps_c.h>

namespace {

constexpr int n = 40, world = -987654;
int rank = 0, ranks = 1, failed = 0, passed = 0;
bool is_drop_in = false;

template <class Id>
struct Arithmetic;
template <>
struct Arithmetic<SMUMPS_STRUC_C> {
  using Number = float;
  static void call(SMUMPS_STRUC_C& id) { smumps_c(&id); }
};
template <>
struct Arithmetic<DMUMPS_STRUC_C> {
  using Number = double;
  static void call(DMUMPS_STRUC_C& id) { dmumps_c(&id); }
};
template <>
struct Arithmetic<CMUMPS_STRUC_C> {
  using Number = std::complex<float>;
  static void call(CMUMPS_STRUC_C& id) { cmumps_c(&id); }
};
template <>
struct Arithmetic<ZMUMPS_STRUC_C> {
  using Number = std::complex<double>;
  static void call(ZMUMPS_STRUC_C& id) { zmumps_c(&id); }
};

void expect(bool is_right, const char* what) {
  int all = is_right;
  MPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  ++(all ? passed : failed);
  if (!is_right) std::printf("FAILED on rank %d: %s\n", rank, what);
}

template <class T>
struct Entries {
  std::vector<int> row, col;
  std::vector<T> value;
  bool is_half = false;
  void add(int i, int j, double x) {
    row.push_back(i + 1);
    col.push_back(j + 1);
    if constexpr (std::is_floating_point_v<T>)
      value.push_back(T(x));
    else
      value.push_back(T(x, 0.25 * x * ((i + j) % 3)));
  }
  /// op(A) x
  std::vector<T> times(const std::vector<T>& x, bool is_transposed = false) const {
    std::vector<T> y(n);
    for (std::size_t k = 0; k < row.size(); ++k) {
      const int i = (is_transposed ? col : row)[k] - 1, j = (is_transposed ? row : col)[k] - 1;
      y[i] += value[k] * x[j];
      if (is_half && i != j) y[j] += value[k] * x[i];
    }
    return y;
  }
};

/// A band with two far diagonals and a diagonal of both signs; entries are given in two parts that add up.
template <class T>
Entries<T> matrix(bool is_half, double scale = 1) {
  Entries<T> A;
  A.is_half = is_half;
  for (int j = 0; j < n; ++j) {
    A.add(j, j, scale * (j % 4 == 0 ? -3 : 4));
    A.add(j, j, scale * 0.5);
    if (j + 1 < n) A.add(j + 1, j, scale * (1 + 0.01 * j));
    if (j + 9 < n) A.add(j + 9, j, -0.5 * scale);
    if (!is_half && j + 1 < n) A.add(j, j + 1, 0.75 * scale);
    if (!is_half && j + 9 < n) A.add(j, j + 9, 0.3 * scale);
  }
  return A;
}

template <class T>
std::vector<T> truth(int columns) {
  std::vector<T> x;
  for (int k = 0; k < n * columns; ++k) x.push_back(T(2 + (k * 7) % 11 - 0.5 * (k % 3)));
  return x;
}

/// ||x - y|| <= c n eps ||y||: the condition number is about 10.
template <class T>
bool is_close(const T* x, const T* y, int count) {
  double difference = 0, size = 0;
  for (int i = 0; i < count; ++i) {
    difference += std::norm(std::complex<double>(x[i]) - std::complex<double>(y[i]));
    size += std::norm(std::complex<double>(y[i]));
  }
  const double eps = std::numeric_limits<decltype(std::real(T()))>::epsilon();
  return std::sqrt(difference) <= 100 * n * eps * std::sqrt(size);
}

template <class Id>
struct Client {
  using T = typename Arithmetic<Id>::Number;
  using Raw = std::remove_pointer_t<decltype(Id::a)>;
  Id id{};
  Entries<T> A;
  std::vector<T> x;

  Client(int sym, Entries<T> matrix) : A(std::move(matrix)) {
    id.job = -1;
    id.par = 1;
    id.sym = sym;
    id.comm_fortran = world;
    run(-1);
    expect(id.infog[0] == 0, "job -1");
    for (int k = 0; k < 4; ++k) id.icntl[k] = 0;  // quiet
  }
  ~Client() { run(-2); }
  int run(int job) {
    id.job = job;
    Arithmetic<Id>::call(id);
    return id.infog[0];
  }
  static Raw* raw(std::vector<T>& values) { return reinterpret_cast<Raw*>(values.data()); }
  void give_matrix() {
    id.n = n;
    if (rank > 0) return;
    id.nnz = static_cast<MUMPS_INT8>(A.row.size());
    id.irn = A.row.data();
    id.jcn = A.col.data();
    id.a = raw(A.value);
  }
  /// This process's entries: every ranks-th.
  void give_own_entries() {
    Entries<T> mine;
    for (std::size_t k = static_cast<std::size_t>(rank); k < A.row.size();
         k += static_cast<std::size_t>(ranks)) {
      mine.row.push_back(A.row[k]);
      mine.col.push_back(A.col[k]);
      mine.value.push_back(A.value[k]);
    }
    own = mine;
    id.n = n;
    id.icntl[17] = 3;
    id.nnz_loc = static_cast<MUMPS_INT8>(own.row.size());
    id.irn_loc = own.row.data();
    id.jcn_loc = own.col.data();
    id.a_loc = raw(own.value);
  }
  void give_rhs(int columns, bool is_transposed = false) {
    x.clear();
    const auto t = truth<T>(columns);
    for (int j = 0; j < columns; ++j) {
      const auto b = A.times({t.begin() + j * n, t.begin() + (j + 1) * n}, is_transposed);
      x.insert(x.end(), b.begin(), b.end());
    }
    id.nrhs = columns;
    id.lrhs = n;
    id.rhs = raw(x);
  }
  bool is_solved(int columns) {
    return rank > 0 || is_close(x.data(), truth<T>(columns).data(), n * columns);
  }
  Entries<T> own;
};

template <class Id>
void central() {
  using T = typename Arithmetic<Id>::Number;
  for (const int sym : {0, 2}) {
    Client<Id> client(sym, matrix<T>(sym > 0));
    client.give_matrix();
    client.give_rhs(3);
    expect(client.run(6) == 0 && client.is_solved(3), "job 6, three columns");
    std::vector<T> values;
    std::vector<int> rows, begin{1};
    client.give_rhs(2);
    for (int k = 0; k < 2 * n; ++k) {  // the second column from its end
      values.push_back(client.x[k < n ? k : 3 * n - 1 - k]);
      rows.push_back(k < n ? k + 1 : 2 * n - k);
      if (k % n == n - 1) begin.push_back(k + 2);
    }
    std::fill(client.x.begin(), client.x.end(), T(-1));
    client.id.icntl[19] = 1;
    client.id.nz_rhs = 2 * n;
    client.id.rhs_sparse = client.raw(values);
    client.id.irhs_sparse = rows.data();
    client.id.irhs_ptr = begin.data();
    if (is_drop_in || ranks == 1)  // MUMPS 5.5.1 on more processes: -22, for whatever it misses
      expect(client.run(3) == 0 && client.is_solved(2), "sparse right-hand sides");
    client.id.icntl[19] = 0;
    client.id.icntl[8] = 0;
    client.give_rhs(1, true);
    expect(client.run(3) == 0 && client.is_solved(1), "job 3 with A^T");
    client.id.icntl[8] = 1;
    client.A = matrix<T>(sym > 0, 1.75);
    client.give_matrix();
    client.give_rhs(2);
    expect(client.run(5) == 0 && client.is_solved(2), "job 5 with other values");
    client.give_rhs(1);
    expect(client.run(4) == 0 && client.run(3) == 0 && client.is_solved(1), "jobs 4 and 3");
  }
}

template <class Id>
void definite_and_inertia() {
  using T = typename Arithmetic<Id>::Number;
  Entries<T> A;
  A.is_half = true;
  for (int j = 0; j < n; ++j) {
    A.add(j, j, 4);
    if (j + 1 < n) A.add(j, j + 1, 1);
  }
  Client<Id> definite(1, A);
  definite.give_matrix();
  definite.give_rhs(1);
  expect(definite.run(6) == 0 && definite.is_solved(1), "a definite matrix");
  if (!std::is_floating_point_v<T>) return;
  for (int k = 0; k < n; ++k) A.value[static_cast<std::size_t>(2 * k)] *= T(k < 7 ? -1 : 1);  // rows dominate
  Client<Id> indefinite(2, A);
  indefinite.give_matrix();
  indefinite.id.icntl[12] = 1;
  expect(indefinite.run(4) == 0 && indefinite.id.infog[11] == 7, "INFOG(12): negative pivots");
}

template <class Id>
void distributed() {
  using T = typename Arithmetic<Id>::Number;
  for (const int sym : {0, 2}) {
    Client<Id> client(sym, matrix<T>(sym > 0));
    client.give_own_entries();
    expect(client.run(1) == 0 && client.run(2) == 0, "distributed entries, jobs 1 and 2");
    client.give_rhs(2);
    expect(client.run(3) == 0 && client.is_solved(2), "distributed entries, solution on the host");

    client.id.icntl[20] = 1;
    const int length = client.id.info[22];
    std::vector<T> part(static_cast<std::size_t>(2 * length));
    std::vector<int> rows(static_cast<std::size_t>(length));
    client.id.lsol_loc = length;
    client.id.sol_loc = client.raw(part);
    client.id.isol_loc = rows.data();
    const auto holds = [&] {
      const auto t = truth<T>(2);
      bool is_right = true;
      for (int k = 0; k < 2 * length; ++k)
        is_right = is_right && is_close(&part[k], &t[rows[k % length] - 1 + (k < length ? 0 : n)], 1);
      int all = length;
      MPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
      return is_right && all == n;
    };
    client.give_rhs(2);
    expect(client.run(3) == 0 && holds(), "distributed solution");

    client.give_rhs(2);
    std::vector<int> mine;
    std::vector<T> b;
    for (int i = rank; i < n; i += ranks) mine.push_back(i + 1);
    for (int j = 0; j < 2; ++j)
      for (const int i : mine) b.push_back(client.x[i - 1 + j * n]);
    client.id.icntl[19] = 10;
    client.id.nloc_rhs = client.id.lrhs_loc = static_cast<int>(mine.size());
    client.id.irhs_loc = mine.data();
    client.id.rhs_loc = client.raw(b);
    std::fill(part.begin(), part.end(), T(0));
    expect(client.run(3) == 0 && holds(), "distributed right-hand sides and solution");
  }
}

template <class Id>
void controls() {
  using T = typename Arithmetic<Id>::Number;
  for (const int ordering : {0, 1, 5, 7}) {
    Client<Id> client(0, matrix<T>(false));
    client.give_matrix();
    std::vector<int> positions;
    for (int i = 0; i < n; ++i) positions.push_back(n - i);
    client.id.icntl[6] = ordering;
    client.id.perm_in = positions.data();
    client.id.icntl[9] = 2;
    client.give_rhs(1);
    expect(client.run(6) >= 0 && client.is_solved(1), "orderings and refinement");
  }
  Client<Id> client(0, matrix<T>(false));
  client.A.add(n + 3, 0, 1);  // no such row: left out with a warning
  client.give_matrix();
  expect(client.run(1) == 1 || rank > 0, "an entry outside of the matrix is a warning");
  Client<Id> empty(0, matrix<T>(false));
  empty.id.n = n;
  empty.id.nnz = 5;
  expect(empty.run(1) == -22, "arrays that are not there");
  expect(empty.run(7 + 2) < 0, "no such job");
}

/// What a caller may get wrong, with MUMPS's codes; and a SYM that is none, which MUMPS takes as 0.
template <class Id>
void mistakes() {
  using T = typename Arithmetic<Id>::Number;
  Client<Id> client(0, matrix<T>(false));
  client.give_matrix();
  for (const int entries : {0, -3}) {
    client.id.nnz = 0;
    client.id.nz = entries;
    expect(client.run(1) == -2 && client.id.infog[1] == entries, "no entries");
  }
  client.give_matrix();
  std::vector<int> positions(n);
  for (const int wrong : {0, 1, n + 1}) {  // the last variable's: out of range, or the first one's
    std::iota(positions.begin(), positions.end(), 1);
    positions.back() = wrong;
    client.id.icntl[6] = 1;
    client.id.perm_in = positions.data();
    expect(client.run(1) == -4 && client.id.infog[1] == n, "an order that is no permutation");
  }
  client.id.icntl[6] = 7;
  expect(client.run(4) == 0, "factors");
  client.give_rhs(1);
  for (const int columns : {0, -1}) {
    client.id.nrhs = columns;
    expect(client.run(3) == -45 && client.id.infog[1] == columns, "no right-hand sides");
  }
  client.id.nrhs = 1;
  client.id.icntl[9] = -1001;
  expect(client.run(3) >= 0 && client.is_solved(1), "so many steps of refinement");

  for (const int sym : {-1, 3}) {
    Client<Id> general(sym, matrix<T>(false));
    general.give_matrix();
    general.give_rhs(1);
    expect(general.run(6) == 0 && general.is_solved(1), "SYM is none of MUMPS's");
  }
}

/// ICNTL(10) counts in job 3. Some unknowns are 1e5 times the others. Rows that have none of these, as row 12, get fill in their columns, as
/// at (12, 20) from row 11: a solve alone leaves them a residual of the large ones' rounding.
template <class Id>
void refinement() {
  using T = typename Arithmetic<Id>::Number;
  Client<Id> client(0, matrix<T>(false));
  client.give_matrix();
  std::vector<int> positions(n);
  std::iota(positions.begin(), positions.end(), 1);
  client.id.icntl[5] = 0;
  client.id.icntl[6] = 1;
  client.id.perm_in = positions.data();
  std::vector<T> graded(n, T(1));
  for (int j = 0; j < n; j += 5) graded[j] = T(1e5);
  expect(client.run(4) == 0, "factors, with no refinement asked for");
  const auto steps_of = [&](int asked) {
    client.give_rhs(1);
    client.x = client.A.times(graded);
    client.id.rhs = client.raw(client.x);
    client.id.icntl[9] = asked;
    const bool is_right = client.run(3) >= 0 && (rank > 0 || is_close(client.x.data(), graded.data(), n));
    expect(is_right, "a solve with another ICNTL(10) than that of the factors");
    return client.id.infog[14];
  };
  const int without = steps_of(0), with = steps_of(2), without_again = steps_of(0), negative = steps_of(-2);
  if (!is_drop_in) return;  // MUMPS counts as it likes
  const auto is_refined = [](int steps) { return steps > 0 && steps <= 2; };
  expect(rank > 0 || (without == 0 && without_again == 0), "INFOG(15) without refinement");
  expect(rank > 0 || (is_refined(with) && is_refined(negative)), "INFOG(15) with refinement");
}

template <class Id>
void failures() {
  using T = typename Arithmetic<Id>::Number;
  auto A = matrix<T>(false);
  for (std::size_t k = 0; k < A.row.size(); ++k)
    if (A.col[k] == 12) A.value[k] = T(0);
  Client<Id> client(0, A);
  client.give_matrix();
  expect(client.run(4) == -10, "a singular matrix");
  client.A = matrix<T>(false);
  client.give_matrix();
  client.give_rhs(1);
  expect(client.run(5) == 0 && client.is_solved(1), "a regular one after it");
  if (!is_drop_in) return;
  client.id.icntl[21] = 1;  // what only MUMPS has
  expect(client.run(1) == -800 && client.id.infog[1] == 22, "factors on a disc are refused");
}

/// A row of a sparse right-hand side that the matrix does not have is left out. MUMPS itself reads outside of its arrays there, which may
/// go well on one process, and fails this on several.
template <class Id>
void row_that_is_none() {
  if (!is_drop_in) return;
  using T = typename Arithmetic<Id>::Number;
  Client<Id> client(0, matrix<T>(false));
  client.give_matrix();
  client.give_rhs(1);
  const std::vector<T> b = client.x;
  std::vector<T> values(b.begin(), b.end());
  std::vector<int> rows, begin{1, n + 2};
  for (int i = 0; i < n; ++i) rows.push_back(i + 1);
  values.push_back(T(7));
  rows.push_back(n + 3);
  client.id.icntl[19] = 1;
  client.id.nz_rhs = n + 1;
  client.id.rhs_sparse = client.raw(values);
  client.id.irhs_sparse = rows.data();
  client.id.irhs_ptr = begin.data();
  expect(client.run(6) >= 0 && client.is_solved(1), "a row of a sparse right-hand side that is none");
  if (!is_drop_in) return;
  rows[n] = std::numeric_limits<int>::min();
  expect(client.run(3) >= 0 && client.is_solved(1), "and the smallest number as a row");
}

/// The smallest number as a variable, or a row.
template <class Id>
void smallest_numbers() {
  using T = typename Arithmetic<Id>::Number;
  constexpr int smallest = std::numeric_limits<int>::min();
  std::vector<int> chosen{1, smallest, 3};
  const auto refuses = [&](auto&& ask) {
    Client<Id> client(0, matrix<T>(false));
    client.give_matrix();
    ask(client);
    return client.run(6) < 0;
  };
  std::vector<int> positions(n);
  std::iota(positions.begin(), positions.end(), 1);
  positions[4] = smallest;
  expect(refuses([&](Client<Id>& client) {
           client.id.icntl[6] = 1;
           client.id.perm_in = positions.data();
         }),
         "a place in perm_in");
  std::vector<T> S(9), b(3, T(1));
  expect(refuses([&](Client<Id>& client) {
           client.id.icntl[18] = 1;
           client.id.size_schur = 3;
           client.id.listvar_schur = chosen.data();
           client.id.schur = client.raw(S);
         }),
         "a variable of a Schur complement");
  expect(refuses([&](Client<Id>& client) {
           client.give_rhs(1);
           client.id.icntl[19] = 10;
           client.id.nloc_rhs = client.id.lrhs_loc = 3;
           client.id.irhs_loc = chosen.data();
           client.id.rhs_loc = client.raw(b);
         }),
         "a row of a distributed right-hand side");
}

/// Numbers that would be used as indices, or lead out of the caller's arrays.
template <class Id>
void misfits() {
  if (!is_drop_in) return;
  using T = typename Arithmetic<Id>::Number;
  Client<Id> client(0, matrix<T>(false));
  client.give_matrix();
  expect(client.run(4) == 0, "factors");
  client.give_rhs(2);
  std::vector<T> values(3, T(1));
  std::vector<int> rows{1, 2, 3}, begin{1, 3, 4};
  client.id.icntl[19] = 1;
  client.id.nz_rhs = 3;
  client.id.rhs_sparse = client.raw(values);
  client.id.irhs_sparse = rows.data();
  client.id.irhs_ptr = begin.data();
  client.id.lrhs = n - 1;
  expect(client.run(3) == -26, "columns of x that are shorter than the matrix");
  client.id.lrhs = n;
  begin[1] = 1000000000;
  expect(client.run(3) == -27, "columns that begin behind the last entry");
  begin[1] = 3;
  expect(client.run(3) == 0, "sparse right-hand sides that fit");
  client.id.n = n + 1;
  expect(client.run(3) == -16, "an order that is not that of the analysis");
  client.id.n = n;
  smallest_numbers<Id>();
  Client<Id> by_elements(0, matrix<T>(false));
  std::vector<int> first{1, 1000000000, 4};
  by_elements.id.icntl[4] = 1;
  by_elements.id.n = n;
  by_elements.id.nelt = 2;
  by_elements.id.eltptr = first.data();
  by_elements.id.eltvar = rows.data();
  expect(by_elements.run(1) == -24, "elements that begin behind the last variable");
}

/// Elements of three variables that overlap, squares by columns or lower triangles.
template <class Id>
void elements() {
  using T = typename Arithmetic<Id>::Number;
  for (const int sym : {0, 2}) {
    Entries<T> A;
    A.is_half = sym > 0;
    std::vector<int> begin{1}, variables;
    for (int e = 0; e + 1 < n; e += 2) {
      const int own[] = {e + 1, e, (e + 2) % n};  // in no order
      for (int j = 0; j < 3; ++j) {
        variables.push_back(own[j] + 1);
        for (int i = sym > 0 ? j : 0; i < 3; ++i)
          A.add(own[i], own[j], i == j ? 5 + 0.1 * e : 1.0 / (1 + i + 2 * j));
      }
      begin.push_back(static_cast<int>(variables.size()) + 1);
    }
    Client<Id> client(sym, A);
    client.id.n = n;
    client.id.icntl[4] = 1;
    if (rank == 0) {
      client.id.nelt = static_cast<int>(begin.size()) - 1;
      client.id.eltptr = begin.data();
      client.id.eltvar = variables.data();
      client.id.a_elt = client.raw(client.A.value);
    }
    client.give_rhs(2);
    expect(client.run(6) == 0 && client.is_solved(2), "a matrix by elements");
    for (T& a : client.A.value) a *= T(3);
    client.give_rhs(1);
    expect(client.run(5) == 0 && client.is_solved(1), "elements with other values");
    if (is_drop_in) {  // MUMPS 5.5.1 was not asked
      client.id.nelt = 0;
      expect(client.run(1) == -24 && client.id.infog[1] == 0, "no elements");
      client.id.nelt = static_cast<int>(begin.size()) - 1;
    }
    client.id.eltvar = nullptr;
    if (is_drop_in) expect(client.run(1) == -22 && client.id.infog[1] == 2, "eltvar is not there");
  }
}

/// Solves S y = r, m x m by columns, without pivoting: S is far from singular.
template <class T>
void eliminate(std::vector<T> S, std::vector<T>& y, int m) {
  for (int k = 0; k < m; ++k)
    for (int i = k + 1; i < m; ++i) {
      const T factor = S[i + k * m] / S[k + k * m];
      for (int j = k; j < m; ++j) S[i + j * m] -= factor * S[k + j * m];
      y[i] -= factor * y[k];
    }
  for (int k = m - 1; k >= 0; --k) {
    for (int j = k + 1; j < m; ++j) y[k] -= S[k + j * m] * y[j];
    y[k] /= S[k + k * m];
  }
}

template <class Id>
void schur_complement() {
  using T = typename Arithmetic<Id>::Number;
  constexpr int m = 5, nrhs = 2;
  const int form_of[] = {1, 3, 2};  // by rows, by columns, the lower triangle by columns
  for (const int form : form_of) {
    const int sym = form == 2 ? 2 : 0;
    Client<Id> client(sym, matrix<T>(sym > 0));
    client.give_matrix();
    std::vector<int> chosen{n, 3, 17, 18, 30};
    const int ld = form == 1 ? m : m + 2;
    std::vector<T> S(static_cast<std::size_t>(ld * m)), reduced(m * nrhs);
    client.id.icntl[18] = form;
    client.id.size_schur = m;
    client.id.listvar_schur = chosen.data();
    client.id.nprow = client.id.npcol = 1;
    client.id.mblock = client.id.nblock = 100;
    client.id.schur_lld = ld;
    client.id.schur = client.raw(S);
    client.id.redrhs = client.raw(reduced);
    client.id.lredrhs = m;
    expect(client.run(4) == 0, "analysis and factorisation with a Schur complement");
    client.give_rhs(nrhs);
    client.id.icntl[25] = 1;
    expect(client.run(3) == 0, "reduced right-hand sides");
    if (rank == 0) {
      std::vector<T> by_columns(m * m);
      for (int j = 0; j < m; ++j)
        for (int i = 0; i < m; ++i)
          by_columns[i + j * m] = form == 1             ? S[j + i * m]
                                  : form == 3 || i >= j ? S[i + j * ld]
                                                        : S[j + i * ld];
      for (int j = 0; j < nrhs; ++j) {
        std::vector<T> y(reduced.begin() + j * m, reduced.begin() + (j + 1) * m);
        eliminate(by_columns, y, m);
        std::copy(y.begin(), y.end(), reduced.begin() + j * m);
      }
    }
    client.id.icntl[25] = 2;
    expect(client.run(3) == 0 && client.is_solved(nrhs), "the whole solution by the Schur complement");

    client.give_rhs(1);
    const std::vector<T> b = client.x;
    client.id.icntl[25] = 0;
    expect(client.run(3) == 0, "the inner problem alone");
    if (rank == 0) {
      const auto back = client.A.times(client.x);
      bool is_right = true;
      for (int i = 0; i < n; ++i) {
        const bool is_chosen = std::count(chosen.begin(), chosen.end(), i + 1) > 0;
        is_right = is_right &&
                   (is_chosen ? client.x[i] == T(0) : std::abs(back[i] - b[i]) < 1e-3 * (1 + std::abs(b[i])));
      }
      if (!is_right) std::printf("FAILED: the inner problem\n"), ++failed;
    }
    client.id.icntl[25] = 2;
    client.give_rhs(1);
    if (!is_drop_in) continue;
    expect(client.run(3) == -35, "an expansion of what was not reduced");
    client.id.size_schur = m - 1;
    expect(client.run(2) == -49 && client.id.infog[1] == m - 1, "another size_schur");
    client.id.size_schur = n;
    expect(client.run(1) == -49, "a Schur complement of all variables");
  }
}

/// The expansion takes what the reduction has kept: a client may have freed its right-hand side since, or written into it.
template <class Id>
void expansion_without_right_hand_side() {
  using T = typename Arithmetic<Id>::Number;
  for (const bool is_sparse : {false, true}) {
    if (is_sparse && !is_drop_in && ranks > 1) continue;  // as in central()
    Client<Id> client(0, matrix<T>(false));
    client.give_matrix();
    std::vector<int> chosen{5}, rows(n), begin{1, n + 1};
    std::iota(rows.begin(), rows.end(), 1);
    std::vector<T> S(1), reduced(1);
    client.id.icntl[18] = 1;
    client.id.size_schur = 1;
    client.id.listvar_schur = chosen.data();
    client.id.schur = client.raw(S);
    client.id.redrhs = client.raw(reduced);
    client.id.lredrhs = 1;
    expect(client.run(4) == 0, "factors with a Schur complement of order 1");
    client.give_rhs(1);
    std::vector<T> values = client.x;
    client.id.icntl[19] = is_sparse ? 1 : 0;
    client.id.nz_rhs = n;
    client.id.rhs_sparse = client.raw(values);
    client.id.irhs_sparse = rows.data();
    client.id.irhs_ptr = begin.data();
    client.id.icntl[25] = 1;
    expect(client.run(3) == 0, "a reduction");
    reduced[0] /= rank == 0 ? S[0] : T(1);
    std::fill(client.x.begin(), client.x.end(), T(std::numeric_limits<float>::quiet_NaN()));
    std::fill(values.begin(), values.end(), T(std::numeric_limits<float>::quiet_NaN()));
    std::fill(rows.begin(), rows.end(), -7);
    std::fill(begin.begin(), begin.end(), 1234567890);  // as memory that is freed may be
    client.id.icntl[25] = 2;
    expect(client.run(3) == 0 && client.is_solved(1), "an expansion whose right-hand side is garbage");
    if (!is_drop_in || !is_sparse) continue;
    client.id.rhs_sparse = nullptr;
    client.id.irhs_sparse = client.id.irhs_ptr = nullptr;
    expect(client.run(3) == 0 && client.is_solved(1), "an expansion whose right-hand side is freed");
  }
}

/// ICNTL(23): MB that a process may take.
template <class Id>
void memory_limit() {
  using T = typename Arithmetic<Id>::Number;
  Client<Id> client(0, matrix<T>(false));
  client.give_matrix();
  client.give_rhs(1);
  if (is_drop_in) {  // MUMPS may do with 1 MB
    client.id.icntl[22] = 1;
    expect(client.run(4) == -19 && client.id.infog[1] != 0,
           "too little memory, and how many entries are missing");
    const double missing = client.id.infog[1] > 0 ? client.id.infog[1] : -1e6 * client.id.infog[1];
    client.id.icntl[22] += static_cast<int>(std::ceil(missing * sizeof(T) / 1e6));
    expect(client.run(4) == 0, "as much memory as was missing suffices");
  }
  client.id.icntl[22] = 200;
  expect(client.run(6) == 0 && client.is_solved(1), "memory that suffices");
  client.give_rhs(1);
  client.id.icntl[22] = 0;
  expect(client.run(5) == 0 && client.is_solved(1), "no limit of memory");
}

/// Two parts of 13 and of the other variables, each a chain whose rows add up to zero: A = W L with a diagonal W, of rank n - 2. The null space
/// of A has the vectors that are constant in each part, that of A^T those times W^{-1}.
template <class T>
Entries<T> two_chains(bool is_half) {
  Entries<T> A;
  A.is_half = is_half;
  const auto put = [&](int i, int j, double x) {
    A.row.push_back(i + 1);
    A.col.push_back(j + 1);
    A.value.push_back(T(static_cast<float>(is_half ? x : x * (1 + i % 3))));
  };
  for (int i = 0; i + 1 < n; ++i) {
    if (i == 12) continue;
    put(i, i, 1), put(i + 1, i + 1, 1), put(i + 1, i, -1);
    if (!is_half) put(i, i + 1, -1);
  }
  return A;
}

/// Are the columns vectors of the null space of op(A), and independent?
template <class T>
bool is_null_space(const Entries<T>& A, const std::vector<T>& columns, bool is_transposed) {
  const double eps = std::numeric_limits<decltype(std::real(T()))>::epsilon();
  double largest = 0;
  for (const T& v : columns) largest = std::max(largest, static_cast<double>(std::abs(v)));
  bool is_right = largest > 0;
  const std::size_t count = columns.size() / n;
  for (std::size_t k = 0; k < count; ++k)
    for (const T& r : A.times({columns.begin() + k * n, columns.begin() + (k + 1) * n}, is_transposed))
      is_right = is_right && std::abs(r) <= 1000 * eps * largest;
  const T *v = columns.data(), *w = v + n;  // values at a position of each part
  return is_right && (count < 2 || std::abs(v[0] * w[20] - v[20] * w[0]) > 1e-3 * largest * largest);
}

/// ICNTL(30): A^{-1}(i, j) at some places of each column, and none in some; the columns are solves with unit vectors. ICNTL(9) is not
/// read.
template <class Id>
void inverse_entries() {
  using T = typename Arithmetic<Id>::Number;
  for (const int sym : {0, 2})
    for (const int transposed : {1, 0}) {
      if (!is_drop_in && ranks > 1) continue;
      Client<Id> client(sym, matrix<T>(sym > 0));
      client.give_matrix();
      expect(client.run(4) == 0, "factors for entries of the inverse");
      std::vector<int> rows, begin{1};
      for (int j = 0; j < n; ++j) {
        if (j % 3 != 1) rows.push_back(j + 1);
        if (j % 3 == 0) rows.push_back((j * 7) % n + 1);
        begin.push_back(static_cast<int>(rows.size()) + 1);
      }
      std::vector<T> values(rows.size(), T(-1));
      client.id.icntl[29] = 1;
      client.id.icntl[8] = transposed;
      client.id.nrhs = n;
      client.id.nz_rhs = static_cast<int>(rows.size());
      client.id.rhs_sparse = client.raw(values);
      client.id.irhs_sparse = rows.data();
      client.id.irhs_ptr = begin.data();
      expect(client.run(3) == 0, "entries of the inverse");
      client.id.icntl[29] = 0;
      client.id.icntl[8] = 1;
      client.id.nrhs = 1;
      bool is_right = true;
      for (int j = 0; j < n; j += 5) {
        std::vector<T> unit(n, T(0));
        unit[j] = T(1);
        client.id.rhs = client.raw(unit);
        expect(client.run(3) == 0, "a column of the inverse");
        for (int k = begin[j] - 1; rank == 0 && k < begin[j + 1] - 1; ++k)
          is_right = is_right &&
                     std::abs(values[k] - unit[rows[k] - 1]) <= 1e-4 * std::abs(unit[rows[k] - 1]) + 1e-6;
      }
      expect(is_right, "entries of the inverse as solves have them");
      if (!is_drop_in) continue;
      client.id.icntl[29] = 1;
      expect(client.run(3) == -47 && client.id.infog[1] == 1, "entries of the inverse with one column");
      client.id.nrhs = n;
      client.id.icntl[24] = -1;
      expect(client.run(3) == -48 && client.id.infog[1] == 25, "entries of the inverse and a null space");
      client.id.icntl[24] = 0;
      client.id.irhs_ptr = nullptr;
      expect(client.run(3) == -22 && client.id.infog[1] == 12, "entries of the inverse without pointers");
      client.id.icntl[29] = 2;
      expect(client.run(3) == -800 && client.id.infog[1] == 30, "another form of the inverse");
    }
}

/// ICNTL(24) or (56), and (25): all vectors of the null space, or one.
template <class Id>
void null_space() {
  using T = typename Arithmetic<Id>::Number;
  for (const int sym : {0, 2})
    for (const int detected_by : {24, 56}) {
      if (!is_drop_in && (ranks > 1 || detected_by == 56)) continue;  // MUMPS 5.5.1 was not asked
      Client<Id> client(sym, two_chains<T>(sym > 0));
      client.give_matrix();
      client.id.icntl[detected_by - 1] = 1;
      expect(client.run(4) == 0 && client.id.infog[27] == 2, "INFOG(28): null pivots");
      std::vector<T> x(2 * n, T(7));
      client.id.nrhs = 2;
      client.id.lrhs = n;
      client.id.rhs = client.raw(x);
      client.id.icntl[24] = -1;
      expect(client.run(3) == 0 && (rank > 0 || is_null_space(client.A, x, false)), "the null space");
      x.resize(n);
      client.id.nrhs = 1;
      client.id.rhs = client.raw(x);
      for (const int one : {1, 2}) {
        client.id.icntl[24] = one;
        expect(client.run(3) == 0 && (rank > 0 || is_null_space(client.A, x, false)),
               "a vector of the null space");
      }
      if (!is_drop_in) continue;
      client.id.icntl[8] = 0;
      expect(client.run(3) == 0 && (rank > 0 || is_null_space(client.A, x, true)), "a null vector of A^T");
      client.id.icntl[8] = 1;
      client.id.icntl[24] = 3;
      expect(client.run(3) == -36 && client.id.infog[1] == 3, "a third vector of the null space");
      client.id.icntl[24] = -1;
      expect(client.run(3) == -32 && client.id.infog[1] == 1, "a null space of two vectors and one column");
      client.id.icntl[24] = 0;
      const std::vector<T> twos(n, T(2));
      x = client.A.times(twos);
      client.id.rhs = client.raw(x);
      expect(client.run(3) == 0, "a consistent system of a singular matrix");
      client.A = matrix<T>(sym > 0);
      client.give_matrix();
      client.give_rhs(1);
      expect(client.run(6) == 0 && client.is_solved(1) && client.id.infog[27] == 0,
             "a regular matrix after it");
      client.id.icntl[24] = -1;
      expect(client.run(3) == 0, "the null space of a regular matrix is empty");
    }
}

/// The null space of distributed entries, its rows on the processes that ask for them.
template <class Id>
void distributed_null_space() {
  if (!is_drop_in) return;
  using T = typename Arithmetic<Id>::Number;
  Client<Id> client(0, two_chains<T>(false));
  client.give_own_entries();
  client.id.icntl[23] = 1;
  expect(client.run(4) == 0 && client.id.infog[27] == 2, "null pivots of distributed entries");
  const int length = client.id.info[22];
  std::vector<T> part(static_cast<std::size_t>(2 * length)), whole(2 * n);
  std::vector<int> rows(static_cast<std::size_t>(length));
  client.id.icntl[20] = 1;
  client.id.lsol_loc = length;
  client.id.sol_loc = client.raw(part);
  client.id.isol_loc = rows.data();
  client.id.nrhs = 2;
  client.id.icntl[24] = -1;
  bool is_right = client.run(3) == 0;
  for (int k = 0; k < 2 * length; ++k) whole[rows[k % length] - 1 + (k < length ? 0 : n)] = part[k];
  MPI_Allreduce(MPI_IN_PLACE, whole.data(),
                static_cast<int>(whole.size() * sizeof(T) / sizeof(std::real(T()))),
                sizeof(std::real(T())) == 4 ? MPI_FLOAT : MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  is_right = is_right && is_null_space(client.A, whole, false);
  expect(is_right, "the null space of distributed entries");
}

/// The negative pivots are those of the variables that are eliminated.
template <class Id>
void inertia_with_schur_complement() {
  Entries<typename Arithmetic<Id>::Number> A;
  A.is_half = true;
  for (int j = 0; j < n; ++j) {
    A.add(j, j, j < 7 ? -4 : 4);
    if (j + 1 < n) A.add(j + 1, j, 1);
  }
  Client<Id> client(2, A);
  client.give_matrix();
  std::vector<int> chosen{1, 2, n};  // two of the negative ones
  std::vector<typename Arithmetic<Id>::Number> S(9);
  client.id.icntl[18] = 1;
  client.id.icntl[12] = 1;
  client.id.size_schur = 3;
  client.id.listvar_schur = chosen.data();
  client.id.schur = client.raw(S);
  expect(client.run(4) == 0 && client.id.infog[11] == 5, "INFOG(12) with a Schur complement");
}

/// What clients do for hours; MPI takes memory for its pools now and then, in chunks.
template <class Id>
void steps() {
  using T = typename Arithmetic<Id>::Number;
  if (!is_drop_in) return;
  Client<Id> client(0, matrix<T>(false));
  client.give_matrix();
  client.give_rhs(1);
  const std::vector<T> b = client.x;
  const auto is_flat = [&](long count, std::initializer_list<int> jobs) {
    const long left = overlapack::test::growth_of(count, [&] {
      for (const int job : jobs) {
        client.x = b;
        client.run(job);
      }
    });
    return left <= overlapack::test::allowed_growth(count) + (1 << 17);
  };
  expect(client.run(4) == 0, "jobs 1 and 2 before many steps");
  expect(is_flat(1500, {5, 3}) && client.is_solved(1), "memory stays as it is in job 5");
  expect(is_flat(300, {6}) && client.is_solved(1), "memory stays as it is in job 6");
}

template <class Id>
void all() {
  central<Id>();
  definite_and_inertia<Id>();
  distributed<Id>();
  controls<Id>();
  mistakes<Id>();
  refinement<Id>();
  failures<Id>();
  row_that_is_none<Id>();
  misfits<Id>();
  elements<Id>();
  schur_complement<Id>();
  expansion_without_right_hand_side<Id>();
  memory_limit<Id>();
  inverse_entries<Id>();
  null_space<Id>();
  distributed_null_space<Id>();
  steps<Id>();
  if (std::is_floating_point_v<typename Arithmetic<Id>::Number>) inertia_with_schur_complement<Id>();
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  is_drop_in = dlsym(RTLD_DEFAULT, "overlapack_mumps_message") != nullptr;
  all<SMUMPS_STRUC_C>();
  all<DMUMPS_STRUC_C>();
  all<CMUMPS_STRUC_C>();
  all<ZMUMPS_STRUC_C>();
  if (rank == 0)
    std::printf("solved by %s: %d checks passed, %d failed\n", is_drop_in ? "overlapack" : "MUMPS", passed,
                failed);
  MPI_Finalize();
  return failed > 0;
}
