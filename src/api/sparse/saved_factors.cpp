#include "api/plan/prepare.hpp"
#include "api/run/node_sum.hpp"
#include "api/run/session.hpp"
#include "api/sparse/factor_file.hpp"
#include "api/sparse/factorization.hpp"
#include "api/words/analysis_options.hpp"
#include "base/instantiate.hpp"
#include "base/public_call.hpp"
#include "comm/collective/collective.hpp"
#include "overlapack/io.hpp"
#include "sparse/factors/analysis_packing.hpp"
#include "sparse/factors/factor_plan.hpp"
#include "sparse/matrix/validate.hpp"
#include "sparse/methods/make_factors.hpp"

#include <memory>
#include <optional>

/// Factors written to a file and read from it.
namespace overlapack {
namespace {

struct SavedTimes {
  double analysis_s = 0, factor_s = 0;
};

template <class T>
comm::Body pack(const SparseMatrix<T>& A, const sparse::Analysis& analysis, const Report& report,
                const Options& options) {
  sparse::Packing packing;
  packing.add_value(SavedTimes{report.analysis_s, report.factor_s});
  api::for_each_factor_option(options, [&](const char*, auto value) { packing.add_value(value); });
  packing.add_value(A.symmetry);
  packing.add(A.start);
  packing.add(A.row);
  packing.add(A.value);
  sparse::add(packing, analysis);
  return std::move(packing).body();
}

template <class T>
void unpack_head(const comm::Body& body, SparseMatrix<T>& A, sparse::Analysis& analysis, Report& report,
                 Options& options) {
  sparse::Unpacking unpacking(body);
  const auto times = unpacking.next_value<SavedTimes>();
  report.analysis_s = times.analysis_s;
  report.factor_s = times.factor_s;
  Options made;
  api::for_each_factor_option(
      made, [&]<class Value>(const char*, Value& value) { value = unpacking.next_value<Value>(); });
  options = api::with_factor_options(options, made);
  A.symmetry = unpacking.next_value<Symmetry>();
  unpacking.read_into(A.start);
  unpacking.read_into(A.row);
  unpacking.read_into(A.value);
  A.rows = A.cols = static_cast<Index>(A.start.size()) - 1;
  sparse::validate(A);
  analysis = sparse::unpack_analysis(unpacking);
}

/// Open the file, and check that its factors are of this type and number of ranks.
template <class T>
std::unique_ptr<api::FactorFile> opened(const std::string& path, int ranks) {
  auto file = std::make_unique<api::FactorFile>(path);
  const auto refuse = [&](const std::string& message) {
    throw Error(Status::bad_input, path + ": " + message);
  };
  if (file->type() != ScalarTraits<T>::type)
    refuse("the factors are of type " + std::string(api::name(file->type())) + ", not " +
           std::string(api::name(ScalarTraits<T>::type)) + "; load them in their own type");
  const auto written = static_cast<int>(file->header().ranks);
  if (ranks > 0 && ranks != written)
    refuse("the factors are those of " + std::to_string(written) + " ranks, but there are " +
           std::to_string(ranks) + "; run on as many, or factorise again");
  return file;
}

}  // namespace

template <class T>
void Factorization<T>::Implementation::save(const std::string& path) {
  require_factors();
  if (is_distributed())
    throw Error(Status::bad_plan,
                "the file holds the matrix as one part, but these factors were made by "
                "factorize_distributed; factorise it on "
                "rank 0 with factorize");
  require_full_precision();
  session->run([&](comm::Rank& rank, int) {
    if (rank.rank() == 0) io::require_writable(path);
  });
  const auto write = [&](std::ostream* out) {
    session->run([&](comm::Rank& rank, int position) {
      if (rank.rank() == 0) {
        const auto type = static_cast<std::uint32_t>(ScalarTraits<T>::type);
        api::write_header(*out, {.type = type, .ranks = static_cast<std::uint32_t>(rank.size())});
        api::write_part(*out, pack(A, prepared.analysis, report, options));
      }
      for (int r = 0; r < rank.size(); ++r) {  // one after the other: rank 0 has room for one
        const comm::Body mine =
            rank.rank() == r ? shares_[static_cast<std::size_t>(position)].full->packed() : comm::Body();
        const std::vector<comm::Body> all = comm::collective::gather(rank, 0, mine);
        if (rank.rank() == 0) api::write_part(*out, all[static_cast<std::size_t>(r)]);
      }
    });
  };
  bool has_begun = false, is_written = false;
  std::optional<Error> failed;
  if (session->has_root()) {
    try {
      io::write_file(path, [&](std::ostream& out) {
        has_begun = true;
        write(&out);
        is_written = true;
      });
    } catch (const Error& error) {
      if (has_begun && !is_written) throw;  // thrown in a run, so that the others have it
      failed = error;
    }
  } else {
    write(nullptr);
  }
  // wait until the file has its name; all throw if it has none
  session->run([&](comm::Rank& rank, int) {
    if (rank.rank() == 0 && failed) throw *failed;
    comm::collective::barrier(rank);
  });
}

template <class T>
Factorization<T>::Implementation::Implementation(const std::string& path, const Options& chosen)
    : options(chosen), interruption(chosen) {
  api::check_options_together(options);
  std::unique_ptr<api::FactorFile> file;
  if (api::ranks_are_processes(options)) {
    session = std::make_unique<api::Session>(options, options.ranks);
    session->run([&](comm::Rank& rank, int) {
      if (rank.rank() == 0) file = opened<T>(path, rank.size());
    });
  } else {
    file = opened<T>(path, options.ranks);
    session = std::make_unique<api::Session>(options, static_cast<int>(file->header().ranks));
  }
  fullest_share_ = api::max_node_share(*session);
  shares_.resize(static_cast<std::size_t>(session->local_ranks()));
  session->run([&](comm::Rank& rank, int position) {
    const bool is_root = rank.rank() == 0;
    if (is_root) unpack_head(file->next_part(), A, prepared.analysis, report, options);
    api::for_each_factor_option(options, [&]<class Value>(const char*, Value& value) {
      const double known = api::broadcast_from_root(rank, is_root ? static_cast<double>(value) : 0.0);
      if (position == 0 && !is_root) value = static_cast<Value>(known);
    });
    const MatrixFacts known = api::broadcast_from_root(rank, rank.rank() == 0 ? facts() : MatrixFacts{});
    const sparse::FactorPlan plan = api::plan_of(options, known.analysed, ScalarTraits<T>::type);
    if (position == 0) {
      facts_ = known;
      plan_ = std::make_shared<const sparse::FactorPlan>(plan);
    }
    shares_[static_cast<std::size_t>(position)].full = sparse::make_factors<T>(known.analysed.method);
    for (int r = 0; r < rank.size(); ++r) {
      std::vector<comm::Body> parts;
      if (rank.rank() == 0) {
        parts.resize(static_cast<std::size_t>(rank.size()));
        parts[static_cast<std::size_t>(r)] = file->next_part();
      }
      const comm::Body part = comm::collective::scatter(rank, 0, std::move(parts));
      if (rank.rank() == r) shares_[static_cast<std::size_t>(position)].full->unpack(part, plan);
    }
  });
  has_factors_ = has_full_ = true;
  if (session->has_root())
    prepared.prediction = api::report_analysis(api::words_of(A), prepared.analysis, options, report);
  report.precision = api::name(ScalarTraits<T>::type);
  session->write_team(report, options);
  write_factor_report();
  if (!session->has_root()) return;
  if (const std::string unread = api::unread_by_factors(chosen, report); !unread.empty())
    report.unused_options += (report.unused_options.empty() ? "" : ", ") + unread;
}

template <class T>
Factorization<T> load_factors(const std::string& path, const Options& options) {
  using Implementation = typename Factorization<T>::Implementation;
  return public_call(call::load_factors,
                     [&] { return Factorization<T>(make_handle<Implementation>(path, options)); });
}

#define OVERLAPACK_INSTANTIATE(T)                                                                \
  template void Factorization<T>::Implementation::save(const std::string&);                      \
  template Factorization<T>::Implementation::Implementation(const std::string&, const Options&); \
  template Factorization<T> load_factors(const std::string&, const Options&);
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack
