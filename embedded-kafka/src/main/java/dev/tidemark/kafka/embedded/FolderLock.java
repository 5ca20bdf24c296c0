package dev.tidemark.kafka.embedded;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * The right of one broker to a data folder; the operating system takes it back when the process
 * ends.
 */
final class FolderLock implements Closeable {

    private static final String FILE_NAME = "broker.lock";

    private final FileChannel channel;

    private FolderLock(FileChannel channel) {
        this.channel = channel;
    }

    /**
     * Takes the lock of {@code folder}, which is made when absent.
     *
     * @throws EmbeddedKafkaException if another broker holds the folder, or it can't be written to
     */
    static FolderLock take(Path folder) {
        try {
            Files.createDirectories(folder);
            FileChannel channel =
                    FileChannel.open(
                            folder.resolve(FILE_NAME),
                            StandardOpenOption.CREATE,
                            StandardOpenOption.WRITE);
            if (tryLock(channel) == null) {
                channel.close();
                throw new EmbeddedKafkaException(
                        "Kafka data folder " + folder + " is in use by another running broker");
            }
            return new FolderLock(channel);
        } catch (IOException e) {
            throw new EmbeddedKafkaException(
                    "Kafka data folder "
                            + folder
                            + " can't be written to ("
                            + e.getClass().getSimpleName()
                            + ")",
                    e);
        }
    }

    private static @Nullable FileLock tryLock(FileChannel channel) throws IOException {
        try {
            return channel.tryLock();
        } catch (OverlappingFileLockException heldByThisProcess) {
            return null;
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
