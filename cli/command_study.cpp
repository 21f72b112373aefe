#include "command.hpp"
#include "overlapack/error.hpp"
#include "run_program.hpp"

#include <filesystem>

namespace overlapack::cli {
namespace {

namespace fs = std::filesystem;

/// The folder of the studies: in the installation of the executable, or in the sources.
fs::path studies_folder() {
  std::error_code ignored;
  const fs::path own = fs::read_symlink("/proc/self/exe", ignored).parent_path();
  for (const fs::path& folder : {own / "../share/overlapack/studies", fs::path(OVERLAPACK_STUDIES)})
    if (fs::exists(folder, ignored)) return folder;
  throw Error(Status::bad_plan, "the studies are not installed; run them from overlapack's sources");
}

std::string known_papers(const fs::path& folder) {
  std::string names;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder, ignored))
    if (fs::exists(entry.path() / "study.py", ignored))
      names += (names.empty() ? "" : ", ") + entry.path().filename().string();
  return names;
}

int run_study(const std::string& paper, const std::string& item, const std::vector<std::string>& more) {
  const fs::path folder = studies_folder(), script = folder / paper / "study.py";
  std::error_code ignored;
  if (!fs::exists(script, ignored))
    throw Error(Status::bad_plan,
                "there is no study \"" + paper + "\"; the studies are " + known_papers(folder));
  std::vector<std::string> words{script.string(), item, "--overlapack",
                                 fs::read_symlink("/proc/self/exe", ignored).string()};
  words.insert(words.end(), more.begin(), more.end());
  return run_program("python3", words, "install Python 3, and matplotlib for the plots");
}

}  // namespace

Command study_command() {
  struct Arguments {
    std::string paper, item;
    std::vector<std::string> more;
  };
  auto a = std::make_shared<Arguments>();
  return {
      .name = "study",
      .help = "regenerate a table or figure of a paper beside the paper's own numbers",
      .arguments =
          {text_argument(
               "paper",
               "a folder of studies/: amestoy2001, viet2006, tate2004, horvitz1999, bethune2014, validation",
               a->paper, true),
           text_argument("item", "table3, figure3, ..., several with commas between them, or all", a->item,
                         true)},
      .run = [a] { return run_study(a->paper, a->item, a->more); },
      .footer =
          "Options of the study stand behind --: overlapack study amestoy2001 table3 -- --matrices DIR "
          "--out DIR",
      .rest = &a->more};
}

}  // namespace overlapack::cli
