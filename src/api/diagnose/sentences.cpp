#include "api/diagnose/sentences.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <string_view>

namespace overlapack {
namespace api {

template <class Name>
std::string ModelNames::list(std::span<const Index> which, Name&& name) {
  constexpr std::size_t shown = 4;
  std::string text;
  for (std::size_t k = 0; k < std::min(which.size(), shown); ++k) {
    text += k == 0 ? "" : k + 1 == which.size() ? " and " : ", ";
    text += name(which[k]);
  }
  return which.size() > shown ? text + " and " + std::to_string(which.size() - shown) + " more" : text;
}

std::string ModelNames::unknowns(std::span<const Index> which) const {
  return list(which, [this](Index i) { return unknown(i); });
}
std::string ModelNames::equations(std::span<const Index> which) const {
  return list(which, [this](Index i) { return equation(i); });
}

}  // namespace api

namespace {

constexpr std::array<std::string_view, 8> kind_names{
    "empty_unknown", "empty_equation",      "too_many_equations", "too_few_equations",
    "free_unknowns", "dependent_equations", "weak_unknowns",      "uneven_scale"};

/// Break a text between words into lines of at most `width` characters.
std::string wrapped(const std::string& text, std::size_t width, const std::string& indent) {
  std::string lines = indent;
  std::size_t used = indent.size(), at = 0;
  while (at < text.size()) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    if (used > indent.size() && used + 1 + end - at > width) {
      lines += "\n" + indent;
      used = indent.size();
    } else if (used > indent.size()) {
      lines += ' ';
      ++used;
    }
    lines.append(text, at, end - at);
    used += end - at;
    at = end + 1;
  }
  return lines + "\n";
}

}  // namespace

std::string table_of(const Diagnosis& diagnosis) {
  constexpr std::size_t width = 100;
  std::string table;
  std::size_t number = 0;
  for (const Finding& finding : diagnosis.findings) {
    table += std::to_string(++number) + ". " + (finding.is_fault ? "fault: " : "note: ") +
             std::string(kind_names[static_cast<std::size_t>(finding.kind)]) + "\n";
    table += wrapped(finding.what, width, "   ");
    if (!finding.remedy.empty()) table += wrapped("-> " + finding.remedy, width, "   ");
  }
  if (diagnosis.findings.empty()) return "nothing wrong was found: the matrix is not singular\n";
  return diagnosis.is_sound() ? table + "no fault was found: the matrix is not singular\n" : table;
}

std::string to_json(const Diagnosis& diagnosis) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const Finding& finding : diagnosis.findings)
    list.push_back({{"kind", kind_names[static_cast<std::size_t>(finding.kind)]},
                    {"is_fault", finding.is_fault},
                    {"unknowns", finding.unknowns},
                    {"equations", finding.equations},
                    {"change", finding.change},
                    {"share", finding.share},
                    {"what", finding.what},
                    {"remedy", finding.remedy}});
  return nlohmann::ordered_json{{"sound", diagnosis.is_sound()}, {"findings", list}}.dump();
}

}  // namespace overlapack
