#include "fuzz/numbers.hpp"
#include "fuzz/target.hpp"
#include "overlapack/overlapack.h"

#include <array>
#include <memory>
#include <stdexcept>
#include <vector>

/// Programs of calls of the C interface: what a caller may get wrong without lying about the sizes of arrays.
namespace overlapack::test {
namespace {

/// A matrix of at most `order` lines whose offsets are within its arrays, but need not ascend.
struct SmallMatrix {
  std::array<std::int64_t, room> start{}, index{};
  std::array<std::int32_t, room> start_32{}, index_32{};
  std::array<double, room> value{};
  olp_matrix matrix{};

  explicit SmallMatrix(Numbers& numbers) {
    const int n = 1 + numbers.below(order);
    matrix.type = numbers.about(0, 3);
    matrix.layout = numbers.about(0, 1);
    matrix.half = numbers.is_rare(4) ? numbers.about(0, 2) : 0;
    matrix.base = numbers.is_rare(8) ? 1 : 0;
    matrix.index_bytes = numbers.is_rare(2) ? 4 : numbers.is_rare(32) ? numbers.next() : 8;
    matrix.rows = matrix.cols = n;
    if (numbers.is_rare(32)) matrix.rows = std::min(numbers.about(0, order), order);
    if (numbers.is_rare(32)) matrix.cols = std::min(numbers.about(0, order), order);
    matrix.count = numbers.is_rare(8) ? std::min(numbers.about(0, order), order) : n;
    matrix.first = numbers.is_rare(8) ? numbers.about(0, order) : 0;
    fill(numbers, n);
    const bool is_narrow = matrix.index_bytes == 4;
    matrix.start = is_narrow ? static_cast<const void*>(start_32.data()) : start.data();
    matrix.index = is_narrow ? static_cast<const void*>(index_32.data()) : index.data();
    matrix.value = value.data();
    if (numbers.is_rare(64)) matrix.start = nullptr;
    if (numbers.is_rare(64)) matrix.index = nullptr;
    if (numbers.is_rare(64)) matrix.value = nullptr;
  }

  void fill(Numbers& numbers, int n) {
    int entries = 0;
    for (int line = 0; line < n; ++line) {
      start[static_cast<std::size_t>(line)] = numbers.is_rare(64) ? numbers.below(most_entries) : entries;
      for (int k = numbers.below(5); k >= 0 && entries < most_entries; --k) {
        index[static_cast<std::size_t>(entries)] = k == 0 ? line : numbers.about(0, n - 1);
        value[static_cast<std::size_t>(entries++)] = numbers.value() + (k == 0 ? 8 : 0);
      }
    }
    for (int line = n; line < room; ++line) start[static_cast<std::size_t>(line)] = entries;
    for (std::size_t k = 0; k < start.size(); ++k) {
      start[k] += matrix.base;
      index[k] += matrix.base;
      start_32[k] = static_cast<std::int32_t>(start[k]);
      index_32[k] = static_cast<std::int32_t>(index[k]);
    }
  }
};

void set_some_option(olp_solver* solver, Numbers& numbers) {
  constexpr const char* names[] = {"ranks",     "method",      "factorization", "ordering", "singular",
                                   "precision", "null_pivots", "strips",        "nonsense", "refine"};
  constexpr const char* values[] = {"1",
                                    "2",
                                    "auto",
                                    "multifrontal",
                                    "supernodal",
                                    "block_triangular",
                                    "jacobi",
                                    "multisplitting",
                                    "dense",
                                    "lu",
                                    "ldlt",
                                    "cholesky",
                                    "amd",
                                    "natural",
                                    "user",
                                    "refuse",
                                    "mixed",
                                    "on",
                                    "off",
                                    "-1",
                                    ""};
  // more ranks than two are many threads for many executions
  olp_set(solver, names[numbers.below(std::size(names))], values[numbers.below(std::size(values))]);
}

/// A status that has a name, and a sentence exactly where it is none of success.
void require_status(olp_solver* solver, olp_status status) {
  if (!olp_status_name(status)) throw std::logic_error("a status without a name");
  const std::string message = olp_message(solver);
  if ((status == OLP_OK) != message.empty() && status != OLP_INACCURATE && status != OLP_ILL_CONDITIONED &&
      status != OLP_NOT_CONVERGED)
    throw std::logic_error(std::string("status ") + olp_status_name(status) + " with the message \"" +
                           message + "\"");
  if (status == OLP_INTERNAL || status == OLP_OUT_OF_MEMORY || status == OLP_COMM_FAILURE)
    throw std::logic_error(std::string(olp_status_name(status)) + ": " + message);
}

olp_status call(olp_solver* solver, Numbers& numbers) {
  static std::vector<double> B(room), X(room);
  const auto b = numbers.is_rare(32) ? nullptr : B.data();
  const auto x = numbers.is_rare(32) ? nullptr : X.data();
  const auto ld = [&] { return numbers.is_rare(16) ? numbers.about(0, 2 * order) : order; };
  const auto type = [&] { return numbers.is_rare(8) ? numbers.about(0, 3) : 1; };
  std::int64_t counts[3];
  double figure = 0;
  const char* text = nullptr;
  switch (numbers.below(14)) {
    case 0:
    case 1:
      return olp_factorize(solver, &std::make_unique<SmallMatrix>(numbers)->matrix);
    case 2:
      return olp_refactorize(solver, &std::make_unique<SmallMatrix>(numbers)->matrix);
    case 3:
      return olp_factorize_distributed(solver, &std::make_unique<SmallMatrix>(numbers)->matrix);
    case 4:
      return olp_analyse(solver, &std::make_unique<SmallMatrix>(numbers)->matrix);
    case 5:
      for (double& v : B) v = numbers.value();
      return olp_factorize_dense(solver, type(), std::min(numbers.about(0, order), order), b,
                                 std::min(ld(), 2 * order));
    case 6:
    case 7:
      for (int k = 0; k < 3 * order; ++k) B[static_cast<std::size_t>(k)] = numbers.value();
      return olp_solve(solver, type(), numbers.about(0, 2), std::min(numbers.about(0, 3), 16), b,
                       std::min(ld(), 2 * order), x, std::min(ld(), 2 * order));
    case 8:
      return olp_solve_distributed(solver, type(), numbers.about(0, 2), numbers.about(0, order),
                                   std::min(numbers.about(0, order), order),
                                   std::min(numbers.about(0, 3), 16), b, std::min(ld(), 2 * order), x,
                                   std::min(ld(), 2 * order));
    case 9:
      return olp_determinant(solver, type(), x, counts);
    case 10:
      return olp_rcond(solver, numbers.is_rare(32) ? nullptr : &figure);
    case 11:
      return olp_inertia(solver, counts, counts + 1, counts + 2);
    case 12:
      return olp_text(solver, numbers.is_rare(2) ? "" : "method", &text);
    default: {
      constexpr std::int64_t backwards[] = {7, 6, 5, 4, 3, 2, 1, 0};
      return olp_set_order(solver, numbers.about(0, order) % (order + 1), backwards);
    }
  }
}

}  // namespace

std::vector<std::string> call_seeds() {
  std::vector<std::string> seeds;
  for (int seed = 0; seed < 64; ++seed) {
    std::string bytes;
    for (int k = 0; k < 200; ++k) bytes += static_cast<char>((seed * 31 + k * k * 7 + k * seed) % 251);
    seeds.push_back(bytes);
  }
  return seeds;
}

bool runs_c_calls(const std::string& bytes) {
  Numbers numbers(bytes);
  olp_solver* solver = nullptr;
  if (olp_create(&solver) != OLP_OK) throw std::logic_error("no solver");
  const std::unique_ptr<olp_solver, void (*)(olp_solver*)> owner(solver, olp_destroy);
  olp_set(solver, "ranks", "1");
  bool has_solved = false;
  for (int calls = 0; calls < 12 && !numbers.is_at_end(); ++calls) {
    if (numbers.is_rare(3)) set_some_option(solver, numbers);
    const olp_status status = call(solver, numbers);
    require_status(solver, status);
    has_solved = has_solved || status == OLP_OK;
  }
  return has_solved;
}

}  // namespace overlapack::test
