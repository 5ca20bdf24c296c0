# Tidemark in a container: built with Maven, run on a Java runtime alone, as a user without rights.
#
#   docker build -t tidemark .
#   docker run --rm -p 8000:8000 -v tidemark-data:/data tidemark

FROM maven:3.9-eclipse-temurin-25 AS build
WORKDIR /src
# The poms first: the libraries are then fetched again only when a pom changes.
COPY pom.xml .
COPY .mvn .mvn
COPY table-model/pom.xml table-model/
COPY expressions/pom.xml expressions/
COPY wire-format/pom.xml wire-format/
COPY embedded-kafka/pom.xml embedded-kafka/
COPY ingest/pom.xml ingest/
COPY lsi-processor/pom.xml lsi-processor/
COPY base-table-processor/pom.xml base-table-processor/
COPY gsi-projector/pom.xml gsi-projector/
COPY query-service/pom.xml query-service/
COPY launcher/pom.xml launcher/
COPY test-support/pom.xml test-support/
COPY benchmarks/pom.xml benchmarks/
RUN --mount=type=cache,target=/root/.m2 \
    mvn -q -B -ntp -Dquick -Dmaven.test.skip=true -pl launcher -am dependency:go-offline -DexcludeGroupIds=dev.tidemark || true
COPY . .
RUN --mount=type=cache,target=/root/.m2 \
    mvn -q -B -ntp -Dquick -Dmaven.test.skip=true -pl launcher -am package

FROM eclipse-temurin:25-jre
RUN groupadd --system --gid 10001 tidemark \
    && useradd --system --uid 10001 --gid tidemark --home-dir /opt/tidemark --no-create-home --shell /usr/sbin/nologin tidemark \
    && install -d -o tidemark -g tidemark /data
WORKDIR /opt/tidemark
COPY --from=build /src/tidemark ./
COPY --from=build /src/etc/is-ready etc/
COPY --from=build /src/launcher/target/lib launcher/target/lib
COPY --from=build /src/launcher/target/tidemark.jar launcher/target/
USER tidemark
ENV TIDEMARK_DATA_FOLDER=/data \
    TIDEMARK_HTTP_HOST=0.0.0.0 \
    TIDEMARK_HTTP_PORT=8000
VOLUME /data
EXPOSE 8000
HEALTHCHECK --interval=5s --timeout=3s --start-period=60s --retries=6 CMD ["/opt/tidemark/etc/is-ready", "8000"]
# The script ends in exec: Java is process 1 and gets the SIGTERM that stops it cleanly.
STOPSIGNAL SIGTERM
ENTRYPOINT ["/opt/tidemark/tidemark"]
CMD ["serve"]
