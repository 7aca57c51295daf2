# A container with muster and a driver for the CPU, whose user is not root. In the folder of the sources:
#
#   git archive HEAD | docker build -f doc/muster.dockerfile -t muster -
#   docker run --rm -v "$PWD:/results" -u "$(id -u)" -e HOME=/tmp muster bench --device=pocl     records go to ./mine
FROM debian:12-slim
COPY . /usr/src/muster
RUN cd /usr/src/muster && ./bootstrap build --prefix=/usr && make install && \
    apt-get install -y --no-install-recommends pocl-opencl-icd && \
    rm -rf /usr/src/muster /var/lib/apt/lists/* && useradd --create-home muster
USER muster
WORKDIR /results
ENTRYPOINT ["muster"]
