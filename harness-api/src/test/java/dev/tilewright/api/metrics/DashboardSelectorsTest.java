package dev.tilewright.api.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.api.metrics.DashboardSelectors.Expression;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DashboardSelectorsTest {

    private static final String SCRAPE = """
            # TYPE tilewright_gpu_clock_hertz gauge
            tilewright_gpu_clock_hertz{device="cuda:0",host="a",model="NVIDIA H200"} 1.7E9
            tilewright_trials{state="queued"} 3.0
            http_server_requests_seconds_count{status="200",uri="/api/v1/jobs/{id}"} 7
            """;

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "max by (host, device) (tilewright_gpu_clock_hertz)           ; {{host}} {{device}}",
                "tilewright_gpu_clock_hertz < on (model) group_left () (0.9 * quantile by (model) (0.5, tilewright_gpu_clock_hertz)); {{ $labels.host }}",
                "sum(rate(http_server_requests_seconds_count{uri!=\"/x/{y}\"}[5m])) ; all",
                "sum by (uri) (http_server_requests_seconds_count{uri=\"/api/v1/jobs/{id}\"}) ; {{uri}}",
                "up{job=\"tilewright\"} == 0                                  ; down"
            })
    void whatTheServiceSaysIsFound(String expression, String shown) {
        assertThat(DashboardSelectors.missing(SCRAPE, List.of(new Expression("panel", expression, shown))))
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "tilewright_trials{state=\"waiting\"}                   ;              ; no series tilewright_trials{state=\"waiting\"}",
                "sum by (hots) (tilewright_gpu_clock_hertz)             ;              ; has no label hots",
                "tilewright_gpu_clock_hertz > on (state) tilewright_trials;            ; tilewright_gpu_clock_hertz has no label state",
                "sum by (host) (tilewright_gpu_clock_hertz)             ; {{device}}   ; shows the label device",
                "sum(tilewright_gpu_clock_hertz)                        ; {{host}}     ; shows the label host",
                "tilewright_gpu_clock_hertz > 0      ; {{ $labels.gpu }} is slow       ; shows the label gpu",
                "http_server_requests_seconds_count{url!=\"/x/{y}\"}    ;              ; no series http_server",
                "vector(1)                                              ;              ; no metric of the service"
            })
    void whatItDoesNotSayIsNamed(String expression, @Nullable String shown, String complaint) {
        assertThat(DashboardSelectors.missing(
                        SCRAPE, List.of(new Expression("panel", expression, shown == null ? "" : shown))))
                .singleElement()
                .asString()
                .startsWith("panel: ")
                .contains(complaint);
    }

    @Test
    void anAlertOfSeveralLinesIsReadWhole() {
        assertThat(AskedOfPrometheus.alerts("""
                groups:
                  - rules:
                      - alert: Slow
                        expr: |
                          tilewright_gpu_clock_hertz
                            < on (modle) group_left () tilewright_gpu_clock_hertz
                        annotations: {summary: "{{ $labels.device }}"}
                """)).singleElement().satisfies(alert -> {
            assertThat(alert.where()).isEqualTo("Slow");
            assertThat(alert.shown()).contains("$labels.device");
            assertThat(DashboardSelectors.missing(SCRAPE, List.of(alert)))
                    .hasSize(2)
                    .allMatch(line -> line.contains("has no label modle"));
        });
    }
}
