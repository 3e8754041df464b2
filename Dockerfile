# fftprec, ready to run, on Debian 12:
#
#     docker build -t fftprec .
#     docker run --rm -v "$PWD:/work" fftprec run smoke -o out/smoke
FROM debian:12-slim AS build
COPY . /source
RUN /source/scripts/package /packages

FROM debian:12-slim
RUN --mount=type=bind,from=build,source=/packages,target=/packages \
    apt-get update -qq \
    && apt-get install -y -qq --no-install-recommends /packages/fftprec_*.deb librsvg2-bin \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /work
ENTRYPOINT ["fftprec"]
