package dev.tidemark.query.verify;

import dev.tidemark.model.error.ApiError;
import dev.tidemark.model.error.ApiException;
import dev.tidemark.model.table.GlobalIndex;
import dev.tidemark.model.table.IndexName;
import dev.tidemark.model.table.TableDefinition;
import dev.tidemark.query.Constraints;
import dev.tidemark.query.Messages;
import dev.tidemark.query.PartitionRef;
import dev.tidemark.query.PartitionRouter;
import dev.tidemark.query.Services;
import dev.tidemark.query.TableFacts;
import dev.tidemark.query.http.Operation;
import dev.tidemark.query.http.Reply;
import dev.tidemark.query.http.Request;
import dev.tidemark.query.json.JsonBody;
import dev.tidemark.query.json.JsonWriter;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * The operations that begin a comparison of an index with its table and tell how far it is. Those
 * of a table are done by the node that has its first partition, whatever node is asked.
 */
public final class VerificationOperations {

    private static final String START = "Tidemark.VerifyIndex";
    private static final String DESCRIBE = "Tidemark.DescribeIndexVerification";
    private static final String ID = "VerificationId";

    private final Services services;
    private final TableFacts.Finder tables;
    private final Verifications verifications;

    private VerificationOperations(Services services, Verifications verifications) {
        this.services = services;
        this.tables = new TableFacts.Finder(services.tables());
        this.verifications = verifications;
    }

    /** Returns what clients may ask for, and other nodes for them, by name. */
    public static Map<String, Operation> of(Services services, Verifications verifications) {
        VerificationOperations operations = new VerificationOperations(services, verifications);
        return Map.of(START, operations::start, DESCRIBE, operations::describe);
    }

    /** Returns the operations that only other nodes may ask for, by name. */
    public static Map<String, Operation> internal(Services services) {
        return Map.of(ReadRowsOperation.NAME, new ReadRowsOperation(services));
    }

    private CompletionStage<Reply> start(Request request) {
        JsonBody body = request.json();
        Optional<String> indexName = body.string("IndexName");
        Optional<Integer> generation = body.integer("Generation");
        boolean repairs = body.bool("Repair").orElse(false);
        String tableName = Constraints.tableName(body.string("TableName"));
        new Constraints().required("indexName", indexName).indexName(indexName).check();
        TableDefinition table = tables.find(tableName).table();
        GlobalIndex index = find(table, new IndexName(indexName.orElseThrow()), generation);
        return atHome(
                table,
                request,
                () ->
                        verifications
                                .start(table, index, repairs)
                                .orElseThrow(
                                        () ->
                                                new ApiException(
                                                        ApiError.THROTTLING,
                                                        "Too many indexes are waiting to be"
                                                                + " verified; try again later")));
    }

    private CompletionStage<Reply> describe(Request request) {
        JsonBody body = request.json();
        Optional<String> id = body.string(ID);
        String tableName = Constraints.tableName(body.string("TableName"));
        new Constraints().required("verificationId", id).check();
        TableDefinition table = tables.find(tableName).table();
        return atHome(
                table,
                request,
                () ->
                        verifications
                                .find(id.orElseThrow())
                                .filter(found -> found.table().id().equals(table.id()))
                                .orElseThrow(
                                        () ->
                                                new ApiException(
                                                        ApiError.RESOURCE_NOT_FOUND,
                                                        "No such verification is known (any"
                                                                + " more): "
                                                                + id.orElseThrow())));
    }

    private CompletionStage<Reply> atHome(
            TableDefinition table, Request request, Supplier<Verification> here) {
        PartitionRef home = new PartitionRef.OfTable(table.id(), 0);
        boolean isForwarded = request.header(PartitionRouter.FORWARDED).isPresent();
        if (!isForwarded && !services.router().isLocal(home)) {
            return services.router().forward(home, request);
        }
        JsonWriter out = new JsonWriter();
        here.get().write(out);
        return CompletableFuture.completedFuture(Reply.of(out.array(), out.size()));
    }

    private static GlobalIndex find(
            TableDefinition table, IndexName name, Optional<Integer> generation) {
        Optional<GlobalIndex> found =
                generation.isEmpty()
                        ? table.globalIndex(name)
                        : table.generations().stream()
                                .filter(index -> index.name().equals(name))
                                .filter(index -> index.generation() == generation.get())
                                .findFirst();
        return found.filter(index -> index.status().isMaintained())
                .orElseThrow(() -> Messages.noSuchIndex(name.value(), table.name()));
    }
}
