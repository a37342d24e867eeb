#!/bin/sh
# Builds the stand-in: jars of Java 8 bytecode behind its launcher. Needs a JDK.
#
# Usage: test/support/jvm-ring/build.sh DIRECTORY
set -eu
source=$(dirname "$0")
target=$1
mkdir -p "$target/classes" "$target/lib" "$target/module"
javac --release 8 -Xlint:-options -encoding UTF-8 -d "$target/classes" "$source"/*.java
jar cf "$target/lib/ring.jar" -C "$target/classes" Ring.class
jar cf "$target/module/license.jar" -C "$target/classes" License.class
rm -r "$target/classes"
cp "$source/ring" "$target/ring"
