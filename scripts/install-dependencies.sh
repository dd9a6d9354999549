#!/usr/bin/env bash
# Installs what PayPulse needs from Debian, and says what it does. Usage: install-dependencies.sh build|test|bench ...
#   build: the C libraries   test: also Python, Chromium and what the acceptance tests run   bench: also nginx, wrk and strace
set -euo pipefail
cd "$(dirname "$0")/.."

packages=()
for purpose in "$@"; do
  case "$purpose" in
    build) packages+=(make pkg-config curl libssl-dev libcrypt-dev libcurl4-openssl-dev libsqlite3-dev) ;;
    test) packages+=(python3 python3-venv openssl chromium chromium-driver zip ca-certificates) ;;
    bench) packages+=(nginx-light wrk sqlite3 strace) ;;
    *) echo "unknown purpose: $purpose" >&2; exit 2 ;;
  esac
done

command -v swift >/dev/null || { echo "The Swift toolchain (6.2 or newer) is missing: see https://www.swift.org/install/" >&2; exit 1; }

missing=()
for package in "${packages[@]}"; do
  dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q '^install ok installed$' || missing+=("$package")
done
if [ "${#missing[@]}" -gt 0 ]; then
  echo "installing: ${missing[*]}"
  as_root=()
  if [ "$(id -u)" != 0 ]; then
    command -v sudo >/dev/null || { echo "there is no sudo: have these packages installed by root, then repeat" >&2; exit 1; }
    as_root=(sudo)
  fi
  "${as_root[@]}" apt-get update -qq
  DEBIAN_FRONTEND=noninteractive "${as_root[@]}" apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
fi

# environment FOLDER REQUIREMENTS: a Python environment with exactly these packages
environment() {
  if [ ! -x "$1/bin/python" ]; then python3 -m venv "$1"; fi
  local stamp=$1/requirements.sha256 wanted
  wanted=$(sha256sum "$2" | cut -d' ' -f1)
  if [ "$(cat "$stamp" 2>/dev/null)" != "$wanted" ]; then
    echo "installing the Python packages of $2 into $1"
    "$1/bin/python" -m pip install --quiet --disable-pip-version-check -r "$2"
    echo "$wanted" > "$stamp"
  fi
}

# AWS's runtime interface emulator is a program inside the package of AWS SAM's command line.
lambda_emulator() {
  local emulator package
  emulator=.venv/rie/aws-lambda-rie-$(uname -m | sed s/aarch64/arm64/)
  if [ ! -x "$emulator" ]; then
    echo "taking AWS's runtime interface emulator out of its package"
    package=$(mktemp -d)
    .venv/bin/python -m pip download --quiet --disable-pip-version-check --no-deps --require-hashes \
      --dest "$package" -r acceptance/aws/emulator.txt
    mkdir -p .venv/rie
    .venv/bin/python -m zipfile -e "$package"/aws_sam_cli-*.whl "$package"
    install -m 755 "$package/samcli/local/rapid/$(basename "$emulator")" "$emulator"
    rm -rf "$package"
  fi
}

case " $* " in *" test "* | *" bench "*)
  environment .venv acceptance/requirements.txt
  lambda_emulator ;;
esac
# checkov wants other versions of what the acceptance tests want.
case " $* " in *" test "*) environment .venv-checkov acceptance/requirements-checkov.txt ;; esac
