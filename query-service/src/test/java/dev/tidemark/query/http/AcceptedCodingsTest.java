package dev.tidemark.query.http;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AcceptedCodingsTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "none",
            textBlock =
                    """
                    none                          | none
                    ''                            | none
                    identity                      | none
                    br, zstd, x-gzip              | none
                    gzip                          | GZIP
                    deflate, gzip                 | DEFLATE
                    gzip, deflate                 | GZIP
                    br, Gzip ,,                   | GZIP
                    gzip;q=0.4, deflate; q=0.5    | DEFLATE
                    identity, gzip;q=0.001        | GZIP
                    gzip;q=0                      | none
                    gzip; q=0.0                   | none
                    gzip;q=0, gzip                | GZIP
                    *                             | GZIP
                    *, deflate                    | DEFLATE
                    *, gzip;q=0.9                 | DEFLATE
                    *;q=0                         | none
                    *;q=0, deflate                | DEFLATE
                    gzip;q=7, deflate;q=9         | GZIP
                    deflate;q=-1, gzip;q=0.1      | GZIP
                    deflate;q=0.9, gzip;q=much    | GZIP
                    gzip deflate                  | none
                    """)
    void theHighestWeightWinsAndAmongEqualsTheFirst(String header, ContentCoding expected) {
        // When / Then
        assertThat(AcceptedCodings.preferred(header).orElse(null)).isEqualTo(expected);
    }
}
