# Rapport in a container: one volume (/data), one port (3000), an ordinary account. See docs/OPERATIONS.md.
ARG NODE=docker.io/library/node:22-bookworm-slim

# Runs on the machine that builds, for every platform: nothing has to be emulated.
FROM --platform=$BUILDPLATFORM ${NODE} AS build
ARG TARGETARCH
ARG COMMIT=
WORKDIR /src
COPY . .
RUN node scripts/release.mjs --package-only --uncommitted --commit "$COMMIT" --output /made \
 && cd /made/package \
 && npm ci --omit=dev --no-audit --no-fund --os=linux --libc=glibc --cpu="$(echo "$TARGETARCH" | sed s/amd64/x64/)" \
 && find node_modules -name '*.map' -delete \
 && mkdir -p /root-of-image/opt /root-of-image/usr/local/bin /data-of-image \
 && mv /made/package /root-of-image/opt/rapport \
 && chmod +x /root-of-image/opt/rapport/bin/rapport.mjs \
 && ln -s /opt/rapport/bin/rapport.mjs /root-of-image/usr/local/bin/rapport

# Named, because buildah would take that of the stage above.
FROM --platform=$TARGETPLATFORM ${NODE}
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data
COPY --from=build /root-of-image/ /
COPY --from=build --chown=1000:1000 /data-of-image /data
USER 1000:1000
WORKDIR /data
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/readyz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["rapport"]
CMD ["serve"]
