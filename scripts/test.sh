#!/usr/bin/env bash
# Runs every test: format, Swift's own, then the acceptance tests against the built programs.
# Closes with `N passed, N failed`.
set -uo pipefail
cd "$(dirname "$0")/.."
passed=0 failed=0
log=$(mktemp)
trap 'rm -f "$log"' EXIT

# add PASSED FAILED
add() { passed=$((passed + $1)); failed=$((failed + $2)); }
# check NAME COMMAND...: one test
check() {
  local name=$1; shift
  if "$@" >"$log" 2>&1; then add 1 0; else add 0 1; cat "$log"; echo "FAILED: $name"; fi
}

echo "== format"
check "swift format lint" swift format lint -s -r Package.swift Sources Tests

echo "== build"
if ! swift build --build-tests >"$log" 2>&1; then
  cat "$log"; add 0 1
  echo "$passed passed, $failed failed"; exit 1
fi

echo "== Swift tests"
swift test --skip-build >"$log" 2>&1
status=$?
# What failed, each with the lines that say why.
grep -E -A4 '^(✘|􀢄)' "$log"
summary=$(grep -E 'Test run with [0-9]+ tests?' "$log" | tail -n 1)
total=$(sed -E 's/.*with ([0-9]+) tests?.*/\1/' <<<"$summary"); total=${total:-0}
bad=$(grep -cE '^(✘|􀢄) Test .* failed after' "$log")
if [ "$status" -ne 0 ] && [ "$bad" -eq 0 ]; then bad=1; fi
echo "$summary"
add $((total - bad < 0 ? 0 : total - bad)) "$bad"

# acceptance NAME TESTS...: the results of a run of pytest
acceptance() {
  echo "== $1"; shift
  .venv/bin/python -m pytest "$@" -q -p no:cacheprovider --durations=10 2>&1 | tee "$log"
  local status=${PIPESTATUS[0]} good bad
  summary=$(grep -E '^[0-9]+ (passed|failed)|(passed|failed|error).* in [0-9.]+s' "$log" | tail -n 1)
  good=$(number passed); bad=$(($(number failed) + $(number error)))
  if [ "$status" -ne 0 ] && [ "$bad" -eq 0 ]; then bad=1; fi
  add "$good" "$bad"
}
number() { grep -oE "[0-9]+ $1" <<<"$summary" | grep -oE '^[0-9]+' || echo 0; }

acceptance "acceptance tests" acceptance
# What does not depend on where PayPulse runs, once more through the function.
PAYPULSE_TARGET=lambda acceptance "acceptance tests of the function on AWS" acceptance/contract acceptance/connect \
  acceptance/google_clients acceptance/security/test_session_tokens.py acceptance/lifetime/test_refreshing.py \
  acceptance/security/test_sealed.py::test_after_the_whole_run_no_secret_is_in_any_file_or_process_argument

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
