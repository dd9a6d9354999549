#!/usr/bin/env bash
# Builds the documentation of PayPulseKit with the toolchain's docc; a warning is an error.
# Usage: documentation.sh [OUTPUT]. PAYPULSE_MODULES names a folder with the built modules, else they are built first.
set -euo pipefail
cd "$(dirname "$0")/.."
output=${1:-.build/documentation}
modules=${PAYPULSE_MODULES:-}
if [ -z "$modules" ]; then
  swift build --quiet --target PayPulseKit
  modules=$(swift build --show-bin-path)/Modules
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
triple=$(swiftc -print-target-info | sed -n 's/.*"unversionedTriple": "\(.*\)".*/\1/p' | head -n 1)
mkdir "$work/symbols"
swift-symbolgraph-extract -module-name PayPulseKit -I "$modules" -target "$triple" -output-dir "$work/symbols" \
  -minimum-access-level public -skip-synthesized-members
docc convert Sources/PayPulseKit/PayPulseKit.docc --additional-symbol-graph-dir "$work/symbols" \
  --output-dir "$output" --fallback-bundle-identifier io.paypulse.kit --fallback-default-module-kind Library \
  --warnings-as-errors
echo "documentation in $output: index.html wants a web server, as in: python3 -m http.server -d $output"
