package dev.tidemark.query.table;

import dev.tidemark.model.table.TableName;
import dev.tidemark.query.Constraints;
import java.util.Optional;

/** The rules for the TableName of requests about tables. */
final class TableNames {

    private TableNames() {}

    private static final int LEAST = 3;
    private static final int MOST = 255;

    /** Refuses a name that is missing or of the wrong length: reported before all else. */
    static void require(Optional<String> name) {
        requirePresent(name);
        if (name.filter(given -> given.length() < LEAST || given.length() > MOST).isPresent()) {
            throw TableErrors.nameLength();
        }
    }

    /** Refuses a name that is missing. */
    static void requirePresent(Optional<String> name) {
        if (name.isEmpty()) {
            throw TableErrors.missing("TableName");
        }
    }

    /** Reports what is wrong with the name of a table to be made, its length as well. */
    static void checkNew(Constraints constraints, Optional<String> name) {
        check(constraints, name);
        constraints.length("tableName", name, LEAST, MOST);
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
