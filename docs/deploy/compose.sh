#!/usr/bin/env bash
# Installs nginx, two replicas of the service and Redis with Docker Compose, or updates them. Each container of the new
# version first runs beside the old ones, without network. When all of them are ready, the replicas are replaced, one
# after another. Changes of .env, compose.override.yaml, nginx/ and certificates are applied too.
#
# Usage: docs/deploy/compose.sh [--previous]
#   --previous   goes back to the previous version, with its settings. Called again, it returns to the newer version.
#
# Exit status:
#   0   it runs
#   1   nothing was changed, or what ran before runs again
#   2   some or all of what ran before does not run, or an argument is wrong

set -euo pipefail
# An attestation would make each build another image.
export BUILDX_NO_DEFAULT_ATTESTATIONS=1
project='' replicas='' redis=''
# What is installed by this call, for its messages.
subject='The new version'
guide='docs/install.md (in Russian: docs/operating.ru.md)'

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

# Puts a new JWT_SECRET into .env, unless another clone has installed what runs.
write_secret() {
  local clone
  ! grep -qs '^JWT_SECRET=.' .env || return 0
  clone=$(docker ps --all --filter label=com.docker.compose.project=license-decoder --format \
    '{{.Label "com.docker.compose.project.working_dir"}}' | head -n 1)
  [ -z "$clone" ] || fail "The containers of this machine were installed from $clone.
A new JWT_SECRET would make all their tokens invalid. Copy .env, .versions and what you
have added there to $PWD with \`cp --archive\`, and repeat."
  [ -e .env ] || touch .env
  chmod 600 .env
  printf '\nJWT_SECRET=%s\n' "$(head -c 32 /dev/urandom | base64)" >>.env
}

# own_tag ID: the tag under which a version names its image.
own_tag() { echo "license-decoder:compose-${1:7:12}"; }
compose() { docker compose --progress quiet "$@" </dev/null; }
version() { compose --project-directory . --file ".versions/$1/compose.yaml" "${@:2}"; }
beside() { compose --project-name "$project-check" --file .versions/new/compose.yaml --file .versions/check.yaml "$@"; }
# start SERVICE COMMAND…: asks for its health too, because `up` may exit with 0 when the time is over.
start() {
  "${@:2}" up --detach --no-deps --no-build --wait --wait-timeout 60 "$1" &&
    [ "$("${@:2}" ps --format '{{.Health}}' "$1")" = healthy ]
}
last_lines() {
  docker logs "$("${@:2}" ps --all --quiet "$1")" 2>&1 | grep -v '"path":"/api/status"' | tail -n 20 >&2 || true
}

# The images of the current version are needed for the way back, and are named by their own tags. `docker image prune -a`
# removes such a tag although the image runs, because the image has another tag too. So the tags are set again.
restore_tags() {
  local services container id
  [ -e .versions/current ] || return 0
  services=$(version current config --services | grep ^license-decoder-) || return 0
  # shellcheck disable=SC2086
  for container in $(version current ps --all --quiet $services); do
    id=$(docker inspect --format '{{.Image}}' "$container")
    docker tag "$id" "$(own_tag "$id")" || true
  done
}

# check_mounts FILE ADVICE: fails when a path that a container mounts is missing.
check_mounts() {
  local source
  sed -n '/^x-/q; s|^ *source: /|/|p' "$1" | while read -r source; do
    [ -e "$source" ] || fail "$source does not exist. $2"
  done
}

# Builds or pulls, and writes the new version down: the settings, with images under tags of their own, and nginx/. nginx
# runs on a copy of that, so that a restart of it applies nothing unchecked.
make_version() {
  local replica id key
  # nginx, another user, has to read it.
  install --directory --mode=755 nginx-tls
  compose config >.versions/new/resolved.yaml || fail 'The settings cannot be read. Nothing was changed.'
  # What compose.yaml sets itself wins over .env.
  for key in $(sed -n '/^  environment:/,/^  [a-z]/s/^    \([A-Z_]*\):.*/\1/p' compose.yaml | grep -vx JWT_SECRET); do
    ! grep -q "^$key=" .env || echo "$key in .env has no effect with Compose, because compose.yaml sets it. Delete this line." >&2
  done
  check_mounts .versions/new/resolved.yaml "Install ring, as $guide says, or correct compose.override.yaml."
  replicas=$(compose config --services | grep ^license-decoder- | sort)
  # One image for all; Compose labels it with the first one's name.
  docker compose build "${replicas%%$'\n'*}" || fail 'The new version does not build. Nothing was changed.'
  # shellcheck disable=SC2086
  docker compose pull --ignore-buildable $replicas || echo 'Not pulled: the image of this machine is taken.' >&2
  {
    printf 'services:\n  nginx: { volumes: ["../nginx:/etc/nginx:ro"] }\n'
    for replica in $replicas; do
      id=$(docker image inspect --format '{{.Id}}' "$(compose config --images "$replica")")
      docker tag "$id" "$(own_tag "$id")"
      printf '  %s: { image: "%s" }\n' "$replica" "$(own_tag "$id")"
    done
  } >.versions/new/own.yaml
  compose --file .versions/new/resolved.yaml --file .versions/new/own.yaml config >.versions/new/compose.yaml
  rm .versions/new/resolved.yaml .versions/new/own.yaml
  cp -R nginx .versions/new && chmod -R a+rX .versions/new/nginx
}

# Runs each container of the new version by itself, one at a time.
check() {
  local service alone="restart: 'no', network_mode: none, networks: !reset null, ports: !reset null"
  alone+=', container_name: !reset null'
  {
    printf 'networks: !reset {}\nservices:\n'
    # shellcheck disable=SC2086
    printf "  %s: { $alone }\n" $redis $replicas
    echo "  nginx: { $alone, volumes: ['./nginx:/etc/nginx:ro'], healthcheck: { test: [CMD, nginx, -t] } }"
  } >.versions/check.yaml
  for service in $replicas nginx; do
    start "$service" beside || { last_lines "$service" beside && return 1; }
    beside down --timeout 1
  done
}

ready() { version "$1" exec -T nginx wget -q -T 5 -O /dev/null "http://$2:3000/api/status" 2>/dev/null; }
# nginx leaves a replica alone that it has met stopped, and must not find both like that.
reload() { [ -z "$(version "$1" ps --quiet nginx)" ] || version "$1" exec -T nginx nginx -s reload 2>/dev/null; }

# check_ports: fails when nginx would redirect to a port that it does not publish, and when another program has a port that
# nginx does not have yet. In that case nginx would be stopped first, and then could not start.
check_ports() {
  local own address port
  if [ -e nginx-tls/tls.conf ] && ! version new config nginx | grep 'target: 443$' >/dev/null; then
    fail "nginx-tls/tls.conf redirects port 80 to port 443, which this version does not publish. Add
nginx: { ports: ['443:443'] } to compose.override.yaml, or delete nginx-tls/tls.conf. Nothing was changed."
  fi
  own=$({ docker port "$(version current ps --quiet nginx)"; } 2>/dev/null) || true
  version new config nginx | tr -d '"' |
    awk '$1 == "host_ip:" { ip = $2 } $1 == "published:" { print ip ? ip : "127.0.0.1", $2; ip = "" }' |
    while read -r address port; do
      if ! grep -q ":$port\$" <<<"$own" && timeout 2 bash -c ": <'/dev/tcp/$address/$port'" 2>/dev/null; then
        fail "Another program has port $port of this machine. Stop it, or use another port. Nothing was changed."
      fi
    done
}

# apply VERSION: the replica that is not ready comes first, so that a ready one changes only while the other is ready.
apply() {
  local replica first='' then=''
  for replica in $replicas; do if ready "$1" "$replica"; then then+=" $replica"; else first+=" $replica"; fi; done
  [ -z "$redis" ] || start redis version "$1" || return
  for replica in $first $then; do
    start "$replica" version "$1" || { last_lines "$replica" version "$1" && version "$1" stop "$replica" && return 1; }
    reload "$1"
  done
  mkdir -p .versions/nginx && find .versions/nginx -mindepth 1 -delete
  cp -a ".versions/$1/nginx/." .versions/nginx && chmod a+rx .versions/nginx
  start nginx version "$1" || { last_lines nginx version "$1" && return 1; }
  reload "$1"
}

# Returns 1 when what ran before runs again, and 2 when it does not.
exchange() {
  if apply new; then
    if [ -e .versions/current ] && ! diff -r .versions/new .versions/current >/dev/null; then
      rm -rf .versions/previous && mv .versions/current .versions/previous
    fi
    rm -rf .versions/current && mv .versions/new .versions/current
    return
  fi
  [ -e .versions/current ] && apply current || return 2
  return 1
}

# explain_failure STATUS: what exchange has returned.
explain_failure() {
  local replica serving=''
  if (($1 == 1)); then fail 'It did not become ready there. What ran before runs again.'; fi
  for replica in $replicas; do if ready new "$replica"; then serving+=" $replica"; fi; done
  if [ -n "$serving" ]; then
    echo "It did not become ready there. NOT ALL OF WHAT RAN BEFORE RUNS NOW, only$serving." >&2
  else
    echo 'It did not become ready there. NOTHING RUNS NOW.' >&2
  fi
  echo "For the log: docker compose -p $project logs --tail 50" >&2
  exit 2
}

# Removes what is no version, and lets each replica's own tag name what it runs. Nothing here decides the exit status.
clean_up() {
  local status=$? replica tag
  trap '' INT TERM HUP
  {
    beside down --timeout 1
    rm -rf .versions/new .versions/check.yaml
    for replica in $replicas; do
      id=$(docker inspect --format '{{.Image}}' "$(version current ps --quiet "$replica")")
      docker tag "$id" "$(compose config --images "$replica")"
    done
    for tag in $(docker image ls --format '{{.Repository}}:{{.Tag}}' license-decoder | grep :compose-); do
      grep -qs "$tag" .versions/*/compose.yaml || docker rmi "$tag"
    done
  } >/dev/null 2>&1 || true
  exit "$status"
}

case $* in
  '' | --previous) ;;
  --help) sed -n '2,/^$/s/^# \?//p' "$0" && exit ;;
  *) sed -n '2,/^$/s/^# \?//p' "$0" >&2 && exit 2 ;;
esac
cd "$(dirname "$0")"
command -v docker >/dev/null || fail "Docker is missing. Install Docker Engine 25 or later. See $guide."
engine=$(docker version --format '{{.Server.Version}}' 2>&1) ||
  fail "Docker Engine does not answer. Start it (systemctl start docker), or run this as root. $engine"
((${engine%%.*} >= 25)) || fail "Docker Engine 25 or later is needed, this is $engine. See $guide."
plugin=$(docker compose version --short 2>/dev/null) || fail "Docker's plugin Compose is missing. See $guide."
printf '2.24\n%s\n' "${plugin#v}" | sort -CV ||
  fail "Compose 2.24 or later is needed, this is $plugin. See $guide."
# One lock for all clones on this machine.
lock=/run/lock/license-decoder
[ -e "$lock" ] || (umask 022 && touch "$lock")
exec 9<"$lock"
flock --nonblock 9 || fail 'Another call of this script is running. Wait for its end.'

umask 077
write_secret
trap clean_up EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
trap 'exit 129' HUP
rm -rf .versions/new
restore_tags
if [ "$*" = --previous ]; then
  subject='The previous version'
  cp -a .versions/previous .versions/new 2>/dev/null || fail 'There is no previous version.'
  # Its paths are those of the clone before it was moved.
  check_mounts .versions/new/compose.yaml 'The previous version needs it. Nothing was changed.'
  for image in $(version new config --images | grep :compose-); do
    docker image inspect "$image" >/dev/null 2>&1 || fail "The image $image of the previous version is gone, as after
\`docker image prune -a\`. Check that version out (\`git reflog\` lists what was checked out here), and call this script
without --previous."
  done
else
  mkdir -p .versions/new
  make_version
fi
project=$(sed -n 's/^name: //p' .versions/new/compose.yaml)
replicas=$(version new config --services | grep ^license-decoder- | sort)
redis=$(version new config --services | grep -x redis) || true
check_ports
check || fail "$subject does not become ready. Nothing was changed."
echo "$subject is ready and takes over now; this cannot be interrupted."
uninterrupted exchange || explain_failure $?
if [ "$*" = --previous ]; then echo 'The previous version runs again, with its own settings and JWT_SECRET.'; fi

address=$(version current port nginx 443 2>/dev/null | sed 's|^|-k https://|') || true
: "${address:=http://$(version current port nginx 80)}"
address=${address/0.0.0.0/localhost}
cat <<END
Next, with a license of yours as license.lic:
  curl ${address%:80}/api/status
  curl -F license=@license.lic ${address%:80}/api/decode
  docker compose -p $project exec license-decoder-1 token --days 90 --subject ivanov
  docker compose -p $project exec -T license-decoder-1 doctor - <license.lic
  docker compose -p $project logs --tail 200
END
