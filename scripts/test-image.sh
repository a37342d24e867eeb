#!/usr/bin/env bash
# Checks by running the image that it keeps the promises of the Dockerfile. Linux only, because it uses the host's
# network. Prints a line for each check; exits with 1 when one fails.
#
# Usage: [ENGINE=docker|podman] [IMAGE_BUILD_ARGS='…'] scripts/test-image.sh   builds license-decoder:test and tests it
#        [ENGINE=docker|podman] scripts/test-image.sh IMAGE DEMO_IMAGE         tests two images that are to be published
#   ENGINE            default: the first of the two that works
#   IMAGE_BUILD_ARGS  more arguments for each build, split at blanks
set -euo pipefail
cd "$(dirname "$0")/.."

engine=${ENGINE:-}
for candidate in docker podman; do
  # `info` fails for a docker without its daemon.
  if [[ -z $engine ]] && "$candidate" info >/dev/null 2>&1; then engine=$candidate; fi
done
[[ -n $engine ]] || { echo 'Neither docker nor podman works here.' >&2; exit 1; }
if (($# > 0)); then
  image=$1
  demo_image=$2
  built=()
else
  image=license-decoder:test
  demo_image=$image-demo
  ring_image=$image-with-ring
  derived_image=$image-derived
  built=("$demo_image" "$ring_image" "$derived_image")
fi
read -ra build_args <<<"${IMAGE_BUILD_ARGS:-}"
case $("$engine" --version) in
  podman*) build_args+=(--format docker) ;; # the OCI format has no HEALTHCHECK
  *) build_args+=(--load) ;;                # some builders keep the image to themselves otherwise
esac

demo_ring=$PWD/scripts/demo-ring
sample=$demo_ring/samples/20240115120000.lic
# How the image is meant to run, under a user id that it does not know.
hardened=(--read-only --user 12345:0 --cap-drop ALL --security-opt no-new-privileges
  --tmpfs '/tmp:rw,exec,nosuid,nodev,size=256m,mode=1777')

scratch=$(mktemp -d)
containers=()
cleanup() {
  if ((${#containers[@]} > 0)); then "$engine" rm -f "${containers[@]}" >/dev/null 2>&1 || true; fi
  if ((${#built[@]} > 0)); then "$engine" rmi -f "${built[@]}" >/dev/null 2>&1 || true; fi
  rm -rf "$scratch"
}
trap cleanup EXIT

# --- Helpers

failures=0
# check TITLE COMMAND…: shows the command's output only when it fails.
check() {
  if "${@:2}" >"$scratch/output" 2>&1; then
    echo "ok - $1"
  else
    echo "not ok - $1"
    awk '{ print "    " $0 }' "$scratch/output"
    failures=$((failures + 1))
  fi
}

# require TITLE COMMAND…: a check that the following ones depend on.
require() {
  local before=$failures
  check "$@"
  ((failures == before)) || exit 1
}

finish() {
  ((failures == 0)) || echo "$failures of the checks failed"
  exit "$((failures > 0))"
}

# prints EXPECTED COMMAND…: the command succeeds and prints exactly that.
prints() {
  local output
  output=$("${@:2}") || return 1
  [[ $output == "$1" ]] || { printf 'expected: %s\ngot: %s\n' "$1" "$output"; return 1; }
}

# eventually COMMAND…: retries for half a minute.
eventually() {
  local deadline=$((SECONDS + 30))
  until "$@" >"$scratch/try" 2>&1; do
    ((SECONDS < deadline)) || { cat "$scratch/try"; return 1; }
    sleep 0.2
  done
}

not() { ! "$@"; }

# build ARGUMENTS… CONTEXT
build() {
  "$engine" build "${build_args[@]}" "$@" >"$scratch/build.log" 2>&1 || { tail -n 30 "$scratch/build.log"; return 1; }
}

# start IMAGE [RUN ARGUMENTS…]: runs the service until it answers; sets $container and $url.
start() {
  local port
  until port=$((20000 + RANDOM % 12000)) && ! (: <"/dev/tcp/127.0.0.1/$port") 2>/dev/null; do :; done
  url=http://127.0.0.1:$port
  container=license-decoder-test-$$-${#containers[@]}
  containers+=("$container")
  require "container ${#containers[@]} starts" run_service --env PORT="$port" --env RATE_LIMIT_MAX=1000 "${@:2}" "$1"
}

run_service() {
  "$engine" run --detach --name "$container" --network host --no-healthcheck "$@" || return 1
  eventually request --fail "$url/healthz" || { "$engine" logs "$container"; return 1; }
}

inside() { "$engine" exec "$container" "$@"; }
request() { curl --silent --show-error --noproxy '*' --max-time 60 "$@"; }

# answers STATUS PATH TEXT…: the response has that status and contains the texts.
answers() {
  local text
  prints "$1" request --output "$scratch/body" --write-out '%{http_code}' "$url$2" || return 1
  for text in "${@:3}"; do
    grep --quiet --fixed-strings -- "$text" "$scratch/body" || { echo "no $text in:"; cat "$scratch/body"; return 1; }
  done
}

decode() {
  request --form "license=@$sample" --output "$1" --write-out '%{http_code}' "${@:2}" "$url/api/decode"
}

# Without UTF-8 in the JVM or the container there would be question marks.
decodes() {
  prints 200 decode "$scratch/body" && grep --quiet --fixed-strings 'ООО \"' "$scratch/body" && return 0
  cat "$scratch/body"
  "$engine" logs "$container"
  return 1
}

checks_itself() { "$engine" exec --interactive "$container" doctor - <"$sample"; }

# processes FILE: this file of each process in /proc; a process may end before it is read.
processes() { inside sh -c "cat /proc/[0-9]*/$1 2>/dev/null; true"; }
no_zombie() {
  local all
  all=$(processes stat) && not grep --extended-regexp '^[0-9]+ \(.*\) Z ' <<<"$all"
}
runs() { grep --quiet --line-regexp "$1" <<<"$(processes comm)"; }
nothing_left() { prints '' inside find /tmp -type f -o -name 'decode-*'; }

label() { config "{{index .Config.Labels \"org.opencontainers.image.$1\"}}"; }
config() { "$engine" image inspect --format "$1" "$image"; }

# health_check [EXEC ARGUMENTS…]: runs the image's HEALTHCHECK as an engine does; the engines spell its key differently.
health_check() {
  local command
  command=$(config '{{json .Config.Healthcheck.Test}}' 2>/dev/null || config '{{json .HealthCheck.Test}}')
  "$engine" exec "$@" "$container" node --eval '
    const [form, program, ...args] = JSON.parse(process.argv[1]);
    if (form !== "CMD") throw new Error("not in exec form");
    process.exitCode = require("node:child_process").spawnSync(program, args, { stdio: "inherit" }).status;
  ' "$command"
}

# --- The image

if (($# == 0)); then
  require 'builds without ring' build --tag "$image" .
  require 'the demo builds' build --target demo --tag "$demo_image" .
fi
echo "# $(($(config '{{.Size}}') / 1000000)) MB after $SECONDS s"

run=("$engine" run --rm --network host --no-healthcheck)
check 'its user is not root' prints 1000 "${run[@]}" "$image" id -u
for label in title description licenses; do
  check "has the label $label" not prints '' label "$label"
done
for image in "$@"; do
  check "$image has the version of its content as label" \
    prints "$(label version)" "${run[@]}" "$image" node --print 'require("./package.json").version'
  check '… the commit checked out as revision' prints "$(git rev-parse HEAD)" label revision
  check '… and its source' not prints '' label source
  # 1C's license does not allow passing ring on.
  check '… and no file of 1C' prints '' "${run[@]}" --user 0 "$image" find / -xdev -path '*/1C/*' ! -type d
done
image=${1:-$image}
check 'it has the licenses of what it contains' "${run[@]}" "$image" \
  sh -c 'grep -q ^express NOTICES.txt && grep -q ^preact NOTICES.txt && grep -q ^swagger-ui NOTICES.txt && cat /opt/java/openjdk/legal/java.base/* /usr/share/doc/tini/copyright >/dev/null'
check 'its user cannot change the service, ring or the JRE' \
  prints '' "${run[@]}" "$image" find /app /opt /etc/1C -writable ! -type l
check 'has no development dependency, no source and no package manager' \
  prints '' "${run[@]}" "$image" sh -c 'ls -d node_modules/typescript node_modules/swagger-ui-dist src test 2>&- || command -v npm yarn || true'
# A JVM takes the encoding of file names from the locale.
check 'its locale is UTF-8 for a JVM' \
  prints '    sun.jnu.encoding = UTF-8' "${run[@]}" "${hardened[@]}" "$image" \
  sh -c 'java -XshowSettings:properties -version 2>&1 | grep sun.jnu.encoding'

# --- Without ring

start "$image" "${hardened[@]}"
check 'without ring, /api/status is 503 and only ring is missing' \
  answers 503 /api/status '"jre":{"installed":true' '"ring":{"installed":false' '"ready":false'
check 'without ring, the health check passes' health_check
check 'the health check fails when nothing answers' not health_check --env PORT=1

# --- With the stand-in for ring mounted

start "$image" "${hardened[@]}" --volume "$demo_ring:/opt/demo-ring:ro" --env RING_CMD=/opt/demo-ring/ring
check 'PID 1 is tini' prints tini inside cat /proc/1/comm
# All processes inherit the hard limit of PID 1.
check 'no process can leave a core file' inside grep --extended-regexp '^Max core file size +0 +0 ' /proc/1/limits
check 'its home directory is writable' inside sh -c 'cd && test -w .'
check '/api/status is 200' answers 200 /api/status '"ready":true'
check 'a decode is 200, its Cyrillic text intact' decodes
check 'doctor takes the license from standard input' checks_itself
check 'they leave nothing in /tmp' eventually nothing_left
check '… and no zombie' eventually no_zombie

# --- With a slow stand-in that leaves an orphan at each run

mkdir "$scratch/slow-ring"
ln -s /bin/sleep "$scratch/slow-ring/orphan" # the process name to look for
cat >"$scratch/slow-ring/ring" <<'RING'
#!/bin/sh
case $* in
  *license*)
    # Leaves the process group, so it survives when the group is killed.
    setsid "${0%/*}/orphan" 8 </dev/null >/dev/null 2>&1 &
    sleep 2
    ;;
esac
exec /opt/demo-ring/ring "$@"
RING
chmod -R a+rx "$scratch/slow-ring"
start "$image" "${hardened[@]}" --volume "$demo_ring:/opt/demo-ring:ro" \
  --volume "$scratch/slow-ring:/opt/slow-ring:ro" --env RING_CMD=/opt/slow-ring/ring

check 'a decode with that ring is 200' decodes
check 'it leaves an orphan' runs orphan
check 'the orphan is reaped when it ends' eventually not runs orphan # a zombie keeps its name

decode "$scratch/drained" >"$scratch/drained-status" &
client=$!
check 'a decode is running' eventually runs sleep
check 'stop ends the container before it would be killed' timeout 50 "$engine" stop -t 60 "$container"
wait "$client" || true # checked next
check '… lets the decode finish' prints 200 cat "$scratch/drained-status"
check '… and the container ends with status 0' prints 0 "$engine" inspect --format '{{.State.ExitCode}}' "$container"

# --- Its commands, and the demo

check 'secret prints a secret, token a token' "$engine" run --rm --network none "$image" \
  sh -c 'JWT_SECRET=$(secret) && export JWT_SECRET && token --days 1 | grep -Eqx "([A-Za-z0-9_-]+\.){2}[A-Za-z0-9_-]+"'
check 'licenses reads a mounted directory' "$engine" run --rm --network none "${hardened[@]}" \
  --volume "$demo_ring/samples:/licenses:ro" "$image" sh -c 'licenses /licenses | grep -q "\"validUntil\":\"2026-12-31\""'
start "$demo_image" "${hardened[@]}"
check 'the demo decodes its sample' decodes
check 'the demo says that its ring is a stand-in' answers 200 /api/status '"version":"0.19.5-12-stand-in"'
check 'the image knows nothing of the demo' not "$engine" run --rm --network none "$image" ls scripts/demo-ring

if (($# > 0)); then finish; fi

# --- With a made-up ring distribution as build context

mkdir -p "$scratch/distribution/content" "$scratch/context" "$scratch/wrong-context"
if command -v javac >/dev/null; then
  test/support/jvm-ring/build.sh "$scratch/distribution/content/ring"
  sample=$scratch/jvm.lic # from here on: a file that this ring decodes
  printf 'bGljZW5zZQ==\nlicense of Ivanov\n' >"$sample"
else
  echo "SKIPPED: the archive of ring's classes: no javac here (Debian: default-jdk-headless)"
  cp -R "$demo_ring" "$scratch/distribution/content/ring"
fi
cat >"$scratch/distribution/1ce-installer-cli" <<'INSTALLER'
#!/bin/sh
set -eu
[ "$*" = 'install --ignore-hardware-checks --ignore-signature-warnings' ]
java -version
# An owner and modes that would lock the service's user out, or let it write.
umask 077
component='/opt/1C/1CE/components/1c-enterprise-ring-0.19.5+12-x86_64'
mkdir -p "${component%/*}" /etc/1C/1CE
cp -R content/ring "$component"
chown -R 12345:0 "$component"
chmod -R o-rwx,g+w "$component"
printf 'license:\n  - version: "0.15.0"\n    file: "%s/ring"\n' "$component" >/etc/1C/1CE/ring-commands.cfg
INSTALLER
tar -czf "$scratch/context/license-tools.tar.gz" -C "$scratch/distribution" .
echo 'not a distribution' >"$scratch/wrong-context/README"

check 'a build context without an installer fails the build' \
  not build --build-context "ring=$scratch/wrong-context" --tag "$ring_image" .
check '… and the build says why' grep --quiet "^The ring distribution can't be installed" "$scratch/build.log"
require 'the build installs a ring distribution' build --build-context "ring=$scratch/context" --tag "$ring_image" .
start "$ring_image" "${hardened[@]}"
check 'the installed ring is found' answers 200 /api/status '"ring":{"installed":true' '"ready":true'
if command -v javac >/dev/null; then
  # The file makes the stand-in hang, so that its first process can be looked at.
  printf 'bGljZW5zZQ==\nlicense of Ivanov\nhang in list\n' >"$scratch/hanging.lic"
  request --form "license=@$scratch/hanging.lic" "$url/api/decode" >"$scratch/hanging" 2>&1 &
  client=$!
  check 'the first decode starts from the archive in the image' \
    eventually inside sh -c "cat /proc/[0-9]*/maps 2>/dev/null | grep -q '/app/dist/cache/[0-9a-f]*\.jsa'"
  kill "$client"
fi
check 'the installed ring decodes' decodes
check 'all users can read the installed ring' inside cat /etc/1C/1CE/ring-commands.cfg
check 'only root can write to the installed ring' \
  prints '' inside find /opt/1C /etc/1C ! -type l \( ! -user root -o ! -group root -o -perm /022 \)

# --- The Dockerfile in docs/install.md, which adds ring to a published image

sed -n '/^```dockerfile$/,/^```$/{//!p}' docs/install.md | sed "s#^FROM .*#FROM $image#" >"$scratch/context/Dockerfile"
require 'docs/install.md adds ring to the image' build --tag "$derived_image" "$scratch/context"
check 'its user is not root' prints 1000 "${run[@]}" "$derived_image" id -u
start "$derived_image" "${hardened[@]}"
check 'its ring decodes' decodes

finish
