package dev.tidemark.wire;

import dev.tidemark.model.change.ChangeCause;
import dev.tidemark.model.change.ChangeOrigin;
import dev.tidemark.model.change.ChangeRecord;
import dev.tidemark.model.change.Position;
import dev.tidemark.model.index.IndexUpdate;
import dev.tidemark.model.item.AttributeValue;
import dev.tidemark.model.item.Binary;
import dev.tidemark.model.item.Decimal;
import dev.tidemark.model.item.Item;
import dev.tidemark.model.key.KeyAttribute;
import dev.tidemark.model.key.KeySchema;
import dev.tidemark.model.key.KeyType;
import dev.tidemark.model.table.IndexName;
import dev.tidemark.model.table.TimeToLive;
import dev.tidemark.model.write.Placeholders;
import dev.tidemark.model.write.RequestId;
import dev.tidemark.model.write.Write;
import dev.tidemark.model.write.WriteCommand;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeSet;

/** Random model values; equal seeds give equal values. */
final class Samples {

    static final KeySchema KEY =
            KeySchema.composite(
                    new KeyAttribute("sensor", KeyType.S), new KeyAttribute("time", KeyType.N));

    private static final String[] PIECES = {
        "a",
        "Z",
        "0",
        " ",
        "\"",
        "\\",
        "/",
        "\n",
        "\t",
        "\u0000",
        "\u001f",
        "\u007f",
        "ä",
        "ß",
        "İ",
        "€",
        "\uFFFD",
        "\uFFFF",
        "😀",
        "\uD83D",
        "\uDE00",
        "temperature",
        "reading-",
        "\u2028"
    };

    private static final List<ChangeCause> CAUSES =
            List.of(ChangeCause.REQUEST, ChangeCause.TIME_TO_LIVE, ChangeCause.REPAIR);

    private final Random random;

    Samples(long seed) {
        this.random = new Random(seed);
    }

    Item item() {
        return new Item(attributes(random.nextInt(8), 0));
    }

    Item key() {
        Map<String, AttributeValue> key = new LinkedHashMap<>();
        key.put("sensor", new AttributeValue.S("s" + text()));
        key.put("time", new AttributeValue.N(number()));
        return new Item(key);
    }

    WriteCommand command() {
        Optional<RequestId> requestId =
                random.nextBoolean()
                        ? Optional.of(new RequestId(random.nextLong(), random.nextLong()))
                        : Optional.empty();
        return new WriteCommand(
                requestId,
                switch (random.nextInt(9)) {
                    case 0 -> new Write.PutItem(item(), Optional.empty(), Placeholders.NONE);
                    case 1 -> new Write.PutItem(item(), optionalText(), placeholders());
                    case 2 -> new Write.DeleteItem(key(), optionalText(), placeholders());
                    case 3 ->
                            new Write.UpdateItem(
                                    key(), optionalText(), optionalText(), placeholders());
                    case 4 -> new Write.DefineIndexKeys(random.nextLong(), indexes());
                    case 5 -> new Write.ExpireItem(key(), text(), instant());
                    case 6 ->
                            new Write.DefineTimeToLive(
                                    new TimeToLive(random.nextLong() >>> 1, optionalText()));
                    case 7 ->
                            new Write.RefreshItem(
                                    key(),
                                    random.nextBoolean() ? Optional.of(item()) : Optional.empty());
                    default -> new Write.Barrier();
                });
    }

    ChangeRecord change() {
        ChangeOrigin origin =
                new ChangeOrigin(
                        new Position(random.nextInt(100), random.nextLong() >>> 1),
                        random.nextLong() >>> 1,
                        instant(),
                        CAUSES.get(random.nextInt(CAUSES.size())));
        var key = KEY.keyOf(key()).orElseThrow();
        return switch (random.nextInt(3)) {
            case 0 -> new ChangeRecord.Inserted(key, origin, item());
            case 1 -> new ChangeRecord.Modified(key, origin, item(), item());
            default -> new ChangeRecord.Removed(key, origin, item());
        };
    }

    IndexUpdate update() {
        return new IndexUpdate(
                new Position(random.nextInt(100), random.nextLong() >>> 1),
                instant(),
                random.nextBoolean() ? Optional.of(binary()) : Optional.empty(),
                random.nextBoolean()
                        ? Optional.of(new IndexUpdate.Put(binary(), item()))
                        : Optional.empty());
    }

    AttributeValue value(int depth) {
        return switch (random.nextInt(depth > 5 ? 8 : 10)) {
            case 0 -> new AttributeValue.S(text());
            case 1 -> new AttributeValue.N(number());
            case 2 -> new AttributeValue.B(binary());
            case 3 -> new AttributeValue.Bool(random.nextBoolean());
            case 4 -> AttributeValue.Null.INSTANCE;
            case 5 -> {
                TreeSet<String> members = new TreeSet<>();
                do {
                    members.add(wellFormed(text()));
                } while (random.nextInt(3) > 0);
                yield new AttributeValue.SS(members);
            }
            case 6 -> {
                TreeSet<Decimal> members = new TreeSet<>();
                do {
                    members.add(number());
                } while (random.nextInt(3) > 0);
                yield new AttributeValue.NS(members);
            }
            case 7 -> {
                TreeSet<Binary> members = new TreeSet<>();
                do {
                    members.add(binary());
                } while (random.nextInt(3) > 0);
                yield new AttributeValue.BS(members);
            }
            case 8 -> {
                List<AttributeValue> values = new ArrayList<>();
                for (int left = random.nextInt(4); left > 0; left--) {
                    values.add(value(depth + 1));
                }
                yield new AttributeValue.L(values);
            }
            default -> new AttributeValue.M(attributes(random.nextInt(4), depth + 1));
        };
    }

    Decimal number() {
        int digits = 1 + random.nextInt(38);
        BigInteger unscaled = new BigInteger(digits * 3, random);
        int exponent = random.nextInt(3) == 0 ? random.nextInt(180) - 95 : random.nextInt(9) - 6;
        BigDecimal value = new BigDecimal(unscaled).scaleByPowerOfTen(exponent);
        return Decimal.of(random.nextBoolean() ? value : value.negate());
    }

    /** Text as the wire can carry it: a surrogate without its mate can't be. */
    String text() {
        StringBuilder text = new StringBuilder();
        for (int left = random.nextInt(6); left > 0; left--) {
            text.append(PIECES[random.nextInt(PIECES.length)]);
        }
        return wellFormed(text.toString());
    }

    private Instant instant() {
        return Instant.ofEpochMilli(random.nextLong() >> 12);
    }

    private static String wellFormed(String text) {
        return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
    }

    private Binary binary() {
        byte[] bytes = new byte[random.nextInt(12)];
        random.nextBytes(bytes);
        return Binary.wrap(bytes);
    }

    private Map<String, AttributeValue> attributes(int count, int depth) {
        Map<String, AttributeValue> attributes = new LinkedHashMap<>();
        for (int left = count; left > 0; left--) {
            attributes.put(text(), value(depth));
        }
        return attributes;
    }

    private Optional<String> optionalText() {
        return random.nextBoolean() ? Optional.of(text()) : Optional.empty();
    }

    private Placeholders placeholders() {
        Map<String, String> names = new LinkedHashMap<>();
        for (int left = random.nextInt(3); left > 0; left--) {
            names.put("#" + text(), text());
        }
        return new Placeholders(names, attributes(random.nextInt(3), 0));
    }

    private List<Write.IndexKeys> indexes() {
        List<Write.IndexKeys> indexes = new ArrayList<>();
        for (int left = random.nextInt(3); left > 0; left--) {
            indexes.add(
                    new Write.IndexKeys(
                            new IndexName("index-" + left),
                            List.of(new KeyAttribute("h" + text(), KeyType.B)),
                            random.nextBoolean()
                                    ? List.of()
                                    : List.of(
                                            new KeyAttribute("r" + text(), KeyType.N),
                                            new KeyAttribute("q", KeyType.S))));
        }
        return indexes;
    }
}
