package dev.tidemark.query.table;

import dev.tidemark.model.table.TableName;
import dev.tidemark.query.Constraints;
import java.util.Optional;

/** The rules for the TableName of requests about tables. */
final class TableNames {

    private TableNames() {}

    /** Refuses a name that is missing or of the wrong length: reported before all else. */
    static void require(Optional<String> name) {
        String given = name.orElseThrow(() -> TableErrors.missing("TableName"));
        if (given.length() < 3 || given.length() > 255) {
            throw TableErrors.nameLength();
        }
    }

    static void check(Constraints constraints, Optional<String> name) {
        constraints.pattern("tableName", name, IndexRequest.NAME);
    }

    /** Returns the name of an operation that has no other parameters. */
    static TableName parse(Optional<String> name) {
        require(name);
        Constraints constraints = new Constraints();
        check(constraints, name);
        constraints.check();
        return new TableName(name.orElseThrow());
    }
}
