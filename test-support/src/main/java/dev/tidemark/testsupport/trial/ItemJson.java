package dev.tidemark.testsupport.trial;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.tidemark.model.item.AttributeValue;
import dev.tidemark.model.item.Binary;
import dev.tidemark.model.item.Decimal;
import dev.tidemark.model.item.Item;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/**
 * Items in DynamoDB's JSON. Numbers are sent in whatever notation; they must come back in the
 * canonical one.
 */
final class ItemJson {

    private final Random random;

    ItemJson(Random random) {
        this.random = random;
    }

    ObjectNode of(Item item) {
        return of(item.attributes());
    }

    ObjectNode of(Map<String, AttributeValue> values) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        values.forEach((name, value) -> json.set(name, of(value)));
        return json;
    }

    ObjectNode of(AttributeValue value) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        String type = value.type().name();
        if (value instanceof AttributeValue.S string) {
            json.put(type, string.value());
        } else if (value instanceof AttributeValue.N number) {
            json.put(type, noted(number.value()));
        } else if (value instanceof AttributeValue.B binary) {
            json.put(type, base64(binary.value()));
        } else if (value instanceof AttributeValue.Bool truth) {
            json.put(type, truth.value());
        } else if (value instanceof AttributeValue.Null) {
            json.put(type, true);
        } else if (value instanceof AttributeValue.M map) {
            json.set(type, of(map.values()));
        } else {
            json.set(type, members(value));
        }
        return json;
    }

    private ArrayNode members(AttributeValue value) {
        ArrayNode members = JsonNodeFactory.instance.arrayNode();
        if (value instanceof AttributeValue.L list) {
            list.values().forEach(each -> members.add(of(each)));
        } else if (value instanceof AttributeValue.SS set) {
            set.values().forEach(members::add);
        } else if (value instanceof AttributeValue.NS set) {
            set.values().forEach(each -> members.add(noted(each)));
        } else if (value instanceof AttributeValue.BS set) {
            set.values().forEach(each -> members.add(base64(each)));
        } else {
            throw new IllegalArgumentException("Invalid value: " + value.type());
        }
        return members;
    }

    private String noted(Decimal number) {
        BigDecimal value = new BigDecimal(number.text());
        return switch (random.nextInt(8)) {
            case 0 -> value.unscaledValue() + "E" + -value.scale();
            case 1 -> value.signum() < 0 ? number.text() : "+" + number.text();
            case 2 -> value.signum() < 0 ? number.text() : "00" + number.text();
            case 3 -> number.text().contains(".") ? number.text() + "0" : number.text() + ".0";
            default -> number.text();
        };
    }

    private static String base64(Binary binary) {
        return Base64.getEncoder().encodeToString(binary.toByteArray());
    }

    /**
     * Returns the item that a reply shows.
     *
     * @throws IllegalArgumentException if it is not as it should be
     */
    static Item item(JsonNode json) {
        return new Item(values(json));
    }

    private static Map<String, AttributeValue> values(JsonNode json) {
        Map<String, AttributeValue> values = new LinkedHashMap<>();
        json.properties().forEach(each -> values.put(each.getKey(), value(each.getValue())));
        return values;
    }

    private static AttributeValue value(JsonNode json) {
        if (json.size() != 1) {
            throw new IllegalArgumentException("Invalid value: " + json);
        }
        String type = json.fieldNames().next();
        JsonNode content = json.get(type);
        return switch (type) {
            case "S" -> new AttributeValue.S(text(content));
            case "N" -> new AttributeValue.N(number(content));
            case "B" -> new AttributeValue.B(binary(content));
            case "BOOL" -> new AttributeValue.Bool(content.asBoolean());
            case "NULL" -> AttributeValue.Null.INSTANCE;
            case "M" -> new AttributeValue.M(values(content));
            case "L" -> {
                List<AttributeValue> members = new ArrayList<>();
                content.forEach(each -> members.add(value(each)));
                yield new AttributeValue.L(members);
            }
            case "SS" -> {
                Set<String> members = new LinkedHashSet<>();
                content.forEach(each -> requireNew(members.add(text(each)), content));
                yield new AttributeValue.SS(members);
            }
            case "NS" -> {
                Set<Decimal> members = new LinkedHashSet<>();
                content.forEach(each -> requireNew(members.add(number(each)), content));
                yield new AttributeValue.NS(members);
            }
            case "BS" -> {
                Set<Binary> members = new LinkedHashSet<>();
                content.forEach(each -> requireNew(members.add(binary(each)), content));
                yield new AttributeValue.BS(members);
            }
            default -> throw new IllegalArgumentException("Invalid value: " + json);
        };
    }

    private static void requireNew(boolean isNew, JsonNode set) {
        if (!isNew) {
            throw new IllegalArgumentException("Invalid set, a member comes twice: " + set);
        }
    }

    private static String text(JsonNode json) {
        if (!json.isTextual()) {
            throw new IllegalArgumentException("Invalid value, no text: " + json);
        }
        return json.textValue();
    }

    private static Decimal number(JsonNode json) {
        Decimal number = Decimal.parse(text(json));
        if (!number.text().equals(text(json))) {
            throw new IllegalArgumentException("Invalid value, not canonical: " + json);
        }
        return number;
    }

    private static Binary binary(JsonNode json) {
        return Binary.wrap(Base64.getDecoder().decode(text(json)));
    }
}
