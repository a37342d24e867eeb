#!/bin/sh
# Installs ring from a license-tools distribution, as a step of the image's build. An empty directory is no
# error: ring may be mounted later.
#
# Usage: install-ring.sh DIRECTORY   with the distribution's .tar.gz in it, packed or unpacked
set -eu

fail() {
  echo "The ring distribution can't be installed: $1" >&2
  exit 1
}

# Also where a mounted ring goes: on a read-only root the engine could not make them.
mkdir -p /opt/1C /etc/1C
if [ -z "$(ls -A "$1")" ]; then
  echo 'No ring distribution given: the image is built without ring.'
  exit 0
fi

# A mounted directory may be read-only.
distribution=$(mktemp -d)
cp -R "$1/." "$distribution"
for archive in "$distribution"/*.tar.gz; do
  [ -e "$archive" ] || continue
  tar -xzf "$archive" -C "$distribution"
done
installer=$(find "$distribution" -type f -name 1ce-installer-cli)
case $(printf '%s\n' "$installer" | grep -c .) in
  0) fail 'there is no 1ce-installer-cli in it. Give the directory that holds the .tar.gz of license-tools.' ;;
  1) ;;
  *) fail 'there is more than one 1ce-installer-cli in it. Give a directory with one distribution.' ;;
esac

cd "$(dirname "$installer")"
chmod +x 1ce-installer-cli
# The hardware that would be checked is the build machine's, not the one that ring will run on.
./1ce-installer-cli install --ignore-hardware-checks --ignore-signature-warnings

[ -n "$(find /opt/1C -type f -name ring)" ] || fail 'its installer put no ring into /opt/1C.'

# Whatever owners and modes the distribution came with: for all to read, for none to change.
chown -hR root:root /opt/1C /etc/1C
chmod -R a+rX,go-w /opt/1C /etc/1C
find /opt/1C -type f -name ring -exec chmod a+x {} +
rm -rf "$distribution"
