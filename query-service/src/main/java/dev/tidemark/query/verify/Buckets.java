package dev.tidemark.query.verify;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/** Sums of entries, by partition of the table and group. Not thread-safe. */
final class Buckets {

    private final EntrySum[][] sums;

    Buckets(int partitions) {
        sums = new EntrySum[partitions][IndexModel.BUCKETS];
        for (EntrySum[] partition : sums) {
            for (int bucket = 0; bucket < IndexModel.BUCKETS; bucket++) {
                partition[bucket] = new EntrySum();
            }
        }
    }

    void add(int partition, int bucket, Hash128 content) {
        sums[partition][bucket].add(content);
    }

    /** Returns the sum of one partition. */
    EntrySum of(int partition) {
        EntrySum all = new EntrySum();
        for (EntrySum bucket : sums[partition]) {
            all.add(bucket);
        }
        return all;
    }

    /** Returns for each partition the groups whose sums are not the same. */
    List<BitSet> differingFrom(Buckets other) {
        List<BitSet> differing = new ArrayList<>();
        for (int partition = 0; partition < sums.length; partition++) {
            BitSet buckets = new BitSet(IndexModel.BUCKETS);
            for (int bucket = 0; bucket < IndexModel.BUCKETS; bucket++) {
                buckets.set(
                        bucket, !sums[partition][bucket].isSameAs(other.sums[partition][bucket]));
            }
            differing.add(buckets);
        }
        return differing;
    }
}
