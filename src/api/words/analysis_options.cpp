#include "api/words/analysis_options.hpp"

#include "api/words/options_table.hpp"
#include "overlapack/error.hpp"

#include <nlohmann/json.hpp>

namespace overlapack::api {

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
    throw Error(Status::bad_plan, what + "; give it to analyse, or leave it out");
  };
  Options options = given;
  for (const OptionEntry& entry : options_table()) {
    if (!entry.shapes_analysis) continue;
    const OptionValue own = entry.field.get(analysed);
    if (!entry.field.is_default(given) && entry.field.get(given) != own)
      refuse(kind_and_name(entry) + " is " + value_text(given, entry) + ", but the analysis was made with " +
             value_text(analysed, entry));
    entry.field.set(options, own);
  }
  if (!given.sparse.user_order.empty() && given.sparse.user_order != analysed.sparse.user_order)
    refuse("user_order is another one than that of the analysis");
  options.sparse.user_order = analysed.sparse.user_order;
  if (!given.sparse.signs.empty() && given.sparse.signs != analysed.sparse.signs)
    refuse("signs are others than those of the analysis");
  options.sparse.signs = analysed.sparse.signs;
  return options;
}

}  // namespace overlapack::api
