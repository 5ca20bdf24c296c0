package dev.tidemark.launcher.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DataFolderTest {

    @TempDir Path folder;

    @Test
    void aFolderInUseIsRefusedAndFreeAfterwards() {
        try (DataFolder first = DataFolder.open(folder, "node-1")) {
            assertThat(first.part("kafka")).isEqualTo(folder.resolve("kafka"));
            assertThatThrownBy(() -> DataFolder.open(folder, "node-1"))
                    .isInstanceOf(StartException.class)
                    .hasMessageContaining("is in use by another Tidemark");
        }
        try (DataFolder second = DataFolder.open(folder, "node-1")) {
            assertThat(Files.exists(second.part("tidemark.properties"))).isTrue();
        }
    }

    @Test
    void aFolderOfANewerVersionIsRefusedUntouched() throws IOException {
        Path file =
                Files.writeString(
                        folder.resolve("tidemark.properties"), "version=2\nnode.id=node-1\n");
        assertThatThrownBy(() -> DataFolder.open(folder, "node-1"))
                .isInstanceOf(StartException.class)
                .hasMessageContaining(
                        "was written by a newer Tidemark (layout 2, this one knows 1)");
        assertThat(file).hasContent("version=2\nnode.id=node-1\n");
    }

    @Test
    void aFolderOfAnotherNodeIsRefused() {
        DataFolder.open(folder, "node-1").close();
        assertThatThrownBy(() -> DataFolder.open(folder, "node-2"))
                .isInstanceOf(StartException.class)
                .hasMessageContaining("belongs to node node-1, and this is node node-2");
    }

    @Test
    void aFileInPlaceOfTheFolderIsRefused() throws IOException {
        Path file = Files.writeString(folder.resolve("file"), "");
        assertThatThrownBy(() -> DataFolder.open(file, "node-1"))
                .isInstanceOf(StartException.class)
                .hasMessageContaining("can't be used");
    }
}
