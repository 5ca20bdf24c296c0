package dev.tidemark.launcher.config;

import dev.tidemark.query.pressure.LagBound;
import java.io.IOException;
import java.io.Reader;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Properties;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Gathers settings from a file, the environment and flags, each above the one before, and checks
 * them. Unknown settings are refused. Not thread-safe.
 */
public final class ConfigSource {

    private static final Pattern DURATION = Pattern.compile("(\\d{1,9})(ms|s|m)");
    private static final Pattern SIZE = Pattern.compile("([1-9]\\d{0,8})(KB|MB|GB)");
    private static final Pattern NODE_ID = Pattern.compile("[a-zA-Z0-9._-]{1,64}");
    private static final int LARGEST_PORT = 65_535;

    /*
     * What each core may do beside requests and leave them most of their speed. The first was measured on two of them
     * (docs/benchmarks.md), the second is an estimate: a row is read and hashed, a change is written to an index.
     */
    private static final long BACKFILLED_CHANGES = 1_000;
    private static final long VERIFIED_ROWS = 5_000;

    private static final int MOST_PARTITIONS = 256;

    private record Given(String text, String origin) {}

    private final Map<Setting, Given> given = new EnumMap<>(Setting.class);

    /**
     * Adds the settings of a properties file.
     *
     * @throws ConfigException if it can't be read or names an unknown setting
     */
    public void addFile(Path file) {
        Properties properties = new Properties();
        try (Reader reader = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
            properties.load(reader);
        } catch (IOException | IllegalArgumentException e) {
            throw new ConfigException("Can't read the settings file " + file + ": " + e);
        }
        properties.stringPropertyNames().stream()
                .sorted()
                .forEach(key -> add(key, properties.getProperty(key, ""), file.toString()));
    }

    /**
     * Adds what variables named {@code TIDEMARK_...} set, except those in {@code others}, which
     * mean something else.
     *
     * @throws ConfigException if such a variable names no setting
     */
    public void addEnvironment(Map<String, String> environment, Set<String> others) {
        environment.keySet().stream()
                .filter(name -> name.startsWith("TIDEMARK_") && !others.contains(name))
                .sorted()
                .forEach(
                        name -> {
                            Setting setting =
                                    Arrays.stream(Setting.values())
                                            .filter(known -> known.environmentName().equals(name))
                                            .findFirst()
                                            .orElseThrow(
                                                    () ->
                                                            new ConfigException(
                                                                    "Unknown setting in the environment: "
                                                                            + name));
                            given.put(
                                    setting,
                                    new Given(
                                            environment.getOrDefault(name, ""),
                                            "environment " + name));
                        });
    }

    /**
     * Adds one setting.
     *
     * @param origin where it comes from, for messages
     * @throws ConfigException if there is no such setting
     */
    public void add(String key, String text, String origin) {
        Setting setting =
                Setting.ofKey(key)
                        .orElseThrow(
                                () ->
                                        new ConfigException(
                                                "Unknown setting "
                                                        + key
                                                        + " ("
                                                        + origin
                                                        + "); there are "
                                                        + String.join(", ", Setting.keys())));
        add(setting, text, origin);
    }

    /** Adds one setting. */
    public void add(Setting setting, String text, String origin) {
        given.put(setting, new Given(text.strip(), origin));
    }

    /**
     * Returns the settings, those not given at their defaults.
     *
     * @throws ConfigException if one is not of its type or out of range
     */
    public NodeConfig resolve() {
        Optional<String> bootstrap = optional(Setting.KAFKA_BOOTSTRAP_SERVERS);
        boolean embedded = bootstrap.isEmpty();
        Set<Role> roles = read(Setting.NODE_ROLES, this::roles);
        if (embedded && roles.size() < Role.values().length) {
            throw invalid(
                    Setting.NODE_ROLES,
                    "a node with Kafka inside is the only one and needs every role");
        }
        return new NodeConfig(
                new NodeConfig.Http(
                        text(Setting.HTTP_HOST),
                        integer(Setting.HTTP_PORT, 0, LARGEST_PORT),
                        integer(Setting.HTTP_MAX_IN_FLIGHT, 1, 1_000_000),
                        duration(Setting.HTTP_REQUEST_TIMEOUT)),
                new NodeConfig.Internal(
                        text(Setting.INTERNAL_HOST),
                        integer(Setting.INTERNAL_PORT, 0, LARGEST_PORT)),
                read(Setting.NODE_ID, this::nodeId),
                roles,
                read(Setting.DATA_FOLDER, Path::of),
                new NodeConfig.Kafka(
                        bootstrap,
                        integer(Setting.KAFKA_PORT, 0, LARGEST_PORT),
                        (short)
                                integerOr(
                                        Setting.KAFKA_REPLICATION_FACTOR, 1, 32, embedded ? 1 : -1),
                        read(Setting.KAFKA_FSYNC, this::truth)),
                optional(Setting.SCHEMA_REGISTRY_URL)
                        .map(text -> read(Setting.SCHEMA_REGISTRY_URL, this::url)),
                text(Setting.REGION),
                integerOr(Setting.TABLE_PARTITIONS, 1, MOST_PARTITIONS, embedded ? 2 : 8),
                size(Setting.TABLE_ITEM_COLLECTION_LIMIT),
                interval(Setting.EXPIRY_INTERVAL),
                duration(Setting.WRITE_TIMEOUT),
                duration(Setting.WRITE_LINGER),
                duration(Setting.BASE_COMMIT_INTERVAL),
                optional(Setting.INDEX_GUARANTEE)
                        .map(text -> read(Setting.INDEX_GUARANTEE, this::exactlyOnce))
                        .orElse(!embedded),
                integer(Setting.INDEX_ONLINE_OPERATIONS, 1, 20),
                read(Setting.INDEX_BACKFILL_RATE, text -> WorkRate.parse(text, BACKFILLED_CHANGES)),
                new LagBound(
                        OptionalLong.of(
                                integer(Setting.INDEX_MAX_LAG_CHANGES, 1, Integer.MAX_VALUE)),
                        Optional.of(interval(Setting.INDEX_MAX_LAG_AGE)),
                        true),
                optional(Setting.INDEX_VERIFY_INTERVAL)
                        .map(text -> interval(Setting.INDEX_VERIFY_INTERVAL)),
                read(Setting.INDEX_VERIFY_RATE, text -> WorkRate.parse(text, VERIFIED_ROWS)),
                optional(Setting.INDEX_READ_WAIT)
                        .map(text -> duration(Setting.INDEX_READ_WAIT))
                        .orElse(embedded ? Duration.ofSeconds(1) : Duration.ZERO),
                integerOr(Setting.STREAMS_STANDBYS, 0, 8, embedded ? 0 : 1),
                integer(Setting.STREAMS_THREADS, 1, 64));
    }

    private Optional<String> optional(Setting setting) {
        return Optional.of(text(setting)).filter(text -> !text.isEmpty());
    }

    private String text(Setting setting) {
        Given value = given.get(setting);
        return value == null ? setting.defaultText() : value.text();
    }

    private int integerOr(Setting setting, int lowest, int highest, int otherwise) {
        return optional(setting).map(text -> integer(setting, lowest, highest)).orElse(otherwise);
    }

    private int integer(Setting setting, int lowest, int highest) {
        return read(
                setting,
                text -> {
                    int value = Integer.parseInt(text);
                    if (value < lowest || value > highest) {
                        throw new IllegalArgumentException(
                                "not within " + lowest + " to " + highest);
                    }
                    return value;
                });
    }

    private Duration duration(Setting setting) {
        return read(
                setting,
                text -> {
                    Matcher matcher = DURATION.matcher(text);
                    if (!matcher.matches()) {
                        throw new IllegalArgumentException("not a time such as 500ms, 30s or 2m");
                    }
                    long amount = Long.parseLong(matcher.group(1));
                    return switch (matcher.group(2)) {
                        case "ms" -> Duration.ofMillis(amount);
                        case "s" -> Duration.ofSeconds(amount);
                        default -> Duration.ofMinutes(amount);
                    };
                });
    }

    private Duration interval(Setting setting) {
        Duration interval = duration(setting);
        if (interval.isZero()) {
            throw invalid(setting, "not longer than nothing");
        }
        return interval;
    }

    private long size(Setting setting) {
        return read(
                setting,
                text -> {
                    Matcher matcher = SIZE.matcher(text);
                    if (!matcher.matches()) {
                        throw new IllegalArgumentException("not a size such as 512KB, 5MB or 10GB");
                    }
                    long amount = Long.parseLong(matcher.group(1));
                    return switch (matcher.group(2)) {
                        case "KB" -> amount << 10;
                        case "MB" -> amount << 20;
                        default -> amount << 30;
                    };
                });
    }

    private Set<Role> roles(String text) {
        Set<Role> roles = EnumSet.noneOf(Role.class);
        for (String name : List.of(text.split(",", -1))) {
            roles.add(
                    Arrays.stream(Role.values())
                            .filter(
                                    role ->
                                            role.name()
                                                    .toLowerCase(Locale.ROOT)
                                                    .equals(name.strip()))
                            .findFirst()
                            .orElseThrow(
                                    () ->
                                            new IllegalArgumentException(
                                                    "roles are ingest, base, gsi and query")));
        }
        return roles;
    }

    private String nodeId(String text) {
        if (!NODE_ID.matcher(text).matches()) {
            throw new IllegalArgumentException(
                    "not 1 to 64 letters, digits, dots, dashes or underscores");
        }
        return text;
    }

    private URI url(String text) {
        try {
            URI url = new URI(text);
            if (url.getHost() == null) {
                throw new IllegalArgumentException("not a URL");
            }
            return url;
        } catch (URISyntaxException e) {
            throw new IllegalArgumentException("not a URL", e);
        }
    }

    private boolean truth(String text) {
        if (!text.equals("true") && !text.equals("false")) {
            throw new IllegalArgumentException("not true or false");
        }
        return text.equals("true");
    }

    private boolean exactlyOnce(String text) {
        if (!text.equals("exactly-once") && !text.equals("at-least-once")) {
            throw new IllegalArgumentException("not at-least-once or exactly-once");
        }
        return text.equals("exactly-once");
    }

    private <T> T read(Setting setting, Function<String, T> reading) {
        try {
            return reading.apply(text(setting));
        } catch (NumberFormatException e) {
            throw invalid(setting, "not a whole number");
        } catch (IllegalArgumentException e) {
            throw invalid(setting, String.valueOf(e.getMessage()));
        }
    }

    private ConfigException invalid(Setting setting, String reason) {
        Given value = given.get(setting);
        return new ConfigException(
                "Invalid "
                        + setting.key()
                        + ": "
                        + reason
                        + " ("
                        + (value == null ? "default" : value.origin())
                        + " says '"
                        + text(setting)
                        + "')");
    }
}
