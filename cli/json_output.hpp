#pragma once
#include <nlohmann/json_fwd.hpp>

#include <string>

namespace overlapack::cli {

/// The text of --json: the object, with the version of overlapack added.
std::string json_text(nlohmann::ordered_json object);
void print_json(nlohmann::ordered_json object);

}  // namespace overlapack::cli
