#!/usr/bin/env bash
# Packs a built program as a Lambda zip that needs nothing of the system it runs on but a kernel and /bin/sh.
# Usage: package-zip.sh [PROGRAM [ZIP]]
#   PROGRAM  what `make release` built on Debian 12 (default: .build/release/paypulse-lambda)
#   ZIP      where the package goes (default: .build/paypulse-lambda.zip)
#
# Lambda's provided.al2023 has glibc 2.34; our programs and Debian's libraries ask for more. So the zip carries
# Debian's dynamic loader with every library that `ldd` names, and the certificates that Amazon Linux keeps
# elsewhere. For arm64 run it on arm64: nothing here names an architecture.
set -euo pipefail
repository=$(cd "$(dirname "$0")/../.." && pwd)
program=${1:-$repository/.build/release/paypulse-lambda}
package=${2:-$repository/.build/paypulse-lambda.zip}
authorities=/etc/ssl/certs/ca-certificates.crt

for tool in ldd strip zip; do
  command -v "$tool" >/dev/null || { echo "$tool is missing (Debian: libc-bin, binutils, zip)" >&2; exit 1; }
done
[ -x "$program" ] || { echo "$program is not built" >&2; exit 1; }
[ -r "$authorities" ] || { echo "$authorities is missing (Debian: ca-certificates)" >&2; exit 1; }

# `name => path (address)` for a library, `path (address)` for the loader. The kernel's own vdso has no path.
dependencies=$(ldd "$program")
if grep 'not found' <<<"$dependencies" >&2; then exit 1; fi
loader=$(awk '$1 ~ /\/ld-/ {print $1} $3 ~ /\/ld-/ {print $3}' <<<"$dependencies" | head -n 1)
libraries=$(awk '$2 == "=>" && $3 ~ /^\// && $3 !~ /\/ld-/ {print $3}' <<<"$dependencies")

root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
mkdir "$root/lib"
cp -L "$program" "$root/program"
cp -L "$authorities" "$root/lib/ca-certificates.crt"
cp -L "$loader" "$root/lib/ld.so"
while read -r library; do cp -L "$library" "$root/lib/"; done <<<"$libraries"
strip --strip-all "$root/program"
find "$root/lib" -name '*.so*' ! -name ld.so -exec strip --strip-unneeded {} +

cat >"$root/bootstrap" <<'BOOTSTRAP'
#!/bin/sh
# The loader of the package, with the package's libraries and no others; SSL_CERT_FILE is read by the program.
task=${LAMBDA_TASK_ROOT:-/var/task}
SSL_CERT_FILE=${SSL_CERT_FILE:-$task/lib/ca-certificates.crt}
export SSL_CERT_FILE
exec "$task/lib/ld.so" --inhibit-cache --library-path "$task/lib" "$task/program" "$@"
BOOTSTRAP

# The same bytes in, the same zip out: Lambda sees a new version only where there is one.
find "$root" -type d -exec chmod 755 {} +
find "$root" -type f -exec chmod 644 {} +
chmod 755 "$root/bootstrap" "$root/program" "$root/lib/ld.so"
find "$root" -exec touch --date=2000-01-01T00:00:00Z {} +
mkdir -p "$(dirname "$package")"
package=$(cd "$(dirname "$package")" && pwd)/$(basename "$package")
rm -f "$package"
(cd "$root" && find . -type f | LC_ALL=C sort | TZ=UTC zip -X -q "$package" -@)

echo "$package"
echo "libraries: $(find "$root/lib" -name '*.so*' | wc -l)"
echo "unpacked bytes: $(find "$root" -type f -printf '%s\n' | awk '{n += $1} END {print n}')"
echo "packed bytes: $(stat -c %s "$package")"
