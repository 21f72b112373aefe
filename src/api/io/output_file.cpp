#include "api/io/atomic_file.hpp"
#include "base/public_call.hpp"
#include "overlapack/error.hpp"
#include "overlapack/io.hpp"

#include <filesystem>
#include <sstream>

namespace overlapack::io {

void write_file(const std::string& path, const std::function<void(std::ostream&)>& write) {
  named_call(call::write, [&] {
    AtomicFile file(path);
    std::ostringstream text;
    text.exceptions(std::ios_base::badbit);  // throw when the stream runs out of memory
    write(text);
    file.write(text.view());
    file.commit();
  });
}

void require_writable(const std::string& path) {
  public_call(call::write, [&] {
    if (std::filesystem::is_directory(path))
      throw Error(Status::bad_input,
                  "cannot write \"" + path + "\": it is a folder; give the name of a file");
    require_possible(path);
  });
}

}  // namespace overlapack::io
