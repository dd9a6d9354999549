#!/usr/bin/env bash
# Checks the app's Swift without Xcode, and says what that covers.
# Usage: check.sh. PAYPULSE_MODULES names a folder with the built modules, else they are built first.
set -euo pipefail
cd "$(dirname "$0")/../.."
modules=${PAYPULSE_MODULES:-}
if [ -z "$modules" ]; then
  swift build --quiet --target AppModel
  modules=$(swift build --show-bin-path)/Modules
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
stubs=App/TypeCheck/Stubs
app=(App/*.swift App/Adapters/*.swift App/Views/*.swift)
# As in App/project.yml.
language=(-swift-version 6 -enable-upcoming-feature ExistentialAny)

echo "parsing ${#app[@]} files"
swiftc -frontend -parse "${language[@]}" "${app[@]}"

# In the order of their imports. Swift 5, as the real ones are made for callers of either version.
for module in UIKit AuthenticationServices CryptoKit GoogleSignIn Network SwiftUI; do
  swiftc -swift-version 5 -parse-as-library -emit-module -module-name "$module" -I "$work" \
    -emit-module-path "$work/$module.swiftmodule" "$stubs/$module.swift"
done

echo "type-checking them against App/TypeCheck/Stubs"
swiftc -typecheck -parse-as-library -module-name PayPulse "${language[@]}" -warnings-as-errors \
  -I "$work" -I "$modules" "${app[@]}" "$stubs/AppleOnlyKit.swift"

cat <<'COVERED'
Covered: the syntax of every file; each use of PayPulseKit and AppModel against the real modules; each use of
GoogleSignIn, AuthenticationServices, CryptoKit, Network, UIKit and SwiftUI against the declarations in App/TypeCheck/Stubs;
isolation and Sendable by Swift 6.
Only Xcode can tell: whether those declarations are the SDKs' own in the version you have; code within
`#if canImport(Security)` and the like (Keychain, URLSession); project.yml, Info.plist and linking; how it looks, reads
aloud and behaves on a device; Google's real consent.
COVERED
