package dev.tidemark.query.item;

import dev.tidemark.model.error.ApiError;
import dev.tidemark.model.error.ApiException;
import dev.tidemark.model.item.Item;
import dev.tidemark.model.key.PrimaryKey;
import dev.tidemark.model.write.Write;
import dev.tidemark.model.write.WriteOutcome;
import dev.tidemark.query.CapacityUse;
import dev.tidemark.query.Messages;
import dev.tidemark.query.PartitionRouter;
import dev.tidemark.query.Services;
import dev.tidemark.query.TableFacts;
import dev.tidemark.query.http.Reply;
import dev.tidemark.query.http.Request;
import dev.tidemark.query.json.JsonWriter;
import dev.tidemark.query.read.PositionToken;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/** Takes one write to where it is applied, and makes the reply of its outcome. Thread-safe. */
final class ItemWrites {

    private static final byte[] NOTHING = {'{', '}'};

    private final Services services;

    ItemWrites(Services services) {
        this.services = services;
    }

    /**
     * Appends the write, or sends the request on to the node that can tell its outcome.
     *
     * @param refusals makes of the text of a refusal what the caller is told
     * @param shown picks the attributes to show of what was done
     */
    CompletionStage<Reply> write(
            Request request,
            TableFacts facts,
            PrimaryKey key,
            Write write,
            WriteOptions options,
            UnaryOperator<String> refusals,
            Function<WriteOutcome.Applied, Optional<Item>> shown) {
        int partition = facts.partitionOf(key.partition());
        if (request.header(PartitionRouter.FORWARDED).isEmpty()
                && !services.router().isLocal(facts.partition(partition))) {
            return services.router().forward(facts.partition(partition), request);
        }
        CompletionStage<WriteOutcome.Applied> applied =
                append(facts, write, options.showsItemOnFailure(), refusals);
        // what shows items may be large, and outcomes come on the thread that applies writes
        return isPlain(options)
                ? applied.thenApply(done -> positioned(Reply.of(NOTHING), facts, done))
                : applied.thenApplyAsync(
                        done -> reply(facts, key, options, done, shown.apply(done)),
                        services.workers());
    }

    /** Appends the write and returns what was done; a refusal or a failed condition is thrown. */
    CompletionStage<WriteOutcome.Applied> append(TableFacts facts, Write write) {
        return append(facts, write, false, UnaryOperator.identity());
    }

    private CompletionStage<WriteOutcome.Applied> append(
            TableFacts facts,
            Write write,
            boolean showsItemOnFailure,
            UnaryOperator<String> refusals) {
        return services.log()
                .append(facts.table(), write)
                .thenApply(
                        outcome -> {
                            WriteOutcome.Applied applied =
                                    applied(outcome, showsItemOnFailure, refusals);
                            services.acknowledged()
                                    .acknowledged(facts.table().id(), applied.position());
                            return applied;
                        });
    }

    static Reply positioned(Reply reply, TableFacts facts, WriteOutcome.Applied applied) {
        return reply.withHeader(
                PositionToken.POSITION, PositionToken.of(facts.table().name(), applied.position()));
    }

    private static boolean isPlain(WriteOptions options) {
        return options.wants("NONE")
                && !CapacityUse.isAsked(options.capacity())
                && !options.wantsMetrics();
    }

    private static Reply reply(
            TableFacts facts,
            PrimaryKey key,
            WriteOptions options,
            WriteOutcome.Applied applied,
            Optional<Item> shown) {
        JsonWriter out = new JsonWriter();
        out.beginObject();
        shown.ifPresent(item -> out.name("Attributes").item(item));
        if (CapacityUse.isAsked(options.capacity())) {
            CapacityUse use = new CapacityUse(options.table().orElseThrow());
            use.addWrite(facts, key, applied.before(), applied.after());
            use.writeMember(options.capacity(), out);
        }
        if (options.wantsMetrics() && applied.collectionSize().isPresent()) {
            out.name("ItemCollectionMetrics");
            ItemCollections.write(facts, key, applied.collectionSize().getAsLong(), out);
        }
        out.endObject();
        return positioned(Reply.of(out.array(), out.size()), facts, applied);
    }

    private static WriteOutcome.Applied applied(
            WriteOutcome outcome, boolean showsItemOnFailure, UnaryOperator<String> refusals) {
        return outcome.match(
                new WriteOutcome.Cases<WriteOutcome.Applied>() {
                    @Override
                    public WriteOutcome.Applied applied(WriteOutcome.Applied applied) {
                        return applied;
                    }

                    @Override
                    public WriteOutcome.Applied conditionFailed(
                            WriteOutcome.ConditionFailed failed) {
                        throw new ApiException(
                                ApiError.CONDITION_FAILED,
                                Messages.CONDITION_FAILED,
                                showsItemOnFailure ? failed.existing() : Optional.empty());
                    }

                    @Override
                    public WriteOutcome.Applied refused(WriteOutcome.Refused refused) {
                        throw new ApiException(refused.error(), refusals.apply(refused.message()));
                    }
                });
    }
}
