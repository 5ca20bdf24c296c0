package dev.tidemark.gsi;

import dev.tidemark.gsi.projection.Unsuitable;
import dev.tidemark.model.progress.IndexId;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.kafka.common.errors.TimeoutException;

/** Keeps what an index app says, and fails when asked to. */
final class RecordingListener implements IndexAppListener {

    final List<String> stopped = new CopyOnWriteArrayList<>();
    final List<Unsuitable> unsuitable = new CopyOnWriteArrayList<>();

    /** Whether the next unsuitable item kills the thread that found it, as a lost broker would. */
    final AtomicBoolean failNext = new AtomicBoolean();

    @Override
    public void stopped(IndexId index, String reason) {
        stopped.add(reason);
    }

    @Override
    public void unsuitable(IndexId index, Unsuitable why) {
        if (failNext.compareAndSet(true, false)) {
            throw new TimeoutException("played");
        }
        unsuitable.add(why);
    }
}
