#include "api/words/analysis_options.hpp"

#include "api/words/options_table.hpp"
#include "overlapack/error.hpp"

#include <nlohmann/json.hpp>

#include <string_view>
#include <utility>

namespace overlapack::api {

namespace {

using Chooses = bool (*)(const OptionEntry&);

bool shapes_analysis(const OptionEntry& entry) { return entry.shapes_analysis; }

bool shapes_factors(const OptionEntry& entry) {
  bool is_one = false;
  const Options any;
  for_each_factor_option(any, [&](std::string_view name, auto) { is_one |= name == entry.name; });
  return is_one;
}

/// kept: "the analysis was made with"
Options with_own_options(const Options& given, const Options& own, Chooses chooses, const std::string& kept,
                         const std::string& advice) {
  Options options = given;
  for (const OptionEntry& entry : options_table()) {
    if (!chooses(entry)) continue;
    const OptionValue its = entry.field.get(own);
    if (!entry.field.is_default(given) && entry.field.get(given) != its)
      throw Error(Status::bad_plan, kind_and_name(entry) + " is " + value_text(given, entry) + ", but " +
                                        kept + " " + value_text(own, entry) + "; " + advice);
    entry.field.set(options, its);
  }
  return options;
}

constexpr const char* give_to_analyse = "give it to analyse (the command plan), or leave it out";

}  // namespace

std::string analysis_options_json(const Options& options) {
  nlohmann::ordered_json all = nlohmann::ordered_json::parse(to_json(options));
  for (const OptionEntry& entry : options_table()) {
    if (entry.shapes_analysis) continue;
    (is_experiment(entry) ? all.at(experiments_key) : all).erase(std::string(entry.name));
  }
  return all.dump();
}

Options with_analysis_options(const Options& given, const Options& analysed) {
  const auto refuse = [](const std::string& what) {
    throw Error(Status::bad_plan, what + "; " + give_to_analyse);
  };
  Options options =
      with_own_options(given, analysed, shapes_analysis, "the analysis was made with", give_to_analyse);
  if (!given.sparse.user_order.empty() && given.sparse.user_order != analysed.sparse.user_order)
    refuse("user_order is another one than that of the analysis");
  options.sparse.user_order = analysed.sparse.user_order;
  if (!given.sparse.signs.empty() && given.sparse.signs != analysed.sparse.signs)
    refuse("signs are others than those of the analysis");
  options.sparse.signs = analysed.sparse.signs;
  return options;
}

std::string unread_by_factors(const Options& given, const Report& report) {
  const std::pair<std::string_view, std::string_view> made[] = {
      {"method", report.method},     {"factorization", report.factorization},
      {"ordering", report.ordering}, {"matching", report.matching},
      {"scaling", report.scaling},   {"factors", report.factors}};
  std::string names;
  for (const OptionEntry& entry : options_table()) {
    if (!shapes_analysis(entry) || shapes_factors(entry) || entry.field.is_default(given)) continue;
    const auto its =
        std::ranges::find(made, entry.name, &std::pair<std::string_view, std::string_view>::first);
    if (its != std::end(made) && its->second == value_text(given, entry)) continue;
    names += (names.empty() ? "" : ", ") + full_name(entry);
  }
  return names;
}

Options with_factor_options(const Options& given, const Options& factorized) {
  return with_own_options(given, factorized, shapes_factors, "the factors of the file were made with",
                          "leave it out");
}

}  // namespace overlapack::api
