package dev.tidemark.launcher.demo;

import dev.tidemark.launcher.load.Row;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Locale;
import java.util.Optional;
import java.util.Random;

/**
 * Temperatures in some buildings, a reading of every sensor each quarter of an hour: a walk around
 * the building's mean, warmer by day, with rare spikes that raise alerts. The same seed makes the
 * same readings.
 */
final class SimulatedReadings implements Readings {

    private static final int SENSORS = 48;
    private static final int BUILDINGS = 6;
    private static final int EXAMPLE = 6;
    private static final Instant START = Instant.parse("2026-03-01T00:00:00Z");
    private static final Duration INTERVAL = Duration.ofMinutes(15);

    /** So that the shortest demonstration has an alert to show. */
    private static final int SURE_ALERT = 20;

    private static final double COLDEST_HOUR = 3.5;
    private static final double DAILY_SWING = 3.2;

    private final long size;
    private final long seed;
    private final Random random;
    private final double[] buildingMeans = new double[BUILDINGS];
    private final double[] drift = new double[SENSORS];
    private final double[] noise = new double[SENSORS];
    private long made;
    private Optional<Reading> example = Optional.empty();

    SimulatedReadings(long size, long seed) {
        this.size = size;
        this.seed = seed;
        this.random = new Random(seed);
        for (int building = 0; building < BUILDINGS; building++) {
            buildingMeans[building] = 19.5 + 3 * random.nextDouble();
        }
        for (int sensor = 0; sensor < SENSORS; sensor++) {
            drift[sensor] = 0.6 * random.nextGaussian();
            noise[sensor] = random.nextInt(12) == 0 ? 0.6 : 0.12; // some sensors are bad ones
        }
    }

    @Override
    public Optional<Row> next() {
        if (made == size) {
            return Optional.empty();
        }
        int sensor = (int) (made % SENSORS);
        Reading reading = measure(sensor, START.plus(INTERVAL.multipliedBy(made / SENSORS)));
        if (sensor == EXAMPLE) {
            example = Optional.of(reading);
        }
        made++;
        return Optional.of(new Row.Good(made, reading.item(valueName())));
    }

    private Reading measure(int sensor, Instant time) {
        int building = sensor % BUILDINGS;
        drift[sensor] += 0.08 * random.nextGaussian() - 0.02 * drift[sensor];
        double hour = time.atOffset(ZoneOffset.UTC).toLocalTime().toSecondOfDay() / 3600.0;
        double day = -Math.cos(2 * Math.PI * (hour - COLDEST_HOUR) / 24);
        double error = noise[sensor] * random.nextGaussian();
        double temperature = buildingMeans[building] + DAILY_SWING * day + drift[sensor] + error;
        int alert = random.nextInt(1_000);
        Optional<String> severity = Optional.empty();
        if (alert < 2 || made == SURE_ALERT) {
            severity = Optional.of("CRITICAL");
            temperature += 14 + 6 * random.nextDouble();
        } else if (alert < 8) {
            severity = Optional.of("WARNING");
            temperature += 6 + 3 * random.nextDouble();
        }
        int quality = (int) Math.round(100 - 45 * Math.abs(error) - 4 * random.nextDouble());
        if (random.nextInt(200) == 0) {
            quality -= 30 + random.nextInt(30); // a bad connection
        }
        return new Reading(
                String.format(Locale.ROOT, "sensor-%02d", sensor + 1),
                time.toString(),
                "building-" + (char) ('A' + building),
                BigDecimal.valueOf(temperature)
                        .setScale(2, RoundingMode.HALF_UP)
                        .stripTrailingZeros()
                        .toPlainString(),
                Math.max(0, Math.min(100, quality)),
                severity);
    }

    @Override
    public long size() {
        return size;
    }

    @Override
    public String origin() {
        return SENSORS + " simulated sensors in " + BUILDINGS + " buildings, seed " + seed;
    }

    @Override
    public String valueName() {
        return "temperature";
    }

    @Override
    public Optional<Reading> example() {
        return example;
    }

    @Override
    public long bytesRead() {
        return made;
    }

    @Override
    public void close() {}
}
