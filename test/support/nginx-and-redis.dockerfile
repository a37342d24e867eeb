# Stands for the images of nginx and Redis where none can be pulled. As in those, nginx logs to the container's log, wget
# is BusyBox's, and Redis answers other addresses than its own.
FROM docker.io/library/node:24-trixie-slim
RUN apt-get update \
 && apt-get install --yes --no-install-recommends busybox nginx-light redis-server \
 && ln -s /bin/busybox /usr/bin/wget \
 && ln -sf /dev/stdout /var/log/nginx/access.log && chmod 755 /var/log/nginx \
 && rm -r /var/lib/nginx && ln -s /var/cache/nginx /var/lib/nginx \
 && printf '#!/bin/sh\nexec /usr/bin/redis-server "$@" --protected-mode no\n' >/usr/local/bin/redis-server \
 && chmod 755 /usr/local/bin/redis-server
STOPSIGNAL SIGQUIT
CMD ["nginx", "-g", "daemon off;"]
