package dev.tidemark.launcher.e2e;

import java.net.URI;
import java.time.Duration;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.waiters.WaiterOverrideConfiguration;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.retries.api.BackoffStrategy;
import software.amazon.awssdk.services.dynamodb.DynamoDbBaseClientBuilder;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClientBuilder;
import software.amazon.awssdk.services.dynamodb.waiters.DynamoDbWaiter;

/** Amazon's client, told where the server is and otherwise as it comes. */
final class Sdk {

    private Sdk() {}

    static DynamoDbClientBuilder client(URI endpoint) {
        return connected(DynamoDbClient.builder(), endpoint)
                .httpClient(UrlConnectionHttpClient.create());
    }

    static <B extends DynamoDbBaseClientBuilder<B, ?>> B connected(B builder, URI endpoint) {
        return builder.endpointOverride(endpoint)
                .region(Region.EU_CENTRAL_1)
                .credentialsProvider(
                        StaticCredentialsProvider.create(
                                AwsBasicCredentials.create("any", "thing")));
    }

    static DynamoDbWaiter waiter(DynamoDbClient client) {
        return DynamoDbWaiter.builder().client(client).overrideConfiguration(often()).build();
    }

    /** Asks often: Amazon's waiters ask every 20 seconds unless told otherwise. */
    static WaiterOverrideConfiguration often() {
        return WaiterOverrideConfiguration.builder()
                .maxAttempts(1_000)
                .backoffStrategyV2(BackoffStrategy.fixedDelay(Duration.ofMillis(50)))
                .build();
    }
}
