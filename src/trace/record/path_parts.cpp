#include "overlapack/printed.hpp"
#include "overlapack/trace.hpp"

#include <algorithm>
#include <functional>

namespace overlapack::trace {

std::vector<PathPart> parts_of(const std::vector<PathLink>& path) {
  std::vector<PathPart> parts;
  const auto add = [&](const std::string& what, std::string_view kind, double seconds) {
    auto part =
        std::ranges::find_if(parts, [&](const PathPart& p) { return p.what == what && p.kind == kind; });
    if (part == parts.end()) part = parts.insert(part, {.what = what, .kind = std::string(kind)});
    part->seconds += seconds;
    ++part->links;
  };
  for (const PathLink& link : path) {
    const std::string what(name(link.what));
    const double seconds = link.end_s - link.begin_s - link.behind_work_s;
    if (seconds > 0 || link.behind_work_s == 0) add(what, link.kind, seconds);
    if (link.behind_work_s > 0) add(what + " behind work", link.kind, link.behind_work_s);
  }
  const double all = path.empty() ? 0 : path.back().end_s - path.front().begin_s;
  for (PathPart& part : parts) part.share = all > 0 ? part.seconds / all : 0;
  std::ranges::stable_sort(parts, std::ranges::greater(), &PathPart::seconds);
  return parts;
}

std::string path_table(const std::vector<PathPart>& parts) {
  std::string table = printed("%12s %7s %8s  %s\n", "seconds", "share", "links", "critical path");
  const auto line = [&](double seconds, double share, std::int64_t links, const std::string& name) {
    table += printed("%12.6f %6.1f%% %8lld  %s\n", seconds, 100 * share, static_cast<long long>(links),
                     name.c_str());
  };
  double seconds = 0, share = 0;
  std::int64_t links = 0;
  for (const PathPart& part : parts) {
    line(part.seconds, part.share, part.links, part.kind.empty() ? part.what : part.what + ": " + part.kind);
    seconds += part.seconds;
    share += part.share;
    links += part.links;
  }
  line(seconds, share, links, "all");
  return table;
}

}  // namespace overlapack::trace
