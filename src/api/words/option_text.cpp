#include "overlapack/option_text.hpp"

#include "api/words/options_table.hpp"
#include "base/public_call.hpp"
#include "overlapack/error.hpp"

namespace overlapack {
namespace {

std::string value_name(const api::OptionEntry& entry) {
  if (api::holds<bool>(entry)) return "";
  if (entry.unit == api::Unit::bytes) return "BYTES";
  if (entry.unit == api::Unit::seconds) return "SECONDS";
  return entry.field.choices.empty() && entry.form.empty() ? "NUMBER" : "NAME";
}

}  // namespace

std::vector<OptionDescription> describe_options() {
  std::vector<OptionDescription> all;
  for (const api::OptionEntry& entry : api::options_table())
    all.push_back({.name = entry.name,
                   .flag = api::flag_of(entry),
                   .help = entry.help,
                   .tier = entry.tier,
                   .source = entry.source,
                   .choices = entry.field.choices,
                   .default_value = api::value_text(Options{}, entry),
                   .range = api::range_text(entry),
                   .value_name = value_name(entry),
                   .commands = api::commands_of(entry.commands),
                   .group = entry.group});
  return all;
}

void set_option(Options& options, std::string_view name, std::string_view text) {
  public_call(call::options, [&] {
    const api::OptionEntry& entry = api::option_named(name);
    Options changed = options;  // a refused value leaves the old one
    api::set_from_text(changed, entry, text);
    options = std::move(changed);
  });
}

}  // namespace overlapack
