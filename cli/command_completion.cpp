#include "command.hpp"
#include "completion.hpp"
#include "man_page.hpp"
#include "overlapack/error.hpp"
#include "overlapack/io.hpp"

#include <cstdio>
#include <filesystem>

namespace overlapack::cli {
namespace {

namespace fs = std::filesystem;

/// The path below share/ that each shell reads.
constexpr std::pair<const char*, const char*> completion_files[] = {
    {"bash", "bash-completion/completions/overlapack"},
    {"zsh", "zsh/site-functions/_overlapack"},
    {"fish", "fish/vendor_completions.d/overlapack.fish"}};

void write_page(const fs::path& path, const std::string& text) {
  std::error_code failed;
  fs::create_directories(path.parent_path(), failed);
  io::write_file(path.string(), [&](auto& out) { out << text; });
}

int write_share(const fs::path& folder, const std::vector<Command>& commands) {
  for (const auto& [shell, file] : completion_files)
    write_page(folder / file, completion_script(shell, commands));
  write_page(folder / "man/man1/overlapack.1", man_page(commands));
  for (const Command& command : commands)
    if (!command.is_hidden)
      write_page(folder / "man/man1" / ("overlapack-" + command.name + ".1"), man_page(command));
  return exit_ok;
}

}  // namespace

Command completion_command(const std::vector<Command>& commands) {
  auto shell = std::make_shared<std::string>();
  Command command{.name = "completion",
                  .help = "print what bash, zsh or fish completes command lines by",
                  .arguments = {choice_argument("shell", "whose", {"bash", "zsh", "fish"}, *shell, true)},
                  .run = {},
                  .footer =
                      "bash: source <(overlapack completion bash)\n"
                      "zsh:  source <(overlapack completion zsh)\n"
                      "fish: overlapack completion fish | source"};
  std::vector<Command> all = commands;
  all.push_back(command);
  command.run = [shell, all = std::move(all)] {
    std::fputs(completion_script(*shell, all).c_str(), stdout);
    return exit_ok;
  };
  return command;
}

Command share_command(const std::vector<Command>& commands) {
  auto folder = std::make_shared<std::string>();
  return {.name = "share",
          .help = "write the files that belong into share/: manual pages, completions",
          .arguments = {file_argument("folder", "where to", *folder, true)},
          .run = [folder, commands] { return write_share(*folder, commands); },
          .is_hidden = true};
}

}  // namespace overlapack::cli
