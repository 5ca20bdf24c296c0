package dev.tidemark.gsi;

import dev.tidemark.gsi.projection.Unsuitable;
import dev.tidemark.model.progress.IndexId;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Keeps what an index app says. */
final class RecordingListener implements IndexAppListener {

    final List<String> stopped = new CopyOnWriteArrayList<>();
    final List<Unsuitable> unsuitable = new CopyOnWriteArrayList<>();

    @Override
    public void stopped(IndexId index, String reason) {
        stopped.add(reason);
    }

    @Override
    public void unsuitable(IndexId index, Unsuitable why) {
        unsuitable.add(why);
    }
}
