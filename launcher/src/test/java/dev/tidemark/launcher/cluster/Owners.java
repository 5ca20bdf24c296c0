package dev.tidemark.launcher.cluster;

import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ConsumerGroupDescription;
import org.apache.kafka.clients.admin.GroupListing;
import org.apache.kafka.clients.admin.ListGroupsOptions;
import org.apache.kafka.clients.admin.MemberDescription;

/** Which nodes have partitions, as any tool for consumer groups sees it. */
final class Owners implements AutoCloseable {

    private static final long SECONDS = 20;

    private final Admin admin;

    Owners(String bootstrapServers) {
        this.admin = Admin.create(Map.of("bootstrap.servers", bootstrapServers));
    }

    /** Returns for each group of a table or an index the nodes that have partitions of it. */
    Map<String, Set<String>> byGroup() {
        try {
            Set<String> groups =
                    admin
                            .listGroups(ListGroupsOptions.forConsumerGroups())
                            .all()
                            .get(SECONDS, TimeUnit.SECONDS)
                            .stream()
                            .map(GroupListing::groupId)
                            .filter(group -> group.startsWith("td."))
                            .collect(Collectors.toSet());
            return admin
                    .describeConsumerGroups(groups)
                    .all()
                    .get(SECONDS, TimeUnit.SECONDS)
                    .values()
                    .stream()
                    .collect(Collectors.toMap(ConsumerGroupDescription::groupId, Owners::nodesOf));
        } catch (ExecutionException | TimeoutException e) {
            throw new IllegalStateException("The groups can't be read", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while reading the groups", e);
        }
    }

    @Override
    public void close() {
        admin.close();
    }

    private static Set<String> nodesOf(ConsumerGroupDescription group) {
        Set<String> nodes = new HashSet<>();
        for (MemberDescription member : group.members()) {
            if (!member.assignment().topicPartitions().isEmpty()) {
                // an instance is called by its node and the number of its thread
                String instance = member.groupInstanceId().orElse(member.clientId());
                nodes.add(instance.substring(0, instance.lastIndexOf('-')));
            }
        }
        return nodes;
    }
}
