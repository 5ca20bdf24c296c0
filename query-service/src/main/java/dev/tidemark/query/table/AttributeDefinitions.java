package dev.tidemark.query.table;

import dev.tidemark.model.key.KeyType;
import dev.tidemark.query.Constraints;
import dev.tidemark.query.json.JsonBody;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The AttributeDefinitions of a request: which type each key attribute has. */
record AttributeDefinitions(Optional<List<Definition>> given) {

    private record Definition(Optional<String> name, Optional<String> type) {}

    static AttributeDefinitions read(JsonBody body) {
        return new AttributeDefinitions(
                body.objects("AttributeDefinitions", "AttributeDefinition")
                        .map(
                                list ->
                                        list.stream()
                                                .map(
                                                        each ->
                                                                new Definition(
                                                                        each.string(
                                                                                "AttributeName"),
                                                                        each.string(
                                                                                "AttributeType")))
                                                .toList()));
    }

    void check(Constraints constraints) {
        List<Definition> definitions = given.orElse(List.of());
        for (int at = 0; at < definitions.size(); at++) {
            String member = "attributeDefinitions." + (at + 1) + ".member.";
            Definition definition = definitions.get(at);
            constraints.required(member + "attributeName", definition.name());
            constraints.utf8Length(member + "attributeName", definition.name(), 1, 255);
            constraints.required(member + "attributeType", definition.type());
            constraints.oneOf(member + "attributeType", definition.type(), List.of("B", "N", "S"));
        }
    }

    /** Returns the types by name, in the order of the request. */
    Map<String, KeyType> types() {
        Map<String, KeyType> types = new LinkedHashMap<>();
        for (Definition definition : given.orElse(List.of())) {
            String name = definition.name().orElseThrow();
            if (types.put(name, KeyType.valueOf(definition.type().orElseThrow())) != null) {
                throw TableErrors.invalid(
                        "Duplicate AttributeName in AttributeDefinitions: " + name);
            }
        }
        return Collections.unmodifiableMap(types);
    }
}
