# The service with Node.js and a JRE. ring is proprietary and not part of it; there are two ways to add it:
#
#   mounted     docker run --mount type=bind,src=/opt/1C,dst=/opt/1C,readonly and the same for /etc/1C …
#   installed   docker build --build-context ring=DIRECTORY …
#               DIRECTORY holds your own license-tools distribution, a .tar.gz.
#               NEVER PUBLISH an image built this way: 1C's license does not allow passing ring on.
#
# To try the service without ring: docker build --target demo --tag license-decoder-demo .
#
# Runs with a read-only root file system, any user id and no capabilities; everything it writes goes to /tmp:
#
#   docker run --read-only --cap-drop ALL --security-opt no-new-privileges \
#     --tmpfs /tmp:exec,size=256m --stop-timeout 40 …
#
# exec: a JVM can load the native libraries that it unpacks there only from such a file system. The stop timeout must
# exceed SHUTDOWN_TIMEOUT_MS, else the engine kills decodes that would still be answered.

# No ARG: Dependabot reads only names that stand in FROM.
FROM docker.io/library/node:24-trixie-slim AS node


# ring is known to run on Java 8 and 11. Another JRE, built for glibc like the Node.js image:
#   docker build --build-context jre=docker-image://docker.io/library/eclipse-temurin:17-jre …
FROM docker.io/library/eclipse-temurin:11-jre AS jre


# Everything but the service: ring is installed on the same JRE that runs it.
FROM node AS base
# C.UTF-8 needs no locale package; in the C locale a JVM prints `?` for every Cyrillic letter.
ENV LANG=C.UTF-8 \
    LC_ALL=C.UTF-8 \
    JAVA_HOME=/opt/java/openjdk \
    PATH=/opt/java/openjdk/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
# The upgrade, because the base image gets Debian's fixes only some days later. gawk, because ring's launcher calls its
# function gensub, which Debian's own awk does not have. Package managers go: at run time they only help an intruder, and
# fill the reports of scanners.
RUN apt-get update \
 && apt-get upgrade --yes \
 && apt-get install --yes --no-install-recommends gawk tini \
 && apt-get clean \
 && rm -rf /var/lib/apt/lists/* \
    /usr/local/lib/node_modules /usr/local/bin/npm /usr/local/bin/npx /usr/local/bin/corepack \
    /usr/local/bin/yarn /usr/local/bin/yarnpkg /opt/yarn-*
COPY --from=jre /opt/java/openjdk /opt/java/openjdk
# Ends the build when this JRE cannot run here.
RUN java -version


# No dependency may run a script here.
FROM node AS dependencies
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --omit=dev --ignore-scripts


# Of the two install scripts, one fetches a Node.js, which the image already has, and one reports to an outside host.
FROM node AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts
# All that .dockerignore lets through.
COPY . .
RUN npm run build
# Copyright and license of each npm package in the image.
RUN node scripts/image/notices.mjs >NOTICES.txt


# Empty: a build context named `ring` takes its place.
FROM scratch AS ring


FROM base AS ring-installed
COPY scripts/image/install-ring.sh ./
COPY --from=ring / /ring-distribution/
RUN sh install-ring.sh /ring-distribution


FROM base AS service
WORKDIR /app
COPY --from=dependencies /app/node_modules ./node_modules
# Tells Node.js that dist holds ES modules. A checkout's file modes depend on its owner's umask.
COPY --chmod=644 package.json ./
COPY --from=build /app/dist ./dist
COPY --from=build /app/NOTICES.txt ./
# docker run … token --days 30, docker run … secret, docker exec -i … doctor - <a.lic,
# docker run … licenses /licenses
COPY --chmod=755 scripts/arguments.mjs scripts/token.mjs scripts/secret.mjs ./scripts/
RUN chmod 755 dist/doctor/doctor.js dist/license-folders/licenses.js \
 && ln -s /app/dist/doctor/doctor.js /usr/local/bin/doctor \
 && ln -s /app/dist/license-folders/licenses.js /usr/local/bin/licenses \
 && ln -s /app/scripts/token.mjs /usr/local/bin/token \
 && ln -s /app/scripts/secret.mjs /usr/local/bin/secret

# An unknown user id has no home directory; /tmp is the only place that is writable for all.
ENV NODE_ENV=production \
    PORT=3000 \
    HOME=/tmp
EXPOSE 3000
# A number, because Kubernetes cannot tell from a name that it is not root. The user is the base image's `node`.
USER 1000:1000
STOPSIGNAL SIGTERM
# A core file would hold JWT_SECRET and licenses. The limit is set here, because an engine's own differs and Kubernetes
# cannot set one. tini, because the JVM that an aborted launcher leaves behind is handed to PID 1, and Node.js does not
# reap.
ENTRYPOINT ["/bin/sh", "-c", "ulimit -c 0 && exec /usr/bin/tini -- \"$@\"", "sh"]
# Without a bound V8 lets the heap grow by some hundred megabytes of garbage before it collects.
CMD ["node", "--max-old-space-size=128", "--enable-source-maps", "dist/server.js"]
# Whether the process answers. Not /api/status, because some engines restart what is unhealthy, and a restart mends no ring.
HEALTHCHECK --interval=30s --timeout=5s --start-period=10s --retries=3 \
  CMD ["node", "-e", "require('node:http').get({ host: process.env.HOST || '127.0.0.1', port: process.env.PORT || 3000, path: '/healthz' }, ({ statusCode }) => process.exit(statusCode === 200 ? 0 : 1))"]


# What `npm run demo` starts: a stand-in for ring that knows only the samples in scripts/demo-ring.
FROM service AS demo
COPY scripts/demo.mjs scripts/temporary-directory.mjs ./scripts/
# The stand-ins for ring and Java are executable, however they were checked out.
COPY --chmod=755 scripts/demo-ring ./scripts/demo-ring
CMD ["node", "scripts/demo.mjs"]
LABEL org.opencontainers.image.title="license-decoder-demo" \
      org.opencontainers.image.description="DEMO of license-decoder with a stand-in for ring: decodes only its own samples" \
      org.opencontainers.image.licenses="MIT"


FROM service
# Owned by root, readable by all: no user of the container can change them.
COPY --from=ring-installed /opt/1C /opt/1C
COPY --from=ring-installed /etc/1C /etc/1C
# A release adds version, revision and source.
LABEL org.opencontainers.image.title="license-decoder" \
      org.opencontainers.image.description="REST service that decodes license files of the 1C:Enterprise platform with its ring tool (not included)" \
      org.opencontainers.image.licenses="MIT"
