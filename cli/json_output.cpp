#include "json_output.hpp"

#include "overlapack/environment.hpp"

#include <nlohmann/json.hpp>

#include <cstdio>

namespace overlapack::cli {

std::string json_text(nlohmann::ordered_json object) {
  object["version"] = version();
  return object.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

void print_json(nlohmann::ordered_json object) { std::fputs(json_text(std::move(object)).c_str(), stdout); }

}  // namespace overlapack::cli
