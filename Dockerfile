# tfmini in a container. hadolint finds nothing in this file, and its pip commands were run in a virtual environment, but
# no Docker daemon has built it yet, and no GPU has run it.
#   docker build --target cpu -t tfmini .            && docker run --rm -v "$PWD:/work" tfmini run train.py
#   docker build --target cuda13 -t tfmini-cuda13 .  && docker run --rm --gpus all tfmini-cuda13 devices
# The second needs NVIDIA's container toolkit and a driver for CUDA 13; CUDA itself comes with CuPy's wheels.
FROM python:3.12-slim AS wheel
# hadolint ignore=DL3008
RUN apt-get update \
    && apt-get install --yes --no-install-recommends g++ \
    && rm -rf /var/lib/apt/lists/*
COPY . /source
RUN pip wheel --no-cache-dir --no-deps --wheel-dir /wheels /source

FROM python:3.12-slim AS base
RUN useradd --create-home --uid 1000 tfmini
COPY --from=wheel /wheels /wheels
WORKDIR /work
ENTRYPOINT ["tfmini"]

FROM base AS cuda13
# hadolint ignore=DL3013
RUN pip install --no-cache-dir --find-links /wheels "tfmini-runtime[cuda13,cudnn13,common,keras,examples]"
ENV NVIDIA_VISIBLE_DEVICES=all NVIDIA_DRIVER_CAPABILITIES=compute,utility
USER 1000

FROM base AS cpu
# hadolint ignore=DL3013
RUN pip install --no-cache-dir --find-links /wheels "tfmini-runtime[common,keras,examples]"
USER 1000
