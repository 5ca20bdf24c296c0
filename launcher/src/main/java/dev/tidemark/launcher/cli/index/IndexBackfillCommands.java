package dev.tidemark.launcher.cli.index;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.tidemark.launcher.client.Endpoint;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** The commands that hold an index back while it is being filled. */
final class IndexBackfillCommands {

    private static final String UPDATE = "Tidemark.UpdateBackfill";

    private IndexBackfillCommands() {}

    /** Lets the filling of an index rest. */
    @Command(
            name = "pause",
            description = "Lets the filling of an added index rest, also over restarts.",
            mixinStandardHelpOptions = true,
            footerHeading = "%nExamples:%n",
            footer = "  tidemark index pause SensorReadings byBuilding")
    static final class Pause extends IndexChange {
        @Override
        String complete(ObjectNode request, Endpoint server) {
            request.put("Paused", true);
            return UPDATE;
        }
    }

    /** Lets the filling of an index go on. */
    @Command(
            name = "resume",
            description = "Lets the filling of an added index go on where it rested.",
            mixinStandardHelpOptions = true,
            footerHeading = "%nExamples:%n",
            footer = "  tidemark index resume SensorReadings byBuilding")
    static final class Resume extends IndexChange {
        @Override
        String complete(ObjectNode request, Endpoint server) {
            request.put("Paused", false);
            return UPDATE;
        }
    }

    /** Sets how fast an index is filled at most. */
    @Command(
            name = "limit",
            description =
                    "Sets how many changes a second each node takes at most to fill an added index.",
            mixinStandardHelpOptions = true,
            footerHeading = "%nExamples:%n",
            footer = {
                "  tidemark index limit SensorReadings byBuilding 5000",
                "  tidemark index limit SensorReadings byBuilding unlimited",
                "  tidemark index limit SensorReadings byBuilding default    as index.backfill-rate says"
            })
    static final class Limit extends IndexChange {

        @Parameters(
                index = "2",
                paramLabel = "RATE",
                description = "changes a second, unlimited, or default")
        private String rate = "";

        @Override
        String complete(ObjectNode request, Endpoint server) {
            request.put("RateLimit", number());
            return UPDATE;
        }

        private long number() {
            if (rate.equals("unlimited")) {
                return -1;
            }
            if (rate.equals("default")) {
                return 0;
            }
            if (!rate.matches("[1-9][0-9]{0,11}")) {
                throw new IllegalArgumentException(
                        "Invalid RATE: a positive number, unlimited or default, not '"
                                + rate
                                + "'");
            }
            return Long.parseLong(rate);
        }
    }
}
