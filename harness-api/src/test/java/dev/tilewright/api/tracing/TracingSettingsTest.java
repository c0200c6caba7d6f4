package dev.tilewright.api.tracing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tilewright.api.testing.Api;
import dev.tilewright.api.testing.RunningService;
import dev.tilewright.api.testing.RunningService.Service;
import dev.tilewright.api.testing.ScriptedWorker;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@ExtendWith(RunningService.class)
class TracingSettingsTest {

    @Test
    void anEmptyEndpointIsNone() {
        assertThat(new TracingSettings(" ").endpoint()).isNull();
        assertThat(new TracingSettings("https://otel.example/v1/traces").endpoint())
                .isEqualTo("https://otel.example/v1/traces");
    }

    @ParameterizedTest
    @ValueSource(strings = {"localhost:4318", "http://localhost:4318", "grpc://localhost:4317/v1/traces", "http:// /x"})
    void whatIsNoAddressOfOtlpIsRefused(String endpoint) {
        assertThatThrownBy(() -> new TracingSettings(endpoint))
                .hasMessageStartingWith("tilewright.traces.endpoint must be an address of OTLP over HTTP")
                .hasMessageEndingWith("got '" + endpoint + "'");
    }

    @Test
    void withoutAnEndpointNothingOfItRuns(Api api, Service service) {
        api.submit("simulated:h200", "random", 2, "640x384x256");
        ScriptedWorker.simulated(api).workOff(1000, 1);

        assertThat(service.context().getBeanNamesForType(SpanExporter.class)).isEmpty();
        assertThat(service.context().getBeanNamesForType(JobTraces.class)).isEmpty();
        assertThat(service.jdbc()
                        .sql("select count(*) from job_trace")
                        .query(Integer.class)
                        .single())
                .isZero();
    }
}
