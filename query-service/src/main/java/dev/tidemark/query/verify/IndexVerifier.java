package dev.tidemark.query.verify;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;

/** Compares an index with its table until every difference is known by its key. Blocks. */
final class IndexVerifier {

    /** The most differences that are listed by key; all are counted. */
    static final int MOST_LISTED = 1_000;

    /*
     * Passes: the first one compares sums alone, which is two runs through stores in their order and,
     * of a sound index, all. Groups of entries whose sums differ are looked into by the next one, whose
     * position is a later one; it takes sums of all groups as well. If others differ then, there is
     * one more, up to a number.
     */
    private static final int MOST_PASSES = 4;

    private final VerificationPass pass;
    private final int partitions;

    IndexVerifier(VerificationPass pass, int partitions) {
        this.pass = pass;
        this.partitions = partitions;
    }

    /** Compares them. */
    VerificationReport verify() {
        List<BitSet> suspicious = Collections.nCopies(partitions, new BitSet());
        for (int number = 1; ; number++) {
            DifferenceList list = new DifferenceList(partitions, MOST_LISTED);
            VerificationPass.Result result = pass.run(suspicious, list);
            List<BitSet> differing = result.expected().differingFrom(result.present());
            boolean isComplete = covers(suspicious, differing);
            if (isComplete || number == MOST_PASSES) {
                return VerificationReport.of(result, list, isComplete);
            }
            suspicious = union(suspicious, differing);
        }
    }

    /** Gives every difference that {@code report} counted to {@code mend}. */
    void mend(VerificationReport report, Consumer<Difference> mend) {
        if (report.isComplete() && report.total() <= MOST_LISTED) {
            report.first().forEach(mend);
            return;
        }
        BitSet all = new BitSet();
        all.set(0, IndexModel.BUCKETS);
        pass.run(Collections.nCopies(partitions, all), mend);
    }

    private static boolean covers(List<BitSet> suspicious, List<BitSet> differing) {
        for (int partition = 0; partition < differing.size(); partition++) {
            BitSet others = (BitSet) differing.get(partition).clone();
            others.andNot(suspicious.get(partition));
            if (!others.isEmpty()) {
                return false;
            }
        }
        return true;
    }

    private static List<BitSet> union(List<BitSet> some, List<BitSet> others) {
        List<BitSet> all = new ArrayList<>();
        for (int partition = 0; partition < some.size(); partition++) {
            BitSet both = (BitSet) some.get(partition).clone();
            both.or(others.get(partition));
            all.add(both);
        }
        return all;
    }
}
