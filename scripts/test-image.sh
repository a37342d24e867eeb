#!/usr/bin/env bash
# Runs the image as docs/install.md does, and checks what its users rely on. Prints a line for each check; exits with 1 when
# one fails. Linux only, because it uses the host's network.
#
# Usage: scripts/test-image.sh                    builds license-decoder:test and tests it
#        scripts/test-image.sh IMAGE DEMO_IMAGE   tests two images that are to be published
set -euo pipefail
cd "$(dirname "$0")/.."

image=${1:-license-decoder:test}
demo_image=${2:-$image-demo}
ring_image=$image-with-ring
demo_ring=$PWD/scripts/demo-ring
sample=$demo_ring/samples/20240115120000.lic
# As docs/install.md runs it, under a user that the image does not know.
hardened=(--network host --user 12345:0 --read-only --tmpfs '/tmp:exec,size=256m,mode=1777' --cap-drop ALL
  --security-opt no-new-privileges --no-healthcheck)
mounted=(--volume "$demo_ring:/opt/demo-ring:ro" --env RING_CMD=/opt/demo-ring/ring)

scratch=$(mktemp -d)
container=license-decoder-test-$$
failures=0
clean_up() {
  docker rm --force "$container" >/dev/null 2>&1 || true
  rm -rf "$scratch"
}
trap clean_up EXIT

# check TITLE COMMAND…: shows the command's output only when it fails.
check() {
  if "${@:2}" >"$scratch/output" 2>&1; then
    echo "ok - $1"
  else
    echo "not ok - $1"
    sed 's/^/    /' "$scratch/output"
    failures=$((failures + 1))
  fi
}

# prints EXPECTED COMMAND…: the command succeeds and prints exactly that.
prints() {
  local output
  output=$("${@:2}") || return 1
  [ "$output" = "$1" ] || { printf 'expected: %s\ngot: %s\n' "$1" "$output" && return 1; }
}

# eventually COMMAND…: repeats it for half a minute.
eventually() {
  local deadline=$((SECONDS + 30))
  until "$@"; do
    ((SECONDS < deadline)) || return 1
    sleep 0.2
  done
}

not() { ! "$@"; }

# build ARGUMENT… CONTEXT: some builders keep the image to themselves without --load.
build() { docker build --load "$@"; }

# start ARGUMENT… IMAGE: replaces the container, and waits until it answers.
start() {
  docker rm --force "$container" >/dev/null 2>&1 || true
  port=$((20000 + RANDOM % 12000))
  docker run --detach --name "$container" "${hardened[@]}" --env PORT=$port "$@" >/dev/null
  eventually request /healthz >/dev/null 2>&1 || { docker logs "$container" && exit 1; }
}

run() { docker run --rm --network host "$@"; }
inside() { docker exec "$container" "$@"; }
# request PATH ARGUMENT…: prints the body of the response and then its status.
request() {
  curl --silent --show-error --noproxy '*' --max-time 60 --write-out ' %{http_code}' "http://127.0.0.1:$port$1" "${@:2}"
}
# Without UTF-8 in the JVM and in the container, the owner would be question marks.
decodes() { request /api/decode --form "license=@$sample" | tee /dev/stderr | grep "ООО.* 200$" >/dev/null; }
status_is() { request /api/status | tee /dev/stderr | grep "$1" >/dev/null; }
greets() {
  docker logs "$container" >"$scratch/greeting" 2>&1
  grep '^curl .*/api/decode$' "$scratch/greeting" && not grep '^{' "$scratch/greeting"
}
checks_itself() { docker exec --interactive "$container" doctor - <"$sample"; }
is_healthy() { inside node --eval "$(sed -n 's/^  CMD \["node", "-e", "\(.*\)"\]$/\1/p' Dockerfile)"; }
runs() { inside sh -c 'cat /proc/[0-9]*/comm 2>/dev/null' | grep -x "$1" >/dev/null; }
label() { docker image inspect --format "{{index .Config.Labels \"org.opencontainers.image.$2\"}}" "$1"; }

if (($# == 0)); then
  build --tag "$image" .
  build --target demo --tag "$demo_image" .
else
  for published in "$image" "$demo_image"; do
    version=$(run "$published" node --print 'require("./package.json").version')
    check "$published has its version as label" prints "$version" label "$published" version
    check "$published has its commit as label" prints "$(git rev-parse HEAD)" label "$published" revision
    # 1C's license does not allow passing ring on.
    check "$published has no file of 1C" prints '' run --user 0 "$published" find / -xdev -path '*/1C/*' ! -type d
  done
fi

check 'its user is not root' prints 1000 run "$image" id -u
check 'its user cannot change the service, ring or the JRE' prints '' run "$image" find /app /opt /etc/1C -writable ! -type l
check 'it has no package manager and no development dependency' \
  prints '' run "$image" sh -c 'command -v npm yarn; ls -d node_modules/typescript 2>&-; true'
check 'it has the licenses of what it contains' run "$image" grep -q ^swagger-ui NOTICES.txt
check "its awk has gensub, which ring's launcher calls" prints b run "$image" awk 'BEGIN { print gensub("a", "b", 1, "a") }'
check 'secret prints a secret, and token a token' \
  run "$image" sh -c 'JWT_SECRET=$(secret) && export JWT_SECRET && token --days 1 | grep -Eqx "([A-Za-z0-9_-]+\.){2}[A-Za-z0-9_-]+"'
check 'licenses reads a mounted directory' \
  run --volume "$demo_ring/samples:/licenses:ro" "$image" sh -c 'licenses /licenses | grep -q "\"validUntil\":\"2026-12-31\""'

start "$image"
check 'without ring, the status is 503 and only ring is missing' eventually status_is '"jre":{"installed":true.*"ring":{"installed":false.* 503$'
check 'without ring, the health check passes' is_healthy

start "${mounted[@]}" "$image"
check 'with ring mounted, the status is 200' eventually status_is '"ready":true.* 200$'
check 'a decode is 200, its Cyrillic text intact' decodes
check 'doctor takes the license from standard input' checks_itself
check 'they leave nothing in /tmp' eventually prints '' inside find /tmp -type f -o -name 'decode-*'
# All processes inherit the hard limit of PID 1.
check 'no process can leave a core file' inside grep -E '^Max core file size +0 +0 ' /proc/1/limits

# A slow ring that leaves a process behind, outside the process group that the service kills.
mkdir "$scratch/ring"
ln -s /bin/sleep "$scratch/ring/orphan"
cat >"$scratch/ring/ring" <<'END'
#!/bin/sh
case $* in *license*) setsid "${0%/*}/orphan" 8 </dev/null >/dev/null 2>&1 & sleep 2 ;; esac
exec /opt/demo-ring/ring "$@"
END
chmod -R a+rx "$scratch"
start "${mounted[@]}" --volume "$scratch/ring:/opt/slow-ring:ro" --env RING_CMD=/opt/slow-ring/ring "$image"
check 'a decode with that ring is 200' decodes
check 'it leaves a process behind' runs orphan
check 'that process is reaped when it ends' eventually not runs orphan # a zombie keeps its name
decodes >"$scratch/drained" 2>&1 &
decode=$!
check 'a decode is running' eventually runs sleep
check 'stop ends the container before it would be killed' timeout 50 docker stop -t 60 "$container"
check 'stop lets the decode finish' wait "$decode"
check 'the container ends with status 0' prints 0 docker inspect --format '{{.State.ExitCode}}' "$container"

# Nothing is left of the JRE below this.
start --tmpfs /opt/java "$demo_image"
check 'without Java, the status of the demo is 200' eventually status_is '"ready":true.* 200$'
check 'the demo decodes its sample' decodes
check 'the demo says what to try, and prints no JSON' greets

if (($# == 0)); then
  # A made-up distribution of ring, whose files have an owner and modes that would lock the service's user out.
  mkdir -p "$scratch/distribution/content" "$scratch/context" "$scratch/wrong-context"
  cp -R "$demo_ring" "$scratch/distribution/content/ring"
  cat >"$scratch/distribution/1ce-installer-cli" <<'END'
#!/bin/sh
set -eu
component='/opt/1C/1CE/components/1c-enterprise-ring-0.19.5+12-x86_64'
mkdir -p "${component%/*}" /etc/1C/1CE
cp -R content/ring "$component"
chown -R 12345:0 "$component"
chmod -R o-rwx,g+w "$component"
printf 'license:\n  - version: "0.15.0"\n    file: "%s/ring"\n' "$component" >/etc/1C/1CE/ring-commands.cfg
END
  tar -czf "$scratch/context/license-tools.tar.gz" -C "$scratch/distribution" .
  touch "$scratch/wrong-context/README"
  says_why() {
    not build --build-context "ring=$scratch/wrong-context" --tag "$ring_image" . >"$scratch/build.log" 2>&1
    grep "The ring distribution can't be installed" "$scratch/build.log"
  }
  check 'a build without an installer of ring fails and says why' says_why
  check 'a build installs a distribution of ring' build --build-context "ring=$scratch/context" --tag "$ring_image" .
  start "$ring_image"
  check 'the installed ring decodes' decodes
  check 'only root can change the installed ring' \
    prints '' inside find /opt/1C /etc/1C ! -type l \( ! -user root -o ! -group root -o -perm /022 \)
fi

echo "$failures of the checks failed"
exit "$((failures > 0))"
