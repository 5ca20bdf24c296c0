package dev.tidemark.query.item;

import dev.tidemark.query.Services;
import dev.tidemark.query.TableFacts;
import dev.tidemark.query.http.Operation;
import java.util.Map;

/** The operations on items by their key. */
public final class ItemOperations {

    private ItemOperations() {}

    /** Returns them by name. */
    public static Map<String, Operation> of(Services services, TableFacts.Finder tables) {
        return Map.of(
                "PutItem", new PutItemOperation(services, tables),
                "GetItem", new GetItemOperation(services, tables),
                "UpdateItem", new UpdateItemOperation(services, tables),
                "DeleteItem", new DeleteItemOperation(services, tables),
                "BatchWriteItem", new BatchWriteItemOperation(services, tables),
                "BatchGetItem", new BatchGetItemOperation(services, tables));
    }
}
