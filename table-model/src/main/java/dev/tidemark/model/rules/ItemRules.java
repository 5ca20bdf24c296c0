package dev.tidemark.model.rules;

import dev.tidemark.model.item.AttributeValue;
import dev.tidemark.model.item.Item;
import dev.tidemark.model.key.KeyAttribute;
import dev.tidemark.model.key.KeySchema;
import dev.tidemark.model.key.KeyValueRule;
import dev.tidemark.model.table.IndexName;
import dev.tidemark.model.table.SpareGeneration;
import dev.tidemark.model.table.SpareGeneration.Purpose;
import dev.tidemark.model.table.TableDefinition;
import dev.tidemark.model.write.Write.IndexKeys;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What items and keys of one table must satisfy, whatever is stored already. Each check returns
 * what the caller is told, or empty if the rule holds. Immutable, thread-safe.
 *
 * <p>A table key that breaks a rule is reported before an index key. Of several indexes whose keys
 * an item breaks, the one whose name sorts first is reported.
 */
public final class ItemRules {

    /** The most levels of lists and maps in an item, itself not counted. */
    public static final int MAX_DEPTH = 32;

    private record IndexRule(IndexName index, KeyAttribute attribute, int maxSize) {}

    private final KeySchema key;
    private final Set<String> keyNames;

    /** In order of index names, partition attributes first. */
    private final List<IndexRule> indexRules;

    private final Set<String> indexKeyNames;

    /**
     * Makes the rules of a table whose items must suit its local indexes and these global ones.
     *
     * @param globalIndexes the key attributes of every global index that counts, which may be
     *     others than the definition's: it is a view of now, the log has its own
     */
    public ItemRules(TableDefinition table, List<IndexKeys> globalIndexes) {
        this.key = table.key();
        this.keyNames = Set.copyOf(key.names());
        List<IndexKeys> all = new ArrayList<>(globalIndexes);
        table.localIndexes()
                .forEach(
                        local ->
                                all.add(
                                        new IndexKeys(
                                                local.name(),
                                                local.key().partition(),
                                                local.key().sort())));
        all.sort(Comparator.comparing(IndexKeys::name));
        List<IndexRule> rules = new ArrayList<>();
        for (IndexKeys index : all) {
            index.partition()
                    .forEach(
                            attribute ->
                                    rules.add(
                                            new IndexRule(
                                                    index.name(),
                                                    attribute,
                                                    KeyValueRule.MAX_PARTITION_SIZE)));
            index.sort()
                    .forEach(
                            attribute ->
                                    rules.add(
                                            new IndexRule(
                                                    index.name(),
                                                    attribute,
                                                    KeyValueRule.MAX_SORT_SIZE)));
        }
        this.indexRules = List.copyOf(rules);
        this.indexKeyNames =
                rules.stream()
                        .map(rule -> rule.attribute().name())
                        .collect(Collectors.toUnmodifiableSet());
    }

    /** Returns the rules of a table with all its indexes of now. */
    public static ItemRules of(TableDefinition table) {
        return new ItemRules(table, indexKeysOf(table));
    }

    /**
     * Returns the key attributes that writes must suit: of the global indexes that are not being
     * deleted, and of their next generations. One that served before and is kept does not count.
     */
    public static List<IndexKeys> indexKeysOf(TableDefinition table) {
        return Stream.concat(
                        table.globalIndexes().stream(),
                        table.options().spares().stream()
                                .filter(spare -> spare.purpose() == Purpose.NEXT)
                                .map(SpareGeneration::index))
                .filter(index -> index.status().isMaintained())
                .map(
                        index ->
                                new IndexKeys(
                                        index.name(), index.key().partition(), index.key().sort()))
                .distinct()
                .toList();
    }

    /** Checks the Key of a request: exactly the table's key attributes, each as it must be. */
    public Optional<String> checkKey(Item candidate) {
        if (!candidate.attributes().keySet().equals(keyNames)) {
            return Optional.of(RuleTexts.KEY_SCHEMA_MISMATCH);
        }
        return checkKeyValues(key, candidate);
    }

    /**
     * Checks the values that a key or a cursor, which has the right names, gives the attributes of
     * {@code schema}.
     */
    public static Optional<String> checkKeyValues(KeySchema schema, Item candidate) {
        return checkKeyValues(candidate, schema, true);
    }

    /** Checks what needs no table: that an item is not too large for any. */
    public static Optional<String> checkSize(Item item) {
        return checkSize(item, RuleTexts.ITEM_TOO_LARGE);
    }

    /** Checks an item that replaces whatever is stored. */
    public Optional<String> checkPut(Item item) {
        return checkKeyValues(item, key, false)
                .or(() -> checkAttributes(item, item.attributes().keySet()))
                .or(() -> checkIndexKeys(item, indexRules, false))
                .or(() -> checkSize(item));
    }

    /** Returns the names of the key attributes of all indexes. */
    public Set<String> indexKeyNames() {
        return indexKeyNames;
    }

    /**
     * Checks the item an update leaves. What the update did not touch was checked when it was
     * written, or is older than the index it does not suit.
     *
     * @param touched the top-level attributes the update assigned or removed, wholly or in part
     */
    public Optional<String> checkUpdated(Item after, Collection<String> touched) {
        return checkAttributes(after, touched)
                .or(
                        () ->
                                checkIndexKeys(
                                        after,
                                        indexRules.stream()
                                                .filter(
                                                        rule ->
                                                                touched.contains(
                                                                        rule.attribute().name()))
                                                .toList(),
                                        true))
                .or(() -> checkSize(after, RuleTexts.UPDATED_ITEM_TOO_LARGE));
    }

    private static Optional<String> checkKeyValues(Item item, KeySchema schema, boolean alone) {
        return checkKeyValues(item, schema.partition(), KeyValueRule.MAX_PARTITION_SIZE, alone)
                .or(() -> checkKeyValues(item, schema.sort(), KeyValueRule.MAX_SORT_SIZE, alone));
    }

    private static Optional<String> checkKeyValues(
            Item item, List<KeyAttribute> attributes, int maxSize, boolean alone) {
        for (KeyAttribute attribute : attributes) {
            AttributeValue value = item.get(attribute.name());
            if (value == null) {
                return Optional.of(RuleTexts.missingKey(attribute));
            }
            Optional<KeyValueRule.Violation> violation =
                    KeyValueRule.violation(attribute, value, maxSize);
            if (violation.isPresent()) {
                return Optional.of(
                        switch (violation.get()) {
                            case WRONG_TYPE ->
                                    alone
                                            ? RuleTexts.KEY_SCHEMA_MISMATCH
                                            : RuleTexts.keyType(attribute, value);
                            case EMPTY -> RuleTexts.keyEmpty(attribute, value);
                            case TOO_LONG -> tooLong(maxSize);
                        });
            }
        }
        return Optional.empty();
    }

    private static Optional<String> checkIndexKeys(
            Item item, List<IndexRule> rules, boolean updated) {
        for (IndexRule rule : rules) {
            KeyAttribute attribute = rule.attribute();
            AttributeValue value = item.get(attribute.name());
            if (value == null) {
                continue;
            }
            Optional<KeyValueRule.Violation> violation =
                    KeyValueRule.violation(attribute, value, rule.maxSize());
            if (violation.isPresent()) {
                return Optional.of(
                        switch (violation.get()) {
                            case WRONG_TYPE ->
                                    RuleTexts.indexKeyType(rule.index(), attribute, value);
                            case EMPTY ->
                                    updated
                                            ? RuleTexts.indexKeyUpdatedToEmpty(value)
                                            : RuleTexts.indexKeyEmpty(
                                                    rule.index(), attribute, value);
                            case TOO_LONG -> tooLong(rule.maxSize());
                        });
            }
        }
        return Optional.empty();
    }

    private static String tooLong(int maxSize) {
        return maxSize == KeyValueRule.MAX_PARTITION_SIZE
                ? RuleTexts.PARTITION_KEY_TOO_LONG
                : RuleTexts.SORT_KEY_TOO_LONG;
    }

    private static Optional<String> checkAttributes(Item item, Collection<String> names) {
        for (String name : names) {
            AttributeValue value = item.get(name);
            if (value == null) {
                continue;
            }
            Optional<String> violation = NameRule.violation(name);
            if (violation.isPresent()) {
                return violation;
            }
            if (value.depth() > MAX_DEPTH) {
                return Optional.of(RuleTexts.NESTED_TOO_DEEP);
            }
        }
        return Optional.empty();
    }

    private static Optional<String> checkSize(Item item, String text) {
        return item.size() > Item.MAX_SIZE ? Optional.of(text) : Optional.empty();
    }
}
