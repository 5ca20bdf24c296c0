package dev.tidemark.base;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.streams.state.RocksDBConfigSetter;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.Cache;
import org.rocksdb.DataBlockIndexType;
import org.rocksdb.Filter;
import org.rocksdb.LRUCache;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.TableFormatConfig;
import org.rocksdb.WriteBufferManager;

/**
 * Lets the stores of all tables share one bounded piece of native memory, so that many tables do
 * not take many times as much. Instantiated by Streams.
 */
public final class SharedStoreMemory implements RocksDBConfigSetter {

    /** The setting that says how many bytes are shared. */
    public static final String BYTES_CONFIG = "tidemark.store.memory.bytes";

    private static final int WRITE_BUFFER_SIZE = 16 * 1024 * 1024;
    private static final int BLOOM_BITS_PER_KEY = 10;

    /**
     * What every store with a write takes at least, twice. In large blocks the many stores of a
     * table with many indexes would use up what is shared while they are all but empty, and would
     * be flushed without end.
     */
    private static final int ARENA_BLOCK_SIZE = 64 * 1024;

    /** Of a write buffer, for its filter: enough for ten bits a key of 300 bytes. */
    private static final double MEMTABLE_BLOOM_RATIO = 0.005;

    /** One cache for blocks, out of which unflushed writes take at most half. */
    private record Memory(Cache cache, WriteBufferManager writes, Filter filter) {
        static Memory of(long bytes) {
            RocksDB.loadLibrary();
            Cache cache = new LRUCache(bytes);
            return new Memory(
                    cache,
                    new WriteBufferManager(bytes / 2, cache),
                    new BloomFilter(BLOOM_BITS_PER_KEY));
        }
    }

    /** By size; never freed, since apps come and go and the next one takes it up again. */
    private static final Map<Long, Memory> SHARED = new ConcurrentHashMap<>();

    @Override
    public void setConfig(String storeName, Options options, Map<String, Object> configs) {
        long bytes = Long.parseLong(String.valueOf(configs.get(BYTES_CONFIG)));
        Memory memory = SHARED.computeIfAbsent(bytes, Memory::of);
        TableFormatConfig format = options.tableFormatConfig();
        if (format instanceof BlockBasedTableConfig blocks) {
            blocks.setBlockCache(memory.cache());
            blocks.setCacheIndexAndFilterBlocks(true);
            blocks.setPinTopLevelIndexAndFilter(true);
            blocks.setPinL0FilterAndIndexBlocksInCache(true);
            blocks.setDataBlockIndexType(DataBlockIndexType.kDataBlockBinaryAndHash);
            blocks.setFilterPolicy(memory.filter());
            options.setTableFormatConfig(blocks);
        }
        options.setWriteBufferManager(memory.writes());
        options.setWriteBufferSize(WRITE_BUFFER_SIZE);
        options.setArenaBlockSize(ARENA_BLOCK_SIZE);
        options.setMemtablePrefixBloomSizeRatio(MEMTABLE_BLOOM_RATIO);
        options.setMemtableWholeKeyFiltering(true);
    }

    @Override
    public void close(String storeName, Options options) {}
}
