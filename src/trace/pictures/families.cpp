#include "trace/pictures/families.hpp"

#include <algorithm>
#include <map>

namespace overlapack::trace {
namespace {

constexpr std::array<FamilyLook, family_count> looks{{{"analysis", "#925ec8", "#ffffff"},
                                                      {"small parts, whole", "#577e62", "#ffffff"},
                                                      {"panels and pivots", "#0044a4", "#ffffff"},
                                                      {"products of blocks", "#56b4e9", "#000000"},
                                                      {"adding, moving entries", "#f8ed22", "#000000"},
                                                      {"solving", "#713142", "#ffffff"},
                                                      {"residual, refinement", "#afa9b1", "#000000"},
                                                      {"other computing", "#90a579", "#000000"},
                                                      {"messages", "#e69f00", "#000000"},
                                                      {"waiting", "#d55e00", "#000000"},
                                                      {"idle or not recorded", "#e4e4e4", "#000000"}}};

struct KindOfFamily {
  std::string_view kind;
  Family family;
};
constexpr KindOfFamily kinds[] = {
    {"analysis", Family::analysis}, {"subtree", Family::parts},      {"columns", Family::parts},
    {"panel", Family::panels},      {"diagonal", Family::panels},    {"trsm", Family::panels},
    {"lower", Family::panels},      {"strip_solve", Family::panels}, {"compress", Family::panels},
    {"update", Family::products},   {"gemm", Family::products},      {"strip_gemm", Family::products},
    {"products", Family::products}, {"reflect", Family::products},   {"slices of others", Family::products},
    {"assemble", Family::entries},  {"extend_add", Family::entries}, {"deal", Family::entries},
    {"swap", Family::entries},      {"copy", Family::entries},       {"forward", Family::solves},
    {"backward", Family::solves},   {"solve", Family::solves},       {"sweep", Family::solves},
    {"gradients", Family::solves},  {"residual", Family::checks},    {"refine", Family::checks},
    {"rest", Family::wait}};

Family family_of_what(What what) {
  switch (what) {
    case What::compute:
      return Family::other;
    case What::wait:
      return Family::wait;
    case What::disk:  // overlaps the others
      return Family::idle;
    default:
      return Family::messages;
  }
}

double& seconds_of_family(FamilySeconds& seconds, Family family) {
  return seconds[static_cast<std::size_t>(family)];
}

}  // namespace

const FamilyLook& look_of(Family family) { return looks[static_cast<std::size_t>(family)]; }

Family family_of(const Event& event) {
  if (event.what == What::compute)
    for (const KindOfFamily& k : kinds)
      if (k.kind == event.kind) return k.family;
  return family_of_what(event.what);
}

Event analysis_event(const Timeline& timeline) {
  return {.begin_s = timeline.begin_s() - timeline.analysis_s(),
          .end_s = timeline.begin_s(),
          .what = What::compute,
          .kind = "analysis"};
}

double elapsed_s(const Timeline& timeline) {
  return timeline.end_s() - timeline.begin_s() + timeline.analysis_s();
}

std::vector<FamilySeconds> family_seconds(const Timeline& timeline, double elapsed_s) {
  std::vector<FamilySeconds> seconds(timeline.totals().size());
  std::map<int, FamilySeconds*> of_rank;
  for (std::size_t k = 0; k < seconds.size(); ++k) {
    const Totals& t = timeline.totals()[k];
    of_rank[t.rank] = &seconds[k];
    seconds_of_family(seconds[k], Family::analysis) =
        timeline.analysis_s();  // done by rank 0 while the others wait
    if (!timeline.events().empty()) continue;
    for (std::size_t w = 0; w < what_count; ++w)
      if (static_cast<What>(w) != What::disk)
        seconds_of_family(seconds[k], family_of_what(static_cast<What>(w))) += t.time_s[w];
  }
  for (const Event& e : timeline.events())
    if (e.what != What::disk) seconds_of_family(*of_rank.at(e.rank), family_of(e)) += e.end_s - e.begin_s;
  for (FamilySeconds& mine : seconds) {
    double recorded = 0;
    for (const double s : mine) recorded += s;
    seconds_of_family(mine, Family::idle) += std::max(0.0, elapsed_s - recorded);
  }
  return seconds;
}

}  // namespace overlapack::trace
