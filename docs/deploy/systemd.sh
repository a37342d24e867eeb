#!/usr/bin/env bash
# Installs the service under systemd, or updates it. The new version first runs beside the old one, without network. When
# it is ready, it takes the old one's place. Changes of /etc/license-decoder.env and by
# `systemctl edit license-decoder` are applied too. Run it as root.
#
# Usage: docs/deploy/systemd.sh [--previous]
#   --previous   goes back to the previous version, with its settings. Called again, it returns to the newer version.
#
# Exit status:
#   0   it runs
#   1   nothing was changed, or what ran before runs again
#   2   nothing runs, or an argument is wrong

set -euo pipefail
name=license-decoder
check=$name-check
link=/opt/$name
previous=/opt/$name.previous
settings=/etc/$name.env
units=/etc/systemd/system
# What is installed by this call, for its messages.
subject='The new version'
run="systemd-run --pipe --wait --quiet --property=EnvironmentFile=$settings --working-directory=$link"
self_check="$run --setenv=HOME=/tmp --property=DynamicUser=yes --property=PrivateTmp=yes --property=ProtectHome=yes \
--property=IPAddressDeny=any --property=IPAddressAllow=localhost /usr/bin/node dist/doctor/doctor.js"

fail() {
  printf '%s\n' "$*" >&2
  exit 1
}

last_lines() { journalctl --unit "$1" --output cat --lines 500 | grep -v '"path":"/api/status"' | tail -n 20 >&2 || true; }

# serves UNIT: /api/status is 200, and the socket that listens there belongs to the unit's process. Another program may
# have the port. It would answer for a service that cannot start, or keep the connection open without an answer.
serves() {
  local pid environment port socket
  pid=$(systemctl show --property=MainPID --value "$1")
  ((pid > 0)) && mapfile -d '' environment <"/proc/$pid/environ" || return
  env --ignore-environment "${environment[@]}" nsenter --net --target "$pid" /usr/bin/node --eval '
    const { HOST, PORT } = process.env;
    const signal = AbortSignal.timeout(5000);
    require("node:http").get({ host: HOST || "127.0.0.1", port: PORT || 3000, path: "/api/status", signal },
      ({ statusCode }) => process.exit(statusCode === 200 ? 0 : 1))' 2>/dev/null || return
  port=$(printf '%s\n' "${environment[@]}" | sed -n 's/^PORT=//p')
  # Column 2 is the local address, 4 the state (0A: listening), 10 the number of the socket.
  socket=$(cat "/proc/$pid/net/tcp" "/proc/$pid/net/tcp6" |
    awk -v port="$(printf ':%04X' "${port:-3000}")" '$4 == "0A" && index($2, port) { print $10; exit }')
  find "/proc/$pid/fd" -lname "socket:\[$socket\]" | grep -q .
}

# ready UNIT: waits until it serves, for 60 s or until it exits.
ready() {
  local deadline=$((SECONDS + 60))
  until serves "$1" 2>/dev/null; do
    systemctl --quiet is-active "$1" && ((SECONDS < deadline)) || return 1
    sleep 1
  done
}

# uninterrupted COMMAND…: in a process group that Ctrl+C and a hang-up do not reach.
uninterrupted() {
  trap '' INT TERM HUP
  set -m
  "$@" </dev/null &
  set +m
  wait $!
}

# keep RELEASE: settings belong to a version, as its code and unit do. What `systemctl edit` has made belongs to the
# machine; the copy only shows whether it has changed since.
keep() {
  install --mode=600 "$settings" "$1/$name.env"
  cat "$units/$name.service.d"/*.conf >"$1/edited.conf" 2>/dev/null || true
}

# Runs the unit of the new version under another name, with a network, directories and a process of its own.
try_beside() {
  local unit=/run/systemd/system/$check.service
  rm -rf "$unit.d"
  mkdir -p "$unit.d"
  sed "s|=$link\$|=$new|; s|=$settings\$|=$new/$name.env|" "$new/$name.service" >"$unit"
  cp "$new/edited.conf" "$unit.d"
  printf '%s=\n' HOST METRICS_HOST UPLOAD_DIR TMP_BASE RING_CACHE_DIR >"$unit.d/own.env"
  printf '[Service]\nRestart=no\nPrivateNetwork=yes\nEnvironmentFile=%s\n' "$unit.d/own.env" >"$unit.d/own.conf"
  systemctl daemon-reload
  # One that a killed call has left may still run, and would answer for the new version.
  systemctl restart "$check" && ready "$check"
}

# put RELEASE: starts a version.
put() {
  ln -sfT "$1" "$link" && install --mode=644 "$1/$name.service" "$units" && install --mode=600 "$1/$name.env" "$settings" &&
    systemctl daemon-reload && systemctl enable --quiet "$name" && systemctl restart "$name" && ready "$name"
}

# Starts the new version in the place of the old one. Returns 1 when the old one runs again, and 2 when nothing runs.
exchange() {
  if put "$new"; then
    if [ -n "$old" ]; then ln -sfT "$old" "$previous"; fi
    return
  fi
  last_lines "$name"
  install --mode=600 "$new/$name.env" "$settings.failed"
  if [ -z "$old" ]; then
    systemctl disable --quiet --now "$name"
    rm "$link"
    return 2
  fi
  put "$old" || return 2
  return 1
}

# Removes what is no version. Nothing here decides the exit status.
clean_up() {
  local status=$? release
  trap '' INT TERM HUP
  {
    systemctl stop "$check"
    systemctl reset-failed "$check"
    rm -rf "/run/systemd/system/$check.service" "/run/systemd/system/$check.service.d"
    systemctl daemon-reload
    for release in "$link"-[0-9]*-[0-9]*; do
      # Without a unit it is not of this script.
      if [ -e "$release/$name.service" ] && [ "$release" != "$(readlink "$link")" ] &&
        [ "$release" != "$(readlink "$previous")" ]; then rm -rf "$release"; fi
    done
  } >/dev/null 2>&1 || true
  exit "$status"
}

case $* in
  '' | --previous) ;;
  --help) sed -n '2,/^$/s/^# \?//p' "$0" && exit ;;
  *) sed -n '2,/^$/s/^# \?//p' "$0" >&2 && exit 2 ;;
esac
cd "$(dirname "$0")/../.."
((EUID == 0)) || fail 'Run this as root.'
[ -d /run/systemd/system ] || fail 'systemd does not run this machine. Use docs/deploy/docker.sh instead.'
systemd=$(systemctl --version | sed -n '1s/^systemd \([0-9]*\).*/\1/p')
((systemd >= 247)) || fail "systemd 247 or later is needed, this is $systemd. Use docs/deploy/docker.sh instead."
[ -x /usr/bin/node ] || fail '/usr/bin/node is missing. It comes from https://github.com/nodesource/distributions'
exec 9>"/run/$name.lock"
flock --nonblock 9 || fail 'Another call of this script is running. Wait for its end.'

old=$(readlink "$link" || true)
if [ -e "$link" ] && [ ! -e "$old/$name.service" ]; then
  fail "$link was not installed by this script. Remove it (systemctl disable --now $name; rm -r $link), and repeat. The
settings in $settings stay."
fi
trap clean_up EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
trap 'exit 129' HUP
if [ "$*" = --previous ]; then
  [ -e "$previous" ] || fail 'There is no previous version.'
  subject='The previous version'
  new=$(readlink "$previous")
  keep "$old"
else
  [ -e "$settings" ] || touch "$settings"
  if ! grep -q '^JWT_SECRET=.' "$settings"; then
    chmod 600 "$settings"
    printf '\nJWT_SECRET=%s\n' "$(head -c 32 /dev/urandom | base64)" >>"$settings"
  fi
  new=$link-$(date +%Y%m%d-%H%M%S)
  { npm ci && npm run build; } || fail 'The new version does not build. Nothing was changed.'
  mkdir "$new"
  cp -R "docs/deploy/$name.service" dist scripts package.json package-lock.json "$new"
  npm ci --omit=dev --ignore-scripts --prefix "$new"
  chmod -R a+rX "$new"
  keep "$new"
fi

if [ -n "$old" ] && diff -r --exclude=node_modules "$new" "$old" >/dev/null; then
  rm -rf "$new"
  if ! ready "$name" && ! { systemctl restart "$name" && ready "$name"; }; then
    last_lines "$name"
    fail "It runs this version already, and is not ready. The self-check says why: $self_check"
  fi
  echo 'This version runs already.'
else
  try_beside || { last_lines "$check" && fail "$subject does not become ready. Nothing was changed."; }
  systemctl stop "$check"
  echo "$subject is ready and takes its place now; this cannot be interrupted."
  status=0
  uninterrupted exchange || status=$?
  if ((status == 1)); then fail "It did not become ready there. What ran before runs again; the settings are in $settings.failed."; fi
  if ((status > 1)); then
    echo "It did not become ready there. NOTHING RUNS NOW. For the log: journalctl --unit $name --output cat --lines 50" >&2
    exit 2
  fi
  if [ "$*" = --previous ]; then echo 'The previous version runs again, with its own settings and JWT_SECRET.'; fi
fi

port=$(sed -n 's/^PORT=//p' "$settings")
cat <<END
Next, with a license of yours as license.lic:
  curl http://localhost:${port:=3000}/api/status
  curl -F license=@license.lic http://localhost:$port/api/decode
  $run /usr/bin/node scripts/token.mjs --days 90 --subject ivanov
  $self_check - <license.lic
  journalctl --unit $name --output cat --lines 200
END
