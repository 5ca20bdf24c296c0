package dev.tidemark.launcher.demo;

import com.fasterxml.jackson.databind.JsonNode;
import dev.tidemark.launcher.client.Endpoint;
import dev.tidemark.launcher.client.LagReading;
import dev.tidemark.model.index.IndexLag;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Looks at an index while it is being built. Not thread-safe. */
final class BackfillWatch {

    private static final String ACTIVE = "ACTIVE";
    private static final int MOST_KEPT = 6;

    private final Endpoint server;
    private final String table;
    private final String index;
    private final LagWatch lags;
    private final List<Long> percents = new ArrayList<>();
    private String remark = "";

    BackfillWatch(Endpoint server, String table, String index, LagWatch lags) {
        this.server = server;
        this.table = table;
        this.index = index;
        this.lags = lags;
    }

    /**
     * Looks once.
     *
     * @param all how many changes the table has made
     * @return whether the index is ACTIVE
     */
    boolean look(long all) {
        List<LagReading> seen = lags.look();
        String status = status();
        if (status.equals(ACTIVE)) {
            remark = index + " " + ACTIVE;
            return true;
        }
        long behind =
                seen.stream()
                        .filter(lag -> lag.index().equals(index))
                        .flatMap(reading -> reading.lag().stream())
                        .mapToLong(IndexLag::changes)
                        .findAny()
                        .orElse(all);
        long percent = all == 0 ? 0 : Math.max(0, Math.min(99, 100 * (all - behind) / all));
        if (percents.isEmpty() || percent > percents.get(percents.size() - 1)) {
            percents.add(percent);
        }
        remark = index + " " + status + " " + percent + "%";
        return false;
    }

    /** Returns what was seen last. */
    String remark() {
        return remark;
    }

    /** Returns some of the percentages seen, in their order, and 100. */
    String history() {
        int step = Math.max(1, (percents.size() + MOST_KEPT - 1) / MOST_KEPT);
        List<Long> kept = new ArrayList<>();
        for (int at = 0; at < percents.size(); at += step) {
            kept.add(percents.get(at));
        }
        kept.add(100L);
        return kept.stream().map(percent -> percent + "%").collect(Collectors.joining(" "));
    }

    private String status() {
        JsonNode description =
                server.call(
                                "DescribeTable",
                                Endpoint.JSON.createObjectNode().put("TableName", table))
                        .path("Table");
        for (JsonNode global : description.path("GlobalSecondaryIndexes")) {
            if (global.path("IndexName").asText().equals(index)) {
                return global.path("IndexStatus").asText();
            }
        }
        return "ABSENT";
    }
}
