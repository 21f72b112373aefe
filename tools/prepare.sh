# shellcheck shell=bash
# Sourced by ./quickstart and ./test: what the system lacks, the virtual environment, the installed package.
# Works as any user where the packages are there already; installs them with apt-get as root or through sudo.
export PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_INPUT=1 DEBIAN_FRONTEND=${DEBIAN_FRONTEND:-noninteractive}

say() { printf '\n== %s\n' "$*"; }
stop() { printf '\n%s\n' "$*" >&2; exit 1; }

# --- packages of the system ------------------------------------------------------------------------------------

missing=()

# need PACKAGE COMMAND...: note the package as missing unless the command succeeds.
need() {
  local package=$1
  shift
  "$@" >/dev/null 2>&1 || missing+=("$package")
}

has_command() { command -v "$1"; }
has_header() { printf '#include <%s>\n' "$1" | g++ -std=c++20 -E -x c++ - -o /dev/null; }
has_library() { printf 'int main() {}\n' | g++ -x c++ - "$1" -o /dev/null; }
has_cxx20() { printf '#include <span>\nstd::span<int> s;\nint main() {}\n' | g++ -std=c++20 -x c++ - -o /dev/null; }
has_python_headers() { test -f "$(python3 -c 'import sysconfig; print(sysconfig.get_path("include"))')/Python.h"; }

need_for_build() {
  need ca-certificates has_certificates
  need g++ has_cxx20
  need python3-venv python3 -c 'import venv, ensurepip'
  need python3-dev has_python_headers
  need libopenblas-dev has_library -lopenblas
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
  logged apt as_root apt-get install -y -q --no-install-recommends "${missing[@]}" ||
    stop "apt-get could not install ${missing[*]}; its output is in build/apt.log"
  missing=()
}

# install_optional: the noted packages that can be had; a line about the others.
install_optional() {
  [ ${#missing[@]} -eq 0 ] && return
  local wanted=("${missing[@]}") package
  missing=()
  if command -v apt-get >/dev/null && may_install; then
    update_lists
    for package in "${wanted[@]}"; do
      if apt-cache show "$package" >/dev/null 2>&1; then missing+=("$package"); else echo "not to be had here: $package"; fi
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
  logged apt-update as_root apt-get update -q || stop "apt-get update failed; its output is in build/apt-update.log"
  lists_updated=yes
}

# logged NAME COMMAND...: output goes to build/NAME.log; on failure its errors and its end are shown.
logged() {
  local log=build/$1.log
  shift
  mkdir -p build
  "$@" >"$log" 2>&1 && return
  grep -E -A6 'error:|Error:|CMake Error|FAILED' "$log" | head -60
  tail -8 "$log"
  return 1
}

# --- the virtual environment and the package in it -------------------------------------------------------------

venv=.venv

# prepare_venv REQUIREMENT...: make .venv and install what this script has not put there yet.
prepare_venv() {
  $venv/bin/pip --version >/dev/null 2>&1 || python3 -m venv --clear $venv  # none yet, or the folder was moved
  local done=$venv/.requirements requirement wanted=()
  for requirement in "$@"; do
    grep -qxF "$requirement" $done 2>/dev/null || wanted+=("$requirement")
  done
  [ ${#wanted[@]} -eq 0 ] && return
  echo "pip install ${wanted[*]}"
  logged pip $venv/bin/pip install "${wanted[@]}" || stop "pip could not install them; its output is in build/pip.log"
  printf '%s\n' "${wanted[@]}" >>$done
}

# build_tools: what pip has to bring because the system has none, or one that is too old.
build_tools() {
  local version
  version=$(cmake --version 2>/dev/null | sed -n 's/^cmake version //p')
  [ -n "$version" ] && printf '3.21\n%s\n' "$version" | sort -CV || echo "cmake>=3.21"
  command -v ninja >/dev/null || echo ninja
}

# install_package: build and install overlapack into .venv; nothing happens where no source has changed since.
install_package() {
  local stamp=$venv/.overlapack
  if [ -f $stamp ] && [ -z "$(find CMakeLists.txt cmake src include cli python pyproject.toml -type f -newer $stamp -print -quit)" ]; then
    echo "the installed package is up to date"
    return
  fi
  [ -f $stamp ] || echo "building overlapack; the first time takes minutes"
  touch $stamp.begun
  logged pip-install $venv/bin/pip install -v --no-build-isolation --no-deps --force-reinstall --config-settings=build-dir=build/python . ||
    stop "the build failed; its output is in build/pip-install.log"
  mv $stamp.begun $stamp
}

# The tools of .venv come first; objects are shared between build folders where ccache is there.
use_tools() {
  export PATH=$PWD/$venv/bin:$PATH
  command -v ccache >/dev/null || return 0
  export CMAKE_CXX_COMPILER_LAUNCHER=ccache CCACHE_BASEDIR=${CCACHE_BASEDIR-$PWD} CCACHE_NOHASHDIR=1
}
