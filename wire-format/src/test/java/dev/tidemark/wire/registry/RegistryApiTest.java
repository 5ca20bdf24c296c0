package dev.tidemark.wire.registry;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RegistryApiTest {

    private static final Schema FIRST =
            SchemaBuilder.record("app.A").fields().requiredInt("x").endRecord();
    private static final Schema SECOND =
            SchemaBuilder.record("app.A").fields().requiredInt("x").optionalString("y").endRecord();

    private final RegistryApi api = new RegistryApi(registry());

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    /subjects                      | 200 | ["app.A","app.B c"]
                    /subjects?deleted=false        | 200 | ["app.A","app.B c"]
                    /subjects/                     | 200 | ["app.A","app.B c"]
                    /subjects/app.A/versions       | 200 | [1,2]
                    /subjects/app.B%20c/versions   | 200 | [1]
                    /subjects/none/versions        | 404 | {"error_code":40401,"message":"Subject 'none' not found."}
                    /subjects/none/versions/1      | 404 | {"error_code":40401,"message":"Subject 'none' not found."}
                    /subjects/app.A/versions/3     | 404 | {"error_code":40402,"message":"Version 3 not found."}
                    /subjects/app.A/versions/0     | 422 | {"error_code":42202,"message":"The specified version '0' is not a valid version id. Allowed values are between [1, 2^31-1] and the string \\"latest\\""}
                    /schemas/ids/9                 | 404 | {"error_code":40403,"message":"Schema 9 not found"}
                    /schemas/ids/9/versions        | 404 | {"error_code":40403,"message":"Schema 9 not found"}
                    /schemas/ids/1/versions        | 200 | [{"subject":"app.A","version":1},{"subject":"app.B c","version":1}]
                    /schemas/ids/1/subjects        | 200 | ["app.A","app.B c"]
                    /schemas/types                 | 200 | ["AVRO"]
                    /config                        | 200 | {"compatibilityLevel":"BACKWARD"}
                    /config/app.A                  | 404 | {"error_code":40408,"message":"Subject 'app.A' does not have subject-level compatibility configured"}
                    /mode                          | 200 | {"mode":"READONLY"}
                    """)
    void answersAsConfluentDoes(String path, int status, String body) {
        assertThat(api.get(path)).contains(new RegistryApi.Response(status, body));
    }

    @Test
    void schemasAreTextInsideJson() {
        String quoted = "\"" + SECOND.toString().replace("\"", "\\\"") + "\"";
        assertThat(api.get("/schemas/ids/2"))
                .contains(new RegistryApi.Response(200, "{\"schema\":" + quoted + "}"));
        Optional<RegistryApi.Response> second =
                Optional.of(
                        new RegistryApi.Response(
                                200,
                                "{\"subject\":\"app.A\",\"version\":2,\"id\":2,\"schema\":"
                                        + quoted
                                        + "}"));
        assertThat(api.get("/subjects/app.A/versions/2")).isEqualTo(second);
        assertThat(api.get("/subjects/app.A/versions/latest")).isEqualTo(second);
        assertThat(api.get("/subjects/app.A/versions/latest/schema"))
                .contains(new RegistryApi.Response(200, SECOND.toString()));
    }

    @ParameterizedTest
    @CsvSource({"/", "/health/ready", "/subjects/app.A", "/schemas", "/subjects/a/b/c/d/e", "''"})
    void otherPathsAreNotItsOwn(String path) {
        assertThat(api.get(path)).isEmpty();
    }

    private static InMemorySchemaRegistry registry() {
        InMemorySchemaRegistry registry = new InMemorySchemaRegistry();
        assertThat(registry.idOf("app.A", FIRST)).isEqualTo(1);
        assertThat(registry.idOf("app.A", SECOND)).isEqualTo(2);
        assertThat(registry.idOf("app.A", FIRST)).isEqualTo(1);
        assertThat(registry.idOf("app.B c", FIRST)).isEqualTo(1);
        return registry;
    }
}
