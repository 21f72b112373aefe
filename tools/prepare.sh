# shellcheck shell=bash
# Sourced by ./quickstart and ./test: what the system lacks, the virtual environment, the installed package.
# Works as any user where the packages are there already; installs them with apt-get as root or through sudo.
export PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_INPUT=1 PIP_NO_COMPILE=1 DEBIAN_FRONTEND=${DEBIAN_FRONTEND:-noninteractive}

say() { printf '\n== %s\n' "$*"; }
stop() { printf '\n%s\n' "$*" >&2; exit 1; }

# --- packages of the system ------------------------------------------------------------------------------------

missing=() probes=()

# need PACKAGE COMMAND...: note the package as missing unless the command succeeds.
need() {
  local package=$1
  shift
  "$@" >/dev/null 2>&1 || { missing+=("$package"); probes+=("$*"); }
}

has_command() { command -v "$1"; }
has_header() { printf '#include <%s>\n' "$1" | g++ -std=c++20 -E -x c++ - -o /dev/null; }
has_library() { printf 'int main() {}\n' | g++ -x c++ - "$1" -o /dev/null; }
has_cxx20() { printf '#include <span>\nstd::span<int> s;\nint main() {}\n' | g++ -std=c++20 -x c++ - -o /dev/null; }
has_venv() { python3 -c 'import venv, ensurepip'; }
has_python_headers() { test -f "$(python3 -c 'import sysconfig; print(sysconfig.get_path("include"))')/Python.h"; }

need_for_build() {
  need ca-certificates has_certificates
  need g++ has_cxx20
  need python3-venv has_venv
  need python3-dev has_python_headers
  need libmetis-dev has_header metis.h
  need libsuitesparse-dev has_suitesparse
  need zlib1g-dev has_header zlib.h
  need libcli11-dev has_header CLI/CLI.hpp
  need nlohmann-json3-dev has_header nlohmann/json.hpp
}
has_certificates() { [ -s /etc/ssl/certs/ca-certificates.crt ] || [ ! -d /etc/apt ]; }
has_suitesparse() { has_header suitesparse/amd.h || has_header amd.h; }

# install_missing: apt-get what `need` noted; a sentence with the command where that cannot be done.
install_missing() {
  [ ${#missing[@]} -eq 0 ] && { echo "all system packages are there"; return; }
  command -v apt-get >/dev/null ||
    stop "Missing on this system: ${missing[*]} (Debian's names). Install their counterparts with your package manager and run this again."
  may_install ||
    stop "Missing packages, and this user may not install them. Ask for:  apt-get install -y --no-install-recommends ${missing[*]}"
  update_lists
  echo "installing with apt-get: ${missing[*]}"
  local unknown
  unknown=$(for package in "${missing[@]}"; do apt-cache show "$package" >/dev/null 2>&1 || echo "$package"; done)
  [ -z "$unknown" ] ||
    stop "apt does not know: $(echo $unknown). On Ubuntu they are in \"universe\" (add-apt-repository universe), on Debian in \"main\"; then run this again."
  logged apt install_with_apt "${missing[@]}" ||
    stop "apt-get could not install ${missing[*]}; its output is in build/apt.log. $(why apt) Then run this again."
  require_found
  missing=() probes=()
}

# What is installed now is found, unless the first Python or compiler in PATH is another one than the system's.
require_found() {
  local i unseen=()
  for i in "${!missing[@]}"; do
    # shellcheck disable=SC2086
    ${probes[i]} >/dev/null 2>&1 || unseen+=("${missing[i]}")
  done
  [ ${#unseen[@]} -eq 0 ] ||
    stop "Installed, but not found by $(command -v python3) and $(command -v g++): ${unseen[*]}. Try the system's own:  PATH=/usr/bin:\$PATH $0"
}

# An installation that was cut off before is ended first: apt-get asks for that and does nothing else.
install_with_apt() {
  as_root dpkg --configure -a && as_root apt-get install -y -q --no-install-recommends "$@"
}

# install_optional: the noted packages that can be had; a line about the others.
install_optional() {
  [ ${#missing[@]} -eq 0 ] && return
  local wanted=("${missing[@]}") package
  missing=() probes=()
  if command -v apt-get >/dev/null && may_install; then
    update_lists
    for package in "${wanted[@]}"; do
      if apt-cache show "$package" >/dev/null 2>&1; then missing+=("$package") probes+=(true); else echo "not to be had here: $package"; fi
    done
    [ ${#missing[@]} -eq 0 ] || install_missing
  else
    echo "going on without: ${wanted[*]}"
  fi
}

# Root, or sudo without a password, or with one that a person can type.
may_install() { [ "$(id -u)" -eq 0 ] || { command -v sudo >/dev/null && { sudo -n true 2>/dev/null || [ -t 0 ]; }; }; }
as_root() { if [ "$(id -u)" -eq 0 ]; then "$@"; else sudo "$@"; fi; }
lists_updated=no
update_lists() {
  [ $lists_updated = yes ] && return
  logged apt-update as_root apt-get update -q ||
    stop "apt-get update failed; its output is in build/apt-update.log. $(why apt-update) Then run this again."
  lists_updated=yes
}

# --- running things ---------------------------------------------------------------------------------------------

# begin MEGABYTES: a computer that overlapack runs on, one run at a time in this folder, and room for what it builds.
begin() {
  require_platform
  mkdir -p build 2>/dev/null && [ -w build ] || stop "This folder cannot be written to: $PWD. Copy overlapack to a folder of yours."
  exec 9>build/.running
  ! command -v flock >/dev/null || flock -n 9 || stop "Another ./quickstart or ./test is at work in this folder. Wait for its end."
  local free
  free=$(free_megabytes)
  [ -d build/release ] || [ -d build/quick ] || [ "$free" -ge "$1" ] ||
    stop "The disk is too full: $1 MB are needed in $PWD, $free MB are free. Make room and run this again."
}
require_platform() {
  local machine
  [ "$(uname -s)" = Linux ] || stop "overlapack runs on Linux; this is $(uname -s). Use a container or a virtual machine with Debian."
  machine=$(uname -m)
  [ "$machine" = x86_64 ] || [ "$machine" = aarch64 ] || stop "overlapack runs on x86-64 and aarch64; this is $machine. Use another computer."
  [ "$(getconf LONG_BIT 2>/dev/null || echo 64)" = 64 ] || stop "overlapack needs 64 bits; this system's programs have 32. Use a 64-bit Linux."
  ! ldd --version 2>&1 | grep -qi musl ||
    stop "overlapack is built with glibc; the C library of this system is musl, as in Alpine Linux. Use a container with Debian:  docker run -it debian"
}
free_megabytes() { df -Pm . | awk 'NR == 2 {print $4}'; }

# logged NAME COMMAND...: output goes to build/NAME.log; on failure its errors and its end are shown.
logged() {
  local log=build/$1.log
  shift
  "$@" >"$log" 2>&1 </dev/null && return
  show_failure "$log"
  return 1
}
show_failure() {
  grep -E -A6 'error:|Error:|CMake Error|FAILED' "$1" | head -60
  tail -8 "$1"
}

# why LOG: what probably went wrong, in a sentence.
why() {
  if [ "$(free_megabytes)" -lt 50 ] || grep -q 'No space left on device' "build/$1.log"; then
    echo "The disk is full: make room."
  elif grep -qiE 'Killed signal|out of memory|cannot allocate memory' "build/$1.log"; then
    echo "Memory ran out: close other programs, or set CMAKE_BUILD_PARALLEL_LEVEL=1 before."
  elif grep -qiE 'could not resolve|temporary failure|connection (refused|timed out|failed|broken)|network is unreachable|failed to fetch|NewConnectionError' "build/$1.log"; then
    echo "There seems to be no network: connect, or set a proxy."
  elif grep -qiE 'could not get lock|unable to acquire' "build/$1.log"; then
    echo "Another installation is at work: wait for its end."
  else
    echo "The lines above say why."
  fi
}

# with_progress COMMAND...: runs a build, shows how much of it is done and about how long the rest takes; to build/build.log.
with_progress() {
  local begun=$SECONDS shown=-1 line done total percent text
  { NINJA_STATUS='[%f/%t] ' "$@" 2>&1 </dev/null || echo "failed" >build/.failed; } | tee build/build.log | while IFS= read -r line; do
    [[ $line =~ ^\[([0-9]+)/([0-9]+)\]\  ]] || continue
    done=${BASH_REMATCH[1]} total=${BASH_REMATCH[2]} percent=$((100 * BASH_REMATCH[1] / BASH_REMATCH[2]))
    text="compiled $done of $total"
    [ $((SECONDS - begun)) -lt 10 ] || text+=", $(in_words $(((SECONDS - begun) * (total - done) / done))) left"
    if [ -t 1 ]; then printf '\r%-50s' "$text"; elif [ $((percent / 10)) -gt "$shown" ]; then echo "$text"; fi
    shown=$((percent / 10))
  done
  [ ! -t 1 ] || echo
  [ ! -e build/.failed ] && return
  rm build/.failed
  show_failure build/build.log
  return 1
}
in_words() { if [ "$1" -ge 90 ]; then echo "about $((($1 + 30) / 60)) min"; else echo "about $1 s"; fi; }

# --- the virtual environment, the build and the package ----------------------------------------------------------

venv=.venv
# What the package is built with, beside the tools for it; its BLAS is installed with it (docs/decisions/0028-kernels-for-the-processor.md).
package_tools=("scikit-build-core>=0.11" "nanobind>=2.0" "scipy-openblas32>=0.3.30")
blas=scipy-openblas32

# prepare_venv REQUIREMENT...: make .venv and install what this script has not put there yet.
prepare_venv() {
  local mine=$venv/.made_for_overlapack
  if [ -e $venv ] && [ ! -e $mine ] && [ ! -e $venv/.requirements ]; then
    stop "There is a .venv here that ./quickstart did not make, and it is left alone. Move it away, or install into it yourself: .venv/bin/pip install ."
  fi
  if ! is_whole_venv; then  # none yet, cut off while it was made, moved, or its Python is gone
    rm -rf $venv
    mkdir $venv
    touch $mine
    logged venv python3 -m venv $venv || stop "python3 -m venv failed; its output is in build/venv.log. $(why venv)"
  fi
  touch $mine
  if ! is_recent_pip; then  # of an older system's Python
    echo "pip install --upgrade pip"
    logged pip-upgrade $venv/bin/python -m pip install --upgrade pip ||
      stop "the pip in $venv is too old and could not be renewed; its output is in build/pip-upgrade.log. $(why pip-upgrade) Then run this again."
  fi
  local done=$venv/.requirements requirement wanted=()
  for requirement in "$@"; do
    grep -qxF "$requirement" $done 2>/dev/null || wanted+=("$requirement")
  done
  [ ${#wanted[@]} -eq 0 ] && return
  echo "pip install ${wanted[*]}"
  logged pip $venv/bin/python -m pip install "${wanted[@]}" ||
    stop "pip could not install them; its output is in build/pip.log. $(why pip) Then run this again."
  printf '%s\n' "${wanted[@]}" >>$done
}
# prepare_if_possible REQUIREMENT: the same of one that is not compiled here; a line where it cannot be had.
prepare_if_possible() {
  grep -qxF "$1" $venv/.requirements && return
  echo "pip install $1"
  if logged "pip-$1" $venv/bin/python -m pip install --only-binary :all: "$1"; then
    echo "$1" >>$venv/.requirements
  else
    echo "going on without $1"
  fi
}
is_whole_venv() { [ "$($venv/bin/python -c 'import pip, sys; print(sys.prefix)' 2>/dev/null)" -ef $venv ]; }
# The first with --config-settings is 22.1.
is_recent_pip() { $venv/bin/python -c 'import pip, sys; sys.exit([int(v) for v in pip.__version__.split(".")[:2]] < [22, 1])' 2>/dev/null; }

# build_tools: what pip has to bring because the system has none, or one that is too old.
build_tools() {
  local version
  version=$(cmake --version 2>/dev/null | sed -n 's/^cmake version //p')
  [ -n "$version" ] && printf '3.21\n%s\n' "$version" | sort -CV || echo "cmake>=3.21"
  command -v ninja >/dev/null || echo ninja
}

# The tools of .venv come first; objects are shared between checkouts where ccache is there.
use_tools() {
  export PATH=$PWD/$venv/bin:$PATH
  command -v ccache >/dev/null || return 0
  export CMAKE_CXX_COMPILER_LAUNCHER=ccache CCACHE_BASEDIR=${CCACHE_BASEDIR-$PWD} CCACHE_NOHASHDIR=1
}

# Two trees, of which a computer mostly has one (docs/decisions/0034-quick-build.md): build/release, of the package and the tests, and
# build/quick, of the package alone, for ./quickstart where the other is not there.
tree=build/release

# choose_tree: for a package without tests.
choose_tree() {
  [ -f build/release/CMakeCache.txt ] || tree=build/quick
}

# configure ON|OFF: with tests or without; in build/release those once on stay on, so that each source is compiled once. CMake asks
# anew each time which MPI, SimGrid and so on are there; what they need is added, the rest stays.
configure() {
  tests=$1
  if grep -q '^OVERLAPACK_TESTS:BOOL=ON' $tree/CMakeCache.txt 2>/dev/null && has_header gtest/gtest.h 2>/dev/null; then tests=ON; fi
  unit=8
  [ $tree = build/release ] || unit=$(sources_at_once)
  logged configure cmake --preset ${tree#build/} -DOVERLAPACK_PYTHON=ON -DOVERLAPACK_TESTS=$tests -DOVERLAPACK_BLAS=$blas \
    -DCMAKE_UNITY_BUILD_BATCH_SIZE=$unit -DPython_EXECUTABLE="$PWD/$venv/bin/python" -DPython3_EXECUTABLE="$PWD/$venv/bin/python" ||
    stop "cmake failed; its output is in build/configure.log. If it speaks of what was here before, remove the folder build."
}

# A compiler takes 1.5 GB for 48 sources, and 0.8 GB for 12.
sources_at_once() { if [ "$(free_memory)" -ge 3500 ]; then echo 48; else echo 12; fi; }
compilers_at_once() {
  local each=1500 fitting
  [ "$unit" = 48 ] || each=800
  fitting=$(($(free_memory) / each))
  [ $fitting -lt "$(nproc)" ] || fitting=$(nproc)
  echo $((fitting > 0 ? fitting : 1))
}
free_memory() { awk '/^MemAvailable/ {print int($2 / 1024)}' /proc/meminfo; }

# build TARGET...: compile and link them; build_in TREE TARGET...: in that tree.
build() {
  [ $tree = build/release ] || export CMAKE_BUILD_PARALLEL_LEVEL=${CMAKE_BUILD_PARALLEL_LEVEL:-$(compilers_at_once)}
  build_in $tree "$@"
}
build_in() {
  with_progress cmake --build "$1" --target "${@:2}" ||
    stop "the build failed; its output is in build/build.log. $(why build)"
}

# install_package: overlapack into .venv, if anything of it has changed since the last time.
install_package() {
  local stamp=$venv/.overlapack
  if [ -f $stamp ] && [ -z "$(find $tree/python $tree/cli $tree/lib python/overlapack pyproject.toml \
      -maxdepth 2 -type f \( -name '*.so' -o -name overlapack -o -name '*.py*' -o -name '*.toml' \) -newer $stamp -print -quit)" ]; then
    echo "the installed package is up to date"
    return
  fi
  touch build/.begun
  logged pip-install $venv/bin/python -m pip install -v --no-build-isolation --no-deps --force-reinstall \
    --config-settings=build-dir=$tree --config-settings=cmake.define.OVERLAPACK_TESTS=$tests \
    --config-settings=cmake.define.CMAKE_UNITY_BUILD_BATCH_SIZE=$unit \
    --config-settings=cmake.define.OVERLAPACK_BLAS=$blas . ||
    stop "the package could not be installed; the output is in build/pip-install.log. $(why pip-install)"
  touch -r build/.begun $stamp
}

# wheel_that_fits: one of dist/ (tools/wheel) for this Python, newer than all that it is made of; nothing where there is none.
wheel_that_fits() {
  compgen -G 'dist/overlapack-*.whl' >/dev/null || return 0
  $venv/bin/python tools/fitting_wheel.py dist
}

# install_wheel FILE: instead of compiling, unless what was installed is newer still.
install_wheel() {
  local stamp=$venv/.overlapack
  if [ $stamp -nt "$1" ]; then
    echo "the installed package is up to date"
    return
  fi
  echo "installing $1, which is newer than all sources, instead of compiling them"
  logged pip-install $venv/bin/python -m pip install --no-deps --force-reinstall "$1" ||
    stop "the wheel could not be installed; the output is in build/pip-install.log. $(why pip-install) Or move $1 away, and run this again."
  touch $stamp
}

# tested_state: what tests depend on, as one word: every file of the project and what was built of it, the packages of the system.
tested_state() {
  { find . \( -path ./build -o -path ./$venv -o -path ./.git -o -name __pycache__ -o -name out -o -name .pytest_cache \) -prune -o -type f -printf '%p %s %T@\n'
    find build/release -name CMakeFiles -prune -o -type f \( -perm -u+x -o -name '*.so*' \) -printf '%p %s %T@\n'
    stat -c '%n %s %Y' /var/lib/dpkg/status $venv/.overlapack $venv/.requirements 2>/dev/null; } | sort | sha256sum
}
