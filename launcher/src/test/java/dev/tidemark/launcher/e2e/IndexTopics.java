package dev.tidemark.launcher.e2e;

import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;

/** What Kafka holds for the indexes of a table. */
final class IndexTopics {

    private IndexTopics() {}

    /** Returns the generations of an index of which Kafka has a topic or a group. */
    static Set<String> generations(String bootstrapServers, String table, String index) {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrapServers))) {
            Set<String> names = new TreeSet<>(admin.listTopics().names().get());
            admin.listGroups().all().get().forEach(group -> names.add(group.groupId()));
            String middle = ".gsi." + index + ".";
            Set<String> generations = new TreeSet<>();
            for (String name : names) {
                int at = name.indexOf(middle);
                if (name.startsWith("td." + table + ".") && at >= 0) {
                    generations.add(name.substring(at + middle.length()).split("-", -1)[0]);
                }
            }
            return generations;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted", e);
        } catch (ExecutionException e) {
            throw new IllegalStateException("Kafka does not tell its topics", e);
        }
    }
}
