#include "plan.hpp"

#include "api/dense/dense_plan.hpp"
#include "api/words/option_use.hpp"
#include "api/words/options_table.hpp"
#include "dense/lu/lu.hpp"
#include "overlapack/error.hpp"
#include "overlapack/export.hpp"
#include "overlapack_scalapack.h"

#include <nlohmann/json.hpp>

#include <fstream>
#include <iterator>

namespace overlapack::scalapack {
namespace {

/// A hash of the text, by FNV-1a.
std::int64_t hash(std::string_view text) {
  std::uint64_t value = 14695981039346656037u;
  for (const unsigned char c : text) value = (value ^ c) * 1099511628211u;
  return static_cast<std::int64_t>(value >> 2);  // has a negative, too
}

/// Run `set`. Returns 0 or, if it throws, 1; the error's message is stored.
template <class Set>
int run_and_store_error(Set set) {
  try {
    session().message.clear();
    set();
    return 0;
  } catch (...) {
    session().message = error_of(std::current_exception()).what();
    return 1;
  }
}

/// The names of the options that a plan may have, since the caller's layout does not decide them: "schedule, depth and experiment.broadcast".
std::string own_options() {
  std::string text, last;
  for (const api::OptionEntry& entry : api::options_table()) {
    if (!entry.of_distributed_matrix) continue;
    if (!last.empty()) text += (text.empty() ? "" : ", ") + last;
    last = api::full_name(entry);
  }
  return text + " and " + last;
}

/// Check the names in an object of options. Experiments are an object inside it.
void require_own_names(const nlohmann::json& object) {
  for (const auto& [name, value] : object.items()) {
    if (name == api::experiments_key && value.is_object())
      require_own_names(value);
    else if (const auto* entry = api::find_option(name); entry == nullptr || !entry->of_distributed_matrix)
      throw Error(Status::bad_plan, "the plan has \"" + name + "\", but here it may have " + own_options() +
                                        "; grid, blocks and processes are the caller's");
  }
}

void require_own_options(std::string_view json) {
  const auto object = nlohmann::json::parse(json, nullptr, /*allow_exceptions=*/false);
  if (!object.is_object())
    throw Error(Status::bad_plan, "the plan is not a JSON object; give one as {\"schedule\": \"split\"}");
  require_own_names(object);
}

}  // namespace

void set_plan(std::string_view json) {
  require_own_options(json);
  const Options options = options_from_json(json);
  check(options);
  if (!options.dense.discipline)
    throw Error(Status::bad_plan,
                "the plan's discipline is auto, which is chosen where the library distributes the matrix "
                "itself; give "
                "messages, onesided or superstep");
  if (options.dense.schedule == Schedule::hybrid)
    throw Error(Status::bad_plan,
                "the hybrid schedule needs helper threads, which ranks that are processes do not have; "
                "choose schedule "
                "lookahead");
  const std::string unread = api::unused_options(options, Method::dense);
  if (!unread.empty())
    throw Error(Status::bad_plan, "the plan has " + unread + ", which the discipline " +
                                      std::string(to_string(options.dense.discipline)) +
                                      " does not read; leave it out, or choose the discipline that does");
  const dense::LuPlan plan = api::lu_plan(options);
  dense::require_built(plan);
  session().plan = plan;
  session().plan_number = hash(to_json(options));
  session().refusal.clear();
  session().is_planned = true;
}

std::string plan_file(const char* path) {
  std::ifstream file(path);
  if (!file) throw Error(Status::bad_input, std::string("the plan file ") + path + " cannot be read");
  return {std::istreambuf_iterator<char>(file), {}};
}

/// The only session. It is never destroyed, since a program may ask for the counters while it exits.
Session& session() {
  static auto& only = *new Session;
  return only;
}

}  // namespace overlapack::scalapack

using namespace overlapack::scalapack;

extern "C" {

OVERLAPACK_API int64_t overlapack_scalapack_calls() { return session().calls; }
OVERLAPACK_API int64_t overlapack_scalapack_calls_left() { return session().calls_left; }
OVERLAPACK_API const char* overlapack_scalapack_counters() {
  Session& now = session();
  nlohmann::ordered_json object;
  for (const auto& [name, counter] : told_counters) object[name] = now.counters.*counter;
  return (now.counters_text = object.dump()).c_str();
}
OVERLAPACK_API const char* overlapack_scalapack_message() { return session().message.c_str(); }
OVERLAPACK_API int overlapack_scalapack_set_plan(const char* json) {
  return run_and_store_error([&] { set_plan(json); });
}
OVERLAPACK_API int overlapack_scalapack_read_plan(const char* path) {
  return run_and_store_error([&] { set_plan(plan_file(path)); });
}
}
