package dev.tidemark.launcher.cli.index;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.tidemark.launcher.client.Endpoint;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** A command that asks the server to change one index, and prints what it is like then. */
abstract class IndexChange implements Callable<Integer> {

    @CommandLine.Spec private CommandLine.Model.CommandSpec spec;

    @Mixin private ServerOptions options;

    @Parameters(index = "0", paramLabel = "TABLE", description = "the table")
    private String table = "";

    @Parameters(index = "1", paramLabel = "INDEX", description = "its global index")
    private String index = "";

    IndexChange() {
        this.options = new ServerOptions();
    }

    /**
     * Returns the operation, and completes its request, which names table and index already.
     *
     * @param server may be asked what there is
     */
    abstract String complete(ObjectNode request, Endpoint server);

    /** Does what is to be done once the server has agreed; returns the exit code. */
    int afterwards(Generations generations) {
        return Exit.OK;
    }

    @Override
    public Integer call() {
        ObjectNode request =
                Endpoint.JSON.createObjectNode().put("TableName", table).put("IndexName", index);
        Endpoint server = options.server();
        JsonNode answer = server.call(complete(request, server), request);
        Generations generations =
                new Generations(server, table, index, spec.commandLine(), options.json());
        generations.print(answer);
        return afterwards(generations);
    }
}
