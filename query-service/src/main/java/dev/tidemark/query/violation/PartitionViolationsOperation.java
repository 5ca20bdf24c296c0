package dev.tidemark.query.violation;

import dev.tidemark.model.item.Item;
import dev.tidemark.model.progress.IndexId;
import dev.tidemark.model.table.IndexName;
import dev.tidemark.model.table.TableDefinition;
import dev.tidemark.model.table.TableName;
import dev.tidemark.query.Messages;
import dev.tidemark.query.Services;
import dev.tidemark.query.http.Headers;
import dev.tidemark.query.http.Operation;
import dev.tidemark.query.http.Reply;
import dev.tidemark.query.http.Request;
import dev.tidemark.query.json.JsonBody;
import dev.tidemark.query.json.JsonItem;
import dev.tidemark.query.json.JsonWriter;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Lists what one partition of a table has that has no place in an index, for another node. The
 * reply's body is a {@link ViolationPage}.
 */
final class PartitionViolationsOperation implements Operation {

    /** Its name, whole: it is no operation of DynamoDB's API. */
    static final String NAME = "Tidemark.ListPartitionViolations";

    private final Services services;

    PartitionViolationsOperation(Services services) {
        this.services = services;
    }

    static Request request(TableDefinition table, ViolationRead read) {
        JsonWriter out = new JsonWriter();
        out.beginObject()
                .member("TableName", table.name().value())
                .member("TableId", table.id().value())
                .member("IndexName", read.index().index().value())
                .member("Generation", read.index().generation())
                .member("Partition", read.partition())
                .member("Limit", read.limit())
                .member("Budget", read.budget());
        read.after().ifPresent(key -> out.name("ExclusiveStartKey").item(key));
        return new Request(NAME, out.endObject().toByteArray(), Headers.NONE);
    }

    @Override
    public CompletionStage<Reply> execute(Request request) {
        JsonBody body = request.json();
        TableName name = new TableName(body.string("TableName").orElse(""));
        Optional<String> id = body.string("TableId");
        TableDefinition table =
                services.tables()
                        .find(name)
                        .filter(found -> id.equals(Optional.of(found.id().value())))
                        .orElseThrow(Messages::tableNotFound);
        Optional<Item> after = body.item("ExclusiveStartKey").map(JsonItem::item);
        ViolationRead read =
                new ViolationRead(
                        new IndexId(
                                table.id(),
                                new IndexName(body.string("IndexName").orElse("")),
                                body.integer("Generation").orElse(0)),
                        body.integer("Partition").orElse(0),
                        after,
                        body.integer("Limit").orElse(1),
                        body.integer("Budget").orElse(0));
        return CompletableFuture.supplyAsync(
                () -> Reply.of(read.from(services.stores(), table).toBytes()), services.workers());
    }
}
