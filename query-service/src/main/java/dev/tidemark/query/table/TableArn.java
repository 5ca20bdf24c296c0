package dev.tidemark.query.table;

import dev.tidemark.model.table.IndexName;
import dev.tidemark.model.table.TableName;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The Amazon resource name of a table.
 *
 * @param region any region: callers are not asked to know ours
 * @param table the table's name
 */
public record TableArn(String region, TableName table) {

    /** The most characters of an ARN. Source: the DynamoDB API reference. */
    static final int LONGEST = 1283;

    private static final String ACCOUNT = "000000000000";
    private static final Pattern FORM =
            Pattern.compile(
                    "arn:aws[a-z-]*:dynamodb:([^:/]*):[0-9]*:table/([a-zA-Z0-9_.-]{3,255})");

    /**
     * Returns the table's name out of what a caller gave as a table: its name or its ARN. What is
     * no ARN of a table is returned as it is.
     */
    public static String nameIn(String nameOrArn) {
        Matcher matcher = FORM.matcher(nameOrArn);
        return matcher.matches() ? matcher.group(2) : nameOrArn;
    }

    /**
     * Parses the ARN of a table.
     *
     * @throws dev.tidemark.model.error.ApiException if it is something else
     */
    static TableArn parse(String arn) {
        if (!arn.startsWith("arn:")) {
            throw TableErrors.invalidArn(arn, "ARNs must start with 'arn:'");
        }
        Matcher matcher = FORM.matcher(arn);
        if (!matcher.matches()) {
            throw TableErrors.invalidArn(arn, "not the ARN of a table");
        }
        return new TableArn(matcher.group(1), new TableName(matcher.group(2)));
    }

    /** Returns the ARN of one of the table's indexes. */
    public String index(IndexName index) {
        return this + "/index/" + index;
    }

    @Override
    public String toString() {
        return "arn:aws:dynamodb:" + region + ":" + ACCOUNT + ":table/" + table;
    }
}
