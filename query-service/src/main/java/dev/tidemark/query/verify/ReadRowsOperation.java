package dev.tidemark.query.verify;

import dev.tidemark.model.change.Position;
import dev.tidemark.model.item.Binary;
import dev.tidemark.model.table.GlobalIndex;
import dev.tidemark.model.table.TableDefinition;
import dev.tidemark.model.table.TableName;
import dev.tidemark.query.Messages;
import dev.tidemark.query.Services;
import dev.tidemark.query.http.Headers;
import dev.tidemark.query.http.Operation;
import dev.tidemark.query.http.Reply;
import dev.tidemark.query.http.Request;
import dev.tidemark.query.json.JsonBody;
import dev.tidemark.query.json.JsonWriter;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** Reads rows as they are stored, for another node. The reply's body is a {@link RowPage}. */
final class ReadRowsOperation implements Operation {

    /** Its name, whole: it is no operation of DynamoDB's API. */
    static final String NAME = "Tidemark.ReadRows";

    private static final HexFormat HEX = HexFormat.of();

    private final Services services;

    ReadRowsOperation(Services services) {
        this.services = services;
    }

    static Request request(RowRequest rows) {
        JsonWriter out = new JsonWriter();
        out.beginObject()
                .member("TableName", rows.table().name().value())
                .member("TableId", rows.table().id().value())
                .member("Partition", rows.partition());
        rows.index()
                .ifPresent(
                        index ->
                                out.member("IndexName", index.name().value())
                                        .member("Generation", index.generation()));
        out.name("Covering").beginArray();
        rows.covering().forEach(position -> out.number(position.sequence()));
        out.endArray();
        if (rows.what() instanceof RowRequest.What.Page page) {
            out.member("After", HEX.formatHex(page.after().toByteArray()))
                    .member("Limit", page.limit())
                    .member("Budget", page.budget());
        } else if (rows.what() instanceof RowRequest.What.Lookup lookup) {
            out.name("Keys").beginArray();
            lookup.keys().forEach(key -> out.string(HEX.formatHex(key)));
            out.endArray();
        }
        return new Request(NAME, out.endObject().toByteArray(), Headers.NONE);
    }

    @Override
    public CompletionStage<Reply> execute(Request request) {
        return read(request.json()).on(services).thenApply(page -> Reply.of(page.toBytes()));
    }

    private RowRequest read(JsonBody body) {
        Optional<String> id = body.string("TableId");
        TableDefinition table =
                services.tables()
                        .find(new TableName(body.string("TableName").orElse("")))
                        .filter(found -> id.equals(Optional.of(found.id().value())))
                        .orElseThrow(Messages::tableNotFound);
        Optional<GlobalIndex> index = body.string("IndexName").map(name -> find(table, name, body));
        List<Position> covering = new ArrayList<>();
        for (long sequence : body.numbers("Covering").orElse(List.of())) {
            covering.add(new Position(covering.size(), sequence));
        }
        RowRequest.What what =
                body.strings("Keys")
                        .<RowRequest.What>map(
                                keys ->
                                        new RowRequest.What.Lookup(
                                                keys.stream().map(HEX::parseHex).toList()))
                        .orElseGet(
                                () ->
                                        new RowRequest.What.Page(
                                                Binary.wrap(
                                                        HEX.parseHex(
                                                                body.string("After").orElse(""))),
                                                body.integer("Limit").orElse(1),
                                                body.integer("Budget").orElse(1)));
        return new RowRequest(table, index, body.integer("Partition").orElse(0), covering, what);
    }

    /** This node may not have heard of the generation yet. */
    private static GlobalIndex find(TableDefinition table, String name, JsonBody body) {
        int generation = body.integer("Generation").orElse(0);
        return table.generations().stream()
                .filter(index -> index.name().value().equals(name))
                .filter(index -> index.generation() == generation)
                .findFirst()
                .orElseThrow(() -> Messages.generationUnknown(name));
    }
}
