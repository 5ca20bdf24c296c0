package dev.tidemark.query.verify;

import dev.tidemark.model.item.Binary;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Rows by their keys. */
final class Rows {

    static final Rows NONE = new Rows();

    private final Map<Binary, Row> byKey = new HashMap<>();

    private Rows() {}

    static Rows of(Collection<Row> rows) {
        Rows all = new Rows();
        rows.forEach(row -> all.byKey.put(Binary.wrap(row.key()), row));
        return all;
    }

    Optional<Row> find(Binary key) {
        return Optional.ofNullable(byKey.get(key));
    }
}
