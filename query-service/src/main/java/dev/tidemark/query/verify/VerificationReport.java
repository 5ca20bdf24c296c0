package dev.tidemark.query.verify;

import dev.tidemark.query.json.JsonWriter;
import dev.tidemark.query.verify.Difference.Kind;
import java.util.List;

/**
 * What a comparison found.
 *
 * @param partitions one for each partition of the table
 * @param missing entries that should be there and are not
 * @param dangling entries that are there and should not be
 * @param different entries that do not carry what their items have
 * @param unmendable how many of them only a new generation of the index mends
 * @param first some of them
 * @param isComplete whether all were found; if not, more became wrong while they were looked for
 */
record VerificationReport(
        List<Partition> partitions,
        long missing,
        long dangling,
        long different,
        long unmendable,
        List<Difference> first,
        boolean isComplete) {

    /**
     * What was found of one partition of the table.
     *
     * @param sequence the position compared: that of the last change before it
     * @param expected what the index should have had there
     * @param present what it had
     */
    record Partition(
            int number,
            long sequence,
            Sum expected,
            Sum present,
            long missing,
            long dangling,
            long different) {}

    /** Entries, counted, and their digest, whatever their order. */
    record Sum(long count, String digest) {}

    long total() {
        return missing + dangling + different;
    }

    boolean isEqual() {
        return total() == 0
                && partitions.stream().allMatch(each -> each.expected().equals(each.present()));
    }

    void writeMembers(JsonWriter out) {
        out.member("Equal", isEqual());
        out.member("Missing", missing);
        out.member("Dangling", dangling);
        out.member("Different", different);
        out.member("Unmendable", unmendable);
        out.member("Complete", isComplete);
        out.name("Partitions").beginArray();
        partitions.forEach(partition -> write(partition, out));
        out.endArray();
        out.name("Differences").beginArray();
        first.forEach(difference -> write(difference, out));
        out.endArray();
    }

    private static void write(Partition partition, JsonWriter out) {
        out.beginObject();
        out.member("Partition", partition.number());
        out.member("SequenceNumber", partition.sequence());
        write("Expected", partition.expected(), out);
        write("Present", partition.present(), out);
        out.member("Missing", partition.missing());
        out.member("Dangling", partition.dangling());
        out.member("Different", partition.different());
        out.endObject();
    }

    private static void write(String name, Sum sum, JsonWriter out) {
        out.name(name).beginObject();
        out.member("Count", sum.count());
        out.member("Digest", sum.digest());
        out.endObject();
    }

    private static void write(Difference difference, JsonWriter out) {
        out.beginObject();
        out.member("Kind", difference.kind().name());
        difference.key().ifPresent(key -> out.name("Key").item(key));
        difference.indexKey().ifPresent(key -> out.name("IndexKey").item(key));
        if (difference.partition() >= 0) {
            out.member("Partition", difference.partition());
        }
        out.member("Mendable", difference.mendable());
        out.endObject();
    }

    static VerificationReport of(
            VerificationPass.Result result, DifferenceList list, boolean isComplete) {
        List<Partition> partitions =
                result.position().stream()
                        .map(
                                position -> {
                                    int number = position.partition();
                                    return new Partition(
                                            number,
                                            position.sequence(),
                                            sum(result.expected().of(number)),
                                            sum(result.present().of(number)),
                                            list.count(number, Kind.MISSING),
                                            list.count(number, Kind.DANGLING),
                                            list.count(number, Kind.DIFFERENT));
                                })
                        .toList();
        return new VerificationReport(
                partitions,
                list.count(Kind.MISSING),
                list.count(Kind.DANGLING),
                list.count(Kind.DIFFERENT),
                list.unmendable(),
                list.first(),
                isComplete);
    }

    private static Sum sum(EntrySum sum) {
        return new Sum(sum.count(), sum.digest());
    }
}
