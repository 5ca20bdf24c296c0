package dev.tidemark.wire.registry;

import dev.tidemark.wire.JsonBytes;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.apache.avro.Schema;

/**
 * The reading half of Confluent's schema registry API over what a registry holds, so that standard
 * consumers find our schemas. Thread-safe; never blocks.
 */
public final class RegistryApi {

    /** The media type of every response. */
    public static final String CONTENT_TYPE = "application/vnd.schemaregistry.v1+json";

    private final RegistryView registry;

    public RegistryApi(RegistryView registry) {
        this.registry = registry;
    }

    /**
     * An answer.
     *
     * @param status the HTTP status
     * @param body JSON
     */
    public record Response(int status, String body) {}

    /**
     * Returns the answer to a GET, or empty if the path is none of this API's.
     *
     * @param path as it was asked for, percent-encoded; a query is ignored
     */
    public Optional<Response> get(String path) {
        int query = path.indexOf('?');
        String plain = query < 0 ? path : path.substring(0, query);
        String[] parts = plain.replaceAll("^/+|/+$", "").split("/", -1);
        return switch (parts[0]) {
            case "subjects" -> subjects(parts);
            case "schemas" -> schemas(parts);
            case "config" -> config(parts);
            case "mode" ->
                    parts.length == 1
                            ? Optional.of(ok(new JsonBytes().putAscii("{\"mode\":\"READONLY\"}")))
                            : Optional.empty();
            default -> Optional.empty();
        };
    }

    private Optional<Response> subjects(String[] parts) {
        if (parts.length == 1) {
            return Optional.of(strings(registry.subjects()));
        }
        if (parts.length < 3 || parts.length > 5 || !parts[2].equals("versions")) {
            return Optional.empty();
        }
        Optional<String> subject = decode(parts[1]);
        if (subject.isEmpty()) {
            return Optional.of(subjectNotFound(parts[1]));
        }
        List<RegisteredSchema> versions = registry.versions(subject.get());
        if (versions.isEmpty()) {
            return Optional.of(subjectNotFound(subject.get()));
        }
        if (parts.length == 3) {
            return Optional.of(numbers(versions.stream().map(RegisteredSchema::version).toList()));
        }
        if (parts.length == 5 && !parts[4].equals("schema")) {
            return Optional.empty();
        }
        return Optional.of(version(versions, parts[3], parts.length == 5));
    }

    private static Response version(
            List<RegisteredSchema> versions, String asked, boolean onlySchema) {
        int number;
        try {
            number =
                    asked.equals("latest") || asked.equals("-1")
                            ? versions.get(versions.size() - 1).version()
                            : Integer.parseInt(asked);
        } catch (NumberFormatException e) {
            number = 0;
        }
        if (number < 1) {
            return error(
                    422,
                    42202,
                    "The specified version '"
                            + asked
                            + "' is not a valid version id. Allowed values are between [1, 2^31-1]"
                            + " and the string \"latest\"");
        }
        for (RegisteredSchema version : versions) {
            if (version.version() == number) {
                return onlySchema
                        ? new Response(200, version.schema().toString())
                        : ok(
                                new JsonBytes()
                                        .putAscii("{\"subject\":")
                                        .putString(version.subject())
                                        .putAscii(",\"version\":")
                                        .putNumber(number)
                                        .putAscii(",\"id\":")
                                        .putNumber(version.id())
                                        .putAscii(",\"schema\":")
                                        .putString(version.schema().toString())
                                        .put('}'));
            }
        }
        return error(404, 40402, "Version " + number + " not found.");
    }

    private Optional<Response> schemas(String[] parts) {
        if (parts.length == 2 && parts[1].equals("types")) {
            return Optional.of(strings(List.of("AVRO")));
        }
        if (parts.length < 3 || parts.length > 4 || !parts[1].equals("ids")) {
            return Optional.empty();
        }
        int id;
        try {
            id = Integer.parseInt(parts[2]);
        } catch (NumberFormatException e) {
            return Optional.of(error(404, 404, "HTTP 404 Not Found"));
        }
        Optional<Schema> schema = registry.byId(id);
        if (schema.isEmpty()) {
            return Optional.of(error(404, 40403, "Schema " + id + " not found"));
        }
        if (parts.length == 3) {
            return Optional.of(
                    ok(
                            new JsonBytes()
                                    .putAscii("{\"schema\":")
                                    .putString(schema.get().toString())
                                    .put('}')));
        }
        return switch (parts[3]) {
            case "schema" -> Optional.of(new Response(200, schema.get().toString()));
            case "subjects" ->
                    Optional.of(
                            strings(
                                    registry.uses(id).stream()
                                            .map(RegisteredSchema::subject)
                                            .toList()));
            case "versions" -> Optional.of(uses(registry.uses(id)));
            default -> Optional.empty();
        };
    }

    private static Response uses(List<RegisteredSchema> uses) {
        JsonBytes json = new JsonBytes().put('[');
        for (RegisteredSchema use : uses) {
            if (json.size() > 1) {
                json.put(',');
            }
            json.putAscii("{\"subject\":")
                    .putString(use.subject())
                    .putAscii(",\"version\":")
                    .putNumber(use.version())
                    .put('}');
        }
        return ok(json.put(']'));
    }

    private static Optional<Response> config(String[] parts) {
        if (parts.length == 1) {
            return Optional.of(
                    ok(new JsonBytes().putAscii("{\"compatibilityLevel\":\"BACKWARD\"}")));
        }
        return parts.length == 2
                ? Optional.of(
                        error(
                                404,
                                40408,
                                "Subject '"
                                        + decode(parts[1]).orElse(parts[1])
                                        + "' does not have subject-level compatibility configured"))
                : Optional.empty();
    }

    private static Response subjectNotFound(String subject) {
        return error(404, 40401, "Subject '" + subject + "' not found.");
    }

    private static Response strings(List<String> values) {
        JsonBytes json = new JsonBytes().put('[');
        for (String value : values) {
            if (json.size() > 1) {
                json.put(',');
            }
            json.putString(value);
        }
        return ok(json.put(']'));
    }

    private static Response numbers(List<Integer> values) {
        JsonBytes json = new JsonBytes().put('[');
        for (int value : values) {
            if (json.size() > 1) {
                json.put(',');
            }
            json.putNumber(value);
        }
        return ok(json.put(']'));
    }

    private static Response error(int status, int code, String message) {
        return new Response(
                status,
                text(
                        new JsonBytes()
                                .putAscii("{\"error_code\":")
                                .putNumber(code)
                                .putAscii(",\"message\":")
                                .putString(message)
                                .put('}')));
    }

    private static Response ok(JsonBytes json) {
        return new Response(200, text(json));
    }

    private static String text(JsonBytes json) {
        return new String(json.toByteArray(), StandardCharsets.UTF_8);
    }

    /** Returns the text of a path segment, or empty if its percent signs make no sense. */
    private static Optional<String> decode(String segment) {
        try {
            // in a path a plus stands for itself
            return Optional.of(
                    URLDecoder.decode(segment.replace("+", "%2B"), StandardCharsets.UTF_8));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }
}
