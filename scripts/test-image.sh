#!/usr/bin/env bash
# Builds the image and checks by running it that it keeps what its Dockerfile promises. Linux only, for it
# uses the host's network. Prints a line for each check; the exit status is 1 when one failed.
#
# Usage: [ENGINE=docker|podman] [IMAGE=name:tag] [IMAGE_BUILD_ARGS='…'] scripts/test-image.sh
#   ENGINE            the first of the two that works, unless given
#   IMAGE             name of the image that is built and stays
#   IMAGE_BUILD_ARGS  further arguments of each build, split at blanks
set -euo pipefail
cd "$(dirname "$0")/.."

engine=${ENGINE:-}
for candidate in docker podman; do
  # A docker without its daemon is of no use.
  if [[ -z $engine ]] && "$candidate" info >/dev/null 2>&1; then engine=$candidate; fi
done
if [[ -z $engine ]]; then
  echo 'Neither docker nor podman works here.' >&2
  exit 1
fi
image=${IMAGE:-license-decoder:test}
ring_image=$image-with-ring
read -ra build_args <<<"${IMAGE_BUILD_ARGS:-}"
case $("$engine" --version) in
  # The OCI format has no HEALTHCHECK.
  podman*) build_args+=(--format docker) ;;
  # A builder of the docker-container kind else keeps the image for itself.
  *) build_args+=(--load) ;;
esac

demo_ring=$PWD/scripts/demo-ring
sample=$demo_ring/samples/20240115120000.lic
# The way the image is meant to be run, under a user id that it has never heard of.
hardened=(--read-only --user 12345:0 --cap-drop ALL --security-opt no-new-privileges
  --tmpfs '/tmp:rw,exec,nosuid,nodev,size=256m,mode=1777')

scratch=$(mktemp -d)
containers=()
cleanup() {
  if ((${#containers[@]} > 0)); then "$engine" rm -f "${containers[@]}" >/dev/null 2>&1 || true; fi
  "$engine" rmi -f "$ring_image" >/dev/null 2>&1 || true
  rm -rf "$scratch"
}
trap cleanup EXIT

failures=0
container=
# check TITLE COMMAND…: the command's output is shown only when it fails.
check() {
  local title=$1
  shift
  if "$@" >"$scratch/output" 2>&1; then
    echo "ok - $title"
  else
    echo "not ok - $title"
    sed 's/^/    /' "$scratch/output"
    failures=$((failures + 1))
  fi
}

# require TITLE COMMAND…: a check without which the others mean nothing.
require() {
  local before=$failures
  check "$@"
  if ((failures > before)); then exit 1; fi
}

# is EXPECTED ACTUAL
is() {
  [[ $1 == "$2" ]] || { printf 'expected: %s\ngot: %s\n' "$1" "$2"; return 1; }
}

# less_than LIMIT ACTUAL
less_than() {
  (($2 < $1)) || { echo "expected less than $1, got $2"; return 1; }
}

# prints EXPECTED COMMAND…: the command succeeds, and that is its output.
prints() {
  local output
  output=$("${@:2}") && is "$1" "$output"
}

# eventually COMMAND…: tries for ten seconds; shows what the last try printed.
eventually() {
  local output
  for _ in {1..50}; do
    if output=$("$@" 2>&1); then return 0; fi
    sleep 0.2
  done
  echo "$output"
  return 1
}

not() {
  ! "$@"
}

# build ARGUMENTS…: sets $took, its seconds.
build() {
  local started=$SECONDS status=0
  "$engine" build "${build_args[@]}" "$@" . >"$scratch/build.log" 2>&1 || status=$?
  took=$((SECONDS - started))
  tail -n 30 "$scratch/build.log"
  return "$status"
}

# The first free port of some hundred random ones: the host's network is shared.
free_port() {
  local port
  for port in $(shuf -i 20000-32000 -n 100); do
    if ! (: <"/dev/tcp/127.0.0.1/$port") 2>/dev/null; then
      echo "$port"
      return
    fi
  done
  return 1
}

# start IMAGE [ARGUMENTS OF RUN…]: runs the service and waits until it answers; sets $container and $url.
start() {
  local of=$1 port
  shift
  port=$(free_port)
  url=http://127.0.0.1:$port
  container=license-decoder-test-$$-${#containers[@]}
  containers+=("$container")
  require "container ${#containers[@]} starts" run_service --env PORT="$port" --env RATE_LIMIT_MAX=1000 "$@" "$of"
}

run_service() {
  "$engine" run --detach --name "$container" --network host --no-healthcheck "$@" || return 1
  eventually get /healthz || { "$engine" logs "$container"; return 1; }
}

# inside COMMAND…: runs it in the container, as the service's user.
inside() {
  "$engine" exec "$container" "$@"
}

request() {
  curl --silent --show-error --noproxy '*' --max-time 60 "$@"
}

get() {
  request --fail "$url$1"
}

# answers STATUS PATH TEXT…: the answer has that status and holds the texts.
answers() {
  local status text
  status=$(request --output "$scratch/body" --write-out '%{http_code}' "$url$2")
  is "$1" "$status" || { cat "$scratch/body"; return 1; }
  for text in "${@:3}"; do
    grep --quiet --fixed-strings -- "$text" "$scratch/body" || { echo "no $text in:"; cat "$scratch/body"; return 1; }
  done
}

decode() {
  request --form "license=@$sample" --output "$1" --write-out '%{http_code}' "${@:2}" "$url/api/decode"
}

# A JVM or a container without UTF-8 would answer question marks.
decoded() {
  if prints 200 decode "$scratch/body" &&
    grep --quiet --fixed-strings 'ООО \"Ромашка\"' "$scratch/body" &&
    ! grep --quiet --fixed-strings '??' "$scratch/body"; then
    return 0
  fi
  cat "$scratch/body"
  "$engine" logs "$container"
  return 1
}

# The client's own time-out, curl's status 28, ends the decode.
gives_up() {
  local status=0
  decode /dev/null --max-time 1 || status=$?
  is 28 "$status"
}

# processes FILE: that file of each process in /proc; it may be gone by the time it is read.
processes() {
  inside sh -c "cat /proc/[0-9]*/$1 2>/dev/null; true"
}

no_zombie() {
  local all
  all=$(processes stat) && ! grep --extended-regexp '^[0-9]+ \(.*\) Z ' <<<"$all"
}

runs() {
  local all
  all=$(processes comm) && grep --quiet --line-regexp "$1" <<<"$all"
}

# What /tmp holds besides the service's own directories and the sockets that tell it is alive.
nothing_left_in_tmp() {
  prints '' inside sh -c 'find /tmp ! -type d ! -type s && find /tmp -mindepth 4 ! -type s'
}

config() {
  "$engine" image inspect --format "$1" "$image"
}

# The two engines spell this key differently.
health_command() {
  config '{{json .Config.Healthcheck.Test}}' 2>/dev/null || config '{{json .HealthCheck.Test}}'
}

# health_check [ARGUMENTS OF EXEC…]: runs the image's HEALTHCHECK as an engine does.
health_check() {
  "$engine" exec "$@" "$container" node --eval '
    const [form, program, ...args] = JSON.parse(process.argv[1]);
    if (form !== "CMD") throw new Error("not in exec form");
    process.exitCode = require("node:child_process").spawnSync(program, args, { stdio: "inherit" }).status;
  ' "$(health_command)"
}


# --- The image

require 'builds without ring' build --tag "$image"
echo "# $(($(config '{{.Size}}') / 1000000)) MB, built in $took s"

run=("$engine" run --rm --network host --no-healthcheck)
check 'its user is not root' prints 1000 "${run[@]}" "$image" id -u
check 'its command is in exec form, behind tini' \
  prints '["/usr/bin/tini","--"]["node","--max-old-space-size=128","--enable-source-maps","dist/server.js"]' \
  config '{{json .Config.Entrypoint}}{{json .Config.Cmd}}'
for label in title description licenses version revision base.name; do
  check "has the label $label" not prints '' config "{{index .Config.Labels \"org.opencontainers.image.$label\"}}"
done
check 'its user can change nothing of the service, ring or the JRE' \
  prints '' "${run[@]}" "$image" find /app /opt /etc/1C -writable ! -type l
check 'holds no development dependency, no source and no package manager' \
  prints '' "${run[@]}" "$image" sh -c 'ls -d node_modules/typescript src test 2>&- || command -v npm yarn || true'
# A JVM has the encoding of file names from the locale alone.
check 'its locale is UTF-8 for a JVM' \
  prints '    sun.jnu.encoding = UTF-8' "${run[@]}" "${hardened[@]}" "$image" \
  sh -c 'java -XshowSettings:properties -version 2>&1 | grep sun.jnu.encoding'


# --- Without ring

start "$image" "${hardened[@]}"
check 'without ring, /api/status is 503 and says that only ring is missing' \
  answers 503 /api/status '"jre":{"installed":true' '"ring":{"installed":false' '"ready":false'
check 'without ring, the health check passes' health_check
check 'the health check fails when nothing answers' not health_check --env PORT=1


# --- With the stand-in for ring mounted in, read-only, as an unknown user, without capabilities

start "$image" "${hardened[@]}" --volume "$demo_ring:/opt/demo-ring:ro" --env RING_CMD=/opt/demo-ring/ring
check 'PID 1 is tini' prints tini inside cat /proc/1/comm
check 'its home directory is writable' inside sh -c 'cd && test -w .'
check '/api/status is 200' answers 200 /api/status '"ready":true'
for n in 1 2 3; do
  check "decode $n is 200, its Cyrillic text intact" decoded
done
check 'the decodes left nothing in /tmp' eventually nothing_left_in_tmp
check 'the decodes left no zombie' eventually no_zombie


# --- With a slow stand-in that leaves an orphan behind at each run, to be stopped in the middle

mkdir "$scratch/slow-ring"
ln -s /bin/sleep "$scratch/slow-ring/orphan" # the name under which it is looked for
cat >"$scratch/slow-ring/ring" <<'RING'
#!/bin/sh
case $* in
  *license*)
    # Leaves the process group, so that it outlives a launcher that is killed.
    setsid "${0%/*}/orphan" 3 </dev/null >/dev/null 2>&1 &
    sleep 2
    ;;
esac
exec /opt/demo-ring/ring "$@"
RING
chmod -R a+rX,u+x "$scratch/slow-ring"
chmod a+x "$scratch/slow-ring/ring"
start "$image" "${hardened[@]}" --volume "$demo_ring:/opt/demo-ring:ro" \
  --volume "$scratch/slow-ring:/opt/slow-ring:ro" --env RING_CMD=/opt/slow-ring/ring

check 'a client that goes away takes its decode with it' gives_up
check '… which leaves an orphan' runs orphan
check '… and no process of ring else' eventually not runs sleep
check '… and no file' eventually nothing_left_in_tmp
# A zombie keeps its name.
check 'the orphan is reaped at its end' eventually not runs orphan
check 'there is no zombie' no_zombie

decode "$scratch/drained" >"$scratch/drained-status" &
client=$!
check 'a decode is under way' eventually runs sleep
started=$SECONDS
"$engine" stop -t 60 "$container" >/dev/null 2>&1
took=$((SECONDS - started))
wait "$client" || true # its status is the next check's matter
check 'stop lets that decode be answered' prints 200 cat "$scratch/drained-status"
check "stop ends within seconds ($took s)" less_than 15 "$took"
check 'stop ends the container with status 0' prints 0 "$engine" inspect --format '{{.State.ExitCode}}' "$container"


# --- With a made-up distribution of ring as build context

mkdir -p "$scratch/distribution/content" "$scratch/context" "$scratch/wrong-context"
cp -R "$demo_ring" "$scratch/distribution/content/ring"
cat >"$scratch/distribution/1ce-installer-cli" <<'INSTALLER'
#!/bin/sh
set -eu
[ "$*" = 'install --ignore-hardware-checks --ignore-signature-warnings' ]
java -version
# Owner and modes that would keep the service's user out, or let it in too far.
umask 077
component='/opt/1C/1CE/components/1c-enterprise-ring-0.19.5+12-x86_64'
mkdir -p "${component%/*}" /etc/1C/1CE
cp -R content/ring "$component"
chown -R 12345:0 "$component"
chmod -R o-rwx,g+w "$component"
echo 'license: []' >/etc/1C/1CE/ring-commands.cfg
INSTALLER
tar -czf "$scratch/context/license-tools.tar.gz" -C "$scratch/distribution" .
echo 'not a distribution' >"$scratch/wrong-context/README"

check 'a build context without an installer ends the build' \
  not build --build-context "ring=$scratch/wrong-context" --tag "$ring_image"
check '… and the build says why' grep --quiet "^The ring distribution can't be installed" "$scratch/build.log"
require 'a distribution of ring is installed by the build' \
  build --build-context "ring=$scratch/context" --tag "$ring_image"
start "$ring_image" "${hardened[@]}"
check 'the ring inside is found' answers 200 /api/status '"ring":{"installed":true' '"ready":true'
check 'the ring inside decodes' decoded
check 'the ring inside is readable for all' inside cat /etc/1C/1CE/ring-commands.cfg
check 'the ring inside is writable for root alone' \
  prints '' inside find /opt/1C /etc/1C ! -type l \( ! -user root -o ! -group root -o -perm /022 \)

if ((failures > 0)); then
  echo "$failures of the checks failed"
  exit 1
fi
