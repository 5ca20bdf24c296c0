package dev.tidemark.launcher.cli;

import com.fasterxml.jackson.databind.JsonNode;
import dev.tidemark.launcher.client.Endpoint;
import dev.tidemark.launcher.client.EndpointException;
import dev.tidemark.launcher.client.TableCreation;
import dev.tidemark.launcher.client.TableSpec;
import dev.tidemark.launcher.load.BulkLoad;
import dev.tidemark.launcher.load.Checkpoint;
import dev.tidemark.launcher.load.ItemRules;
import dev.tidemark.launcher.load.RowFile;
import dev.tidemark.launcher.load.RowSource;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Puts the rows of files into a table. */
@Command(
        name = "import",
        description = {
            "Puts the rows of CSV or JSON lines files into a table of a running server.",
            "A column is an attribute of its name, a string unless --number says otherwise. Rows that can't be written"
                    + " go to a file with their line numbers and reasons, and the exit code is 1. A run that was stopped"
                    + " goes on where it was when it is started again."
        },
        mixinStandardHelpOptions = true,
        sortOptions = false,
        footerHeading = "%nExamples:%n",
        footer = {
            "  tidemark import readings.csv --table Readings",
            "  tidemark import temperature.csv --table Readings --create --key sensor,timestamp \\",
            "      --set sensor=machine-7 --number value",
            "  tidemark import a.csv b.csv --table Series --create --key series,timestamp --set 'series={file}' \\",
            "      --number value --derive 'day=timestamp[0:10]' --gsi byDay=day,timestamp"
        })
final class ImportCommand implements Callable<Integer> {

    private static final Pattern DERIVED =
            Pattern.compile("([^=]+)=([^\\[]+)\\[(\\d{1,6}):(\\d{1,6})]");

    @CommandLine.Spec private CommandLine.Model.CommandSpec spec;

    @Parameters(
            paramLabel = "FILE",
            arity = "1..*",
            description = "CSV; JSON lines if it ends in .jsonl, .ndjson or .json")
    private List<Path> files = List.of();

    @Option(names = "--table", required = true, paramLabel = "NAME", description = "the table")
    private String table = "";

    @Option(
            names = "--endpoint",
            paramLabel = "URL",
            defaultValue = "http://127.0.0.1:8000",
            description = "the server (default: ${DEFAULT-VALUE})")
    private URI endpoint = URI.create("http://127.0.0.1:8000");

    @Option(
            names = "--create",
            description = "create the table first unless it exists; needs --key")
    private boolean create;

    @Option(
            names = "--key",
            paramLabel = "HASH[,RANGE]",
            split = ",",
            description = "with --create: the table's key attributes")
    private List<String> key = List.of();

    @Option(
            names = "--gsi",
            paramLabel = "NAME=HASH[,RANGE]",
            description = "with --create: a global index that carries whole items; may be repeated")
    private Map<String, String> globalIndexes = new LinkedHashMap<>();

    @Option(
            names = "--lsi",
            paramLabel = "NAME=RANGE",
            description = "with --create: a local index that carries whole items; may be repeated")
    private Map<String, String> localIndexes = new LinkedHashMap<>();

    @Option(
            names = "--number",
            paramLabel = "COLUMN",
            split = ",",
            description = "columns whose values are numbers")
    private Set<String> numbers = Set.of();

    @Option(
            names = "--set",
            paramLabel = "NAME=VALUE",
            description =
                    "an attribute every item gets; {file} stands for the file's name without its ending")
    private Map<String, String> constants = new LinkedHashMap<>();

    @Option(
            names = "--derive",
            paramLabel = "NAME=COLUMN[FROM:TO]",
            description =
                    "an attribute made of some characters of a column, such as 'day=timestamp[0:10]'")
    private List<String> derived = List.of();

    @Option(
            names = "--refused",
            paramLabel = "FILE",
            description = "where refused rows go (default: FILE.refused.jsonl in this folder)")
    private Path refused = Path.of("");

    @Option(
            names = "--restart",
            description = "start anew even if an earlier run got part of the way")
    private boolean restart;

    @Option(
            names = "--batches",
            paramLabel = "N",
            defaultValue = "8",
            description = "batches of 25 under way at once (default: ${DEFAULT-VALUE})")
    private int batches = 8;

    @Override
    public Integer call() throws IOException {
        if (batches < 1 || batches > 256) {
            throw new CommandLine.ParameterException(
                    spec.commandLine(), "--batches takes 1 to 256");
        }
        for (Path file : files) {
            if (!Files.isReadable(file)) {
                throw new IOException("there is no readable file " + file);
            }
        }
        Endpoint server = new Endpoint(endpoint);
        List<String> keyNames = create ? createTable(server) : describeKey(server);
        boolean complete = true;
        for (Path file : files) {
            complete &= load(server, file, keyNames);
        }
        return complete ? RootCommand.OK : RootCommand.FAILED;
    }

    private List<String> createTable(Endpoint server) {
        if (key.isEmpty()) {
            throw new CommandLine.ParameterException(
                    spec.commandLine(), "--create needs --key HASH[,RANGE]");
        }
        Map<String, List<String>> indexes = new LinkedHashMap<>();
        globalIndexes.forEach(
                (name, attributes) -> indexes.put(name, List.of(attributes.split(",", -1))));
        Map<String, String> types = new LinkedHashMap<>();
        numbers.forEach(name -> types.put(name, "N"));
        TableSpec table = new TableSpec(this.table, key, localIndexes, indexes, types);
        try {
            TableCreation.createAndAwait(server, table);
            print("Created table " + this.table);
        } catch (EndpointException e) {
            if (!e.type().equals("ResourceInUseException")) {
                throw e;
            }
            TableCreation.await(server, this.table, Optional.empty(), description -> {});
        }
        return describeKey(server);
    }

    private List<String> describeKey(Endpoint server) {
        JsonNode described =
                server.call(
                        "DescribeTable", Endpoint.JSON.createObjectNode().put("TableName", table));
        List<String> names = new ArrayList<>();
        described
                .path("Table")
                .path("KeySchema")
                .forEach(element -> names.add(element.path("AttributeName").asText()));
        return names;
    }

    private boolean load(Endpoint server, Path file, List<String> keyNames) throws IOException {
        boolean shared = !refused.toString().isEmpty();
        Path refusedFile = shared ? refused : Path.of(file.getFileName() + ".refused.jsonl");
        Checkpoint checkpoint =
                Checkpoint.of(Path.of("").toAbsolutePath(), file, table, server.uri().toString());
        long doneLine = restart ? 0 : checkpoint.doneLine();
        if (doneLine > 0) {
            print(
                    file
                            + ": an earlier run got to line "
                            + doneLine
                            + "; going on from there (--restart starts anew)");
        }
        RefusedRows refusedRows = RefusedRows.open(refusedFile, file, doneLine, shared);
        try (RowSource rows = RowFile.of(file).open(rules(file));
                ImportProgress progress =
                        new ImportProgress(
                                spec.commandLine(), file, refusedRows, checkpoint, doneLine)) {
            progress.finish(
                    new BulkLoad(server, table, keyNames, batches, progress).run(rows, doneLine));
            return refusedRows.count() == 0;
        }
    }

    private ItemRules rules(Path file) {
        String name = String.valueOf(file.getFileName()).replaceFirst("\\.[^.]*$", "");
        Map<String, String> values = new LinkedHashMap<>();
        constants.forEach((attribute, text) -> values.put(attribute, text.replace("{file}", name)));
        List<ItemRules.Derived> cuts = new ArrayList<>();
        for (String text : derived) {
            Matcher matcher = DERIVED.matcher(text);
            if (!matcher.matches()) {
                throw new CommandLine.ParameterException(
                        spec.commandLine(),
                        "--derive takes NAME=COLUMN[FROM:TO], not '" + text + "'");
            }
            cuts.add(
                    new ItemRules.Derived(
                            matcher.group(1),
                            matcher.group(2),
                            Integer.parseInt(matcher.group(3)),
                            Integer.parseInt(matcher.group(4))));
        }
        return new ItemRules(numbers, values, cuts);
    }

    private void print(String text) {
        spec.commandLine().getOut().println(text);
        spec.commandLine().getOut().flush();
    }
}
