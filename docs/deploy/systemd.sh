#!/usr/bin/env bash
# Installs the service under systemd, or a newer version of it. The new version first runs beside the old one, without
# network, until it is ready; only then does it take the old one's place. Applies /etc/license-decoder.env and
# `systemctl edit license-decoder` too. Run it as root.
#
# Usage: docs/deploy/systemd.sh [--previous]
#   --previous   goes back to the version before, with its settings; the second time, forth again

set -euo pipefail
name=license-decoder check=license-decoder-check
link=/opt/$name previous=/opt/$name.previous settings=/etc/$name.env units=/etc/systemd/system
old=$(readlink "$link" || true)

fail() {
  printf '%s\n' "$*" >&2
  exit 1
}

# uninterrupted COMMAND…: in a process group that Ctrl+C and a hang-up do not reach.
uninterrupted() {
  trap '' INT TERM HUP
  set -m
  "$@" </dev/null &
  set +m
  wait $!
}

last_lines() { journalctl --unit "$1" --output cat --lines 500 | grep -v '"path":"/api/status"' | tail -n 20 >&2 || true; }

# ready UNIT: waits for its /api/status, for 60 s or until it exits.
ready() {
  local deadline=$((SECONDS + 60)) pid environment
  while sleep 1 && pid=$(systemctl show --property=MainPID --value "$1") && ((pid > 0 && SECONDS < deadline)); do
    mapfile -d '' environment <"/proc/$pid/environ" || continue
    if env --ignore-environment "${environment[@]}" nsenter --net --target "$pid" /usr/bin/node --eval '
      const { HOST, PORT } = process.env;
      require("node:http").get({ host: HOST || "127.0.0.1", port: PORT || 3000, path: "/api/status", timeout: 5000 },
        ({ statusCode }) => process.exit(statusCode === 200 ? 0 : 1))' 2>/dev/null; then return; fi
  done
  return 1
}

# keep RELEASE: settings and drop-ins belong to a version, as its code and unit do.
keep() {
  install --mode=600 "$settings" "$1/$name.env"
  rm -rf "$1/$name.service.d"
  if [ -d "$units/$name.service.d" ]; then cp -R "$units/$name.service.d" "$1"; fi
}

# put RELEASE: starts a version.
put() {
  ln -sfT "$1" "$link" && install --mode=644 "$1/$name.service" "$units" && install --mode=600 "$1/$name.env" "$settings" &&
    rm -rf "$units/$name.service.d" || return
  if [ -d "$1/$name.service.d" ]; then cp -R "$1/$name.service.d" "$units"; fi
  systemctl daemon-reload && systemctl enable --quiet "$name" && systemctl restart "$name" && ready "$name"
}

exchange() {
  if put "$new"; then
    if [ -n "$old" ]; then ln -sfT "$old" "$previous"; fi
  else
    last_lines "$name"
    install --mode=600 "$new/$name.env" "$settings.failed"
    if [ -n "$old" ]; then put "$old"; else systemctl disable --quiet --now "$name"; fi || true
    return 1
  fi
}

# The unit of a version under another name, with a network, directories and a process of its own.
check() {
  local run=/run/systemd/system/$check.service file
  mkdir -p "$run.d"
  for file in "$new/$name.service" "$new/$name.service.d"/*; do
    [ -f "$file" ] || continue
    sed "s|$link\(/.*\)\?\$|$new\1|; s|$settings|$new/$name.env|" "$file" >"$run.d/${file##*/}.conf"
  done
  mv "$run.d/$name.service.conf" "$run"
  printf '%s=\n' HOST METRICS_HOST UPLOAD_DIR TMP_BASE RING_CACHE_DIR >"$run.d/own.env"
  printf '[Service]\nRestart=no\nPrivateNetwork=yes\nEnvironmentFile=%s\n' "$run.d/own.env" >"$run.d/zz.conf"
  systemctl daemon-reload && systemctl start "$check" && ready "$check"
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
  '') back= ;;
  --previous) back=yes ;;
  --help) sed -n '2,/^$/s/^# \?//p' "$0" && exit ;;
  *) sed -n '2,/^$/s/^# \?//p' "$0" >&2 && exit 2 ;;
esac
cd "$(dirname "$0")/../.."
((EUID == 0)) || fail 'Run this as root.'
[ -d /run/systemd/system ] || fail 'systemd does not run this machine. Use docs/deploy/docker.sh instead.'
systemd=$(systemctl --version | sed -n '1s/^systemd \([0-9]*\).*/\1/p')
((systemd >= 247)) || fail "systemd 247 or later is needed, this is $systemd. Use docs/deploy/docker.sh instead."
read -r oldest next < <(sed -n 's/.*"node": "^\(.*\) || >=\(.*\)".*/\1 \2/p' package.json)
node=$(/usr/bin/node --print process.versions.node 2>/dev/null) || node=none
printf '%s\n' "$next" "$node" | sort -CV || { [ "${node%%.*}" = "${oldest%%.*}" ] && printf '%s\n' "$oldest" "$node" | sort -CV; } ||
  fail "/usr/bin/node must be Node.js $oldest, $next or later, this is $node. It comes from https://github.com/nodesource/distributions"
exec 9>"/run/$name.lock"
flock --nonblock 9 || fail 'Another call of this script is running. Wait for its end.'

[ -e "$settings" ] || install --mode=600 /dev/null "$settings"
grep -q '^JWT_SECRET=.' "$settings" || printf '\nJWT_SECRET=%s\n' "$(head -c 32 /dev/urandom | base64)" >>"$settings"
trap clean_up EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
trap 'exit 129' HUP
# Releases from before this script: the one that runs, and the newest of the others.
if [ -n "$old" ] && [ ! -e "$previous" ]; then
  before=$(printf '%s\n' "$link"-[0-9]*-[0-9]* | grep -vxF "$old" | tail -n 1) || true
  for release in "$old" "$before"; do
    if [ -e "$release/dist" ] && [ ! -e "$release/$name.service" ]; then cp "$units/$name.service" "$release" && keep "$release"; fi
  done
  if [ -e "$before/$name.service" ]; then ln -sfT "$before" "$previous"; fi
fi

if [ -n "$back" ]; then
  [ -e "$previous" ] || fail 'There is no previous version.'
  new=$(readlink "$previous")
  keep "$old"
else
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
  ready "$name" || { systemctl restart "$name" && ready "$name"; } || { last_lines "$name" && fail 'It runs this version already, and is not ready.'; }
  echo 'This version runs already.'
else
  check || { last_lines "$check" && fail 'The new version does not become ready. Nothing was changed.'; }
  systemctl stop "$check"
  echo 'The new version is ready and takes its place now; this cannot be interrupted.'
  uninterrupted exchange || fail "It did not become ready there. What ran before runs again; the settings are in $settings.failed."
  [ -z "$back" ] || echo 'The version before runs again, with its settings: also with its JWT_SECRET.'
fi

port=$(sed -n 's/^PORT=//p' "$settings")
run="systemd-run --pipe --wait --quiet --property=EnvironmentFile=$settings --working-directory=$link"
cat <<END
Next, with a license of yours as license.lic:
  curl http://localhost:${port:=3000}/api/status
  curl -F license=@license.lic http://localhost:$port/api/decode
  $run /usr/bin/node scripts/token.mjs --days 90 --subject ivanov
  $run --setenv=HOME=/tmp --property=DynamicUser=yes --property=PrivateTmp=yes --property=ProtectHome=yes --property=IPAddressDeny=any --property=IPAddressAllow=localhost /usr/bin/node dist/doctor/doctor.js - <license.lic
  journalctl --unit $name --output cat --lines 200
END
