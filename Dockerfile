# The App as a container: `docker compose up`, or docs/operations.md.
FROM node:24-bookworm-slim AS dependencies
WORKDIR /app
COPY package.json package-lock.json ./
COPY packages/forge/package.json packages/forge/
COPY packages/ground/package.json packages/ground/
# The image's own Node runs it, so none is brought along.
RUN npm ci --omit=dev --omit=optional --ignore-scripts && npm cache clean --force

FROM node:24-bookworm-slim
RUN apt-get update \
  && apt-get install --yes --no-install-recommends bubblewrap ca-certificates git \
  && rm -rf /var/lib/apt/lists/*
WORKDIR /app
COPY --from=dependencies /app/node_modules node_modules
COPY package.json LICENSE app.yml ./
COPY prompts prompts
COPY packages packages
COPY src src
# The project that the local forge shows where no App is registered yet.
COPY tests/sample tests/sample
# Mirrors, jobs and what else is kept. The user that the base image has, without rights.
RUN mkdir /data && chown node:node /data
VOLUME /data
USER node
# Every address: compose.yml opens the port on the host's loopback only.
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000
EXPOSE 3000
# bubblewrap makes user namespaces, which Docker's default seccomp profile forbids: see compose.yml.
CMD ["node", "src/doors/cli/echelon.js", "serve", "--data", "/data"]
