#!/usr/bin/env bash
# Connects Gmail end to end on this machine, with the Google emulator in Google's place.
# KEEP=1 leaves everything running and says what to try by hand.
set -euo pipefail
cd "$(dirname "$0")/.."
bin=$(swift build --show-bin-path)
home=$(mktemp -d)
client=1234567890-demo.apps.googleusercontent.com
mailbox=ada@example.org
account=ada.lovelace@example.com

step=0
say() { step=$((step + 1)); printf '\n\033[1m%s. %s\033[0m\n' "$step" "$1"; }

processes=()
stop() {
  for process in "${processes[@]}"; do kill "$process" 2>/dev/null || true; done
  for process in "${processes[@]}"; do wait "$process" 2>/dev/null || true; done
  rm -rf "$home"
}
trap stop EXIT

# start NAME COMMAND...: runs a server and waits for its address, which ends up in $address.
start() {
  local name=$1; shift
  "$@" >"$home/$name.out" 2>"$home/$name.log" &
  processes+=($!)
  for _ in $(seq 100); do
    address=$(sed -n 's/^listening on //p' "$home/$name.out")
    [ -n "$address" ] && return
    kill -0 "${processes[-1]}" 2>/dev/null || break
    sleep 0.05
  done
  echo "$name did not start:" >&2; cat "$home/$name.out" "$home/$name.log" >&2; exit 1
}

say "Start Google's stand-in, with a mailbox of two messages"
start google "$bin/google-emulator" --listen 127.0.0.1:0 --client-id "$client:desktop" \
  --account "$mailbox=Ada Lovelace" --mailbox "$mailbox=Examples/mailbox" --auto-consent "$mailbox"
google=$address
echo "Google emulator at $google"

say "Start the PayPulse server"
server_flags=(--data-dir "$home/data" --google-client-id "$client" --google-base-url "$google")
start server "$bin/paypulse-server" serve --listen 127.0.0.1:0 "${server_flags[@]}"
server=$address
echo "PayPulse at $server"

export XDG_CONFIG_HOME=$home/config
paypulse() { "$bin/paypulse" --server "$server" "$@"; }

say "Sign up"
password="demo $(od -An -N12 -tx1 /dev/urandom | tr -d ' \n')"
paypulse signup --email "$account" --name "Ada Lovelace" <<<"$password"

say "Connect Gmail: consent at Google, tokens to the server"
paypulse connect-gmail --google-client-id "$client" --google-base-url "$google" --auto

say "The profile shows it"
paypulse me

say "Let two hours pass at Google: the access token has expired there"
curl -fsS -X POST "$google/_emulator/clock" -d '{"advance_seconds":7200}' >/dev/null
echo "done"

say "Read the newest message: the server notices, refreshes the token, and reads"
before=$(curl -fsS "$google/_emulator/requests" | tr -d ' "' | grep -o 'token:[0-9]*' | cut -d: -f2)
"$bin/paypulse-server" check-connection "$account" --show-latest "${server_flags[@]}"
after=$(curl -fsS "$google/_emulator/requests" | tr -d ' "' | grep -o 'token:[0-9]*' | cut -d: -f2)
echo "refreshes it took: $((after - before))"

if [ "${KEEP:-}" = 1 ]; then
  # From here on a person consents, so the page has to be shown.
  curl -fsS -X POST "$google/_emulator/settings" -d '{"auto_consent":""}' >/dev/null
  cat <<TRY

Everything is running; press Ctrl-C to stop and clean up. Try in another terminal:

  export XDG_CONFIG_HOME=$XDG_CONFIG_HOME
  $bin/paypulse --server $server me
  $bin/paypulse --server $server connect-gmail --google-client-id $client --google-base-url $google
      (opens the consent page: untick the box, cancel, or choose another account)
  $bin/paypulse-server connections ${server_flags[*]}
  $bin/paypulse-server check-connection $account --concurrent 100 ${server_flags[*]}
  curl -X POST $google/_emulator/grants/revoke -d '{"email":"$mailbox"}'    # the person withdraws access at Google
  curl $server/openapi.json
TRY
  wait
fi

say "Disconnect: the grant is revoked at Google"
paypulse disconnect-gmail
paypulse me
printf '\nDone.\n'
