#include "api/run/session.hpp"
#include "api/sparse/factor_file.hpp"
#include "api/sparse/pattern_analysis.hpp"
#include "api/words/analysis_options.hpp"
#include "base/public_call.hpp"
#include "overlapack/environment.hpp"
#include "overlapack/io.hpp"
#include "sparse/factors/analysis_packing.hpp"

#include <span>
#include <string>

/// Analyses written to a file and read from it.
namespace overlapack {
namespace {

/// The figures that the file holds beside the analysis. They are written as one block.
struct KeptFigures {
  api::MatrixWords matrix;
  std::uint64_t pattern_sum = 0, value_sum = 0;
  double matching_share = 1, analysis_s = 0, analysis_cpu_s = 0, analysis_path_s = 0;
};

comm::Body packed_analysis(const PatternAnalysis::Implementation& kept) {
  sparse::Packing packing;
  packing.add_value(KeptFigures{kept.matrix, kept.pattern_sum, kept.value_sum, kept.matching_share,
                                kept.report.analysis_s, kept.report.analysis_cpu_s,
                                kept.report.analysis_path_s});
  const std::string options = api::analysis_options_json(kept.options);
  packing.add(std::span<const char>(options));
  packing.add(std::span<const char>(kept.report.hint));
  sparse::pack_analysis_for_factors(packing, kept.analysis);
  return std::move(packing).body();
}

/// Unpack an analysis. options: the options of the engine that will run factorisations by it
PatternAnalysis::Implementation unpacked_analysis(const comm::Body& body, const Options& options) {
  sparse::Unpacking unpacking(body);
  PatternAnalysis::Implementation kept;
  const auto figures = unpacking.next_value<KeptFigures>();
  kept.matrix = figures.matrix;
  kept.pattern_sum = figures.pattern_sum;
  kept.value_sum = figures.value_sum;
  kept.matching_share = figures.matching_share;
  const auto next_text = [&] {
    const auto text = unpacking.next<char>();
    return std::string(text.begin(), text.end());
  };
  kept.options = options_from_json(next_text());
  kept.report.hint = next_text();
  kept.report.analysis_s = figures.analysis_s;
  kept.report.analysis_cpu_s = figures.analysis_cpu_s;
  kept.report.analysis_path_s = figures.analysis_path_s;
  kept.analysis = sparse::unpack_analysis_for_factors(unpacking);
  const Options used = api::with_analysis_options(options, kept.options);
  api::describe_run(kept.report, api::report_analysis(kept.matrix, kept.analysis, used, kept.report), used);
  return kept;
}

}  // namespace

void PatternAnalysis::save(const std::string& path) const {
  if (!implementation_) return;
  public_call(call::save, [&] {
    const Implementation& kept = *implementation_;
    io::write_file(path, [&](std::ostream& out) {
      api::write_header(out, {.magic = api::file_of_analysis.magic,
                              .version = api::file_of_analysis.version,
                              .type = static_cast<std::uint32_t>(kept.matrix.type),
                              .ranks = 1});
      api::write_part(out, packed_analysis(kept));
    });
  });
}

PatternAnalysis load_analysis(const std::string& path, const Options& options) {
  return public_call(call::load_analysis, [&] {
    std::shared_ptr<const PatternAnalysis::Implementation> kept;
    api::check_options_together(options);
    from_first_process(options, [&] {
      api::FactorFile file(path, api::file_of_analysis);
      kept = std::make_shared<const PatternAnalysis::Implementation>(
          unpacked_analysis(file.next_part(), options));
      return 0;
    });
    return PatternAnalysis(std::move(kept));
  });
}

}  // namespace overlapack
