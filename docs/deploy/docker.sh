#!/usr/bin/env bash
# Installs the service as one Docker container, or updates it. The new version first runs beside the old one, without
# network. When it is ready, it takes the old one's place.
#
# Usage: docs/deploy/docker.sh [--previous]
#   --previous   goes back to the previous version, with its settings. Called again, it returns to the newer version.
#
# Exit status:
#   0   it runs
#   1   nothing was changed, or what ran before runs again
#   2   nothing runs, or an argument is wrong
#
# Files in the root of the clone, which the first call makes:
#   .env          settings, and JWT_SECRET
#   docker.args   arguments of `docker run`, one per line: ports, mounts, limits. Those that begin with --build- are for
#                 `docker build`. A line without a dash names an image, which is pulled instead of building one.

set -euo pipefail
name=license-decoder
next=$name-next
previous=$name-previous
check=$name-check
guide='docs/install.md (in Russian: docs/operating.ru.md)'

fail() {
  printf '%s\n' "$*" >&2
  exit 1
}

exists() { docker container inspect "$1" >/dev/null 2>&1; }
field() { docker inspect --format "$2" "$1"; }
label() { field "$1" "{{index .Config.Labels \"$name.$2\"}}"; }
runs() { exists "$1" && [ "$(field "$1" '{{.State.Running}}')" = true ]; }
last_lines() { docker logs "$1" 2>&1 | grep -v '"path":"/api/status"' | tail -n 20 >&2 || true; }

# serves CONTAINER: /api/status is 200, and the socket that listens there belongs to a process of the container. In the
# host's network another program may have the port. It would answer for a container that cannot start, or keep the
# connection open without an answer.
serves() {
  docker exec "$1" node -e '
    const { HOST: host = "127.0.0.1", PORT: port = 3000 } = process.env;
    const signal = AbortSignal.timeout(5000);
    require("node:http").get({ host, port, path: "/api/status", signal },
      ({ statusCode }) => process.exit(statusCode === 200 ? 0 : 1))' >/dev/null 2>&1 &&
    docker exec "$1" sh -c '
      port=$(printf :%04X "${PORT:-3000}")
      # Column 2 is the local address, 4 the state (0A: listening), 10 the number of the socket.
      socket=$(cat /proc/net/tcp /proc/net/tcp6 | awk -v port="$port" "\$4 == \"0A\" && index(\$2, port) { print \$10; exit }")
      find /proc/[0-9]*/fd -lname "socket:\[$socket\]" 2>/dev/null | grep -q .'
}

# ready CONTAINER: waits until it serves, for 60 s or until it exits.
ready() {
  local deadline=$((SECONDS + 60))
  until serves "$1"; do
    runs "$1" && ((SECONDS < deadline)) || return 1
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

# Makes .env and docker.args where they are missing, unless another clone has installed what runs.
write_settings() {
  local clone
  if exists "$name"; then
    clone=$(label "$name" clone)
    [ -n "$clone" ] || fail "The container $name was not made by this script. Put its arguments into docker.args and its
variables into .env, remove it (docker rm --force $name), and repeat."
    grep -qs '^JWT_SECRET=.' .env || fail "The container $name was installed from $clone.
A new JWT_SECRET would make all its tokens invalid. Copy .env and docker.args from there to $PWD, and repeat."
  fi
  [ -e .env ] || touch .env
  if ! grep -q '^JWT_SECRET=.' .env; then
    chmod 600 .env
    printf '\nJWT_SECRET=%s\n' "$(head -c 32 /dev/urandom | base64)" >>.env
  fi
  [ -e docker.args ] || cat >docker.args <<'END'
--publish=127.0.0.1:3000:3000
--mount=type=bind,src=/opt/1C,dst=/opt/1C,readonly
--mount=type=bind,src=/etc/1C,dst=/etc/1C,readonly
END
}

# Reads docker.args into run, beside (the same without ports and network), build and image.
read_arguments() {
  local line words
  # shellcheck disable=SC2054
  run=(--env-file .env --stop-timeout 40 --read-only --cap-drop ALL --security-opt no-new-privileges
    --tmpfs /tmp:exec,size=256m)
  beside=("${run[@]}") build=() image=
  while read -r line || [ -n "$line" ]; do
    words=("$line")
    if [[ $line =~ ^(-[^=[:space:]]+)[[:space:]]+(.*)$ ]]; then words=("${BASH_REMATCH[@]:1}"); fi
    case $line in
      '' | '#'*) ;;
      --build-*) build+=("${words[@]}") ;;
      -p* | --publish* | --net* | --ip*) run+=("${words[@]}") ;;
      -*) run+=("${words[@]}") beside+=("${words[@]}") ;;
      *) image=$line ;;
    esac
    if [[ $line =~ (src|source)=(/[^,]*) && ! -e ${BASH_REMATCH[2]} ]]; then
      fail "${BASH_REMATCH[2]} does not exist. Install ring, as $guide says, or change this line of docker.args: $line"
    fi
  done <docker.args
}

# Builds or pulls the image of the new version; sets id.
make_image() {
  if [ -n "$image" ]; then
    docker pull "$image" || echo 'Not pulled: the image of this machine is taken.' >&2
  else
    docker buildx version >/dev/null 2>&1 || fail "Docker's plugin buildx is missing. See $guide."
    image=$name:next
    # An attestation would make each build another image.
    docker build --provenance=false --load --tag "$image" "${build[@]}" . ||
      fail 'The new version does not build. Nothing was changed.'
  fi
  id=$(docker image inspect --format '{{.Id}}' "$image")
}

# Whether what runs was made of this image and these settings.
runs_already() {
  exists "$name" && [ "$(field "$name" '{{.Image}}') $(label "$name" made-of)" = "$id $made_of" ] &&
    docker start "$name" >/dev/null && ready "$name"
}

# Creates $next, and tries the same beside what runs.
make_next() {
  docker create --name "$next" --label "$name.clone=$PWD" --label "$name.made-of=$made_of" "${run[@]}" --restart no \
    "$id" >/dev/null || fail 'Correct .env or docker.args, as the message above says. Nothing was changed.'
  if ! docker run --detach --name "$check" "${beside[@]}" --restart no --network none "$id" >/dev/null || ! ready "$check"; then
    last_lines "$check"
    fail 'The new version does not become ready. Nothing was changed.'
  fi
  docker rm --force "$check" >/dev/null
}

# Starts $next in the place of $name. The names change last: until then $name is the old one. Returns 1 when the old one
# runs again, and 2 when nothing runs.
exchange() {
  local new old=''
  new=$(field "$next" '{{.Id}}')
  if exists "$name"; then
    old=$(field "$name" '{{.Id}}')
    # If the machine restarts during the exchange, Docker must start the old one. `unless-stopped` would not do that,
    # because a container that was stopped here counts as stopped by hand.
    docker update --restart always "$old" >/dev/null
    docker stop "$old" >/dev/null
  fi
  # Somebody may have started the previous version by hand, and it may have the port.
  if exists "$previous"; then docker stop "$previous" >/dev/null; fi
  if docker start "$new" >/dev/null && ready "$new" && change_names; then
    docker update --restart unless-stopped "$new" >/dev/null
    if [ -n "$old" ]; then docker update --restart no "$old" >/dev/null; fi
    return
  fi
  last_lines "$new"
  docker stop "$new" >/dev/null
  [ -n "$old" ] || return 2
  # It has another name only if change_names failed half way.
  docker rename "$old" "$name" 2>/dev/null || true
  docker start "$old" >/dev/null && ready "$old" || return 2
  docker update --restart unless-stopped "$old" >/dev/null
  return 1
}

change_names() {
  if exists "$name"; then
    if exists "$previous"; then docker rm --force "$previous" >/dev/null || return; fi
    docker rename "$name" "$previous" || return
  fi
  docker rename "$next" "$name"
}

# go_back: as exchange, for the previous version.
go_back() {
  local status=0
  docker rename "$previous" "$next" || return 1
  exchange || status=$?
  if ((status > 0)); then docker rename "$next" "$previous"; fi
  return "$status"
}

# explain_failure STATUS: what exchange has returned.
explain_failure() {
  if (($1 == 1)); then fail 'It did not become ready there. What ran before runs again.'; fi
  echo 'It did not become ready there. NOTHING RUNS NOW.' >&2
  if exists "$name"; then echo "For the log of what ran before: docker logs --tail 50 $name" >&2; fi
  exit 2
}

# Puts in order what a call that was killed has left, and what was done by hand.
tidy() {
  if exists "$check"; then docker rm --force "$check" >/dev/null; fi
  if runs "$next" && ! exists "$name"; then
    # Killed in change_names: the new version only lacks its name.
    docker rename "$next" "$name"
  elif exists "$next"; then
    docker rm --force "$next" >/dev/null
    if exists "$name"; then docker start "$name" >/dev/null || true; fi
  fi
  if runs "$previous" && ! runs "$name"; then
    # Somebody went back by hand.
    docker rename "$previous" "$next"
    if exists "$name"; then docker rename "$name" "$previous"; fi
    docker rename "$next" "$name"
  fi
}

# Removes what is no version, but nothing that serves, and lets the tag name the image that runs.
clean_up() {
  local status=$?
  trap '' INT TERM HUP
  {
    docker rm --force "$check"
    if runs "$name" || ! runs "$next"; then docker rm --force "$next"; fi
    docker tag "$(field "$name" '{{.Image}}')" "$name"
    docker rmi "$name:next"
    docker image prune --force --filter label=org.opencontainers.image.title=license-decoder
  } >/dev/null 2>&1 || true
  exit "$status"
}

case $* in
  '' | --previous) ;;
  --help) sed -n '2,/^$/s/^# \?//p' "$0" && exit ;;
  *) sed -n '2,/^$/s/^# \?//p' "$0" >&2 && exit 2 ;;
esac
cd "$(dirname "$0")/../.."
command -v docker >/dev/null || fail "Docker is missing. Install Docker Engine 25 or later. See $guide."
problem=$(docker version 2>&1 >/dev/null) ||
  fail "Docker Engine does not answer. Start it (systemctl start docker), or run this as root. $problem"
# One lock for all clones on this machine.
lock=/run/lock/$name
[ -e "$lock" ] || (umask 022 && touch "$lock")
exec 9<"$lock"
flock --nonblock 9 || fail 'Another call of this script is running. Wait for its end.'

trap clean_up EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
trap 'exit 129' HUP
tidy
if [ "$*" = --previous ]; then
  exists "$previous" || fail "There is no previous version: the stopped container $previous is missing."
  echo 'The previous version takes its place now; this cannot be interrupted.'
  uninterrupted go_back || explain_failure $?
  echo 'The previous version runs again, with its own settings and JWT_SECRET.'
else
  write_settings
  read_arguments
  make_image
  made_of=$(cat .env docker.args docs/deploy/docker.sh | sha256sum)
  if runs_already; then
    echo 'This version runs already.'
  else
    make_next
    echo 'The new version is ready and takes its place now; this cannot be interrupted.'
    uninterrupted exchange || explain_failure $?
  fi
fi

address=$(docker port "$name" | sed -n '1s/.* -> //p' | sed 's/^0\.0\.0\.0:/localhost:/')
cat <<END
Next, with a license of yours as license.lic:
  curl http://${address:=localhost:3000}/api/status
  curl -F license=@license.lic http://$address/api/decode
  docker exec $name token --days 90 --subject ivanov
  docker exec -i $name doctor - <license.lic
  docker logs --tail 200 $name
END
