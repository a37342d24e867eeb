#!/usr/bin/env bash
# Installs the service as one Docker container, or a newer version of it. The new version first runs beside the old one,
# without network, until it is ready; only then does it take the old one's place.
#
# Usage: docs/deploy/docker.sh [--previous]
#   --previous   goes back to the version before, with its settings; the second time, forth again
#
# Files in the root of the clone, which the first call makes:
#   .env          settings, and JWT_SECRET
#   docker.args   arguments of `docker run`, one a line: ports, mounts, limits. Those that begin with --build- are for
#                 `docker build`. A line that is no option names an image to pull instead of building one.

set -euo pipefail
name=license-decoder next=license-decoder-next previous=license-decoder-previous check=license-decoder-check

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

exists() { docker container inspect "$1" >/dev/null 2>&1; }
field() { docker inspect --format "$2" "$1"; }
last_lines() { docker logs "$1" 2>&1 | grep -v '"path":"/api/status"' | tail -n 20 >&2 || true; }

# ready CONTAINER: waits for its /api/status, for 60 s or until it exits.
ready() {
  local deadline=$((SECONDS + 60))
  until docker exec "$1" node -e 'const { HOST: host = "127.0.0.1", PORT: port = 3000 } = process.env;
      require("node:http").get({ host, port, path: "/api/status", timeout: 5000 },
        ({ statusCode }) => process.exit(statusCode === 200 ? 0 : 1))' >/dev/null 2>&1; do
    [ "$(field "$1" '{{.State.Running}}{{.RestartCount}}')" = true0 ] && ((SECONDS < deadline)) || return 1
    sleep 1
  done
}

# read_arguments FILE: sets run, beside (the same without ports and network), build and image.
read_arguments() {
  local line words
  # shellcheck disable=SC2054
  run=(--env-file "$env" --label "$name.args=$(<"$1")" --restart unless-stopped --stop-timeout 40 --read-only
    --cap-drop ALL --security-opt no-new-privileges --tmpfs /tmp:exec,size=256m)
  beside=("${run[@]}") build=() image=
  while read -r line || [ -n "$line" ]; do
    words=("$line")
    if [[ $line =~ ^(-[^=[:space:]]+)[[:space:]]+(.*)$ ]]; then words=("${BASH_REMATCH[@]:1}"); fi
    case $line in
      '' | '#'*) continue ;;
      --build-*) build+=("${words[@]}") && continue ;;
      [!-]*) image=$line && continue ;;
      -p* | --publish* | --net* | --ip*) ;;
      *) beside+=("${words[@]}") ;;
    esac
    run+=("${words[@]}")
    if [[ $line =~ (src|source)=(/[^,]*) && ! -e ${BASH_REMATCH[2]} ]]; then
      fail "${BASH_REMATCH[2]} does not exist. Install ring (docs/install.md), or change this line of docker.args: $line"
    fi
  done <"$1"
}

# What a container was made with, without the values of its variables.
made_with() {
  field "$1" '{{with .HostConfig}}ports {{json .PortBindings}}
mounts {{json .Mounts}} {{json .Binds}} {{json .Tmpfs}}
network {{json .NetworkMode}} {{json .ExtraHosts}} {{json .Dns}}
limits {{json .Memory}} {{json .NanoCpus}} {{json .PidsLimit}} {{json .Ulimits}} {{json .LogConfig}}
rights {{json .CapAdd}} {{json .CapDrop}} {{json .SecurityOpt}} {{json .ReadonlyRootfs}} {{json .GroupAdd}}
restart {{json .RestartPolicy}}{{end}}
user {{json .Config.User}}, stop timeout {{json .Config.StopTimeout}}
{{range .Config.Env}}variable {{index (split . "=") 0}}
{{end}}'
}
version_of() { field "$1" '{{.Image}} {{json .Config.Env}}' && made_with "$1"; }

# exchange CONTAINER: starts it in the place of what runs. The names change last: until then $name is the old one.
exchange() {
  if exists "$name"; then docker stop "$name" >/dev/null; fi
  if docker start "$1" >/dev/null && ready "$1"; then
    if [ "$1" = "$previous" ]; then
      docker rename "$previous" "$next"
    elif exists "$name" && exists "$previous"; then
      docker rm "$previous" >/dev/null
    fi
    if exists "$name"; then docker rename "$name" "$previous"; fi
    docker rename "$next" "$name"
  else
    last_lines "$1"
    docker stop "$1" >/dev/null
    if exists "$name"; then docker start "$name" >/dev/null; fi
    return 1
  fi
}

# Removes what is no version, and lets the tag name what runs. Nothing here decides the exit status.
clean_up() {
  local status=$? kept tag
  trap '' INT TERM HUP
  {
    docker rm --force "$check" "$next"
    kept=$(field "$name" '{{.Config.Image}}'; field "$previous" '{{.Config.Image}}')
    docker tag "$(field "$name" '{{.Image}}')" "$name"
    for tag in $(docker image ls --format '{{.Repository}}:{{.Tag}}' "$name" | grep :docker-); do
      [[ $kept == *"$tag"* ]] || docker rmi "$tag"
    done
    rm -rf "$scratch"
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
command -v docker >/dev/null || fail 'Docker is missing. Install Docker Engine 25 or later: docs/install.md#docker'
engine=$(docker version --format '{{.Server.Version}}' 2>&1) ||
  fail "Docker Engine does not answer. Start it (systemctl start docker), or run this as root. $engine"
((${engine%%.*} >= 25)) || fail "Docker Engine 25 or later is needed, this is $engine: docs/install.md#docker"
exec 9<.
flock --nonblock 9 || fail 'Another call of this script is running. Wait for its end.'

scratch=$(mktemp -d)
trap clean_up EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
trap 'exit 129' HUP
if exists "$next"; then # what an exchange that was killed left
  docker rm --force "$next" >/dev/null
  if exists "$name"; then docker start "$name" >/dev/null; fi
fi

if [ -n "$back" ]; then
  exists "$previous" || fail 'There is no previous version.'
  env=$scratch/env new=$previous
  field "$previous" '{{range .Config.Env}}{{println .}}{{end}}' >"$env"
  field "$previous" "{{index .Config.Labels \"$name.args\"}}" >"$scratch/args"
  # One that was adopted has none.
  if grep -q . "$scratch/args"; then read_arguments "$scratch/args"; else read_arguments docker.args; fi
  image=$(field "$previous" '{{.Image}}')
else
  env=.env new=$next
  [ -e .env ] || (umask 077 && touch .env)
  grep -q '^JWT_SECRET=.' .env || printf '\nJWT_SECRET=%s\n' "$(head -c 32 /dev/urandom | base64)" >>.env
  [ -e docker.args ] || cat >docker.args <<'END'
--publish=127.0.0.1:3000:3000
--mount=type=bind,src=/opt/1C,dst=/opt/1C,readonly
--mount=type=bind,src=/etc/1C,dst=/etc/1C,readonly
END
  read_arguments docker.args
  if [ -n "$image" ]; then
    docker pull "$image" || echo 'Not pulled: the image of this machine is taken.' >&2
  else
    docker buildx version >/dev/null 2>&1 || fail "Docker's plugin buildx is missing: docs/install.md#docker"
    # An attestation would make each build another image.
    image=$name:docker-build
    docker build --provenance=false --load --tag "$image" "${build[@]}" . || fail 'The new version does not build. Nothing was changed.'
  fi
  id=$(field "$image" '{{.Id}}')
  docker tag "$id" "$name:docker-${id:7:12}"
  image=$name:docker-${id:7:12}
  docker create --name "$next" "${run[@]}" "$image" >/dev/null || fail 'Correct docker.args. Nothing was changed.'
  if exists "$name" && [ -z "$(field "$name" "{{index .Config.Labels \"$name.args\"}}")" ]; then
    other=$(diff <(made_with "$name") <(made_with "$next") | sed -n 's/^< /  /p') || true
    [ -z "$other" ] || fail "The container $name was not made by this script, and not with what docker.args says:
$other
Nothing was changed. Put these arguments into docker.args (variables into .env), or remove the container, and repeat."
  fi
fi

if exists "$name" && [ "$(version_of "$name")" = "$(version_of "$new")" ] && docker start "$name" >/dev/null && ready "$name"; then
  echo 'This version runs already.'
else
  if ! docker run --detach --name "$check" "${beside[@]}" --restart no --network none "$image" >/dev/null || ! ready "$check"; then
    last_lines "$check"
    fail 'The new version does not become ready. Nothing was changed.'
  fi
  docker rm --force "$check" >/dev/null
  echo 'The new version is ready and takes its place now; this cannot be interrupted.'
  uninterrupted exchange "$new" || fail 'It did not become ready there. What ran before runs again.'
  [ -z "$back" ] || echo 'The version before runs again, with its settings: also with its JWT_SECRET.'
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
