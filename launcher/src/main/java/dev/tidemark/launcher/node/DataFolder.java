package dev.tidemark.launcher.node;

import java.io.IOException;
import java.io.Reader;
import java.io.Writer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/**
 * The folder that holds everything a node keeps, held by a lock while the node runs: one process at
 * a time may own it. A file in it tells which layout it has, so that an older program does not
 * touch what a newer one made.
 */
public final class DataFolder implements AutoCloseable {

    /** The layout this program reads and writes. */
    static final int VERSION = 1;

    private static final String LOCK = "lock";
    private static final String PROPERTIES = "tidemark.properties";

    private final Path path;
    private final FileChannel channel;
    private final FileLock lock;

    private DataFolder(Path path, FileChannel channel, FileLock lock) {
        this.path = path;
        this.channel = channel;
        this.lock = lock;
    }

    /**
     * Takes the folder, which is made if absent.
     *
     * @throws StartException if it is in use, of a newer version, of another node, or can't be
     *     written
     */
    public static DataFolder open(Path folder, String nodeId) {
        Path path = folder.toAbsolutePath().normalize();
        FileChannel channel = null;
        try {
            Files.createDirectories(path);
            channel =
                    FileChannel.open(
                            path.resolve(LOCK),
                            StandardOpenOption.CREATE,
                            StandardOpenOption.WRITE);
            FileLock lock = tryLock(channel);
            if (lock == null) {
                channel.close();
                throw new StartException(
                        "The data folder "
                                + path
                                + " is in use by another Tidemark; stop it, or give"
                                + " this one another folder with --data");
            }
            DataFolder data = new DataFolder(path, channel, lock);
            data.checkProperties(nodeId);
            return data;
        } catch (IOException e) {
            throw new StartException("The data folder " + path + " can't be used: " + e, e);
        }
    }

    /** Returns the folder of one part of the node. */
    public Path part(String name) {
        return path.resolve(name);
    }

    @Override
    public void close() {
        try {
            lock.release();
            channel.close();
        } catch (IOException e) {
            throw new IllegalStateException("The lock of the data folder can't be released", e);
        }
    }

    private static @Nullable FileLock tryLock(FileChannel channel) throws IOException {
        try {
            return channel.tryLock();
        } catch (OverlappingFileLockException e) {
            return null;
        }
    }

    private void checkProperties(String nodeId) throws IOException {
        Path file = path.resolve(PROPERTIES);
        Properties properties = new Properties();
        if (!Files.exists(file)) {
            properties.setProperty("version", Integer.toString(VERSION));
            properties.setProperty("node.id", nodeId);
            store(properties, file);
            return;
        }
        try (Reader reader = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
            properties.load(reader);
        }
        String version = properties.getProperty("version", "");
        String problem = null;
        if (!version.matches("\\d{1,9}")) {
            problem = "has no readable version in " + file;
        } else if (Integer.parseInt(version) > VERSION) {
            problem =
                    "was written by a newer Tidemark (layout "
                            + version
                            + ", this one knows "
                            + VERSION
                            + "); run that version, or give this one another folder with --data";
        } else if (!properties.getProperty("node.id", nodeId).equals(nodeId)) {
            problem =
                    "belongs to node "
                            + properties.getProperty("node.id")
                            + ", and this is node "
                            + nodeId;
        }
        if (problem != null) {
            close();
            throw new StartException("The data folder " + path + " " + problem);
        }
    }

    private static void store(Properties properties, Path file) throws IOException {
        Path fresh = file.resolveSibling(PROPERTIES + ".new");
        try (Writer writer = Files.newBufferedWriter(fresh, StandardCharsets.UTF_8)) {
            properties.store(writer, "Tidemark data folder");
        }
        Files.move(
                fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }
}
