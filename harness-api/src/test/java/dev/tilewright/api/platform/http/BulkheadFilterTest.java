package dev.tilewright.api.platform.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.api.platform.database.ConnectionPool;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BulkheadFilterTest {

    @ParameterizedTest
    @CsvSource({
        "/api/v1/leases, CONTROL",
        "/api/v1/heartbeats, CONTROL",
        "/api/v1/workers, CONTROL",
        "/actuator/health, CONTROL",
        "/actuator/health/readiness, CONTROL",
        "/actuator/prometheus, CONTROL",
        "/api/v1/jobs/4711/cancel, CANCEL",
        "/api/v1/comparisons/4711/cancel, CANCEL",
        "/api/v1/reports, STUDIES",
        "/api/v1/checks/abc, STUDIES",
        "/api/v1/jobs, QUERIES",
        "/api/v1/jobs/4711, QUERIES",
        "/api/v1/jobs/4711/result, QUERIES",
        "/api/v1/best, QUERIES",
        "/, QUERIES"
    })
    void aPathHasAPool(String path, ConnectionPool pool) {
        assertThat(BulkheadFilter.pool(path)).isEqualTo(pool);
    }

    @ParameterizedTest
    @CsvSource({
        "/api/v1/jobs, 255, false",
        "/api/v1/jobs, 256, true",
        "/api/v1/heartbeats, 300, true",
        "/actuatorial, 256, true",
        "/actuator/health, 300, false",
        "/actuator, 300, false",
        "/assets/style.css, 300, false"
    })
    void whereTooManyWaitAllButHealthAndAssetsIsRefused(String path, int waiting, boolean refused) {
        assertThat(BulkheadFilter.refuses(path, waiting)).isEqualTo(refused);
    }
}
