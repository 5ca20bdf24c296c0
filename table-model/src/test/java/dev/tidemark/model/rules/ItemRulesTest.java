package dev.tidemark.model.rules;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.model.item.AttributeValue;
import dev.tidemark.model.item.Binary;
import dev.tidemark.model.item.Decimal;
import dev.tidemark.model.item.Item;
import dev.tidemark.model.key.KeyAttribute;
import dev.tidemark.model.key.KeySchema;
import dev.tidemark.model.key.KeyType;
import dev.tidemark.model.table.BillingMode;
import dev.tidemark.model.table.GlobalIndex;
import dev.tidemark.model.table.IndexName;
import dev.tidemark.model.table.IndexStatus;
import dev.tidemark.model.table.LocalIndex;
import dev.tidemark.model.table.Projection;
import dev.tidemark.model.table.TableDefinition;
import dev.tidemark.model.table.TableId;
import dev.tidemark.model.table.TableName;
import dev.tidemark.model.table.TableStatus;
import dev.tidemark.model.table.Throughput;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ItemRulesTest {

    private static final KeyAttribute PK = new KeyAttribute("pk", KeyType.S);
    private static final KeyAttribute SK = new KeyAttribute("sk", KeyType.N);
    private static final KeyAttribute LOCAL = new KeyAttribute("l", KeyType.B);
    private static final KeyAttribute GLOBAL = new KeyAttribute("g", KeyType.S);

    private static final TableDefinition TABLE =
            new TableDefinition(
                    new TableName("Things"),
                    new TableId("abcdefgh"),
                    KeySchema.composite(PK, SK),
                    List.of(
                            new LocalIndex(
                                    new IndexName("zz-local"),
                                    1,
                                    KeySchema.composite(PK, LOCAL),
                                    new Projection.All())),
                    List.of(
                            global("by-g", KeySchema.simple(GLOBAL), IndexStatus.ACTIVE),
                            global("also-by-g", KeySchema.simple(GLOBAL), IndexStatus.CREATING),
                            global(
                                    "going",
                                    KeySchema.simple(new KeyAttribute("gone", KeyType.S)),
                                    IndexStatus.DELETING),
                            global(
                                    "sorted",
                                    KeySchema.composite(PK, new KeyAttribute("r", KeyType.S)),
                                    IndexStatus.ACTIVE)),
                    2,
                    BillingMode.PAY_PER_REQUEST,
                    Throughput.NONE,
                    Map.of(),
                    false,
                    Instant.EPOCH,
                    TableStatus.ACTIVE);

    private static final ItemRules RULES = ItemRules.of(TABLE);

    @Test
    void anItemThatSuitsTableAndIndexesBreaksNoRule() {
        assertThat(RULES.checkPut(item("g", string("x"), "l", binary(3), "r", string("y"))))
                .isEmpty();
        assertThat(RULES.checkPut(item())).isEmpty();
    }

    @Test
    void aMissingOrMistypedTableKeyIsNamed() {
        assertThat(RULES.checkPut(new Item(Map.of("pk", string("a")))))
                .contains(
                        "One or more parameter values were invalid: Missing the key sk in the item");
        assertThat(RULES.checkPut(new Item(Map.of("pk", number(1), "sk", number(1)))))
                .contains(
                        "One or more parameter values were invalid: Type mismatch for key pk expected: S actual: N");
    }

    @Test
    void aTableKeyHasAtLeastOneAndAtMost2048Bytes() {
        assertThat(RULES.checkPut(new Item(Map.of("pk", string(""), "sk", number(1)))))
                .contains(
                        "One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty string value. Key: pk");
        assertThat(RULES.checkPut(new Item(Map.of("pk", ofSize(2048), "sk", number(1))))).isEmpty();
        assertThat(RULES.checkPut(new Item(Map.of("pk", ofSize(2049), "sk", number(1)))))
                .contains(
                        "One or more parameter values were invalid: Size of hashkey has exceeded the maximum size limit of2048 bytes");
    }

    @Test
    void aKeyConsistsOfTheKeyAttributesAlone() {
        String mismatch = "The provided key element does not match the schema";
        assertThat(RULES.checkKey(item())).isEmpty();
        assertThat(RULES.checkKey(item("x", number(1)))).contains(mismatch);
        assertThat(RULES.checkKey(new Item(Map.of("pk", string("a"))))).contains(mismatch);
        assertThat(RULES.checkKey(new Item(Map.of("pk", number(1), "sk", number(1)))))
                .contains(mismatch);
        assertThat(RULES.checkKey(new Item(Map.of("pk", string(""), "sk", number(1)))))
                .hasValueSatisfying(text -> assertThat(text).contains("empty string value"));
    }

    @Test
    void aMistypedIndexKeyNamesTheIndexWhoseNameSortsFirst() {
        assertThat(RULES.checkPut(item("g", number(1), "l", string("no binary"))))
                .contains(
                        "One or more parameter values were invalid: Type mismatch for Index Key g Expected: S Actual: N IndexName: also-by-g");
        assertThat(RULES.checkPut(item("l", AttributeValue.Null.INSTANCE)))
                .contains(
                        "One or more parameter values were invalid: Type mismatch for Index Key l Expected: B Actual: NULL IndexName: zz-local");
    }

    @Test
    void anEmptyIndexKeyIsRefusedWithIndexAndAttribute() {
        assertThat(RULES.checkPut(item("l", binary(0))))
                .contains(
                        "One or more parameter values are not valid. A value specified for a secondary index key is not supported. The AttributeValue for a key attribute cannot contain an empty binary value. IndexName: zz-local, IndexKey: l");
        assertThat(RULES.checkUpdated(item("g", string("")), Set.of("g")))
                .contains(
                        "One or more parameter values are not valid. The update expression attempted to update a secondary index key to a value that is not supported. The AttributeValue for a key attribute cannot contain an empty string value.");
    }

    @Test
    void indexKeysObeyTheLimitOfTheirRole() {
        assertThat(RULES.checkPut(item("g", ofSize(2048)))).isEmpty();
        assertThat(RULES.checkPut(item("g", ofSize(2049))))
                .hasValueSatisfying(text -> assertThat(text).contains("2048"));
        assertThat(RULES.checkPut(item("r", ofSize(1024)))).isEmpty();
        assertThat(RULES.checkPut(item("r", ofSize(1025))))
                .hasValueSatisfying(text -> assertThat(text).contains("1024"));
    }

    @Test
    void aBadTableKeyWinsOverABadIndexKey() {
        assertThat(RULES.checkPut(new Item(Map.of("pk", string("a"), "g", number(1)))))
                .hasValueSatisfying(text -> assertThat(text).contains("Missing the key sk"));
    }

    @Test
    void anIndexBeingDeletedConstrainsNothing() {
        assertThat(RULES.checkPut(item("gone", number(1)))).isEmpty();
    }

    @Test
    void anUpdateIsCheckedOnlyForTheIndexKeysItTouches() {
        Item older = item("g", number(1), "x", number(2));
        assertThat(RULES.checkUpdated(older, Set.of("x"))).isEmpty();
        assertThat(RULES.checkUpdated(older, Set.of("g"))).isPresent();
    }

    @Test
    void indexKeysAreTheKeysOfLocalAndGlobalIndexesThatCount() {
        assertThat(RULES.indexKeyNames()).containsExactlyInAnyOrder("pk", "l", "g", "r");
    }

    @Test
    void anItemHasAtMost400KilobytesNamesIncluded() {
        int rest = Item.MAX_SIZE - item("x", string("")).size();
        Item largest = item("x", ofSize(rest));
        Item tooLarge = item("x", ofSize(rest + 1));
        assertThat(RULES.checkPut(largest)).isEmpty();
        assertThat(RULES.checkPut(tooLarge))
                .contains("Item size has exceeded the maximum allowed size");
        assertThat(RULES.checkUpdated(tooLarge, Set.of("x")))
                .contains("Item size to update has exceeded the maximum allowed size");
    }

    @Test
    void valuesNestAtMost32Levels() {
        assertThat(RULES.checkPut(item("x", nested(32)))).isEmpty();
        assertThat(RULES.checkPut(item("x", nested(33))))
                .hasValueSatisfying(text -> assertThat(text).startsWith("Nesting Levels"));
    }

    @Test
    void attributeNamesAreNeitherEmptyNorLongerThan65535Bytes() {
        assertThat(RULES.checkPut(item("", number(1))))
                .hasValueSatisfying(text -> assertThat(text).contains("Empty attribute name"));
        assertThat(RULES.checkPut(item("x".repeat(65_535), number(1)))).isEmpty();
        assertThat(RULES.checkPut(item("x".repeat(65_536), number(1)))).isPresent();
    }

    private static GlobalIndex global(String name, KeySchema key, IndexStatus status) {
        return new GlobalIndex(
                new IndexName(name), 1, key, new Projection.All(), Throughput.NONE, status);
    }

    /** Returns an item with a valid key and these attributes, names and values in turn. */
    private static Item item(Object... namesAndValues) {
        Map<String, AttributeValue> attributes = new LinkedHashMap<>();
        attributes.put("pk", string("a"));
        attributes.put("sk", number(1));
        for (int at = 0; at < namesAndValues.length; at += 2) {
            attributes.put((String) namesAndValues[at], (AttributeValue) namesAndValues[at + 1]);
        }
        return new Item(attributes);
    }

    private static AttributeValue nested(int levels) {
        AttributeValue value = number(1);
        for (int level = 0; level < levels; level++) {
            value = new AttributeValue.L(List.of(value));
        }
        return value;
    }

    private static AttributeValue string(String text) {
        return new AttributeValue.S(text);
    }

    private static AttributeValue ofSize(int size) {
        return string("x".repeat(size));
    }

    private static AttributeValue number(long value) {
        return new AttributeValue.N(Decimal.of(value));
    }

    private static AttributeValue binary(int size) {
        return new AttributeValue.B(Binary.wrap(new byte[size]));
    }
}
