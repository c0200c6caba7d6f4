package dev.tilewright.api.platform.access;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AllowedRolesTest {

    @ParameterizedTest
    @CsvSource({
        "GET,    /api/v1/jobs,              reader or submitter or operator",
        "HEAD,   /api/v1/best,              reader or submitter or operator",
        "GET,    /api/v1/jobs/x/events,     reader or submitter or operator",
        "POST,   /api/v1/jobs,              submitter or operator",
        "POST,   /api/v1/jobs/x/cancel,     submitter or operator",
        "DELETE, /api/v1/not/thought/of,    submitter or operator",
        "GET,    /not/thought/of,           reader or submitter or operator",
        "GET,    /api/v1/tokens,            operator",
        "POST,   /api/v1/tokens,            operator",
        "DELETE, /api/v1/tokens/ci,         operator",
        "GET,    /v3/api-docs,              reader or submitter or operator",
        "GET,    /actuator,                 operator",
        "GET,    /actuator/prometheus,      reader or submitter or operator",
        "GET,    /actuator/prometheus/x,    operator",
        "GET,    /actuator/health/db,       operator",
        "GET,    /actuator/healthx,         operator",
        "GET,    /actuator/health,          ''",
        "GET,    /actuator/health/liveness, ''",
        "GET,    /actuator/health/readiness, ''",
        "GET,    /api/v1/checks/ab,         reader or submitter or operator or worker",
        "POST,   /api/v1/checks/ab,         submitter or operator",
        "GET,    /api/v1/version,           reader or submitter or operator or worker",
        "POST,   /api/v1/leases,            worker",
        "GET,    /api/v1/workers/x,         worker",
        "POST,   /api/v1/workers,           worker",
        "GET,    /api/v1/workers,           reader or submitter or operator"
    })
    void everyPathHasItsRoles(String method, String path, String roles) {
        assertThat(AllowedRoles.to(method, path)).hasToString(roles);
    }

    @Test
    void aLineBreakOpensNothing() {
        assertThat(AllowedRoles.to("DELETE", "/api/v1/tokens/x\n").toString()).isEqualTo("operator");
        assertThat(AllowedRoles.to("GET", "/actuator/prometheus\n").toString()).isEqualTo("operator");
        assertThat(AllowedRoles.to("POST", "/api/v1/leases/x\ny").toString()).isEqualTo("worker");
    }
}
