package dev.tidemark.launcher.cli.index;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.tidemark.launcher.client.Endpoint;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The commands that change an index by building its next generation beside the one that serves. */
final class IndexGenerationCommands {

    private IndexGenerationCommands() {}

    /** What commands that build a next generation have in common. */
    abstract static class Build extends IndexChange {

        @Option(
                names = "--hold",
                description =
                        "do not let the next generation serve by itself: 'index switch' does it")
        private boolean hold;

        @Option(names = "--wait", description = "print how it goes on until it is built")
        private boolean wait;

        /** Adds what is common to the request. */
        void completeBuild(ObjectNode request) {
            request.put("Hold", hold);
        }

        @Override
        int afterwards(Generations generations) {
            return !wait || generations.watchUntil(all -> all.stream().noneMatch(Build::isBuilding))
                    ? Exit.OK
                    : Exit.FAILED;
        }

        private static boolean isBuilding(JsonNode generation) {
            return generation.path("Purpose").asText().equals("NEXT")
                    && generation.path("IndexStatus").asText().equals("CREATING");
        }
    }

    /** Changes the key or the projection of an index. */
    @Command(
            name = "alter",
            description = {
                "Changes the key or the projection of a global index in place.",
                "Its next generation is built beside the one that serves, and takes over once it has caught up, unless it has no",
                "place for items that the other has: then it waits for 'index switch'. The one before is kept to go back to."
            },
            mixinStandardHelpOptions = true,
            footerHeading = "%nExamples:%n",
            footer = {
                "  tidemark index alter SensorReadings byBuilding --projection INCLUDE:value,unit --wait",
                "  tidemark index alter SensorReadings byBuilding --key building+floor,timestamp",
                "  tidemark index alter SensorReadings byValue --key building,value --type value=N --hold"
            })
    static final class Alter extends Build {

        @Option(
                names = "--key",
                paramLabel = "HASH[+HASH...][,RANGE[+RANGE...]]",
                description = "the attributes of the new key")
        private String key = "";

        @Option(
                names = "--type",
                paramLabel = "NAME=S|N|B",
                description = "the type of a key attribute that is not known yet (S if not given)")
        private Map<String, String> types = new LinkedHashMap<>();

        @Option(
                names = "--projection",
                paramLabel = "ALL|KEYS_ONLY|INCLUDE:NAME,...",
                description = "what its entries are to carry")
        private String projection = "";

        @Option(
                names = "--discard-previous",
                description = "remove the generation that serves until then; one can't go back")
        private boolean discardPrevious;

        @Override
        String complete(ObjectNode request, Endpoint server) {
            completeBuild(request);
            request.put("KeepPrevious", !discardPrevious);
            if (!key.isEmpty()) {
                addKey(request, known(request, server));
            }
            if (!projection.isEmpty()) {
                addProjection(request.putObject("Projection"));
            }
            return "Tidemark.AlterIndex";
        }

        private void addKey(ObjectNode request, Set<String> known) {
            String[] parts = key.split(",", 2);
            ArrayNode schema = request.putArray("KeySchema");
            List<String> names = new ArrayList<>();
            for (int at = 0; at < parts.length; at++) {
                for (String name : parts[at].split("\\+", -1)) {
                    names.add(name);
                    schema.addObject()
                            .put("AttributeName", name)
                            .put("KeyType", at == 0 ? "HASH" : "RANGE");
                }
            }
            ArrayNode definitions = request.putArray("AttributeDefinitions");
            for (String name : types.keySet()) {
                if (!names.contains(name)) {
                    throw new IllegalArgumentException(
                            "Invalid --type: " + name + " is no attribute of the key");
                }
            }
            for (String name : names) {
                if (types.containsKey(name) || !known.contains(name)) {
                    definitions
                            .addObject()
                            .put("AttributeName", name)
                            .put(
                                    "AttributeType",
                                    types.getOrDefault(name, "S").toUpperCase(Locale.ROOT));
                }
            }
        }

        /** Returns the attributes whose types the table knows. */
        private static Set<String> known(ObjectNode request, Endpoint server) {
            ObjectNode ask =
                    Endpoint.JSON.createObjectNode().set("TableName", request.get("TableName"));
            Set<String> names = new HashSet<>();
            server.call("DescribeTable", ask)
                    .path("Table")
                    .path("AttributeDefinitions")
                    .forEach(each -> names.add(each.path("AttributeName").asText()));
            return names;
        }

        private void addProjection(ObjectNode out) {
            String[] parts = projection.split(":", 2);
            out.put("ProjectionType", parts[0].toUpperCase(Locale.ROOT));
            if (parts.length > 1) {
                ArrayNode names = out.putArray("NonKeyAttributes");
                for (String name : parts[1].split(",", -1)) {
                    names.add(name);
                }
            }
        }
    }

    /** Builds an index anew as it is. */
    @Command(
            name = "rebuild",
            description = {
                "Builds a global index anew from the table's log.",
                "The generation that serves goes on until the new one has caught up."
            },
            mixinStandardHelpOptions = true,
            footerHeading = "%nExamples:%n",
            footer = "  tidemark index rebuild SensorReadings byBuilding --wait")
    static final class Rebuild extends Build {
        @Override
        String complete(ObjectNode request, Endpoint server) {
            completeBuild(request);
            return "Tidemark.RebuildIndex";
        }
    }

    /** Lets a generation that was held serve. */
    @Command(
            name = "switch",
            description =
                    "Lets the next generation of an index, which was held and has caught up, serve.",
            mixinStandardHelpOptions = true,
            footerHeading = "%nExamples:%n",
            footer = "  tidemark index switch SensorReadings byBuilding")
    static final class Switch extends IndexChange {
        @Override
        String complete(ObjectNode request, Endpoint server) {
            return "Tidemark.SwitchIndex";
        }
    }

    /** Goes back to the generation before. */
    @Command(
            name = "rollback",
            description = {
                "Lets the generation that served before serve again. The one that serves now is kept in turn."
            },
            mixinStandardHelpOptions = true,
            footerHeading = "%nExamples:%n",
            footer = "  tidemark index rollback SensorReadings byBuilding")
    static final class RollBack extends IndexChange {
        @Override
        String complete(ObjectNode request, Endpoint server) {
            return "Tidemark.RollBackIndex";
        }
    }

    /** Removes a generation that does not serve. */
    @Command(
            name = "discard",
            description = {
                "Removes a generation of an index that does not serve.",
                "It is the previous one, which is kept to go back to, or, with --next, the one that is being built or held. An",
                "index that is itself being added is cancelled by deleting it."
            },
            mixinStandardHelpOptions = true,
            footerHeading = "%nExamples:%n",
            footer = {
                "  tidemark index discard SensorReadings byBuilding",
                "  tidemark index discard SensorReadings byBuilding --next"
            })
    static final class Discard extends IndexChange {

        @Option(names = "--next", description = "the generation that is being built")
        private boolean next;

        @Override
        String complete(ObjectNode request, Endpoint server) {
            request.put("Generation", next ? "NEXT" : "PREVIOUS");
            return "Tidemark.DiscardIndexGeneration";
        }
    }
}
