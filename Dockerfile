# The service with Node.js and a JRE. ring is proprietary and not part of it; it comes in one of two ways:
#
#   mounted     docker run -v /opt/1C:/opt/1C:ro -v /etc/1C:/etc/1C:ro …
#   installed   docker build --build-context ring=DIRECTORY …
#               DIRECTORY holds the operator's own license-tools distribution, a .tar.gz.
#               NEVER PUBLISH an image built that way: 1C's licence does not allow passing ring on.
#
# Runs with a read-only root file system, any user id and no capabilities; all it writes goes to /tmp:
#
#   docker run --read-only --cap-drop ALL --security-opt no-new-privileges \
#     --tmpfs /tmp:exec,size=256m --stop-timeout 40 …
#
# exec: a JVM can load the native libraries that it unpacks there only from such a file system. The stop
# timeout must exceed SHUTDOWN_TIMEOUT_MS, else the engine kills decodes that would still be answered.

ARG NODE_IMAGE=docker.io/library/node:24-bookworm-slim
# ring is known to run on Java 8 and 11. Must be built for glibc, as the Node.js image is.
ARG JRE_IMAGE=docker.io/library/eclipse-temurin:11-jre


FROM ${JRE_IMAGE} AS jre


# What runs in the end, without the service: ring is installed on the very JRE that it is run with.
FROM ${NODE_IMAGE} AS base
# C.UTF-8 is there without a locale package; in the C locale a JVM prints `?` for every Cyrillic letter.
ENV LANG=C.UTF-8 \
    LC_ALL=C.UTF-8 \
    JAVA_HOME=/opt/java/openjdk \
    PATH=/opt/java/openjdk/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
# Package managers are of no use at run time, only to an intruder and in the reports of scanners.
RUN apt-get update \
 && apt-get install --yes --no-install-recommends tini \
 && apt-get clean \
 && rm -rf /var/lib/apt/lists/* \
    /usr/local/lib/node_modules /usr/local/bin/npm /usr/local/bin/npx /usr/local/bin/corepack \
    /usr/local/bin/yarn /usr/local/bin/yarnpkg /opt/yarn-*
COPY --from=jre /opt/java/openjdk /opt/java/openjdk
# Ends the build when this JRE can't run here.
RUN java -version


# No production dependency needs its install script (the one there is reports to an outside host), so none may run.
FROM ${NODE_IMAGE} AS dependencies
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --omit=dev --ignore-scripts


# The one install script among the development dependencies fetches a Node.js, which the image is already.
FROM ${NODE_IMAGE} AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts
COPY tsconfig.json ./
COPY src ./src
RUN npm run build


# Empty: a build context named `ring` takes its place.
FROM scratch AS ring


FROM base AS ring-installed
COPY scripts/image/install-ring.sh /
COPY --from=ring / /ring-distribution/
RUN sh /install-ring.sh /ring-distribution


FROM base AS runtime
# Owned by root, readable by all: no user of the container can change them.
COPY --from=ring-installed /opt/1C /opt/1C
COPY --from=ring-installed /etc/1C /etc/1C
WORKDIR /app
COPY --from=dependencies /app/node_modules ./node_modules
# Tells Node.js that dist holds ES modules. A checkout's file modes depend on its owner's umask.
COPY --chmod=644 package.json ./
COPY --from=build /app/dist ./dist

# An unknown user id has no home directory; /tmp is the one place that is writable for all.
ENV NODE_ENV=production \
    PORT=3000 \
    HOME=/tmp
# With ring in the image and a JRE from 13 on: an archive of ring's classes, for every container's first run.
RUN node dist/make-archive.js && chmod -R a+rX,go-w /app
EXPOSE 3000
# A number, for Kubernetes can't tell from a name that it is not root. The user is the base image's `node`.
USER 1000:1000
STOPSIGNAL SIGTERM
# The JVM that an aborted launcher leaves behind is handed to PID 1, and Node.js does not reap.
ENTRYPOINT ["/usr/bin/tini", "--"]
# A bounded heap: without one V8 lets garbage grow to some hundred megabytes before it collects.
CMD ["node", "--max-old-space-size=128", "--enable-source-maps", "dist/server.js"]
# Whether the process answers, at the cost of no JVM. Readiness, which may fail for want of ring, is /api/status.
HEALTHCHECK --interval=30s --timeout=5s --start-period=10s --retries=3 \
  CMD ["node", "-e", "require('node:http').get({ host: process.env.HOST || '127.0.0.1', port: process.env.PORT || 3000, path: '/healthz' }, ({ statusCode }) => process.exit(statusCode === 200 ? 0 : 1))"]

# Last, so that another version costs no layer.
ARG NODE_IMAGE
ARG VERSION=unknown
ARG REVISION=unknown
LABEL org.opencontainers.image.title="license-decoder" \
      org.opencontainers.image.description="REST service that decodes licence files of the 1C:Enterprise platform with its ring tool (not included)" \
      org.opencontainers.image.licenses="MIT" \
      org.opencontainers.image.base.name="${NODE_IMAGE}" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}"
